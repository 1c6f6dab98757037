// This file gathers elements by indices.

package kernels

import "unsafe"

// gatherRun is an assembly loop that copies n elements of a to d. The unsigned indices of
// these elements are in at. The loop stops at an index above last and returns the number
// of copied elements. For 16-bit indices, last contains the bound twice, once in each
// half.
type gatherRun = func(d, a, at *byte, n int, last uint32) int

// Gathers is a loop in vector instructions that copies elements selected by indices: d[i]
// = a[at[i]].
type Gathers struct {
	// run is the assembly loop, or nil.
	run gatherRun
	// size is the number of bytes of an element, and number the number of bytes of an
	// index.
	size, number int
}

// GathersOf returns the loop that gathers elements of size bytes with instructions of the
// given level. number is the size of an index in bytes. If this package has no such loop,
// the method Run of the result does nothing.
func GathersOf(size, number int, level Level) Gathers {
	if level == None || size > 4 || number > 4 {
		return Gathers{}
	}
	return Gathers{gathers[size][number], size, number}
}

// Exists reports whether this package has a gather loop for the element size, the index
// size and the instruction set level with which p was created.
func (p *Gathers) Exists() bool { return p.run != nil }

// Run gathers elements: it copies elements of the memory a to the memory d, and returns
// the number of copied elements. at contains the unsigned indices of the elements in a.
// Run processes complete vectors, and stops before a vector with an index that is out of
// range. It does nothing if the destination d shares bytes with the source a or with the
// indices.
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

// share reports whether a and b have a byte of memory in common.
func share(a, b []byte) bool {
	return unsafe.SliceData(a) == unsafe.SliceData(b) || begins(a, b, len(b)) || begins(b, a, len(a))
}
