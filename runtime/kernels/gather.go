// This file gathers elements by indices.

package kernels

import "unsafe"

// gatherRun loads n elements of a by their indices at, and returns the number of
// elements. It stops at an index above last. For 16-bit indices, last holds the bound
// twice, once in each half.
type gatherRun = func(d, a, at *byte, n int, last uint32) int

// Gathers is a loop that loads elements by their indices.
type Gathers struct {
	// run is the loop, or nil.
	run gatherRun
	// size is the number of bytes of an element, and number that of an index.
	size, number int
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

// Run writes to d the elements of a whose unsigned indices are in at, and returns the
// number of elements. It processes whole vectors and stops before a vector with an index
// that is out of range. It does nothing if d overlaps a or at.
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
