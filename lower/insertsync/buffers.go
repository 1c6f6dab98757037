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

// bufferIDs is how many tokens a core has.
const bufferIDs = 32

// piece is local memory that accesses share bytes of.
type piece struct {
	space  sem.Space
	lo, hi int64 // hi < 0: all of the space
	pipes  uint8
	write  bool
	id     int64 // -1: only one pipe uses it
}

// buffers are the tokens of a function.
type buffers struct {
	pieces  []*piece
	written map[[2]int64]*other // by pipe and token
}

// giveBuffers finds the pieces of local memory below a block and numbers those
// that several pipes use. There are as many numbers as tokens; pieces beyond
// share them, which orders more than is needed.
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

// leaves returns the accesses of all instructions below a block.
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

// handedOn returns the accesses of instructions that several pipes execute. Those
// pass memory on from pipe to pipe by themselves, so that no pipe can hold a token
// for it until the instruction is over.
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

// extentOf returns the bytes that a place of local memory may mean.
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

// add joins an access with the pieces that it meets.
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

func (p *piece) meets(o *piece) bool { return p.hi < 0 || o.hi < 0 || p.lo < o.hi && o.lo < p.hi }

// holds reports whether an access may be to the piece.
func (p *piece) holds(x *touch) bool {
	lo, hi, ok := extentOf(&x.location)
	return ok && x.space == p.space && p.meets(&piece{lo: lo, hi: hi})
}

// of returns the number of the token for an access, or -1.
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

// cover reports whether a token orders two accesses.
func (bs *buffers) cover(x, y *touch) bool {
	id := bs.of(x)
	return id >= 0 && id == bs.of(y) && x.pipe != y.pipe
}

// write inserts the get_buf and rls_buf tokens around the instructions in a block and
// the blocks inside it.
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
			w.behind(n.op, token(o, isasync.RlsBuf, line(h[0]), h[1]))
		}
	}
}

func token(o *other, def *ir.Def, p line, id int64) func(b *ir.Builder) {
	return func(b *ir.Builder) {
		o.ops = append(o.ops, b.Create(ir.State{Def: def, Attrs: []ir.NamedAttr{
			{Name: "op_type", Attr: pipeAttr(p.Pipe())}, {Name: "buf_id", Attr: ir.IntAttr(ir.I32, id)}, {Name: "mode", Attr: ir.IntAttr(ir.I32, 0)},
		}}))
	}
}
