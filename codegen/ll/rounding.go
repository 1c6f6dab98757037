// This file emits rounding to integral values.

package ll

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
)

// Rounding to an integral float is written as arithmetic. LLVM's intrinsics
// would call the mathematics library where the target has no instruction,
// which the x86-64 baseline has not.

// integral returns 2^23 for float and 2^52 for double. Every larger number of the type is
// an integer.
func integral(t types.Type) float64 {
	if ElementOf(t) == F32 {
		return 1 << 23
	}
	return 1 << 52
}

// nearestOfAbs emits code that rounds the float in the parameter a to the nearest
// integer, ties to even. The float must not be negative. The code adds a constant,
// 2^(mantissa bits), and subtracts it again. A sum of this size has no bits for a
// fraction, so the addition rounds to an integer.
func (c *Code) nearestOfAbs(a value.Value) value.Value {
	big := c.Num(a, integral(a.Type()))
	r := c.FSub(c.FAdd(a, big), big)
	return c.Select(c.FCmp(enum.FPredOLT, a, big), r, a) // keeps NaN and infinity
}

// truncOfAbs emits a, which must not be negative, rounded down to an integer.
func (c *Code) truncOfAbs(a value.Value) value.Value {
	r := c.nearestOfAbs(a)
	return c.Select(c.FCmp(enum.FPredOGT, r, a), c.FSub(r, c.Num(a, 1)), r)
}

// Round emits x rounded to an integral value, as a float. Zero results have the sign of
// x.
func (c *Code) Round(x value.Value, r num.Rounding) value.Value {
	a := c.FAbs(x)
	if r == num.NearestEven {
		return c.copysign(c.nearestOfAbs(a), x)
	}
	t := c.truncOfAbs(a)
	if r != num.Zero {
		t = c.Select(c.roundsUp(x, a, t, r), c.FAdd(t, c.Num(a, 1)), t)
	}
	return c.copysign(t, x)
}

// roundsUp emits an i1 that is true if rounding x in mode r increases its magnitude. The
// parameter a is the magnitude of x, and t is the integer part of a. The result is false
// for a NaN.
func (c *Code) roundsUp(x, a, t value.Value, r num.Rounding) value.Value {
	rest := c.FSub(a, t) // exact
	switch r {
	case num.NearestAway:
		return c.FCmp(enum.FPredOGE, rest, c.Num(a, 0.5))
	case num.HalfUp:
		half := c.Num(a, 0.5)
		return c.Or(c.FCmp(enum.FPredOGT, rest, half),
			c.And(c.FCmp(enum.FPredOEQ, rest, half), c.Not(c.isNegative(x))))
	case num.Floor:
		return c.And(c.FCmp(enum.FPredOGT, rest, c.Num(a, 0)), c.isNegative(x))
	case num.Ceil:
		return c.And(c.FCmp(enum.FPredOGT, rest, c.Num(a, 0)), c.Not(c.isNegative(x)))
	case num.Odd:
		half := c.FMul(t, c.Num(a, 0.5))
		even := c.FCmp(enum.FPredOEQ, c.truncOfAbs(half), half)
		return c.And(c.FCmp(enum.FPredOGT, rest, c.Num(a, 0)), even)
	}
	panic("BUG: rounding mode " + r.String())
}

// isNegative emits an i1 that is true if the sign bit of the float x is set.
func (c *Code) isNegative(x value.Value) value.Value {
	b := c.Bits(x)
	return c.ICmp(enum.IPredSLT, b, c.Int(b, 0))
}

// FAbs emits x with its sign bit cleared.
func (c *Code) FAbs(x value.Value) value.Value { return c.call1("llvm.fabs", x) }

// copysign emits x with the sign of y.
func (c *Code) copysign(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Call2("llvm.copysign", x, y)
}

// sqrt emits the square root of x, which all of LLVM's targets round correctly.
func (c *Code) sqrt(x value.Value) value.Value { return c.call1("llvm.sqrt", x) }

// call1 emits a call of an LLVM intrinsic with the operand x and a result of the same
// type. name is the name of the intrinsic without the suffix for the type.
func (c *Code) call1(name string, x value.Value) value.Value {
	t := x.Type()
	return c.Call(c.m.Intrinsic(name+"."+Suffix(t), t, t), x)
}

// Call2 emits a call of an LLVM intrinsic with the operands x and y and a result of their
// type. name is the name of the intrinsic without the suffix for this type.
func (c *Code) Call2(name string, x, y value.Value) value.Value {
	t := x.Type()
	return c.Call(c.m.Intrinsic(name+"."+Suffix(t), t, t, t), x, y)
}
