package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

var activationCodes = map[*scalar.Fn]fnCode{
	scalar.Relu: {
		flt:  func(c *code, x, _, _ value.Value) value.Value { return c.relu(x) },
		sint: func(c *code, x, _, _ value.Value) value.Value { return c.maxInt(x, c.int(x, 0)) },
		uint: func(_ *code, x, _, _ value.Value) value.Value { return x },
	},
	scalar.LRelu: {flt: leaky},
	scalar.Prelu: {flt: leaky},
	scalar.PreluAbove: {flt: func(c *code, x, slope, _ value.Value) value.Value {
		return c.sel(c.fcmp(enum.FPredOGT, x, c.num(x, 0)), x, c.fmul(x, slope))
	}},
	scalar.AddRelu: {
		flt: func(c *code, x, y, _ value.Value) value.Value { return c.relu(c.fadd(x, y)) },
		intBits: func(c *code, f num.Format, x, y, _ value.Value) value.Value {
			return c.reluInt(f, c.add(x, y))
		},
	},
	scalar.SubRelu: {
		flt: func(c *code, x, y, _ value.Value) value.Value { return c.relu(c.fsub(x, y)) },
		intBits: func(c *code, f num.Format, x, y, _ value.Value) value.Value {
			return c.reluInt(f, c.sub(x, y))
		},
	},
	scalar.FmaRelu: {
		fltBits: func(c *code, f num.Format, x, y, z value.Value) value.Value {
			r := c.decode(f, fusedMulAdd(c, f, x, y, z))
			return c.encode(f, c.relu(r), num.NearestEven, false)
		},
		intBits: func(c *code, f num.Format, x, y, z value.Value) value.Value {
			return c.reluInt(f, mulAddInt(c, x, y, z))
		},
	},
}

// relu is x where it is above zero, else +0; NaN stays NaN.
func (c *code) relu(x value.Value) value.Value {
	return c.sel(c.fcmp(enum.FPredOLE, x, c.num(x, 0)), c.num(x, 0), x)
}

// reluInt is relu of an integer.
func (c *code) reluInt(f num.Format, x value.Value) value.Value {
	if !f.Signed() {
		return x
	}
	return c.maxInt(x, c.int(x, 0))
}

// leaky scales what is not at least zero.
func leaky(c *code, x, slope, _ value.Value) value.Value {
	return c.sel(c.fcmp(enum.FPredOGE, x, c.num(x, 0)), x, c.fmul(x, slope))
}

var roundingCodes = map[*scalar.Fn]fnCode{
	scalar.Floor: {flt: rounded(num.Floor)},
	scalar.Ceil:  {flt: rounded(num.Ceil)},
	scalar.Round: {flt: rounded(num.NearestAway)},
	scalar.Rint:  {flt: rounded(num.NearestEven)},
	scalar.Trunc: {flt: rounded(num.Zero)},
	scalar.Odd:   {flt: rounded(num.Odd)},
}

func rounded(r num.Rounding) formula {
	return func(c *code, x, _, _ value.Value) value.Value { return c.round(x, r) }
}
