// This file computes sine and cosine with a fixed sequence of operations.

package scalar

import (
	"math"
	"math/bits"
)

// taylorSin holds the Taylor coefficients of (sin(r)/r - 1) / r² as a polynomial in r²,
// and taylorCos holds those of (cos(r) - 1) / r². In both series, the first omitted term
// is below 2^-57 for r = π/4.
var (
	taylorSin = [...]float64{
		-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
		1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000,
	}
	taylorCos = [...]float64{
		-1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800,
		1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000,
	}
)

// sinTail returns the sine of r radians for |r| up to π/4.
func sinTail(r float64) float64 {
	z := float64(r * r)
	return mad(r, float64(z*horner(z, taylorSin[:])), r)
}

// cosTail returns the cosine of r radians for |r| up to π/4.
func cosTail(r float64) float64 {
	z := float64(r * r)
	return mad(z, horner(z, taylorCos[:]), 1)
}

// sin returns the sine of x radians, and NaN for an infinite x.
func sin(x float64) float64 {
	if x == 0 {
		return x // keeps -0
	}
	q, r, ok := reduce(math.Abs(x))
	if !ok {
		return math.NaN()
	}
	return math.Copysign(1, x) * quadrant(q, r)
}

// cos returns the cosine of x radians, and NaN for an infinite x.
func cos(x float64) float64 {
	q, r, ok := reduce(math.Abs(x))
	if !ok {
		return math.NaN()
	}
	return quadrant(q+1, r)
}

// quadrant returns sin(q·π/2 + r).
func quadrant(q uint64, r float64) float64 {
	switch q & 3 {
	case 0:
		return sinTail(r)
	case 1:
		return cosTail(r)
	case 2:
		return -sinTail(r)
	}
	return -cosTail(r)
}

// twoOverPi holds the binary digits of the number 2/π, after 64 zero bits. It has as many
// digits as the range reduction of the largest float64 needs.
var twoOverPi = [...]uint64{
	0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
	0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
	0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
	0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
	0xf0cfbc209af4361d,
}

// reduce writes a non-negative x as q·π/2 + r with |r| up to π/4, and returns q mod
// 4 and r. ok is false for infinity and NaN.
//
// This is the method of Payne and Hanek. It multiplies x = m·2^e by 2/π and skips
// the bits of 2/π whose product is a multiple of 4. The next 192 bits give the
// quotient and 137 bits of its fraction. A float64 that is close to a multiple of
// π/2 loses at most about 62 of these bits.
func reduce(x float64) (q uint64, r float64, ok bool) {
	if x <= math.Pi/4 {
		return 0, x, true
	}
	if !(x <= math.MaxFloat64) {
		return 0, 0, false
	}
	b := math.Float64bits(x) // normal, since x > π/4
	m, e := b&(1<<52-1)|1<<52, int(b>>52)-1075

	skip := uint(e - 2 + 64) // 64 for the leading zeros; e is at least -53
	w := func(i uint) uint64 {
		i += skip / 64
		return twoOverPi[i]<<(skip%64) | twoOverPi[i+1]>>(64-skip%64)
	}
	// p2:p1:p0 = m * w0:w1:w2, modulo 2^192; p0 is not needed.
	h2, _ := bits.Mul64(m, w(2))
	h1, l1 := bits.Mul64(m, w(1))
	p1, carry := bits.Add64(l1, h2, 0)
	p2 := m*w(0) + h1 + carry

	q = p2 >> 62
	hi, lo := p2<<2|p1>>62, p1<<2 // the fraction, in units of 2^-128
	neg := hi>>63 == 1
	if neg { // above one half: count from the next multiple of π/2
		q++
		lo, carry = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, carry)
	}
	r = float64(fraction(hi, lo) * (math.Pi / 2))
	if neg {
		r = -r
	}
	return q, r, true
}

// fraction returns (hi·2^64 + lo) / 2^128, rounded to 64 bits and then to float64.
func fraction(hi, lo uint64) float64 {
	exp := int64(-64)
	if hi == 0 {
		hi, lo, exp = lo, 0, -128
	}
	n := bits.LeadingZeros64(hi)
	hi = hi<<n | lo>>(64-n)
	return float64(hi) * pow2(exp-int64(n))
}
