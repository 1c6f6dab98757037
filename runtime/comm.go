package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Communication between ranks. A launch is one rank; the views that belong to
// other ranks are arguments like others, whose memory is here too. So every
// copy is done where it stands, and only waiting for a signal can take time:
// until another block of the launch raises it.

// tensor is an operand that is a view: elements counted through all its
// dimensions.
type tensor struct {
	pointee
	at   slot
	size int
	f    num.Format
}

// commView prepares a view operand.
func (p *planner) commView(op *ir.Op, o sem.Operand, how access) *tensor {
	f, ok := ir.FormatOf(ir.ElementType(o.Type()))
	if p.classOf(o.Type()) != viewClass || !ok {
		p.errorf(op, "works on %s, which cannot be executed yet", o.Type())
		return nil
	}
	_, size := p.viewShape(op, o.Type())
	return &tensor{pointee: newPlace(op, o.Name, how), at: p.slot(o.Value), size: size, f: f}
}

// elements is how many elements the view has.
func (t *tensor) elements(fr *frame) int { return wholeView.length(&fr.w[t.at]) }

// element returns the storage of element i.
func (t *tensor) element(fr *frame, i int) ([]byte, *Fault) {
	w := &fr.w[t.at]
	return t.bytes(fr.core, w.addr+uint64(wholeView.offset(w, i)*int64(t.size)), t.size)
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
		if dst.combines {
			x, _ := scalar.Add.Eval2(dst.f, num.Load(dst.f, b), num.Load(dst.f, a)) // sums have no errors
			num.Store(dst.f, b, x)
			continue
		}
		copy(b, a)
	}
	return nil
}

// commCopy returns the step that copies from view to view.
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

// commNotify returns the step that raises a signal.
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
			if d.Add {
				x += num.Load(signal.f, b)
			}
			num.Store(signal.f, b, x&signal.f.Mask())
		}
		return nil
	}
}

// commWait returns the step that waits for a signal, or asks for it.
func (p *planner) commWait(op *ir.Op, kind sem.CommWait) step {
	p.together = true
	d := sem.CommWaitOf(op)
	signal, value := p.commView(op, d.Signal, reads), p.slot(d.Value.Value)
	fulfils, ok := comparisons[d.Compare]
	switch {
	case signal == nil:
		return nil
	case !ok:
		p.errorf(op, "compares in a way that cannot be executed yet")
		return nil
	}
	all := func(fr *frame) (bool, *Fault) {
		for i := range signal.elements(fr) {
			b, f := signal.element(fr, i)
			if f != nil {
				return false, f
			}
			if !fulfils(num.Int(signal.f, num.Load(signal.f, b)), num.Int(signal.f, fr.x[value])) {
				return false, nil
			}
		}
		return true, nil
	}
	if kind.Test {
		d := p.slot(op.Result(0))
		return func(fr *frame) *Fault {
			yes, f := all(fr)
			if fr.x[d] = 0; yes {
				fr.x[d] = 1
			}
			return f
		}
	}
	return func(fr *frame) *Fault {
		var fault *Fault
		ready := func() bool {
			yes, f := all(fr)
			fault = f
			return yes || f != nil
		}
		if f := fr.core.await(ready, func() *Fault {
			return faultAt(op, "waits for a signal that is never given: %s would wait forever", fr.core)
		}); f != nil {
			return f
		}
		return fault
	}
}

var comparisons = map[string]func(a, b int64) bool{
	"eq": func(a, b int64) bool { return a == b },
	"ne": func(a, b int64) bool { return a != b },
	"gt": func(a, b int64) bool { return a > b },
	"ge": func(a, b int64) bool { return a >= b },
	"lt": func(a, b int64) bool { return a < b },
	"le": func(a, b int64) bool { return a <= b },
}

// commEvent returns the step that asks whether a copy has come to an end, which
// it has when it returns.
func (p *planner) commEvent(op *ir.Op, _ sem.CommEvent) step {
	d := p.slot(op.Result(0))
	return func(fr *frame) *Fault { fr.x[d] = 1; return nil }
}
