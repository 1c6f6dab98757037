package scalar

import "math"

// taylorLog holds 2/(2n+1) from n = 1, of the series of 2·artanh(s)/s - 2 in
// s². It stops where the next term is below 2^-57 for s² of 0.0295.
var taylorLog = [...]float64{
	2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21,
}

// logReduce splits a positive finite x into 2^e·(1+f) with 1+f between sqrt(½)
// and sqrt(2), and returns e, f and d with log(1+f) = f - d. That f is exact
// and d much smaller makes the difference accurate.
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

// logSpecial handles what has no finite logarithm.
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

func log(x float64) float64 {
	if y, ok := logSpecial(x); ok {
		return y
	}
	e, f, d := logReduce(x)
	return float64(e*ln2Hi) + (f - (d - float64(e*ln2Lo)))
}

// log2 is exact for powers of two, where f and d are zero.
func log2(x float64) float64 {
	if y, ok := logSpecial(x); ok {
		return y
	}
	e, f, d := logReduce(x)
	return mad(f-d, math.Log2E, e)
}

func log10(x float64) float64 {
	if y, ok := logSpecial(x); ok {
		return y
	}
	return log(x) * math.Log10E
}

// log1p corrects log(u) for u = 1+x, rounded, by the first term of what the
// rounding lost.
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

// pow follows C's pow. Small integer powers are products, so they are exact
// where the result fits. Otherwise the error in float64 grows with |y·log x|,
// to about 2^10 units at the ends of the range: far below half a unit of f32,
// but more than the last bits of f64.
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

// powAbs is pow for x not below zero.
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

// maxProduct is the largest power taken as a product.
const maxProduct = 64

// powProduct squares and multiplies.
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

// isOdd reports whether y is an odd integer. Floats from 2^53 on are even.
func isOdd(y float64) bool {
	return math.Abs(y) < 1<<53 && y == math.Trunc(y) && int64(y)&1 == 1
}
