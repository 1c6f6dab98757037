// This file defines pto-vexpdif-fusion.

package fusion

import (
	isabase "ptogo/dialect/pto/isa/base"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/ir"
	"ptogo/passes"
)

// ExpDif is the pass pto-vexpdif-fusion. It replaces a subtraction and the exponential of
// its result by one instruction, vexpdif. The result can change in the last bit, because
// vexpdif does not round the difference.
var ExpDif = &passes.Pass{
	Name:   "pto-vexpdif-fusion",
	Title:  "PTOVexpdifFusion",
	Doc:    "Replaces a vsub on f32 and the vexp of its result by one vexpdif, if a pto.fusion_region contains both. The result may differ in the last bit, because vexpdif does not round the difference.",
	Anchor: "func.func",
	Stats:  []passes.Stat{{Name: "num-combined", Doc: "pairs replaced by vexpdif"}},
	Run: func(c *passes.Context, f *ir.Op) error {
		var pairs []*ir.Op
		for op := range f.Walk() {
			if op.Is(isavector.VExp) && inRegion(op) && isDifference(op) {
				pairs = append(pairs, op)
			}
		}
		for _, op := range pairs {
			combine(op)
		}
		c.Count("num-combined", len(pairs))
		return nil
	},
}

// inRegion reports whether op is in a pto.fusion_region.
func inRegion(op *ir.Op) bool {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if p.Is(isabase.FusionRegion) {
			return true
		}
	}
	return false
}

// isDifference reports whether op, a vexp of f32, is the only use of a vsub with the same
// mask.
func isDifference(op *ir.Op) bool {
	from := op.Operand(0).Op()
	return from != nil && from.Is(isavector.VSub) && from.Result(0).HasOneUse() && ir.ElementType(op.Operand(0).Type()) == ir.F32 && from.Operand(2) == op.Operand(1)
}

// combine replaces two instructions by one: the exponential op, and the subtraction that
// computes the operand of op.
func combine(op *ir.Op) {
	from := op.Operand(0).Op()
	args := []*ir.Value{from.Operand(0), from.Operand(1), op.Operand(1)}
	one := ir.Before(op).Op(isavector.VExpDif, args, []ir.Type{op.Result(0).Type()}, ir.NamedAttr{Name: "part", Attr: ir.Str("ODD")})
	op.Result(0).ReplaceAllUses(one.Result(0))
	op.Erase()
	from.Erase()
}
