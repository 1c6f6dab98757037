// This file determines which cores the signals of a program reach.

package analysis

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Signals says whom the signals between the cores of a program reach.
//
// On A5, sync.set and sync.wait without a mode are described in two ways: one
// number for each vector core, from 0 and from 16 (vpto-spec, "Core Cluster"),
// as public kernels have them; and one number for both, as the public compiler
// of today writes them. A program that names a number from 16 is of the first
// kind.
type Signals struct{ oneToOne bool }

// FindSignals looks at the signals of the program around an operation.
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

// Reach returns whom the signal of an instruction reaches: never ReachByMode.
func (s Signals) Reach(op *ir.Op) sem.Reach {
	switch reach := sem.SignalOf(op).Reach; {
	case reach != sem.ReachByMode:
		return reach
	case s.oneToOne:
		return sem.ReachPeer
	}
	return sem.ReachBlock
}
