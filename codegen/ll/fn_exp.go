// This file emits exponentials in double, operation by operation as package scalar
// computes them.

package ll

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// The elementary functions repeat ir/scalar operation by operation, so that
// they give the same bits; the reasons for each step stand there. Branches
// become selections, which lets loops be vectorized: both sides are computed,
// and none may trap or be undefined.

// elementaryCodes returns the LLVM code for the elementary functions of ir/scalar, such
// as exp. All formulas compute the same steps as ir/scalar, so that compiled code and the
// interpreter produce the same bits.
func elementaryCodes() map[*scalar.Fn]fnCode {
	return map[*scalar.Fn]fnCode{
		scalar.Exp:    {flt: exp, wide: true, flt32: exp32},
		scalar.Exp2:   {flt: exp2, wide: true},
		scalar.Expm1:  {flt: expm1, wide: true},
		scalar.Tanh:   {flt: tanh, wide: true},
		scalar.ExpDif: {flt: func(c *Code, x, y, _ value.Value) value.Value { return exp(c, c.FSub(x, y), nil, nil) }, wide: true},
		scalar.Log:    {flt: log, wide: true, flt32: log32},
		scalar.Log2:   {flt: log2, wide: true},
		scalar.Log10:  {flt: log10, wide: true},
		scalar.Log1p:  {flt: log1p, wide: true},
		scalar.Pow:    {flt: pow, wide: true, sint: intPow(true), uint: intPow(false)},
		scalar.Sin:    {flt: sin, wide: true},
		scalar.Cos:    {flt: cos, wide: true},
		scalar.Sqrt:   {flt: func(c *Code, x, _, _ value.Value) value.Value { return c.sqrt(x) }},
		scalar.Rsqrt: {
			flt:  func(c *Code, x, _, _ value.Value) value.Value { return c.fdiv(Float(F64, 1), c.sqrt(x)) },
			wide: true,
		},
	}
}

const (
	// ln2Hi + ln2Lo is the natural logarithm of 2. ln2Hi has few bits, so that its
	// product with an exponent is exact.
	ln2Hi = 0x1.62e42feep-1
	ln2Lo = 0x1.a39ef35793c76p-33
)

// taylorExp holds 1/n! for n = 2, 3, ...
var taylorExp = []float64{
	1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
	1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800,
}

// d returns a double constant.
//
//go:noinline
func d(x float64) value.Value { return Float(F64, x) }

// mad emits x*y + z in which both the product and the sum are rounded.
func (c *Code) mad(x, y, z value.Value) value.Value { return c.FAdd(c.FMul(x, y), z) }

// horner emits the polynomial k[0] + k[1]*x + k[2]*x² + ... by Horner's method.
func (c *Code) horner(x value.Value, k []float64) value.Value {
	p := c.Num(x, k[len(k)-1])
	for i := len(k) - 2; i >= 0; i-- {
		p = c.mad(p, x, c.Num(x, k[i]))
	}
	return p
}

// expTail emits exp(r) - 1 for small r.
func (c *Code) expTail(r value.Value) value.Value {
	return c.mad(c.FMul(r, r), c.horner(r, taylorExp), r)
}

// expReduce splits x into k·ln 2 + r. It emits the integer k (as a double) and exp(r) -
// 1.
func (c *Code) expReduce(x value.Value) (k, tail value.Value) {
	k = c.Round(c.FMul(x, d(math.Log2E)), num.NearestEven)
	minus := c.FNeg(k)
	r := c.mad(minus, d(ln2Lo), c.mad(minus, d(ln2Hi), x))
	return k, c.expTail(r)
}

// toInt emits the double x converted to i64. Results for values out of range are never
// used, but the conversion must not be undefined behavior, so such values are limited to
// the range.
func (c *Code) toInt(x value.Value) value.Value { return c.ClampToInt(num.S64, x, num.Zero) }

// scale emits x·2^k. It multiplies in two steps because 2^k may be out of range.
func (c *Code) scale(x, k value.Value) value.Value {
	n := c.toInt(k)
	half := c.AShr(n, Index(1))
	return c.FMul(c.FMul(x, c.pow2(half)), c.pow2(c.Sub(n, half)))
}

const (
	// expMax and expMin are the bounds past which exp overflows to infinity or underflows
	// to 0.
	expMax = 709.79
	expMin = -745.14
)

// exp is the formula of the exponential function e^x. The emitted code computes in
// double, in the same steps as the functions of ir/scalar.
var exp = once("exp", func(c *Code, x, _, _ value.Value) value.Value {
	k, tail := c.expReduce(x)
	r := c.scale(c.FAdd(d(1), tail), k)
	r = c.Select(c.FCmp(enum.FPredOLT, x, d(expMin)), d(0), r)
	r = c.Select(c.FCmp(enum.FPredOGT, x, d(expMax)), d(inf), r)
	return c.Select(c.IsNaN(x), x, r)
})

// exp2 is the formula of 2 to the power x, computed in double with the steps of
// ir/scalar.
var exp2 = once("exp2", func(c *Code, x, _, _ value.Value) value.Value {
	k := c.Round(x, num.NearestEven)
	r := c.scale(c.FAdd(d(1), c.expTail(c.FMul(c.FSub(x, k), d(math.Ln2)))), k)
	r = c.Select(c.FCmp(enum.FPredOLT, x, d(-1075)), d(0), r)
	r = c.Select(c.FCmp(enum.FPredOGE, x, d(1024)), d(inf), r)
	return c.Select(c.IsNaN(x), x, r)
})

// expm1 is the formula of e^x - 1, computed in double without the loss of accuracy that a
// subtraction would cause for small x.
var expm1 = once("expm1", func(c *Code, x, _, _ value.Value) value.Value {
	k, tail := c.expReduce(x)
	p := c.pow2(c.toInt(k))
	r := c.mad(p, tail, c.FSub(p, d(1)))
	r = c.Select(c.FCmp(enum.FPredOGT, k, d(56)), c.scale(c.FAdd(d(1), tail), k), r)
	r = c.Select(c.FCmp(enum.FPredOLT, x, d(-40)), d(-1), r)
	r = c.Select(c.FCmp(enum.FPredOGT, x, d(expMax)), d(inf), r)
	return c.Select(c.FCmp(enum.FPredUEQ, x, d(0)), x, r) // zero and NaN
})

// tanh is the formula of the hyperbolic tangent of x, computed in double from expm1.
var tanh = once("tanh", func(c *Code, x, _, _ value.Value) value.Value {
	a := c.FAbs(x)
	t := expm1(c, c.FMul(d(2), a), nil, nil)
	r := c.Select(c.FCmp(enum.FPredOLT, a, d(22)), c.fdiv(t, c.FAdd(t, d(2))), d(1))
	return c.Select(c.FCmp(enum.FPredUEQ, x, d(0)), x, c.copysign(r, x))
})

// tableOf returns the address of a constant table that contains the given 64-bit words.
// The module contains each table once, under its name.
func (c *Code) tableOf(name string, words []uint64) value.Value {
	return c.m.table(name, func() []value.Value {
		vs := make([]value.Value, len(words))
		for i, w := range words {
			vs[i] = Integer(types.I64, int64(w))
		}
		return vs
	})
}
