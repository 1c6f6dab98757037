// This file defines the kinds of vector instructions.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// The kinds of meaning of vector instructions. A register holds 256 bytes; its lanes are
// elements of its element type, in memory order. Unless a kind defines otherwise, lanes
// that the mask does not select become zero.
//
// A mask is an image of 256 bits, one per byte of a register. Lane i of a mask for lanes
// of n bits is bit i*n/8. An instruction that creates a mask sets only those bits, and an
// instruction that reads a mask ignores the others.
type (
	// VecMap computes every selected lane from the lanes of the inputs at the same index.
	// A scalar is equivalent to a register of equal lanes; it is truncated or extended to
	// the width of lanes. Args names the operands in the order of Fn's parameters.
	// Without Args, they are the operands in textual order except for the mask.
	VecMap struct {
		Fn   *scalar.Fn
		Args [3]string
	}

	// VecCarry adds or subtracts with a carry out; for Sub a carry means that
	// there was no borrow.
	VecCarry struct {
		Sub     bool
		CarryIn bool
	}

	// VecExtended computes two results that together hold more than one lane
	// can: Low and High of the same operands.
	VecExtended struct{ Low, High *scalar.Fn }

	// VecCompare sets a bit of the result mask in each lane that the operand
	// mask selects and in which the relation of attribute cmp_mode holds
	// between the first operand and the second, a register or a scalar.
	VecCompare struct{}

	// VecSelect takes each lane from src0 where the mask is set, else from src1.
	VecSelect struct{}

	// VecConvert converts lanes (LaneRounding, PartOf). Pre, if there is one, is
	// first applied to all operands but the mask, in the format of the input.
	VecConvert struct{ Pre *scalar.Fn }

	// VecWiden applies Fn to the operands after exact conversion to the format
	// of the result (PartOf).
	VecWiden struct{ Fn *scalar.Fn }

	// VecRound rounds each lane to an integral value of the same format, in
	// the direction of attribute round_mode.
	VecRound struct{}

	// VecBroadcast sets all lanes to a scalar; or, for a register, to its
	// first lane (position LOWEST, the default) or last (HIGHEST). With a mask
	// other lanes become zero.
	VecBroadcast struct{}

	// VecIndex sets lane i to base + i, or base - i for order DESC.
	VecIndex struct{}

	// VecReduce combines the selected lanes. Others count as the neutral value
	// of Op.
	VecReduce struct {
		Op   ReduceOp
		Into Placement
	}

	// VecHistogram counts bytes into 128 bins. Cumulative counts a byte in its
	// own bin and in every later one.
	VecHistogram struct{ Cumulative bool }

	// VecRearrange moves lanes without looking at what they hold.
	VecRearrange struct{ Kind Rearrangement }

	// VecLoad reads one register, or two, from the unified buffer
	// (VectorAccessOf), in the way that DistOf gives.
	VecLoad struct{}

	// VecStore writes one register, or two, as VecLoad reads them.
	VecStore struct{}

	// VecBlocks reads (or, for Store, writes) the eight blocks of 32 bytes of a
	// register, block_stride apart.
	VecBlocks struct{ Store bool }

	// VecGather reads lane i at source + offsets[i].
	VecGather struct{ Unit GatherUnit }

	// VecScatter writes lane i to destination + offsets[i] elements. For lanes
	// of 8 bits offset i belongs to lane 2*i.
	VecScatter struct{}

	// AlignInit makes the state of unaligned accesses: the empty one of a store,
	// or the one of a load, which holds the 32 bytes around source.
	AlignInit struct{ Load bool }
	// AlignLoad reads a register at any address (AlignAccessOf).
	AlignLoad struct{}
	// AlignStore appends to the stream of bytes that an unaligned store
	// writes: the first Count lanes of value, kept in the state as far as they
	// do not fill 32 bytes.
	AlignStore struct{ Count StoreCount }
	// AlignFlush writes what the state still holds, so that the stream ends at
	// destination + offset elements, or at destination + the special register.
	AlignFlush struct{}

	// StreamEnd works on the special register AR, which counts the bytes of
	// unaligned stores.
	StreamEnd struct {
		// Store writes AR as 32 bits to destination + offset, in units of Scale
		// bytes; else it becomes zero.
		Store bool
		Scale int
	}

	// VecSort sorts or merges records in the unified buffer.
	VecSort struct{ Act SortAct }
	// TransposeBlock swaps the rows and columns of a block of 16x16 elements.
	TransposeBlock struct{}
)

// ReduceOp is how a reduction combines lanes.
type ReduceOp uint8

// The functions that combine lanes.
const (
	ReduceSum ReduceOp = iota
	ReduceMax
	ReduceMin
)

// Placement is where a reduction writes its results. All other lanes become zero.
type Placement uint8

// These are the placements of the results of a reduction.
const (
	// IntoFirst writes the result to lane 0.
	IntoFirst Placement = iota
	// IntoIndexed puts the result into lane 0 and the number of the first lane
	// that has it, as integer bits, into lane 1.
	IntoIndexed
	// IntoMasked writes the result to lane 0, and returns the mask of all selected
	// lanes that equal it.
	IntoMasked
	// PerBlock reduces each 32 bytes by themselves, with the eight results in
	// lanes 0 to 7.
	PerBlock
	// PerPair reduces neighbours, with the results in the lower half.
	PerPair
)

// Rearrangement is a way to move lanes. N is their number.
type Rearrangement uint8

// The rearrangements of registers, and of masks where noted.
const (
	// Interleave: low is lhs[0], rhs[0], lhs[1], ...; high continues with the upper
	// halves. It also exists for masks. With one result, attribute part selects it.
	Interleave Rearrangement = iota
	// Deinterleave: low has the even lanes of lhs followed by those of rhs, and high the
	// odd ones. It also exists for masks.
	Deinterleave
	// Compact moves the selected lanes to the front and appends zeros. It also records
	// their size in bytes for unaligned stores.
	Compact
	// CountBefore sets lane i to the number of selected lanes before i.
	CountBefore
	// Narrow truncates lanes to half their width. Attribute part selects the half of the
	// result that receives them; the other half is zero. For a mask, it selects every
	// second bit of the image.
	Narrow
	// WidenSigned sign-extends the lanes of one half (operand part: 0 lower, 1 upper) to
	// twice their width.
	WidenSigned
	// WidenZero zero-extends them. For a mask, it spreads the bits of the half that
	// attribute part selects, with zeros in between.
	WidenZero
	// Permute sets lane i to lane index[i] of the source, modulo N.
	Permute
	// Window concatenates src1 and src0 and selects N lanes, starting at lane amt.
	Window
	// ShiftLanes is Window of the source and a register of zeros: lane i is
	// lane i + amt.
	ShiftLanes
	// Reinterpret leaves the bits as they are. Also of masks.
	Reinterpret
)

// Inputs returns the operands of Fn in its order.
func (m VecMap) Inputs(op *ir.Op) []*ir.Value {
	var vs []*ir.Value
	if m.Args[0] == "" {
		for i, a := range op.Form().Operands {
			if from, to := op.ArgRange(i); a.Name != "mask" && from < to {
				vs = append(vs, op.Operand(from))
			}
		}
		return vs
	}
	for _, name := range m.Args {
		if name != "" {
			vs = append(vs, op.Arg(name))
		}
	}
	return vs
}

// GatherUnit is the unit that a gather reads.
type GatherUnit uint8

// The units.
const (
	// GatherElements reads source elements; offsets count elements. Bytes are
	// zero-extended to lanes of 16 bits.
	GatherElements GatherUnit = iota
	// GatherBlocks reads blocks of 32 bytes; offsets count bytes, and the mask selects
	// blocks.
	GatherBlocks
)

// StoreCount is how an unaligned store determines the number of lanes that it appends.
type StoreCount uint8

// The sources of the number of lanes.
const (
	// ByOffset uses operand offset.
	ByOffset StoreCount = iota
	// ByCompact uses the number of bytes that the last Compact recorded. The stream
	// starts at base + AR, and attribute mode determines whether AR advances.
	ByCompact
	// WholeMask appends all lanes of a mask, one bit each, and advances base by their
	// size.
	WholeMask
)
