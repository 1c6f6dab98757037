// This file defines the kinds of VMI instructions.

package sem

// The kinds of meaning of vmi instructions, beside those of vectors and of
// scalars (VecMap, VecCarry, VecExtended, VecWiden, VecRearrange, MaskTail,
// scalar.Choice, scalar.Literal), which mean the same here with these rules:
//
//   - A vector has as many lanes as its type says, a mask one bit per lane.
//     Layouts never change what a lane holds.
//   - Without a mask every lane is selected. The mask is the operand mask, or
//     seed of a comparison.
//   - Lanes of a result that are not selected are those of the operand
//     passthru if there is one. Else they are zero, or, where attribute pmode
//     is merge, those of the first vector operand of the type of the result;
//     they are zero where there is no such operand. Choice has no lanes that
//     are not selected.
//   - Signless integers are unsigned, but to VecExtended, where they are signed.
//   - The bitwise functions work on masks as on lanes of one bit.
//   - VecWiden takes all lanes of its operands; there is no attribute part.
//   - A vmi vector or mask to MaskTail has as many lanes as its type says.
type (
	// LaneCompare makes a mask by a relation. Attr names the attribute with it.
	LaneCompare struct{ Attr string }

	// LaneConvert converts each lane to the type of the result.
	LaneConvert struct{}

	// GroupReduce combines the selected lanes of each group; others count as the
	// neutral value of Op.
	GroupReduce struct{ Op ReduceOp }

	// GroupBroadcast sets lane i to lane i*n/L of a source with n lanes, where
	// L is the number of lanes of the result. A scalar is a source of one lane.
	GroupBroadcast struct{}

	// GroupIndex numbers the lanes of each group from base on (GroupsOf).
	GroupIndex struct{}

	// PrefixMask selects the first lanes of each group (GroupsOf).
	PrefixMask struct{}

	// LaneHistogram counts bytes into 256 bins. Cumulative counts a byte in its
	// own bin and in every later one.
	LaneHistogram struct{ Cumulative bool }

	// PermuteBy sets lane i to the lane of source that entry i of attribute
	// indices names.
	PermuteBy struct{}

	// LaneChannels deals lanes out to n results, or, for Merge, takes them from
	// n operands in turn.
	LaneChannels struct{ Merge bool }

	// Relayout returns the lanes of source in another layout.
	Relayout struct{}

	// Parts gives the registers that hold a value, or, for Pack, the value that
	// registers hold: VMIPlace reports where lanes lie. Other lanes of registers
	// are zero.
	Parts struct{ Pack bool }

	// LaneLoad reads vectors from the unified buffer. The base is source +
	// offset elements.
	LaneLoad struct{ Way Way }

	// LaneStore writes the selected lanes of vectors. The base is destination +
	// offset elements. A lane that is wider than an element of the destination
	// is cut to its lower bits.
	LaneStore struct{ Way Way }

	// LaneGather reads selected lane i at source + offsets[i] elements, or
	// bytes, where offsets may be called indices. Lanes without an offset are
	// zero.
	LaneGather struct{ Bytes bool }

	// LaneScatter writes selected lane i at destination + offsets[i] elements,
	// where offsets may be called indices. Of equal offsets the last wins.
	LaneScatter struct{}
)
