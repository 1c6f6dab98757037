// This file emits quotients and remainders.

package ll

import (
	llir "github.com/llir/llvm/ir"
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// The functions that emit LLVM code for quotients and remainders, one variable for each
// direction of rounding. Each variable has a function for each kind of number.
var (
	quotientCode = fnCode{
		flt:  func(c *Code, x, y, _ value.Value) value.Value { return c.fdiv(x, y) },
		sint: func(c *Code, x, y, _ value.Value) value.Value { return c.quotient(x, y) },
		uint: func(c *Code, x, y, _ value.Value) value.Value { return c.UDiv(x, y) },
	}
	floorCode = fnCode{
		sint: floorQuotient,
		uint: func(c *Code, x, y, _ value.Value) value.Value { return c.UDiv(x, y) },
	}
	ceilCode      = fnCode{sint: ceilQuotient, uint: ceilQuotientU}
	remainderCode = fnCode{
		flt:  fmod,
		wide: true,
		sint: func(c *Code, x, y, _ value.Value) value.Value { return c.remainder(x, y) },
		uint: func(c *Code, x, y, _ value.Value) value.Value { return c.URem(x, y) },
	}
)

// divisionCodes returns the LLVM code for the quotients and remainders of ir/scalar.
func divisionCodes() map[*scalar.Fn]fnCode {
	return map[*scalar.Fn]fnCode{
		scalar.Div: quotientCode, scalar.DivS: quotientCode, scalar.DivU: quotientCode,
		scalar.FloorDiv: floorCode, scalar.FloorDivS: floorCode,
		scalar.CeilDiv: ceilCode, scalar.CeilDivS: ceilCode, scalar.CeilDivU: ceilCode,
		scalar.Fmod: remainderCode, scalar.RemS: remainderCode, scalar.RemU: remainderCode,
		scalar.Rem: floorCodeOf(floorFmod, nil), scalar.RemZero: floorCodeOf(floorFmodZero, floorFmodZero),
		scalar.FmodByQuotient:  {fltBits: byQuotient(num.Zero, false)},
		scalar.RemByQuotient:   {fltBits: byQuotient(num.Floor, true)},
		scalar.FloorByQuotient: {fltBits: byQuotient(num.Floor, false)},
		scalar.RemInF32:        {sint: remInF32(true)}, scalar.RemSInF32: {sint: remInF32(false)},
		scalar.DivRecip: {fltBits: divRecip},
	}
}

// floorCodeOf returns the LLVM code of a remainder whose quotient is rounded down. The
// function flt emits this remainder for floats, in double; if flt32 is set, it emits that of
// formats other than f64, in float. The code for integers is always the same.
func floorCodeOf(flt, flt32 formula) fnCode {
	return fnCode{
		flt:   flt,
		flt32: flt32,
		wide:  true,
		sint:  floorRemainder,
		uint:  func(c *Code, x, y, _ value.Value) value.Value { return c.URem(x, y) },
	}
}

// byQuotient returns the LLVM code of the remainder a - q * b in which each step is rounded.
// The quotient q is rounded to an integer in mode r. If corrects is set, b is added to a
// result whose product with b is negative.
func byQuotient(r num.Rounding, corrects bool) bitFormula {
	return func(c *Code, f num.Format, x, y, _ value.Value) value.Value {
		a, b := c.Decode(f, x), c.Decode(f, y)
		rest := c.FSub(a, c.FMul(c.Round(c.fdiv(a, b), r), b))
		code := rest
		if f != num.F32 && f != num.F64 {
			code = c.Encode(f, rest, num.Zero, true)
			rest = c.Decode(f, code)
		}
		if !corrects {
			return code
		}
		product := c.Decode(f, c.Encode(f, c.FMul(rest, b), num.NearestEven, false))
		sum := c.Encode(f, c.FAdd(rest, b), num.NearestEven, false)
		return c.Select(c.FCmp(enum.FPredOLT, product, c.Num(product, 0)), sum, code)
	}
}

// remInF32 returns the LLVM code of the remainder of integers that A2/A3 computes in f32. If
// rounds is set, the divisor is rounded to f32, too.
func remInF32(rounds bool) formula {
	return func(c *Code, x, y, _ value.Value) value.Value {
		word := func(v value.Value, r num.Rounding) value.Value { return c.ClampToInt(num.S32, v, r) }
		float := func(v value.Value) value.Value { return c.SIToFP(v, F32) }
		a, b := float(x), float(y)
		by := y
		if rounds {
			by = word(b, num.Zero)
		}
		q := word(c.fdiv(a, b), num.Floor)
		rest := float(c.Sub(word(a, num.Zero), c.Mul(q, c.Resize(by, I32, true))))
		off := c.FCmp(enum.FPredOLT, c.FMul(rest, b), c.Num(b, 0))
		return c.Resize(word(c.Select(off, c.FAdd(rest, b), rest), num.Zero), ElementOf(x.Type()), true)
	}
}

// divisor emits a trap for a division by zero and returns a divisor that is safe to use.
// y is the divisor, a scalar or a vector. If y is a vector, the trap fires only if y is
// zero in an active lane. The result is then y with each zero replaced by 1, because the
// emitted division also divides the inactive lanes. If y is a scalar, the trap fires if y
// is zero, and the result is y.
func (c *Code) divisor(y value.Value) value.Value {
	bad := c.ICmp(enum.IPredEQ, y, c.Int(y, 0))
	n := Lanes(y.Type())
	if n == 0 {
		c.TrapIf(bad)
		return y
	}
	fault := bad
	if c.Active != nil {
		fault = c.And(bad, c.Active)
	}
	c.TrapIf(c.anyLane(fault))
	return c.Select(bad, c.Int(y, 1), y)
}

// anyLane emits an i1 that is true if any lane of the vector v of i1 is true.
func (c *Code) anyLane(v value.Value) value.Value {
	t := v.Type()
	return c.Call(c.m.Intrinsic("llvm.vector.reduce.or."+Suffix(t), I1, t), v)
}

// minusOne handles division by -1, the only integer division whose quotient can overflow:
// x / -1 is -x, which wraps. The first result is an i1 that is true if y is -1. The
// result safe is a divisor that is 1 in this case and y in all other cases.
func (c *Code) minusOne(y value.Value) (is, safe value.Value) {
	is = c.ICmp(enum.IPredEQ, y, c.Int(y, -1))
	return is, c.Select(is, c.Int(y, 1), y)
}

// quotient emits the quotient of signed integers, rounded toward zero. The smallest
// integer divided by -1 is the smallest integer.
func (c *Code) quotient(x, y value.Value) value.Value {
	neg, safe := c.minusOne(y)
	return c.Select(neg, c.Sub(c.Int(x, 0), x), c.SDiv(x, safe))
}

// remainder emits the remainder x - y*(x/y) of signed integers, where the quotient is
// rounded toward zero.
func (c *Code) remainder(x, y value.Value) value.Value {
	neg, safe := c.minusOne(y)
	return c.Select(neg, c.Int(x, 0), c.srem(x, safe))
}

// signsDiffer emits an i1 that is true if two integers have different signs.
func (c *Code) signsDiffer(x, y value.Value) value.Value {
	return c.ICmp(enum.IPredSLT, c.Xor(x, y), c.Int(x, 0))
}

// floorQuotient emits a quotient rounded toward negative infinity. LLVM's sdiv rounds
// toward zero.
func floorQuotient(c *Code, x, y, _ value.Value) value.Value {
	q := c.quotient(x, y)
	inexact := c.ICmp(enum.IPredNE, c.remainder(x, y), c.Int(x, 0))
	return c.Sub(q, c.ZExt(c.And(inexact, c.signsDiffer(x, y)), ElementOf(x.Type())))
}

// ceilQuotient emits a quotient rounded toward positive infinity.
func ceilQuotient(c *Code, x, y, _ value.Value) value.Value {
	q := c.quotient(x, y)
	inexact := c.ICmp(enum.IPredNE, c.remainder(x, y), c.Int(x, 0))
	return c.Add(q, c.ZExt(c.And(inexact, c.Not(c.signsDiffer(x, y))), ElementOf(x.Type())))
}

// ceilQuotientU emits the quotient of unsigned integers rounded up.
func ceilQuotientU(c *Code, x, y, _ value.Value) value.Value {
	inexact := c.ICmp(enum.IPredNE, c.URem(x, y), c.Int(x, 0))
	return c.Add(c.UDiv(x, y), c.ZExt(inexact, ElementOf(x.Type())))
}

// floorRemainder emits the remainder of the quotient rounded toward negative infinity. It
// has the sign of the divisor.
func floorRemainder(c *Code, x, y, _ value.Value) value.Value {
	r := c.remainder(x, y)
	off := c.And(c.ICmp(enum.IPredNE, r, c.Int(r, 0)), c.signsDiffer(r, y))
	return c.Add(r, c.Select(off, y, c.Int(y, 0)))
}

// floorFmod emits the floored remainder of x / y. It first computes the remainder with
// the sign of the dividend x. If this remainder is not zero and its sign differs from the
// sign of y, the code adds y to it. In all other cases the code adds 0, so that a
// remainder of -0 becomes +0.
func floorFmod(c *Code, x, y, _ value.Value) value.Value {
	r := fmod(c, x, y, nil)
	return c.FAdd(r, c.Select(c.otherSign(r, y), y, c.Num(y, 0)))
}

// floorFmodZero emits the remainder of floats with the sign of the divisor, as far as the
// product of both has a sign in the type of the operands. A zero result has the sign of the
// dividend.
func floorFmodZero(c *Code, x, y, _ value.Value) value.Value {
	r := c.FPTrunc(fmod(c, c.FPExt(x, F64), c.FPExt(y, F64), nil), ElementOf(x.Type()))
	off := c.FCmp(enum.FPredOLT, c.FMul(r, y), c.Num(y, 0))
	return c.Select(off, c.FAdd(r, y), r)
}

// otherSign emits an i1 that is true if the remainder r is not zero and if its sign
// differs from the sign of y.
func (c *Code) otherSign(r, y value.Value) value.Value {
	return c.And(c.FCmp(enum.FPredUNE, r, c.Num(r, 0)), c.Xor(c.isNegative(r), c.isNegative(y)))
}

// divRecip emits x times the rounded reciprocal of y. The reciprocal of a zero is +inf,
// whatever its sign.
func divRecip(c *Code, f num.Format, x, y, _ value.Value) value.Value {
	d := c.Decode(f, y)
	r := c.fdiv(c.Num(d, 1), d)
	r = c.Select(c.FCmp(enum.FPredOEQ, d, c.Num(d, 0)), c.Num(d, inf), r)
	r = c.Decode(f, c.Encode(f, r, num.NearestEven, false))
	return c.Encode(f, c.FMul(c.Decode(f, x), r), num.NearestEven, false)
}

// fmod emits the exact remainder of two doubles with the sign of the dividend. It does
// not use LLVM's frem, which would call the C library.
var fmod = perLane("fmod", func(c *Code, x, y, _ value.Value) value.Value {
	a, b := c.FAbs(x), c.FAbs(y)
	special := c.either(c.FCmp(enum.FPredUNO, x, y),
		c.either(c.FCmp(enum.FPredOEQ, a, Float(F64, inf)), c.FCmp(enum.FPredOEQ, b, Float(F64, 0))))
	r := c.Choose("special", special,
		func() value.Value { return Float(F64, math.NaN()) },
		func() value.Value {
			return c.Choose("small", c.FCmp(enum.FPredOLT, a, b),
				func() value.Value { return a },
				func() value.Value { return c.fmodOfAbs(a, b) })
		})
	return c.copysign(r, x)
})

// fmodOfAbs emits the remainder of a by b for positive finite numbers with a >= b. Let a
// be m·2^e and b be n·2^f, where m and n are integers. The result is then the remainder
// of m·2^(e-f) by n, times 2^f. The product m·2^(e-f) can exceed 64 bits. The emitted
// loop therefore multiplies by at most 2^11 in each step and takes the remainder by n,
// until it has multiplied by 2^(e-f).
func (c *Code) fmodOfAbs(a, b value.Value) value.Value {
	m, e := c.split(a)
	n, f := c.split(b)
	const chunk = 11 // a remainder has 53 bits
	diff := c.Sub(e, f)
	steps := c.UDiv(diff, Index(chunk))
	r := c.Reduce("chunk", steps, []value.Value{c.URem(m, n)}, func(_ value.Value, acc []value.Value) []value.Value {
		return []value.Value{c.URem(c.Shl(acc[0], Index(chunk)), n)}
	})[0]
	r = c.URem(c.Shl(r, c.URem(diff, Index(chunk))), n)
	// r·2^f is a double: it has no bits below those of b. The power is
	// multiplied in twice, since alone it may be below the range.
	x := c.uitofp(r, F64)
	half := c.AShr(f, Index(1))
	return c.FMul(c.FMul(x, c.pow2(half)), c.pow2(c.Sub(f, half)))
}

// split emits code that splits the positive finite double x into m and e, such that x
// equals m·2^e.
func (c *Code) split(x value.Value) (m, e value.Value) {
	b := c.Bits(x)
	field := c.LShr(b, Index(52))
	man := c.And(b, Index(mantissa64))
	denormal := c.ICmp(enum.IPredEQ, field, Index(0))
	m = c.Select(denormal, man, c.Or(man, Index(implicit64)))
	return m, c.Sub(c.Select(denormal, Index(1), field), Index(1075))
}

// pow2 emits 2^k as a double, for k in the range of normal exponents.
func (c *Code) pow2(k value.Value) value.Value {
	return c.asDouble(c.Shl(c.Add(k, Index(1023)), Index(52)))
}

// intPow returns a formula for x to the power y, by repeated squaring. With a negative y,
// the result is 1 divided by the power, truncated to an integer; it is 0 if x is 0.
func intPow(ySigned bool) formula {
	name := "upow"
	if ySigned {
		name = "ipow"
	}
	return perLane(name, func(c *Code, x, y, _ value.Value) value.Value {
		p := c.Call(c.powUint(x.Type()), x, y)
		if !ySigned {
			return p
		}
		isOne := c.ICmp(enum.IPredEQ, x, c.Int(x, 1))
		isMinusOne := c.ICmp(enum.IPredEQ, x, c.Int(x, -1))
		odd := c.Trunc(y, I1)
		r := c.Select(isMinusOne, c.Select(odd, c.Int(x, -1), c.Int(x, 1)), c.Int(x, 0))
		r = c.Select(isOne, c.Int(x, 1), r)
		return c.Select(c.ICmp(enum.IPredSLT, y, c.Int(y, 0)), r, p)
	})
}

// powUint returns the function that computes powers with an unsigned exponent. It has one
// iteration per bit of the exponent.
func (c *Code) powUint(t types.Type) *llir.Func {
	return c.m.Private("powuint."+Suffix(t), t, []types.Type{t, t}, func(c *Code, args []value.Value) value.Value {
		steps := Index(int64(WidthOf(t)))
		init := []value.Value{c.Int(args[0], 1), args[0]}
		return c.Reduce("bit", steps, init, func(i value.Value, acc []value.Value) []value.Value {
			bit := c.Trunc(c.LShr(args[1], c.Trunc(i, t)), I1)
			return []value.Value{c.Select(bit, c.Mul(acc[0], acc[1]), acc[0]), c.Mul(acc[1], acc[1])}
		})[0]
	})
}
