// This file computes the exponential in float32 with a fixed sequence of operations.

package scalar

import "math"

// Constants of the function exp32.
const (
	// The unit in the last place of toNearest is 1. Adding toNearest to a small number
	// therefore rounds the number to an integer, which is then in the low bits of the
	// sum.
	toNearest = 0x1.8p52
	// Arguments beyond which exp is infinite or zero in float32.
	expMax32 = 89
	expMin32 = -104
)

// expSeries32 are the coefficients of a polynomial that approximates (exp(r) - 1 - r) /
// r² for |r| up to ln(2)/2, with an error of 2^-34 relative to exp(r).
var expSeries32 = [...]float64{
	0x1.0000003a23776p-1, 0x1.555554433c130p-3, 0x1.55548dc496160p-5, 0x1.111270b2f4d69p-7,
	0x1.6d8d06d6c3178p-10, 0x1.9f089646e1d48p-13,
}

// exp32 returns e^x for float32. It computes in float64 and rounds once at the end. For
// three or four of 10,000 arguments, the result is not the float32 that is nearest to
// e^x. A computation in float32 would miss the nearest float32 for one of 15 arguments.
// Every product is fused with the addition that follows, so the result has the same bits
// on every machine.
func exp32(x float32) float32 {
	if x != x {
		return x
	}
	y := float64(max(expMin32, min(x, expMax32)))
	sum := math.FMA(y, math.Log2E, toNearest)
	r := math.FMA(toNearest-sum, math.Ln2, y)
	p := expSeries32[len(expSeries32)-1]
	for i := len(expSeries32) - 2; i >= 0; i-- {
		p = math.FMA(p, r, expSeries32[i])
	}
	p = math.FMA(math.FMA(p, r, 1), r, 1)
	// Add the integer to the exponent field. It cannot leave the range there, and
	// the conversion rounds a denormal result once.
	return float32(math.Float64frombits(math.Float64bits(p) + math.Float64bits(sum)<<52))
}
