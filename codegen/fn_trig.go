package codegen

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// taylorSin and taylorCos are the series of ir/scalar.
var (
	taylorSin = []float64{
		-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
		1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000,
	}
	taylorCos = []float64{
		-1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800,
		1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000,
	}
)

// sin is the sine; a zero stays itself.
var sin = perLane("sin", func(c *code, x, _, _ value.Value) value.Value {
	q, r := c.reduceAngle(c.fabs(x))
	y := c.fmul(c.copysign(d(1), x), c.quadrant(q, r))
	return c.sel(c.fcmp(enum.FPredOEQ, x, d(0)), x, y)
})

var cos = perLane("cos", func(c *code, x, _, _ value.Value) value.Value {
	q, r := c.reduceAngle(c.fabs(x))
	return c.quadrant(c.add(q, index(1)), r)
})

// quadrant is sin(q·π/2 + r), and NaN for an r that is NaN.
func (c *code) quadrant(q, r value.Value) value.Value {
	z := c.fmul(r, r)
	s := c.mad(r, c.fmul(z, c.horner(z, taylorSin)), r)
	k := c.mad(z, c.horner(z, taylorCos), d(1))
	bit := func(n int64) value.Value { return c.icmp(enum.IPredNE, c.and(q, index(n)), index(0)) }
	y := c.sel(bit(1), k, s)
	return c.sel(bit(2), c.fneg(y), y)
}

// twoOverPi holds 64 zeros and then the bits of 2/π after the point.
var twoOverPi = []uint64{
	0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
	0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
	0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
	0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
	0xf0cfbc209af4361d,
}

// reduceAngle writes a non-negative x as q·π/2 + r; only q mod 4 counts. For
// infinity and NaN r is NaN.
func (c *code) reduceAngle(x value.Value) (q, r value.Value) {
	big := c.fcmp(enum.FPredOGT, x, d(math.Pi/4))
	finite := c.fcmp(enum.FPredOLE, x, d(math.MaxFloat64))
	before, reduced, done := c.block, c.newBlock("reduce"), c.newBlock("reduced")
	small := c.sel(finite, x, d(math.NaN()))
	c.branch(c.and(big, finite), reduced, done)
	c.enter(reduced)
	n, f := c.payneHanek(x)
	from := c.block
	c.jump(done)
	c.enter(done)
	qs, rs := c.phi(i64, index(0), before), c.phi(f64, small, before)
	addIncoming(qs, n, from)
	addIncoming(rs, f, from)
	return qs, rs
}

// payneHanek is reduceAngle for finite x above π/4, by the method that
// ir/scalar describes.
func (c *code) payneHanek(x value.Value) (q, r value.Value) {
	b := c.bits(x)
	m := c.or(c.and(b, index(mantissa64)), index(implicit64))
	skip := c.add(c.lshr(b, index(52)), index(-1075-2+64))
	word, shift := c.lshr(skip, index(6)), c.and(skip, index(63))
	words := c.tableOf("two_over_pi", twoOverPi)
	w := func(i int64) value.Value {
		at := c.add(word, index(i))
		hi, lo := c.load(i64, c.at(i64, words, at), 8), c.load(i64, c.at(i64, words, c.add(at, index(1))), 8)
		// A funnel shift by 0 gives hi, as the shifts of Go do.
		return c.call(c.intrinsic("llvm.fshl.i64", i64, i64, i64, i64), hi, lo, shift)
	}
	// p2:p1:p0 = m * w0:w1:w2, without what exceeds 192 bits, as p:p0.
	wide := func(v value.Value) value.Value { return c.zext(v, i128) }
	high := func(v value.Value) value.Value { return c.lshr(v, integer(i128, 64)) }
	product := func(i int64) value.Value { return c.mul(wide(m), wide(w(i))) }
	p := c.add(c.shl(wide(c.mul(m, w(0))), integer(i128, 64)), product(1))
	p = c.add(p, high(product(2)))

	q = c.trunc(c.lshr(p, integer(i128, 126)), i64)
	frac := c.shl(p, integer(i128, 2)) // in units of 2^-128
	neg := c.icmp(enum.IPredSLT, frac, integer(i128, 0))
	q = c.add(q, c.zext(neg, i64)) // above one half: count from the next multiple
	frac = c.sel(neg, c.sub(integer(i128, 0), frac), frac)
	r = c.fmul(c.fraction(frac), d(math.Pi/2))
	return q, c.sel(neg, c.fneg(r), r)
}

// fraction returns v / 2^128 rounded to 64 bits and then to double.
func (c *code) fraction(v value.Value) value.Value {
	fn := c.private("fraction", f64, []types.Type{i128}, func(c *code, args []value.Value) value.Value {
		v := args[0]
		n := c.ctlz(v)
		// All bits zero do not happen: no double is that close to a multiple.
		n = c.and(n, integer(i128, 127))
		top := c.trunc(c.lshr(c.shl(v, n), integer(i128, 64)), i64)
		return c.fmul(c.uitofp(top, f64), c.pow2(c.sub(index(-64), c.trunc(n, i64))))
	})
	return c.call(fn, v)
}
