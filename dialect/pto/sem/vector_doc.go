// This file describes the meaning of vector instructions for the reference pages.

package sem

// What instructions on registers do, for readers of the reference.

// othersZero is the sentence of reference pages that describes lanes that the mask does
// not select.
const othersZero = " Other lanes become zero."

func (m VecCarry) Doc() string {
	text := "Lanes are unsigned numbers. "
	switch {
	case m.Sub && m.CarryIn:
		text += "result = lhs - rhs, less 1 where carry_in is not set, with the bits above the width cut off. carry is set in the selected lanes without a borrow."
	case m.Sub:
		text += "result = lhs - rhs, with the bits above the width cut off. carry is set in the selected lanes without a borrow, which are those with lhs >= rhs."
	case m.CarryIn:
		text += "result = lhs + rhs, and 1 more where carry_in is set, with the bits above the width cut off. carry is set in the selected lanes whose sum does not fit."
	default:
		text += "result = lhs + rhs, with the bits above the width cut off. carry is set in the selected lanes whose sum does not fit."
	}
	return text + othersZero
}

func (m VecExtended) Doc() string {
	return "For every lane that the mask selects: low is " + m.Low.Formula("a", "b") + ", high the " + m.High.Formula("a", "b") +
		", where a and b are the operands." + othersZero
}

func (VecCompare) Doc() string {
	return "Lanes that the operand mask does not select are clear in the result."
}

func (VecSelect) Doc() string { return "Every lane is written: the mask chooses between the sources." }

func (m VecConvert) Doc() string {
	text := "Where the widths differ, attribute part selects the lanes of the narrower register that are used: EVEN and ODD every second one, " +
		"P0 to P3 every fourth one from that place; the others are ignored, or become zero in a narrower result. " +
		"A mask is about the lanes of the input." + othersZero + " " +
		"Attribute rnd names the rounding; without it numbers are rounded to nearest even. " +
		"With sat, numbers that do not fit become the nearest that does, and NaN becomes zero."
	if m.Pre != nil {
		text = "The numbers that are converted are rounded to the format of the input first. " + text
	}
	return text
}

func (m VecWiden) Doc() string {
	return "Operands are converted to the format of the result first, which is exact. For f16 operands in registers, attribute part selects " +
		"the lanes that are used: those with even numbers (EVEN) or odd numbers (ODD). Of operands as wide as the result, and of VMI vectors, all lanes are used." + othersZero
}

func (VecRound) Doc() string {
	return "Attribute round_mode is R for the nearest integral value, the even one of two; A for the nearest, away from zero of two; " +
		"F for down; C for up; Z for toward zero." + othersZero
}

func (VecBroadcast) Doc() string {
	return "The scalar is cut or extended to the width of lanes. Where there is a mask, lanes that it does not select become zero."
}

func (VecIndex) Doc() string { return "The numbers are of the type of the lanes, and wrap." }

func (m VecReduce) Doc() string {
	var text string
	switch m.Op {
	case ReduceSum:
		text = "Lanes that are not selected count as zero. Sums of floats add neighbours in pairs, and then neighbours among the sums, in f32, and are rounded once."
	case ReduceMax:
		text = "Lanes that are not selected count as the smallest value of the format, which is also the result where none is selected. NaN is larger than every number."
	case ReduceMin:
		text = "Lanes that are not selected count as the largest value of the format, which is also the result where none is selected. NaN is smaller than every number."
	}
	switch m.Into {
	case IntoIndexed:
		text += " The number of the lane has the bits of an integer, also between floats."
	case PerPair:
		text = "Lane i of the result is the sum of lanes 2i and 2i+1. Lanes that are not selected count as zero."
	}
	return text + othersZero
}

func (VecHistogram) Doc() string {
	return "The 128 counts are added to acc. Operand bin selects the half of the byte range: counts are of the values bin*128 to bin*128+127. Only selected bytes of source count."
}

// docOfRearrangement holds the sentences of reference pages that describe how lanes move,
// indexed by Rearrangement.
var docOfRearrangement = [...]string{
	Interleave:   "low is lhs[0], rhs[0], lhs[1], rhs[1], and so on; high continues with the upper halves. If there is only one result, attribute part selects which of the two it is.",
	Deinterleave: "low has lanes 0, 2, 4, ... of lhs and then of rhs, high has lanes 1, 3, 5, .... If there is only one result, attribute part selects which of the two it is.",
	Compact:      "The selected lanes keep their order. pto.vsqz also keeps the number of their bytes for pto.vstur.",
	CountBefore:  "All lanes are set, whether they are selected or not; lane 0 becomes 0.",
	Narrow:       "Attribute part selects the half: LOWER or HIGHER. Lanes keep their low bits.",
	WidenSigned:  "Operand part selects the half: 0 the lower, 1 the upper.",
	WidenZero:    "Operand part selects the half: 0 the lower, 1 the upper.",
	Permute:      "Numbers of lanes count modulo the lanes of the source.",
	Window:       "Lanes are numbered through src1 and then src0.",
	ShiftLanes:   "Lanes move toward lane 0 if amt is positive.",
	Reinterpret:  "The bits stay as they are.",
}

func (m VecRearrange) Doc() string { return docOfRearrangement[m.Kind] }

func (VecLoad) Doc() string {
	return "Lane i is element i from there on, unless an attribute names another distribution."
}

func (VecStore) Doc() string {
	return "Lane i becomes element i from there on, unless an attribute names another distribution. Elements of lanes that are not written keep what they held."
}

func (m VecBlocks) Doc() string {
	text := "The register has eight blocks of 32 bytes. Block b is (repeat_stride + b*block_stride)*32 bytes after the base. " +
		"The bit of its first lane selects a block; "
	if m.Store {
		text += "others are not written."
	} else {
		text += "others are not read, and zero in the register."
	}
	return text + " A result updated_base is the base moved by repeat_stride blocks; with it, block b is b*block_stride*32 bytes after the base."
}

func (m VecGather) Doc() string {
	if m.Unit == GatherBlocks {
		return "Offsets are unsigned and count bytes. The mask is about blocks: those that are not selected are not read, and zero in the register."
	}
	return "Offsets are unsigned and count elements. Lanes that are not selected are not read, and become zero."
}

func (VecScatter) Doc() string {
	return "Offsets count elements. For lanes of 8 bits, offset i belongs to lane 2*i. Of equal offsets the last wins."
}

func (AlignLoad) Doc() string {
	return "The state comes from pto.vldas, or from the load before in the same stream."
}

func (m AlignStore) Doc() string {
	const state = " Bytes that do not fill a block of 32 stay in the state until more follow, or until a flush writes them."
	switch m.Count {
	case ByCompact:
		return "The lanes are those that pto.vsqz has moved to the front last. The special register AR counts the bytes of the stream." + state
	case WholeMask:
		return "As many bits are written as the mask has lanes." + state
	}
	return "Stores of one stream follow each other without gaps." + state
}

func (AlignFlush) Doc() string {
	return "The state has fewer than 32 bytes, those that did not fill a block. Nothing else is written."
}

func (TransposeBlock) Doc() string {
	return "Element (j, i) of the result is element (i, j) of the source."
}
