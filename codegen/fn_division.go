package codegen

import (
	llir "github.com/llir/llvm/ir"
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

var (
	quotientCode = fnCode{
		flt:  func(c *code, x, y, _ value.Value) value.Value { return c.fdiv(x, y) },
		sint: func(c *code, x, y, _ value.Value) value.Value { return c.quotient(x, y) },
		uint: func(c *code, x, y, _ value.Value) value.Value { return c.udiv(x, y) },
	}
	floorCode = fnCode{
		sint: floorQuotient,
		uint: func(c *code, x, y, _ value.Value) value.Value { return c.udiv(x, y) },
	}
	ceilCode      = fnCode{sint: ceilQuotient, uint: ceilQuotientU}
	remainderCode = fnCode{
		flt:  fmod,
		wide: true,
		sint: func(c *code, x, y, _ value.Value) value.Value { return c.remainder(x, y) },
		uint: func(c *code, x, y, _ value.Value) value.Value { return c.urem(x, y) },
	}
)

var divisionCodes = map[*scalar.Fn]fnCode{
	scalar.Div: quotientCode, scalar.DivS: quotientCode, scalar.DivU: quotientCode,
	scalar.FloorDiv: floorCode, scalar.FloorDivS: floorCode,
	scalar.CeilDiv: ceilCode, scalar.CeilDivS: ceilCode, scalar.CeilDivU: ceilCode,
	scalar.Fmod: remainderCode, scalar.RemS: remainderCode, scalar.RemU: remainderCode,
	scalar.Rem: {
		flt:  floorFmod,
		wide: true,
		sint: floorRemainder,
		uint: func(c *code, x, y, _ value.Value) value.Value { return c.urem(x, y) },
	},
	scalar.DivRecip: {fltBits: divRecip},
}

// divisor stops the program if y, or a lane of it that counts, is zero, and
// returns what to divide by: lanes that do not count divide by 1.
func (c *code) divisor(y value.Value) value.Value {
	bad := c.icmp(enum.IPredEQ, y, c.int(y, 0))
	n := lanes(y.Type())
	if n == 0 {
		c.trapIf(bad)
		return y
	}
	fault := bad
	if c.active != nil {
		fault = c.and(bad, c.active)
	}
	c.trapIf(c.anyLane(fault))
	return c.sel(bad, c.int(y, 1), y)
}

// anyLane tells whether any lane of a vector of i1 is true.
func (c *code) anyLane(v value.Value) value.Value {
	t := v.Type()
	return c.call(c.intrinsic("llvm.vector.reduce.or."+suffix(t), i1, t), v)
}

// minusOne handles the quotient that does not fit: x / -1 is -x, which wraps.
// It returns whether y is -1 and what to divide by instead.
func (c *code) minusOne(y value.Value) (is, safe value.Value) {
	is = c.icmp(enum.IPredEQ, y, c.int(y, -1))
	return is, c.sel(is, c.int(y, 1), y)
}

// quotient divides signed integers; the smallest one by -1 is itself.
func (c *code) quotient(x, y value.Value) value.Value {
	neg, safe := c.minusOne(y)
	return c.sel(neg, c.sub(c.int(x, 0), x), c.sdiv(x, safe))
}

// remainder is the remainder of quotient.
func (c *code) remainder(x, y value.Value) value.Value {
	neg, safe := c.minusOne(y)
	return c.sel(neg, c.int(x, 0), c.srem(x, safe))
}

// signsDiffer tells whether two integers have different signs.
func (c *code) signsDiffer(x, y value.Value) value.Value {
	return c.icmp(enum.IPredSLT, c.xor(x, y), c.int(x, 0))
}

func floorQuotient(c *code, x, y, _ value.Value) value.Value {
	q := c.quotient(x, y)
	inexact := c.icmp(enum.IPredNE, c.remainder(x, y), c.int(x, 0))
	return c.sub(q, c.zext(c.and(inexact, c.signsDiffer(x, y)), elementOf(x.Type())))
}

func ceilQuotient(c *code, x, y, _ value.Value) value.Value {
	q := c.quotient(x, y)
	inexact := c.icmp(enum.IPredNE, c.remainder(x, y), c.int(x, 0))
	return c.add(q, c.zext(c.and(inexact, c.not(c.signsDiffer(x, y))), elementOf(x.Type())))
}

func ceilQuotientU(c *code, x, y, _ value.Value) value.Value {
	inexact := c.icmp(enum.IPredNE, c.urem(x, y), c.int(x, 0))
	return c.add(c.udiv(x, y), c.zext(inexact, elementOf(x.Type())))
}

func floorRemainder(c *code, x, y, _ value.Value) value.Value {
	r := c.remainder(x, y)
	off := c.and(c.icmp(enum.IPredNE, r, c.int(r, 0)), c.signsDiffer(r, y))
	return c.add(r, c.sel(off, y, c.int(y, 0)))
}

// floorFmod adds the divisor to a remainder of the other sign.
func floorFmod(c *code, x, y, _ value.Value) value.Value {
	r := fmod(c, x, y, nil)
	off := c.and(c.fcmp(enum.FPredUNE, r, c.num(r, 0)), c.xor(c.isNegative(r), c.isNegative(y)))
	return c.sel(off, c.fadd(r, y), r)
}

// divRecip multiplies by the rounded reciprocal; that of a zero is +inf.
func divRecip(c *code, f num.Format, x, y, _ value.Value) value.Value {
	d := c.decode(f, y)
	r := c.fdiv(c.num(d, 1), d)
	r = c.sel(c.fcmp(enum.FPredOEQ, d, c.num(d, 0)), c.num(d, inf), r)
	r = c.decode(f, c.encode(f, r, num.NearestEven, false))
	return c.encode(f, c.fmul(c.decode(f, x), r), num.NearestEven, false)
}

// fmod is the exact remainder of doubles with the sign of the dividend. LLVM's
// frem would call the mathematics library.
var fmod = perLane("fmod", func(c *code, x, y, _ value.Value) value.Value {
	a, b := c.fabs(x), c.fabs(y)
	special := c.either(c.fcmp(enum.FPredUNO, x, y),
		c.either(c.fcmp(enum.FPredOEQ, a, float(f64, inf)), c.fcmp(enum.FPredOEQ, b, float(f64, 0))))
	r := c.choose("special", special,
		func() value.Value { return float(f64, math.NaN()) },
		func() value.Value {
			return c.choose("small", c.fcmp(enum.FPredOLT, a, b),
				func() value.Value { return a },
				func() value.Value { return c.fmodOfAbs(a, b) })
		})
	return c.copysign(r, x)
})

// fmodOfAbs is fmod of positive finite a and b with a >= b. Written as
// m·2^e and n·2^f, the remainder is that of m·2^(e-f) by n, times 2^f; the
// power is multiplied in a few bits at a time, as many as fit the word.
func (c *code) fmodOfAbs(a, b value.Value) value.Value {
	m, e := c.split(a)
	n, f := c.split(b)
	const chunk = 11 // a remainder has 53 bits
	diff := c.sub(e, f)
	steps := c.udiv(diff, index(chunk))
	r := c.reduce("chunk", steps, []value.Value{c.urem(m, n)}, func(_ value.Value, acc []value.Value) []value.Value {
		return []value.Value{c.urem(c.shl(acc[0], index(chunk)), n)}
	})[0]
	r = c.urem(c.shl(r, c.urem(diff, index(chunk))), n)
	// r·2^f is a double: it has no bits below those of b. The power is
	// multiplied in twice, since alone it may be below the range.
	x := c.uitofp(r, f64)
	half := c.ashr(f, index(1))
	return c.fmul(c.fmul(x, c.pow2(half)), c.pow2(c.sub(f, half)))
}

// split writes a positive finite double as m·2^e.
func (c *code) split(x value.Value) (m, e value.Value) {
	b := c.bits(x)
	field := c.lshr(b, index(52))
	man := c.and(b, index(mantissa64))
	denormal := c.icmp(enum.IPredEQ, field, index(0))
	m = c.sel(denormal, man, c.or(man, index(implicit64)))
	return m, c.sub(c.sel(denormal, index(1), field), index(1075))
}

// pow2 is 2^k as a double, for k in the range of normal exponents.
func (c *code) pow2(k value.Value) value.Value {
	return c.asDouble(c.shl(c.add(k, index(1023)), index(52)))
}

// intPow is x to the power y, by squaring and multiplying. A negative power is
// the truncated quotient, and 0 for a zero base.
func intPow(signed bool) formula {
	name := "upow"
	if signed {
		name = "ipow"
	}
	return perLane(name, func(c *code, x, y, _ value.Value) value.Value {
		p := c.call(c.powUint(x.Type()), x, y)
		if !signed {
			return p
		}
		isOne := c.icmp(enum.IPredEQ, x, c.int(x, 1))
		isMinusOne := c.icmp(enum.IPredEQ, x, c.int(x, -1))
		odd := c.trunc(y, i1)
		r := c.sel(isMinusOne, c.sel(odd, c.int(x, -1), c.int(x, 1)), c.int(x, 0))
		r = c.sel(isOne, c.int(x, 1), r)
		return c.sel(c.icmp(enum.IPredSLT, y, c.int(y, 0)), r, p)
	})
}

// powUint is the loop of intPow; it ends, as the power is halved each time.
func (c *code) powUint(t types.Type) *llir.Func {
	return c.private("powuint."+suffix(t), t, []types.Type{t, t}, func(c *code, args []value.Value) value.Value {
		steps := index(int64(widthOf(t)))
		init := []value.Value{c.int(args[0], 1), args[0]}
		return c.reduce("bit", steps, init, func(i value.Value, acc []value.Value) []value.Value {
			bit := c.trunc(c.lshr(args[1], c.trunc(i, t)), i1)
			return []value.Value{c.sel(bit, c.mul(acc[0], acc[1]), acc[0]), c.mul(acc[1], acc[1])}
		})[0]
	})
}
