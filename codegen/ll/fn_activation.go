// This file emits activation and rounding functions.

package ll

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// activationCodes returns the LLVM code for the activation functions of ir/scalar.
func activationCodes() map[*scalar.Fn]fnCode {
	return map[*scalar.Fn]fnCode{
		scalar.Relu: {
			flt:  func(c *Code, x, _, _ value.Value) value.Value { return c.relu(x) },
			sint: func(c *Code, x, _, _ value.Value) value.Value { return c.MaxInt(x, c.Int(x, 0)) },
			uint: func(_ *Code, x, _, _ value.Value) value.Value { return x },
		},
		scalar.LRelu: {flt: leaky},
		scalar.Prelu: {flt: leaky},
		scalar.PreluAbove: {flt: func(c *Code, x, slope, _ value.Value) value.Value {
			return c.Select(c.FCmp(enum.FPredOGT, x, c.Num(x, 0)), x, c.FMul(x, slope))
		}},
		scalar.AddRelu: {
			flt: func(c *Code, x, y, _ value.Value) value.Value { return c.relu(c.FAdd(x, y)) },
			intBits: func(c *Code, f num.Format, x, y, _ value.Value) value.Value {
				return c.reluInt(f, c.Add(x, y))
			},
		},
		scalar.SubRelu: {
			flt: func(c *Code, x, y, _ value.Value) value.Value { return c.relu(c.FSub(x, y)) },
			intBits: func(c *Code, f num.Format, x, y, _ value.Value) value.Value {
				return c.reluInt(f, c.Sub(x, y))
			},
		},
		scalar.FmaRelu: {
			fltBits: func(c *Code, f num.Format, x, y, z value.Value) value.Value {
				r := c.Decode(f, c.FMA(f, x, y, z))
				return c.Encode(f, c.relu(r), num.NearestEven, false)
			},
			intBits: func(c *Code, f num.Format, x, y, z value.Value) value.Value {
				return c.reluInt(f, mulAddInt(c, x, y, z))
			},
		},
	}
}

// relu emits the ReLU of the float x: x if it is positive, and +0 if it is not. NaN stays
// NaN.
func (c *Code) relu(x value.Value) value.Value {
	return c.Select(c.FCmp(enum.FPredOLE, x, c.Num(x, 0)), c.Num(x, 0), x)
}

// reluInt emits the ReLU of x, an integer of format f: x if it is positive, and 0 if it
// is not.
func (c *Code) reluInt(f num.Format, x value.Value) value.Value {
	if !f.Signed() {
		return x
	}
	return c.MaxInt(x, c.Int(x, 0))
}

// leaky emits the leaky ReLU of x: x if it is at least zero, and x times slope if it is
// negative.
func leaky(c *Code, x, slope, _ value.Value) value.Value {
	return c.Select(c.FCmp(enum.FPredOGE, x, c.Num(x, 0)), x, c.FMul(x, slope))
}

// roundingCodes returns the LLVM code for the functions of ir/scalar that round floats to
// integral values.
func roundingCodes() map[*scalar.Fn]fnCode {
	return map[*scalar.Fn]fnCode{
		scalar.Floor: {flt: rounded(num.Floor)},
		scalar.Ceil:  {flt: rounded(num.Ceil)},
		scalar.Round: {flt: rounded(num.NearestAway)},
		scalar.Rint:  {flt: rounded(num.NearestEven)},
		scalar.Trunc: {flt: rounded(num.Zero)},
		scalar.Odd:   {flt: rounded(num.Odd)},
	}
}

// rounded returns a formula that rounds a float to an integral value in direction r.
func rounded(r num.Rounding) formula {
	return func(c *Code, x, _, _ value.Value) value.Value { return c.Round(x, r) }
}
