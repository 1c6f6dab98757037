// This file plans communication between cores and ranks through global memory: copies
// between tensors, and signals that a kernel raises, waits for or tests.

package runtime

import (
	"fmt"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Communication between ranks. The memory of all ranks is in one address space
// (ranks.go), so every copy is done at once, by the core that executes it. Only
// waiting for a signal can take time: until another core of the launch raises it.

// tensor is a view operand of a communication instruction. It is accessed as a flat
// sequence of elements in row-major order.
type tensor struct {
	pointee
	// at is the slot of the view, size the bytes of an element, and f its format.
	at   slot
	size int
	f    num.Format
}

// commView returns the tensor for the view operand o. It reports an error and returns nil
// if o is not a view of numbers.
func (p *planner) commView(op *ir.Op, o sem.Operand, how access) *tensor {
	f, ok := ir.FormatOf(ir.ElementType(o.Type()))
	if p.classOf(o.Type()) != viewClass || !ok {
		p.errorf(op, "works on %s, which pto-run cannot execute", o.Type())
		return nil
	}
	_, size := p.viewShape(op, o.Type())
	return &tensor{pointee: newPlace(op, o.Name, how), at: p.slot(o.Value), size: size, f: f}
}

// elements returns the number of elements of the view.
func (t *tensor) elements(fr *frame) int { return wholeView.length(&fr.w[t.at]) }

// element returns the bytes of element i, or a fault if they are out of bounds.
func (t *tensor) element(fr *frame, i int) ([]byte, *Fault) {
	return t.bytes(fr.core, t.address(fr, i), t.size)
}

// address returns the address of element i.
func (t *tensor) address(fr *frame, i int) uint64 {
	w := &fr.w[t.at]
	return w.addr + uint64(wholeView.offset(w, i)*int64(t.size))
}

// copyElements copies n elements between two views. If dst combines, it adds them.
func copyElements(fr *frame, dst, src *tensor, to, from, n int) *Fault {
	for i := range n {
		a, f := src.element(fr, from+i)
		if f != nil {
			return f
		}
		b, f := dst.element(fr, to+i)
		if f != nil {
			return f
		}
		if dst.combines && fr.core.lin != nil {
			fr.core.lin.combine(atomic{dst.f, scalar.Add}, b, a)
			continue
		}
		if dst.combines {
			x, _ := scalar.Add.Eval2(dst.f, num.Load(dst.f, b), num.Load(dst.f, a)) // sums have no errors
			num.Store(dst.f, b, x)
			continue
		}
		copy(b, a)
	}
	return nil
}

// commCopy returns the step that copies elements from one view to another, possibly
// between ranks.
func (p *planner) commCopy(op *ir.Op, _ sem.CommCopy) step {
	d := sem.CommMoveOf(op)
	dst, src := p.commView(op, d.Dst, writes), p.commView(op, d.Src, reads)
	if dst == nil || src == nil {
		return nil
	}
	dst.combines = d.Add
	return func(fr *frame) *Fault {
		n := src.elements(fr)
		if have := dst.elements(fr); have != n {
			return faultAt(op, "copies %d elements to %d", n, have)
		}
		return copyElements(fr, dst, src, 0, 0, n)
	}
}

// commNotify returns the step that raises a signal in memory: it stores or adds a value.
func (p *planner) commNotify(op *ir.Op, _ sem.CommNotify) step {
	d := sem.CommNotifyOf(op)
	signal, value := p.commView(op, d.Signal, writes), p.slot(d.Value.Value)
	if signal == nil {
		return nil
	}
	signal.combines = d.Add
	return func(fr *frame) *Fault {
		for i := range signal.elements(fr) {
			b, f := signal.element(fr, i)
			if f != nil {
				return f
			}
			x := fr.x[value]
			if r := fr.core.rec; r != nil {
				r.signal = Signal{Value: num.Int(signal.f, x&signal.f.Mask()), Add: d.Add}
			}
			if d.Add {
				x += num.Load(signal.f, b)
			}
			num.Store(signal.f, b, x&signal.f.Mask())
			fr.core.cluster.launch.note(fr.core, op, signal.address(fr, i))
		}
		return nil
	}
}

// commWait returns the step that waits for a signal in memory, or that tests it without
// waiting.
func (p *planner) commWait(op *ir.Op, kind sem.CommWait) step {
	p.together = true
	d := sem.CommWaitOf(op)
	signal, value := p.commView(op, d.Signal, reads), p.slot(d.Value.Value)
	fulfils, ok := comparisons[d.Compare]
	switch {
	case signal == nil:
		return nil
	case !ok:
		p.errorf(op, "uses a comparison that cannot be executed yet")
		return nil
	}
	w := &signalWait{op: op, signal: signal, value: value, compare: d.Compare, fulfils: fulfils}
	if kind.Test {
		d := p.slot(op.Result(0))
		return func(fr *frame) *Fault {
			missing, f := w.missing(fr)
			if fr.x[d] = 0; missing < 0 {
				fr.x[d] = 1
				w.seen(fr)
			}
			if f != nil {
				return f
			}
			return w.asked(fr, missing)
		}
	}
	return w.wait
}

// signalWait is an instruction that compares the elements of a signal with a value.
type signalWait struct {
	op      *ir.Op
	signal  *tensor
	value   slot
	compare string
	fulfils func(a, b int64) bool
}

// missing returns the index of the first signal element that does not satisfy the
// comparison, or -1 if all do.
func (w *signalWait) missing(fr *frame) (int, *Fault) {
	for i := range w.signal.elements(fr) {
		b, f := w.signal.element(fr, i)
		if f != nil {
			return i, f
		}
		if !w.fulfils(num.Int(w.signal.f, num.Load(w.signal.f, b)), w.wanted(fr)) {
			return i, nil
		}
	}
	return -1, nil
}

// wanted returns the value that the instruction compares with.
func (w *signalWait) wanted(fr *frame) int64 { return num.Int(w.signal.f, fr.x[w.value]) }

// wait suspends the core until the signal satisfies the comparison. In a launch with
// several ranks, it also yields if the signal is already set. Other ranks can then run
// ahead and raise a later signal in the same word too early, which makes this error
// visible.
func (w *signalWait) wait(fr *frame) *Fault {
	c := fr.core
	if c.task != nil && c.cluster.launch.shared() {
		if f := c.pause(); f != nil {
			return f
		}
	}
	var fault *Fault
	ready := func() bool {
		missing, f := w.missing(fr)
		fault = f
		return missing < 0 || f != nil
	}
	if f := c.await(ready, func() *Fault { return w.forever(fr) }); f != nil {
		return f
	}
	w.seen(fr)
	return fault
}

// seen records that the signal has the value that the instruction waits for.
func (w *signalWait) seen(fr *frame) {
	if r := fr.core.rec; r != nil {
		r.signal = Signal{Value: w.wanted(fr), Fulfils: w.fulfils, Compare: w.compare}
	}
}

// mostPolls is the number of unsuccessful tests of a signal, without progress on any
// other core, after which the runtime assumes that the core waits forever.
const mostPolls = 1 << 16

// asked lets other ranks run after a test of a signal failed. A kernel that tests in a
// loop thus makes progress possible; a kernel that tests a limited number of times
// continues afterwards.
func (w *signalWait) asked(fr *frame, missing int) *Fault {
	c := fr.core
	if missing < 0 {
		c.polls = 0
		return nil
	}
	if c.task == nil || !c.cluster.launch.shared() {
		return nil
	}
	if c.polls++; c.polls < mostPolls {
		c.task.sched.progress++
	}
	c.task.forever = func() *Fault { return w.forever(fr) }
	if !c.task.yield(struct{}{}) {
		return stopped()
	}
	return nil
}

// forever returns the fault of a wait that never ends. If possible, it names the ranks
// that have raised the signal.
func (w *signalWait) forever(fr *frame) *Fault {
	l := fr.core.cluster.launch
	f := faultAt(w.op, "waits for a signal that is never raised: %s would wait forever", fr.core)
	i, _ := w.missing(fr)
	if len(l.ranks) == 1 || i < 0 {
		return f
	}
	at := w.signal.address(fr, i)
	b, _ := w.signal.element(fr, i)
	buf, off := globalPlace(at)
	state := fmt.Sprintf("%s of gm buffer %s must be %s %d, but is %d",
		span(off, w.signal.size), fr.core.bufferName(buf), w.compare, w.wanted(fr), num.Int(w.signal.f, num.Load(w.signal.f, b)))
	f.Text = fmt.Sprintf("waits for a signal that is never raised: %s; rank %d would wait forever", state, fr.core.cluster.rank.number)
	f.waitsFor = ": " + state
	raised := l.raised[at]
	for _, r := range raised {
		f.note(r.loc, "rank %d has raised the signal here, %s", r.rank, times(r.times))
	}
	if len(raised) == 0 {
		f.waitsFor += ", and no rank has raised it"
		f.note(w.op.Loc(), "no rank has raised the signal")
	}
	return f
}

// times returns n as "once" or "n times".
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// raising records that an instruction of a rank has raised a signal a number of times.
type raising struct {
	rank, times int
	loc         ir.Loc
}

// note records which rank has raised the signal at an address. Faults about waits between
// ranks show this information.
func (l *launch) note(c *core, op *ir.Op, at uint64) {
	if !l.shared() {
		return
	}
	if l.raised == nil {
		l.raised = map[uint64][]raising{}
	}
	rank, loc := c.cluster.rank.number, op.Loc()
	for i := range l.raised[at] {
		if r := &l.raised[at][i]; r.rank == rank && r.loc == loc {
			r.times++
			return
		}
	}
	l.raised[at] = append(l.raised[at], raising{rank, 1, loc})
}

// comparisons are the comparisons of a signal with a value, by their names in the
// dialect.
var comparisons = map[string]func(a, b int64) bool{
	"eq": func(a, b int64) bool { return a == b },
	"ne": func(a, b int64) bool { return a != b },
	"gt": func(a, b int64) bool { return a > b },
	"ge": func(a, b int64) bool { return a >= b },
	"lt": func(a, b int64) bool { return a < b },
	"le": func(a, b int64) bool { return a <= b },
}

// commEvent returns the step that tests whether an asynchronous copy is complete. In
// this runtime it always is, because the copy executes at once.
func (p *planner) commEvent(op *ir.Op, _ sem.CommEvent) step {
	d := p.slot(op.Result(0))
	return func(fr *frame) *Fault { fr.x[d] = 1; return nil }
}
