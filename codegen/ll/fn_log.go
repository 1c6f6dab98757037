// This file emits logarithms in double, operation by operation as package scalar
// computes them.

package ll

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"
)

// taylorLog holds the coefficients 2/(2n+1) for n = 1, 2, ... of the series of the
// logarithm.
var taylorLog = []float64{
	2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21,
}

// logReduce splits a positive finite x into 2^e·(1+f). It emits e, f and a third value
// dd, with which the logarithm of 1+f can be computed precisely as f - dd.
func (c *Code) logReduce(x value.Value) (e, f, dd value.Value) {
	b := c.Bits(x)
	denormal := c.ICmp(enum.IPredULT, b, Index(implicit64))
	b = c.Select(denormal, c.Bits(c.FMul(x, d(1<<54))), b)
	m := c.asDouble(c.Or(c.And(b, Index(mantissa64)), Index(1023<<52)))
	e = c.FAdd(c.Select(denormal, d(-54), d(0)), c.SIToFP(c.Sub(c.LShr(b, Index(52)), Index(1023)), F64))
	big := c.FCmp(enum.FPredOGT, m, d(math.Sqrt2))
	m = c.Select(big, c.FMul(m, d(0.5)), m) // halving is exact
	e = c.Select(big, c.FAdd(e, d(1)), e)
	f = c.FSub(m, d(1))
	s := c.fdiv(f, c.FAdd(d(2), f))
	z := c.FMul(s, s)
	return e, f, c.FMul(s, c.FSub(f, c.FMul(z, c.horner(z, taylorLog))))
}

// logSpecial emits a correction of y, the computed logarithm of x. The value y is correct
// only if x is positive and finite. If x is negative, zero, infinite or NaN, the emitted
// code replaces y by the correct result.
func (c *Code) logSpecial(x, y value.Value) value.Value {
	y = c.Select(c.FCmp(enum.FPredUGE, x, c.Num(x, inf)), x, y) // infinity and NaN
	y = c.Select(c.FCmp(enum.FPredOLT, x, c.Num(x, 0)), c.Num(x, math.NaN()), y)
	return c.Select(c.FCmp(enum.FPredOEQ, x, c.Num(x, 0)), c.Num(x, -inf), y)
}

// log is the formula of the natural logarithm of x, computed in double with the steps of
// ir/scalar.
var log = once("log", func(c *Code, x, _, _ value.Value) value.Value {
	e, f, dd := c.logReduce(x)
	r := c.FSub(f, c.FSub(dd, c.FMul(e, d(ln2Lo))))
	return c.logSpecial(x, c.FAdd(c.FMul(e, d(ln2Hi)), r))
})

// log2 is the formula of the logarithm of x to base 2. The emitted code computes in
// double, in the same steps as the functions of ir/scalar.
var log2 = once("log2", func(c *Code, x, _, _ value.Value) value.Value {
	e, f, dd := c.logReduce(x)
	return c.logSpecial(x, c.mad(c.FSub(f, dd), d(math.Log2E), e))
})

// log10 is the formula of the logarithm of x to base 10, computed in double from the
// natural logarithm.
var log10 = once("log10", func(c *Code, x, _, _ value.Value) value.Value {
	return c.logSpecial(x, c.FMul(log(c, x, nil, nil), d(math.Log10E)))
})

// log1p emits log(1 + x). The logarithm of the rounded sum is corrected by the rounding
// error of the sum.
var log1p = once("log1p", func(c *Code, x, _, _ value.Value) value.Value {
	u := c.FAdd(d(1), x)
	lost := c.FSub(x, c.FSub(u, d(1)))
	lost = c.Select(c.FCmp(enum.FPredOGT, x, d(1)), c.FSub(d(1), c.FSub(u, x)), lost)
	l := log(c, u, nil, nil)
	r := c.FAdd(l, c.fdiv(lost, u))
	outside := c.Or(c.FCmp(enum.FPredULE, u, d(0)), c.FCmp(enum.FPredOGT, u, d(math.MaxFloat64)))
	r = c.Select(outside, l, r)
	return c.Select(c.FCmp(enum.FPredOEQ, u, d(1)), x, r)
})

const (
	// maxProduct is the largest integer exponent for which pow uses repeated
	// multiplication. productBits is the number of bits of such an exponent.
	maxProduct  = 64
	productBits = 7
)

// pow is the formula of x to the power y, computed in double with the steps of ir/scalar.
var pow = once("pow", func(c *Code, x, y, _ value.Value) value.Value {
	a := c.FAbs(x)
	n := c.FAbs(y)
	whole := c.truncOfAbs(n)
	isWhole := c.FCmp(enum.FPredOEQ, whole, n)
	r := c.powAbs(a, y, n, isWhole)

	// Floats from 2^53 on are even.
	odd := c.And(c.And(isWhole, c.FCmp(enum.FPredOLT, n, d(1<<53))), c.Trunc(c.toInt(n), I1))
	r = c.Select(odd, c.copysign(r, x), r)

	finite := c.And(c.FCmp(enum.FPredOLT, a, d(inf)), c.FCmp(enum.FPredOLT, n, d(inf)))
	bad := c.And(c.And(c.FCmp(enum.FPredOLT, x, d(0)), finite), c.Not(isWhole))
	bad = c.Or(bad, c.FCmp(enum.FPredUNO, x, y))
	r = c.Select(bad, d(math.NaN()), r)
	one := c.Or(c.FCmp(enum.FPredOEQ, y, d(0)), c.FCmp(enum.FPredOEQ, x, d(1)))
	return c.Select(one, d(1), r)
})

// powAbs emits code that computes x to the power y, for x that is not negative. n is the
// absolute value of y.
func (c *Code) powAbs(x, y, n, isWhole value.Value) value.Value {
	p := c.powProduct(x, c.toInt(n))
	p = c.Select(c.FCmp(enum.FPredOLT, y, d(0)), c.fdiv(d(1), p), p)
	product := c.And(isWhole, c.FCmp(enum.FPredOLE, n, d(maxProduct)))
	product = c.And(product, c.And(c.FCmp(enum.FPredOGT, p, d(0)), c.FCmp(enum.FPredOLE, p, d(math.MaxFloat64))))
	r := c.Select(product, p, exp(c, c.FMul(y, log(c, x, nil, nil)), nil, nil))

	// Zero and infinity on either side.
	grows := c.ICmp(enum.IPredEQ, c.FCmp(enum.FPredOGT, x, d(1)), c.FCmp(enum.FPredOGT, y, d(0)))
	limit := c.Select(grows, d(inf), d(0))
	extreme := c.Or(c.FCmp(enum.FPredOEQ, x, d(0)), c.FCmp(enum.FPredOGT, x, d(math.MaxFloat64)))
	extreme = c.Or(extreme, c.FCmp(enum.FPredOEQ, n, d(inf)))
	r = c.Select(extreme, limit, r)
	return c.Select(c.FCmp(enum.FPredOEQ, x, d(1)), d(1), r)
}

// powProduct emits x to the power n by repeated squaring, for n up to maxProduct.
func (c *Code) powProduct(x, n value.Value) value.Value {
	p := c.Like(d(1), x)
	for i := range productBits {
		bit := c.ICmp(enum.IPredNE, c.And(n, Index(1<<i)), Index(0))
		p = c.Select(bit, c.FMul(p, x), p)
		if i < productBits-1 {
			x = c.FMul(x, x)
		}
	}
	return p
}
