package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestMatmul compares the loops of every level with those in Go, on sizes that
// leave rows and columns after the panels, and on values that cancel,
// overflow, and lie below the normal range.
func TestMatmul(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	value := func() float32 {
		switch r.IntN(12) {
		case 0:
			return 0
		case 1:
			return math.Float32frombits(r.Uint32() & 0x7FFFFF)
		case 2:
			return float32(r.NormFloat64() * 1e25)
		case 3:
			return float32(r.NormFloat64() * 1e-25)
		}
		return float32(r.NormFloat64())
	}
	matrix := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = value()
		}
		return x
	}
	for _, s := range [][3]int{{1, 16, 7}, {8, 32, 64}, {9, 48, 33}, {13, 50, 5}, {3, 5, 4}, {16, 64, 1}, {4, 96, 0}} {
		m, n, k := s[0], s[1], s[2]
		a, b, start := matrix(m*k), matrix(k*n), matrix(m*n)
		for _, how := range []Arithmetic{Fused, Apart, Integers} {
			var want []uint32
			for _, level := range Levels() {
				c := append([]float32(nil), start...)
				MatmulAt(level, how, c, a, b, m, n, k)
				if level == None {
					want = words(c)
					continue
				}
				for i, x := range words(c) {
					if x != want[i] && c[i] == c[i] {
						t.Fatalf("%s: element %d is %#x, want %#x", fmt.Sprint(s, how, level), i, x, want[i])
					}
				}
			}
		}
	}
}
