// This file orders accesses to global memory across cores.

package splitcores

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/lower/axes"
)

// access describes one operation that reads or writes global memory.
type access struct {
	op *ir.Op
	// base is the argument or address from which the view is derived.
	base   *ir.Value
	writes bool
}

// order is a required order between two accesses, from and to, on different cores. The
// access in the field from must be complete on its core before the access in the field to
// starts on the other core. Both fields are operations of one block: the accesses
// themselves, or the loops and branches that contain them.
type order struct {
	from, to         *ir.Op
	fromPipe, toPipe sem.Pipe
	// core is the kind of core that executes the first access, the field from.
	core sem.Unit
	// loop, if not nil, is a loop: the access in the field to, in the next iteration of
	// that loop, must wait for the access in the field from. If loop is nil, both
	// accesses are in the same execution of the block.
	loop *ir.Op
}

// accesses returns all accesses of the function to global memory, in program order.
func (w *work) accesses() []access {
	var all []access
	for op := range w.f.Walk() {
		for _, e := range pto.Effects(op) {
			if e.Space == sem.GM {
				all = append(all, access{op, baseOf(e.Value), e.Kind&pto.Writes != 0})
			}
		}
	}
	return all
}

// memory finds pairs of accesses to global memory by different cores that must be
// executed in a certain order, and stores these orders in w.orders. Two pointers that are
// different arguments of the function are assumed to refer to different memory. memory
// returns the reason why it cannot order the accesses, or nil.
func (w *work) memory() *refusal {
	all := w.accesses()
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
			case !onPipe(w.pipe(a.op)) || !onPipe(w.pipe(b.op)):
				return refuse(b.op, "and '%s' use the same global memory on different cores, but one of them works in several pipes, for which there is no signal", a.op.Name())
			default:
				w.orderPair(a.op, b.op)
			}
		}
	}
	w.orders = slices.DeleteFunc(w.orders, func(o *order) bool {
		return slices.ContainsFunc(w.orders, func(p *order) bool { return p != o && p.implies(o) })
	})
	return w.assign()
}

// baseOf returns the value from which the view or pointer v is derived: it follows the
// first operand of each operation until it reaches a function argument or an operation
// without operands.
func baseOf(v *ir.Value) *ir.Value {
	for v.Op() != nil && v.Op().NumOperands() > 0 {
		v = v.Op().Operand(0)
	}
	return v
}

// orderPair adds the required orders between two accesses, where a precedes b in the
// text: within one execution of their common block, and from one iteration of their
// common loop to the next.
func (w *work) orderPair(a, b *ir.Op) {
	block := a.Block()
	for block.Parent() != nil && !inside(b, block) {
		block = block.Parent().Block()
	}
	if x, y := block.Ancestor(a), block.Ancestor(b); x != y {
		w.addOrder(&order{from: x, to: y, fromPipe: w.pipe(a), toPipe: w.pipe(b), core: w.unit[a]})
	}
	for block.Parent() != w.f && !block.Parent().Is(scf.For) {
		block = block.Parent().Block()
	}
	if loop := block.Parent(); loop != w.f {
		w.addOrder(&order{from: block.Ancestor(b), to: block.Ancestor(a), fromPipe: w.pipe(b), toPipe: w.pipe(a), core: w.unit[b], loop: loop})
	}
}

// pipe returns the pipe that executes an access.
func (w *work) pipe(op *ir.Op) sem.Pipe { return pto.PipeFor(op, w.target) }

// onPipe reports whether a signal can be raised by or waited for on pipe p, which must be
// a single pipe.
func onPipe(p sem.Pipe) bool { return p != sem.NoPipe && p != sem.PipeAll }

// addOrder adds the required order o unless an equal one exists already.
func (w *work) addOrder(o *order) {
	if !slices.ContainsFunc(w.orders, func(p *order) bool { return *p == *o }) {
		w.orders = append(w.orders, o)
	}
}

// implies reports whether the required order p makes the required order o redundant. An
// order requires that the access from on one core is complete before the access to on the
// other core starts. The order p implies o if three conditions hold: both connect the
// same pipes, p.from is o.from or follows it, and p.to is o.to or precedes it. Then
// o.from is complete before p.from, and o.to starts after p.to.
func (p *order) implies(o *order) bool {
	if p.loop != o.loop || p.core != o.core || p.fromPipe != o.fromPipe || p.toPipe != o.toPipe ||
		p.from.Block() != o.from.Block() || p.from == o.from && p.to == o.to {
		return false
	}
	return (p.from == o.from || o.from.Before(p.from)) && (p.to == o.to || p.to.Before(o.to))
}

// inside reports whether op is in block b, directly or nested.
func inside(op *ir.Op, b *ir.Block) bool {
	for ; op != nil; op = op.Parent() {
		if op.Block() == b {
			return true
		}
	}
	return false
}

// coresAgree checks that the two vector cores need no order between them, because the
// pass cannot insert one: neither core may access global memory that the other one
// writes. The parameter of is a map that contains, for each tile, the way in which the
// two cores divide it. Two accesses of divided tiles are safe if the tiles have the same
// size along the divided axis and their offsets in global memory are multiples of this
// size. Each core then accesses its own half of the rows only. coresAgree returns the
// reason for a failure, or nil.
func (w *work) coresAgree(of map[*ir.Value]share) *refusal {
	var all []access
	for _, a := range w.accesses() {
		if w.unit[a.op] == sem.VectorUnit {
			all = append(all, a)
		}
	}
	for i, a := range all {
		for k, b := range all[i:] {
			if !a.writes && !b.writes || a.base != b.base || k == 0 && !inLoop(a.op) {
				continue
			}
			if a.writes && b.writes && of[axes.TileAt(a.op)] == unshared && of[axes.TileAt(b.op)] == unshared {
				continue // the first core alone stores
			}
			if !sameHalves(a.op, b.op, of) {
				if !a.writes {
					return refuse(b.op, "may write rows that '%s' of the other vector core reads; with row counts known at run time, results need an argument of their own", a.op.Name())
				}
				return refuse(b.op, "may use rows that '%s' of the other vector core writes", a.op.Name())
			}
		}
	}
	return nil
}

// inLoop reports whether op is in a loop.
func inLoop(op *ir.Op) bool {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if p.Is(scf.For) {
			return true
		}
	}
	return false
}

// sameHalves compares the accesses a and b, which the vector cores divide between
// themselves. It reports whether the rows that one vector core accesses in a are
// certainly different from the rows that the other vector core accesses in b. The map
// contains, for each tile, the way in which the two cores divide it.
func sameHalves(a, b *ir.Op, of map[*ir.Value]share) bool {
	var dims [2]int
	var rows [2]int64
	var views [2]*ir.Op
	for i, op := range []*ir.Op{a, b} {
		view, tile := axes.ViewOf(op), axes.TileAt(op)
		if view == nil || of[tile] == unshared {
			return false
		}
		e := divided(tile.Type(), of[tile])
		if !e.both() && !writesMemory(op) {
			return false // a core without rows loads one of the other core
		}
		dims[i], views[i], rows[i] = axes.DividedDim(view, tile, of[tile]), view.Op(), e.size
	}
	if views[0].Arg("source") != views[1].Arg("source") || dims[0] != dims[1] || rows[0] != rows[1] {
		return false
	}
	x, y := views[0].Args("offsets")[dims[0]], views[1].Args("offsets")[dims[1]]
	return multiple(x, rows[0]) && multiple(y, rows[0]) || x == y && !inLoop(a) && !inLoop(b)
}

// multiple reports whether an integer value is certainly a multiple of n.
func multiple(v *ir.Value, n int64) bool {
	if c, ok := arith.ConstantInt(v); ok {
		return c%n == 0
	}
	if v.IsBlockArg() {
		loop := v.Block().Parent()
		return loop.Is(scf.For) && v.Index() == 0 && multiple(loop.Arg("lowerBound"), n) && multiple(loop.Arg("step"), n)
	}
	switch op := v.Op(); {
	case op.Is(arith.MulI):
		return multiple(op.Operand(0), n) || multiple(op.Operand(1), n)
	case op.Is(arith.AddI), op.Is(arith.SubI):
		return multiple(op.Operand(0), n) && multiple(op.Operand(1), n)
	}
	return false
}
