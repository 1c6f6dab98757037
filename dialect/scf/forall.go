// This file defines scf.forall.

package scf

import (
	"slices"

	"ptogo/ir"
)

// Forall is scf.forall, a parallel loop over a grid of counters. Iterations write
// disjoint regions of the shared output tensors.
var Forall = &ir.Def{
	Name:    "scf.forall",
	Summary: "Runs its body for all points of a grid, in any order, possibly on different units.",
	Page:    page,
	Traits:  ir.LoopLike | ir.RecursiveSide,
	Attrs: []ir.AttrDef{
		{Name: "staticLowerBound", Type: ir.AnyInts, Doc: "the smallest integer marks a dynamic value"},
		{Name: "staticUpperBound", Type: ir.AnyInts},
		{Name: "staticStep", Type: ir.AnyInts},
		{Name: "mapping", Type: ir.AnyArray, Optional: true, Doc: "which unit a dimension belongs to"},
	},
	Regions: []ir.RegionDef{{Name: "region", SingleBlock: true, Implicit: InParallel}},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{
			{Name: "dynamicLowerBound", Type: ir.Exactly(ir.Index), Arity: ir.Variadic},
			{Name: "dynamicUpperBound", Type: ir.Exactly(ir.Index), Arity: ir.Variadic},
			{Name: "dynamicStep", Type: ir.Exactly(ir.Index), Arity: ir.Variadic},
			{Name: "outputs", Type: ir.TypeIf("a ranked tensor", isRanked), Arity: ir.Variadic},
		},
		Results: []ir.Arg{{Name: "results", Type: ir.TypeIf("a ranked tensor", isRanked), Arity: ir.Variadic}},
		Syntax:  ir.Hook{ParseFn: parseForall, PrintFn: printForall, Fits: fitsForall},
	}},
	Sem:    Grid,
	Verify: verifyForall,
}

// isRanked reports whether t is a tensor with a known number of dimensions.
func isRanked(t ir.Type) bool {
	d, ok := ir.As[ir.TensorType](t)
	return ok && !d.Unranked
}

// gridLists describes the three lists of bounds of a forall: lower bounds, upper bounds
// and steps. Each list can contain constants and values. The field attr is the attribute
// with the constants, values is the operand with the values, and word is the text before
// the list.
var gridLists = []struct{ attr, values, word string }{
	{"staticLowerBound", "dynamicLowerBound", "="},
	{"staticUpperBound", "dynamicUpperBound", "to"},
	{"staticStep", "dynamicStep", "step"},
}

// parseForall reads (%i, ...) in (4, %n, ...), or (%i, ...) = (0, ...) to (4, ...)
// step (1, ...), then [shared_outs(%a = %x, ...) -> types] { ... } {attributes}.
// The first form has lower bounds of 0 and steps of 1.
func parseForall(p *ir.Parser, st *ir.OpParse) {
	args := parseCounters(p)
	if p.Accept("in") {
		parseBounds(p, st, 1)
		st.Attr("staticLowerBound", filled(len(args), 0))
		st.Attr("staticStep", filled(len(args), 1))
	} else {
		for i, l := range gridLists {
			p.Expect(l.word)
			parseBounds(p, st, i)
		}
	}
	off := p.Offset()
	if p.Accept("shared_outs") {
		outs := parseBindings(p)
		args = append(args, bind(p, st, off, "outputs", outs, parseArrow(p, st))...)
	}
	st.Region(p, args)
	st.AttrDict(p)
}

// parseBounds parses one of the three lists of a forall operation: lower bounds, upper
// bounds or steps. i is the index of this list in gridLists. The list is in parentheses
// and may mix constants and values. parseBounds stores the constants in an attribute and
// the values as operands, with the names in gridLists[i].
func parseBounds(p *ir.Parser, st *ir.OpParse, i int) {
	ns, os := p.MixedList("(", ")")
	st.Attr(gridLists[i].attr, ir.I64Array(ns...))
	st.Operand(gridLists[i].values, os...)
}

// filled returns an array attribute with n elements, all of which equal v.
func filled(n int, v int64) ir.Attr { return ir.I64Array(slices.Repeat([]int64{v}, n)...) }

// bounds returns one of the three lists of a forall operation: lower bounds, upper bounds
// or steps. i is the index of this list in gridLists: 0, 1 or 2. A constant bound is
// contained as a number, and a bound that is an SSA value is contained as ir.Dynamic.
func bounds(op *ir.Op, i int) []int64 {
	d, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr(gridLists[i].attr))
	return d.Ints()
}

// fitsForall reports whether the custom syntax of scf.forall can express op. For each
// list of bounds or steps, the number of operands must equal the number of dynamic
// entries of the list. The body must have one argument for each counter and each output.
func fitsForall(op *ir.Op) bool {
	for i := range gridLists {
		from, to := op.ArgRange(i)
		if !ir.FitsMixed(bounds(op, i), to-from) {
			return false
		}
	}
	e := op.Region(0).Entry()
	return e != nil && len(e.Args()) == len(bounds(op, 1))+len(op.Args("outputs"))
}

// printForall prints the short form "in (bounds)" if all lower bounds are 0 and all
// steps are 1, as MLIR does.
func printForall(w *ir.Printer, op *ir.Op) {
	args, n := op.Region(0).Entry().Args(), len(bounds(op, 1))
	printTuple(w, args[:n])
	if op.Attr("staticLowerBound") == filled(n, 0) && op.Attr("staticStep") == filled(n, 1) {
		w.Token("in")
		w.Raw(" ")
		w.MixedList("(", ")", bounds(op, 1), op.Args("dynamicUpperBound"))
	} else {
		for i, l := range gridLists {
			w.Token(l.word)
			w.Raw(" ")
			w.MixedList("(", ")", bounds(op, i), op.Args(l.values))
		}
	}
	if outs := op.Args("outputs"); len(outs) > 0 {
		w.Token("shared_outs")
		printBindings(w, args[n:], outs)
		printArrow(w, ir.TypesOf(op.Results()), true)
	}
	w.Region(op, 0, false)
	w.AttrDict(op, "staticLowerBound", "staticUpperBound", "staticStep")
}

// verifyForall checks that bounds, steps and mapping have one entry per dimension, and
// that the operation has one result of the same type for each output operand. The body
// must have an argument for each dimension and then one for each output.
func verifyForall(op *ir.Op, v *ir.Verifier) {
	n := len(bounds(op, 1))
	if len(bounds(op, 0)) != n || len(bounds(op, 2)) != n {
		v.Errorf(op, "requires as many lower bounds as upper bounds and steps, but has %s, %s and %s", ir.Count(len(bounds(op, 0)), "lower bound"), ir.Count(n, "upper bound"), ir.Count(len(bounds(op, 2)), "step"))
		return
	}
	for i, l := range gridLists {
		if from, to := op.ArgRange(i); !ir.FitsMixed(bounds(op, i), to-from) {
			v.Errorf(op, "has %s for the dynamic entries of its attribute \"%s\", but this attribute has another number of dynamic entries", ir.Count(to-from, "value"), l.attr)
			return
		}
	}
	if m, ok := ir.AttrAs[ir.ArrayAttr](op.Attr("mapping")); ok && m.Elems.Len() != n {
		v.Errorf(op, "attribute \"mapping\" has entries for %s, but the loop has %d dimensions", ir.Count(m.Elems.Len(), "dimension"), n)
	}
	outs := op.Args("outputs")
	passes(op, v, "shared output", outs, "its list of results", ir.TypesOf(op.Results()))
	want := append(slices.Repeat([]ir.Type{ir.Index}, n), ir.TypesOf(outs)...)
	if !takes(op, v, op.Region(0), "its body", want) {
		return
	}
	if end := op.Region(0).Last().Terminator(); end == nil || !end.Is(InParallel) {
		v.Errorf(op, "must have a body that ends with scf.forall.in_parallel")
	}
}

// InParallel is scf.forall.in_parallel, which ends the body of a forall. Its region
// contains operations that write the result of the iteration to the shared outputs.
var InParallel = &ir.Def{
	Name:    "scf.forall.in_parallel",
	Summary: "Ends the body of scf.forall; inside, the turns put their parts into the shared results.",
	Page:    page,
	Traits:  ir.Terminator | ir.NoTerminator,
	Regions: []ir.RegionDef{{Name: "region", SingleBlock: true}},
	Forms:   []*ir.Form{{Syntax: ir.Hook{ParseFn: parseInParallel, PrintFn: printInParallel}}},
	Sem:     Combine,
}

// init sets the verifier of InParallel, because Forall and InParallel refer to each
// other.
func init() {
	InParallel.Verify = func(op *ir.Op, v *ir.Verifier) {
		if p := op.Parent(); p == nil || !p.Is(Forall) {
			v.Errorf(op, "must be the last operation in the body of scf.forall")
		}
		takes(op, v, op.Region(0), "its region", nil)
	}
}

// parseInParallel adds a block to an empty region, because the text of an empty
// region has none.
func parseInParallel(p *ir.Parser, st *ir.OpParse) {
	r := p.Region(nil, false)
	if !p.Failed() && r.Empty() {
		r.Append(ir.NewBlock())
	}
	st.AddRegion(r)
	st.AttrDict(p)
}

func printInParallel(w *ir.Printer, op *ir.Op) {
	w.Region(op, 0, false)
	w.AttrDict(op)
}
