// This file defines the kinds of SIMT instructions.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// The kinds of meaning of simt instructions. A work item is one of the
// dimX*dimY*dimZ runs of a simt body. Numbered by x + dimX*(y + dimY*z), work
// items 32*w to 32*w+31 are the lanes 0 to 31 of a subgroup; instructions that
// combine lanes see those of their subgroup that execute them together.
type (
	// SimtLaunch runs the function of attribute callee once per work item, with
	// the operands args.
	SimtLaunch struct{}

	// SimtDims sets the dimensions for the calls of simt functions that follow.
	SimtDims struct{}

	// WorkItem returns a property of the work item or of its launch.
	WorkItem struct {
		What WorkItemProperty
		Axis int // 0, 1, 2 for x, y, z
	}

	// LaneMask gives the lanes that compare as asked with that of the work item.
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

// The properties of a work item. Block and grid follow the launch: a launch is
// one block, so block dimensions are those of the launch; grid dimensions are
// zero and so are block indices, as public golden data has them.
const (
	ThreadIdx WorkItemProperty = iota
	BlockDim
	GridDim
	GridBlockIdx
	VectorCore // the number of the vector core
	Lane       // the number in the subgroup
	Clock      // ticks of the core, cut to the width of the result
)

// VoteKind is the question of a vote among lanes.
type VoteKind uint8

// These are the kinds of votes.
const (
	VoteAll     VoteKind = iota // whether all lanes have the bit set
	VoteAny                     // whether any lane has the bit set
	VoteUniform                 // whether all lanes agree
	VoteBallot                  // the set of lanes with the bit
)

// ShuffleKind says which lane j of its group lane i reads, given operand x.
type ShuffleKind uint8

// The shuffles.
const (
	ShuffleIdx  ShuffleKind = iota // j is x
	ShuffleUp                      // j is i - x
	ShuffleDown                    // j is i + x
	ShuffleXor                     // j is i ^ x
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

// ConversionOf returns what a SimtConvert operation does to one element:
// rounding and saturation follow the attributes of those names, signedness
// says how integers are read on either side.
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
