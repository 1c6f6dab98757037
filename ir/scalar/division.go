// This file defines quotients and remainders.

package scalar

import (
	"math"

	"ptogo/ir/num"
)

// Div is a / b. Integers truncate toward zero, and the smallest integer
// divided by -1 wraps to itself. A float divided by zero is an infinity or NaN.
var Div = &Fn{
	Name: "div", Doc: "a / b; integers truncate toward zero", Arity: 2, Divisor: 2,
	Flt:  func(a, b, _ float64) float64 { return a / b },
	Int:  func(a, b, _ int64) int64 { return a / b },
	Uint: func(a, b, _ uint64) uint64 { return a / b },
}

// DivS is the quotient of signed integers, truncated toward zero.
var DivS = withSign(Div, Signed, "div_s", "signed a / b, truncated toward zero")

// DivU is the quotient of unsigned integers, truncated.
var DivU = withSign(Div, Unsigned, "div_u", "unsigned a / b, truncated")

// FloorDiv is the quotient a / b, rounded down (toward negative infinity).
var FloorDiv = &Fn{
	Name: "floordiv", Doc: "a / b rounded down", Arity: 2, Divisor: 2,
	Int: func(a, b, _ int64) int64 {
		q := a / b
		if a%b != 0 && (a < 0) != (b < 0) {
			q--
		}
		return q
	},
	Uint: func(a, b, _ uint64) uint64 { return a / b },
}

// FloorDivS is the quotient of signed integers, rounded down.
var FloorDivS = withSign(FloorDiv, Signed, "floordiv_s", "signed a / b rounded down")

// CeilDiv is the quotient a / b, rounded up (toward positive infinity).
var CeilDiv = &Fn{
	Name: "ceildiv", Doc: "a / b rounded up", Arity: 2, Divisor: 2,
	Int: func(a, b, _ int64) int64 {
		q := a / b
		if a%b != 0 && (a < 0) == (b < 0) {
			q++
		}
		return q
	},
	Uint: func(a, b, _ uint64) uint64 {
		q := a / b
		if a%b != 0 {
			q++
		}
		return q
	},
}

// CeilDivS is the quotient of signed integers, rounded up.
var CeilDivS = withSign(CeilDiv, Signed, "ceildiv_s", "signed a / b rounded up")

// CeilDivU is the quotient of unsigned integers, rounded up.
var CeilDivU = withSign(CeilDiv, Unsigned, "ceildiv_u", "unsigned a / b rounded up")

// Fmod is the remainder a - b * q, where q is the quotient a / b rounded toward zero. The
// remainder has the sign of a. For floats it is exact; fmod(a, 0) and fmod(inf, b) are
// NaN, and fmod(a, inf) is a.
var Fmod = &Fn{
	Name: "fmod", Doc: "remainder of a / b with the sign of a", Arity: 2, Divisor: 2,
	Flt:  func(a, b, _ float64) float64 { return math.Mod(a, b) },
	Int:  func(a, b, _ int64) int64 { return a % b },
	Uint: func(a, b, _ uint64) uint64 { return a % b },
}

// RemS is the remainder of signed integers for the truncated quotient. It has the sign of
// the dividend.
var RemS = withSign(Fmod, Signed, "rem_s", "remainder of signed a / b with the sign of a")

// RemU is the remainder of unsigned integers.
var RemU = withSign(Fmod, Unsigned, "rem_u", "remainder of unsigned a / b")

// Rem is the remainder of a divided by b for the quotient that is rounded down, so it has
// the sign of b. The float result is fmod(a, b), plus b if that remainder is not zero and
// its sign differs from the sign of b. This sum is rounded, so it can become b itself if
// the remainder is tiny. A zero result is positive, as in a - floor(a/b)*b.
var Rem = &Fn{
	Name: "rem", Doc: "remainder of a / b with the sign of b", Arity: 2, Divisor: 2,
	Flt: func(a, b, _ float64) float64 {
		r := math.Mod(a, b)
		switch {
		case r == 0:
			return 0
		case math.Signbit(r) != math.Signbit(b):
			return r + b
		}
		return r
	},
	Int: func(a, b, _ int64) int64 {
		r := a % b
		if r != 0 && (r < 0) != (b < 0) {
			r += b
		}
		return r
	},
	Uint: func(a, b, _ uint64) uint64 { return a % b },
}

// RemZero is the remainder of a division with the sign of the divisor, like Rem. If the
// result is a floating-point zero, however, it has the sign of the dividend.
var RemZero = &Fn{
	Name: "rem_zero", Doc: "remainder of a / b with the sign of b; a zero has that of a", Arity: 2, Divisor: 2,
	Flt: func(a, b, _ float64) float64 {
		if r := math.Mod(a, b); r == 0 {
			return r
		}
		return Rem.Flt(a, b, 0)
	},
	Int: Rem.Int, Uint: Rem.Uint,
}

// DivRecip computes a * (1 / b). The reciprocal and the product are each rounded to the
// format, and the reciprocal of both zeros is +inf. A5 divides a tile by a scalar in this
// way in default precision. DivRecip is not defined for integers.
var DivRecip = &Fn{
	Name: "div_recip", Doc: "a * (1 / b), rounded twice, with 1 / 0 = +inf", Arity: 2,
	FltBits: func(f num.Format, a, b, _ uint64) uint64 {
		r := num.Decode(f, reciprocal(f, b))
		return num.Encode(f, num.Decode(f, a)*r, num.NearestEven, false)
	},
	OfScalar: reciprocal, Rest: Mul,
}

// reciprocal returns 1 / b, rounded to the format, and +inf for both zeros.
func reciprocal(f num.Format, b uint64) uint64 {
	r := 1 / num.Decode(f, b)
	if math.IsInf(r, -1) && num.Decode(f, b) == 0 {
		r = math.Inf(1)
	}
	return num.Encode(f, r, num.NearestEven, false)
}
