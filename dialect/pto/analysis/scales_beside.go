// This file determines where a matrix product finds its MX scales.

package analysis

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ScalesBeside reports whether a matrix product reads the scales of an operand from the
// memory that belongs to this operand, at a sixteenth of its address, where
// pto.mte_l1_l0a_mx and pto.mte_l1_l0b_mx store them. The hardware always reads them from
// this address.
//
// In this project, tiles of scales may be anywhere. So only tiles that are exclusively
// used by products are affected, in functions that load scales with these instructions.
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
