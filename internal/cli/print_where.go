// This file implements --print-where.

package cli

import (
	"fmt"
	"io"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// printWhere implements --print-where. It prints the position in the run before each
// output of a kernel.
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

// line returns the source line of an operation.
func line(op *ir.Op) string {
	src, off := op.Loc().Source()
	if src == nil {
		return "?"
	}
	n, _ := src.Position(off)
	return fmt.Sprint(n)
}

// Begin, Event, After, End and finish implement the interfaces and do nothing.
func (p *printWhere) Begin(*runtime.Launch) {}
func (p *printWhere) Event(*runtime.Event)  {}
func (p *printWhere) After(*runtime.Event)  {}
func (p *printWhere) End(*runtime.Fault)    {}
func (p *printWhere) finish(*runTool) error { return nil }
