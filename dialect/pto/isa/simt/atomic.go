// This file determines which programs use atomic stores.

package simt

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Combining reports whether a program has operations that combine values with the
// contents of global memory. The results of a block then depend on the preceding blocks,
// so blocks should run in order for deterministic results, although any order is legal.
func Combining(program *ir.Op) bool {
	for op := range program.Walk() {
		if combines(op) {
			return true
		}
	}
	return false
}

// combines reports whether op combines a value with the old contents of global memory
// instead of replacing them, for example by an atomic addition. It also returns true for
// an instruction that makes later stores combine in this way.
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
