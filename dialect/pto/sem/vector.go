// This file defines the kinds of vector instructions.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Kinds of meaning of vector instructions. A register holds 256 bytes; its lanes are
// elements of its element type, in memory order. Lanes that the mask does not select
// become zero, unless a kind defines otherwise.
//
// A mask has 256 bits, one per byte of a register. Lane i of a mask for lanes of n bits
// is bit i*n/8. An instruction that creates a mask sets only those bits, and an
// instruction that reads a mask ignores the others.
type (
	// VecMap computes every selected lane from the lanes of the inputs with the same
	// number. A scalar is truncated or extended to the width of a lane and used for every
	// lane. Args names the operands in the order of Fn's parameters. If it is empty, they
	// are the operands in textual order except for the mask.
	VecMap struct {
		Fn   *scalar.Fn
		Args [3]string
	}

	// VecCarry adds or subtracts with a carry out; CarryIn means that it also has a carry
	// in. For a subtraction (Sub), a set carry means that there was no borrow.
	VecCarry struct {
		Sub     bool
		CarryIn bool
	}

	// VecExtended computes two results, Low and High, of the same operands. Together they
	// hold a result that needs more bits than a lane has.
	VecExtended struct{ Low, High *scalar.Fn }

	// VecCompare sets a bit of the result mask in each lane in which the comparison of
	// attribute cmp_mode holds. It compares the first operand with the second, a register
	// or a scalar. Bits of lanes that the operand mask does not select are clear.
	VecCompare struct{}

	// VecSelect selects each lane from src0 where the mask is set, and from src1
	// elsewhere.
	VecSelect struct{}

	// VecConvert converts lanes to another type. LaneRounding and PartOf decode its
	// attributes. Pre, if set, is first applied to all operands except the mask, in the
	// format of the input.
	VecConvert struct{ Pre *scalar.Fn }

	// VecWiden applies Fn to operands that are first converted, exactly, to the wider
	// format of the result. PartOf decodes which lanes are used.
	VecWiden struct{ Fn *scalar.Fn }

	// VecRound rounds each lane to an integral value of the same format, in
	// the direction of attribute round_mode.
	VecRound struct{}

	// VecBroadcast sets all lanes to a scalar, or to one lane of a register: the first
	// (position LOWEST, the default) or the last (HIGHEST). Lanes that a mask does not
	// select become zero.
	VecBroadcast struct{}

	// VecIndex sets lane i to base + i, or to base - i if attribute order is DESC.
	VecIndex struct{}

	// VecReduce combines the selected lanes with Op. Other lanes count as the neutral
	// value of Op. Into determines where the result is written.
	VecReduce struct {
		Op   ReduceOp
		Into Placement
	}

	// VecHistogram counts bytes into 128 bins. Cumulative counts a byte in its
	// own bin and in every later one.
	VecHistogram struct{ Cumulative bool }

	// VecRearrange moves lanes to other positions, independent of their contents.
	VecRearrange struct{ Kind Rearrangement }

	// VecLoad reads one or two registers from the unified buffer. VectorAccessOf decodes
	// its operands, and DistOf how memory elements map to lanes.
	VecLoad struct{}

	// VecStore writes one or two registers to the unified buffer. VectorAccessOf decodes
	// its operands, and DistOf how lanes map to memory elements.
	VecStore struct{}

	// VecBlocks reads a register as eight blocks of 32 bytes that are block_stride blocks
	// apart in memory. If Store is set, it writes them.
	VecBlocks struct{ Store bool }

	// VecGather reads lane i from address source + offsets[i]. Unit determines whether
	// each offset counts elements and selects one element, or counts bytes and selects a
	// block of 32 bytes.
	VecGather struct{ Unit GatherUnit }

	// VecScatter writes lane i to destination + offsets[i], where offsets count elements.
	// For 8-bit lanes, offset i belongs to lane 2*i.
	VecScatter struct{}

	// AlignInit returns the initial state of unaligned accesses, which buffers bytes of a
	// partly accessed block of 32 bytes. For a store, the state is empty. For a load
	// (Load), it holds the 32 bytes around source.
	AlignInit struct{ Load bool }
	// AlignLoad reads a register from any address, aligned or not. AlignAccessOf decodes
	// its operands.
	AlignLoad struct{}
	// AlignStore appends lanes of value to the stream of bytes that an unaligned store
	// writes. Bytes that do not fill a block of 32 bytes remain in the state. Count
	// determines the number of lanes.
	AlignStore struct{ Count StoreCount }
	// AlignFlush writes the bytes that remain in the state of an unaligned store. The
	// stream then ends at destination + offset elements, or at destination plus the
	// special register AR.
	AlignFlush struct{}

	// StreamEnd reads or clears the special register AR, which counts the bytes of
	// unaligned stores.
	StreamEnd struct {
		// Store means that AR is written as 32 bits to destination + offset, where offset
		// is in units of Scale bytes. Otherwise, AR is set to zero.
		Store bool
		Scale int
	}

	// VecSort sorts or merges records, pairs of a score and an index, in the unified
	// buffer.
	VecSort struct{ Act SortAct }
	// TransposeBlock swaps the rows and columns of a block of 16x16 elements.
	TransposeBlock struct{}
)

// ReduceOp is the function with which a reduction combines lanes.
type ReduceOp uint8

// The functions with which a reduction combines the lanes of a register.
const (
	ReduceSum ReduceOp = iota
	ReduceMax
	ReduceMin
)

// Placement determines the lanes to which a reduction writes its results. All other lanes
// become zero.
type Placement uint8

// The lanes to which a reduction can write its results.
const (
	// IntoFirst writes the result to lane 0.
	IntoFirst Placement = iota
	// IntoIndexed writes the result to lane 0. It writes the number of the first lane
	// with this value, as integer bits, to lane 1.
	IntoIndexed
	// IntoMasked writes the result to lane 0, and returns the mask of all selected
	// lanes that equal it.
	IntoMasked
	// PerBlock reduces each block of 32 bytes separately and writes the eight results to
	// lanes 0 to 7.
	PerBlock
	// PerPair combines each pair of adjacent lanes and writes the results to the lower
	// half of the register.
	PerPair
)

// Rearrangement is a way to move the lanes of a register. In the constants, N is the
// number of lanes.
type Rearrangement uint8

// The ways to move lanes of registers. The comments state which of them exist for masks
// as well.
const (
	// Interleave alternates the lanes of lhs and rhs. The result low is lhs[0], rhs[0],
	// lhs[1], rhs[1] and so on; the result high continues with the upper halves of both
	// operands. Masks can be interleaved in the same way. If the instruction has only one
	// result, attribute part selects low or high.
	Interleave Rearrangement = iota
	// Deinterleave separates lanes. The result low has the even lanes of lhs followed by
	// those of rhs, and the result high has the odd ones. Masks can be separated in the
	// same way.
	Deinterleave
	// Compact moves the selected lanes to the lowest positions and fills the other lanes
	// with zeros. It also records the size in bytes of the selected lanes for unaligned
	// stores.
	Compact
	// CountBefore sets lane i to the number of selected lanes before i.
	CountBefore
	// Narrow truncates lanes to half their width. Attribute part selects the half of the
	// result that receives them; the other half becomes zero. For a mask, it selects
	// every second bit.
	Narrow
	// WidenSigned sign-extends the lanes of one half (operand part: 0 lower, 1 upper) to
	// twice their width.
	WidenSigned
	// WidenZero zero-extends the lanes of one half to twice their width. For a mask, it
	// spreads the bits of the half that attribute part selects, with zeros in between.
	WidenZero
	// Permute sets lane i to lane index[i] of the source, modulo N.
	Permute
	// Window concatenates src1 and src0 and selects N lanes, starting at lane amt.
	Window
	// ShiftLanes moves lanes by amt: lane i of the result is lane i + amt of the source,
	// or zero if that lane does not exist.
	ShiftLanes
	// Reinterpret changes the type and leaves the bits unchanged. It also exists for
	// masks.
	Reinterpret
)

// Inputs returns the operands of op to which the instruction applies the function m.Fn,
// in the order of the parameters of this function.
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

// GatherUnit is the unit of memory that each offset of a gather selects: an element or a
// block.
type GatherUnit uint8

// The units in which the offsets of a gather count: bytes or elements of a certain size.
const (
	// GatherElements reads one element per offset; offsets count elements. Bytes are
	// zero-extended to lanes of 16 bits.
	GatherElements GatherUnit = iota
	// GatherBlocks reads one block of 32 bytes per offset; offsets count bytes, and the
	// mask selects blocks.
	GatherBlocks
)

// StoreCount determines how many lanes an unaligned store appends to its stream of bytes.
type StoreCount uint8

// The ways in which an instruction determines the number of lanes that an unaligned store
// appends.
const (
	// ByOffset means that the operand offset holds the number of lanes.
	ByOffset StoreCount = iota
	// ByCompact means the number of bytes that the last Compact instruction recorded. The
	// stream starts at base plus the special register AR, and attribute mode determines
	// whether AR advances.
	ByCompact
	// WholeMask appends all lanes of a mask, one bit per lane, and advances base by their
	// size.
	WholeMask
)
