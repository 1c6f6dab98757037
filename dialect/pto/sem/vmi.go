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
	// LaneCompare sets the bit of each selected lane in which a relation holds
	// between the first operand and the second, a vector or a scalar. Attr
	// names the attribute with the relation: eq, ne, lt, le, gt, ge, of
	// integers with s for signed or u for unsigned in front. Of floats, o in
	// front, or nothing, makes a relation false where a lane is NaN, but for
	// ne, which is true; u makes it true; ord and uno say whether neither lane
	// or any is NaN.
	LaneCompare struct{ Attr string }

	// LaneConvert converts each lane to the type of the result. Attribute
	// rounding names the rounding: R to nearest even (the default), A to
	// nearest with ties away from zero (the default for hif8), H to nearest
	// with ties up, Z toward zero, F down, C up. Attribute saturate says
	// whether what does not fit becomes the nearest value that does (SAT);
	// with NOSAT integers are cut to the lower bits, and floats become
	// infinite, or NaN where there is no infinity. Lanes of two floats are
	// converted float by float.
	LaneConvert struct{}

	// GroupReduce combines the selected lanes of each group: the source is cut
	// into as many groups of neighbouring lanes as the result has lanes. Lanes
	// that are not selected count as the neutral value of Op, which is also
	// the result of a group without a selected lane. Floats are added in the
	// order of lanes, or, with attribute reassoc, in any.
	GroupReduce struct{ Op ReduceOp }

	// GroupBroadcast sets lane i to lane i*n/L of a source with n lanes, where
	// L is the number of lanes of the result. A scalar is a source of one lane.
	GroupBroadcast struct{}

	// GroupIndex cuts the result into as many groups as attribute group says,
	// one without it, and sets lane j of each group to base + j, or base - j
	// for order DESC.
	GroupIndex struct{}

	// PrefixMask cuts the result into as many groups as attribute group or
	// num_groups says, one without either, and selects the first n lanes of
	// each group. The operand gives n as a signed number; without an operand,
	// attribute pattern does: PAT_VL16 is 16, PAT_ALL all.
	PrefixMask struct{}

	// LaneHistogram gives acc with the counts of the selected bytes of source
	// added: bin b counts the bytes with the value b, in 16 bits that wrap.
	// Bytes without a bin are not counted. Cumulative counts a byte in its own
	// bin and in every later one.
	LaneHistogram struct{ Cumulative bool }

	// PermuteBy sets lane i to the lane of source that entry i of attribute
	// indices names.
	PermuteBy struct{}

	// LaneChannels deals lane i of source out to lane i/n of result i%n, where n is
	// the number of results; or, for Merge, sets lane i of the result to lane
	// i/n of operand i%n.
	LaneChannels struct{ Merge bool }

	// Relayout gives the lanes of source.
	Relayout struct{}

	// Parts gives the registers that hold a value, or, for Pack, the value that
	// registers hold: VMIPlace tells where lanes lie. Other lanes of registers
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
