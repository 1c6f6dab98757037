// This file emits the exponential in float, operation by operation as package scalar
// computes it.

package ll

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
)

// Constants of the function exp32 in ir/scalar. toNearest serves to round a small double
// to an integer: after the addition of toNearest, the low bits of the sum contain this
// integer. Above expMax32 the result of exp32 is infinite, and below expMin32 it is zero.
const (
	toNearest = 0x1.8p52
	expMax32  = 89
	expMin32  = -104
)

// expSeries32 are the coefficients with which exp32 approximates the exponential function
// by a polynomial. The first is the coefficient of the square.
var expSeries32 = []float64{
	0x1.0000003a23776p-1, 0x1.555554433c130p-3, 0x1.55548dc496160p-5, 0x1.111270b2f4d69p-7,
	0x1.6d8d06d6c3178p-10, 0x1.9f089646e1d48p-13,
}

// exp32 is the formula of the exponential function of a float. It computes the same steps
// as exp32 in ir/scalar.
var exp32 = once("exp32", func(c *Code, a, _, _ value.Value) value.Value {
	f := func(x float64) value.Value { return Float(F32, x) }
	x := c.Select(c.FCmp(enum.FPredOLT, a, f(expMax32)), a, f(expMax32))
	y := c.FPExt(c.Select(c.FCmp(enum.FPredOGT, x, f(expMin32)), x, f(expMin32)), F64)
	sum := c.fused(y, d(math.Log2E), d(toNearest))
	r := c.fused(c.FSub(d(toNearest), sum), d(math.Ln2), y)
	p := c.fusedHorner(r, append([]float64{1, 1}, expSeries32...))
	p = c.asDouble(c.Add(c.Bits(p), c.Shl(c.Bits(sum), Index(52))))
	return c.Select(c.IsNaN(a), a, c.FPTrunc(p, F32))
})

// fused emits x*y + z with a single rounding.
func (c *Code) fused(x, y, z value.Value) value.Value {
	return c.FMA(num.F64, x, c.Like(y, x), c.Like(z, x))
}

// fusedHorner emits the polynomial k[0] + k[1]*x + k[2]*x² + ... by Horner's method with
// fused multiply-adds.
func (c *Code) fusedHorner(x value.Value, k []float64) value.Value {
	p := c.Like(d(k[len(k)-1]), x)
	for i := len(k) - 2; i >= 0; i-- {
		p = c.fused(p, x, d(k[i]))
	}
	return p
}
