// This file defines scf.for.

package scf

import "ptogo/ir"

// For is scf.for, a counted loop. It may carry values from one iteration to the next:
// the body receives them as arguments and yields the new ones.
var For = &ir.Def{
	Name:    "scf.for",
	Summary: "Runs its body for a counter that goes from a lower bound in steps to an upper bound.",
	Page:    page,
	Traits:  ir.LoopLike | ir.RecursiveSide,
	Regions: []ir.RegionDef{{Name: "body", SingleBlock: true, Implicit: Yield}},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{
			{Name: "lowerBound", Type: ir.IntOrIndex},
			{Name: "upperBound", Type: ir.SameAs("lowerBound")},
			{Name: "step", Type: ir.SameAs("lowerBound")},
			{Name: "initArgs", Type: ir.Any, Arity: ir.Variadic},
		},
		Results: []ir.Arg{{Name: "results", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:  ir.Hook{ParseFn: parseFor, PrintFn: printFor, Fits: fitsFor},
	}},
	Sem:    CountedLoop,
	Verify: verifyFor,
}

// parseFor reads %i = %lb to %ub step %s [iter_args(%a = %x, ...) -> (T, ...)] [:
// T] { ... } {attributes}. Without a type the counter and the bounds are of type
// index.
func parseFor(p *ir.Parser, st *ir.OpParse) {
	iv := p.BlockArg(false)
	iv.Type = ir.Index
	p.Expect("=")
	lb := p.Operand()
	p.Expect("to")
	ub := p.Operand()
	p.Expect("step")
	step := p.Operand()
	off := p.Offset()
	var carried []binding
	var ts []ir.Type
	if p.Accept("iter_args") {
		carried = parseBindings(p)
		ts = parseArrow(p, st)
	}
	if p.Accept(":") {
		iv.Type = p.Type()
	}
	args := append([]ir.BlockArg{iv}, bind(p, st, off, "initArgs", carried, ts)...)
	for i, o := range []ir.Operand{lb, ub, step} {
		name := st.Form.Operands[i].Name
		st.Operand(name, o)
		st.OperandType(name, iv.Type)
	}
	st.Region(p, args)
	st.AttrDict(p)
}

// fitsFor reports whether the custom syntax of scf.for can express op. It can if the body
// has an argument for the counter and one argument for each carried value.
func fitsFor(op *ir.Op) bool {
	e := op.Region(0).Entry()
	return e != nil && len(e.Args()) == 1+len(op.Args("initArgs")) && e.Arg(0).Type() == op.Operand(0).Type()
}

// printFor prints the type of the induction variable only if it is not index, which
// is the default of the syntax.
func printFor(w *ir.Printer, op *ir.Op) {
	args, init := op.Region(0).Entry().Args(), op.Args("initArgs")
	w.Value(args[0])
	w.Token("=")
	w.Value(op.Operand(0))
	w.Token("to")
	w.Value(op.Operand(1))
	w.Token("step")
	w.Value(op.Operand(2))
	if len(init) > 0 {
		w.Token("iter_args")
		printBindings(w, args[1:], init)
		printArrow(w, ir.TypesOf(op.Results()), true)
	}
	if t := args[0].Type(); t != ir.Index {
		w.Token(":")
		w.Type(t)
	}
	w.Region(op, 0, false)
	w.AttrDict(op)
}

// verifyFor checks that the step is positive and that the initial values, the
// arguments of the body, the yielded values and the results have the same types.
func verifyFor(op *ir.Op, v *ir.Verifier) {
	if n, ok := constantStep(op); ok && n <= 0 {
		v.Errorf(op, "must have a positive step, but its step is %d", n)
	}
	carried := ir.TypesOf(op.Args("initArgs"))
	passes(op, v, "initial value", op.Args("initArgs"), "its list of results", ir.TypesOf(op.Results()))
	if takes(op, v, op.Region(0), "its body", append([]ir.Type{op.Operand(0).Type()}, carried...)) {
		yields(op, v, op.Region(0), "its body", carried)
	}
}

// constantStep returns the step of op, a for loop, if the step is a constant. The bool
// result is false otherwise. constantStep reads the value attribute of the constant
// operation directly, without a function of package arith, because that package is not
// imported here.
func constantStep(op *ir.Op) (int64, bool) {
	def := op.Arg("step").Op()
	if def == nil || !def.HasTrait(ir.ConstantLike) {
		return 0, false
	}
	return def.Attr("value").AsInt()
}

// IterArgs returns the arguments of the body of a for loop that carry values from one
// iteration to the next. It omits the first argument of the body, which is the loop
// counter.
func IterArgs(op *ir.Op) []*ir.Value { return op.Region(0).Entry().Args()[1:] }
