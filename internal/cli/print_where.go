package cli

import (
	"fmt"
	"io"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// printWhere is --print-where: a line before what a kernel prints, which says
// where that happens.
type printWhere struct{ out io.Writer }

// Before writes the line.
func (p *printWhere) Before(e *runtime.Event) string {
	if _, prints := e.Op.Def().Sem.(sem.Print); !prints {
		return ""
	}
	what := ""
	if v := e.Op.Operand(0); v.Name() != "" {
		what = " %" + v.Name()
	}
	if w := e.Where(); w != "" {
		what += " (" + w + ")"
	}
	fmt.Fprintf(p.out, "line %s: %s%s\n", line(e.Op), e.Op.Name(), what)
	return ""
}

func line(op *ir.Op) string {
	src, off := op.Loc().Source()
	if src == nil {
		return "?"
	}
	n, _ := src.Position(off)
	return fmt.Sprint(n)
}

// Begin, Event, After, End and finish have nothing to do.
func (p *printWhere) Begin(*runtime.Launch) {}
func (p *printWhere) Event(*runtime.Event)  {}
func (p *printWhere) After(*runtime.Event)  {}
func (p *printWhere) End(*runtime.Fault)    {}
func (p *printWhere) finish(*runTool) error { return nil }
