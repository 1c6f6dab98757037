// This file follows memory words that carry signals.

package check

import (
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/runtime"
)

// Signals through memory are words that tnotify changes and twait waits for. Package
// order (order.Word) defines what a completed wait guarantees. Between ranks, the words
// themselves are memory that can race: a rank that clears its counters while another rank
// already raises them loses signals.

// notify processes event e, in which core c changes words of global memory that carry
// signals. For each word, it stores which instructions are complete at this moment. A
// core that waits for the signal then knows that these instructions are complete.
func (m *machine) notify(c *coreState, e *runtime.Event, s *site) {
	at := c.Waited(order.Issue)
	m.scratch.Reset()
	c.Announce(&m.scratch)
	for i := range e.Accesses {
		a := &e.Accesses[i]
		if a.Kind&runtime.WriteAccess == 0 {
			continue
		}
		m.signalAccess(c, e, a, s, at)
		for lo, hi := range pieces(a) {
			m.wordAt(e, a, lo, hi).Change(at, e.Signal.Value, e.Signal.Add, &m.scratch)
		}
	}
}

// await processes event e, the end of a wait. In this wait, core c waited until words in
// memory had certain values, which signals of other cores write. Each signal implies that
// certain instructions were complete when it was raised; await records that c knows this.
func (m *machine) await(c *coreState, e *runtime.Event, s *site) {
	m.scratch.Reset()
	for i := range e.Accesses {
		a := &e.Accesses[i]
		for lo, hi := range pieces(a) {
			w := m.wordAt(e, a, lo, hi)
			w.Promised(c.IssueKnows(), func(v int64) bool { return e.Signal.Fulfils(v, e.Signal.Value) }, &m.scratch)
		}
	}
	c.AcquireIssue(&m.scratch)
	at := c.Waited(order.Issue)
	for i := range e.Accesses {
		m.signalAccess(c, e, &e.Accesses[i], s, at)
	}
}

// pieces yields the contiguous byte ranges that make up access a. It passes the offset of
// the first byte and the offset after the last byte to yield.
func pieces(a *runtime.Access) func(yield func(lo, hi int64) bool) {
	return func(yield func(lo, hi int64) bool) {
		for _, r := range a.Runs {
			for k := range r.Count {
				if lo := r.Start + k*r.Stride; !yield(lo, lo+r.Length) {
					return
				}
			}
		}
	}
}

// wordAt returns the state of the signal word in bytes lo to hi-1. It creates the state
// on the first access to the word, with the value before this access. However, the
// checker receives event e after the access has changed the word. If the access is an
// addition, wordAt subtracts the added number again. If it is a store, the earlier value
// is unknown; wordAt assumes 0, which has no influence on later waits.
func (m *machine) wordAt(e *runtime.Event, a *runtime.Access, lo, hi int64) *order.Word {
	key := wordKey{a.Buffer, lo}
	w := m.words[key]
	if w == nil {
		start := wordValue(e.Memory(*a), lo, hi)
		switch {
		case e.Kind == runtime.Notify && e.Signal.Add:
			start -= e.Signal.Value
		case e.Kind == runtime.Notify:
			start = 0
		}
		w = order.NewWord(start)
		m.words[key], m.signals[a.Buffer] = w, true
	}
	return w
}

// wordValue returns the bytes lo to hi-1 of memory as a signed little-endian number.
func wordValue(memory []byte, lo, hi int64) int64 {
	v := int64(0)
	for i := hi - 1; i >= lo; i-- {
		v = v<<8 | int64(memory[i])
	}
	shift := 64 - 8*(hi-lo)
	return v << shift >> shift
}

// signalBytes is the size in bytes of the words that carry signals.
const signalBytes = 4

// rewrites processes an instruction that stores to words which carry signals, for example
// an instruction that resets counters. line is the timeline of the instruction.
func (m *machine) rewrites(c *coreState, e *runtime.Event, line order.Line) {
	for i := range e.Accesses {
		a := &e.Accesses[i]
		if a.Space != sem.GM || a.Kind&runtime.WriteAccess == 0 || !m.signals[a.Buffer] {
			continue
		}
		m.scratch.Reset()
		c.Release(line, &m.scratch)
		for lo, hi := range pieces(a) {
			for at := lo &^ (signalBytes - 1); at+signalBytes <= hi; at += signalBytes {
				if w := m.words[wordKey{a.Buffer, at}]; w != nil {
					w.Change(c.Last(line), wordValue(e.Memory(*a), at, at+signalBytes), false, &m.scratch)
				}
			}
		}
	}
}

// signalAccess checks accesses to the words of a signal for races, in launches of several
// ranks. An ordinary store to a word that carries signals must be ordered before or after
// each signal in this word. The signals need not be ordered among each other. The
// parameter at identifies the instruction with the access on its core.
func (m *machine) signalAccess(c *coreState, e *runtime.Event, a *runtime.Access, s *site, at order.Epoch) {
	if m.ranks == 1 {
		return
	}
	cur := stamp{seq: uint32(e.Number), n: at.N, site: s.id, core: at.Core, line: at.Line, arg: int16(a.Operand), flags: signalStamp}
	v := &visit{c, e, a, cur, writes}
	shadow := m.memory(a)
	for lo, hi := range pieces(a) {
		p, base := shadow.page(lo>>pageBits), lo&^(pageBytes-1)
		i, j := shadow.cover(p, uint16(lo-base), uint16(min(hi-base, pageBytes)))
		for ; i < j; i++ {
			cell := &p.cells[i]
			if w := &cell.write; w.site != 0 && e.Kind == runtime.Notify && !m.ordered(c, w, &cur, true) {
				m.report(v, w, true, base+int64(cell.lo), base+int64(cell.hi), clearedSignal)
			}
			cell.addRead(&cur)
		}
	}
}
