package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"ptogo/ir/num"
)

// TestSumRows compares the sums of rows at every level with those in Go, on
// numbers whose sum tells the order, with gaps between rows.
func TestSumRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const rows, gap = 12, 24
	for _, f := range []num.Format{num.F32, num.F16} {
		pitch := SumLanes*f.Bytes() + gap
		data := make([]byte, rows*pitch)
		for row := range rows {
			for i := range SumLanes {
				x := math.Ldexp(r.Float64()-0.5, r.IntN(20)-10)
				num.Store(f, data[row*pitch+i*f.Bytes():], num.Encode(f, x, num.NearestEven, false))
			}
		}
		var want [rows]float32
		SumRows(f, None, want[:], data, pitch, rows)
		for _, level := range Levels()[1:] {
			var got [rows]float32
			if SumRows(f, level, got[:], data, pitch, rows); got != want {
				t.Errorf("%s, %s: %v, want %v", f, level, got, want)
			}
		}
	}
}

func BenchmarkSumRows(b *testing.B) {
	data := make([]byte, 64*64*4)
	var d [64]float32
	for b.Loop() {
		for range 1000 {
			SumRows(num.F32, Best, d[:], data, 256, 64)
		}
	}
}
