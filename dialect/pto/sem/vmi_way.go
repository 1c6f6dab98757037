// This file describes how VMI loads and stores map lanes to memory.

package sem

import "ptogo/ir"

// Way is the mapping between lanes and memory in a load or store of a VMI vector (of any
// length). In the comments of the constants, element k is the element at offset k from
// the base address.
type Way uint8

// The mappings of lanes to memory. They are described for loads; a store writes the same
// lanes to the same elements.
const (
	// WayByOperands means that the operands and attributes of the instruction decide
	// (WayOf).
	WayByOperands Way = iota
	// WayContinuous loads element i into lane i.
	WayContinuous
	// WayUnpacked loads element i into lane i and zero-extends it to the width of the
	// lane.
	WayUnpacked
	// WayEverywhere loads element 0 into all lanes.
	WayEverywhere
	// WayAlternating loads element 2*i into lane i of the first vector, and 2*i+1 into
	// lane i of the second.
	WayAlternating
	// WayGrouped loads element g*stride + j into lane j of group g. Attribute group or
	// num_groups is the number of groups; the operand with the stride is called stride or
	// row_stride.
	WayGrouped
	// WayGroupElement loads element g*stride into all lanes of group g. The operand with
	// the stride may also be called source_group_stride.
	WayGroupElement
	// WayBlocks loads the block of 32 bytes at (repeat_stride + b*block_stride)*32 bytes
	// after the base into block b of the lanes. The mask bit of the first lane selects a
	// block. A missing repeat_stride is zero.
	WayBlocks
	// WayPacked loads element k into the selected lane that follows k other selected
	// lanes.
	WayPacked
)

// AccessesLanes reports whether op loads or stores a VMI vector, a vector of any length
// (kinds LaneLoad and LaneStore).
func AccessesLanes(op *ir.Op) bool {
	switch op.Def().Sem.(type) {
	case LaneLoad, LaneStore:
		return true
	}
	return false
}

// WayOf returns how op, a load or store of a vmi vector, maps lanes to memory elements.
// For some instructions the definition determines the way. For others, it depends on
// attributes such as dist_mode and on the operands of op.
func WayOf(op *ir.Op) Way {
	way := WayByOperands
	switch kind := op.Def().Sem.(type) {
	case LaneLoad:
		way = kind.Way
	case LaneStore:
		way = kind.Way
	}
	if way != WayByOperands {
		return way
	}
	dist, _ := op.Attr("dist_mode").AsString()
	switch {
	case op.HasAttr("group") && dist == "brc":
		return WayGroupElement
	case op.HasAttr("group"):
		return WayGrouped
	case op.Arg("block_stride") != nil:
		return WayBlocks
	case dist == "dintlv":
		return WayAlternating
	case dist == "unpack":
		return WayUnpacked
	case dist == "brc":
		return WayEverywhere
	}
	return WayContinuous
}
