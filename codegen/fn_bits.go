package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

var bitCodes = map[*scalar.Fn]fnCode{
	scalar.And: {uint: func(c *code, x, y, _ value.Value) value.Value { return c.and(x, y) }},
	scalar.Or:  {uint: func(c *code, x, y, _ value.Value) value.Value { return c.or(x, y) }},
	scalar.Xor: {uint: func(c *code, x, y, _ value.Value) value.Value { return c.xor(x, y) }},
	scalar.Not: {uint: func(c *code, x, _, _ value.Value) value.Value { return c.not(x) }},

	scalar.Shl: {intBits: func(c *code, _ num.Format, x, y, _ value.Value) value.Value {
		return c.shl(x, c.shiftCount(y))
	}},
	scalar.ShlWide: {intBits: func(c *code, _ num.Format, x, y, _ value.Value) value.Value {
		return c.wideShift(x, y, c.shl)
	}},
	scalar.ShrWide: {intBits: func(c *code, f num.Format, x, y, _ value.Value) value.Value {
		if f.Signed() {
			n := c.wideCount(y)
			most := c.int(y, int64(widthOf(y.Type())-1))
			return c.ashr(x, c.sel(c.icmp(enum.IPredULT, n, most), n, most))
		}
		return c.wideShift(x, y, c.lshr)
	}},
	scalar.Shr: {intBits: shiftRight}, scalar.ShrS: {intBits: shiftRight}, scalar.ShrU: {intBits: shiftRight},

	scalar.PopCount: {uint: func(c *code, x, _, _ value.Value) value.Value { return c.call1("llvm.ctpop", x) }},
	scalar.LeadingZeros: {intBits: func(c *code, _ num.Format, x, _, _ value.Value) value.Value {
		return c.ctlz(x)
	}},
	scalar.TrailingZeros: {intBits: func(c *code, _ num.Format, x, _, _ value.Value) value.Value {
		return c.cttz(x)
	}},
	scalar.LeadingSigns: {intBits: func(c *code, _ num.Format, x, _, _ value.Value) value.Value {
		same := c.sel(c.icmp(enum.IPredSLT, x, c.int(x, 0)), c.not(x), x)
		return c.sub(c.ctlz(same), c.int(x, 1))
	}},
}

// shiftCount takes a count modulo the width, which is a power of two.
func (c *code) shiftCount(y value.Value) value.Value {
	return c.and(y, c.int(y, int64(widthOf(y.Type())-1)))
}

// wideCount takes a count modulo 32, or 64 for 64 bits.
func (c *code) wideCount(y value.Value) value.Value {
	return c.and(y, c.int(y, int64(max(widthOf(y.Type()), 32)-1)))
}

// wideShift leaves nothing if the count is not below the width.
func (c *code) wideShift(x, y value.Value, shift func(x, n value.Value) value.Value) value.Value {
	n := c.wideCount(y)
	inside := c.icmp(enum.IPredULT, n, c.int(y, int64(widthOf(y.Type()))))
	return c.sel(inside, shift(x, c.shiftCount(n)), c.int(x, 0))
}

func shiftRight(c *code, f num.Format, x, y, _ value.Value) value.Value {
	if f.Signed() {
		return c.ashr(x, c.shiftCount(y))
	}
	return c.lshr(x, c.shiftCount(y))
}

var (
	maxCode = fnCode{flt: fmax, sint: intrinsic2("llvm.smax"), uint: intrinsic2("llvm.umax")}
	minCode = fnCode{flt: fmin, sint: intrinsic2("llvm.smin"), uint: intrinsic2("llvm.umin")}
)

var extremeCodes = map[*scalar.Fn]fnCode{
	scalar.Max: maxCode, scalar.MaxS: maxCode, scalar.MaxU: maxCode,
	scalar.Min: minCode, scalar.MinS: minCode, scalar.MinU: minCode,
	scalar.MaxNum: {flt: otherIfNaN(fmax)},
	scalar.MinNum: {flt: otherIfNaN(fmin)},
}

// intrinsic2 is the formula of an intrinsic on two operands.
func intrinsic2(name string) formula {
	return func(c *code, x, y, _ value.Value) value.Value { return c.call2(name, x, y) }
}

// fmax is the maximum of IEEE 754-2019, written out because LLVM gained its
// intrinsic late on some targets: NaN wins, and +0 is larger than -0. Of equal
// numbers that are not zeros the bits are equal too.
func fmax(c *code, x, y, _ value.Value) value.Value {
	return c.extreme(x, y, enum.FPredOGT, c.and(c.bits(x), c.bits(y)))
}

// fmin is the minimum of IEEE 754-2019.
func fmin(c *code, x, y, _ value.Value) value.Value {
	return c.extreme(x, y, enum.FPredOLT, c.or(c.bits(x), c.bits(y)))
}

// extreme is x where it compares as wanted, else y; equal has the bits for
// equal operands.
func (c *code) extreme(x, y value.Value, first enum.FPred, equal value.Value) value.Value {
	r := c.sel(c.fcmp(first, x, y), x, y)
	r = c.sel(c.fcmp(enum.FPredOEQ, x, y), c.bitcast(equal, x.Type()), r)
	return c.sel(c.fcmp(enum.FPredUNO, x, y), c.fadd(x, y), r)
}

// otherIfNaN gives the other operand where one is NaN.
func otherIfNaN(f formula) formula {
	return func(c *code, x, y, _ value.Value) value.Value {
		r := c.sel(c.isNaN(y), x, f(c, x, y, nil))
		return c.sel(c.isNaN(x), y, r)
	}
}
