package data

import (
	"testing"

	"ptogo/kernel"
)

// FuzzCount counts the elements of any shape: the product of the extents, also where
// it does not fit 64 bits.
func FuzzCount(f *testing.F) {
	f.Add(int64(2), int64(3), int64(4))
	f.Add(int64(1<<32), int64(1<<32), int64(1))
	f.Add(int64(4), int64(1<<62+1), int64(1)) // wraps around to 4
	f.Add(int64(0), int64(1<<62), int64(1<<62))
	f.Add(int64(-1), int64(-4), int64(1))
	f.Fuzz(func(t *testing.T, a, b, c int64) {
		n := Elements([]int64{a, b, c})
		if n < -1 || n > kernel.MaxElements {
			t.Fatalf("%dx%dx%d has %d elements", a, b, c, n)
		}
		if n > 0 && (n%a != 0 || n/a%b != 0 || n/a/b != c) {
			t.Fatalf("%dx%dx%d has %d elements", a, b, c, n)
		}
	})
}
