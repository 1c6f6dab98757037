// This file compares rows and selects by masks.

package kernels

import (
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// compareRun writes n bits. If keep is 0, b does not advance; if it is -1, b advances
// with a. The last four operands are -1 for the outcomes that count as true, and 0 for
// the others.
type compareRun = func(d, a, b *byte, n, keep int, less, equal, greater, unordered uint32)

// Comparison is a vector loop that compares elements of a format.
type Comparison struct {
	// run is the loop, or nil.
	run compareRun
	// step divides the number of elements that run processes.
	step int
	// size is the number of bytes of an element.
	size int
	// What an outcome counts as: 0 or -1.
	less, equal, greater, unordered uint32
}

// ComparisonOf returns the comparison that holds for the outcomes in on, at an
// instruction set level. f determines how elements are read. If the level has no such
// loop, Run does nothing.
func ComparisonOf(f num.Format, on scalar.Order, level Level) Comparison {
	if level == None || int(f) >= len(compares[level-1]) || compares[level-1][f] == nil {
		return Comparison{}
	}
	counts := func(outcome scalar.Order) uint32 {
		if on&outcome != 0 {
			return ^uint32(0)
		}
		return 0
	}
	return Comparison{compares[level-1][f], 8 << (level - 1), f.Bytes(),
		counts(scalar.Less), counts(scalar.Equal), counts(scalar.Greater), counts(scalar.Unordered)}
}

// Run writes one bit for each element of a: whether the comparison with the element of b
// holds. b may instead consist of HeldBytes of a single element. Run processes whole
// vectors and returns the number of elements, a multiple of 8.
func (c *Comparison) Run(bits, a, b []byte) int {
	if c.run == nil {
		return 0
	}
	n := len(a) / c.size &^ (c.step - 1)
	if n == 0 {
		return 0
	}
	keep, need := -1, n*c.size
	if len(b) < need {
		keep, need = 0, HeldBytes
	}
	c.run(&bits[:n/8][0], &a[0], &b[:need][0], n, keep, c.less, c.equal, c.greater, c.unordered)
	return n
}

// Select writes to d the elements of a where bits are set, and those of b elsewhere. It
// processes whole vectors of elements of 2 or 4 bytes and returns the number of elements.
func Select(level Level, size int, d, bits, a, b []byte) int {
	if level == None || size != 2 && size != 4 || selects[level-1][size/4] == nil {
		return 0
	}
	n := len(d) &^ (32<<(level-1) - 1)
	if n == 0 {
		return 0
	}
	selects[level-1][size/4](&d[0], &bits[:n/size/8][0], &a[:n][0], &b[:n][0], n/size)
	return n / size
}
