// This file models the data cache of the scalar unit.

package order

import "sort"

// LineBytes is the size in bytes of a line in the data cache of the scalar unit.
const LineBytes = 64

// cache is the state of a core's data cache. Only the instruction dcci makes the cache
// reload lines and write stored data back for certain.
type cache struct {
	// fresh is what was known to be complete at the last dcci.
	fresh Clock
	// cleaned are the numbers of scalar accesses at the times when stores were written
	// back.
	cleaned []uint32
}

// CacheRefresh is dcci: it writes stored data back and invalidates the cache.
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

// Sees reports whether a scalar load of the core reads the data of the completed write e.
// Otherwise it may read an older line from the cache.
func (c *Core) Sees(e Epoch) bool { return c.cache.fresh.Has(e) }

// Stored reports whether the scalar store e of the core had been written back to memory
// at a time included in clock.
func (c *Core) Stored(e Epoch, clock *Clock) bool {
	at := c.cache.cleaned
	i := sort.Search(len(at), func(i int) bool { return at[i] > e.N })
	return i < len(at) && clock.Has(Epoch{c.number, Scalar, at[i]})
}
