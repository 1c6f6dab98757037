// This file defines the kinds of SIMT instructions.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// The kinds of meaning of SIMT instructions. A work item is one of the dimX*dimY*dimZ
// executions of a SIMT body. Work items are numbered by x + dimX*(y + dimY*z). Work items
// 32*w to 32*w+31 are the lanes 0 to 31 of a subgroup. Instructions that combine lanes
// only include the lanes of the subgroup that execute them together.
type (
	// SimtLaunch runs the function of attribute callee once per work item, with
	// the operands args.
	SimtLaunch struct{}

	// SimtDims sets the dimensions for following calls of SIMT functions.
	SimtDims struct{}

	// WorkItem returns a property of the work item or of its launch.
	WorkItem struct {
		What WorkItemProperty
		Axis int // 0, 1, 2 for x, y, z
	}

	// LaneMask returns the set of lanes whose number is below, equal to or above that of
	// the work item.
	LaneMask struct{ Below, Same, Above bool }

	// Vote combines one bit per lane.
	Vote struct{ Kind VoteKind }

	// LaneShuffle returns the value that another lane of the group holds.
	LaneShuffle struct{ Kind ShuffleKind }

	// LaneReduce combines the values of all lanes, and returns the result in every
	// lane.
	LaneReduce struct{ SignedFn }

	// AtomicChange replaces *ptr and gives what was there. Nothing else happens to *ptr
	// between the read and the write.
	AtomicChange struct {
		Act AtomicAct
		// SignedFn combines *ptr and value, for AtomicUpdate.
		SignedFn
	}

	// SignedMap applies the function to every element of its operands.
	SignedMap struct{ SignedFn }

	// WideProduct returns the product of two i32 as an i64.
	WideProduct struct{}

	// PermuteBytes returns an i32 whose bytes a selector chooses from two i32.
	PermuteBytes struct{}

	// SimtConvert converts every element of src; see ConversionOf.
	SimtConvert struct{}

	// SyncThreads waits until all work items of the launch have come here, and
	// makes what they wrote before visible to all.
	SyncThreads struct{}

	// ThreadFence makes writes before it visible before writes after it; Block
	// says that only work items of the launch must see it so.
	ThreadFence struct{ Block bool }

	// KeptState is what work items hand to the next launches of the same kernel:
	// stored, or given back.
	KeptState struct{ Resume bool }
)

// WorkItemProperty names a property of a work item.
type WorkItemProperty uint8

// The properties of a work item. A launch consists of one block, so block dimensions are
// those of the launch. Grid dimensions and block indices are zero, as in public golden
// data.
const (
	ThreadIdx WorkItemProperty = iota
	BlockDim
	GridDim
	GridBlockIdx
	// VectorCore is the number of the vector core.
	VectorCore
	// Lane is the number of the work item in its subgroup.
	Lane
	// Clock is the cycle counter of the core, truncated to the width of the result.
	Clock
)

// VoteKind is the question of a vote among lanes.
type VoteKind uint8

// The kinds of votes.
const (
	// VoteAll returns whether the bit is set in all lanes.
	VoteAll VoteKind = iota
	// VoteAny returns whether the bit is set in any lane.
	VoteAny
	// VoteUniform returns whether all lanes have the same bit.
	VoteUniform
	// VoteBallot returns the set of lanes with the bit.
	VoteBallot
)

// ShuffleKind determines which lane j of its group lane i reads, for an operand x.
type ShuffleKind uint8

// The shuffles.
const (
	// ShuffleIdx reads lane x.
	ShuffleIdx ShuffleKind = iota
	// ShuffleUp reads lane i - x.
	ShuffleUp
	// ShuffleDown reads lane i + x.
	ShuffleDown
	// ShuffleXor reads lane i ^ x.
	ShuffleXor
)

// SignedFn is a function that depends on the attribute signedness. Floats do not have
// this attribute and use Signed.
type SignedFn struct{ Signed, Unsigned *scalar.Fn }

// For returns the function that op applies.
func (s SignedFn) For(op *ir.Op) *scalar.Fn {
	if Unsigned(op) {
		return s.Unsigned
	}
	return s.Signed
}

// simtRoundings are the modes of attribute rounding, in the order of its cases.
var simtRoundings = []num.Rounding{
	num.NearestEven, num.NearestAway, num.Floor, num.Ceil, num.Zero, num.Odd, num.HalfUp,
}

// ConversionOf returns the conversion of one element by a SimtConvert. The attributes
// rounding and saturation select these properties, and signedness how integers are
// interpreted on both sides.
func ConversionOf(op *ir.Op) scalar.Cast {
	sign := scalar.Signed
	if Unsigned(op) {
		sign = scalar.Unsigned
	}
	c := scalar.Cast{From: sign, To: sign, Sat: op.Attr("saturation").Keyword() == "sat"}
	if d, ok := ir.AttrAs[ir.EnumAttr](op.Attr("rounding")); ok && int(d.Value) < len(simtRoundings) {
		c.Rounding = simtRoundings[d.Value]
	}
	return c
}
