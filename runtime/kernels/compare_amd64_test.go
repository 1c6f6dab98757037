package kernels

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// TestCompare compares numbers at every level for every set of outcomes, with a
// row and with one element, and checks the bits against the relation.
func TestCompare(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, f := range []num.Format{num.F32, num.F16, num.BF16, num.S32, num.S16, num.U16, num.S8, num.U8} {
		const n = 200
		special := []uint64{0, f.SignBit(), num.Max(f), num.Lowest(f), num.Max(f) + 1, f.Mask(), 1, f.SignBit() | 1}
		size := f.Bytes()
		a, b, held := make([]byte, n*size), make([]byte, n*size), make([]byte, HeldBytes)
		for i := range n {
			x, y := r.Uint64()&f.Mask(), special[r.IntN(len(special))]
			if i%3 > 0 {
				x = special[r.IntN(len(special))]
			}
			num.Store(f, a[i*size:], x)
			num.Store(f, b[i*size:], y&f.Mask())
		}
		for i := range HeldBytes / size {
			num.Store(f, held[i*size:], special[2])
		}
		for _, level := range Levels()[1:] {
			for on := scalar.Order(0); on < 16; on++ {
				compare := ComparisonOf(f, on, level)
				for _, right := range [][]byte{b, held} {
					bits := slices.Repeat([]byte{0xA5}, n/8)
					done := compare.Run(bits, a, right)
					if n-done >= 16 {
						t.Fatalf("%s %s: only %d elements", level, f, done)
					}
					for i := range done {
						want := scalar.Relation{On: on}.Holds(f, num.Load(f, a[i*size:]), num.Load(f, right[i*size%len(right):]))
						if got := bits[i/8]>>(i%8)&1 != 0; got != want {
							t.Fatalf("%s %s: element %d is %t for %d", level, f, i, got, on)
						}
					}
				}
			}
		}
	}
}

// TestSelect chooses elements at every level.
func TestSelect(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, level := range Levels()[1:] {
		for _, size := range []int{2, 4} {
			const n = 200
			a, b, d, bits := make([]byte, n*size), make([]byte, n*size), make([]byte, n*size), make([]byte, n/8)
			for i := range a {
				a[i], b[i], bits[i%len(bits)] = byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32())
			}
			done := Select(level, size, d, bits, a, b)
			if n-done >= 32 {
				t.Fatalf("%s: only %d elements of %d bytes", level, done, size)
			}
			for i := range done {
				want := b
				if bits[i/8]>>(i%8)&1 != 0 {
					want = a
				}
				if !slices.Equal(d[i*size:(i+1)*size], want[i*size:(i+1)*size]) {
					t.Fatalf("%s: element %d of %d bytes is wrong", level, i, size)
				}
			}
		}
	}
}
