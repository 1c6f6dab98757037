package num

import (
	"math"
	"math/rand/v2"
)

// rng returns a random number generator that yields the same numbers in every run.
func rng() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// wideBits returns f64 bit patterns for tests: special cases and many random ones.
func wideBits() []uint64 {
	edges := []float64{
		0, 1, 1.5, 2, 3, math.Pi, 0.1, 1.0 / 3,
		math.MaxFloat32, math.MaxFloat32 * 2, math.SmallestNonzeroFloat32, 0x1p-126, 0x1.fffffep-127,
		math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, math.Inf(1), math.NaN(),
		65504, 65519, 65520, 65536, 448, 464, 480, 57344, 61440, 6, 7, 8, 0x1p127, 0x1p-127, 0x1p-150,
		1 << 31, 1 << 32, 1 << 53, 1 << 63, 1 << 64, 0x1p100,
	}
	var out []uint64
	for _, x := range edges {
		for _, y := range []float64{math.Nextafter(x, math.Inf(-1)), x, math.Nextafter(x, math.Inf(1))} {
			b := math.Float64bits(y)
			out = append(out, b, b^1<<63)
		}
	}
	out = append(out, 0x7FF0000000000001, 0xFFF8000000000000) // other NaNs
	r := rng()
	for range 20000 {
		out = append(out, r.Uint64(), math.Float64bits(r.NormFloat64()), math.Float64bits(math.Ldexp(r.Float64(), r.IntN(300)-150)))
	}
	return out
}
