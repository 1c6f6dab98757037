// This file emits bitwise functions and shifts.

package ll

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// bitCodes returns the LLVM code for the bitwise functions of ir/scalar.
func bitCodes() map[*scalar.Fn]fnCode {
	return map[*scalar.Fn]fnCode{
		scalar.And: {uint: func(c *Code, x, y, _ value.Value) value.Value { return c.And(x, y) }},
		scalar.Or:  {uint: func(c *Code, x, y, _ value.Value) value.Value { return c.Or(x, y) }},
		scalar.Xor: {uint: func(c *Code, x, y, _ value.Value) value.Value { return c.Xor(x, y) }},
		scalar.Not: {uint: func(c *Code, x, _, _ value.Value) value.Value { return c.Not(x) }},

		scalar.Shl: {intBits: func(c *Code, _ num.Format, x, y, _ value.Value) value.Value {
			return c.Shl(x, c.ShiftCount(y))
		}},
		scalar.ShlWide: {intBits: func(c *Code, _ num.Format, x, y, _ value.Value) value.Value {
			return c.wideShift(x, y, c.Shl)
		}},
		scalar.ShrWide: {intBits: func(c *Code, f num.Format, x, y, _ value.Value) value.Value {
			if f.Signed() {
				n := c.wideCount(y)
				most := c.Int(y, int64(WidthOf(y.Type())-1))
				return c.AShr(x, c.Select(c.ICmp(enum.IPredULT, n, most), n, most))
			}
			return c.wideShift(x, y, c.LShr)
		}},
		scalar.Shr: {intBits: shiftRight}, scalar.ShrS: {intBits: shiftRight}, scalar.ShrU: {intBits: shiftRight},

		scalar.PopCount: {uint: func(c *Code, x, _, _ value.Value) value.Value { return c.call1("llvm.ctpop", x) }},
		scalar.LeadingZeros: {intBits: func(c *Code, _ num.Format, x, _, _ value.Value) value.Value {
			return c.ctlz(x)
		}},
		scalar.TrailingZeros: {intBits: func(c *Code, _ num.Format, x, _, _ value.Value) value.Value {
			return c.Cttz(x)
		}},
		scalar.LeadingSigns: {intBits: func(c *Code, _ num.Format, x, _, _ value.Value) value.Value {
			same := c.Select(c.ICmp(enum.IPredSLT, x, c.Int(x, 0)), c.Not(x), x)
			return c.Sub(c.ctlz(same), c.Int(x, 1))
		}},
	}
}

// ShiftCount emits the shift count y modulo the width of the elements in bits. This width
// is a power of two.
func (c *Code) ShiftCount(y value.Value) value.Value {
	return c.And(y, c.Int(y, int64(WidthOf(y.Type())-1)))
}

// wideCount emits the shift count y modulo 32, or modulo 64 for elements of 64 bits.
func (c *Code) wideCount(y value.Value) value.Value {
	return c.And(y, c.Int(y, int64(max(WidthOf(y.Type()), 32)-1)))
}

// wideShift emits a shift of x by y bits. shift is a function that emits the shift
// instruction. The result is 0 if the shift count is at least the width of the elements.
func (c *Code) wideShift(x, y value.Value, shift func(x, n value.Value) value.Value) value.Value {
	n := c.wideCount(y)
	inside := c.ICmp(enum.IPredULT, n, c.Int(y, int64(WidthOf(y.Type()))))
	return c.Select(inside, shift(x, c.ShiftCount(n)), c.Int(x, 0))
}

// shiftRight emits x shifted to the right by y: arithmetically for signed formats and
// logically for unsigned ones.
func shiftRight(c *Code, f num.Format, x, y, _ value.Value) value.Value {
	if f.Signed() {
		return c.AShr(x, c.ShiftCount(y))
	}
	return c.LShr(x, c.ShiftCount(y))
}

var (
	// maxCode and minCode are the LLVM code for maximum and minimum.
	maxCode = fnCode{flt: larger, sint: intrinsic2("llvm.smax"), uint: intrinsic2("llvm.umax")}
	minCode = fnCode{flt: smaller, sint: intrinsic2("llvm.smin"), uint: intrinsic2("llvm.umin")}
)

// larger emits the maximum of two floats, and smaller emits the minimum. The third
// operand is not used; it is necessary because all functions of this type have three
// operands.
func larger(c *Code, x, y, _ value.Value) value.Value  { return c.fmax(x, y) }
func smaller(c *Code, x, y, _ value.Value) value.Value { return c.FMin(x, y) }

// extremeCodes returns the LLVM code for the minima and maxima of ir/scalar.
func extremeCodes() map[*scalar.Fn]fnCode {
	return map[*scalar.Fn]fnCode{
		scalar.Max: maxCode, scalar.MaxS: maxCode, scalar.MaxU: maxCode,
		scalar.Min: minCode, scalar.MinS: minCode, scalar.MinU: minCode,
		scalar.MaxNum: {flt: otherIfNaN(larger)},
		scalar.MinNum: {flt: otherIfNaN(smaller)},
	}
}

// intrinsic2 returns a formula that calls an LLVM intrinsic with two operands. The
// parameter name is the name of the intrinsic.
func intrinsic2(name string) formula {
	return func(c *Code, x, y, _ value.Value) value.Value { return c.Call2(name, x, y) }
}

// fmax emits the maximum of IEEE 754-2019: the result is NaN if an operand is NaN, and +0
// is larger than -0. It does not use LLVM's intrinsic, which some targets support only
// since recent versions. If the operands compare equal, the result is the bitwise and of
// their bits. For +0 and -0, this is +0. In all other cases equal operands have the same
// bits, which the bitwise and does not change.
func (c *Code) fmax(x, y value.Value) value.Value {
	return c.extreme(x, y, enum.FPredOGT, c.And(c.Bits(x), c.Bits(y)))
}

// FMin emits the minimum of IEEE 754-2019: the result is NaN if an operand is NaN, and -0
// is smaller than +0.
func (c *Code) FMin(x, y value.Value) value.Value {
	return c.extreme(x, y, enum.FPredOLT, c.Or(c.Bits(x), c.Bits(y)))
}

// extreme emits a minimum or maximum of x and y, selected by the comparison predicate.
// The result is x if this comparison is true for x and y, and y if it is false. If x
// equals y, the result has the bits in the last argument, which determine the sign of a
// zero. If x or y is NaN, the result is their sum, which is NaN.
func (c *Code) extreme(x, y value.Value, first enum.FPred, equal value.Value) value.Value {
	r := c.Select(c.FCmp(first, x, y), x, y)
	r = c.Select(c.FCmp(enum.FPredOEQ, x, y), c.Bitcast(equal, x.Type()), r)
	return c.Select(c.FCmp(enum.FPredUNO, x, y), c.FAdd(x, y), r)
}

// otherIfNaN returns a formula for two operands that ignores NaN: if one operand is NaN,
// the result is the operand that is not NaN. For all other operands, the result is that
// of f.
func otherIfNaN(f formula) formula {
	return func(c *Code, x, y, _ value.Value) value.Value {
		r := c.Select(c.IsNaN(y), x, f(c, x, y, nil))
		return c.Select(c.IsNaN(x), y, r)
	}
}
