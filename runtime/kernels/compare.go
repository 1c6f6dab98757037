// This file compares rows and selects by masks.

package kernels

import (
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// compareRun is an assembly loop that compares n elements of a with elements of b and
// writes the results to d, one bit for each. If keep is -1, element i of a is compared
// with element i of b. If keep is 0, all elements of a are compared with the elements at
// the start of b, which are copies of one element. The last four parameters state which
// outcomes of a comparison count as true: -1 for true and 0 for false.
type compareRun = func(d, a, b *byte, n, keep int, less, equal, greater, unordered uint32)

// Comparison is a loop in vector instructions that compares elements of one number format
// and returns one bit for each.
type Comparison struct {
	// run is the assembly loop, or nil.
	run compareRun
	// step is the granularity of run: it processes a multiple of step elements.
	step int
	// size is the number of bytes of an element.
	size int
	// less, equal, greater and unordered state whether each outcome counts as true: -1
	// for true and 0 for false.
	less, equal, greater, unordered uint32
}

// ComparisonOf returns the vector loop that compares elements of format f with
// instructions of the given level. The parameter on is the set of outcomes (less, equal,
// greater, unordered) for which the comparison is true. If this package has no such loop,
// the result is the zero Comparison, whose method Run does nothing.
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

// Run compares the elements of a and b and writes the results to bits, one bit for each
// pair of elements. To compare all elements of a with a single element, b contains only
// HeldBytes bytes, with copies of this element; Run recognizes this by the length of b.
// Run processes complete vectors and returns the number of processed elements, a multiple
// of 8.
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

// Select copies element i of a to d if bit i of bits is set, and element i of b if the
// bit is clear. size is the size of an element in bytes, 2 or 4. Select processes
// complete vectors with instructions of the given level. It returns the number of
// processed elements; the caller processes the remaining ones.
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
