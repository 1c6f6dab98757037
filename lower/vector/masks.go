// This file defines vpto-mask-simplify.

package vector

import (
	"slices"

	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/ir"
	"ptogo/passes"
)

// SimplifyMasks is the pass vpto-mask-simplify. It removes instructions that interleave
// or deinterleave two masks if both masks select all lanes: the results select all lanes,
// too.
var SimplifyMasks = rewriting(passes.Pass{
	Name:  "vpto-mask-simplify",
	Title: "VPTOMaskSimplify",
	Doc:   "Removes instructions that interleave or deinterleave two masks, if both masks select all lanes. The results then equal the operands.",
}, passes.Stat{Name: "num-simplified", Doc: "instructions removed"}, func(op *ir.Op) bool {
	if !slices.Contains(rearrangements, op.Def()) || !isAll(op.Operand(0)) || !isAll(op.Operand(1)) {
		return false
	}
	for i, v := range op.Operands() {
		op.Result(i).ReplaceAllUses(v)
	}
	op.Erase()
	return true
})

// rearrangements are the instructions that combine the lanes of two masks into two masks.
var rearrangements = []*ir.Def{
	isavector.PIntlvB8, isavector.PIntlvB16, isavector.PIntlvB32, isavector.PDIntlvB8, isavector.PDIntlvB16, isavector.PDIntlvB32,
}

// isAll reports whether the mask m is known to select all lanes.
func isAll(m *ir.Value) bool {
	if m.Op() == nil || m.Op().NumOperands() > 0 {
		return false
	}
	pattern, _ := m.Op().Attr("pattern").AsString()
	return pattern == "PAT_ALL"
}
