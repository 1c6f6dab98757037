// This file models the L2 cache.

package timing

// cache is the cache before global memory: sets of lines, of which the one
// that was not used for the longest time goes first.
type cache struct {
	line, ways, sets int64
	tags             []uint32 // by set: the line that was used last first; with the bit dirty if it has been written
}

func newCache(c *Chip) *cache {
	line, ways := int64(c.num("l2.line")), int64(c.num("l2.ways"))
	sets := max(int64(c.num("l2.size")*(1<<20))/(line*ways), 1)
	k := &cache{line: line, ways: ways, sets: sets, tags: make([]uint32, sets*ways)}
	// What is there at first belongs to others; some of it they have written.
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
	// dirty marks a line that has been written and is to go back to memory.
	dirty = 1 << 31
	// foreign is a line that no launch asks for.
	foreign = dirty - 1
)

// move sends a move through the cache: how many lines it has, how many of them were there, and how many
// bytes had to go back to memory to make place.
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

// touch uses a line: whether it was there, and whether another had to be written
// back for it. Which set a line lies in follows from all of its number, so that
// strides do not crowd in a few sets.
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

// clean marks all lines as written back.
func (c *cache) clean() {
	for i := range c.tags {
		c.tags[i] &^= dirty
	}
}
