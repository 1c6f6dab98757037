// This file determines where a matrix product finds its MX scales.

package analysis

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ScalesBeside reports from where the simulated matrix product op reads the MX scales of
// an operand. scales is the tile with the scales.
//
// On the hardware, the address of the scales is always a sixteenth of the operand's
// address. The loads pto.mte_l1_l0a_mx and pto.mte_l1_l0b_mx store the scales at that
// address. If the function contains such a load, and if only matrix products use the
// tile, then the result is true, and the runtime reads from that address as well. If not,
// the result is false, and the runtime reads the scales from the tile.
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
