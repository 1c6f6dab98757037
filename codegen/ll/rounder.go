// This file emits rounding to formats with few bits.

package ll

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
)

// rounding emits code that rounds the number ±m·2^e to a narrow format, in the same steps
// as ir/num. The field m is not zero, and lead is the index of its highest bit that is 1.
type rounding struct {
	c    *Code
	mode num.Rounding
	// neg is an i1 that is true if the number to round is negative.
	neg        value.Value
	m, e, lead value.Value
}

// shift emits code that divides m, the mantissa of the number to round, by a power of two
// and rounds the quotient to an integer, which is the result. The parameter by is the
// exponent of the power. The binary code of the rounded number is the sum of base and the
// result. If the quotient is exactly between two integers, rounding to even selects the
// integer for which this sum is even.
func (n *rounding) shift(by, base value.Value) value.Value {
	c := n.c
	right := c.MinInt(c.MaxInt(by, Index(1)), Index(63))
	// Beyond 63 everything is dropped; by 64 it may still be half or more.
	far := c.ICmp(enum.IPredSGT, by, Index(63))
	q := c.Select(far, Index(0), c.LShr(n.m, right))
	half := c.Shl(Index(1), c.Select(far, Index(63), c.Sub(right, Index(1))))
	rest := c.Select(far, n.m, c.And(n.m, c.Sub(c.Shl(half, Index(1)), Index(1))))
	// A shift beyond 64 leaves less than half a unit, whatever the bits.
	rest = c.Select(c.ICmp(enum.IPredSGT, by, Index(64)), Index(1), rest)
	up := c.And(n.up(c.Add(q, base), rest, half), c.ICmp(enum.IPredNE, rest, Index(0)))
	q = c.Add(q, c.ZExt(up, I64))
	left := c.MinInt(c.MaxInt(c.Sub(Index(0), by), Index(0)), Index(63))
	return c.Select(c.ICmp(enum.IPredSGT, by, Index(0)), q, c.Shl(n.m, left))
}

// up emits an i1 that is true if the magnitude of a result must be rounded up. code is
// the result without rounding up. rest contains the dropped bits, which are not all zero.
// half is the value of the dropped bits in a tie.
func (n *rounding) up(code, rest, half value.Value) value.Value {
	c := n.c
	above := func() value.Value { return c.ICmp(enum.IPredUGT, rest, half) }
	tie := func() value.Value { return c.ICmp(enum.IPredEQ, rest, half) }
	odd := func() value.Value { return c.Trunc(code, I1) }
	switch n.mode {
	case num.NearestAway:
		return c.ICmp(enum.IPredUGE, rest, half)
	case num.HalfUp:
		return c.Or(above(), c.And(tie(), c.Not(n.neg)))
	case num.Floor:
		return n.neg
	case num.Ceil:
		return c.Not(n.neg)
	case num.Zero:
		return Integer(I1, 0)
	case num.Odd:
		return c.Not(odd())
	}
	return c.Or(above(), c.And(tie(), odd()))
}

// tooBig emits the bits that replace the magnitude of a number which exceeds the range of
// format f. If sat is set, they are the bits of the largest finite number. Otherwise they
// depend on the format, the rounding mode and the sign, as in package ir/num.
func (n *rounding) tooBig(f num.Format, sat bool) value.Value {
	magnitude := func(x float64) value.Value {
		return Index(int64(num.Encode(f, x, n.mode, sat) &^ signOf(f)))
	}
	// Twice the largest number is finite in float64 and out of range in f,
	// except in f64 itself.
	x := 2 * num.Decode(f, num.Max(f))
	return n.c.Select(n.neg, magnitude(-x), magnitude(x))
}

// signOf returns an integer in which only the sign bit of the float format f is set.
func signOf(f num.Format) uint64 { return f.SignBit() }

// fields emits the rounding to format f, which consists of sign, exponent and mantissa,
// and returns the bits. If sat is set, values out of range become the largest finite
// number.
func (n *rounding) fields(f num.Format, sat bool) value.Value {
	c, l := n.c, fieldsOf[f]
	emin := int64(1 - l.bias())
	top := c.MaxInt(c.Add(n.e, n.lead), Index(emin)) // exponent of the leading bit, if normal
	q := n.shift(c.Sub(c.Sub(top, Index(int64(l.man))), n.e), Index(0))
	// To add the exponent less one instead of splicing it in carries a mantissa
	// that was rounded up to 2, and a denormal that was rounded up to normal.
	code := c.Add(c.Shl(c.Sub(top, Index(emin)), Index(int64(l.man))), q)
	beyond := c.Or(c.ICmp(enum.IPredSGT, top, Index(int64(l.bias()+1))),
		c.ICmp(enum.IPredUGT, code, Index(int64(num.Max(f)))))
	code = c.Select(beyond, n.tooBig(f, sat), code)
	signed := c.Or(code, c.Select(n.neg, Index(int64(f.SignBit())), Index(0)))
	if !l.nanTop {
		return signed
	}
	isNaN := c.ICmp(enum.IPredEQ, code, Index(int64(num.NaN(f))))
	return c.Select(isNaN, code, signed) // the canonical NaN stays positive
}

// e8m0 emits the rounding to F8E8M0, which consists of an exponent of eight bits. The
// format has no negative numbers, so they become NaN. A number below the range becomes
// the smallest number, because the format has no zero. For a number above the range,
// num.Encode defines the result: the largest number if sat is set, and usually NaN if it
// is not.
func (n *rounding) e8m0(sat bool) value.Value {
	const (
		bias, largest, nan = 127, 254, 255
	)
	c := n.c
	field := c.Add(c.Add(n.e, n.lead), Index(bias))
	base := c.Sub(field, Index(1)) // the code is base + 1 or base + 2
	code := c.Add(base, n.shift(n.lead, base))
	code = c.Select(c.ICmp(enum.IPredSLT, field, Index(0)), Index(0), code)
	beyond := c.Or(c.ICmp(enum.IPredSGT, field, Index(largest)), c.ICmp(enum.IPredSGT, code, Index(largest)))
	code = c.Select(beyond, Index(int64(num.Encode(num.F8E8M0, 0x1p200, n.mode, sat))), code)
	return c.Select(n.neg, Index(nan), code)
}

// hif8MinExp and hif8MaxExp are the smallest and the largest exponent of HiF8, a float
// format of 8 bits. ir/num/hif8.go names the paper that defines this format.
const (
	hif8MinExp = -22
	hif8MaxExp = 15
)

// hif8 emits the rounding to HiF8, a format in which the number of mantissa bits depends
// on the exponent. If sat is set, values above the range become the largest finite
// number. If it is not, they become infinity, unless the rounding mode rounds them toward
// zero.
func (n *rounding) hif8(sat bool) value.Value {
	c := n.c
	top := c.Add(n.e, n.lead)
	man := n.hif8Mantissa(top)
	base := c.Select(c.ICmp(enum.IPredEQ, man, Index(0)), c.Sub(top, Index(hif8MinExp)), Index(0))
	q := n.shift(c.Sub(c.Sub(top, man), n.e), base)
	// Rounded up to the next power of two, the number has another exponent and
	// a mantissa of zero.
	carried := c.ICmp(enum.IPredEQ, c.LShr(q, man), Index(2))
	up := c.Add(top, Index(1))
	low := func(q, man value.Value) value.Value {
		return c.And(q, c.Sub(c.Shl(Index(1), man), Index(1)))
	}
	code := c.Select(carried, n.hif8Code(up, Index(0)), n.hif8Code(top, low(q, man)))
	beyond := c.Or(c.ICmp(enum.IPredSGT, c.Select(carried, up, top), Index(hif8MaxExp)),
		c.ICmp(enum.IPredEQ, code, Index(int64(num.Encode(num.HiF8, inf, num.NearestEven, false)))))
	code = c.Select(beyond, n.tooBig(num.HiF8, sat), code)
	// Between zero and the smallest number.
	tiny := n.shift(c.Sub(Index(hif8MinExp), n.e), Index(0))
	code = c.Select(c.ICmp(enum.IPredSLT, top, Index(hif8MinExp)), tiny, code)
	sign := c.Select(c.And(n.neg, c.ICmp(enum.IPredNE, code, Index(0))), Index(0x80), Index(0))
	return c.Or(code, sign)
}

// hif8Mantissa emits the number of mantissa bits of a HiF8 number with exponent e.
func (n *rounding) hif8Mantissa(e value.Value) value.Value {
	c := n.c
	a := c.MaxInt(e, c.Sub(Index(0), e))
	upTo := func(limit int64) value.Value { return c.ICmp(enum.IPredSLE, a, Index(limit)) }
	return c.Select(upTo(3), Index(3), c.Select(upTo(7), Index(2), c.Select(upTo(hif8MaxExp), Index(1), Index(0))))
}

// hif8Code emits the HiF8 code of a positive number with the exponent e and the mantissa
// man. Each range of exponents has its own prefix, followed by the sign of the exponent,
// the exponent without its leading bit, and the mantissa.
func (n *rounding) hif8Code(e, man value.Value) value.Value {
	c := n.c
	a := c.MaxInt(e, c.Sub(Index(0), e))
	sign := c.ZExt(c.ICmp(enum.IPredSLT, e, Index(0)), I64)
	compose := func(prefix, signAt, from, expAt int64) value.Value {
		exp := c.Shl(c.Sub(a, Index(from)), Index(expAt))
		return c.Or(c.Or(c.Or(exp, c.Shl(sign, Index(signAt))), man), Index(prefix))
	}
	code := c.Sub(e, Index(hif8MinExp-1)) // denormal
	for _, r := range []struct{ limit, prefix, signAt, from, expAt int64 }{
		{15, 0x60, 4, 8, 1}, {7, 0x40, 4, 4, 2}, {3, 0x20, 4, 2, 3}, {1, 0x10, 3, 1, 3},
	} {
		code = c.Select(c.ICmp(enum.IPredSLE, a, Index(r.limit)), compose(r.prefix, r.signAt, r.from, r.expAt), code)
	}
	return c.Select(c.ICmp(enum.IPredEQ, a, Index(0)), c.Or(man, Index(0x08)), code)
}
