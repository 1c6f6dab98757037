// This file emits arithmetic functions.

package ll

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// arithCodes are the instructions, intrinsics or formulas for arithmetic, by function.
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

// carryBit is 1 where the unsigned sum came out smaller than an operand.
func carryBit(c *Code, f num.Format, x, y, _ value.Value) value.Value {
	return c.ZExt(c.ICmp(enum.IPredULT, c.Add(x, y), x), ElementType(f))
}

// mulHi multiplies in twice the width.
func mulHi(c *Code, f num.Format, x, y, _ value.Value) value.Value {
	w := f.Bits()
	wide := IntType(2 * w)
	x, y = c.Resize(x, wide, f.Signed()), c.Resize(y, wide, f.Signed())
	return c.Trunc(c.LShr(c.Mul(x, y), Integer(wide, int64(w))), ElementType(f))
}

func absDiff(greater enum.IPred) formula {
	return func(c *Code, x, y, _ value.Value) value.Value {
		return c.Select(c.ICmp(greater, x, y), c.Sub(x, y), c.Sub(y, x))
	}
}

func mulAddInt(c *Code, x, y, z value.Value) value.Value { return c.Add(c.Mul(x, y), z) }

// mulThenAdd rounds the product to the format before it adds.
func mulThenAdd(c *Code, f num.Format, x, y, z value.Value) value.Value {
	p := c.Encode(f, c.FMul(c.Decode(f, x), c.Decode(f, y)), num.NearestEven, false)
	return c.Encode(f, c.FAdd(c.Decode(f, p), c.Decode(f, z)), num.NearestEven, false)
}

// FMA rounds once. For f64 that is LLVM's fma, which calls the
// mathematics library where the target has no instruction; what is shorter is
// computed in double, rounded to odd.
func (c *Code) FMA(f num.Format, x, y, z value.Value) value.Value {
	if f != num.F32 && f != num.F64 {
		x, y, z = c.ToDouble(f, x), c.ToDouble(f, y), c.ToDouble(f, z)
		return c.Encode(f, mulAddOdd(c, x, y, z), num.NearestEven, false)
	}
	t := x.Type()
	return c.Call(c.m.Intrinsic("llvm.fma."+Suffix(t), t, t, t, t), x, y, z)
}

// mulAddOdd is x*y+z rounded to odd in double, where the product is exact.
// ir/scalar reports why that makes the second rounding right.
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

// chooseBits is y where any bit of x is set, else z.
func chooseBits(c *Code, x, y, z value.Value) value.Value {
	b := c.Bits(x)
	return c.Select(c.ICmp(enum.IPredNE, b, c.Int(b, 0)), y, z)
}

// signBit is the sign bit of f as a constant of the width of its elements.
func (c *Code) signBit(f num.Format) value.Value {
	return Integer(IntType(WidthOf(ElementType(f))), int64(f.SignBit()))
}

// flip changes the sign bit. HiF8 has neither a negative zero nor a negative
// NaN, and the code of one with the bit changed is the other.
func (c *Code) flip(f num.Format, x value.Value, sign func(bits value.Value) value.Value) value.Value {
	b := c.Bits(x)
	r := c.Xor(b, sign(b))
	if f == num.HiF8 {
		unsigned := c.ICmp(enum.IPredEQ, c.And(b, c.Not(c.signBit(f))), c.Int(b, 0))
		r = c.Select(unsigned, b, r)
	}
	return c.Bitcast(r, x.Type())
}
