// This file prints the program before and after passes.

package passes

import (
	"bytes"
	"fmt"
	"io"

	"ptogo/ir"
)

// Dump prints the program before and after passes, in the format of MLIR.
type Dump struct {
	// Out receives the dumps, unless Tree is set.
	Out io.Writer
	// Before and After select passes; nil selects none.
	Before, After func(p *Pass) bool
	// OnlyChange dumps after a pass only if the pass changed the program.
	OnlyChange bool
	// OnlyFailure dumps after a pass only if the pass failed.
	OnlyFailure bool
	// WholeProgram dumps the module even if the pass runs on a function.
	WholeProgram bool
	// Print are the options of the printer.
	Print ir.PrintOptions
	// Tree, if not nil, receives the dumps as files.
	Tree *DumpTree
	// Numbered prints values by number, as MLIR does, and not by their names.
	Numbered bool
}

// withoutNames returns a copy of op whose values have no name hints.
func withoutNames(op *ir.Op) *ir.Op {
	op = op.Clone(nil)
	for at := range op.Walk() {
		for _, v := range at.Results() {
			v.SetName("")
		}
		for _, r := range at.Regions() {
			for b := range r.Blocks() {
				for _, v := range b.Args() {
					v.SetName("")
				}
			}
		}
	}
	return op
}

// writer returns the destination of dumps, or nil if d is nil.
func (d *Dump) writer() io.Writer {
	if d == nil {
		return nil
	}
	return d.Out
}

// wholeProgram reports whether each dump shows the whole module. Otherwise a dump after a
// pass on a function shows this function only. d may be nil, for which the result is
// false.
func (d *Dump) wholeProgram() bool { return d != nil && d.WholeProgram }

// text returns the text to dump. If d.WholeProgram is set, this is the text of the
// module; if not, it is the text of op, the operation on which the pass works.
func (d *Dump) text(op, module *ir.Op) []byte {
	if d.WholeProgram {
		op = module
	}
	opts := d.Print
	opts.Sequential = true // other functions may change while one is printed
	if d.Numbered {
		op = withoutNames(op)
	}
	return ir.Bytes(op, opts)
}

// before prints the program before pass p, if the options request it. It returns the text
// of the program if a later step needs it: if the program is to be printed after p only
// when p has changed it, Dump.after compares the text with the new one. If no step needs
// the text, the result may be nil.
func (d *Dump) before(p *Pass, op, module *ir.Op, w io.Writer) []byte {
	if d == nil {
		return nil
	}
	show := d.Before != nil && d.Before(p)
	compare := d.OnlyChange && d.After != nil && d.After(p)
	if !show && !compare {
		return nil
	}
	text := d.text(op, module)
	if show {
		d.write(w, "Before", "", p, op, text)
	}
	return text
}

// after prints the program after pass p. ok reports whether the pass succeeded. The
// parameter before is the text of the program before the pass, as the method before
// returned it.
func (d *Dump) after(p *Pass, op, module *ir.Op, w io.Writer, before []byte, ok bool) {
	if d == nil || d.After == nil || !d.After(p) || d.OnlyFailure && ok {
		return
	}
	text := d.text(op, module)
	if d.OnlyChange && ok && bytes.Equal(text, before) {
		return
	}
	failed := ""
	if !ok {
		failed = " Failed"
	}
	d.write(w, "After", failed, p, op, text)
}

// write prints one dump with its heading, to w or to a file of the tree. text is the
// dumped program. The parameters when and how are words of the heading: when is "Before"
// or "After", and how is " Failed" if the pass failed and "" otherwise.
func (d *Dump) write(w io.Writer, when, how string, p *Pass, op *ir.Op, text []byte) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// -----// IR Dump %s %s%s (%s)%s //----- //\n%s\n", when, p.title(), how, p.Name, d.whose(op), text)
	if d.Tree != nil {
		d.Tree.write(p, op, b.Bytes())
		return
	}
	w.Write(b.Bytes())
}

// whose returns text for the heading of a dump that identifies op, the operation on which
// the pass runs. If the dump contains the complete program, the reader needs this text to
// find op. If the dump contains only op, the text is "".
func (d *Dump) whose(op *ir.Op) string {
	if !d.WholeProgram {
		return ""
	}
	if name, ok := ir.SymbolName(op); ok {
		return fmt.Sprintf(" ('%s' operation: @%s)", op.Name(), name)
	}
	return fmt.Sprintf(" ('%s' operation)", op.Name())
}
