// This file determines which instructions can overwrite their operands.

package analysis

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// InPlace reports whether an instruction computes each element of its result
// from the elements at the same place, and on no profile needs different tiles,
// so that it may overwrite what it reads.
func InPlace(op *ir.Op) bool {
	kind, ok := op.Def().Sem.(sem.InPlace)
	return ok && kind.InPlace() && !slices.ContainsFunc(pto.InfoOf(op.Def()).Rules, func(r pto.Rule) bool {
		a, apart := r.(pto.Apart)
		return apart && (a.When == nil || a.When(op))
	})
}
