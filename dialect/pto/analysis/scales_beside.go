// This file determines where a matrix product finds its MX scales.

package analysis

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ScalesBeside reports where the matrix product op reads the MX scales of an operand. The
// parameter scales is the tile with the scales. If the result is true, the address of the
// scales is a sixteenth of the operand's address, and the address of this tile is
// ignored. The hardware always uses this address, and pto.mte_l1_l0a_mx and
// pto.mte_l1_l0b_mx store scales there.
//
// The result is true if only matrix products use this tile and the function contains one
// of these two loads. Otherwise the runtime reads the scales from the tile.
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
