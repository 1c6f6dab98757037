// This file emits the encoding of floats as elements.

package ll

import (
	llir "github.com/llir/llvm/ir"
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
)

// Encode emits x, a float or double, rounded once to an element of float format f. The
// parameter sat selects saturation instead of overflow to infinity; num.Encode defines
// the results for values out of range. Every NaN becomes a NaN; in formats without an
// LLVM type it is the canonical NaN.
func (c *Code) Encode(f num.Format, x value.Value, r num.Rounding, sat bool) value.Value {
	usual := r == num.NearestEven && !sat
	fromFloat := ElementOf(x.Type()) == F32
	if (f == num.F16 || f == num.BF16) && r == num.NearestEven && sat && fromFloat {
		x, usual = c.limit(x, num.Decode(f, num.Encode(f, inf, r, sat))), true
	}
	switch {
	case usual && f == num.F32:
		return c.FPTrunc(x, F32)
	case f == num.F64 && !sat:
		return c.FPExt(x, F64)
	case usual && f == num.F16 && fromFloat:
		return c.encodeF16(x)
	case usual && f == num.BF16 && fromFloat:
		return c.encodeBF16(x)
	}
	return c.Carry(f, c.encodeDouble(f, c.FPExt(x, F64), r, sat))
}

// limit emits the float x limited to a range. most is the upper end of the range, and its
// negative is the lower end. NaN stays NaN.
func (c *Code) limit(x value.Value, most float64) value.Value {
	for _, end := range []struct {
		pred enum.FPred
		at   float64
	}{{enum.FPredOGT, most}, {enum.FPredOLT, -most}} {
		x = c.Select(c.FCmp(end.pred, x, Float(F32, end.at)), Float(F32, end.at), x)
	}
	return x
}

// Carry emits a conversion from the bits of an element of format f to the LLVM type that
// represents such elements in registers. For f32 and f64, the bits become a float or
// double. For formats without an LLVM type, the result is the bits themselves.
func (c *Code) Carry(f num.Format, bits value.Value) value.Value {
	if t := ElementType(f); IsFloat(t) {
		return c.Bitcast(bits, Shaped(t, bits))
	}
	return bits
}

// encodeBF16 emits the float x rounded to the nearest bf16, ties to even. A bf16 is the
// upper half of the bits of a float. Before the code discards the lower half, it adds
// 0x7FFF plus the lowest remaining bit. This sum carries into the upper half if the
// discarded bits exceed half a unit, or if they equal half a unit and the lowest
// remaining bit is 1.
func (c *Code) encodeBF16(x value.Value) value.Value {
	fn := c.m.helper("f32_to_bf16."+Suffix(x.Type()), Shaped(I16, x), []types.Type{x.Type()}, func(c *Code, args []value.Value) value.Value {
		b := c.Bits(args[0])
		odd := c.And(c.LShr(b, c.Int(b, 16)), c.Int(b, 1))
		r := c.LShr(c.Add(c.Add(b, odd), c.Int(b, 0x7FFF)), c.Int(b, 16))
		return c.Trunc(c.Select(c.IsNaN(args[0]), c.Int(b, 0x7FC0), r), I16)
	})
	return c.Call(fn, x)
}

// encodeF16 emits the float x rounded to f16. It treats three ranges separately:
// overflow, normal and subnormal numbers.
func (c *Code) encodeF16(x value.Value) value.Value {
	if c.m.half {
		c.m.halves++
		return c.Select(c.IsNaN(x), Integer(I16, 0x7E00), c.Bitcast(c.FPTrunc(x, types.Half), Shaped(I16, x)))
	}
	fn := c.m.helper("f32_to_f16."+Suffix(x.Type()), Shaped(I16, x), []types.Type{x.Type()}, func(c *Code, args []value.Value) value.Value {
		b := c.Bits(args[0])
		mag := c.And(b, c.Int(b, math.MaxInt32))
		// In [½, 1) the last bit of a float is worth as much as that of a
		// denormal f16, so the sum is rounded where it must be.
		half := Float(F32, 0.5)
		small := c.Sub(c.Bits(c.FAdd(c.AsFloat(mag), half)), c.Int(b, 0x3F000000))
		odd := c.And(c.LShr(mag, c.Int(b, 13)), c.Int(b, 1))
		normal := c.LShr(c.Add(c.Add(mag, odd), c.Int(b, 0xFFF-112<<23)), c.Int(b, 13))
		r := c.Select(c.ICmp(enum.IPredULT, mag, c.Int(b, 0x38800000)), small, normal)
		inf := c.Select(c.IsNaN(args[0]), c.Int(b, 0x7E00), c.Int(b, 0x7C00))
		r = c.Select(c.ICmp(enum.IPredULT, mag, c.Int(b, 0x47800000)), r, inf)
		sign := c.And(c.LShr(b, c.Int(b, 16)), c.Int(b, 0x8000))
		sign = c.Select(c.IsNaN(args[0]), c.Int(b, 0), sign)
		return c.Trunc(c.Or(r, sign), I16)
	})
	return c.Call(fn, x)
}

// encodeDouble emits the bits of the double x rounded in mode r to float format f. If sat
// is set, values out of range become the largest finite number; if it is not, num.Encode
// defines the result, for example infinity.
func (c *Code) encodeDouble(f num.Format, x value.Value, r num.Rounding, sat bool) value.Value {
	t := IntType(WidthOf(ElementType(f)))
	return c.eachLane("encode", t, []value.Value{x}, func(args []value.Value) value.Value {
		return c.Call(c.encoder(f, r, sat), args...)
	})
}

// conversionName returns the name of a helper function that converts to format f with
// rounding mode r. The parameter what is the start of the name, and sat states whether
// the function saturates.
func conversionName(what string, f num.Format, r num.Rounding, sat bool) string {
	name := what + "." + f.String() + "." + r.String()
	if sat {
		name += ".sat"
	}
	return name
}

// These constants describe the fields of a double: the mask of the fraction bits, the
// implicit leading bit, and the mask of the exponent.
const (
	mantissa64 = 1<<52 - 1
	implicit64 = 1 << 52
	exponent64 = 0x7FF
)

// encoder returns the helper function that converts a double to format f, rounded in mode
// r. If sat is set, values out of range become the largest finite number. The function
// splits the number into its fields, and handles zero, infinity and NaN itself. For all
// other numbers it calls the helper function that rounds.
func (c *Code) encoder(f num.Format, r num.Rounding, sat bool) *llir.Func {
	t := IntType(WidthOf(ElementType(f)))
	return c.m.Private(conversionName("encode", f, r, sat), t, []types.Type{F64}, func(c *Code, args []value.Value) value.Value {
		x := args[0]
		b := c.Bits(x)
		field := c.And(c.LShr(b, Index(52)), Index(exponent64))
		man := c.And(b, Index(mantissa64))
		denormal := c.ICmp(enum.IPredEQ, field, Index(0))
		m := c.Select(denormal, man, c.Or(man, Index(implicit64)))
		e := c.Sub(c.Select(denormal, Index(1), field), Index(1075))
		neg := c.isNegative(x)
		result := c.Call(c.rounder(f, r, sat), neg, m, e)
		constant := func(x float64) value.Value { return c.Int(result, int64(num.Encode(f, x, r, sat))) }
		either := func(x float64) value.Value { return c.Select(neg, constant(-x), constant(x)) }
		result = c.Select(c.ICmp(enum.IPredEQ, m, Index(0)), either(0), result)
		special := c.Select(c.IsNaN(x), constant(math.NaN()), either(math.Inf(1)))
		return c.Select(c.ICmp(enum.IPredEQ, field, Index(exponent64)), special, result)
	})
}

// rounder returns a helper function that rounds a number ±m·2^e once to format f, in mode
// r, and returns the bits. The helper function has three parameters: the sign, m and e.
// The value of m must not be zero. If sat is set, values out of range become the largest
// finite number; if it is not, num.Encode defines the result, for example infinity.
func (c *Code) rounder(f num.Format, r num.Rounding, sat bool) *llir.Func {
	t := IntType(WidthOf(ElementType(f)))
	return c.m.Private(conversionName("round", f, r, sat), t, []types.Type{I1, I64, I64}, func(c *Code, args []value.Value) value.Value {
		neg, m, e := args[0], args[1], args[2]
		lead := c.Sub(Index(63), c.ctlz(m))
		n := &rounding{c: c, mode: r, neg: neg, m: m, e: e, lead: lead}
		var code value.Value
		switch f {
		case num.HiF8:
			code = n.hif8(sat)
		case num.F8E8M0:
			code = n.e8m0(sat)
		default:
			code = n.fields(f, sat)
		}
		return c.Trunc(code, t)
	})
}

// ctlz emits the number of leading zero bits of x.
func (c *Code) ctlz(x value.Value) value.Value {
	t := x.Type()
	return c.Call(c.m.Intrinsic("llvm.ctlz."+Suffix(t), t, t, I1), x, Integer(I1, 0))
}

// Cttz emits the number of trailing zero bits of x.
func (c *Code) Cttz(x value.Value) value.Value {
	t := x.Type()
	return c.Call(c.m.Intrinsic("llvm.cttz."+Suffix(t), t, t, I1), x, Integer(I1, 0))
}

// MaxInt emits the maximum of two signed integers.
func (c *Code) MaxInt(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Call2("llvm.smax", x, y)
}

// MinInt emits the minimum of two signed integers.
func (c *Code) MinInt(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Call2("llvm.smin", x, y)
}
