// This file computes the bytes that loads and stores of logical vectors touch.

package insertsync

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// lanes returns the location of a load or store of logical vectors (VMI), given the base
// location p. ok is false for all other operations. If a stride is unknown, the size of
// the result is unknown.
func (r *resolver) lanes(op *ir.Op, p location) (location, bool) {
	if !sem.AccessesLanes(op) {
		return p, false
	}
	a := sem.VectorAccessOf(op)
	vectors, lanes, lane := vectorsOf(op)
	elem, groups := elementBytes(op), int64(sem.GroupsOf(op))
	stride := int64(1)
	if a.Stride.Given() {
		var known bool
		if stride, known = r.constant(a.Stride.Value); !known || stride < 0 {
			return p, true
		}
	}
	base := p.from
	if a.Offset.Given() {
		base = base.plus(r.number(a.Offset.Value), elem)
	}
	rows := func(n, width, pitch int64) {
		p.from, p.size = base, (n-1)*pitch+width
		if n > 1 && pitch > width {
			p.width, p.pitch = width, pitch
		}
	}
	switch sem.WayOf(op) {
	case sem.WayEverywhere:
		rows(1, elem, elem)
	case sem.WayGrouped:
		rows(groups, max(lanes/groups, 1)*elem, stride*elem)
	case sem.WayGroupElement:
		rows(groups, elem, stride*elem)
	case sem.WayBlocks:
		if a.Skip.Given() {
			base = base.plus(r.number(a.Skip.Value), blockBytes)
		}
		rows(max(lanes*lane/blockBytes, 1), blockBytes, stride*blockBytes)
	default:
		rows(1, vectors*lanes*elem, 0)
	}
	return p, true
}

// vectorsOf returns three numbers about a load or store of logical vectors (of any
// length): the number of vectors, the number of lanes of each vector, and the number of
// bytes of a lane.
func vectorsOf(op *ir.Op) (vectors, lanes, bytes int64) {
	for _, vs := range [][]*ir.Value{op.Results(), op.Operands()} {
		for _, v := range vs {
			if t, ok := ir.As[pto.VMIVReg](v.Type()); ok {
				vectors, lanes, bytes = vectors+1, int64(t.Lanes), int64(pto.ByteSize(t.Elem))
			}
		}
		if vectors > 0 {
			break
		}
	}
	return vectors, lanes, bytes
}
