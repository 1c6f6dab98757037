package runtime

import (
	"ptogo/ir"
	"ptogo/ir/num"
)

// Watcher is a listener that also hears of each operation before and after it
// executes, scalar ones too, and may end the launch. Between the two come the
// events of the operation, and where it waits also those of other cores.
//
// Operations with regions, calls and the ends of blocks are none: what they
// contain is.
type Watcher interface {
	Listener
	// Before comes when the operands of e.Op have their values. e has neither a
	// kind nor accesses. A text ends the launch with a fault of that text.
	Before(e *Event) (stop string)
	// After comes when the results have their values, too.
	After(e *Event)
}

// withWatchers makes the step of an operation call the watchers, if there are any.
func (p *planner) withWatchers(op *ir.Op, s step) step {
	if !p.watching() || p.failed || s == nil || len(op.Regions()) > 0 {
		return s
	}
	o, pipe := p.newOpPlan(op), p.eventPipe(op)
	return func(fr *frame) *Fault {
		r := fr.core.rec
		e := Event{Op: op, Pipe: pipe, fr: fr, p: o}
		if stop := r.before(e); stop != "" {
			return faultAt(op, "%s", stop)
		}
		if f := s(fr); f != nil {
			return f
		}
		r.after(e)
		return nil
	}
}

// watching reports whether a listener is a Watcher.
func (p *planner) watching() bool {
	for _, l := range p.opts.Listeners {
		if _, ok := l.(Watcher); ok {
			return true
		}
	}
	return false
}

// before reports the next event to all watchers, even if one of them asks to stop.
func (r *recorder) before(e Event) (stop string) {
	r.locate(&e)
	for _, l := range r.stream.listeners {
		if w, ok := l.(Watcher); ok {
			if why := w.Before(&e); why != "" {
				stop = why
			}
		}
	}
	return stop
}

// after reports to the watchers that the event is done.
func (r *recorder) after(e Event) {
	r.locate(&e)
	for _, l := range r.stream.listeners {
		if w, ok := l.(Watcher); ok {
			w.After(&e)
		}
	}
}

// locate says where an event happens.
func (r *recorder) locate(e *Event) {
	e.Core, e.Number, e.Scope, e.Rounds, e.r = r.info, r.stream.number, r.scope, r.rounds, r
	if w := r.core.item; w != nil {
		e.Item = w.index
	}
}

// Elements are what a value is made of: the elements of a tile, a view, a vector
// register or a mask in row-major order, or a scalar. Size bytes hold one
// element, the bits of Format.
type Elements struct {
	Format num.Format
	Size   int
	Shape  []int64 // none for a scalar
	Data   []byte
}

// mostElements bounds how many elements of a view are looked at.
const mostElements = 1 << 28

// Elements returns what v, a value of the function that e.Op belongs to, holds:
// of a tile the valid region, or all of its storage. ok is false where v has no
// elements: it is a pointer, not made yet, or it lies outside of its memory.
func (e *Event) Elements(v *ir.Value, whole bool) (x Elements, ok bool) {
	if e.p == nil || e.p.function == nil {
		return x, false
	}
	at, known := e.p.function.homes[v]
	if !known {
		return x, false
	}
	switch fr := e.fr; classOf(v.Type()) {
	case scalarClass:
		return scalarElements(v.Type(), fr.x[at])
	case vectorClass:
		return vectorElements(v.Type(), fr.v[at].bytes())
	case maskClass:
		return maskElements(v.Type(), &fr.m[at])
	case tileClass:
		return tileElements(v.Type(), fr.t[at], whole)
	case viewClass:
		return e.viewElements(v.Type(), &fr.w[at])
	case rowClass:
		return rowElements(v.Type(), fr.r[at])
	}
	return x, false
}
