package lower_test

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
	"ptogo/lower"
	"ptogo/passes"
)

var registry = passes.NewRegistry(
	passes.Table{Passes: passes.List, Order: passes.Rules},
	passes.Table{Passes: lower.List},
)

// anyTile accepts tiles at Level 1 and buffers at Level 2.
var anyTile = ir.TypeIf("a tile", pto.IsTile)

// instruction makes a definition with both levels, in the way of the dialect.
func instruction(name string, kind ir.Meaning, ins []ir.Arg, outs ...string) *ir.Def {
	var results, dst []ir.Arg
	operands := append([]ir.Arg(nil), ins...)
	var rest []ir.Arg
	for _, a := range ins {
		if a.Role == ir.InOut {
			results = append(results, ir.Arg{Name: a.Name, Type: anyTile, Role: ir.Out})
			dst = append(dst, a)
		} else {
			rest = append(rest, a)
		}
	}
	for _, o := range outs {
		results = append(results, ir.Arg{Name: o, Type: anyTile, Role: ir.Out})
		dst = append(dst, ir.Arg{Name: o, Type: anyTile, Role: ir.Out})
	}
	return &ir.Def{Name: "test." + name, Sem: kind, Forms: []*ir.Form{
		{Level: ir.SSA, Operands: operands, Results: results, Syntax: ir.SSASyntax()},
		{Level: ir.DPS, Lead: lead(rest), Operands: append(rest, dst...), Syntax: ir.DPSSyntax()},
	}}
}

func lead(ins []ir.Arg) string {
	if len(ins) == 0 {
		return "outs"
	}
	return "ins"
}

func args(names ...string) []ir.Arg {
	var as []ir.Arg
	for _, n := range names {
		as = append(as, ir.Arg{Name: n, Type: anyTile})
	}
	return as
}

// Instructions for tests, each with a trait that matters to bufferization.
var (
	testMake = instruction("make", nil, nil, "dst")                                                           // a new tile
	testMix  = instruction("mix", nil, args("a", "b"), "dst")                                                 // not element by element
	testMap  = instruction("map", sem.TileMap{Fn: scalar.Add}, args("a", "b"), "dst")                         // element by element
	testTwo  = instruction("two", nil, args("a"), "x", "y")                                                   // two results
	testAcc  = instruction("acc", nil, append(args("a"), ir.Arg{Name: "acc", Type: anyTile, Role: ir.InOut})) // updates
	testUse  = &ir.Def{Name: "test.use", Forms: []*ir.Form{                                                   // observes
		{Operands: args("a"), Syntax: ir.SSASyntax()},
	}}
	testNote = &ir.Def{Name: "test.note", Forms: []*ir.Form{ // observes a number
		{Operands: []ir.Arg{{Name: "x", Type: ir.Written(ir.I32)}}, Syntax: ir.SSASyntax()},
	}}
	testView = &ir.Def{Name: "test.view", Traits: ir.Pure, Forms: []*ir.Form{ // a part of the storage
		{Operands: args("a"), Results: args("part"), Syntax: ir.SSASyntax()},
	}}
	testCond = &ir.Def{Name: "test.cond", Forms: []*ir.Form{ // true or false
		{Results: []ir.Arg{{Name: "c", Type: ir.Exactly(ir.I1)}}, Syntax: ir.Asm("attr-dict")},
	}}
)

func init() {
	for _, d := range []*ir.Def{testMake, testMix, testMap, testTwo, testAcc, testUse} {
		d.Info = &pto.Op{} // an instruction on tiles
	}
	ir.Register(&ir.Dialect{Name: "test", Defs: []*ir.Def{testMake, testMix, testMap, testTwo, testAcc, testUse, testNote, testView, testCond}})
}
