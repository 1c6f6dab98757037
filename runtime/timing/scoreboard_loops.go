// This file predicts when the instructions of loops in a vector function of A5 enter the
// window of the core.

package timing

import "ptogo/runtime"

// dispatcher computes when an iteration of a loop can start. The public simulator
// (pto-isa include/pto/costmodel/a5/VfSim) has the same limits in its file uarch.csv, but
// counts them from other events. The value of loopRestart was fitted to two thirds of
// the rows that tools/timingcheck calls "expanded a5".
type dispatcher struct {
	// depth is the number of loops that contain the vector function.
	depth int
	// inner is the current iteration of the innermost loop, and outer the current iteration
	// of the outermost one. Both started at the times innerAt and outerAt.
	inner, outer     runtime.Round
	innerAt, outerAt float64
	// last is the time at which the last instruction entered the window.
	last float64
}

// Constants of loops in cycles.
const (
	// iterationStride is the minimum number of cycles from an iteration of the innermost
	// loop to the next.
	iterationStride = 1
	// loopRestart is the minimum number of cycles from the last instruction of an inner
	// loop to the first one of its next execution.
	loopRestart = 6
	// loopPeriod is the minimum number of cycles between two executions of an inner loop.
	loopPeriod = 7
)

// enter returns the time at which an instruction enters the window. Without loops, this
// would be the time at. rounds are the current iterations of all loops that contain the
// instruction.
func (d *dispatcher) enter(rounds []runtime.Round, at float64) float64 {
	rounds, at = rounds[d.depth:], max(at, d.last) // in order
	if len(rounds) == 0 {
		return at
	}
	outer, inner := rounds[0], rounds[len(rounds)-1]
	switch {
	case len(rounds) > 1 && outer != d.outer:
		if outer.Loop == d.outer.Loop {
			at = max(at, d.last+loopRestart, d.outerAt+loopPeriod)
		}
		d.outer, d.outerAt = outer, at
		d.inner, d.innerAt = inner, at
	case inner != d.inner:
		if inner.Loop == d.inner.Loop {
			at = max(at, d.innerAt+iterationStride)
		}
		d.inner, d.innerAt = inner, at
	}
	d.last = at
	return at
}
