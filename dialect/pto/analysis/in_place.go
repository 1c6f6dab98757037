// This file determines which instructions can overwrite their operands.

package analysis

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// InPlace reports whether op may overwrite its sources. Two conditions must hold. The
// instruction computes each element of its result only from the source elements with the
// same index. No target requires different tiles for sources and result.
func InPlace(op *ir.Op) bool {
	kind, ok := op.Def().Sem.(sem.InPlace)
	return ok && kind.InPlace() && !slices.ContainsFunc(pto.InfoOf(op.Def()).Rules, func(r pto.Rule) bool {
		a, apart := r.(pto.Apart)
		return apart && (a.When == nil || a.When(op))
	})
}
