package fusion

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// Passes lists the passes of this package in the order in which they run.
var Passes = []*passes.Pass{Plan, Schedule, MarkLastUse, FormRegions, Flatten, ExpDif}

// The attributes of a tile instruction that is in a group: the number of the group in its
// function, and the position of the instruction in the group.
const (
	groupAttr = "pto.fusion.group_id"
	orderAttr = "pto.fusion.order"
)

// setGroup marks op as a member of a fusion group. group is the number of the group, and
// order is the position of op in the group.
func setGroup(op *ir.Op, group, order int) {
	op.SetAttr(groupAttr, ir.IntAttr(ir.I64, int64(group)))
	op.SetAttr(orderAttr, ir.IntAttr(ir.I64, int64(order)))
}

// clearGroup removes from op the two attributes of a member of a fusion group: the number
// of the group, and the position in the group.
func clearGroup(op *ir.Op) {
	op.SetAttr(groupAttr, ir.Attr{})
	op.SetAttr(orderAttr, ir.Attr{})
}

// groupOf returns the number of the group of op. The bool result is false if op is not in
// a group.
func groupOf(op *ir.Op) (int64, bool) { return op.Attr(groupAttr).AsInt() }

// onTiles reports whether op is a tile instruction of the vector unit with buffers as
// operands.
func onTiles(op *ir.Op) bool {
	info := pto.InfoOf(op.Def())
	return info != nil && info.Group == "tile" && op.Form().Level == ir.DPS && pto.PipeFor(op, sem.A5) == sem.PipeV
}

// means reports whether the meaning of op is of kind K.
func means[K ir.Meaning](op *ir.Op) bool {
	_, ok := op.Def().Sem.(K)
	return ok
}

// elementwise reports whether op computes each element of its result only from the
// elements at the same row and column of its operands. One operand can be a row or a
// column that the instruction repeats.
func elementwise(op *ir.Op) bool {
	return means[sem.TileMap](op) || means[sem.TileExpand](op) || means[sem.TileConvert](op)
}

// blocks calls do for each block of the function f.
func blocks(f *ir.Op, do func(b *ir.Block)) {
	for op := range f.Walk() {
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				do(b)
			}
		}
	}
}

// spans returns the runs of adjacent operations of the function f that are in the same
// group, in program order. An operation precedes the operations of its regions.
func spans(f *ir.Op) [][]*ir.Op {
	var all [][]*ir.Op
	for op := range f.Walk() {
		n, ok := groupOf(op)
		if !ok || len(op.Regions()) > 0 {
			continue
		}
		if before := op.Prev(); before != nil {
			if k, ok := groupOf(before); ok && k == n && len(before.Regions()) == 0 {
				last := len(all) - 1
				all[last] = append(all[last], op)
				continue
			}
		}
		all = append(all, []*ir.Op{op})
	}
	return all
}
