// This file stores the latest accesses of each byte.

package check

import (
	"slices"

	"ptogo/dialect/pto/order"
)

// stamp is an access as memory remembers it.
type stamp struct {
	seq   uint32 // low bits of the number of the event
	n     uint32 // of its timeline
	site  int32  // of the instruction, 0 if nothing happened yet
	core  int32
	inner int32  // number of the access in its vecscope, by class
	round uint32 // of the innermost loop
	arg   int16  // operand it went through, or -1
	line  order.Line
	flags stampFlags
}

type stampFlags uint8

const (
	atomicStamp  stampFlags = 1 << iota
	scopeStamp              // made in a vecscope: inner and the class mean something
	storeClass              // order.VectorStore or ScalarStore, else a load
	scalarClass             // by the scalar unit
	pushStamp               // fills an entry of a queue
	scratchStamp            // leaves nothing defined after
	signalStamp             // a signal through memory, raised or waited for
	lateStamp               // the other vector core may write older contents over it (pair.go)
)

func (s *stamp) epoch() order.Epoch { return order.Epoch{Core: s.core, Line: s.line, N: s.n} }

// class is the class of an access in a vecscope.
func (s *stamp) class() order.AccessClass {
	c := order.VectorLoad
	if s.flags&scalarClass != 0 {
		c = order.ScalarLoad
	}
	if s.flags&storeClass != 0 {
		c++
	}
	return c
}

// sameInstruction reports whether two stamps are of one execution.
func (s *stamp) sameInstruction(o *stamp) bool {
	return s.n == o.n && s.core == o.core && s.line == o.line
}

// cell is what is remembered of the bytes lo to hi-1 of a page: the last write
// and the reads since then, the last of each timeline.
type cell struct {
	lo, hi uint16
	nreads uint8
	origin int32 // of what was read uninitialized and got here; 0 if none
	lost   int32 // allocation through which it was written, unread, before another one was used; 0 if none
	write  stamp
	reads  [2]stamp
	more   []stamp // reads of further timelines
}

// Shadow memory is pages, made when they are touched first. A page holds cells
// in order, which do not overlap; bytes in none have not been touched.
const (
	pageBits  = 12
	pageBytes = 1 << pageBits
)

type page struct{ cells []cell }

// shadow is the shadow of a memory space of a core, or of a buffer.
type shadow struct {
	pages []*page
	cells int // in all, for statistics
}

func (s *shadow) page(i int64) *page {
	if i >= int64(len(s.pages)) {
		s.pages = append(s.pages, make([]*page, i+1-int64(len(s.pages)))...)
	}
	if s.pages[i] == nil {
		s.pages[i] = &page{}
	}
	return s.pages[i]
}

// first returns the first cell that ends after lo.
func (p *page) first(lo uint16) int {
	a, b := 0, len(p.cells)
	for a < b {
		if m := (a + b) / 2; p.cells[m].hi > lo {
			b = m
		} else {
			a = m + 1
		}
	}
	return a
}

// split cuts the cell around at, if at lies inside one, and returns the number
// of the first cell that begins there or after.
func (s *shadow) split(p *page, at uint16) int {
	i := p.first(at)
	if i == len(p.cells) || p.cells[i].lo >= at {
		return i
	}
	right := p.cells[i]
	right.more = slices.Clone(right.more)
	right.lo = at
	p.cells[i].hi = at
	p.cells = slices.Insert(p.cells, i+1, right)
	s.cells++
	return i + 1
}

// cover makes cells where there are none, and returns which ones make up lo to
// hi-1.
func (s *shadow) cover(p *page, lo, hi uint16) (from, to int) {
	from = p.first(lo)
	if from < len(p.cells) && p.cells[from].lo == lo && p.cells[from].hi == hi {
		return from, from + 1 // as the time before
	}
	from = s.split(p, lo)
	to = s.split(p, hi)
	at := lo
	for i := from; at < hi; i++ {
		if i == to || p.cells[i].lo > at {
			end := hi
			if i < to {
				end = p.cells[i].lo
			}
			p.cells = slices.Insert(p.cells, i, cell{lo: at, hi: end})
			s.cells++
			to++
		}
		at = p.cells[i].hi
	}
	return from, to
}

// one makes cells from to to-1 one cell, which forgets what was there.
func (s *shadow) one(p *page, from, to int) *cell {
	c := &p.cells[from]
	if to > from+1 {
		c.hi = p.cells[to-1].hi
		p.cells = slices.Delete(p.cells, from+1, to)
		s.cells -= to - from - 1
		c = &p.cells[from]
	}
	c.nreads, c.more, c.origin = 0, nil, 0
	return c
}

// addRead remembers a read: the last of its timeline. In a vecscope loads are
// not in order, so each instruction is remembered by itself.
func (c *cell) addRead(s *stamp) {
	for i := range c.nreads {
		if c.reads[i].replacedBy(s) {
			c.reads[i] = *s
			return
		}
	}
	if int(c.nreads) < len(c.reads) {
		c.reads[c.nreads] = *s
		c.nreads++
		return
	}
	for i := range c.more {
		if c.more[i].replacedBy(s) {
			c.more[i] = *s
			return
		}
	}
	c.more = append(c.more, *s)
}

// replacedBy reports whether remembering o makes remembering s needless.
func (s *stamp) replacedBy(o *stamp) bool {
	return s.core == o.core && s.line == o.line && (s.site == o.site || s.flags&o.flags&scopeStamp == 0)
}
