package passes

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Factor returns what a tile is multiplied by in the place of a division by
// the constant s, in default precision.
func Factor(target ir.Target, f num.Format, s uint64) (uint64, bool) {
	if target != sem.A5 && !exactReciprocal(f, s) {
		return 0, false
	}
	return reciprocal(f, s), true
}
