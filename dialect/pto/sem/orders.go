// This file decides which operations order pipes.

package sem

import "ptogo/ir"

// OrdersPipes reports whether op synchronizes pipes (hardware queues of instructions) of
// one core: it sets or awaits a flag, is a barrier, or acquires or releases a buffer
// token.
func OrdersPipes(op *ir.Op) bool {
	switch op.Def().Sem.(type) {
	case SetFlag, WaitFlag, Barrier, BufAcquire, BufRelease:
		return true
	}
	return false
}
