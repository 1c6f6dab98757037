package check

import "testing"

// TestPageSums verifies that a store counts as a change exactly if it changes one of the
// bytes in question: in complete blocks, and on both sides of a boundary inside a block.
func TestPageSums(t *testing.T) {
	page := make([]byte, 100) // the last block is short
	fill := func(lo, hi int, b byte) {
		for i := lo; i < hi; i++ {
			page[i] = b
		}
	}
	var p pageSums
	fill(0, 48, 1)
	p.record(page, 0, 48)
	fill(48, 100, 2)
	p.record(page, 48, 100)
	for _, c := range []struct {
		lo, hi, from, to int
		want             bool
	}{
		{0, 32, 0, 32, true},
		{32, 48, 32, 48, true},
		{48, 64, 32, 48, false},
		{48, 64, 48, 64, true},
		{96, 100, 96, 100, true},
		{64, 96, 0, 64, false},
		{0, 0, 0, 100, false},
	} {
		before := string(page)
		fill(c.lo, c.hi, 9)
		if got := p.changed(page, c.from, c.to); got != c.want {
			t.Errorf("bytes %d to %d are stored: changed(%d, %d) is %t", c.lo, c.hi, c.from, c.to, got)
		}
		copy(page, before)
	}
}
