// This file defines the kinds of SIMT instructions.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Kinds of meaning of SIMT code. A work item is one of the dimX*dimY*dimZ executions of a
// SIMT body.
//
// The work item (x, y, z) has the number x + dimX*(y + dimY*z). Work items 32*w to
// 32*w+31 are the lanes 0 to 31 of a subgroup. Instructions that combine lanes include
// only the lanes of the subgroup that execute the instruction together.
type (
	// SimtLaunch runs the function of attribute callee once per work item, with the
	// arguments args.
	SimtLaunch struct{}

	// SimtDims sets the dimensions (numbers of work items along x, y and z) of later
	// launches of SIMT functions.
	SimtDims struct{}

	// WorkItem returns a property of the executing work item or of its launch. Axis
	// selects the dimension: 0, 1 or 2 for x, y or z.
	WorkItem struct {
		What WorkItemProperty
		// Axis is the dimension of the property: 0, 1 or 2 for x, y or z.
		Axis int
	}

	// LaneMask returns the set of lanes whose number is below, equal to or above that of
	// the work item.
	LaneMask struct{ Below, Same, Above bool }

	// Vote combines one bit per lane of a subgroup, which is 32 consecutive work items.
	Vote struct{ Kind VoteKind }

	// LaneShuffle returns the value that another lane of the subgroup holds. A subgroup
	// is divided into groups of equal size, and both lanes belong to the same group.
	LaneShuffle struct{ Kind ShuffleKind }

	// LaneReduce combines the values of all lanes of a subgroup with a function. Every
	// lane receives the result.
	LaneReduce struct{ SignedFn }

	// AtomicChange atomically replaces the element at operand ptr and returns its old
	// value. For AtomicUpdate, SignedFn combines the old element with operand value.
	AtomicChange struct {
		Act AtomicAct
		// SignedFn combines *ptr and value, for AtomicUpdate.
		SignedFn
	}

	// SignedMap applies a function, whose integers are signed or unsigned, to every
	// element of its operands.
	SignedMap struct{ SignedFn }

	// WideProduct returns the product of two i32 as an i64.
	WideProduct struct{}

	// PermuteBytes returns an i32 whose bytes a selector chooses from two i32.
	PermuteBytes struct{}

	// SimtConvert converts every element of src; see ConversionOf.
	SimtConvert struct{}

	// SyncThreads waits until all work items of the launch have reached it. Memory that
	// they wrote before is then visible to all of them.
	SyncThreads struct{}

	// ThreadFence orders the memory writes of a work item: another work item that sees a
	// write after the fence also sees all writes before the fence. If Block is set, this
	// holds only for work items of the same launch.
	ThreadFence struct{ Block bool }

	// KeptState stores a value of a work item for later launches of the same kernel or,
	// if Resume is set, returns the stored value.
	KeptState struct{ Resume bool }
)

// WorkItemProperty names a property of a work item, or of the launch of the work item. A
// work item is one execution of a SIMT body.
type WorkItemProperty uint8

// The properties of a work item that an instruction can read. A launch consists of one
// block. The block dimensions are therefore the dimensions of the launch, and the block
// index is zero. The grid dimensions are zero as well: public golden data (inputs with
// published results) contain this value.
const (
	ThreadIdx WorkItemProperty = iota
	BlockDim
	GridDim
	GridBlockIdx
	// VectorCore is the number of the vector core that executes the work item.
	VectorCore
	// Lane is the number of the work item in its subgroup.
	Lane
	// Clock is the cycle counter of the core, truncated to the width of the result.
	Clock
)

// VoteKind is the function with which a Vote combines one bit per lane.
type VoteKind uint8

// The functions with which a Vote combines one bit per lane of a subgroup.
const (
	// VoteAll returns whether the bit is set in all lanes.
	VoteAll VoteKind = iota
	// VoteAny returns whether the bit is set in any lane.
	VoteAny
	// VoteUniform returns whether all lanes have the same bit.
	VoteUniform
	// VoteBallot returns the set of lanes whose bit is set, as a 32-bit number.
	VoteBallot
)

// ShuffleKind determines from which lane of its group a lane reads. In the comments of
// the constants, i is the number of the reading lane and x is the operand.
type ShuffleKind uint8

// The shuffles: lane i reads the value of another lane of its group, whose number is
// computed from operand x.
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

// SignedFn is a pair of functions. The attribute signedness of an operation selects one
// of them. Operations on floats do not have this attribute and use Signed.
type SignedFn struct{ Signed, Unsigned *scalar.Fn }

// For returns the function that op applies: Unsigned if its attribute signedness is
// unsigned, otherwise Signed.
func (s SignedFn) For(op *ir.Op) *scalar.Fn {
	if Unsigned(op) {
		return s.Unsigned
	}
	return s.Signed
}

// simtRoundings are the rounding modes of attribute rounding, indexed by the number of
// its enum case.
var simtRoundings = []num.Rounding{
	num.NearestEven, num.NearestAway, num.Floor, num.Ceil, num.Zero, num.Odd, num.HalfUp,
}

// ConversionOf returns how an instruction of kind SimtConvert converts one element. The
// attribute rounding selects the rounding mode. The attribute saturation selects how
// values out of range are treated. The attribute signedness selects how integers are
// interpreted in the source and in the result.
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
