// This file determines which instructions can overwrite their operands.

package analysis

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// InPlace reports whether op may overwrite its sources. This is the case if it computes
// each element of its result only from the source elements with the same index, and no
// target requires different tiles.
func InPlace(op *ir.Op) bool {
	kind, ok := op.Def().Sem.(sem.InPlace)
	return ok && kind.InPlace() && !slices.ContainsFunc(pto.InfoOf(op.Def()).Rules, func(r pto.Rule) bool {
		a, apart := r.(pto.Apart)
		return apart && (a.When == nil || a.When(op))
	})
}
