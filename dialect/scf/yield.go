// This file defines scf.yield.

package scf

import (
	"strings"

	"ptogo/ir"
)

const page = "https://mlir.llvm.org/docs/Dialects/SCFDialect/"

// Yield is scf.yield, which ends a region and returns values to the enclosing
// operation.
var Yield = &ir.Def{
	Name:    "scf.yield",
	Summary: "Ends a region and passes its values to the operation around it.",
	Page:    page,
	Traits:  ir.Terminator | ir.Pure,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "results", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:   ir.Asm("attr-dict ($results^ `:` type($results))?"),
	}},
	Sem: Leave,
}

// verifyYield reports a yield whose parent is not an operation that expects one.
// The parent checks the number and types of the values.
func verifyYield(op *ir.Op, v *ir.Verifier) {
	switch parent := op.Parent(); {
	case parent == nil:
	case parent.Is(For), parent.Is(If), parent.Is(While), parent.Is(IndexSwitch), parent.Is(ExecuteRegion):
		return
	}
	v.Errorf(op, "must be the last operation in a region of scf.for, scf.if, scf.while, scf.index_switch or scf.execute_region")
}

func init() { Yield.Verify = verifyYield }

// yields reports an error for op if a block leaves the region r in another way than by
// scf.yield. The types of the yielded values must equal the types in the parameter want.
// The parameter what describes the region in messages.
func yields(op *ir.Op, v *ir.Verifier, r *ir.Region, what string, want []ir.Type) {
	for b := range r.Blocks() {
		end := b.Terminator()
		if end == nil || len(end.Successors()) > 0 {
			continue // reported by regionShape, or a jump to another block
		}
		if !end.Is(Yield) {
			v.Errorf(op, "requires scf.yield at the end of %s, but found %s", what, end.Name()).Note(end.Loc(), "it ends here")
			continue
		}
		passes(end, v, "operand", end.Operands(), "the"+strings.TrimPrefix(what, "its"), want)
	}
}

// passes checks the operands of op, a terminator, whose values become values of another
// operation, such as loop-carried values. It reports an error unless their types are
// equal to the types in want. The two strings are texts for the message. The first one
// describes one of the values, for example "result". The second one names what requires
// the types.
func passes(op *ir.Op, v *ir.Verifier, noun string, values []*ir.Value, to string, want []ir.Type) {
	if len(values) != len(want) {
		v.Errorf(op, "has %s, but %s requires %d", ir.Count(len(values), noun), to, len(want))
		return
	}
	for i, t := range want {
		if values[i].Type() != t {
			v.Errorf(op, "has a value of type %s as %s #%d, but %s requires type %s", values[i].Type(), noun, i, to, t)
		}
	}
}

// takes reports whether the entry block of region r has arguments of the types in the
// list. If it does not, the function reports an error for op. The parameter what is a
// description of the region for this error.
func takes(op *ir.Op, v *ir.Verifier, r *ir.Region, what string, want []ir.Type) bool {
	if r.Empty() {
		v.Errorf(op, "requires a block in %s", what)
		return false
	}
	args := r.Entry().Args()
	if len(args) != len(want) {
		v.Errorf(op, "must have %d block argument(s) in %s, but has %d", len(want), what, len(args))
		return false
	}
	for i, t := range want {
		if args[i].Type() != t {
			v.Errorf(op, "requires block argument #%d of %s to have type %s, but it has type %s", i, what, t, args[i].Type())
			return false
		}
	}
	return true
}

// binding is %arg = %operand, the syntax for a carried value and its initial value.
type binding struct {
	arg  ir.BlockArg
	from ir.Operand
}

// parseBindings reads (%a = %x, ...).
func parseBindings(p *ir.Parser) []binding {
	var bs []binding
	p.Expect("(")
	p.List(")", func() {
		b := binding{arg: p.BlockArg(false)}
		p.Expect("=")
		b.from = p.Operand()
		bs = append(bs, b)
	})
	p.Expect(")")
	return bs
}

// bind returns the block arguments of the bindings bs, such as %a = %x, with the types
// ts. It adds the initial values of the bindings to an operand of the operation that is
// being parsed; the parameter name is the name of this operand.
func bind(p *ir.Parser, st *ir.OpParse, off int, name string, bs []binding, ts []ir.Type) []ir.BlockArg {
	if len(bs) != len(ts) {
		if !p.Failed() {
			p.ErrorAt(off, "'%s' op carries %s, but has %s for them", st.Def.Name, ir.Count(len(bs), "value"), ir.Count(len(ts), "type"))
		}
		return nil
	}
	args := make([]ir.BlockArg, len(bs))
	for i, b := range bs {
		b.arg.Type = ts[i]
		args[i] = b.arg
		st.Operand(name, b.from)
		st.OperandType(name, ts[i])
	}
	return args
}

// printBindings prints the block arguments args with their initial values, as in (%a =
// %x, %b = %y). from contains the initial values, in the order of the arguments.
func printBindings(w *ir.Printer, args, from []*ir.Value) {
	w.Token("(")
	for i, a := range args {
		if i > 0 {
			w.Token(",")
		}
		w.Value(a)
		w.Token("=")
		w.Value(from[i])
	}
	w.Token(")")
}

// printArrow writes -> and the types ts, or nothing if ts is empty. If always is
// set, it writes parentheses even around a single type.
func printArrow(w *ir.Printer, ts []ir.Type, always bool) {
	if len(ts) == 0 {
		return
	}
	w.Token("->")
	printResultTypes(w, ts, always)
}

// printResultTypes writes the types ts. It writes several types in parentheses, and a
// single type without parentheses unless always is set.
func printResultTypes(w *ir.Printer, ts []ir.Type, always bool) {
	if len(ts) == 1 && !always && !ir.Is[ir.FunctionType](ts[0]) {
		w.Type(ts[0])
		return
	}
	w.Token("(")
	w.Types(ts...)
	w.Token(")")
}

// parseArrow reads -> and the result types, if they are present.
func parseArrow(p *ir.Parser, st *ir.OpParse) []ir.Type {
	if !p.Accept("->") {
		return nil
	}
	ts := p.ResultTypes()
	st.ResultType("results", ts...)
	return ts
}
