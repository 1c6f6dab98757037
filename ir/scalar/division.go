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

// RemZero is the exact remainder of a division with the sign of the divisor, like Rem, in
// high precision of A5. If the result is a floating-point zero, it has the sign of the
// dividend. The headers compare signs by the product of remainder and divisor, so a remainder
// keeps its sign where that product is too small for the format.
var RemZero = &Fn{
	Name: "rem_zero", Doc: "remainder of a / b with the sign of b; a zero has that of a", Arity: 2, Divisor: 2,
	Flt: func(a, b, _ float64) float64 {
		r := math.Mod(a, b)
		if r*b < 0 {
			r += b
		}
		return r
	},
	Flt32: func(a, b, _ float32) float32 {
		r := float32(math.Mod(float64(a), float64(b)))
		if r*b < 0 {
			r += b
		}
		return r
	},
	Int: Rem.Int, Uint: Rem.Uint,
}

// FmodByQuotient, RemByQuotient and FloorByQuotient are the remainders a - q * b of the NPU
// headers in default precision, which round each step: q = a / b, q as an integer, q * b and
// the difference, all in f32 for f16 and f32. They differ from Fmod and Rem where q needs
// more digits than f32 has, and where the rounded q is the next integer. The quotient of
// FmodByQuotient is rounded toward zero, that of the others down. RemByQuotient then adds b
// once if the product of remainder and b is negative.
var (
	FmodByQuotient = &Fn{
		Name: "fmod_by_quotient", Doc: "a - trunc(a / b) * b, each step rounded", Arity: 2,
		FltBits: func(f num.Format, a, b, _ uint64) uint64 { return byQuotient(f, a, b, math.Trunc) },
	}
	RemByQuotient = &Fn{
		Name: "rem_by_quotient", Doc: "a - floor(a / b) * b, each step rounded, then plus b if its sign is not that of b", Arity: 2,
		FltBits: func(f num.Format, a, b, _ uint64) uint64 {
			bits := byQuotient(f, a, b, math.Floor)
			r, y := num.Decode(f, bits), num.Decode(f, b)
			if num.Decode(f, num.Encode(f, r*y, num.NearestEven, false)) < 0 {
				return num.Encode(f, r+y, num.NearestEven, false)
			}
			return bits
		},
	}
	FloorByQuotient = &Fn{
		Name: "floor_by_quotient", Doc: "a - floor(a / b) * b, each step rounded", Arity: 2,
		FltBits: func(f num.Format, a, b, _ uint64) uint64 { return byQuotient(f, a, b, math.Floor) },
	}
)

// byQuotient returns a - whole(a / b) * b for elements of format f, as bits. Each step is
// rounded to f32, or to f64 if f is f64. If f is narrower, the result is rounded toward zero.
func byQuotient(f num.Format, a, b uint64, whole func(float64) float64) uint64 {
	step := func(x float64) float64 { return float64(float32(x)) }
	if f == num.F64 {
		step = func(x float64) float64 { return x }
	}
	x, y := num.Decode(f, a), num.Decode(f, b)
	r := step(x - step(whole(step(x/y))*y))
	if f == num.F64 || f == num.F32 {
		return num.Encode(f, r, num.NearestEven, false)
	}
	return num.Encode(f, r, num.Zero, true)
}

// RemInF32 and RemSInF32 are the remainders of i32 of the A2/A3 headers (TREM and TREMS),
// which divide and correct the sign in f32. Below 2^24 they equal Rem. Beyond it the
// operands lose digits; only RemSInF32 keeps those of b.
var (
	RemInF32 = &Fn{
		Name: "rem_in_f32", Doc: "remainder of a / b with the sign of b, through f32", Arity: 2, Divisor: 2, Sign: Signed,
		Int: func(a, b, _ int64) int64 { return remInF32(a, b, fromF32(float32(b))) },
	}
	RemSInF32 = &Fn{
		Name: "rem_s_in_f32", Doc: "remainder of a / b with the sign of b, through f32 except for b", Arity: 2, Divisor: 2, Sign: Signed,
		Int: func(a, b, _ int64) int64 { return remInF32(a, b, b) },
	}
)

// remInF32 returns the remainder of a / b, integers of 32 bits, as the A2/A3 headers compute
// it. They multiply the quotient by factor, which is b or b rounded to f32.
func remInF32(a, b, factor int64) int64 {
	x, y := float32(a), float32(b)
	q := fromF32(float32(math.Floor(float64(x / y))))
	r := float32(int32(fromF32(x) - q*factor))
	if r*y < 0 {
		r += y
	}
	return fromF32(r)
}

// fromF32 converts x to an integer of 32 bits, toward zero. Beyond their range it returns the
// closest integer, and 0 for NaN.
func fromF32(x float32) int64 {
	switch {
	case x != x:
		return 0
	case x >= math.MaxInt32:
		return math.MaxInt32
	case x <= math.MinInt32:
		return math.MinInt32
	}
	return int64(x)
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
