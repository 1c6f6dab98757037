package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
)

// Rounding to an integral float is written as arithmetic. LLVM's intrinsics
// would call the mathematics library where the target has no instruction,
// which the x86-64 baseline has not.

// integral returns the power of two from which every float of type t is
// integral: 2^mantissa bits.
func integral(t types.Type) float64 {
	if elementOf(t) == f32 {
		return 1 << 23
	}
	return 1 << 52
}

// nearestOfAbs rounds a, which must not be negative, to the nearest integral
// float, ties to even. Added to 2^mantissa bits, a number loses exactly its
// fraction.
func (c *code) nearestOfAbs(a value.Value) value.Value {
	big := c.num(a, integral(a.Type()))
	r := c.fsub(c.fadd(a, big), big)
	return c.sel(c.fcmp(enum.FPredOLT, a, big), r, a) // keeps NaN and infinity
}

// truncOfAbs rounds a, which must not be negative, down.
func (c *code) truncOfAbs(a value.Value) value.Value {
	r := c.nearestOfAbs(a)
	return c.sel(c.fcmp(enum.FPredOGT, r, a), c.fsub(r, c.num(a, 1)), r)
}

// round rounds x to an integral float. Zeros and results that become zero keep
// the sign of x.
func (c *code) round(x value.Value, r num.Rounding) value.Value {
	a := c.fabs(x)
	if r == num.NearestEven {
		return c.copysign(c.nearestOfAbs(a), x)
	}
	t := c.truncOfAbs(a)
	if r != num.Zero {
		t = c.sel(c.roundsUp(x, a, t, r), c.fadd(t, c.num(a, 1)), t)
	}
	return c.copysign(t, x)
}

// roundsUp tells whether the magnitude a of x, whose integral part is t, is
// rounded away from zero. A NaN never is.
func (c *code) roundsUp(x, a, t value.Value, r num.Rounding) value.Value {
	rest := c.fsub(a, t) // exact
	switch r {
	case num.NearestAway:
		return c.fcmp(enum.FPredOGE, rest, c.num(a, 0.5))
	case num.HalfUp:
		half := c.num(a, 0.5)
		return c.or(c.fcmp(enum.FPredOGT, rest, half),
			c.and(c.fcmp(enum.FPredOEQ, rest, half), c.not(c.isNegative(x))))
	case num.Floor:
		return c.and(c.fcmp(enum.FPredOGT, rest, c.num(a, 0)), c.isNegative(x))
	case num.Ceil:
		return c.and(c.fcmp(enum.FPredOGT, rest, c.num(a, 0)), c.not(c.isNegative(x)))
	case num.Odd:
		half := c.fmul(t, c.num(a, 0.5))
		even := c.fcmp(enum.FPredOEQ, c.truncOfAbs(half), half)
		return c.and(c.fcmp(enum.FPredOGT, rest, c.num(a, 0)), even)
	}
	panic("BUG: rounding mode " + r.String())
}

// isNegative tells whether the sign bit of a float is set.
func (c *code) isNegative(x value.Value) value.Value {
	b := c.bits(x)
	return c.icmp(enum.IPredSLT, b, c.int(b, 0))
}

// fabs clears the sign bit.
func (c *code) fabs(x value.Value) value.Value { return c.call1("llvm.fabs", x) }

// copysign is x with the sign of y.
func (c *code) copysign(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.call2("llvm.copysign", x, y)
}

// sqrt is the square root, which all of LLVM's targets round correctly.
func (c *code) sqrt(x value.Value) value.Value { return c.call1("llvm.sqrt", x) }

// call1 calls an intrinsic on one operand, whose type the result has.
func (c *code) call1(name string, x value.Value) value.Value {
	t := x.Type()
	return c.call(c.intrinsic(name+"."+suffix(t), t, t), x)
}

// call2 is call1 for two operands of one type.
func (c *code) call2(name string, x, y value.Value) value.Value {
	t := x.Type()
	return c.call(c.intrinsic(name+"."+suffix(t), t, t, t), x, y)
}
