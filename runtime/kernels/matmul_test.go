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
	strips := func(x []float32, rows, cols, pitch int) []float32 {
		y := make([]float32, pitch*cols)
		for r := range rows {
			for c := range cols {
				y[(c/StripCols*pitch+r)*StripCols+c%StripCols] = x[r*cols+c]
			}
		}
		return y
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
			if n%StripCols != 0 {
				continue
			}
			for _, level := range Levels() {
				pitch := m + 3
				c, all := strips(start, m, n, pitch), strips(as32(want), m, n, pitch)
				MatmulStrips(level, how, c, a, strips(b, k, n, k), m, n, k, pitch)
				for i, x := range words(c) {
					if x != words(all)[i] && c[i] == c[i] {
						t.Fatalf("strips %s: word %d is %#x, want %#x", fmt.Sprint(s, how, level), i, x, words(all)[i])
					}
				}
			}
		}
	}
}

// as32 returns the floats with the given bits.
func as32(bits []uint32) []float32 {
	x := make([]float32, len(bits))
	for i, b := range bits {
		x[i] = math.Float32frombits(b)
	}
	return x
}
