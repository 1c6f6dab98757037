// This file determines where a matrix product finds its MX scales.

package analysis

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ScalesBeside reports whether the matrix product op reads the scales of an operand at a
// sixteenth of the operand's address, not from the tile scales. The hardware always does
// so, and pto.mte_l1_l0a_mx and pto.mte_l1_l0b_mx store scales at this address.
//
// The result is true if only matrix products use the tile and the function contains one
// of these loads. Otherwise the runtime reads the tile, at whatever address it has.
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
