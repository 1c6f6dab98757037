// This file inserts the flags and barriers for the edges into the program.

package insertsync

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// writer inserts the synchronization for edges into the program. Each inserted operation
// belongs before or after an instruction of the program. Between two consecutive
// instructions, writer first inserts the operations that belong after the first
// instruction, and then those that belong before the second one.
type writer struct {
	before, after map[*ir.Op][]func(b *ir.Builder)
	order         []*ir.Op
	seen, cached  map[*ir.Op]bool
	// fresh are the loads that must read memory instead of the data cache.
	fresh []*ir.Op
	// unit is the kind of core for which synchronization is currently inserted.
	unit sem.Unit
	// others is the inserted synchronization that does not implement an edge.
	others []*other
}

func newWriter() *writer {
	return &writer{before: map[*ir.Op][]func(*ir.Builder){}, after: map[*ir.Op][]func(*ir.Builder){}, seen: map[*ir.Op]bool{}, cached: map[*ir.Op]bool{}}
}

func (w *writer) at(m map[*ir.Op][]func(*ir.Builder), op *ir.Op, f func(b *ir.Builder)) {
	if !w.seen[op] {
		w.seen[op] = true
		w.order = append(w.order, op)
	}
	if s := sectionFor(w.unit); s != nil && f != nil && op.ParentOf(s) == nil {
		inner := f
		f = func(b *ir.Builder) {
			body := ir.NewBlock()
			inner(ir.AtEnd(body, op.Loc()))
			b.Create(ir.State{Def: s, Regions: []*ir.Region{ir.NewRegion(body)}})
		}
	}
	m[op] = append(m[op], f)
}

// sectionFor returns the definition of the section for one kind of core. It returns nil
// if the code runs on all kinds of cores, since no section is needed then.
func sectionFor(u sem.Unit) *ir.Def {
	switch u {
	case sem.CubeUnit:
		return isabase.SectionCube
	case sem.VectorUnit:
		return isabase.SectionVector
	}
	return nil
}

func (w *writer) in(op *ir.Op, f func(b *ir.Builder)) { w.at(w.before, op, f) }
func (w *writer) placeAfter(op *ir.Op, f func(b *ir.Builder)) {
	w.at(w.after, op, f)
}

func (w *writer) flush() {
	for _, op := range w.order {
		b := ir.AtEnd(op.Block(), op.Loc())
		if next := op.Next(); next != nil {
			b = ir.Before(next)
		}
		for _, f := range w.after[op] {
			f(b)
		}
	}
	for _, op := range w.order {
		for _, f := range w.before[op] {
			f(ir.Before(op))
		}
	}
	for _, op := range w.fresh { // after all that the load waits for
		dcci(ir.Before(op), op)
	}
}

// block inserts the synchronization for the edges of a block, and afterwards for the
// edges of its nested blocks. This order is necessary: a wait before a loop must precede
// the flags that are raised for the first iteration of the loop, since these flags rely
// on the wait.
func (w *writer) block(b *blk) {
	if b.walled {
		w.wallBefore(b.block.First(), "the order of its blocks or iterations is not analyzed, so each block starts when all earlier work is done")
	}
	for _, e := range b.edges {
		w.edge(b, e)
	}
	for _, n := range b.nodes {
		if n.stop {
			const why = "calls and code for both kinds of core are not examined: all earlier work finishes first, and all later work starts afterwards"
			w.wallBefore(n.op, why)
			w.wallBehind(n.op, why)
		}
		for _, k := range n.bodies {
			w.block(k)
		}
	}
}

func (w *writer) edge(b *blk, e *edge) {
	from, to := b.nodes[e.from].op, b.nodes[e.to].op
	switch {
	case e.all:
		w.in(to, func(b *ir.Builder) { e.ops = append(e.ops, makeBarrier(b, sem.PipeAll)) })
		return
	case e.barrier():
		w.in(to, func(b *ir.Builder) { e.ops = append(e.ops, makeBarrier(b, e.src.Pipe())) })
		return
	}
	set := flag{e, isasync.SetFlag, isasync.SetFlagDyn}
	wait := flag{e, isasync.WaitFlag, isasync.WaitFlagDyn}
	w.placeAfter(from, func(b *ir.Builder) { set.slot(b, from, e.fromSlot) })
	w.in(to, func(b *ir.Builder) { wait.slot(b, to, e.toSlot) })
	if e.dist > 0 && !e.joined {
		b := e.outer(b)
		w.in(b.op, func(x *ir.Builder) { set.open(x, b.loop, false) })
		w.first(b.op, func(x *ir.Builder) { wait.open(x, b.loop, true) })
	}
}

// first inserts the operations that f creates directly after op. Earlier calls may have
// inserted operations at the same position; the new operations precede them.
func (w *writer) first(op *ir.Op, f func(b *ir.Builder)) {
	w.placeAfter(op, f)
	fs := w.after[op]
	last := fs[len(fs)-1]
	copy(fs[1:], fs)
	fs[0] = last
}

func makeBarrier(b *ir.Builder, p sem.Pipe) *ir.Op {
	return b.Create(ir.State{Def: isasync.Barrier, Attrs: []ir.NamedAttr{{Name: "pipe", Attr: pipeAttr(p)}}})
}

func pipeAttr(p sem.Pipe) ir.Attr { return pto.PipeEnum.Attr(p.String()) }

// flag inserts the operations for one end of an edge: either the raises or the waits. The
// field fixed is the definition of the instruction that accepts a constant event ID. The
// field computed is the definition of the instruction that accepts an event ID in a
// register.
type flag struct {
	*edge
	fixed, computed *ir.Def
}

func (f flag) pipes() []ir.NamedAttr {
	return []ir.NamedAttr{{Name: "src_pipe", Attr: pipeAttr(f.src.Pipe())}, {Name: "dst_pipe", Attr: pipeAttr(f.dst.Pipe())}}
}

func (f flag) number(b *ir.Builder, id int64) {
	a, _ := pto.EventIDEnum.ByValue(id)
	op := b.Create(ir.State{Def: f.fixed, Attrs: append(f.pipes(), ir.NamedAttr{Name: "event_id", Attr: pto.EventIDEnum.Attr(a.Keyword())})})
	f.ops = append(f.ops, op)
}

// slot inserts one instruction at the position of the builder b, before the operation op:
// the instruction that raises the flag f or waits for it in each iteration of a loop. If
// the flag uses several events in turn, the ring r computes the number of the event for
// the current iteration.
func (f flag) slot(b *ir.Builder, op *ir.Op, r *ring) {
	switch {
	case f.slots == 0:
		f.number(b, f.ids[0])
	case dominates(r.value, op):
		f.dynamic(b, r.value)
	default:
		f.dynamic(b, r.at(b, r.index))
	}
}

// dominates reports whether v is defined whenever op runs.
func dominates(v *ir.Value, op *ir.Op) bool {
	if v == nil {
		return false
	}
	for ; op != nil; op = op.Parent() {
		if op.Block() == v.Block() {
			return v.Op() == nil || v.Op().Before(op)
		}
	}
	return false
}

// dynamic inserts one instruction for the flag f of a ring buffer, which has one event
// for each slot. Depending on f, the instruction raises the event or waits for it. The
// parameter slot is the slot number, which selects the event. If the slot number is a
// constant, the instruction has a constant event number. If it is not, the event number
// is an operand, which is known only at run time.
func (f flag) dynamic(b *ir.Builder, slot *ir.Value) {
	if n, ok := arith.ConstantInt(slot); ok {
		f.number(b, f.ids[n])
		return
	}
	if f.ids[0] > 0 {
		slot = calc(b, arith.AddI, slot, arith.Index(b, f.ids[0]))
	}
	f.ops = append(f.ops, b.Create(ir.State{Def: f.computed, Operands: []*ir.Value{slot}, Attrs: f.pipes()}))
}

// open inserts operations of flag f outside of loop l. A flag that a loop carries is
// raised before the loop, because its first iterations wait for it. It is awaited after
// the loop, because its last iterations raise it. If the parameter pastEnd is false, open
// inserts the raises before the loop. If it is true, open inserts the waits after the
// loop.
func (f flag) open(b *ir.Builder, l *loop, pastEnd bool) {
	if f.slots == 0 {
		f.number(b, f.ids[0])
		return
	}
	if int64(f.dist) == f.slots {
		for _, id := range f.ids {
			f.number(b, id)
		}
		return
	}
	r := f.toSlot
	for j := range int64(f.dist) {
		f.dynamic(b, r.inRound(b, l, j, pastEnd))
	}
}

func calc(b *ir.Builder, def *ir.Def, x, y *ir.Value) *ir.Value {
	return b.Create(ir.State{Def: def, Operands: []*ir.Value{x, y}, Results: []ir.Type{x.Type()}}).Result(0)
}

// at emits, at the position of the builder b, the number of the slot that an index
// selects in the ring. It reuses a value of the program if a suitable value is defined at
// this position.
func (r *ring) at(b *ir.Builder, index sum) *ir.Value {
	if c, ok := index.constant(); ok {
		return arith.Index(b, mod(c/r.den, r.count))
	}
	v := arith.Index(b, index.c)
	for i, t := range index.terms {
		x := t.v
		if r.rounds != nil {
			x = calc(b, arith.DivUI, calc(b, arith.SubI, x, r.rounds.Arg("lowerBound")), r.rounds.Arg("step"))
		}
		x = asIndex(b, x)
		if t.k != 1 {
			x = calc(b, arith.MulI, x, arith.Index(b, t.k))
		}
		if i == 0 && index.c == 0 {
			v = x
		} else {
			v = calc(b, arith.AddI, v, x)
		}
	}
	if r.den != 1 {
		v = calc(b, arith.DivUI, v, arith.Index(b, r.den))
	}
	return calc(b, arith.RemUI, v, arith.Index(b, r.count))
}

func mod(a, n int64) int64 { return (a%n + n) % n }

// inRound emits code that computes the slot number of the ring in an iteration of loop l.
// j is the number of the iteration. If the parameter pastEnd is not set, the first
// iteration has the number 0. If pastEnd is set, 0 is the iteration that would follow the
// last one, so the last one is -1.
func (r *ring) inRound(b *ir.Builder, l *loop, j int64, pastEnd bool) *ir.Value {
	k := r.index.factor(l.iv)
	rest := r.index.plus(sum{ok: true, terms: []summand{{l.iv, 1}}}, -k)
	lo := l.op.Arg("lowerBound")
	switch {
	case r.rounds != nil && !pastEnd:
		return r.at(b, rest.plus(number(j), k))
	case r.rounds != nil:
		v := calc(b, arith.AddI, asIndex(b, l.rounds(b)), arith.Index(b, rest.c+k*j))
		return calc(b, arith.RemUI, v, arith.Index(b, r.count))
	case pastEnd && l.bounded:
		rest = rest.plus(number(l.hi+(j+1)*l.step), k)
	case !pastEnd:
		rest = rest.plus(sumOf(lo), k).plus(number(j*l.step), k)
	default:
		rest = rest.plus(sum{ok: true, terms: []summand{{l.end(b), 1}}}, k).plus(number(j*l.step), k)
	}
	return r.at(b, rest)
}

// end emits code that computes the first value of the loop counter for which the loop
// does not execute. This is the lower bound plus the product of the number of iterations
// and the step. It returns this value.
func (l *loop) end(b *ir.Builder) *ir.Value {
	lo, hi, step := l.op.Arg("lowerBound"), l.op.Arg("upperBound"), l.op.Arg("step")
	if l.step == 1 {
		return calc(b, arith.MaxSI, lo, hi)
	}
	return calc(b, arith.AddI, lo, calc(b, arith.MulI, l.rounds(b), step))
}

// rounds emits code that computes the number of iterations of the loop.
func (l *loop) rounds(b *ir.Builder) *ir.Value {
	lo, hi, step := l.op.Arg("lowerBound"), l.op.Arg("upperBound"), l.op.Arg("step")
	n := calc(b, arith.CeilDivSI, calc(b, arith.SubI, hi, lo), step)
	return calc(b, arith.MaxSI, n, arith.Int(b, lo.Type(), 0))
}

func asIndex(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Type() == ir.Index {
		return v
	}
	return b.Create(ir.State{Def: arith.IndexCast, Operands: []*ir.Value{v}, Results: []ir.Type{ir.Index}}).Result(0)
}
