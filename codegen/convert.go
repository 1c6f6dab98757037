package codegen

import (
	llir "github.com/llir/llvm/ir"
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
)

var inf = math.Inf(1)

// convert returns an element of one format in another, rounded once; it means
// what num.Convert means.
func (c *code) convert(from, to num.Format, x value.Value, r num.Rounding, sat bool) value.Value {
	switch {
	case from.IsFloat() && from == to && !sat:
		return x
	case from.IsFloat() && to.IsFloat():
		return c.encode(to, c.decode(from, x), r, sat)
	case from.IsFloat() && sat:
		return c.clampToInt(to, c.decode(from, x), r)
	case from.IsFloat():
		return c.wrapToInt(to, c.toDouble(from, x), r)
	case to.IsInt():
		return c.intToInt(from, to, x, sat)
	}
	return c.intToFloat(from, to, x, r, sat)
}

// clampToInt rounds a float to an integer; what is out of range becomes the
// nearest integer in it, and NaN becomes 0.
func (c *code) clampToInt(to num.Format, x value.Value, r num.Rounding) value.Value {
	if r != num.Zero {
		x = c.round(x, r)
	}
	name := "llvm.fptoui.sat."
	if to.Signed() {
		name = "llvm.fptosi.sat."
	}
	t := shaped(elementType(to), x)
	return c.call(c.intrinsic(name+suffix(t)+"."+suffix(x.Type()), t, x.Type()), x)
}

// wrapToInt rounds a double to an integer and keeps the low bits; infinity and
// NaN become 0.
func (c *code) wrapToInt(to num.Format, x value.Value, r num.Rounding) value.Value {
	t := shaped(i64, x)
	fn := c.helper("wrap_to_int."+suffix(x.Type()), t, []types.Type{x.Type()}, func(c *code, args []value.Value) value.Value {
		x := args[0]
		small := c.clampToInt(num.S64, x, num.Zero)
		b := c.bits(x)
		m := c.or(c.and(b, index(mantissa64)), index(implicit64))
		e := c.sub(c.and(c.lshr(b, index(52)), index(exponent64)), index(1075))
		big := c.shl(m, c.and(e, index(63)))
		big = c.sel(c.icmp(enum.IPredULT, e, index(64)), big, index(0))
		big = c.sel(c.isNegative(x), c.sub(index(0), big), big)
		return c.sel(c.fcmp(enum.FPredOLT, c.fabs(x), float(f64, 0x1p63)), small, big)
	})
	return c.trunc(c.call(fn, c.round(x, r)), elementType(to))
}

// intToInt cuts or extends an integer, or clamps it first.
func (c *code) intToInt(from, to num.Format, x value.Value, sat bool) value.Value {
	if sat {
		x = c.clamp(from, to, x)
	}
	return c.resize(x, elementType(to), from.Signed())
}

// clamp moves an integer of one format into the range of another.
func (c *code) clamp(from, to num.Format, x value.Value) value.Value {
	t := elementType(from)
	less, greater := enum.IPredULT, enum.IPredUGT
	if from.Signed() {
		less, greater = enum.IPredSLT, enum.IPredSGT
	}
	if from.Signed() && !to.Signed() || from.Signed() && to.Bits() < from.Bits() {
		low := int64(0)
		if to.Signed() {
			low = num.Int(to, num.Lowest(to))
		}
		x = c.sel(c.icmp(less, x, integer(t, low)), integer(t, low), x)
	}
	if positiveBits(to) < positiveBits(from) {
		high := integer(t, int64(num.Max(to)))
		x = c.sel(c.icmp(greater, x, high), high, x)
	}
	return x
}

// positiveBits is the width of the largest integer of f.
func positiveBits(f num.Format) int { return bitLen(num.Max(f)) }

// intToFloat rounds an integer to a float format.
func (c *code) intToFloat(from, to num.Format, x value.Value, r num.Rounding, sat bool) value.Value {
	toFP := c.uitofp
	if from.Signed() {
		toFP = c.sitofp
	}
	switch n := from.Bits(); {
	case n <= 24:
		return c.encode(to, toFP(x, workType(to)), r, sat)
	case n <= 53:
		return c.encode(to, toFP(x, f64), r, sat)
	case r == num.NearestEven && (to == num.F32 || to == num.F64):
		return toFP(x, elementType(to)) // one instruction, rounded once
	}
	t := intType(widthOf(elementType(to)))
	code := c.eachLane("convert", t, []value.Value{x}, func(args []value.Value) value.Value {
		return c.call(c.intEncoder(to, from.Signed(), r, sat), args...)
	})
	return c.carry(to, code)
}

// intEncoder is the routine from i64 to a float format.
func (c *code) intEncoder(f num.Format, signed bool, r num.Rounding, sat bool) *llir.Func {
	name := conversionName("from_u64", f, r, sat)
	if signed {
		name = conversionName("from_i64", f, r, sat)
	}
	t := intType(widthOf(elementType(f)))
	return c.private(name, t, []types.Type{i64}, func(c *code, args []value.Value) value.Value {
		m, neg := args[0], value.Value(integer(i1, 0))
		if signed {
			neg = c.icmp(enum.IPredSLT, m, index(0))
			m = c.sel(neg, c.sub(index(0), m), m)
		}
		code := c.call(c.rounder(f, r, sat), neg, m, index(0))
		zero := c.int(code, int64(num.Encode(f, 0, r, sat)))
		return c.sel(c.icmp(enum.IPredEQ, m, index(0)), zero, code)
	})
}
