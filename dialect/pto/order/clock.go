// This file implements vector clocks: what is known to be complete on each pipe.

package order

import "math"

// Clock is a vector clock, which represents a set of complete instructions. A core
// executes several timelines (sequences of instructions, such as the queue of a pipe) in
// parallel. For each timeline of each core, the clock holds the number of instructions
// that are known to be complete. Cores without complete instructions have no entry. The
// entries are sorted by core. Cores of groups that have ended as a whole (Groups) need no
// entry.
type Clock struct {
	parts []part
	ended *endedSet
}

// part is the entry of a vector clock for one core. For each timeline of the core (a
// pipe, for example), it holds the number of instructions that are known to be complete.
type part struct {
	core int32
	n    [NumLines]uint32
}

// find returns the index of the entry for a core. If ok is false, the clock has no such
// entry, and at is the index at which to insert it.
func (c *Clock) find(core int32) (at int, ok bool) {
	for i := range c.parts {
		if k := c.parts[i].core; k >= core {
			return i, k == core
		}
	}
	return len(c.parts), false
}

// Has reports whether the clock includes the instruction e.
func (c *Clock) Has(e Epoch) bool {
	i, ok := c.find(e.Core)
	return ok && c.parts[i].n[e.Line] >= e.N || !ok && c.ended.has(e.Core)
}

// Count returns the number of instructions of timeline l of a core that are known to be
// complete. A timeline is a pipe, the issue of instructions, or the accesses of the
// scalar unit.
func (c *Clock) Count(core int32, l Line) uint32 {
	if i, ok := c.find(core); ok {
		return c.parts[i].n[l]
	}
	if c.ended.has(core) {
		return math.MaxUint32
	}
	return 0
}

// Add records in the clock that instruction e and all earlier instructions of the same
// timeline (for example, of the same pipe) are complete.
func (c *Clock) Add(e Epoch) {
	if c.ended.has(e.Core) {
		return
	}
	i, ok := c.find(e.Core)
	if !ok {
		c.insert(i, part{core: e.Core})
	}
	c.parts[i].n[e.Line] = max(c.parts[i].n[e.Line], e.N)
}

// insert inserts p at index i of the clock's list of parts. A part is the entry of the
// clock for one core.
func (c *Clock) insert(i int, p part) {
	c.parts = append(c.parts, part{})
	copy(c.parts[i+1:], c.parts[i:])
	c.parts[i] = p
}

// Join adds to the clock c all instructions that the clock o contains. It reports whether
// c changed.
func (c *Clock) Join(o *Clock) bool {
	grew, i := c.joinEnded(o.ended), 0
	for k := range o.parts {
		from := &o.parts[k]
		if c.ended.has(from.core) {
			continue
		}
		for i < len(c.parts) && c.parts[i].core < from.core {
			i++
		}
		if i == len(c.parts) || c.parts[i].core != from.core {
			c.insert(i, *from)
			grew = true
			continue
		}
		to := &c.parts[i]
		for l, n := range from.n {
			if n > to.n[l] {
				to.n[l], grew = n, true
			}
		}
	}
	return grew
}

// Set makes c a copy of the clock o. It reuses the memory of c.
func (c *Clock) Set(o *Clock) { c.parts, c.ended = append(c.parts[:0], o.parts...), o.ended }

// Reset removes all entries, so that the clock includes no instructions.
func (c *Clock) Reset() { c.parts, c.ended = c.parts[:0], nil }
