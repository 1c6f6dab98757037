// This file defines basic arithmetic functions.

package scalar

import (
	"math"
	"math/bits"

	"ptogo/ir/num"
)

// Add is a + b.
var Add = &Fn{
	Name: "add", Doc: "a + b", Arity: 2, Commutative: true,
	Flt:  func(a, b, _ float64) float64 { return a + b },
	Uint: func(a, b, _ uint64) uint64 { return a + b },
}

// Sub is a - b.
var Sub = &Fn{
	Name: "sub", Doc: "a - b", Arity: 2,
	Flt:  func(a, b, _ float64) float64 { return a - b },
	Uint: func(a, b, _ uint64) uint64 { return a - b },
}

// Mul is a * b.
var Mul = &Fn{
	Name: "mul", Doc: "a * b", Arity: 2, Commutative: true,
	Flt:  func(a, b, _ float64) float64 { return a * b },
	Uint: func(a, b, _ uint64) uint64 { return a * b },
}

// MulHi is the upper half of the double-width product a * b.
var MulHi = &Fn{
	Name: "mulhi", Doc: "upper half of the double-width product a * b", Arity: 2, Commutative: true,
	IntBits: mulHi,
}

// MulHiS is the upper half of the double-width product a * b of signed integers.
var MulHiS = withSign(MulHi, Signed, "mulhi_s", "upper half of the double-width product of signed a and b")

// MulHiU is the upper half of the double-width product a * b of unsigned integers.
var MulHiU = withSign(MulHi, Unsigned, "mulhi_u", "upper half of the double-width product of unsigned a and b")

// mulHi returns the upper half of the double-width product a * b. The format determines
// whether the integers are signed.
func mulHi(f num.Format, a, b, _ uint64) uint64 {
	w := f.Bits()
	if f.Signed() {
		a, b = uint64(num.Int(f, a)), uint64(num.Int(f, b))
	}
	if w < 64 {
		return a * b >> w // the low 2*w bits are the product, with either sign
	}
	hi, _ := bits.Mul64(a, b)
	if f.Signed() { // a negative operand was read as 2^64 too much
		if int64(a) < 0 {
			hi -= b
		}
		if int64(b) < 0 {
			hi -= a
		}
	}
	return hi
}

// AbsDiff is |a - b|. For integers the difference does not overflow.
var AbsDiff = &Fn{
	Name: "absdiff", Doc: "|a - b|", Arity: 2, Commutative: true,
	Flt: func(a, b, _ float64) float64 { return math.Abs(a - b) },
	Int: func(a, b, _ int64) int64 { return max(a, b) - min(a, b) },
	Uint: func(a, b, _ uint64) uint64 {
		return max(a, b) - min(a, b)
	},
}

// Recip is 1 / a. For integers, the quotient is rounded toward zero, so it is 0 if the
// magnitude of a is greater than 1.
var Recip = &Fn{
	Name: "recip", Doc: "1 / a", Arity: 1, Divisor: 1,
	Flt:  func(a, _, _ float64) float64 { return 1 / a },
	Int:  func(a, _, _ int64) int64 { return 1 / a },
	Uint: func(a, _, _ uint64) uint64 { return 1 / a },
}

// MulAdd is a * b + c. The product is rounded to the format before the addition.
var MulAdd = &Fn{
	Name: "muladd", Doc: "a * b + c, product and sum rounded separately", Arity: 3, Commutative: true,
	FltBits: func(f num.Format, a, b, c uint64) uint64 {
		p := num.Encode(f, num.Decode(f, a)*num.Decode(f, b), num.NearestEven, false)
		return num.Encode(f, num.Decode(f, p)+num.Decode(f, c), num.NearestEven, false)
	},
	Uint: mulAdd,
}

// Fma is a * b + c, rounded once.
var Fma = &Fn{
	Name: "fma", Doc: "a * b + c, rounded once", Arity: 3, Commutative: true,
	FltBits: fma,
	Uint:    mulAdd,
}

// Axpy is a * b + c, rounded once. The operands are, in order, the scale, the
// element that is scaled and the accumulator.
var Axpy = &Fn{
	Name: "axpy", Doc: "a * b + c, rounded once", Arity: 3, Commutative: true,
	FltBits: fma,
	Uint:    mulAdd,
}

// mulAdd returns a*b + c modulo 2^64. The caller keeps only the low bits that the integer
// format has.
func mulAdd(a, b, c uint64) uint64 { return a*b + c }

// fma returns a*b+c, rounded once to format f. The operands and the result are the bits
// of numbers.
func fma(f num.Format, a, b, c uint64) uint64 {
	x, y, z := num.Decode(f, a), num.Decode(f, b), num.Decode(f, c)
	if f == num.F64 {
		return num.Encode(f, math.FMA(x, y, z), num.NearestEven, false)
	}
	return num.Encode(f, mulAddOdd(x, y, z), num.NearestEven, false)
}

// mulAddOdd returns x*y+z rounded to odd in float64. The product is exact, because the
// operands have at most 24 significant bits. The caller rounds the result a second time,
// to a shorter format. Rounding to odd keeps the information on which side of a midpoint
// the exact value is, which rounding to nearest would lose, as in (1+2^-12)^2 + 2^-60.
func mulAddOdd(x, y, z float64) float64 {
	p := float64(x * y)
	s := p + z
	if s-s != 0 {
		return s // infinity or NaN, which need no rounding
	}
	// Knuth's two-sum computes the error of the sum, exactly in round to nearest.
	zz := s - p
	err := float64(p-float64(s-zz)) + float64(z-zz)
	bits := math.Float64bits(s)
	if err == 0 || bits&1 == 1 {
		return s
	}
	// s is even and inexact, so the result is its odd neighbour on the side of the
	// error. s is not zero, because a sum that cancels is exact.
	if (err > 0) == (s > 0) {
		bits++
	} else {
		bits--
	}
	return math.Float64frombits(bits)
}
