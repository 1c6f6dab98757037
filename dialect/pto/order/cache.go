// This file models the data cache of the scalar unit.

package order

import "sort"

// LineBytes is how much of global memory a line of the scalar unit's data cache
// holds.
const LineBytes = 64

// cache is what is known of the data cache of a core. Nothing but dcci makes it
// read memory again that it holds, or certainly write what was stored.
type cache struct {
	fresh   Clock    // what was known to be over when dcci came last
	cleaned []uint32 // scalar accesses so far, whenever stores went to memory
}

// CacheRefresh is dcci: stores go to memory, and loads read it anew.
func (c *Core) CacheRefresh() {
	c.cache.fresh.Set(&c.start[Scalar])
	if c.n[Scalar] > 0 {
		c.cache.fresh.Add(c.Last(Scalar))
	}
	c.CacheClean()
}

// CacheClean is dsb: stores go to memory.
func (c *Core) CacheClean() {
	n := c.n[Scalar]
	if k := len(c.cache.cleaned); k > 0 && c.cache.cleaned[k-1] == n {
		return
	}
	c.cache.cleaned = append(c.cache.cleaned, n)
	c.Step(Scalar) // others who know this step know that the cache was cleaned
	c.cache.cleaned[len(c.cache.cleaned)-1] = c.n[Scalar]
}

// Sees reports whether a scalar load of the core reads what a write that is
// over has put into memory.
func (c *Core) Sees(e Epoch) bool { return c.cache.fresh.Has(e) }

// Stored reports whether the scalar store e of the core was in memory before
// what is known in clock.
func (c *Core) Stored(e Epoch, clock *Clock) bool {
	at := c.cache.cleaned
	i := sort.Search(len(at), func(i int) bool { return at[i] > e.N })
	return i < len(at) && clock.Has(Epoch{c.number, Scalar, at[i]})
}
