// This file describes the meaning of SIMT instructions for the reference pages.

package sem

// What simt instructions do, for readers of the reference.

// subgroups is the sentence of reference pages that describes how work items form
// subgroups.
const subgroups = "Work items 32*w to 32*w+31 are the lanes 0 to 31 of a subgroup. "

func (SimtLaunch) Doc() string {
	return "Attribute callee names the function, which gets args. Work item (x, y, z) has the number x + dimX*(y + dimY*z)."
}

func (SimtDims) Doc() string { return "They are dimX, dimY and dimZ of the launches." }

func (m WorkItem) Doc() string {
	switch m.What {
	case ThreadIdx:
		return "A work item is one run of the body; coordinates begin at 0."
	case BlockDim:
		return "A launch is one block: these are the dimensions of the launch."
	case GridDim, GridBlockIdx:
		return "A launch is one block and not part of a grid: the result is 0, as golden data has it."
	case VectorCore:
		return "Vector cores are numbered through all blocks, from 0."
	case Lane:
		return subgroups
	}
	return "The counter rises. Its numbers have no meaning beyond that; they are cut to the width of the result."
}

func (LaneMask) Doc() string { return subgroups + "Bit j of the result belongs to lane j." }

func (m Vote) Doc() string {
	return subgroups + "The lanes that execute the instruction together participate."
}

func (m LaneShuffle) Doc() string {
	from := map[ShuffleKind]string{ShuffleIdx: "index", ShuffleUp: "i - offset", ShuffleDown: "i + offset", ShuffleXor: "i ^ mask"}[m.Kind]
	return subgroups + "Attribute width is the number of lanes of a group. Lane i of a group reads lane " + from + " of its group. " +
		"The result is undefined if that lane is outside the group or does not participate."
}

func (LaneReduce) Doc() string {
	return subgroups + "Values are combined from lane 0 on, and every participating lane receives the result."
}

func (m SignedMap) Doc() string {
	text := "The result is the " + m.Signed.Formula("lhs", "rhs")
	if m.Unsigned != m.Signed {
		text = "With signedness signed, the result is the " + m.Signed.Formula("lhs", "rhs") + "; with unsigned, the " + m.Unsigned.Formula("lhs", "rhs")
	}
	return text + "."
}

func (WideProduct) Doc() string {
	return "Attribute signedness selects whether the operands are signed. The result has all bits of the product."
}

func (PermuteBytes) Doc() string {
	return "Byte i of the result, from the lowest, is byte number (selector >> 4*i) & 7 of eight: 0 to 3 are those of rhs from the lowest, 4 to 7 those of lhs."
}

func (SimtConvert) Doc() string {
	return "Attribute rounding selects the rounding. With saturation sat, a value out of range becomes the nearest one in range. signedness selects how integers are read, on both sides of the conversion."
}

func (SyncThreads) Doc() string { return "What they wrote before is visible to all of them after it." }

func (m ThreadFence) Doc() string { return "It does not wait for other work items." }
