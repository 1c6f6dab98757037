// This file implements vector clocks: what is known to be complete on each pipe.

package order

// Clock is what is known to be over: for each timeline of each core the number
// of its instructions, all up to which are. Only cores of which something is
// known have an entry; they are sorted.
type Clock struct{ parts []part }

type part struct {
	core int32
	n    [NumLines]uint32
}

// find returns the entry of a core, or where it belongs.
func (c *Clock) find(core int32) (at int, ok bool) {
	for i := range c.parts {
		if k := c.parts[i].core; k >= core {
			return i, k == core
		}
	}
	return len(c.parts), false
}

// Has reports whether an instruction is known to be over.
func (c *Clock) Has(e Epoch) bool {
	i, ok := c.find(e.Core)
	return ok && c.parts[i].n[e.Line] >= e.N
}

// Count returns how many instructions of a timeline are known to be over.
func (c *Clock) Count(core int32, l Line) uint32 {
	if i, ok := c.find(core); ok {
		return c.parts[i].n[l]
	}
	return 0
}

// Add makes an instruction known to be over, and all before it.
func (c *Clock) Add(e Epoch) {
	i, ok := c.find(e.Core)
	if !ok {
		c.insert(i, part{core: e.Core})
	}
	c.parts[i].n[e.Line] = max(c.parts[i].n[e.Line], e.N)
}

func (c *Clock) insert(i int, p part) {
	c.parts = append(c.parts, part{})
	copy(c.parts[i+1:], c.parts[i:])
	c.parts[i] = p
}

// Join adds all that another clock knows. It reports whether any of it is new.
func (c *Clock) Join(o *Clock) bool {
	grew, i := false, 0
	for k := range o.parts {
		from := &o.parts[k]
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

// Set makes the clock equal to another one.
func (c *Clock) Set(o *Clock) { c.parts = append(c.parts[:0], o.parts...) }

// Reset makes the clock know nothing.
func (c *Clock) Reset() { c.parts = c.parts[:0] }
