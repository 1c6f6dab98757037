// This file defines scf.parallel.

package scf

import "ptogo/ir"

// Parallel is scf.parallel, a loop nest whose iterations may run in any order or in
// parallel. Its results are reductions over the iterations.
var Parallel = &ir.Def{
	Name:    "scf.parallel",
	Summary: "Runs its body for all combinations of counters, in any order, and combines what the turns give.",
	Page:    page,
	Traits:  ir.LoopLike | ir.RecursiveSide,
	Regions: []ir.RegionDef{{Name: "region", SingleBlock: true, Implicit: Reduce}},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{
			{Name: "lowerBound", Type: ir.Exactly(ir.Index), Arity: ir.Variadic},
			{Name: "upperBound", Type: ir.Exactly(ir.Index), Arity: ir.Variadic},
			{Name: "step", Type: ir.Exactly(ir.Index), Arity: ir.Variadic},
			{Name: "initVals", Type: ir.Any, Arity: ir.Variadic},
		},
		Results: []ir.Arg{{Name: "results", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:  ir.Hook{ParseFn: parseParallel, PrintFn: printParallel, Fits: fitsParallel},
	}},
	Sem:    ParallelLoop,
	Verify: verifyParallel,
}

// parseCounters reads (%i, %j, ...), the counters of a loop nest, which have type
// index.
func parseCounters(p *ir.Parser) []ir.BlockArg {
	var args []ir.BlockArg
	p.Expect("(")
	p.List(")", func() {
		a := p.BlockArg(false)
		a.Type = ir.Index
		args = append(args, a)
	})
	p.Expect(")")
	return args
}

// parseParallel reads (%i, ...) = (%lb, ...) to (%ub, ...) step (%s, ...) [init
// (%x, ...) -> types] { ... } {attributes}.
func parseParallel(p *ir.Parser, st *ir.OpParse) {
	args := parseCounters(p)
	for i, word := range []string{"=", "to", "step"} {
		p.Expect(word)
		off := p.Offset()
		p.Expect("(")
		os := p.Operands(nil)
		p.Expect(")")
		if len(os) != len(args) && !p.Failed() {
			p.ErrorAt(off, "'%s' op has %s, but %s here", st.Def.Name, ir.Count(len(args), "counter"), ir.Count(len(os), "value"))
		}
		st.Operand(st.Form.Operands[i].Name, os...)
	}
	if p.Accept("init") {
		p.Expect("(")
		st.Operand("initVals", p.Operands(nil)...)
		p.Expect(")")
	}
	st.OperandType("initVals", parseArrow(p, st)...)
	st.Region(p, args)
	st.AttrDict(p)
}

// fitsParallel reports whether the body has one argument per counter, which the
// custom syntax needs.
func fitsParallel(op *ir.Op) bool {
	e := op.Region(0).Entry()
	from, to := op.ArgRange(0)
	return e != nil && len(e.Args()) == to-from
}

// printParallel prints three lists: the lower bounds, the upper bounds and the steps. Each
// list has one entry for each dimension of the loop.
func printParallel(w *ir.Printer, op *ir.Op) {
	printTuple(w, op.Region(0).Entry().Args())
	for i, word := range []string{"=", "to", "step"} {
		w.Token(word)
		printTuple(w, op.Args(op.Form().Operands[i].Name))
	}
	if init := op.Args("initVals"); len(init) > 0 {
		w.Token("init")
		printTuple(w, init)
	}
	printArrow(w, ir.TypesOf(op.Results()), false)
	w.Region(op, 0, false)
	w.AttrDict(op)
}

// printTuple writes (%a, %b), preceded by a space.
func printTuple(w *ir.Printer, vs []*ir.Value) {
	w.Raw(" (")
	w.Values(vs...)
	w.Token(")")
}

// verifyParallel checks that bounds and steps have one entry per dimension, and
// that the terminator scf.reduce combines one value for each result.
func verifyParallel(op *ir.Op, v *ir.Verifier) {
	lb, ub, step := op.Args("lowerBound"), op.Args("upperBound"), op.Args("step")
	if len(lb) == 0 || len(lb) != len(ub) || len(lb) != len(step) {
		v.Errorf(op, "requires as many lower bounds as upper bounds and steps, but has %s, %s and %s", ir.Count(len(lb), "lower bound"), ir.Count(len(ub), "upper bound"), ir.Count(len(step), "step"))
		return
	}
	passes(op, v, "initial value", op.Args("initVals"), "its list of results", ir.TypesOf(op.Results()))
	if !takes(op, v, op.Region(0), "its body", ir.TypesOf(lb)) {
		return
	}
	end := op.Region(0).Last().Terminator()
	if end == nil || !end.Is(Reduce) {
		v.Errorf(op, "must have a body that ends with scf.reduce")
		return
	}
	passes(end, v, "operand", end.Operands(), "scf.parallel", ir.TypesOf(op.Results()))
}

// Reduce is scf.reduce, which ends the body of a parallel loop. It has one region per
// reduction, which combines two values into one.
var Reduce = &ir.Def{
	Name:    "scf.reduce",
	Summary: "Ends the body of scf.parallel; each region combines two values of the turns into one.",
	Page:    page,
	Traits:  ir.Terminator | ir.RecursiveSide,
	Regions: []ir.RegionDef{{Name: "reductions", SingleBlock: true, Variadic: true}},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "operands", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:   ir.Hook{ParseFn: parseReduce, PrintFn: printReduce},
	}},
	Sem: Combine,
}

// parseReduce reads (%x, ... : T, ...) { ... }, ... {attributes}. There is one
// region per operand.
func parseReduce(p *ir.Parser, st *ir.OpParse) {
	n := 0
	if p.Accept("(") {
		os := p.Operands(nil)
		n = len(os)
		st.Operand("operands", os...)
		p.Expect(":")
		st.OperandType("operands", p.Types()...)
		p.Expect(")")
	}
	for i := range n {
		if i > 0 {
			p.Expect(",")
		}
		st.Region(p, nil)
	}
	st.AttrDict(p)
}

// printReduce prints one region per reduced value, with its arguments: the two
// values to combine.
func printReduce(w *ir.Printer, op *ir.Op) {
	if vs := op.Operands(); len(vs) > 0 {
		w.Token("(")
		w.Values(vs...)
		w.Token(":")
		w.Types(ir.TypesOf(vs)...)
		w.Token(")")
	}
	for i := range op.Regions() {
		if i > 0 {
			w.Token(",")
		}
		w.Region(op, i, true)
	}
	w.AttrDict(op)
}

// ReduceReturn is scf.reduce.return, which ends a region of scf.reduce and returns the
// combined value.
var ReduceReturn = &ir.Def{
	Name:    "scf.reduce.return",
	Summary: "Ends a region of scf.reduce and returns the combined value.",
	Page:    page,
	Traits:  ir.Terminator | ir.Pure,
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "result", Type: ir.Any}},
		Syntax:   ir.Asm("$result attr-dict `:` type($result)"),
	}},
	Sem: Leave,
}

func init() {
	Reduce.Verify = verifyReduce // set here, because the operations refer to each other
	ReduceReturn.Verify = func(op *ir.Op, v *ir.Verifier) {
		if p := op.Parent(); p == nil || !p.Is(Reduce) {
			v.Errorf(op, "must be the last operation in a region of scf.reduce")
		}
	}
}

// verifyReduce checks that each operand has a region that combines two values of
// its type to one of the same type.
func verifyReduce(op *ir.Op, v *ir.Verifier) {
	if p := op.Parent(); p == nil || !p.Is(Parallel) {
		v.Errorf(op, "must be the last operation in the body of scf.parallel")
	}
	if len(op.Regions()) != op.NumOperands() {
		v.Errorf(op, "requires one region for each reduced value, but has %s for %s", ir.Count(len(op.Regions()), "region"), ir.Count(op.NumOperands(), "value"))
		return
	}
	for i, r := range op.Regions() {
		t := op.Operand(i).Type()
		if !takes(op, v, r, "a region", []ir.Type{t, t}) {
			continue
		}
		end := r.Last().Terminator()
		if end == nil || !end.Is(ReduceReturn) {
			v.Errorf(op, "must have regions that end with scf.reduce.return")
			continue
		}
		passes(end, v, "operand", end.Operands(), "the reduction", []ir.Type{t})
	}
}
