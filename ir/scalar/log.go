// This file computes logarithms in float64 with a fixed sequence of operations.

package scalar

import "math"

// taylorLog holds the coefficients 2/(2n+1), n = 1, 2, ..., of the Taylor series of
// 2·artanh(s)/s - 2 in s². The table ends where the next term of the series is below
// 2^-57 for 0.0295, the largest s².
var taylorLog = [...]float64{
	2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21,
}

// logReduce splits a positive finite x into 2^e·(1+f) with 1+f between sqrt(½) and
// sqrt(2). It returns e, f and d with log(1+f) = f - d. The difference is accurate
// because f is exact and d is much smaller.
func logReduce(x float64) (e, f, d float64) {
	b := math.Float64bits(x)
	if b < 1<<52 { // denormal
		b = math.Float64bits(x * (1 << 54))
		e = -54
	}
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	e += float64(int64(b>>52) - 1023)
	if m > math.Sqrt2 {
		m, e = m/2, e+1
	}
	f = m - 1
	s := f / (2 + f)
	z := float64(s * s)
	return e, f, float64(s * (f - float64(z*horner(z, taylorLog[:]))))
}

// logSpecial returns the logarithm of x and true if x has no finite logarithm: zero,
// negative numbers, infinity and NaN. Otherwise it returns false.
func logSpecial(x float64) (float64, bool) {
	switch {
	case x == 0:
		return math.Inf(-1), true
	case x < 0:
		return math.NaN(), true
	case x != x || x > math.MaxFloat64:
		return x, true
	}
	return 0, false
}

// log returns the natural logarithm of x. The function logReduce splits x into
// 2^e·(1+f), and returns a small correction d so that log(1+f) = f - d. The result is
// therefore e·ln 2 + (f - d). The small terms are added first, to keep the rounding
// error small.
func log(x float64) float64 {
	if y, ok := logSpecial(x); ok {
		return y
	}
	e, f, d := logReduce(x)
	return float64(e*ln2Hi) + (f - (d - float64(e*ln2Lo)))
}

// log2 returns the logarithm of x to base 2. The result is exact for powers of two. It is
// the sum of the exponent e of x and of the logarithm of the remaining factor, which is
// exactly 0 for a power of two.
func log2(x float64) float64 {
	if y, ok := logSpecial(x); ok {
		return y
	}
	e, f, d := logReduce(x)
	return mad(f-d, math.Log2E, e)
}

// log10 returns the logarithm to base 10.
func log10(x float64) float64 {
	if y, ok := logSpecial(x); ok {
		return y
	}
	return log(x) * math.Log10E
}

// log1p returns log(1+x). It computes log(u) for u = 1+x, rounded, and adds the
// first-order correction for the part of x that the rounding lost.
func log1p(x float64) float64 {
	u := 1 + x
	switch {
	case u == 1:
		return x // as 1+x is, to the last bit; keeps -0
	case !(u > 0) || u > math.MaxFloat64:
		return log(u)
	}
	lost := x - (u - 1)
	if x > 1 {
		lost = 1 - (u - x)
	}
	return log(u) + lost/u
}

// pow returns x to the power y, with the special cases of C's pow. Small integer powers
// are computed as products, so they are exact if the result fits. Otherwise the error
// grows with |y·log x|. For the largest and smallest results it is about 2^10 units in
// the last place of float64. This error is far below half a unit in the last place of
// f32, but it changes the last bits of an f64 result.
func pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	}
	odd := isOdd(y)
	if x < 0 && !math.IsInf(x, 0) && !math.IsInf(y, 0) && y != math.Trunc(y) {
		return math.NaN()
	}
	r := powAbs(math.Abs(x), y)
	if odd {
		r = math.Copysign(r, x)
	}
	return r
}

// powAbs returns x to the power y for x >= 0.
func powAbs(x, y float64) float64 {
	switch {
	case x == 1:
		return 1
	case x == 0 || x > math.MaxFloat64 || math.IsInf(y, 0):
		if (x > 1) == (y > 0) {
			return math.Inf(1)
		}
		return 0
	}
	if n := math.Abs(y); n <= maxProduct && n == math.Trunc(n) {
		p := powProduct(x, uint64(n))
		if y < 0 {
			p = 1 / p
		}
		if p > 0 && p <= math.MaxFloat64 {
			return p
		} // else a factor left the range, and the result may not have to
	}
	return exp(float64(y * log(x)))
}

// maxProduct is the largest exponent for which a power is computed as a product.
const maxProduct = 64

// powProduct returns x to the power n, by squaring.
func powProduct(x float64, n uint64) float64 {
	p := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p *= x
		}
		x *= x
	}
	return p
}

// isOdd reports whether y is an odd integer. All floats of at least 2^53 are even.
func isOdd(y float64) bool {
	return math.Abs(y) < 1<<53 && y == math.Trunc(y) && int64(y)&1 == 1
}
