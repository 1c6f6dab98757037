// This file describes the meaning of VMI instructions for the reference pages.

package sem

import (
	"strings"

	"ptogo/ir"
)

// What vmi instructions do, for readers of the reference. A vector has as many
// lanes as its type says; without a mask every lane is selected.

func (LaneCompare) Doc() string {
	return "Relations are eq, ne, lt, le, gt and ge. For integers s (signed) or u (unsigned) can precede them; without, integers such as i32 and ui32 are unsigned, and only si32 is signed. " +
		"For floats o in front, or nothing, makes a relation false where a lane is NaN, except ne, which is true; u makes it true; " +
		"ord and uno say whether no lane or any is NaN."
}

func (LaneConvert) Doc() string {
	return "Attribute rounding names the rounding: R to nearest even (the default), A to nearest with ties away from zero (the default for hif8), " +
		"H to nearest with ties up, Z toward zero, F down, C up. With saturate SAT, what does not fit becomes the nearest value that does; " +
		"with NOSAT integers keep their low bits, and floats become infinite, or NaN where there is no infinity. Lanes of two floats are converted float by float."
}

func (m GroupReduce) Doc() string {
	text := "Each group has as many neighbouring lanes of the source as there are for each lane of the result. Lanes that are not selected count as "
	switch m.Op {
	case ReduceSum:
		return text + "zero. Floats are added in the order of lanes, or, with attribute reassoc, in any. Without a selected lane the sum is zero."
	case ReduceMax:
		return text + "the smallest value of the type, which is also the result of a group without a selected lane."
	}
	return text + "the largest value of the type, which is also the result of a group without a selected lane."
}

func (GroupBroadcast) Doc() string {
	return "Lane i of a result with L lanes is lane i*n/L, rounded down, of a source with n lanes. A scalar counts as one lane."
}

func (GroupIndex) Doc() string {
	return "Attribute group is the number of groups of neighbouring lanes in the result; without it there is one group. With order DESC the numbers decrease."
}

func (PrefixMask) Doc() string {
	return "If an attribute gives a number of groups, the lanes are divided into that many groups of neighbours. A number of lanes is signed: below 1, none is selected."
}

func (m LaneHistogram) Doc() string {
	text := "Bin b of acc is raised by the number of selected bytes of source with the value b, in 16 bits that wrap. Bytes without a bin are not counted."
	if m.Cumulative {
		text = "Bin b of acc is raised by the number of selected bytes of source with a value up to b, in 16 bits that wrap."
	}
	return text
}

func (PermuteBy) Doc() string { return "A lane of source may be named any number of times." }

func (m LaneChannels) Doc() string {
	if m.Merge {
		return "Lane i of the result is lane i/n, rounded down, of operand i mod n, where n is the number of operands."
	}
	return "Lane i of source becomes lane i/n, rounded down, of result i mod n, where n is the number of results."
}

func (Relayout) Doc() string {
	return "The contents of the lanes do not change: a layout determines only their places in registers."
}

func (m Parts) Doc() string {
	if m.Pack {
		return "The layout of the value determines the places of its lanes in the registers. Other lanes of the registers are ignored."
	}
	return "The layout of the value determines the places of its lanes in the registers. Other lanes of the registers are zero."
}

// docOfWay holds the sentences of reference pages that describe which memory element
// belongs to which lane, indexed by Way. Element k is the element at offset k from the
// base address.
var docOfWay = [...]string{
	WayByOperands: "Element i belongs to lane i. With dist_mode dintlv there are two vectors: element 2*i belongs to lane i of the first, 2*i+1 to lane i of the second. " +
		"With attribute group, element g*stride + j belongs to lane j of group g. " +
		"With block_stride, the block of 32 bytes that is (repeat_stride + b*block_stride)*32 bytes after the base belongs to block b of the lanes, " +
		"and the bit of its first lane selects it.",
	WayContinuous:   "Element i belongs to lane i.",
	WayUnpacked:     "Element i belongs to lane i; it is extended with zeros to the width of lanes.",
	WayEverywhere:   "Element 0 belongs to all lanes.",
	WayAlternating:  "Element 2*i belongs to lane i of the first vector, 2*i+1 to lane i of the second.",
	WayGrouped:      "Element g*row_stride + j belongs to lane j of group g.",
	WayGroupElement: "Element g*source_group_stride belongs to group g.",
	WayBlocks: "The block of 32 bytes that is b*block_stride blocks after the first one belongs to block b of the lanes. The first one is repeat_stride blocks after the base. " +
		"The bit of its first lane selects a block.",
	WayPacked: "The first element belongs to the first selected lane, the next one to the next such lane, and so on.",
}

func (m LaneLoad) Doc() string {
	text := docOfWay[m.Way]
	if m.Way == WayByOperands {
		text += " With dist_mode unpack, elements are narrower than lanes and extended with zeros. " +
			"With brc, element 0 belongs to all lanes, or, with group, element g*stride to all lanes of group g."
	}
	return text + " The base is source moved by offset elements."
}

func (m LaneStore) DocFor(d *ir.Def) string {
	text := docOfWay[m.Way]
	if m.Way == WayBlocks && !has(d, "repeat_stride") {
		text = strings.Replace(text, "repeat_stride blocks after", "at", 1)
	}
	return text + " The base is destination moved by offset elements. A lane that is wider than an element is cut to its low bits. Lanes that are not selected are not written."
}

func (m LaneGather) Doc() string {
	return "Lanes that are not selected are not read. Lanes without an offset are zero."
}

func (LaneScatter) Doc() string { return "Of equal offsets the last wins." }
