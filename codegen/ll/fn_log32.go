// This file emits the logarithm in float, operation by operation as package scalar
// computes it.

package ll

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"
)

// sqrtHalf32 is the bits of the float √½, from log32 in ir/scalar.
const sqrtHalf32 = 0x3F3504F3

// logSeries32 are the coefficients of the polynomial with which log32 approximates the
// logarithm.
var logSeries32 = []float64{0x1.555554fd9ad8bp-1, 0x1.999a7a8e80046p-2, 0x1.2438d6a222448p-2, 0x1.e2f689de2a1b5p-3}

// log32 is the formula of the natural logarithm of a float. It computes the same steps as
// log32 in ir/scalar.
var log32 = once("log32", func(c *Code, x, _, _ value.Value) value.Value {
	f32s := func(v float64) value.Value { return Float(F32, v) }
	b := c.Bits(x)
	denormal := c.ICmp(enum.IPredULT, b, Integer(I32, 1<<23))
	b = c.Sub(c.Select(denormal, c.Bits(c.FMul(x, f32s(1<<24))), b), Integer(I32, sqrtHalf32))
	e := c.FAdd(c.Select(denormal, d(-24), d(0)), c.SIToFP(c.AShr(b, Integer(I32, 23)), F64))
	f := c.FPExt(c.FSub(c.AsFloat(c.Add(c.And(b, Integer(I32, 1<<23-1)), Integer(I32, sqrtHalf32))), f32s(1)), F64)
	s := c.fdiv(f, c.FAdd(d(2), f))
	z := c.FMul(s, s)
	r := c.FMul(s, c.fusedHorner(z, append([]float64{2}, logSeries32...)))
	return c.logSpecial(x, c.FPTrunc(c.fused(e, d(math.Ln2), r), F32))
})
