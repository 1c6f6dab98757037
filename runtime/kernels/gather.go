// This file gathers elements by indices.

package kernels

import "unsafe"

// gatherRun takes n elements of a by their numbers, and returns how many; it stops
// at numbers above last, which those of 16 bits have twice.
type gatherRun = func(d, a, at *byte, n int, last uint32) int

// Gathers is a loop that loads elements by their indices.
type Gathers struct {
	run          gatherRun
	size, number int // bytes of an element, and of a number
}

// GathersOf returns the gather loops for elements of size bytes and indices of number
// bytes at an instruction set level. The loops do nothing if the level has none.
func GathersOf(size, number int, level Level) Gathers {
	if level == None || size > 4 || number > 4 {
		return Gathers{}
	}
	return Gathers{gathers[size][number], size, number}
}

// Exists reports whether the level has such a loop.
func (p *Gathers) Exists() bool { return p.run != nil }

// Run writes the elements of a whose numbers at has, which have no sign, into d,
// and returns how many. It does whole vectors, and stops before one that has a
// number which is too large. It does none where d has bytes of a or at.
func (p *Gathers) Run(d, a, at []byte) int {
	if p.run == nil {
		return 0
	}
	n, all := len(at)/p.number&^(32/p.number-1), len(a)/p.size
	if n == 0 || all == 0 || share(d, at) || share(d, a) {
		return 0
	}
	last := uint32(min(all-1, 1<<(8*p.number)-1))
	if p.number == 2 {
		last |= last << 16
	}
	return p.run(&d[:n*p.size][0], &a[0], &at[0], n, last)
}

// share reports whether two rows have a byte in common.
func share(a, b []byte) bool {
	return unsafe.SliceData(a) == unsafe.SliceData(b) || begins(a, b, len(b)) || begins(b, a, len(a))
}
