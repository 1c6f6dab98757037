package codegen

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"
)

// taylorLog holds 2/(2n+1) from n = 1.
var taylorLog = []float64{
	2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9, 2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21,
}

// logReduce splits a positive finite x into 2^e·(1+f) and returns e, f and d
// with log(1+f) = f - d.
func (c *code) logReduce(x value.Value) (e, f, dd value.Value) {
	b := c.bits(x)
	denormal := c.icmp(enum.IPredULT, b, index(implicit64))
	b = c.sel(denormal, c.bits(c.fmul(x, d(1<<54))), b)
	m := c.asDouble(c.or(c.and(b, index(mantissa64)), index(1023<<52)))
	e = c.fadd(c.sel(denormal, d(-54), d(0)), c.sitofp(c.sub(c.lshr(b, index(52)), index(1023)), f64))
	big := c.fcmp(enum.FPredOGT, m, d(math.Sqrt2))
	m = c.sel(big, c.fmul(m, d(0.5)), m) // halving is exact
	e = c.sel(big, c.fadd(e, d(1)), e)
	f = c.fsub(m, d(1))
	s := c.fdiv(f, c.fadd(d(2), f))
	z := c.fmul(s, s)
	return e, f, c.fmul(s, c.fsub(f, c.fmul(z, c.horner(z, taylorLog))))
}

// logSpecial replaces y where x has no finite logarithm.
func (c *code) logSpecial(x, y value.Value) value.Value {
	y = c.sel(c.fcmp(enum.FPredUGE, x, c.num(x, inf)), x, y) // infinity and NaN
	y = c.sel(c.fcmp(enum.FPredOLT, x, c.num(x, 0)), c.num(x, math.NaN()), y)
	return c.sel(c.fcmp(enum.FPredOEQ, x, c.num(x, 0)), c.num(x, -inf), y)
}

var log = once("log", func(c *code, x, _, _ value.Value) value.Value {
	e, f, dd := c.logReduce(x)
	r := c.fsub(f, c.fsub(dd, c.fmul(e, d(ln2Lo))))
	return c.logSpecial(x, c.fadd(c.fmul(e, d(ln2Hi)), r))
})

var log2 = once("log2", func(c *code, x, _, _ value.Value) value.Value {
	e, f, dd := c.logReduce(x)
	return c.logSpecial(x, c.mad(c.fsub(f, dd), d(math.Log2E), e))
})

var log10 = once("log10", func(c *code, x, _, _ value.Value) value.Value {
	return c.logSpecial(x, c.fmul(log(c, x, nil, nil), d(math.Log10E)))
})

var log1p = once("log1p", func(c *code, x, _, _ value.Value) value.Value {
	u := c.fadd(d(1), x)
	lost := c.fsub(x, c.fsub(u, d(1)))
	lost = c.sel(c.fcmp(enum.FPredOGT, x, d(1)), c.fsub(d(1), c.fsub(u, x)), lost)
	l := log(c, u, nil, nil)
	r := c.fadd(l, c.fdiv(lost, u))
	outside := c.or(c.fcmp(enum.FPredULE, u, d(0)), c.fcmp(enum.FPredOGT, u, d(math.MaxFloat64)))
	r = c.sel(outside, l, r)
	return c.sel(c.fcmp(enum.FPredOEQ, u, d(1)), x, r)
})

// maxProduct is the largest power taken as a product, and productBits the
// number of its bits.
const (
	maxProduct  = 64
	productBits = 7
)

var pow = once("pow", func(c *code, x, y, _ value.Value) value.Value {
	a := c.fabs(x)
	n := c.fabs(y)
	whole := c.truncOfAbs(n)
	isWhole := c.fcmp(enum.FPredOEQ, whole, n)
	r := c.powAbs(a, y, n, isWhole)

	// Floats from 2^53 on are even.
	odd := c.and(c.and(isWhole, c.fcmp(enum.FPredOLT, n, d(1<<53))), c.trunc(c.toInt(n), i1))
	r = c.sel(odd, c.copysign(r, x), r)

	finite := c.and(c.fcmp(enum.FPredOLT, a, d(inf)), c.fcmp(enum.FPredOLT, n, d(inf)))
	bad := c.and(c.and(c.fcmp(enum.FPredOLT, x, d(0)), finite), c.not(isWhole))
	bad = c.or(bad, c.fcmp(enum.FPredUNO, x, y))
	r = c.sel(bad, d(math.NaN()), r)
	one := c.or(c.fcmp(enum.FPredOEQ, y, d(0)), c.fcmp(enum.FPredOEQ, x, d(1)))
	return c.sel(one, d(1), r)
})

// powAbs is x to the power y for x not below zero, where n is |y|.
func (c *code) powAbs(x, y, n, isWhole value.Value) value.Value {
	p := c.powProduct(x, c.toInt(n))
	p = c.sel(c.fcmp(enum.FPredOLT, y, d(0)), c.fdiv(d(1), p), p)
	product := c.and(isWhole, c.fcmp(enum.FPredOLE, n, d(maxProduct)))
	product = c.and(product, c.and(c.fcmp(enum.FPredOGT, p, d(0)), c.fcmp(enum.FPredOLE, p, d(math.MaxFloat64))))
	r := c.sel(product, p, exp(c, c.fmul(y, log(c, x, nil, nil)), nil, nil))

	// Zero and infinity on either side.
	grows := c.icmp(enum.IPredEQ, c.fcmp(enum.FPredOGT, x, d(1)), c.fcmp(enum.FPredOGT, y, d(0)))
	limit := c.sel(grows, d(inf), d(0))
	extreme := c.or(c.fcmp(enum.FPredOEQ, x, d(0)), c.fcmp(enum.FPredOGT, x, d(math.MaxFloat64)))
	extreme = c.or(extreme, c.fcmp(enum.FPredOEQ, n, d(inf)))
	r = c.sel(extreme, limit, r)
	return c.sel(c.fcmp(enum.FPredOEQ, x, d(1)), d(1), r)
}

// powProduct squares and multiplies, for n up to maxProduct.
func (c *code) powProduct(x, n value.Value) value.Value {
	p := c.like(d(1), x)
	for i := range productBits {
		bit := c.icmp(enum.IPredNE, c.and(n, index(1<<i)), index(0))
		p = c.sel(bit, c.fmul(p, x), p)
		if i < productBits-1 {
			x = c.fmul(x, x)
		}
	}
	return p
}
