// This file assigns buffers to groups of tiles.

package bufferize

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
)

// place assigns a buffer to every group of tiles. If a tile of the group is a parameter
// or the result of a view operation, its buffer is used. Otherwise place inserts an
// allocation at a position that dominates all writes to the group.
func (b *bufferizer) place() {
	b.varies, b.dom = map[*ir.Value]bool{}, &ir.Dominance{}
	for n, v := range b.g.values {
		switch gr := b.s.group[n]; {
		case v == nil:
			gr.buf = fn.Body(b.f).AddArg(opened(pto.BufOf(b.g.types[n])))
			b.varies[gr.buf] = true
		case isParameter(b.f, v):
			gr.buf = v
			// The buffer of a parameter comes from the caller.
			v.SetType(b.parameterType(v.Type()))
		case v.Op() != nil && isAlias(v.Op()):
			gr.buf = v
			v.SetType(bufferType(v.Type()))
		}
	}
	b.findPlaces()
	for n := range b.g.values {
		b.buffer(n)
	}
	b.validRegions()
	b.c.Count("num-tiles", len(b.g.number))
	b.c.Count("num-reused", b.s.reused)
}

// buffer returns the buffer of tile n and allocates it on the first call. It returns nil
// for a tile that is neither written nor read.
func (b *bufferizer) buffer(n int) *ir.Value {
	gr := b.s.group[n]
	if gr.buf == nil && (len(gr.writes) > 0 || b.g.used[n]) {
		b.allocate(gr, n)
	}
	return gr.buf
}

// allocate creates the buffer that the tiles of the group gr share. The type of the
// buffer is derived from the type of tile n. If a single instruction computes the
// contents of the buffer, the allocation states the valid region, which is that of the
// result of this instruction. In all other cases the allocation leaves the valid region
// open, and each write to the buffer sets it.
func (b *bufferizer) allocate(gr *group, n int) {
	t := pto.BufOf(b.g.types[n])
	if b.toCall(gr) {
		t = opened(t)
	}
	b.c.Count("num-buffers", 1)
	if len(gr.writes) == 1 && gr.writes[0].src == computed {
		if op := gr.place; !op.Is(fn.Call) {
			e := b.validFor(op, b.g.values[gr.writes[0].value])
			if t != pto.BufOf(b.g.types[n]) {
				e = b.completed(op, e, b.g.types[n])
			}
			gr.buf = b.alloc(op, t, e)
			return
		}
	}
	gr.buf = b.alloc(gr.place, opened(t), extents{})
	b.varies[gr.buf] = true
}

// toCall reports whether a tile of the group gr is an operand of a function call. A group
// is a set of tiles that share a buffer.
func (b *bufferizer) toCall(gr *group) bool {
	for _, n := range gr.tiles {
		if v := b.g.values[n]; v != nil {
			for u := range v.Uses() {
				if u.Owner().Is(fn.Call) {
					return true
				}
			}
		}
	}
	return false
}

// findPlaces determines before which operations the buffers are allocated. It runs before
// the first allocation, because inserted operations would change the order of operations
// that it compares.
func (b *bufferizer) findPlaces() {
	for n := range b.g.values {
		gr := b.s.group[n]
		if gr.buf == nil && gr.place == nil && (len(gr.writes) > 0 || b.g.used[n]) {
			gr.place = inFrontOf(b.birthplaces(gr), b.dom)
		}
	}
}

// birthplaces returns the operations at which tiles of the group are written or
// defined. The allocation must precede all of them.
func (b *bufferizer) birthplaces(gr *group) []*ir.Op {
	var ops []*ir.Op
	for _, w := range gr.writes {
		ops = append(ops, b.g.points[w.point].op)
	}
	for _, n := range gr.tiles {
		switch v := b.g.values[n]; {
		case v == nil:
		case v.Op() != nil:
			ops = append(ops, v.Op())
		case v.Block() == v.Block().Region().Entry(): // defined by the enclosing operation
			ops = append(ops, v.Block().Parent())
		default:
			ops = append(ops, v.Block().First())
		}
	}
	return ops
}

// validRegions determines the valid regions of results. It processes results in buffers
// whose valid region changes during the execution, because these buffers need
// instructions that set it. It omits results that update a tile in place, since such a
// result has the valid region of the updated tile.
func (b *bufferizer) validRegions() {
	b.valid = map[*ir.Value]extents{}
	for i := range b.g.points {
		op := b.g.points[i].op
		for _, w := range b.g.points[i].writes {
			v := b.g.values[w.value]
			if w.src == computed && !w.updates && b.varies[b.s.group[w.value].buf] && !op.Is(fn.Call) {
				b.valid[v] = b.validFor(op, v)
			}
		}
	}
}

// extents holds the numbers of rows and columns of the valid region of a tile, as SSA
// values. The field rows is nil if no value is needed, because the tile type contains the
// number of rows or because each write sets it. The same holds for the field cols.
type extents struct{ rows, cols *ir.Value }

// alloc allocates a tile buffer of type t before op. valid contains the extents of its
// valid region. If an extent is dynamic and valid has no value for it, the buffer
// initially uses the extent of the storage; a later write sets the correct extent.
func (b *bufferizer) alloc(op *ir.Op, t ir.Type, valid extents) *ir.Value {
	info, _ := pto.TileOf(t)
	at := ir.Before(op)
	segs := []int32{0, 0, 0}
	var operands []*ir.Value
	for i, d := range []struct {
		extent, storage int64
		given           *ir.Value
	}{{info.VRows, info.Rows, valid.rows}, {info.VCols, info.Cols, valid.cols}} {
		if d.extent != ir.Dynamic {
			continue
		}
		if d.given == nil {
			d.given = arith.Index(at, d.storage)
		}
		operands = append(operands, d.given)
		segs[i+1] = 1
	}
	return at.Create(ir.State{Def: isatile.AllocTile, Operands: operands, Segs: segs, Results: []ir.Type{t}}).Result(0)
}

// inFrontOf returns a position for code that must precede all operations in the parameter
// ops. The position is an operation: code inserted before it is executed before every
// operation in ops. It can be one of the operations in ops itself.
func inFrontOf(ops []*ir.Op, dom *ir.Dominance) *ir.Op {
	r := ops[0].Block().Region()
	lifted := lift(ops, r)
	for lifted == nil {
		r = r.Op().Block().Region()
		lifted = lift(ops, r)
	}
	// The nearest common dominator runs before all of them. In it, the position is
	// before the first of them, or at the end of the block if none is in it.
	blk := lifted[0].Block()
	for _, op := range lifted[1:] {
		blk = meet(dom, blk, op.Block())
	}
	first := blk.Last()
	for _, op := range lifted {
		if op.Block() == blk && op.Before(first) {
			first = op
		}
	}
	return first
}

// lift returns, for each operation, the enclosing operation that is directly in region r.
// It returns nil if one of the operations is not inside r.
func lift(ops []*ir.Op, r *ir.Region) []*ir.Op {
	lifted := make([]*ir.Op, len(ops))
	for i, op := range ops {
		for op.Block().Region() != r {
			if op = op.Parent(); op == nil || op.Block() == nil {
				return nil
			}
		}
		lifted[i] = op
	}
	return lifted
}

// meet returns the nearest common dominator of a and b.
func meet(dom *ir.Dominance, a, b *ir.Block) *ir.Block {
	for !dom.BlockDominates(a, b) {
		up := dom.Idom(a)
		// The entry dominates all blocks that can be reached.
		if up == nil {
			return a.Region().Entry()
		}
		a = up
	}
	return a
}
