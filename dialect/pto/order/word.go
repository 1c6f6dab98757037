// This file models memory words that carry signals.

package order

import "slices"

// Word is a word of global memory that carries signals, such as a counter that other
// ranks add to. Whoever waits for a value of it knows only what every way to reach that
// value includes: where three changes were made and any two of them fulfil the
// condition, the wait does not promise that a certain one is there.
type Word struct {
	start   int64 // before the changes that are kept
	before  Clock // what changes promise that are too old to be kept
	changes []change
}

// change is a signal: it adds to the word, or sets it. Its clock includes its epoch.
type change struct {
	epoch Epoch
	value int64
	add   bool
	clock Clock
}

func (x *change) apply(v int64) int64 {
	if x.add {
		return v + x.value
	}
	return x.value
}

// mostChanges is how many changes a word keeps.
const mostChanges = 1024

// NewWord returns a word that had a value before all changes.
func NewWord(start int64) *Word { return &Word{start: start} }

// Change notes a change, with what it promises: all in the clock is over when the
// change is seen. The clock includes the epoch of the change.
func (w *Word) Change(e Epoch, value int64, add bool, promises *Clock) {
	if len(w.changes) == mostChanges {
		const old = mostChanges / 2
		for i := range w.changes[:old] {
			w.before.Join(&w.changes[i].clock)
			w.start = w.changes[i].apply(w.start)
		}
		w.changes = slices.Delete(w.changes, 0, old)
	}
	x := change{epoch: e, value: value, add: add}
	x.clock.Set(promises)
	w.changes = append(w.changes, x)
}

// Promised adds to a clock what a wait promises that ends when the word fulfils a
// condition. known is what the waiting core knew before.
//
// An epoch is promised if the changes that do not include it cannot fulfil the
// condition. So for each timeline of each core, changes are applied in the order of
// how far they know it, and the first that fulfils the condition reports how far the wait
// knows it at least.
func (w *Word) Promised(known *Clock, fulfils func(int64) bool, promised *Clock) {
	promised.Join(&w.before)
	base, open := w.start, make([]*change, 0, len(w.changes))
	for i := range w.changes {
		x := &w.changes[i]
		if known.Has(x.epoch) {
			base = x.apply(base)
		} else {
			open = append(open, x)
		}
	}
	if fulfils(base) {
		return
	}
	if allNeeded(base, open, fulfils) {
		for _, x := range open {
			promised.Join(&x.clock)
		}
		return
	}
	var all Clock
	for _, x := range open {
		all.Join(&x.clock)
	}
	for _, p := range all.parts {
		for l, most := range p.n {
			if n := least(base, open, p.core, Line(l), fulfils); n > 0 {
				promised.Add(Epoch{p.core, Line(l), min(n, most)})
			}
		}
	}
}

// allNeeded reports whether a condition is fulfilled by all changes, but not without
// any one of them.
func allNeeded(base int64, open []*change, fulfils func(int64) bool) bool {
	for out := range open {
		v := base
		for i, x := range open {
			if i != out {
				v = x.apply(v)
			}
		}
		if fulfils(v) {
			return false
		}
	}
	return true
}

// least is how far a timeline of a core is known at least if some changes together
// fulfil a condition.
func least(base int64, open []*change, core int32, l Line, fulfils func(int64) bool) uint32 {
	by := slices.Clone(open)
	slices.SortStableFunc(by, func(a, b *change) int { return int(a.clock.Count(core, l)) - int(b.clock.Count(core, l)) })
	v := base
	for _, x := range by {
		if v = x.apply(v); fulfils(v) {
			return x.clock.Count(core, l)
		}
	}
	return by[len(by)-1].clock.Count(core, l)
}
