// This file models the data cache of the scalar unit.

package order

import "sort"

// LineBytes is the size in bytes of a cache line in the data cache of the scalar unit.
const LineBytes = 64

// cache is the state of the data cache of a core's scalar unit. Only instruction dcci
// guarantees that the cache reloads its lines and writes stored data back to memory.
type cache struct {
	// fresh are the instructions that were known to be complete at the last dcci. Later
	// loads see their writes.
	fresh Clock
	// cleaned are the numbers of scalar memory accesses at which stored data was written
	// back to memory.
	cleaned []uint32
}

// CacheRefresh records instruction dcci, which writes stored data back to memory and
// invalidates the cache.
func (c *Core) CacheRefresh() {
	c.cache.fresh.Set(&c.start[Scalar])
	if c.n[Scalar] > 0 {
		c.cache.fresh.Add(c.Last(Scalar))
	}
	c.CacheClean()
}

// CacheClean records the instruction dsb on core c. The instruction writes the changed
// lines of the scalar unit's data cache back to memory, but does not invalidate the
// cache.
func (c *Core) CacheClean() {
	n := c.n[Scalar]
	if k := len(c.cache.cleaned); k > 0 && c.cache.cleaned[k-1] == n {
		return
	}
	c.cache.cleaned = append(c.cache.cleaned, n)
	c.Step(Scalar) // others who know this step know that the cache was cleaned
	c.cache.cleaned[len(c.cache.cleaned)-1] = c.n[Scalar]
}

// Sees reports whether scalar loads of the core certainly return the data that the
// completed write e has stored. If it returns false, they may read an older cache line.
func (c *Core) Sees(e Epoch) bool { return c.cache.fresh.Has(e) }

// Stored reports whether the scalar store e of this core is known to be in memory. A
// scalar store first changes the cache of the core. It reaches memory when a later
// instruction cleans the cache, and this instruction must be complete according to clock.
func (c *Core) Stored(e Epoch, clock *Clock) bool {
	at := c.cache.cleaned
	i := sort.Search(len(at), func(i int) bool { return at[i] > e.N })
	return i < len(at) && clock.Has(Epoch{c.number, Scalar, at[i]})
}
