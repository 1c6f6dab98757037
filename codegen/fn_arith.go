package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

var arithCodes = map[*scalar.Fn]fnCode{
	scalar.Add: {
		flt:  func(c *code, x, y, _ value.Value) value.Value { return c.fadd(x, y) },
		uint: func(c *code, x, y, _ value.Value) value.Value { return c.add(x, y) },
	},
	scalar.Sub: {
		flt:  func(c *code, x, y, _ value.Value) value.Value { return c.fsub(x, y) },
		uint: func(c *code, x, y, _ value.Value) value.Value { return c.sub(x, y) },
	},
	scalar.Mul: {
		flt:  func(c *code, x, y, _ value.Value) value.Value { return c.fmul(x, y) },
		uint: func(c *code, x, y, _ value.Value) value.Value { return c.mul(x, y) },
	},
	scalar.Carry:  {intBits: carryBit},
	scalar.MulHi:  {intBits: mulHi},
	scalar.MulHiS: {intBits: mulHi},
	scalar.MulHiU: {intBits: mulHi},
	scalar.AbsDiff: {
		flt:  func(c *code, x, y, _ value.Value) value.Value { return c.fabs(c.fsub(x, y)) },
		sint: absDiff(enum.IPredSGT),
		uint: absDiff(enum.IPredUGT),
	},
	scalar.Recip: {
		flt:  func(c *code, x, _, _ value.Value) value.Value { return c.fdiv(c.num(x, 1), x) },
		sint: func(c *code, x, _, _ value.Value) value.Value { return c.quotient(c.like(c.int(x, 1), x), x) },
		uint: func(c *code, x, _, _ value.Value) value.Value { return c.udiv(c.int(x, 1), x) },
	},
	scalar.MulAdd: {fltBits: mulThenAdd, uint: mulAddInt},
	scalar.Fma:    {fltBits: fusedMulAdd, uint: mulAddInt},
	scalar.Axpy:   {fltBits: fusedMulAdd, uint: mulAddInt},
}

// carryBit is 1 where the unsigned sum came out smaller than an operand.
func carryBit(c *code, f num.Format, x, y, _ value.Value) value.Value {
	return c.zext(c.icmp(enum.IPredULT, c.add(x, y), x), elementType(f))
}

// mulHi multiplies in twice the width.
func mulHi(c *code, f num.Format, x, y, _ value.Value) value.Value {
	w := f.Bits()
	wide := intType(2 * w)
	x, y = c.resize(x, wide, f.Signed()), c.resize(y, wide, f.Signed())
	return c.trunc(c.lshr(c.mul(x, y), integer(wide, int64(w))), elementType(f))
}

func absDiff(greater enum.IPred) formula {
	return func(c *code, x, y, _ value.Value) value.Value {
		return c.sel(c.icmp(greater, x, y), c.sub(x, y), c.sub(y, x))
	}
}

func mulAddInt(c *code, x, y, z value.Value) value.Value { return c.add(c.mul(x, y), z) }

// mulThenAdd rounds the product to the format before it adds.
func mulThenAdd(c *code, f num.Format, x, y, z value.Value) value.Value {
	p := c.encode(f, c.fmul(c.decode(f, x), c.decode(f, y)), num.NearestEven, false)
	return c.encode(f, c.fadd(c.decode(f, p), c.decode(f, z)), num.NearestEven, false)
}

// fusedMulAdd rounds once. For f64 that is LLVM's fma, which calls the
// mathematics library where the target has no instruction; what is shorter is
// computed in double, rounded to odd.
func fusedMulAdd(c *code, f num.Format, x, y, z value.Value) value.Value {
	if f != num.F32 && f != num.F64 {
		x, y, z = c.toDouble(f, x), c.toDouble(f, y), c.toDouble(f, z)
		return c.encode(f, mulAddOdd(c, x, y, z), num.NearestEven, false)
	}
	t := x.Type()
	return c.call(c.intrinsic("llvm.fma."+suffix(t), t, t, t, t), x, y, z)
}

// mulAddOdd is x*y+z rounded to odd in double, where the product is exact.
// ir/scalar tells why that makes the second rounding right.
var mulAddOdd = once("muladd_odd", func(c *code, x, y, z value.Value) value.Value {
	p := c.fmul(x, y)
	s := c.fadd(p, z)
	zz := c.fsub(s, p)
	err := c.fadd(c.fsub(p, c.fsub(s, zz)), c.fsub(z, zz))
	b := c.bits(s)
	away := c.icmp(enum.IPredEQ, c.fcmp(enum.FPredOGT, err, float(f64, 0)), c.fcmp(enum.FPredOGT, s, float(f64, 0)))
	odd := c.asDouble(c.add(b, c.sel(away, index(1), index(-1))))
	even := c.icmp(enum.IPredEQ, c.and(b, index(1)), index(0))
	inexact := c.fcmp(enum.FPredONE, err, float(f64, 0)) // false for NaN, which an infinite s gives
	return c.sel(c.and(even, inexact), odd, s)
})

var moveCodes = map[*scalar.Fn]fnCode{
	scalar.Copy: {
		fltBits: func(_ *code, _ num.Format, x, _, _ value.Value) value.Value { return x },
		uint:    func(_ *code, x, _, _ value.Value) value.Value { return x },
	},
	scalar.Select: {
		fltBits: func(c *code, _ num.Format, x, y, z value.Value) value.Value { return chooseBits(c, x, y, z) },
		uint:    chooseBits,
	},
	scalar.Neg: {
		fltBits: func(c *code, f num.Format, x, _, _ value.Value) value.Value {
			return c.flip(f, x, func(b value.Value) value.Value { return c.like(c.signBit(f), b) })
		},
		uint: func(c *code, x, _, _ value.Value) value.Value { return c.sub(c.int(x, 0), x) },
	},
	scalar.Abs: {
		fltBits: func(c *code, f num.Format, x, _, _ value.Value) value.Value {
			return c.flip(f, x, func(b value.Value) value.Value { return c.and(b, c.signBit(f)) })
		},
		sint: func(c *code, x, _, _ value.Value) value.Value {
			return c.sel(c.icmp(enum.IPredSLT, x, c.int(x, 0)), c.sub(c.int(x, 0), x), x)
		},
		uint: func(_ *code, x, _, _ value.Value) value.Value { return x },
	},
	scalar.CopySign: {
		fltBits: func(c *code, f num.Format, x, y, _ value.Value) value.Value {
			other := c.bits(y)
			return c.flip(f, x, func(b value.Value) value.Value { return c.and(c.xor(b, other), c.signBit(f)) })
		},
	},
}

// chooseBits is y where any bit of x is set, else z.
func chooseBits(c *code, x, y, z value.Value) value.Value {
	b := c.bits(x)
	return c.sel(c.icmp(enum.IPredNE, b, c.int(b, 0)), y, z)
}

// signBit is the sign bit of f as a constant of the width of its elements.
func (c *code) signBit(f num.Format) value.Value {
	return integer(intType(widthOf(elementType(f))), int64(f.SignBit()))
}

// flip changes the sign bit. HiF8 has neither a negative zero nor a negative
// NaN, and the code of one with the bit changed is the other.
func (c *code) flip(f num.Format, x value.Value, sign func(bits value.Value) value.Value) value.Value {
	b := c.bits(x)
	r := c.xor(b, sign(b))
	if f == num.HiF8 {
		unsigned := c.icmp(enum.IPredEQ, c.and(b, c.not(c.signBit(f))), c.int(b, 0))
		r = c.sel(unsigned, b, r)
	}
	return c.bitcast(r, x.Type())
}
