// This file describes how VMI loads and stores map lanes to memory.

package sem

import "ptogo/ir"

// Way is how a load or store of vmi maps lanes to memory. Element k is the one
// k elements after the base.
type Way uint8

// The ways.
const (
	// WayByOperands leaves it to the instruction: see WayOf.
	WayByOperands Way = iota
	// WayContinuous loads element i into lane i.
	WayContinuous
	// WayUnpacked is WayContinuous with elements that are extended with zeros to the
	// width of lanes.
	WayUnpacked
	// WayEverywhere loads element 0 into all lanes.
	WayEverywhere
	// WayAlternating takes element 2*i for lane i of the first vector, 2*i+1 for
	// lane i of the second.
	WayAlternating
	// WayGrouped takes element g*stride + j for lane j of group g. Attribute group
	// or num_groups counts the groups; the operand is stride or row_stride.
	WayGrouped
	// WayGroupElement takes element g*stride for all lanes of group g. The stride
	// may be called source_group_stride.
	WayGroupElement
	// WayBlocks takes the block of 32 bytes at (repeat_stride + b*block_stride)*32
	// bytes after the base for block b of the lanes. The mask is about blocks:
	// that of the first lane counts. A repeat_stride that is not there is zero.
	WayBlocks
	// WayPacked takes element k for the selected lane before which there are k
	// selected lanes.
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
