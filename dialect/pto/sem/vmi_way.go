// This file describes how VMI loads and stores map lanes to memory.

package sem

import "ptogo/ir"

// Way is how a load or store of vmi maps lanes to memory. Element k is the one
// k elements after the base.
type Way uint8

// The ways of loading and storing lanes.
const (
	// WayByOperands means that the operands and attributes of the instruction decide
	// (WayOf).
	WayByOperands Way = iota
	// WayContinuous loads element i into lane i.
	WayContinuous
	// WayUnpacked is WayContinuous with elements that are extended with zeros to the
	// width of lanes.
	WayUnpacked
	// WayEverywhere loads element 0 into all lanes.
	WayEverywhere
	// WayAlternating loads element 2*i into lane i of the first vector, and 2*i+1 into
	// lane i of the second.
	WayAlternating
	// WayGrouped loads element g*stride + j into lane j of group g. Attribute group or
	// num_groups is the number of groups; the operand is stride or row_stride.
	WayGrouped
	// WayGroupElement loads element g*stride into all lanes of group g. The operand may
	// also be source_group_stride.
	WayGroupElement
	// WayBlocks loads the block of 32 bytes at (repeat_stride + b*block_stride)*32 bytes
	// after the base into block b of the lanes. The mask bit of the first lane selects a
	// block. A missing repeat_stride is zero.
	WayBlocks
	// WayPacked loads element k into the selected lane that follows k other selected
	// lanes.
	WayPacked
)

// AccessesLanes reports whether op is a LaneLoad or LaneStore.
func AccessesLanes(op *ir.Op) bool {
	switch op.Def().Sem.(type) {
	case LaneLoad, LaneStore:
		return true
	}
	return false
}

// WayOf returns how op maps lanes to memory.
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
