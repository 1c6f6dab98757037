// This file compiles communication between cores and ranks through global memory: copies
// between tensors, and signals that a kernel raises, waits for or tests.

package runtime

import (
	"fmt"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Communication between ranks (devices): the memory of all ranks is in one address space
// (ranks.go). The executing core therefore completes every copy at once. Only a wait for
// a signal can last: until another core of the launch raises the signal.

// tensor is a view operand (a strided tensor in global memory) of a communication
// instruction. Its elements are numbered in row-major order from 0, so that instructions
// can access a view of any rank as a flat sequence.
type tensor struct {
	pointee
	// at is the slot (frame index) of the view, size the number of bytes of an element,
	// and f its number format.
	at   slot
	size int
	f    num.Format
}

// commView returns the tensor for the view operand o of op. The parameter how states
// whether op reads or writes the view. If o is not a view of numbers, commView reports an
// error and returns nil.
func (p *planner) commView(op *ir.Op, o sem.Operand, how access) *tensor {
	f, ok := ir.FormatOf(ir.ElementType(o.Type()))
	if p.classOf(o.Type()) != viewClass || !ok {
		p.errorf(op, "has an operand or result of type %s, which pto-run does not support", o.Type())
		return nil
	}
	_, size := p.viewShape(op, o.Type())
	return &tensor{pointee: newPlace(op, o.Name, how), at: p.slot(o.Value), size: size, f: f}
}

// elements returns the number of elements of the view, which can differ between
// executions because the extents of a view can be dynamic.
func (t *tensor) elements(fr *frame) int { return wholeView.length(&fr.w[t.at]) }

// element returns the bytes of the element with row-major number i. It returns a fault if
// these bytes are outside the global buffer that the view points to.
func (t *tensor) element(fr *frame, i int) ([]byte, *Fault) {
	return t.bytes(fr.core, t.address(fr, i), t.size)
}

// address returns the byte address in global memory of the element with row-major number
// i.
func (t *tensor) address(fr *frame, i int) uint64 {
	w := &fr.w[t.at]
	return w.addr + uint64(wholeView.offset(w, i)*int64(t.size))
}

// copyElements copies n elements from the view src to the view dst. Elements are numbered
// in row-major order. from is the number of the first element to read, and to is the
// number of the first element to write. If dst.combines is set, copyElements adds the
// elements to the contents of dst instead. It returns a fault for an access outside a
// buffer.
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

// commCopy compiles a communication instruction into a step: a function that copies all
// elements of one view to another view. The views can belong to different ranks (devices
// of a launch). The step faults if the views have different numbers of elements.
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
			return faultAt(op, "copies %d elements, but the destination has %d elements", n, have)
		}
		return copyElements(fr, dst, src, 0, 0, n)
	}
}

// commNotify compiles op into a step, a function that raises a signal: it stores a value
// in each element of a view, or adds the value to each element.
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

// commWait compiles op into a step, the Go function that executes it. A signal is a view
// in global memory that another instruction writes to notify waiting cores. The step
// waits until each element of the signal satisfies a comparison with a value. If op only
// tests the signal, the step does not wait: it stores 1 in the result of op if the
// comparison is satisfied, and 0 if it is not.
func (p *planner) commWait(op *ir.Op, kind sem.CommWait) step {
	p.together = true
	d := sem.CommWaitOf(op)
	signal, value := p.commView(op, d.Signal, reads), p.slot(d.Value.Value)
	fulfils, ok := comparisons[d.Compare]
	switch {
	case signal == nil:
		return nil
	case !ok:
		p.errorf(op, "uses a comparison predicate that pto-run does not support yet")
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

// signalWait is an instruction that waits until each element of a signal satisfies a
// comparison with a value. A signal is a view in global memory that another instruction
// writes to notify waiting cores.
type signalWait struct {
	op      *ir.Op
	signal  *tensor
	value   slot
	compare string
	fulfils func(a, b int64) bool
}

// missing tests whether a wait can end. The instruction waits until each element of a
// tensor of signals satisfies a comparison with a given number. missing returns the index
// of the first element that does not yet satisfy it, or -1 if all elements do. It returns
// a fault if an element is outside its buffer.
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

// wanted returns the value with which the waiting instruction compares the elements of
// the signal. It reads this value from an operand, so it can differ between executions.
func (w *signalWait) wanted(fr *frame) int64 { return num.Int(w.signal.f, fr.x[w.value]) }

// wait suspends the core until the signal satisfies the comparison. In a launch with
// several ranks (devices), wait first lets the other ranks run, even if the comparison is
// already satisfied. The purpose is to expose a mistake of the program: another rank may
// write a second signal to the same memory before this core has read the first one. With
// this order of execution, the second signal overwrites the first one in the simulation,
// too.
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

// seen completes the current event, which describes a finished wait. It stores in the
// event the value that the wait expected and the comparison. Listeners of the launch,
// such as checkers and traces, use them.
func (w *signalWait) seen(fr *frame) {
	if r := fr.core.rec; r != nil {
		r.signal = Signal{Value: w.wanted(fr), Fulfils: w.fulfils, Compare: w.compare}
	}
}

// mostPolls limits how often a core can test a signal without success while all other
// cores make no progress. After this number of tests, the runtime reports that the core
// waits forever.
const mostPolls = 1 << 16

// asked handles the result of an instruction that tests a signal without waiting. The
// parameter missing is the index of the first element that does not satisfy the
// comparison, or -1 if the test succeeded. After a failed test, asked lets the other
// ranks run, so that a kernel that tests in a loop eventually sees the signal. After
// mostPolls failed tests in a row, a test no longer counts as progress, and the scheduler
// can report that the core waits forever.
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

// forever returns the fault for a wait that can never end, because all other cores are
// finished or waiting. If the ranks that have raised the signal are known, the fault
// names them.
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

// times returns the English text for n repetitions: "once" if n is 1, and for example "3
// times" if n is 3.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// raising records how many times an instruction of a rank has raised a signal in memory.
// Faults about waits list these records.
type raising struct {
	rank, times int
	loc         ir.Loc
}

// note records that the rank of core c has raised a signal with the instruction op. The
// parameter at is the memory address of the signal. Faults about waits between ranks list
// these records, so that users can find a signal that was sent to a wrong address.
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

// comparisons maps the name of a comparison in the dialect, such as "eq", to the function
// that compares the contents of a signal (a) with a value (b).
var comparisons = map[string]func(a, b int64) bool{
	"eq": func(a, b int64) bool { return a == b },
	"ne": func(a, b int64) bool { return a != b },
	"gt": func(a, b int64) bool { return a > b },
	"ge": func(a, b int64) bool { return a >= b },
	"lt": func(a, b int64) bool { return a < b },
	"le": func(a, b int64) bool { return a <= b },
}

// commEvent compiles a test for the completion of an asynchronous copy into a step, a
// function that always stores 1 (complete). This runtime executes the copy at once, so
// the copy is complete before any test of it.
func (p *planner) commEvent(op *ir.Op, _ sem.CommEvent) step {
	d := p.slot(op.Result(0))
	return func(fr *frame) *Fault { fr.x[d] = 1; return nil }
}
