package passes

import "ptogo/ir"

// Clock predicts durations in cycles for passes that reorder or combine instructions.
// runtime/timing implements it. Package passes does not import the timing model, so the
// caller of Pipeline.Run provides the clock.
type Clock interface {
	// Cycles returns for how many cycles the instruction op occupies its pipe, and how many
	// cycles later its result arrives.
	Cycles(op *ir.Op) (busy, rest float64)
	// Delay returns the number of cycles from the issue of the vector instruction op to the
	// earliest issue of the instruction user, which uses a result of op.
	Delay(op, user *ir.Op) float64
}
