// This file determines where a matrix product finds its MX scales.

package analysis

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ScalesBeside reports whether a product finds the scales of an operand in the
// memory beside that operand, at a sixteenth of its address, where
// pto.mte_l1_l0a_mx and pto.mte_l1_l0b_mx put them. The hardware always looks there.
// Here tiles of scales may lie anywhere, so this is for tiles that only products
// use, in functions that load scales in that way.
func ScalesBeside(op *ir.Op, scales *ir.Value) bool {
	if scales.IsBlockArg() {
		return false
	}
	for u := range scales.Uses() {
		if _, product := u.Owner().Def().Sem.(sem.TileMatmul); !product {
			return false
		}
	}
	f := op
	for f.Parent() != nil && f.Parent().Parent() != nil {
		f = f.Parent()
	}
	for x := range f.Walk() {
		if _, loads := x.Def().Sem.(sem.LoadScales); loads {
			return true
		}
	}
	return false
}
