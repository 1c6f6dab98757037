// This file models the L2 cache.

package timing

// cache models the L2 cache of a chip. It is set-associative and replaces the least
// recently used line.
type cache struct {
	// line is the size of a cache line in bytes, ways the number of lines per set, and
	// sets the number of sets.
	line, ways, sets int64
	// tags are the line numbers in each set, the most recently used first. The bit dirty
	// marks a line that was written.
	tags []uint32
}

// newCache returns an L2 cache with the size and the associativity of chip c. At first
// all lines of the cache contain data of other programs. A fraction of these lines is
// dirty, which makes their replacement more expensive.
func newCache(c *Chip) *cache {
	line, ways := int64(c.num("l2.line")), int64(c.num("l2.ways"))
	sets := max(int64(c.num("l2.size")*(1<<20))/(line*ways), 1)
	k := &cache{line: line, ways: ways, sets: sets, tags: make([]uint32, sets*ways)}
	// The initial lines belong to other programs, which have written some of them.
	part, sum := c.num("l2.dirty"), 0.0
	for i := range k.tags {
		k.tags[i] = foreign
		if sum += part; sum >= 1 {
			k.tags[i] |= dirty
			sum--
		}
	}
	return k
}

const (
	// dirty marks a line that must be written back to memory before it is replaced.
	dirty = 1 << 31
	// foreign is the number of a cache line of another program, which no launch requests.
	foreign = dirty - 1
)

// move simulates the accesses of move m, a transfer of global memory, to the L2 cache. It
// returns the number of accessed cache lines and how many of them were in the cache
// (hits). The result back is the number of bytes that the cache had to write back to
// memory.
func (c *cache) move(r *Recorder, m *move) (lines, hits, back int64) {
	for _, x := range r.runs[m.from:m.to] {
		first, last := x.start/c.line, (x.start+x.length-1)/c.line
		step, uneven := x.stride/c.line, x.stride%c.line != 0
		for i := range x.count {
			if uneven {
				from := x.start + i*x.stride
				first, last = from/c.line, (from+x.length-1)/c.line
			}
			for n := first; n <= last; n++ {
				hit, wrote := c.touch(n, m.write)
				lines++
				if hit {
					hits++
				}
				if wrote {
					back += c.line
				}
			}
			first, last = first+step, last+step
		}
	}
	return lines, hits, back
}

// touch simulates an access to the cache line with number n; the parameter write states
// whether the access is a write. The result hit reports whether the line was in the
// cache. If it was not, the line replaces another line of its set; the result back
// reports whether this other line had to be written back to memory. The set of a line is
// a hash of the complete line number, so that strides do not concentrate on few sets.
func (c *cache) touch(n int64, write bool) (hit, back bool) {
	h := uint64(n)
	h = (h ^ h>>15) * 0x9E3779B97F4A7C15
	set := int64(h >> 32 * uint64(c.sets) >> 32)
	tags := c.tags[set*c.ways : set*c.ways+c.ways]
	tag := uint32(n)
	next := tag // moves into the place of the line before which it was used
	for i, t := range tags {
		tags[i] = next
		if t&^dirty == tag {
			tags[0] = t
			hit = true
			break
		}
		next = t
	}
	if write {
		tags[0] |= dirty
	}
	return hit, !hit && next&dirty != 0
}

// clean marks all lines of the L2 cache as written back to memory, so that replacing them
// costs no time.
func (c *cache) clean() {
	for i := range c.tags {
		c.tags[i] &^= dirty
	}
}
