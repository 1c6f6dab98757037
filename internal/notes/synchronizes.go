// This file finds synchronization in kernels.

package notes

import (
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Synchronizes reports whether the kernels, or functions that they call, contain at least
// one instruction that sets a flag or acquires a buffer token.
func Synchronizes(kernels []*ir.Op) bool {
	for _, f := range analysis.Reached(kernels) {
		for op := range f.Walk() {
			switch op.Def().Sem.(type) {
			case sem.SetFlag, sem.BufAcquire:
				return true
			}
		}
	}
	return false
}
