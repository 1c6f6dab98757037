package splitcores

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// access is what an operation does to global memory.
type access struct {
	op     *ir.Op
	base   *ir.Value // the argument or address that the view starts from
	writes bool
}

// order says that what from does to global memory on its core comes before what to
// does on the other one. Both operations are in one block: that of the accesses, or
// the one of the loops and branches around them.
type order struct {
	from, to         *ir.Op
	fromPipe, toPipe sem.Pipe
	core             sem.Unit // of from
	// loop is the loop whose next round to belongs to; nil where to follows from in
	// the same run of the block.
	loop *ir.Op
}

// memory finds the orders between accesses of different cores to global memory.
// Different arguments count as different memory, as in the static proof.
func (w *work) memory() *refusal {
	var all []access
	for op := range w.f.Walk() {
		for _, e := range pto.Effects(op) {
			if e.Space == sem.GM {
				all = append(all, access{op, baseOf(e.Value), e.Kind&pto.Writes != 0})
			}
		}
	}
	for i, a := range all {
		for _, b := range all[i:] {
			if !a.writes && !b.writes || a.base != b.base {
				continue
			}
			ua, ub := w.unit[a.op], w.unit[b.op]
			switch {
			case ua == ub:
			case ua == sem.AnyUnit || ub == sem.AnyUnit:
				return refuse(b.op, "and '%s' use the same global memory, one of them on both cores; only loads and stores of tiles are ordered by signals", a.op.Name())
			default:
				w.orderPair(a.op, b.op)
			}
		}
	}
	w.orders = slices.DeleteFunc(w.orders, func(o *order) bool {
		return slices.ContainsFunc(w.orders, func(p *order) bool { return p != o && p.implies(o) })
	})
	if n := 2*len(w.cross) + len(w.orders); n > sem.Signals {
		return refuse(w.f, "needs %d signals for %d queues and %d orders in global memory, but a block has %d", n, len(w.cross), len(w.orders), sem.Signals)
	}
	return nil
}

// baseOf returns what a view or pointer into global memory starts from.
func baseOf(v *ir.Value) *ir.Value {
	for v.Op() != nil && v.Op().NumOperands() > 0 {
		v = v.Op().Operand(0)
	}
	return v
}

// orderPair adds the orders of two accesses, the first of which is first in the text:
// in one run of their common block, and from one round of their common loop to
// the next.
func (w *work) orderPair(a, b *ir.Op) {
	block := a.Block()
	for block.Parent() != nil && !inside(b, block) {
		block = block.Parent().Block()
	}
	if x, y := topIn(a, block), topIn(b, block); x != y {
		w.addOrder(&order{from: x, to: y, fromPipe: w.pipe(a), toPipe: w.pipe(b), core: w.unit[a]})
	}
	for block.Parent() != w.f && !block.Parent().Is(scf.For) {
		block = block.Parent().Block()
	}
	if loop := block.Parent(); loop != w.f {
		w.addOrder(&order{from: topIn(b, block), to: topIn(a, block), fromPipe: w.pipe(b), toPipe: w.pipe(a), core: w.unit[b], loop: loop})
	}
}

// pipe returns the pipe of an access.
func (w *work) pipe(op *ir.Op) sem.Pipe { return pto.PipeFor(op, w.target) }

// addOrder adds an order that is not there yet.
func (w *work) addOrder(o *order) {
	if !slices.ContainsFunc(w.orders, func(p *order) bool { return *p == *o }) {
		w.orders = append(w.orders, o)
	}
}

// implies reports whether o follows from p: p starts at the same operation or a later
// one, and ends at the same or an earlier one.
func (p *order) implies(o *order) bool {
	if p.loop != o.loop || p.core != o.core || p.fromPipe != o.fromPipe || p.toPipe != o.toPipe ||
		p.from.Block() != o.from.Block() || p.from == o.from && p.to == o.to {
		return false
	}
	return (p.from == o.from || o.from.Before(p.from)) && (p.to == o.to || p.to.Before(o.to))
}

// inside reports whether op is in a block or in an operation of it.
func inside(op *ir.Op, b *ir.Block) bool {
	for ; op != nil; op = op.Parent() {
		if op.Block() == b {
			return true
		}
	}
	return false
}

// topIn returns the operation of a block that is op or has it inside.
func topIn(op *ir.Op, b *ir.Block) *ir.Op {
	for op.Block() != b {
		op = op.Parent()
	}
	return op
}
