// This file computes the logarithm in float32 with a fixed sequence of operations.

package scalar

import "math"

// sqrtHalf32 is the bit pattern of √½ in float32. log32 reduces mantissas to the range
// √½ to √2.
const sqrtHalf32 = 0x3F3504F3

// logSeries32 approximates (log(1+f)/s - 2) / s² as a polynomial in s², where s is
// f/(2+f). The range of f is √½-1 to √2-1, and the error is 2^-37 relative to the
// logarithm.
var logSeries32 = [...]float64{0x1.555554fd9ad8bp-1, 0x1.999a7a8e80046p-2, 0x1.2438d6a222448p-2, 0x1.e2f689de2a1b5p-3}

// log32 returns the natural logarithm for float32. Like exp32 it computes in float64 and
// rounds at the end: fewer than ten of 100,000 results are not the nearest number.
func log32(x float32) float32 {
	switch {
	case x == 0:
		return float32(math.Inf(-1))
	case x < 0:
		return float32(math.NaN())
	case x != x || x > math.MaxFloat32:
		return x
	}
	b, e := math.Float32bits(x), 0.0
	if b < 1<<23 { // denormal
		b, e = math.Float32bits(x*(1<<24)), -24
	}
	b -= sqrtHalf32
	e += float64(int32(b) >> 23)
	f := float64(math.Float32frombits(b&(1<<23-1)+sqrtHalf32) - 1)
	s := f / (2 + f)
	z := float64(s * s)
	p := logSeries32[len(logSeries32)-1]
	for i := len(logSeries32) - 2; i >= 0; i-- {
		p = math.FMA(p, z, logSeries32[i])
	}
	return float32(math.FMA(e, math.Ln2, float64(s*math.FMA(p, z, 2))))
}
