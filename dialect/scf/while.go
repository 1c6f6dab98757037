// This file defines scf.while.

package scf

import "ptogo/ir"

// While is scf.while, a loop whose condition is computed in its first region.
var While = &ir.Def{
	Name:    "scf.while",
	Summary: "Runs a region that decides whether to go on, and another one each time it does.",
	Page:    page,
	Traits:  ir.LoopLike | ir.RecursiveSide,
	Regions: []ir.RegionDef{{Name: "before", SingleBlock: true}, {Name: "after", SingleBlock: true}},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "inits", Type: ir.Any, Arity: ir.Variadic}},
		Results:  []ir.Arg{{Name: "results", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:   ir.Hook{ParseFn: parseWhile, PrintFn: printWhile, Fits: fitsWhile},
	}},
	Sem:    ConditionalLoop,
	Verify: verifyWhile,
}

// Condition is scf.condition, which ends the first region of a while. It passes values
// to the second region if the condition is true, and to the results otherwise.
var Condition = &ir.Def{
	Name:    "scf.condition",
	Summary: "Decides whether a while goes on, and hands values to its second region or its results.",
	Page:    page,
	Traits:  ir.Terminator | ir.Pure,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{
			{Name: "condition", Type: ir.Exactly(ir.I1)},
			{Name: "args", Type: ir.Any, Arity: ir.Variadic},
		},
		Syntax: ir.Asm("`` `(` $condition `)` attr-dict ($args^ `:` type($args))?"),
	}},
	Sem: Decide,
}

func init() {
	Condition.Verify = func(op *ir.Op, v *ir.Verifier) {
		if p := op.Parent(); p == nil || !p.Is(While) || op.Block().Region() != p.Region(0) {
			v.Errorf(op, "must be the last operation in the first region of scf.while")
		}
	}
}

// parseWhile reads [(%a = %x, ...)] : (T, ...) -> (U, ...) { ... } do { ... }
// [attributes {...}]. T are the types of the initial values, and U those of the
// results.
func parseWhile(p *ir.Parser, st *ir.OpParse) {
	off := p.Offset()
	var carried []binding
	if p.At("(") {
		carried = parseBindings(p)
	}
	p.Expect(":")
	typeOff := p.Offset()
	t := p.Type()
	f, ok := ir.As[ir.FunctionType](t)
	if !ok {
		if !p.Failed() {
			p.ErrorAt(typeOff, "'%s' op needs a function type here, found %s", st.Def.Name, t)
		}
		return
	}
	st.ResultType("results", f.Outs.Slice()...)
	st.Region(p, bind(p, st, off, "inits", carried, f.Ins.Slice()))
	p.Expect("do")
	st.Region(p, nil)
	if p.Accept("attributes") {
		st.AttrDict(p)
	}
}

// fitsWhile reports whether the first region has one argument per initial value,
// which the custom syntax needs.
func fitsWhile(op *ir.Op) bool {
	e := op.Region(0).Entry()
	return e != nil && len(e.Args()) == op.NumOperands()
}

// printWhile prints the types as a function: from the initial values to the
// results. The arguments of the second region have the types of the results.
func printWhile(w *ir.Printer, op *ir.Op) {
	if op.NumOperands() > 0 {
		printBindings(w, op.Region(0).Entry().Args(), op.Operands())
	}
	w.Token(":")
	w.Type(ir.Func(ir.TypesOf(op.Operands()), ir.TypesOf(op.Results())))
	w.Region(op, 0, false)
	w.Token("do")
	w.Region(op, 1, true)
	w.AttrDictWithKeyword(op)
}

// verifyWhile reports an error unless certain types agree. The initial values must have
// the types of the arguments of the first region. The values that scf.condition passes on
// must have the types of the arguments of the second region and of the results. The
// values that the second region yields must have the types of the initial values.
func verifyWhile(op *ir.Op, v *ir.Verifier) {
	ins, outs := ir.TypesOf(op.Operands()), ir.TypesOf(op.Results())
	if takes(op, v, op.Region(0), "its first region", ins) {
		end := op.Region(0).Last().Terminator()
		if end == nil || !end.Is(Condition) {
			v.Errorf(op, "must have a first region that ends with scf.condition")
		} else {
			passes(end, v, "operand", end.Args("args"), "the result list of scf.while", outs)
		}
	}
	if takes(op, v, op.Region(1), "its second region", outs) {
		yields(op, v, op.Region(1), "its second region", ins)
	}
}
