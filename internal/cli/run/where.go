// This file implements --print-where.

package run

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// whereMode implements --print-where.
type whereMode struct{ on bool }

// define declares --print-where in fs.
func (m *whereMode) define(fs *pflag.FlagSet) {
	fs.BoolVar(&m.on, "print-where", false, "before the output of each print instruction of the kernel, print the line, value, block, core and loop iterations of the instruction")
}

// printWhere is the listener of --print-where: it prints the block, core and source line before
// each output of a kernel.
type printWhere struct{ out io.Writer }

// Before prints a line before the output of a print instruction, if the event e belongs
// to a print instruction. The line contains the source line, the printed value, the core
// and the loop iterations. Before implements runtime.Watcher; its result "" means that
// the run continues.
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

// line returns the source line number of an operation, or "?" if it is unknown.
func line(op *ir.Op) string {
	src, off := op.Loc().Source()
	if src == nil {
		return "?"
	}
	n, _ := src.Position(off)
	return fmt.Sprint(n)
}

// Begin implements runtime.Listener. It does nothing, because only the events of print
// instructions matter.
func (p *printWhere) Begin(*runtime.Launch) {}
func (p *printWhere) Event(*runtime.Event)  {}
func (p *printWhere) After(*runtime.Event)  {}
func (p *printWhere) End(*runtime.Fault)    {}
func (p *printWhere) finish(*launch) error  { return nil }
