// This file lets listeners observe each operation before and after it executes, and
// read the elements of its values.

package runtime

import (
	"ptogo/ir"
	"ptogo/ir/num"
)

// Watcher is a listener that the launch also calls before and after each operation,
// including scalar ones. It can end the launch. The launch sends the events of an
// operation between these two calls. If the operation waits, it also sends events of
// other cores between them. Operations with regions, calls and terminators are exempt:
// the launch calls the watcher for the operations inside them.
type Watcher interface {
	Listener
	// Before is called when the operands of e.Op have their values. The kind and the
	// accesses of e are not set. If the result is not empty, the launch ends with a fault
	// that has this text.
	Before(e *Event) (stop string)
	// After is called when the results of e.Op have their values.
	After(e *Event)
}

// withWatchers wraps s, the step of op, so that it calls the watchers of the launch
// before and after op. Without watchers it returns s.
func (p *planner) withWatchers(op *ir.Op, s step) step {
	if !p.watching() || p.failed || s == nil || len(op.Regions()) > 0 {
		return s
	}
	o := p.newOpPlan(op)
	return func(fr *frame) *Fault {
		r := fr.core.rec
		e := Event{Op: op, Pipe: o.pipe, fr: fr, p: o}
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

// watching reports whether the launch will have a listener that implements Watcher.
func (p *planner) watching() bool {
	for _, l := range p.opts.Listeners {
		if _, ok := l.(Watcher); ok {
			return true
		}
	}
	return false
}

// before calls the method Before of all watchers, even if one of them requests the end of
// the launch. It returns the text of the last such request, or "".
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

// after calls the method After of all listeners that implement Watcher. The event e
// describes the operation that has been executed.
func (r *recorder) after(e Event) {
	r.locate(&e)
	for _, l := range r.stream.listeners {
		if w, ok := l.(Watcher); ok {
			w.After(&e)
		}
	}
}

// locate sets fields of event e to the current state of the recorder's core: the core,
// the event number, the scope, the loop iterations and the work item.
func (r *recorder) locate(e *Event) {
	e.Core, e.Number, e.Scope, e.Rounds, e.r = r.info, r.stream.number, r.scope, r.rounds, r
	e.inItem(r.core.item)
}

// inItem sets the work item of the event to w, which is nil outside SIMT code.
func (e *Event) inItem(w *workItem) {
	if w != nil {
		e.Item, e.Phase = w.index, w.phase
	}
}

// Elements holds copies of the elements of a value. They come from a tile, view, vector
// register or mask, in row-major order, or from a single scalar. Each element occupies
// Size bytes and contains bits of Format.
type Elements struct {
	Format num.Format
	Size   int
	// Shape is empty for a scalar.
	Shape []int64
	Data  []byte
}

// mostElements is the maximum number of elements of a view that Elements copies.
const mostElements = 1 << 28

// Elements returns the elements of v, which must be a value of the function that contains
// e.Op. For a tile, it returns the valid region, or the complete storage if whole is set.
// The result ok is false if v has no elements: it is a pointer, has not been computed
// yet, or is outside its memory.
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
