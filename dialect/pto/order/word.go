// This file models memory words that carry signals.

package order

import (
	"cmp"
	"slices"
)

// Word is a word of global memory that carries signals, such as a counter that other
// ranks increment. A core can wait until the word has a certain value. Several sequences
// of changes may reach this value, and the core does not learn which one has happened.
// After the wait, it is certain only that those changes have happened that occur in every
// such sequence. For example, if any two of three increments satisfy the wait, then no
// particular increment is certain.
type Word struct {
	// start is the value of the word before the stored changes.
	start int64
	// before are the instructions that all older changes, which have been discarded,
	// guarantee to be complete.
	before Clock
	// changes are the most recent changes of the word, oldest first.
	changes []change
}

// change is one write to a word of memory. If the field add is set, the write adds the
// field value to the word; otherwise it stores the field value. The field clock contains
// the instructions that are complete when another core sees the new value, including the
// write itself.
type change struct {
	epoch Epoch
	value int64
	add   bool
	clock Clock
}

// apply returns the value of a signal word in memory after the change x. v is the value
// before the change. The change adds a number to the word or replaces its value.
func (x *change) apply(v int64) int64 {
	if x.add {
		return v + x.value
	}
	return x.value
}

// mostChanges is the maximum number of changes that a word stores.
const mostChanges = 1024

// NewWord returns a word with the initial value start.
func NewWord(start int64) *Word { return &Word{start: start} }

// Change records that instruction e changes the word, which is in global memory and
// carries signals. The instruction stores value in the word, or adds value to it if add
// is set. If another core sees the change, certain instructions are complete. The
// parameter promises contains these instructions, including e.
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

// Promised determines which instructions must be complete when a wait for the word ends,
// and adds them to the clock in the parameter promised. The function fulfils reports
// whether a value of the word ends the wait. known is the clock of the instructions that
// the waiting core already knew to be complete.
//
// Each change of the word guarantees that certain instructions are complete. The waiting
// core does not observe which of the changes have happened. It only knows that enough of
// them have happened to end the wait.
//
// Promised examines each timeline (the instructions of one pipe of a core) separately. It
// applies the changes in ascending order of how many instructions of this timeline they
// guarantee, until the value ends the wait. The changes before the last applied one
// cannot end the wait on their own. Therefore the last applied change, or one that
// guarantees even more, has happened. The instructions that the last applied change
// guarantees are complete.
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
	var ended *endedSet
	for _, x := range open {
		ended = ended.union(x.clock.ended)
	}
	ended.each(func(group int32) {
		if impliesGroup(base, open, group, fulfils) {
			promised.AddGroup(ended.groups, group)
		}
	})
	done := map[int32]bool{}
	for _, x := range open {
		for _, p := range x.clock.parts {
			if done[p.core] || promised.ended.has(p.core) {
				continue
			}
			done[p.core] = true
			for l := range NumLines {
				if n := least(base, open, p.core, l, fulfils); n > 0 {
					promised.Add(Epoch{p.core, l, n})
				}
			}
		}
	}
}

// impliesGroup reports whether the end of a wait for a word of memory proves that all
// instructions of a group of cores are complete. The waiting core cannot observe which
// changes of the word have happened. open lists the changes that may or may not have
// happened, and base is the value of the word without them. The function fulfils reports
// whether a value of the word ends the wait.
//
// Each change has a clock: the instructions that were complete before the change.
// impliesGroup applies only the changes whose clock does not contain the end of the
// group. If these changes alone can end the wait, the wait proves nothing about the
// group, and the result is false.
func impliesGroup(base int64, open []*change, group int32, fulfils func(int64) bool) bool {
	v := base
	for _, x := range open {
		if !x.clock.ended.hasGroup(group) {
			if v = x.apply(v); fulfils(v) {
				return false
			}
		}
	}
	return true
}

// allNeeded reports whether a wait for a word of memory can end only after every change
// in a list. open is this list: the changes of the word that the waiting core does not
// know to be complete. base is the value of the word without these changes. fulfils is a
// function that reports whether a value of the word ends the wait. allNeeded omits one
// change at a time and tests whether the remaining changes end the wait.
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

// least examines the end of a wait for a word of memory. It returns a lower bound of the
// number of instructions that are certain to be complete on timeline l of a core at this
// moment.
//
// base is the value of the word as far as the waiting core knows it, and open lists
// further changes that may or may not have happened. The function fulfils reports whether
// a value of the word ends the wait. If a change has happened, a certain number of
// instructions is complete: its clock contains this number. Which changes have happened
// is unknown, but together they must fulfil the wait. least therefore sorts the changes
// by their numbers and applies them until the wait is fulfilled. The number of the last
// applied change is the result.
func least(base int64, open []*change, core int32, l Line, fulfils func(int64) bool) uint32 {
	by := slices.Clone(open)
	slices.SortStableFunc(by, func(a, b *change) int { return cmp.Compare(a.clock.Count(core, l), b.clock.Count(core, l)) })
	v := base
	for _, x := range by {
		if v = x.apply(v); fulfils(v) {
			return x.clock.Count(core, l)
		}
	}
	return by[len(by)-1].clock.Count(core, l)
}
