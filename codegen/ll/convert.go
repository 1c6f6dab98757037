// This file emits conversions between formats.

package ll

import (
	"math"
	"math/bits"

	llir "github.com/llir/llvm/ir"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
)

// inf is positive infinity.
var inf = math.Inf(1)

// Convert emits the conversion of the element x from one number format (the parameter
// from) to another (the parameter to). It rounds once in mode r and saturates if sat is
// set. The emitted code computes the same bits as num.Convert.
func (c *Code) Convert(from, to num.Format, x value.Value, r num.Rounding, sat bool) value.Value {
	switch {
	case from.IsFloat() && from == to && !sat:
		return x
	case from.IsFloat() && to.IsFloat():
		return c.Encode(to, c.Decode(from, x), r, sat)
	case from.IsFloat() && sat:
		return c.ClampToInt(to, c.Decode(from, x), r)
	case from.IsFloat():
		return c.wrapToInt(to, c.ToDouble(from, x), r)
	case to.IsInt():
		return c.intToInt(from, to, x, sat)
	}
	return c.intToFloat(from, to, x, r, sat)
}

// ClampToInt emits the float x rounded to an integer in mode r. The parameter to is the
// integer format of the result. Values out of range become the nearest integer in range,
// and NaN becomes 0.
func (c *Code) ClampToInt(to num.Format, x value.Value, r num.Rounding) value.Value {
	if r != num.Zero {
		x = c.Round(x, r)
	}
	name := "llvm.fptoui.sat."
	if to.Signed() {
		name = "llvm.fptosi.sat."
	}
	t := Shaped(ElementType(to), x)
	return c.Call(c.m.Intrinsic(name+Suffix(t)+"."+Suffix(x.Type()), t, x.Type()), x)
}

// wrapToInt emits the double x rounded to an integer in mode r. The parameter to is the
// integer format of the result, which contains the low bits of the integer. Infinity and
// NaN become 0.
func (c *Code) wrapToInt(to num.Format, x value.Value, r num.Rounding) value.Value {
	t := Shaped(I64, x)
	fn := c.m.helper("wrap_to_int."+Suffix(x.Type()), t, []types.Type{x.Type()}, func(c *Code, args []value.Value) value.Value {
		x := args[0]
		small := c.ClampToInt(num.S64, x, num.Zero)
		b := c.Bits(x)
		m := c.Or(c.And(b, Index(mantissa64)), Index(implicit64))
		e := c.Sub(c.And(c.LShr(b, Index(52)), Index(exponent64)), Index(1075))
		big := c.Shl(m, c.And(e, Index(63)))
		big = c.Select(c.ICmp(enum.IPredULT, e, Index(64)), big, Index(0))
		big = c.Select(c.isNegative(x), c.Sub(Index(0), big), big)
		return c.Select(c.FCmp(enum.FPredOLT, c.FAbs(x), Float(F64, 0x1p63)), small, big)
	})
	return c.Trunc(c.Call(fn, c.Round(x, r)), ElementType(to))
}

// intToInt emits a conversion of x between two integer formats, by truncation or
// extension. from is the format of x, and to is the format of the result. If sat is set,
// x is first limited to the range of the result.
func (c *Code) intToInt(from, to num.Format, x value.Value, sat bool) value.Value {
	if sat {
		x = c.clamp(from, to, x)
	}
	return c.Resize(x, ElementType(to), from.Signed())
}

// clamp emits the integer x limited to the range of another integer format. from is the
// format of x, and to is the format with the range.
func (c *Code) clamp(from, to num.Format, x value.Value) value.Value {
	t := ElementType(from)
	less, greater := enum.IPredULT, enum.IPredUGT
	if from.Signed() {
		less, greater = enum.IPredSLT, enum.IPredSGT
	}
	if from.Signed() && !to.Signed() || from.Signed() && to.Bits() < from.Bits() {
		low := int64(0)
		if to.Signed() {
			low = num.Int(to, num.Lowest(to))
		}
		x = c.Select(c.ICmp(less, x, Integer(t, low)), Integer(t, low), x)
	}
	if positiveBits(to) < positiveBits(from) {
		high := Integer(t, int64(num.Max(to)))
		x = c.Select(c.ICmp(greater, x, high), high, x)
	}
	return x
}

// positiveBits returns the number of bits of the largest number of integer format f.
func positiveBits(f num.Format) int { return bitLen(num.Max(f)) }

// bitLen returns the number of bits that are needed to represent the constant v.
func bitLen(v uint64) int { return bits.Len64(v) }

// intToFloat emits the conversion of the integer x to a float, rounded in mode r. from is
// the integer format, and to is the float format. If sat is set, values out of range
// become the largest finite number; if it is not, num.Encode defines the result, for
// example infinity.
func (c *Code) intToFloat(from, to num.Format, x value.Value, r num.Rounding, sat bool) value.Value {
	toFP := c.uitofp
	if from.Signed() {
		toFP = c.SIToFP
	}
	switch n := from.Bits(); {
	case n <= 24:
		return c.Encode(to, toFP(x, workType(to)), r, sat)
	case n <= 53:
		return c.Encode(to, toFP(x, F64), r, sat)
	case r == num.NearestEven && (to == num.F32 || to == num.F64):
		return toFP(x, ElementType(to)) // one instruction, rounded once
	}
	t := IntType(WidthOf(ElementType(to)))
	code := c.eachLane("convert", t, []value.Value{x}, func(args []value.Value) value.Value {
		return c.Call(c.intEncoder(to, from.Signed(), r, sat), args...)
	})
	return c.Carry(to, code)
}

// workType returns the LLVM type in which the emitted code computes with numbers of
// format f: double for f64, and float for all other formats. For formats shorter than
// f32, float has more than twice their precision, plus two bits. The results of + - * /
// and of the square root are therefore the same as with a single rounding.
func workType(f num.Format) *types.FloatType {
	if f == num.F64 {
		return F64
	}
	return F32
}

// intEncoder returns the helper function that converts an i64 to the float format f,
// rounded in mode r. The i64 is a signed integer if signed is set. If sat is set, values
// out of range become the largest finite number.
func (c *Code) intEncoder(f num.Format, signed bool, r num.Rounding, sat bool) *llir.Func {
	name := conversionName("from_u64", f, r, sat)
	if signed {
		name = conversionName("from_i64", f, r, sat)
	}
	t := IntType(WidthOf(ElementType(f)))
	return c.m.Private(name, t, []types.Type{I64}, func(c *Code, args []value.Value) value.Value {
		m, neg := args[0], value.Value(Integer(I1, 0))
		if signed {
			neg = c.ICmp(enum.IPredSLT, m, Index(0))
			m = c.Select(neg, c.Sub(Index(0), m), m)
		}
		code := c.Call(c.rounder(f, r, sat), neg, m, Index(0))
		zero := c.Int(code, int64(num.Encode(f, 0, r, sat)))
		return c.Select(c.ICmp(enum.IPredEQ, m, Index(0)), zero, code)
	})
}
