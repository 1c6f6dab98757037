// This file replaces moves between cores by queues.

package splitcores

import (
	"fmt"
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isasync "ptogo/dialect/pto/isa/sync"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// queues describes how moves of tiles between cores (crossings) are replaced by queues.
type queues struct {
	w *work
	// slots is the number of slots of each queue.
	slots int64
	// of is how the vector cores divide each tile. It is nil if they divide none.
	of map[*ir.Value]share
	// split is how the vector cores share entries.
	split isasync.EntrySplit
	// symbol are the names of the new functions, for the cube core and for the vector
	// cores.
	symbol [2]string
}

// bytes returns the number of bytes in a slot that the crossing c (a move of a tile from
// one core to the other) needs. A slot holds the whole tile.
func (c *crossing) bytes() int64 {
	t, _ := pto.TileOf(c.dst.Type())
	return t.Bytes()
}

// buffer returns the name of the buffer in local memory that the queue u uses.
func (q *queues) buffer(u *queue) string { return fmt.Sprintf("%s_queue%d", fn.Name(q.w.f), u.id) }

// inGlobal reports whether the slots of the queue for crossing c are in global memory. On
// A2/A3 they always are. On A5 the cores are connected directly, so slots are in local
// memory, with one exception: a tile with a dynamic number of rows that the two vector
// cores share. The number of rows may be odd, and the direct connection can only divide
// an even number.
func (q *queues) inGlobal(c *crossing) bool {
	return q.w.target != sem.A5 || c.valid.rows != nil && c.from == sem.CubeUnit && q.split != isasync.WholeEntry
}

// workspace returns the size in bytes of the global memory that a block needs for its
// queues. It adds up the slots of all queues whose slots are in global memory.
func (q *queues) workspace() int64 {
	n := int64(0)
	for _, u := range q.w.queues {
		if q.inGlobal(u.of[0]) {
			n += q.slots * u.slotSize()
		}
	}
	return n
}

// alone reports whether only the first vector core executes the instructions on queue
// entries. This is the case on A5 if the entries are not divided between the vector
// cores. In all other cases, both vector cores execute these instructions; on A2 and A3,
// both pop every entry even if the entries are not divided.
func (q *queues) alone() bool { return q.split == isasync.WholeEntry && q.w.target == sem.A5 }

// splitOf returns how the vector cores share the entries of the crossing c. If they do not
// divide the work, both compute the whole tile. Each of them pushes half of the rows then,
// because on A2/A3 an entry for the cube core has two producers.
func (q *queues) splitOf(c *crossing) isasync.EntrySplit {
	if q.pushesHalf(c) {
		return isasync.EntryRows
	}
	return q.split
}

// pushesHalf reports whether a vector core computes the whole tile of the crossing c and
// pushes half of its rows.
func (q *queues) pushesHalf(c *crossing) bool {
	return c.from == sem.VectorUnit && q.split == isasync.WholeEntry && q.w.target != sem.A5
}

// oddToCube returns a crossing (move of a tile) from the vector cores to the cube core of
// which each vector core pushes half, although its tile has an odd number of rows. It
// returns nil if there is none.
func (q *queues) oddToCube() *crossing {
	for _, c := range q.w.cross {
		if t, _ := pto.TileOf(c.src.Type()); q.pushesHalf(c) && t.Rows%sem.VectorCores != 0 {
			return c
		}
	}
	return nil
}

// ownRows returns the half of the rows of the complete tile src of type t that this vector
// core pushes.
func (q *queues) ownRows(h *halfFunc, c *crossing, src *ir.Value, t ir.Type) *ir.Value {
	tile, _ := ir.As[pto.Tile](t)
	tile.Rows /= sem.VectorCores
	tile.VRows = tile.Rows
	b := ir.Before(h.ops[c.op])
	first := b.Op(arith.MulI, []*ir.Value{h.number(), arith.Index(b, tile.Rows)}, []ir.Type{ir.Index}).Result(0)
	return b.Create(ir.State{Def: isatile.SubView, Operands: []*ir.Value{src, first, arith.Index(b, 0)}, Segs: []int32{1, 2, 0, 0}, Results: []ir.Type{ir.TypeOf(tile)},
		Attrs: []ir.NamedAttr{{Name: "sizes", Attr: ir.Array(ir.IntAttr(ir.I64, tile.Rows), ir.IntAttr(ir.I64, tile.Cols))}}}).Result(0)
}

// cross replaces the moves of tiles between the cores by queue instructions. The
// parameter h is the function for one kind of core that results from the split. If this
// core produces the tile, a push instruction replaces the move; if this core consumes it,
// a pop instruction does.
func (q *queues) cross(h *halfFunc) {
	for _, c := range q.w.cross {
		op := h.ops[c.op]
		keys := q.keys(c)
		if h.core == c.from {
			def := isasync.TPushToAiv
			if c.from == sem.VectorUnit {
				def = isasync.TPushToAic
			}
			ir.Before(op).Op(def, []*ir.Value{q.sent(h, c)}, nil, keys...)
			h.w.unit[c.op] = c.consumer() // the result is a tile of the consumer
			continue
		}
		def := isasync.TPopFromAic
		if c.from == sem.VectorUnit {
			def = isasync.TPopFromAiv
		}
		if c.valid.rows != nil {
			q.popRegion(h, c, def)
			continue
		}
		q.arrived(h, popped{c: c, op: ir.Before(op).Op(def, nil, []ir.Type{op.Result(0).Type()}, keys...)})
	}
}

// arrived replaces the move of a tile between the cores in the function of the consumer.
// The replacement is the operation with which the tile arrives: a pop from the queue, or
// a load from the slot that a pop has returned.
func (q *queues) arrived(h *halfFunc, p popped) {
	op := h.ops[p.c.op]
	op.Result(0).ReplaceAllUses(p.op.Result(0))
	h.vals[p.c.dst] = p.op.Result(0)
	op.Erase()
	delete(h.ops, p.c.op)
	h.pops = append(h.pops, p)
}

// shareOf returns how the tile v is divided in the new function h. In a function for
// vector cores, it returns the way in which the two vector cores divide the tile. In the
// function for the cube core, it returns unshared, because the cube core processes the
// whole tile.
func (q *queues) shareOf(h *halfFunc, v *ir.Value) share {
	if h.core == sem.CubeUnit {
		return unshared
	}
	return q.of[v]
}

// keys returns the attributes that all instructions on one queue have: the number of the
// queue, and how its entries are split between the vector cores. The queue implements the
// crossing c, a move of a tile from one core to the other.
func (q *queues) keys(c *crossing) []ir.NamedAttr {
	return []ir.NamedAttr{{Name: "id", Attr: ir.IntAttr(ir.I32, c.queue.id)}, {Name: "split", Attr: ir.IntAttr(ir.I8, int64(q.splitOf(c)))}}
}

// popped is a queue entry that a core pops: the crossing (the move of a tile between
// cores that the queue implements), and the operation that returns the tile. If this
// operation loads the tile from a slot in global memory, slot is the view of the slot.
type popped struct {
	c    *crossing
	op   *ir.Op
	slot []*ir.Value
}

// free inserts the release of each popped entry after its last use. If control flow
// carries the tile of an entry, the tile is first copied out of the queue slot. Without
// this copy, a later pass could replace the result of a loop or branch by the tile,
// although the result lives longer than the entry.
func (q *queues) free(h *halfFunc) {
	for _, p := range h.pops {
		last := q.lastOf(h, p)
		def := isasync.TFreeFromAic
		if p.c.from == sem.VectorUnit {
			def = isasync.TFreeFromAiv
		}
		ir.Before(last.Next()).Create(ir.State{Def: def, Operands: p.slot, Attrs: q.keys(p.c)})
	}
}

// lastOf returns the last operation that uses the queue slot of a popped entry; the slot
// can be freed after this operation. The entry contains a tile. If control flow passes
// the tile to a block or a result, the uses cannot be followed. lastOf then inserts an
// operation that copies the tile out of the slot, and all users read the copy.
func (q *queues) lastOf(h *halfFunc, p popped) *ir.Op {
	switch {
	case p.slot != nil && p.op.Block() == nil:
		return p.slot[0].Op() // the tile is never used
	case p.slot != nil:
		return p.op // the load has copied the tile
	}
	v := p.op.Result(0)
	if p.c.copied || passedOn(v) {
		b := ir.Before(p.op.Next())
		own := b.Op(isatile.TMov, []*ir.Value{v}, []ir.Type{half(p.c.dst.Type(), q.shareOf(h, p.c.dst))})
		v.ReplaceAllUses(own.Result(0))
		own.SetOperand(0, v)
	}
	if last := lastUse(v, p.op.Block()); last != nil {
		return last
	}
	return p.op
}

// passedOn reports whether a loop, a branch or a terminator has the tile v as an operand,
// or a value that refers to the same storage. The tile is then used outside of its block.
func passedOn(v *ir.Value) bool {
	for u := range v.Uses() {
		op := u.Owner()
		if op.HasTrait(ir.Terminator) || len(op.Regions()) > 0 {
			return true
		}
		if _, alias := op.Def().Sem.(sem.SameStorage); alias && slices.ContainsFunc(op.Results(), passedOn) {
			return true
		}
	}
	return false
}

// lastUse returns the last operation of a block that uses the tile v or a view of its
// storage, directly or in a nested operation. It returns nil if there is none.
func lastUse(v *ir.Value, block *ir.Block) *ir.Op {
	var last *ir.Op
	for u := range v.Uses() {
		op := u.Owner()
		_, alias := op.Def().Sem.(sem.SameStorage)
		at := op
		for at.Block() != block {
			at = at.Parent()
		}
		if last == nil || last.Before(at) {
			last = at
		}
		if !alias {
			continue
		}
		for _, r := range op.Results() {
			if l := lastUse(r, op.Block()); l != nil {
				for l.Block() != block {
					l = l.Parent()
				}
				if last.Before(l) {
					last = l
				}
			}
		}
	}
	return last
}

// setUp inserts the initialization of all queues at the start of h, one of the two
// functions that result from the split. If slots of the queues are in global memory, it
// adds a parameter for this memory.
func (q *queues) setUp(h *halfFunc) {
	var ring *ir.Value
	if q.workspace() > 0 {
		ring = fn.AddParam(h.f, "slots", ir.TypeOf(pto.PtrType{Elem: ir.F32, Space: sem.GM}))
	}
	b := h.entry()
	if ring != nil {
		// Every block has slots of its own.
		block := b.Op(isabase.GetBlockIdx, nil, []ir.Type{ir.I64}).Result(0)
		index := b.Op(arith.IndexCast, []*ir.Value{block}, []ir.Type{ir.Index}).Result(0)
		first := b.Op(arith.MulI, []*ir.Value{index, arith.Index(b, q.workspace()/4)}, []ir.Type{ir.Index}).Result(0)
		ring = b.Op(isabase.AddPtr, []*ir.Value{ring, first}, []ir.Type{ring.Type()}).Result(0)
	}
	offset := int64(0)
	for _, u := range q.w.queues {
		if !q.inGlobal(u.of[0]) {
			q.end(h, b, u, nil)
			continue
		}
		slots := ring
		if offset > 0 {
			slots = b.Op(isabase.AddPtr, []*ir.Value{ring, arith.Index(b, offset/4)}, []ir.Type{ring.Type()}).Result(0)
		}
		offset += q.slots * u.slotSize()
		q.end(h, b, u, slots)
	}
}

// end inserts the operation that initializes one end of a queue, at the position of the
// builder b. This end of the queue u is on the core that executes h. The slots of the
// queue are in the global memory slots or, if slots is nil, in local memory.
func (q *queues) end(h *halfFunc, b *ir.Builder, u *queue, slots *ir.Value) {
	c := u.of[0]
	name := ir.NamedAttr{Name: "name", Attr: ir.Str(q.buffer(u))}
	var at *ir.Value
	if h.core == c.from {
		peer := q.symbol[1]
		if c.from == sem.VectorUnit {
			peer = q.symbol[0]
		}
		at = b.Op(isasync.ImportReservedBuffer, nil, []ir.Type{ir.I32}, name, ir.NamedAttr{Name: "peer_func", Attr: ir.Symbol(peer)}).Result(0)
	} else {
		space := "vec"
		if c.from == sem.VectorUnit {
			space = "mat"
		}
		at = b.Op(isasync.ReserveBuffer, nil, []ir.Type{ir.I32}, name,
			ir.NamedAttr{Name: "size", Attr: ir.IntAttr(ir.I32, q.slots*u.slotSize())},
			ir.NamedAttr{Name: "location", Attr: pto.AddressSpaceEnum.Attr(space)},
			ir.NamedAttr{Name: "autoAlloc", Attr: ir.BoolAttr(true)}).Result(0)
	}
	def := isasync.AicInitializePipe
	if h.core == sem.VectorUnit {
		def = isasync.AivInitializePipe
	}
	s := ir.State{Def: def, Segs: []int32{0, 0, 0, 0}, Attrs: []ir.NamedAttr{
		{Name: "id", Attr: ir.IntAttr(ir.I32, u.id)},
		{Name: "dir_mask", Attr: ir.IntAttr(ir.I8, 1<<way(c))},
		{Name: "slot_size", Attr: ir.IntAttr(ir.I32, u.slotSize())},
		{Name: "slot_num", Attr: ir.IntAttr(ir.I32, q.slots)},
	}}
	switch {
	case slots == nil:
	case q.fromView(c): // A5 would ignore an address
		s.Operands, s.Segs[1] = append(s.Operands, q.slotTensor(h, b, c, slots)), 1
	default:
		s.Operands, s.Segs[0] = append(s.Operands, slots), 1
	}
	s.Operands, s.Segs[2+way(c)] = append(s.Operands, at), 1
	b.Create(s)
}

// way returns the direction of the crossing c (a move of a tile from one core to the
// other), as queue instructions encode it.
func way(c *crossing) int {
	if c.from == sem.VectorUnit {
		return sem.ToCube
	}
	return sem.ToVector
}
