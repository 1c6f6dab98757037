// This file determines which cores the signals of a program reach.

package analysis

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Signals determines which cores the signals of a program reach. oneToOne reports that a
// signal reaches a single vector core.
//
// On A5, there are two descriptions of sync.set and sync.wait without a mode. In the
// first one, each vector core has separate signal numbers: those of the first core start
// at 0, and those of the second core start at 16 (vpto-spec, "Core Cluster"). Public
// kernels agree with it. In the second description, one number reaches both vector cores.
// The output of the current public compiler agrees with it. A program that uses a number
// of 16 or more follows the first description.
type Signals struct{ oneToOne bool }

// FindSignals examines all signals of the program that contains op and determines which
// cores they reach on target t.
func FindSignals(op *ir.Op, t ir.Target) Signals {
	if t != sem.A5 {
		return Signals{}
	}
	for o := range op.Root().Walk() {
		if s := sem.SignalOf(o); s.Ok && s.Reach == sem.ReachByMode && !s.Given() && s.Constant >= sem.Signals {
			return Signals{oneToOne: true}
		}
	}
	return Signals{}
}

// Reach returns which cores the signal of op reaches. The instruction or its attribute
// may determine this. If it does not (ReachByMode), the result depends on the program.
// FindSignals has searched the program for signal numbers that only exist if each vector
// core has signals of its own. If it has found one, the signal reaches a single vector
// core (ReachPeer); otherwise, it reaches all cores of the block.
func (s Signals) Reach(op *ir.Op) sem.Reach {
	switch reach := sem.SignalOf(op).Reach; {
	case reach != sem.ReachByMode:
		return reach
	case s.oneToOne:
		return sem.ReachPeer
	}
	return sem.ReachBlock
}
