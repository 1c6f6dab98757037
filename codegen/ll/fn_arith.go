// This file emits arithmetic functions.

package ll

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// arithCodes returns the LLVM code for the arithmetic functions of ir/scalar.
func arithCodes() map[*scalar.Fn]fnCode {
	return map[*scalar.Fn]fnCode{
		scalar.Add: {
			flt:  func(c *Code, x, y, _ value.Value) value.Value { return c.FAdd(x, y) },
			uint: func(c *Code, x, y, _ value.Value) value.Value { return c.Add(x, y) },
		},
		scalar.Sub: {
			flt:  func(c *Code, x, y, _ value.Value) value.Value { return c.FSub(x, y) },
			uint: func(c *Code, x, y, _ value.Value) value.Value { return c.Sub(x, y) },
		},
		scalar.Mul: {
			flt:  func(c *Code, x, y, _ value.Value) value.Value { return c.FMul(x, y) },
			uint: func(c *Code, x, y, _ value.Value) value.Value { return c.Mul(x, y) },
		},
		scalar.Carry:  {intBits: carryBit},
		scalar.MulHi:  {intBits: mulHi},
		scalar.MulHiS: {intBits: mulHi},
		scalar.MulHiU: {intBits: mulHi},
		scalar.AbsDiff: {
			flt:  func(c *Code, x, y, _ value.Value) value.Value { return c.FAbs(c.FSub(x, y)) },
			sint: absDiff(enum.IPredSGT),
			uint: absDiff(enum.IPredUGT),
		},
		scalar.Recip: {
			flt:  func(c *Code, x, _, _ value.Value) value.Value { return c.fdiv(c.Num(x, 1), x) },
			sint: func(c *Code, x, _, _ value.Value) value.Value { return c.quotient(c.Like(c.Int(x, 1), x), x) },
			uint: func(c *Code, x, _, _ value.Value) value.Value { return c.UDiv(c.Int(x, 1), x) },
		},
		scalar.MulAdd: {fltBits: mulThenAdd, uint: mulAddInt},
		scalar.Fma:    {fltBits: (*Code).FMA, uint: mulAddInt},
		scalar.Axpy:   {fltBits: (*Code).FMA, uint: mulAddInt},
	}
}

// carryBit emits the carry of x + y as an integer of format f. The carry is 1 if the
// unsigned sum overflows, which means that the sum is smaller than an operand. It is 0 if
// the sum does not overflow.
func carryBit(c *Code, f num.Format, x, y, _ value.Value) value.Value {
	return c.ZExt(c.ICmp(enum.IPredULT, c.Add(x, y), x), ElementType(f))
}

// mulHi emits the upper half of the integer product x * y. It multiplies in twice the
// width.
func mulHi(c *Code, f num.Format, x, y, _ value.Value) value.Value {
	w := f.Bits()
	wide := IntType(2 * w)
	x, y = c.Resize(x, wide, f.Signed()), c.Resize(y, wide, f.Signed())
	return c.Trunc(c.LShr(c.Mul(x, y), Integer(wide, int64(w))), ElementType(f))
}

// absDiff returns a formula for |x - y| of integers. greater is the signed or unsigned
// comparison "greater than".
func absDiff(greater enum.IPred) formula {
	return func(c *Code, x, y, _ value.Value) value.Value {
		return c.Select(c.ICmp(greater, x, y), c.Sub(x, y), c.Sub(y, x))
	}
}

// mulAddInt emits x*y + z for integers.
func mulAddInt(c *Code, x, y, z value.Value) value.Value { return c.Add(c.Mul(x, y), z) }

// mulThenAdd emits x*y + z and rounds the product to the format before the addition.
func mulThenAdd(c *Code, f num.Format, x, y, z value.Value) value.Value {
	p := c.Encode(f, c.FMul(c.Decode(f, x), c.Decode(f, y)), num.NearestEven, false)
	return c.Encode(f, c.FAdd(c.Decode(f, p), c.Decode(f, z)), num.NearestEven, false)
}

// FMA emits x*y + z with a single rounding to format f. For f32 and f64 it uses the
// intrinsic fma of LLVM, which calls the C library if the target machine has no
// instruction for it. Narrower formats are computed in double with rounding to odd, and
// then rounded to f.
func (c *Code) FMA(f num.Format, x, y, z value.Value) value.Value {
	if f != num.F32 && f != num.F64 {
		x, y, z = c.ToDouble(f, x), c.ToDouble(f, y), c.ToDouble(f, z)
		return c.Encode(f, mulAddOdd(c, x, y, z), num.NearestEven, false)
	}
	t := x.Type()
	return c.Call(c.m.Intrinsic("llvm.fma."+Suffix(t), t, t, t, t), x, y, z)
}

// mulAddOdd emits x*y + z, rounded to odd in double. The product of two numbers of a
// narrow format is exact in double. ir/scalar explains why a second rounding to the
// narrow format is then correct.
var mulAddOdd = once("muladd_odd", func(c *Code, x, y, z value.Value) value.Value {
	p := c.FMul(x, y)
	s := c.FAdd(p, z)
	zz := c.FSub(s, p)
	err := c.FAdd(c.FSub(p, c.FSub(s, zz)), c.FSub(z, zz))
	b := c.Bits(s)
	away := c.ICmp(enum.IPredEQ, c.FCmp(enum.FPredOGT, err, Float(F64, 0)), c.FCmp(enum.FPredOGT, s, Float(F64, 0)))
	odd := c.asDouble(c.Add(b, c.Select(away, Index(1), Index(-1))))
	even := c.ICmp(enum.IPredEQ, c.And(b, Index(1)), Index(0))
	inexact := c.FCmp(enum.FPredONE, err, Float(F64, 0)) // false for NaN, which an infinite s gives
	return c.Select(c.And(even, inexact), odd, s)
})

// moveCodes returns the LLVM code for the functions of ir/scalar that select or
// reinterpret operands.
func moveCodes() map[*scalar.Fn]fnCode {
	return map[*scalar.Fn]fnCode{
		scalar.Copy: {
			fltBits: func(_ *Code, _ num.Format, x, _, _ value.Value) value.Value { return x },
			uint:    func(_ *Code, x, _, _ value.Value) value.Value { return x },
		},
		scalar.Select: {
			fltBits: func(c *Code, _ num.Format, x, y, z value.Value) value.Value { return chooseBits(c, x, y, z) },
			uint:    chooseBits,
		},
		scalar.Neg: {
			fltBits: func(c *Code, f num.Format, x, _, _ value.Value) value.Value {
				return c.flip(f, x, func(b value.Value) value.Value { return c.Like(c.signBit(f), b) })
			},
			uint: func(c *Code, x, _, _ value.Value) value.Value { return c.Sub(c.Int(x, 0), x) },
		},
		scalar.Abs: {
			fltBits: func(c *Code, f num.Format, x, _, _ value.Value) value.Value {
				return c.flip(f, x, func(b value.Value) value.Value { return c.And(b, c.signBit(f)) })
			},
			sint: func(c *Code, x, _, _ value.Value) value.Value {
				return c.Select(c.ICmp(enum.IPredSLT, x, c.Int(x, 0)), c.Sub(c.Int(x, 0), x), x)
			},
			uint: func(_ *Code, x, _, _ value.Value) value.Value { return x },
		},
		scalar.CopySign: {
			fltBits: func(c *Code, f num.Format, x, y, _ value.Value) value.Value {
				other := c.Bits(y)
				return c.flip(f, x, func(b value.Value) value.Value { return c.And(c.Xor(b, other), c.signBit(f)) })
			},
		},
	}
}

// chooseBits emits a selection by the integer x: the result is y if x is not zero, and z
// if x is zero.
func chooseBits(c *Code, x, y, z value.Value) value.Value {
	b := c.Bits(x)
	return c.Select(c.ICmp(enum.IPredNE, b, c.Int(b, 0)), y, z)
}

// signBit returns the sign bit of format f as a constant with the width of its elements.
func (c *Code) signBit(f num.Format) value.Value {
	return Integer(IntType(WidthOf(ElementType(f))), int64(f.SignBit()))
}

// flip emits x with some bits inverted. The function sign emits these bits: only the sign
// bit is set, or no bit. In the format HiF8, zero and NaN stay unchanged. This format has
// no negative zero and no negative NaN, so inverting the sign bit would turn zero into
// NaN, and NaN into zero.
func (c *Code) flip(f num.Format, x value.Value, sign func(bits value.Value) value.Value) value.Value {
	b := c.Bits(x)
	r := c.Xor(b, sign(b))
	if f == num.HiF8 {
		unsigned := c.ICmp(enum.IPredEQ, c.And(b, c.Not(c.signBit(f))), c.Int(b, 0))
		r = c.Select(unsigned, b, r)
	}
	return c.Bitcast(r, x.Type())
}
