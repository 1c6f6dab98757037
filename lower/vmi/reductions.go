// This file defines vpto-combine-reductions.

package vmi

import (
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// CombineReductions is the pass vpto-combine-reductions. It replaces two reductions whose
// results are combined by one reduction: the program then combines the source registers
// and reduces the combined register.
var CombineReductions = &passes.Pass{
	Name:   "vpto-combine-reductions",
	Title:  "VPTOCombineReductions",
	Doc:    "Replaces two reductions with the same mask, whose results are combined, by one reduction of the combined registers.",
	Anchor: "builtin.module",
	Stats:  []passes.Stat{{Name: "num-combined", Doc: "reductions removed"}},
	Run: func(c *passes.Context, module *ir.Op) error {
		for op := range module.Walk() {
			if combineReductions(op) {
				c.Count("num-combined", 1)
			}
		}
		return nil
	},
}

// combineReductions rewrites combine(reduce(a, m), reduce(b, m)) as reduce(combine(a, b),
// m), which needs one reduction less. The parameter op is the instruction that combines.
// The result reports whether op has been rewritten.
func combineReductions(op *ir.Op) bool {
	if !op.Is(isavector.VAdd) && !op.Is(isavector.VMax) && !op.Is(isavector.VMin) {
		return false
	}
	x, y := op.Operand(0).Op(), op.Operand(1).Op()
	if x == nil || y == nil || x == y || x.Def() != y.Def() || !op.Operand(0).HasOneUse() || !op.Operand(1).HasOneUse() {
		return false
	}
	kind, ok := x.Def().Sem.(sem.VecReduce)
	combines := map[sem.ReduceOp]*ir.Def{sem.ReduceSum: isavector.VAdd, sem.ReduceMax: isavector.VMax, sem.ReduceMin: isavector.VMin}
	if !ok || combines[kind.Op] != op.Def() || x.Operand(0).Type() != y.Operand(0).Type() || !equalMasks(x.Operand(1), y.Operand(1)) {
		return false
	}
	if x.Result(0).Type() != x.Operand(0).Type() { // the sum is wider than the lanes
		return false
	}
	b := ir.Before(op)
	both := b.Op(op.Def(), []*ir.Value{x.Operand(0), y.Operand(0), x.Operand(1)}, []ir.Type{x.Operand(0).Type()})
	made := b.Op(x.Def(), []*ir.Value{both.Result(0), x.Operand(1)}, []ir.Type{op.Result(0).Type()})
	op.Result(0).ReplaceAllUses(made.Result(0))
	op.Erase()
	x.Erase()
	y.Erase()
	return true
}

// equalMasks reports whether two masks are known to select the same lanes.
func equalMasks(a, b *ir.Value) bool {
	if a == b {
		return true
	}
	x, y := a.Op(), b.Op()
	return x != nil && y != nil && x.Is(y.Def()) && x.NumOperands() == 0 && x.Attr("pattern") == y.Attr("pattern") && x.HasAttr("pattern")
}
