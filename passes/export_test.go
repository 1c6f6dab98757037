package passes

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Factor returns the factor by which the pass multiplies instead of dividing by the
// constant s in default precision. The second result is false if it keeps the division.
func Factor(target ir.Target, f num.Format, s uint64) (uint64, bool) {
	if target != sem.A5 && !exactReciprocal(f, s) {
		return 0, false
	}
	return reciprocal(f, s), true
}
