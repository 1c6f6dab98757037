package codegen

import (
	llir "github.com/llir/llvm/ir"
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
)

// encode returns the float x, which is float or double, as an element of float
// format f, rounded once. What is beyond the range becomes what num.Encode
// says. Every NaN becomes a NaN, the canonical one in formats that are made of
// integers here.
func (c *code) encode(f num.Format, x value.Value, r num.Rounding, sat bool) value.Value {
	usual := r == num.NearestEven && !sat
	fromFloat := elementOf(x.Type()) == f32
	if (f == num.F16 || f == num.BF16) && r == num.NearestEven && sat && fromFloat {
		x, usual = c.limit(x, num.Decode(f, num.Encode(f, inf, r, sat))), true
	}
	switch {
	case usual && f == num.F32:
		return c.fptrunc(x, f32)
	case f == num.F64 && !sat:
		return c.fpext(x, f64)
	case usual && f == num.F16 && fromFloat:
		return c.encodeF16(x)
	case usual && f == num.BF16 && fromFloat:
		return c.encodeBF16(x)
	}
	return c.carry(f, c.encodeDouble(f, c.fpext(x, f64), r, sat))
}

// limit moves a float that lies beyond ±most to there; NaN stays.
func (c *code) limit(x value.Value, most float64) value.Value {
	for _, end := range []struct {
		pred enum.FPred
		at   float64
	}{{enum.FPredOGT, most}, {enum.FPredOLT, -most}} {
		x = c.sel(c.fcmp(end.pred, x, float(f32, end.at)), float(f32, end.at), x)
	}
	return x
}

// carry turns the bits of an element of f into the type that carries it.
func (c *code) carry(f num.Format, bits value.Value) value.Value {
	if t := elementType(f); isFloat(t) {
		return c.bitcast(bits, shaped(t, bits))
	}
	return bits
}

// encodeBF16 cuts a float in half. Just below half a unit, plus the lowest bit
// that stays, is added first: a carry happens above half, and at half if that
// bit is odd.
func (c *code) encodeBF16(x value.Value) value.Value {
	fn := c.helper("f32_to_bf16."+suffix(x.Type()), shaped(i16, x), []types.Type{x.Type()}, func(c *code, args []value.Value) value.Value {
		b := c.bits(args[0])
		odd := c.and(c.lshr(b, c.int(b, 16)), c.int(b, 1))
		r := c.lshr(c.add(c.add(b, odd), c.int(b, 0x7FFF)), c.int(b, 16))
		return c.trunc(c.sel(c.isNaN(args[0]), c.int(b, 0x7FC0), r), i16)
	})
	return c.call(fn, x)
}

// encodeF16 rounds a float to f16 in three ranges: beyond the largest number,
// normal and denormal.
func (c *code) encodeF16(x value.Value) value.Value {
	if c.opts.Half {
		return c.sel(c.isNaN(x), integer(i16, 0x7E00), c.bitcast(c.fptrunc(x, types.Half), shaped(i16, x)))
	}
	fn := c.helper("f32_to_f16."+suffix(x.Type()), shaped(i16, x), []types.Type{x.Type()}, func(c *code, args []value.Value) value.Value {
		b := c.bits(args[0])
		mag := c.and(b, c.int(b, math.MaxInt32))
		// In [½, 1) the last bit of a float is worth as much as that of a
		// denormal f16, so the sum is rounded where it must be.
		half := float(f32, 0.5)
		small := c.sub(c.bits(c.fadd(c.asFloat(mag), half)), c.int(b, 0x3F000000))
		odd := c.and(c.lshr(mag, c.int(b, 13)), c.int(b, 1))
		normal := c.lshr(c.add(c.add(mag, odd), c.int(b, 0xFFF-112<<23)), c.int(b, 13))
		r := c.sel(c.icmp(enum.IPredULT, mag, c.int(b, 0x38800000)), small, normal)
		inf := c.sel(c.isNaN(args[0]), c.int(b, 0x7E00), c.int(b, 0x7C00))
		r = c.sel(c.icmp(enum.IPredULT, mag, c.int(b, 0x47800000)), r, inf)
		sign := c.and(c.lshr(b, c.int(b, 16)), c.int(b, 0x8000))
		sign = c.sel(c.isNaN(args[0]), c.int(b, 0), sign)
		return c.trunc(c.or(r, sign), i16)
	})
	return c.call(fn, x)
}

// encodeDouble returns the bits of a double in float format f.
func (c *code) encodeDouble(f num.Format, x value.Value, r num.Rounding, sat bool) value.Value {
	t := intType(widthOf(elementType(f)))
	return c.eachLane("encode", t, []value.Value{x}, func(args []value.Value) value.Value {
		return c.call(c.encoder(f, r, sat), args...)
	})
}

// conversionName names the routine for one target, rounding mode and treatment
// of what is beyond the range.
func conversionName(what string, f num.Format, r num.Rounding, sat bool) string {
	name := what + "." + f.String() + "." + r.String()
	if sat {
		name += ".sat"
	}
	return name
}

// Bits of a double.
const (
	mantissa64 = 1<<52 - 1
	implicit64 = 1 << 52
	exponent64 = 0x7FF
)

// encoder is the routine from double to f. It takes the number apart, handles
// what is not an ordinary number, and leaves the rest to the rounder.
func (c *code) encoder(f num.Format, r num.Rounding, sat bool) *llir.Func {
	t := intType(widthOf(elementType(f)))
	return c.private(conversionName("encode", f, r, sat), t, []types.Type{f64}, func(c *code, args []value.Value) value.Value {
		x := args[0]
		b := c.bits(x)
		field := c.and(c.lshr(b, index(52)), index(exponent64))
		man := c.and(b, index(mantissa64))
		denormal := c.icmp(enum.IPredEQ, field, index(0))
		m := c.sel(denormal, man, c.or(man, index(implicit64)))
		e := c.sub(c.sel(denormal, index(1), field), index(1075))
		neg := c.isNegative(x)
		result := c.call(c.rounder(f, r, sat), neg, m, e)
		constant := func(x float64) value.Value { return c.int(result, int64(num.Encode(f, x, r, sat))) }
		either := func(x float64) value.Value { return c.sel(neg, constant(-x), constant(x)) }
		result = c.sel(c.icmp(enum.IPredEQ, m, index(0)), either(0), result)
		special := c.sel(c.isNaN(x), constant(math.NaN()), either(math.Inf(1)))
		return c.sel(c.icmp(enum.IPredEQ, field, index(exponent64)), special, result)
	})
}

// rounder is the routine that returns the code of ±m·2^e, rounded once. m is
// not zero.
func (c *code) rounder(f num.Format, r num.Rounding, sat bool) *llir.Func {
	t := intType(widthOf(elementType(f)))
	return c.private(conversionName("round", f, r, sat), t, []types.Type{i1, i64, i64}, func(c *code, args []value.Value) value.Value {
		neg, m, e := args[0], args[1], args[2]
		lead := c.sub(index(63), c.ctlz(m))
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
		return c.trunc(code, t)
	})
}

// ctlz counts leading zeros.
func (c *code) ctlz(x value.Value) value.Value {
	t := x.Type()
	return c.call(c.intrinsic("llvm.ctlz."+suffix(t), t, t, i1), x, integer(i1, 0))
}

// cttz counts trailing zeros.
func (c *code) cttz(x value.Value) value.Value {
	t := x.Type()
	return c.call(c.intrinsic("llvm.cttz."+suffix(t), t, t, i1), x, integer(i1, 0))
}

// maxInt is the larger of two signed integers.
func (c *code) maxInt(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.call2("llvm.smax", x, y)
}

// minInt is the smaller of two signed integers.
func (c *code) minInt(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.call2("llvm.smin", x, y)
}
