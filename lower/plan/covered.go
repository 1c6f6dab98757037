package plan

import "slices"

// covered counts the bytes that a changing set of address ranges covers. It is a segment
// tree over the bounds of all ranges, so each change takes logarithmic time.
type covered struct {
	// bounds are the bounds of all ranges, in order.
	bounds []int64
	// ranges is the number of ranges that contain all of a node of the tree, but not all of
	// the node above it; bytes is what is covered in the node.
	ranges []int
	bytes  []int64
}

// newCovered returns the empty set. The bounds of all ranges that will be added must be
// among the parameter bounds.
func newCovered(bounds []int64) *covered {
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	return &covered{bounds: bounds, ranges: make([]int, 4*len(bounds)+2), bytes: make([]int64, 4*len(bounds)+2)}
}

// total returns the number of covered bytes.
func (c *covered) total() int64 { return c.bytes[1] }

// change adds n copies of the range of addresses to the set; -1 removes a copy.
func (c *covered) change(from, to int64, n int) {
	first, _ := slices.BinarySearch(c.bounds, from)
	last, _ := slices.BinarySearch(c.bounds, to)
	c.node(1, 0, len(c.bounds)-1, first, last, n)
}

// node applies a change of the bounds first to last to the node that stands for the bounds
// low to high.
func (c *covered) node(at, low, high, first, last, n int) {
	if last <= low || high <= first {
		return
	}
	if first <= low && high <= last {
		c.ranges[at] += n
	} else {
		middle := (low + high) / 2
		c.node(2*at, low, middle, first, last, n)
		c.node(2*at+1, middle, high, first, last, n)
	}
	switch {
	case c.ranges[at] > 0:
		c.bytes[at] = c.bounds[high] - c.bounds[low]
	case high-low == 1:
		c.bytes[at] = 0
	default:
		c.bytes[at] = c.bytes[2*at] + c.bytes[2*at+1]
	}
}
