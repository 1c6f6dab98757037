// This file defines the kinds of VMI instructions.

package sem

// Kinds of meaning of vmi instructions, which process vectors of any length. vmi
// instructions also use kinds that vector and scalar instructions have: VecMap, VecCarry,
// VecExtended, VecWiden, VecRearrange, MaskTail, scalar.Choice and scalar.Literal. For a
// vmi instruction, all these kinds have the following rules:
//
//   - The type of a vector states how many lanes it has. A mask has one bit per lane. A
//     layout never changes the contents of a lane.
//   - The operand with the name mask selects the lanes that an instruction processes. In
//     a comparison, this operand has the name seed. An instruction without such an
//     operand processes every lane.
//   - Lanes of a result that the mask does not select are copied from the operand
//     passthru, if the instruction has it. Without this operand, attribute pmode
//     decides. If it is merge, these lanes are copied from the first vector operand with
//     the type of the result, if there is one. In all other cases, they are zero. An
//     instruction of kind Choice selects every lane of its result.
//   - Signless integers count as unsigned. In VecExtended, they count as signed.
//   - The bitwise functions process a mask like a vector with lanes of one bit.
//   - VecWiden uses all lanes of its operands. The attribute part, with which a vector
//     instruction selects some of them, does not exist.
//   - MaskTail processes as many lanes as the type of its result has.
type (
	// LaneCompare returns a mask that holds the results of comparing lanes. Attr is the
	// name of the attribute that selects the comparison.
	LaneCompare struct{ Attr string }

	// LaneConvert converts each lane to the type of the result.
	LaneConvert struct{}

	// GroupReduce combines the selected lanes of each group of adjacent lanes with Op.
	// Other lanes count as the neutral value of Op.
	GroupReduce struct{ Op ReduceOp }

	// GroupBroadcast sets lane i of the result to lane i*n/L of a source, where the
	// source has n lanes and the result L lanes. A scalar is a source with one lane.
	GroupBroadcast struct{}

	// GroupIndex numbers the lanes of each group consecutively, starting from the operand
	// base. GroupsOf returns the number of groups.
	GroupIndex struct{}

	// PrefixMask returns a mask that selects the first lanes of each group. GroupsOf
	// returns the number of groups.
	PrefixMask struct{}

	// LaneHistogram counts bytes into 256 bins. Cumulative counts a byte in its
	// own bin and in every later one.
	LaneHistogram struct{ Cumulative bool }

	// PermuteBy sets lane i of the result to the lane of source whose number is entry i
	// of attribute indices.
	PermuteBy struct{}

	// LaneChannels distributes the lanes of a vector cyclically over n results. If Merge
	// is set, it combines n operands into one vector in the same way.
	LaneChannels struct{ Merge bool }

	// Relayout returns the lanes of source in another layout.
	Relayout struct{}

	// Parts returns the registers that hold a vmi vector. If Pack is set, it returns the
	// vector that registers hold. VMIPlace returns the position of each lane; unused
	// lanes of the registers are zero.
	Parts struct{ Pack bool }

	// LaneLoad reads vectors from the unified buffer. The base address is source + offset
	// elements; Way determines which element belongs to which lane.
	LaneLoad struct{ Way Way }

	// LaneStore writes the selected lanes of vectors to the unified buffer. The base
	// address is destination + offset elements. Lanes that are wider than the elements of
	// the destination are truncated to their lower bits.
	LaneStore struct{ Way Way }

	// LaneGather reads selected lane i from source + offsets[i] elements, or bytes if
	// Bytes is set. The operand offsets may also be called indices. Lanes without an
	// offset become zero.
	LaneGather struct{ Bytes bool }

	// LaneScatter writes selected lane i to destination + offsets[i] elements. The
	// operand offsets may also be called indices. If offsets are equal, the last lane
	// wins.
	LaneScatter struct{}
)
