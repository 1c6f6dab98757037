// This file stores the latest accesses of each byte.

package check

import (
	"slices"

	"ptogo/dialect/pto/order"
)

// stamp is a memory access in the compact form in which the access history of a memory
// stores it.
type stamp struct {
	// seq is the low 32 bits of the number of the event.
	seq uint32
	// n is the number of the instruction on its pipe.
	n uint32
	// site is the number of the operation. It is 0 if the bytes were never accessed.
	site int32
	core int32
	// inner is the number of the access among the accesses of its class in its vecscope.
	inner int32
	// round is the iteration number of the innermost loop.
	round uint32
	// arg is the operand through which the access was made, or -1.
	arg   int16
	line  order.Line
	flags stampFlags
}

// stampFlags is a set of properties of a recorded access, such as "atomic" or "in a
// vector function".
type stampFlags uint8

const (
	// atomicStamp marks an atomic access.
	atomicStamp stampFlags = 1 << iota
	// scopeStamp marks an access in a vecscope. The field inner and the class are valid only
	// for such accesses.
	scopeStamp
	// storeClass and scalarClass encode the class of an access in a vecscope: a store or
	// a load, by the scalar unit or by the vector unit.
	storeClass
	scalarClass
	// pushStamp marks a write that fills an entry of a queue.
	pushStamp
	// scratchStamp marks a write of temporary data, after which the contents of the bytes
	// are undefined.
	scratchStamp
	// signalStamp marks an access that raises a signal through memory or waits for one.
	signalStamp
	// lateStamp marks bytes that the other vector core may still overwrite with older
	// contents (pair.go).
	lateStamp
)

// epoch returns the position of the access in program order on its pipe: the core, the
// pipe and the number of the instruction.
func (s *stamp) epoch() order.Epoch { return order.Epoch{Core: s.core, Line: s.line, N: s.n} }

// class returns the class of an access in a vecscope: a load or store of the vector or
// scalar unit.
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

// sameInstruction reports whether s and o belong to the same execution of an instruction.
func (s *stamp) sameInstruction(o *stamp) bool {
	return s.n == o.n && s.core == o.core && s.line == o.line
}

// cell is the access history of the bytes lo to hi-1 of a page. It contains the last
// write and, for each pipe, the last read since that write.
type cell struct {
	lo, hi uint16
	// nreads is the number of valid entries of reads.
	nreads uint8
	// origin is the uninitialized read from which the contents were computed, or 0.
	origin int32
	// lost is the allocation through which the bytes were written before a write through
	// another allocation overwrote them unread. It is 0 if there is none.
	lost  int32
	write stamp
	reads [2]stamp
	// more are the reads of further pipes. Most cells need at most two reads.
	more []stamp
}

// The access history of a memory is divided into pages of 4096 bytes, which are created
// on first access.
const (
	pageBits  = 12
	pageBytes = 1 << pageBits
)

// page is the access history of 4096 bytes of memory. Its cells are sorted and do not
// overlap. Bytes without a cell have not been accessed.
type page struct{ cells []cell }

// shadow is the access history of one local memory of a core, or of one buffer of global
// memory.
type shadow struct {
	// pages are created on first access.
	pages []*page
	// cells is the number of cells of all pages, for statistics.
	cells int
	// constant means that no kernel of the launch writes this memory, so that reads need no
	// record.
	constant bool
}

// page returns the access history of page number i. It creates the page on first use.
func (s *shadow) page(i int64) *page {
	if i >= int64(len(s.pages)) {
		s.pages = append(s.pages, make([]*page, i+1-int64(len(s.pages)))...)
	}
	if s.pages[i] == nil {
		s.pages[i] = &page{}
	}
	return s.pages[i]
}

// first searches the cells of the page. A cell is the access record of a byte range, and
// cells are sorted by offset. The result is the index of the first cell whose range ends
// after the offset lo.
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

// split makes a cell (access record) of page p begin at the offset in the parameter at.
// If a cell contains this offset, split divides it into two cells: the first one ends at
// the offset, and the second one begins there. split returns the index of the first cell
// that begins at this offset or later.
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

// cover creates cells (access records) for those of the bytes lo to hi-1 of a page that
// have none. The cells for all of these bytes then have consecutive indices: the result
// from is the first index, and the result to is the index after the last one.
func (s *shadow) cover(p *page, lo, hi uint16) (from, to int) {
	from = p.first(lo)
	if from < len(p.cells) && p.cells[from].lo == lo && p.cells[from].hi == hi {
		return from, from + 1 // the common case: the same bytes were accessed before
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

// one replaces several consecutive cells (access records) of page p by one cell without
// history, and returns this cell. from is the index of the first replaced cell, and to is
// the index after the last one.
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

// addRead records the read s. It replaces an older read of the same pipe. Loads in a
// vecscope execute out of order, so each instruction in it is recorded separately.
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

// replacedBy reports whether the checker can drop the record of the earlier access s when
// it adds the record of the later access o. This is possible if both are on the same pipe
// of the same core: an instruction that is ordered after o is then also ordered after s.
// In a vecscope, instructions execute out of order, so both accesses must be by the same
// instruction.
func (s *stamp) replacedBy(o *stamp) bool {
	return s.core == o.core && s.line == o.line && (s.site == o.site || s.flags&o.flags&scopeStamp == 0)
}
