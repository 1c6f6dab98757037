// This file compares rows and selects by masks.

package kernels

import (
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// compareRun writes n bits; b stays in its place if keep is 0 and not -1. The
// outcomes that count are -1.
type compareRun = func(d, a, b *byte, n, keep int, less, equal, greater, unordered uint32)

// Comparison compares elements of a format.
type Comparison struct {
	run  compareRun
	step int // elements come in multiples of it
	size int
	// What an outcome counts as: 0 or -1.
	less, equal, greater, unordered uint32
}

// ComparisonOf returns the comparison that holds for the outcomes in on, at a
// level; elements are read as f says. Without a loop it does nothing.
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

// Run writes a bit for each element of a: whether its comparison with that of b
// holds. b may have HeldBytes of one element for all. It does whole vectors, and
// returns how many elements that makes, a multiple of 8.
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

// Select writes elements of a where bits are set, and of b elsewhere, and
// returns how many. It does whole vectors of elements of 2 or 4 bytes.
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
