// This file decides which operations order pipes.

package sem

import "ptogo/ir"

// OrdersPipes reports whether an operation orders pipes of one core: a flag, a barrier or
// a buffer token.
func OrdersPipes(op *ir.Op) bool {
	switch op.Def().Sem.(type) {
	case SetFlag, WaitFlag, Barrier, BufAcquire, BufRelease:
		return true
	}
	return false
}
