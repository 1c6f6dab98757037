// This file computes exponentials in float64 with a fixed sequence of operations, so
// that every engine produces the same bits.

package scalar

import "math"

// ln2Hi + ln2Lo is the natural logarithm of 2. The low 32 bits of ln2Hi are zero,
// so its product with an exponent is exact.
const (
	ln2Hi = 0x1.62e42feep-1
	ln2Lo = 0x1.a39ef35793c76p-33
)

// taylorExp holds 1/n! from n = 2. The series ends where the next term is below
// 2^-57 for the largest argument, ln(2)/2.
var taylorExp = [...]float64{
	1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
	1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800,
}

// mad returns x*y+z, where both the product and the sum are rounded. The conversion to
// float64 keeps the Go compiler from fusing them. The compiler could also fuse across an
// inlined call, so callers convert a product that they pass to mad, too.
func mad(x, y, z float64) float64 { return float64(x*y) + z }

// horner evaluates c[0] + c[1]*x + c[2]*x² + ...
func horner(x float64, c []float64) float64 {
	p := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		p = mad(p, x, c[i])
	}
	return p
}

// expTail returns exp(r) - 1 for |r| up to ln(2)/2.
func expTail(r float64) float64 {
	return mad(float64(r*r), horner(r, taylorExp[:]), r)
}

// expReduce splits x into k·ln 2 + r with |r| at most ln(2)/2, and returns k
// and exp(r) - 1.
func expReduce(x float64) (k, tail float64) {
	k = math.RoundToEven(x * math.Log2E)
	r := mad(-k, ln2Lo, mad(-k, ln2Hi, x))
	return k, expTail(r)
}

// scale returns x·2^k for |k| up to 2044. It multiplies twice, so that neither
// power of two overflows and a denormal result is rounded once.
func scale(x, k float64) float64 {
	half := int64(k) >> 1
	return x * pow2(half) * pow2(int64(k)-half)
}

// pow2 returns 2^k for k in the range of normal exponents.
func pow2(k int64) float64 { return math.Float64frombits(uint64(k+1023) << 52) }

// expMax and expMin are the arguments beyond which exp is infinite or zero in float64.
const (
	expMax = 709.79
	expMin = -745.14
)

// exp returns e^x = 2^k·e^r, with x reduced to k·ln 2 + r.
func exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > expMax:
		return math.Inf(1)
	case x < expMin:
		return 0
	}
	k, tail := expReduce(x)
	return scale(1+tail, k)
}

// exp2 returns 2^x by splitting x into an integer and a rest of at most ½.
func exp2(x float64) float64 {
	switch {
	case x != x:
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1075:
		return 0
	}
	k := math.RoundToEven(x)
	return scale(1+expTail(float64((x-k)*math.Ln2)), k)
}

// expm1 returns exp(x) - 1 without the cancellation near zero.
func expm1(x float64) float64 {
	switch {
	case x != x || x == 0: // keeps -0
		return x
	case x > expMax:
		return math.Inf(1)
	case x < -40:
		return -1
	}
	k, tail := expReduce(x)
	if k > 56 { // 1 is below the last bit, and 2^k alone may overflow
		return scale(1+tail, k)
	}
	p := pow2(int64(k))
	return mad(p, tail, p-1)
}

// tanh returns expm1(2x) / (expm1(2x) + 2), a formula without cancellation.
func tanh(x float64) float64 {
	if x != x || x == 0 {
		return x
	}
	a := math.Abs(x)
	r := 1.0
	if a < 22 { // from 22 on, 1 - tanh is below half a bit
		t := expm1(2 * a)
		r = t / (t + 2)
	}
	return math.Copysign(r, x)
}
