// This file implements mode=buffers: it assigns buffer tokens of A5 to local memory
// and inserts get_buf and rls_buf.

package insertsync

import (
	"fmt"
	"slices"

	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Buffer tokens order all that happens to a piece of local memory: who holds a
// token waits until all earlier holders have given it back. They need nothing
// before loops or after them.

// bufferIDs is the number of buffer tokens of a core of the A5 family. A pipe acquires a
// token with get_buf and releases it with rls_buf; only one pipe holds a token at a time.
const bufferIDs = 32

// piece is an address range of local memory to which one buffer token is assigned.
// Accesses that share bytes are always in the same range.
type piece struct {
	space sem.Space
	// lo and hi are byte offsets; hi is exclusive. A negative hi means the whole memory
	// space.
	lo, hi int64
	// pipes is a bit set of the pipes that access the range.
	pipes uint8
	// write means that at least one of these accesses is a write.
	write bool
	// id is the number of the token. It is -1 if only one pipe accesses the range, since
	// a pipe needs no token against itself.
	id int64
}

// buffers assigns buffer tokens to address ranges of local memory. It implements
// mode=buffers of the pass, which inserts tokens instead of flags.
type buffers struct {
	pieces []*piece
	// written are the remarks about inserted tokens, indexed by pipe and token number.
	written map[[2]int64]*other
}

// giveBuffers determines the address ranges of local memory that the instructions in root
// access, and assigns a token to each range that several pipes access. If there are more
// ranges than tokens, some ranges share a token. Sharing is correct, but it orders more
// accesses than necessary.
func giveBuffers(root *blk) *buffers {
	bs := &buffers{written: map[[2]int64]*other{}}
	for _, x := range leaves(root) {
		if lo, hi, ok := extentOf(&x.location); ok {
			bs.add(x, lo, hi)
		}
	}
	handed := handedOn(root)
	next := int64(0)
	for _, p := range bs.pieces {
		p.id = -1
		if p.write && p.pipes&(p.pipes-1) != 0 && !slices.ContainsFunc(handed, p.holds) {
			p.id = next % bufferIDs
			next++
		}
	}
	return bs
}

// leaves returns the accesses of all instructions in a block and in the blocks nested in
// it.
func leaves(b *blk) []*touch {
	var all []*touch
	for _, n := range b.nodes {
		if len(n.bodies) == 0 {
			all = append(all, n.touches...)
		}
		for _, k := range n.bodies {
			all = append(all, leaves(k)...)
		}
	}
	return all
}

// handedOn returns the memory accesses of those instructions in b that several pipes
// execute one after the other. The hardware orders the pipes within such an instruction.
// The pass therefore assigns no buffer token to memory that such an instruction accesses.
func handedOn(b *blk) (all []*touch) {
	for _, n := range b.nodes {
		if len(n.bodies) == 0 && n.pipes&(n.pipes-1) != 0 {
			all = append(all, n.touches...)
		}
		for _, k := range n.bodies {
			all = append(all, handedOn(k)...)
		}
	}
	return all
}

// extentOf returns the byte range [lo, hi) of local memory that a location can refer to.
// hi is -1 if the range is unknown, which means the whole memory space. ok is false for
// global memory and for buffers without an address.
func extentOf(p *location) (lo, hi int64, ok bool) {
	if p.space == sem.GM || p.root != nil {
		return 0, 0, false
	}
	q := p.wholeRing()
	at, known := q.from.constant()
	if !known || q.size <= 0 {
		return 0, -1, true
	}
	return at, at + q.size, true
}

// add records the byte range [lo, hi) of the access x. It merges this range with all
// recorded ranges that overlap it into a single range that contains them all.
func (bs *buffers) add(x *touch, lo, hi int64) {
	p := &piece{space: x.space, lo: lo, hi: hi}
	if x.pipe != order.Scalar { // the scalar unit holds no tokens
		p.pipes, p.write = 1<<x.pipe, x.write
	}
	rest := bs.pieces[:0]
	for _, o := range bs.pieces {
		if o.space != p.space || !o.meets(p) {
			rest = append(rest, o)
			continue
		}
		p.pipes, p.write = p.pipes|o.pipes, p.write || o.write
		if p.hi < 0 || o.hi < 0 {
			p.lo, p.hi = 0, -1
		} else {
			p.lo, p.hi = min(p.lo, o.lo), max(p.hi, o.hi)
		}
	}
	bs.pieces = append(rest, p)
}

// meets reports whether two address ranges of one memory space have a byte in common.
func (p *piece) meets(o *piece) bool { return p.hi < 0 || o.hi < 0 || p.lo < o.hi && o.lo < p.hi }

// holds reports whether the access x can touch a byte of the address range of p in the
// memory space of p.
func (p *piece) holds(x *touch) bool {
	lo, hi, ok := extentOf(&x.location)
	return ok && x.space == p.space && p.meets(&piece{lo: lo, hi: hi})
}

// The method of returns the number of the buffer token that a pipe must hold during the
// access x, or -1 if the access needs no token.
func (bs *buffers) of(x *touch) int64 {
	if bs == nil || x.pipe == order.Scalar {
		return -1
	}
	for _, p := range bs.pieces {
		if p.holds(x) {
			return p.id
		}
	}
	return -1
}

// cover reports whether a buffer token orders the accesses x and y: their pipes hold the
// same token while they access the memory.
func (bs *buffers) cover(x, y *touch) bool {
	id := bs.of(x)
	return id >= 0 && id == bs.of(y) && x.pipe != y.pipe
}

// write inserts get_buf and rls_buf around the instructions in a block and in the blocks
// nested in it.
func (bs *buffers) write(b *blk, w *writer) {
	for _, n := range b.nodes {
		for _, k := range n.bodies {
			bs.write(k, w)
		}
		if len(n.bodies) > 0 {
			continue
		}
		var held [][2]int64
		for _, x := range n.touches {
			if id := bs.of(x); id >= 0 && !slices.Contains(held, [2]int64{int64(x.pipe), id}) {
				held = append(held, [2]int64{int64(x.pipe), id})
			}
		}
		for _, h := range held {
			o := bs.written[h]
			if o == nil {
				pipe := line(h[0]).Pipe()
				o = w.other(n.op, fmt.Sprintf("buffer %d of %s", h[1], pipe), "every instruction that accesses its memory holds the buffer, even if other flags already order the access")
				bs.written[h] = o
			}
			w.in(n.op, token(o, isasync.GetBuf, line(h[0]), h[1]))
			w.placeAfter(n.op, token(o, isasync.RlsBuf, line(h[0]), h[1]))
		}
	}
}

// token returns a function that inserts the instruction def (get_buf or rls_buf) of pipe
// p for the buffer token with the number id. The returned function also appends the
// inserted operation to o.ops, the list of operations that remarks about the inserted
// synchronization report.
func token(o *other, def *ir.Def, p line, id int64) func(b *ir.Builder) {
	return func(b *ir.Builder) {
		o.ops = append(o.ops, b.Create(ir.State{Def: def, Attrs: []ir.NamedAttr{
			{Name: "op_type", Attr: pipeAttr(p.Pipe())}, {Name: "buf_id", Attr: ir.IntAttr(ir.I32, id)}, {Name: "mode", Attr: ir.IntAttr(ir.I32, 0)},
		}}))
	}
}
