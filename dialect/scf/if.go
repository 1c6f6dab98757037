// This file defines scf.if and scf.execute_region.

package scf

import (
	"strconv"

	"ptogo/ir"
)

// If is scf.if, which runs one of two regions. The else region may be empty if there
// are no results.
var If = &ir.Def{
	Name:    "scf.if",
	Summary: "Runs one of two regions, or one region or nothing.",
	Page:    page,
	Traits:  ir.RecursiveSide,
	Regions: []ir.RegionDef{
		{Name: "thenRegion", SingleBlock: true, Implicit: Yield},
		{Name: "elseRegion", SingleBlock: true, Implicit: Yield},
	},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "condition", Type: ir.Exactly(ir.I1)}},
		Results:  []ir.Arg{{Name: "results", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:   ir.Hook{ParseFn: parseIf, PrintFn: printIf},
	}},
	Sem:    TwoWay,
	Verify: verifyIf,
}

// parseIf reads %c [-> (T, ...)] { ... } [else { ... }] {attributes}. A missing
// else region becomes an empty region.
func parseIf(p *ir.Parser, st *ir.OpParse) {
	st.Operand("condition", p.Operand())
	parseArrow(p, st)
	st.Region(p, nil)
	if p.Accept("else") {
		st.Region(p, nil)
	} else {
		st.AddRegion(ir.NewRegion())
	}
	st.AttrDict(p)
}

// printIf prints an scf.if. It omits an empty else region. Printer.Region omits a yield
// without operands, which the parser adds when it reads the text.
func printIf(w *ir.Printer, op *ir.Op) {
	w.Value(op.Operand(0))
	printArrow(w, ir.TypesOf(op.Results()), true)
	w.Region(op, 0, false)
	if !op.Region(1).Empty() {
		w.Token("else")
		w.Region(op, 1, false)
	}
	w.AttrDict(op)
}

// verifyIf requires an else region if there are results: without one, the results
// would have no value if the condition is false.
func verifyIf(op *ir.Op, v *ir.Verifier) {
	want := ir.TypesOf(op.Results())
	if op.Region(1).Empty() && len(want) > 0 {
		v.Errorf(op, "has %s, so it needs an else region that yields them as well", ir.Count(len(want), "result"))
	}
	for i, what := range []string{"its then region", "its else region"} {
		if r := op.Region(i); (i == 0 || !r.Empty()) && takes(op, v, r, what, nil) {
			yields(op, v, r, what, want)
		}
	}
}

// ExecuteRegion is scf.execute_region, which runs a region that may have several
// blocks. It permits jumps inside an operation whose region must have a single block.
var ExecuteRegion = &ir.Def{
	Name:    "scf.execute_region",
	Summary: "Runs a region once; inside, control may jump between blocks.",
	Page:    page,
	Traits:  ir.RecursiveSide,
	Regions: []ir.RegionDef{{Name: "region"}},
	Forms: []*ir.Form{{
		Results: []ir.Arg{{Name: "results", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:  ir.Hook{ParseFn: parseExecuteRegion, PrintFn: printExecuteRegion},
	}},
	Sem: Once,
	Verify: func(op *ir.Op, v *ir.Verifier) {
		if takes(op, v, op.Region(0), "its region", nil) {
			yields(op, v, op.Region(0), "its region", ir.TypesOf(op.Results()))
		}
	},
}

// parseExecuteRegion reads the result types, the region and the attributes.
func parseExecuteRegion(p *ir.Parser, st *ir.OpParse) {
	parseArrow(p, st)
	st.Region(p, nil)
	st.AttrDict(p)
}

// printExecuteRegion prints the result types, the region and the attributes.
func printExecuteRegion(w *ir.Printer, op *ir.Op) {
	printArrow(w, ir.TypesOf(op.Results()), false)
	w.Region(op, 0, false)
	w.AttrDict(op)
}

// IndexSwitch is scf.index_switch, which runs the region whose case equals an index, or
// the default region. Region 0 is the default, so that its number does not depend on
// the number of cases.
var IndexSwitch = &ir.Def{
	Name:    "scf.index_switch",
	Summary: "Runs the region whose case equals an index, or the default region.",
	Page:    page,
	Traits:  ir.RecursiveSide,
	Attrs:   []ir.AttrDef{{Name: "cases", Type: ir.AnyInts, Doc: "the value of each case"}},
	Regions: []ir.RegionDef{
		{Name: "defaultRegion", SingleBlock: true, Implicit: Yield},
		{Name: "caseRegions", SingleBlock: true, Variadic: true}, // the yield of a case must be written
	},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "arg", Type: ir.Exactly(ir.Index)}},
		Results:  []ir.Arg{{Name: "results", Type: ir.Any, Arity: ir.Variadic}},
		Syntax:   ir.Hook{ParseFn: parseIndexSwitch, PrintFn: printIndexSwitch, Fits: fitsIndexSwitch},
	}},
	Sem:    ManyWay,
	Verify: verifyIndexSwitch,
}

// parseIndexSwitch reads %i {attributes} [-> T, ...] case 1 { ... } ... default {
// ... }. The default region comes last in the text and first in the operation.
func parseIndexSwitch(p *ir.Parser, st *ir.OpParse) {
	st.Operand("arg", p.Operand())
	st.AttrDict(p)
	if p.Accept("->") {
		st.ResultType("results", p.Types()...)
	}
	var cases []int64
	var regions []*ir.Region
	for p.Accept("case") {
		cases = append(cases, p.Integer())
		regions = append(regions, p.Region(nil, false))
	}
	p.Expect("default")
	st.Region(p, nil)
	for _, r := range regions {
		st.AddRegion(r)
	}
	st.Attr("cases", ir.I64Array(cases...))
}

// fitsIndexSwitch reports whether the operation has a region for each case and one
// for the default. Only such an operation can be printed in the short form.
func fitsIndexSwitch(op *ir.Op) bool { return len(op.Regions()) == len(Cases(op))+1 }

// printIndexSwitch prints the custom syntax of scf.index_switch. It prints the region of
// each case, and then the default region. The default region comes last in the text
// although it is region 0 of the operation.
func printIndexSwitch(w *ir.Printer, op *ir.Op) {
	w.Value(op.Operand(0))
	w.AttrDict(op, "cases")
	if ts := ir.TypesOf(op.Results()); len(ts) > 0 {
		w.Token("->")
		w.Types(ts...)
	}
	for i, c := range Cases(op) {
		w.Newline()
		w.Raw("case " + strconv.FormatInt(c, 10) + " ")
		w.Region(op, i+1, false)
	}
	w.Newline()
	w.Raw("default ")
	w.Region(op, 0, false)
}

// Cases returns the case values of an index_switch. If the operand equals the value with
// index i, the operation executes region i+1. Region 0 is the default region.
func Cases(op *ir.Op) []int64 {
	d, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr("cases"))
	return d.Ints()
}

// verifyIndexSwitch checks that each case has a region, that the cases are
// different, and that all regions yield the results.
func verifyIndexSwitch(op *ir.Op, v *ir.Verifier) {
	cases := Cases(op)
	if len(cases) != len(op.Regions())-1 {
		v.Errorf(op, "requires one region for each case, but has %s for %s", ir.Count(len(op.Regions())-1, "region"), ir.Count(len(cases), "case"))
		return
	}
	seen := map[int64]bool{}
	for _, c := range cases {
		if seen[c] {
			v.Errorf(op, "must have distinct cases, but has case %d twice", c)
		}
		seen[c] = true
	}
	want := ir.TypesOf(op.Results())
	for i, r := range op.Regions() {
		what := "its default region"
		if i > 0 {
			what = "its region of case " + strconv.FormatInt(cases[i-1], 10)
		}
		if takes(op, v, r, what, nil) {
			yields(op, v, r, what, want)
		}
	}
}
