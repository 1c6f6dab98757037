// This file determines which programs use atomic stores.

package simt

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Combining reports whether a program has operations that combine with what is
// in global memory. What one block makes of it then depends on the blocks
// before, so they should run in their order, although each may run at any time.
func Combining(program *ir.Op) bool {
	for op := range program.Walk() {
		if combines(op) {
			return true
		}
	}
	return false
}

// combines reports whether op combines with what is in global memory, or makes
// stores do so.
func combines(op *ir.Op) bool {
	switch op.Def().Sem.(type) {
	case sem.StoreAtomic, sem.AtomicChange:
		return true
	}
	for a := range op.OwnAttrs() {
		switch a.Name {
		case "atomicType", "scatterAtomicOp", "atomic_op", "notifyOp":
			switch a.Attr.Keyword() {
			case "atomic_none", "none", "set":
			default:
				return true
			}
		}
	}
	return false
}
