// This file emits sine and cosine, operation by operation as package scalar computes
// them.

package ll

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

var (
	// taylorSin and taylorCos are the coefficients of the Taylor series for sine and
	// cosine, the same as in ir/scalar.
	taylorSin = []float64{
		-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
		1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000,
	}
	taylorCos = []float64{
		-1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800,
		1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000,
	}
)

// sin is the formula of the sine of x in radians, computed in double. The sine of a zero
// is a zero with the same sign.
var sin = perLane("sin", func(c *Code, x, _, _ value.Value) value.Value {
	q, r := c.reduceAngle(c.FAbs(x))
	y := c.FMul(c.copysign(d(1), x), c.quadrant(q, r))
	return c.Select(c.FCmp(enum.FPredOEQ, x, d(0)), x, y)
})

// cos is the formula of the cosine of x in radians, computed in double.
var cos = perLane("cos", func(c *Code, x, _, _ value.Value) value.Value {
	q, r := c.reduceAngle(c.FAbs(x))
	return c.quadrant(c.Add(q, Index(1)), r)
})

// quadrant emits sin(q·π/2 + r). The result is NaN if r is NaN.
func (c *Code) quadrant(q, r value.Value) value.Value {
	z := c.FMul(r, r)
	s := c.mad(r, c.FMul(z, c.horner(z, taylorSin)), r)
	k := c.mad(z, c.horner(z, taylorCos), d(1))
	bit := func(n int64) value.Value { return c.ICmp(enum.IPredNE, c.And(q, Index(n)), Index(0)) }
	y := c.Select(bit(1), k, s)
	return c.Select(bit(2), c.FNeg(y), y)
}

// twoOverPi holds the binary digits of 2/π after the point, preceded by 64 zero bits.
// Because of these zeros, the index of the first digit that payneHanek reads is never
// negative.
var twoOverPi = []uint64{
	0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
	0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
	0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
	0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
	0xf0cfbc209af4361d,
}

// reduceAngle splits a non-negative x into q·π/2 + r. The emitted value of q is correct
// only modulo 4, which is sufficient for trigonometric functions. For infinity and NaN, r
// is NaN.
func (c *Code) reduceAngle(x value.Value) (q, r value.Value) {
	big := c.FCmp(enum.FPredOGT, x, d(math.Pi/4))
	finite := c.FCmp(enum.FPredOLE, x, d(math.MaxFloat64))
	before, reduced, done := c.Block, c.NewBlock("reduce"), c.NewBlock("reduced")
	small := c.Select(finite, x, d(math.NaN()))
	c.Branch(c.And(big, finite), reduced, done)
	c.Enter(reduced)
	n, f := c.payneHanek(x)
	from := c.Block
	c.Jump(done)
	c.Enter(done)
	qs, rs := c.Phi(I64, Index(0), before), c.Phi(F64, small, before)
	AddIncoming(qs, n, from)
	AddIncoming(rs, f, from)
	return qs, rs
}

// payneHanek emits the splitting of a finite x above π/4 into q·π/2 + r with the
// Payne-Hanek method, which ir/scalar describes.
func (c *Code) payneHanek(x value.Value) (q, r value.Value) {
	b := c.Bits(x)
	m := c.Or(c.And(b, Index(mantissa64)), Index(implicit64))
	skip := c.Add(c.LShr(b, Index(52)), Index(-1075-2+64))
	word, shift := c.LShr(skip, Index(6)), c.And(skip, Index(63))
	words := c.tableOf("two_over_pi", twoOverPi)
	w := func(i int64) value.Value {
		at := c.Add(word, Index(i))
		hi, lo := c.Load(I64, c.At(I64, words, at), 8), c.Load(I64, c.At(I64, words, c.Add(at, Index(1))), 8)
		// A funnel shift by 0 gives hi, as the shifts of Go do.
		return c.Call(c.m.Intrinsic("llvm.fshl.i64", I64, I64, I64, I64), hi, lo, shift)
	}
	// p2:p1:p0 = m * w0:w1:w2, without what exceeds 192 bits, as p:p0.
	wide := func(v value.Value) value.Value { return c.ZExt(v, I128) }
	high := func(v value.Value) value.Value { return c.LShr(v, Integer(I128, 64)) }
	product := func(i int64) value.Value { return c.Mul(wide(m), wide(w(i))) }
	p := c.Add(c.Shl(wide(c.Mul(m, w(0))), Integer(I128, 64)), product(1))
	p = c.Add(p, high(product(2)))

	q = c.Trunc(c.LShr(p, Integer(I128, 126)), I64)
	frac := c.Shl(p, Integer(I128, 2)) // in units of 2^-128
	neg := c.ICmp(enum.IPredSLT, frac, Integer(I128, 0))
	q = c.Add(q, c.ZExt(neg, I64)) // above one half: count from the next multiple
	frac = c.Select(neg, c.Sub(Integer(I128, 0), frac), frac)
	r = c.FMul(c.fraction(frac), d(math.Pi/2))
	return q, c.Select(neg, c.FNeg(r), r)
}

// fraction emits v / 2^128 as a double, where v is an unsigned i128. It reduces v to its
// 64 leading bits, and then rounds these to double.
func (c *Code) fraction(v value.Value) value.Value {
	fn := c.m.Private("fraction", F64, []types.Type{I128}, func(c *Code, args []value.Value) value.Value {
		v := args[0]
		n := c.ctlz(v)
		// All bits zero do not happen: no double is that close to a multiple.
		n = c.And(n, Integer(I128, 127))
		top := c.Trunc(c.LShr(c.Shl(v, n), Integer(I128, 64)), I64)
		return c.FMul(c.uitofp(top, F64), c.pow2(c.Sub(Index(-64), c.Trunc(n, I64))))
	})
	return c.Call(fn, v)
}
