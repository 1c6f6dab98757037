package codegen

import (
	"math/bits"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
)

// rounding writes the conversion of ±m·2^e to a short format, step by step as
// ir/num does it. m is not zero; lead is the position of its highest bit.
type rounding struct {
	c          *code
	mode       num.Rounding
	neg        value.Value
	m, e, lead value.Value
}

// shift returns m / 2^by as an integer, rounded once. base is added to the
// quotient before its parity is looked at: even and odd are those of the
// resulting code.
func (n *rounding) shift(by, base value.Value) value.Value {
	c := n.c
	right := c.minInt(c.maxInt(by, index(1)), index(63))
	// Beyond 63 everything is dropped; by 64 it may still be half or more.
	far := c.icmp(enum.IPredSGT, by, index(63))
	q := c.sel(far, index(0), c.lshr(n.m, right))
	half := c.shl(index(1), c.sel(far, index(63), c.sub(right, index(1))))
	rest := c.sel(far, n.m, c.and(n.m, c.sub(c.shl(half, index(1)), index(1))))
	// A shift beyond 64 leaves less than half a unit, whatever the bits.
	rest = c.sel(c.icmp(enum.IPredSGT, by, index(64)), index(1), rest)
	up := c.and(n.up(c.add(q, base), rest, half), c.icmp(enum.IPredNE, rest, index(0)))
	q = c.add(q, c.zext(up, i64))
	left := c.minInt(c.maxInt(c.sub(index(0), by), index(0)), index(63))
	return c.sel(c.icmp(enum.IPredSGT, by, index(0)), q, c.shl(n.m, left))
}

// up tells whether a quotient is rounded up in magnitude, given the code it
// becomes, what was dropped, which is not zero, and what half a unit is.
func (n *rounding) up(code, rest, half value.Value) value.Value {
	c := n.c
	above := func() value.Value { return c.icmp(enum.IPredUGT, rest, half) }
	tie := func() value.Value { return c.icmp(enum.IPredEQ, rest, half) }
	odd := func() value.Value { return c.trunc(code, i1) }
	switch n.mode {
	case num.NearestAway:
		return c.icmp(enum.IPredUGE, rest, half)
	case num.HalfUp:
		return c.or(above(), c.and(tie(), c.not(n.neg)))
	case num.Floor:
		return n.neg
	case num.Ceil:
		return c.not(n.neg)
	case num.Zero:
		return integer(i1, 0)
	case num.Odd:
		return c.not(odd())
	}
	return c.or(above(), c.and(tie(), odd()))
}

// tooBig is the magnitude for a finite number beyond the range of f.
func (n *rounding) tooBig(f num.Format, sat bool) value.Value {
	magnitude := func(x float64) value.Value {
		return index(int64(num.Encode(f, x, n.mode, sat) &^ signOf(f)))
	}
	// Twice the largest number is finite in float64 and out of range in f,
	// except in f64 itself.
	x := 2 * num.Decode(f, num.Max(f))
	return n.c.sel(n.neg, magnitude(-x), magnitude(x))
}

// signOf is the sign bit of f; in HiF8 the code of a large number has it too.
func signOf(f num.Format) uint64 { return f.SignBit() }

// fields converts to a format of sign, exponent and mantissa.
func (n *rounding) fields(f num.Format, sat bool) value.Value {
	c, l := n.c, fieldsOf[f]
	emin := int64(1 - l.bias())
	top := c.maxInt(c.add(n.e, n.lead), index(emin)) // exponent of the leading bit, if normal
	q := n.shift(c.sub(c.sub(top, index(int64(l.man))), n.e), index(0))
	// To add the exponent less one instead of splicing it in carries a mantissa
	// that was rounded up to 2, and a denormal that was rounded up to normal.
	code := c.add(c.shl(c.sub(top, index(emin)), index(int64(l.man))), q)
	beyond := c.or(c.icmp(enum.IPredSGT, top, index(int64(l.bias()+1))),
		c.icmp(enum.IPredUGT, code, index(int64(num.Max(f)))))
	code = c.sel(beyond, n.tooBig(f, sat), code)
	signed := c.or(code, c.sel(n.neg, index(int64(f.SignBit())), index(0)))
	if !l.nanTop {
		return signed
	}
	isNaN := c.icmp(enum.IPredEQ, code, index(int64(num.NaN(f))))
	return c.sel(isNaN, code, signed) // the canonical NaN stays positive
}

// e8m0 converts to a bare exponent. Negative numbers have no code, and there
// is no zero to round to.
func (n *rounding) e8m0(sat bool) value.Value {
	const (
		bias, largest, nan = 127, 254, 255
	)
	c := n.c
	field := c.add(c.add(n.e, n.lead), index(bias))
	base := c.sub(field, index(1)) // the code is base + 1 or base + 2
	code := c.add(base, n.shift(n.lead, base))
	code = c.sel(c.icmp(enum.IPredSLT, field, index(0)), index(0), code)
	beyond := c.or(c.icmp(enum.IPredSGT, field, index(largest)), c.icmp(enum.IPredSGT, code, index(largest)))
	code = c.sel(beyond, index(int64(num.Encode(num.F8E8M0, 0x1p200, n.mode, sat))), code)
	return c.sel(n.neg, index(nan), code)
}

// The ranges of HiF8; ir/num tells where they come from.
const (
	hif8MinExp = -22
	hif8MaxExp = 15
)

// hif8 converts to HiF8: the number of mantissa bits depends on the exponent.
func (n *rounding) hif8(sat bool) value.Value {
	c := n.c
	top := c.add(n.e, n.lead)
	man := n.hif8Mantissa(top)
	base := c.sel(c.icmp(enum.IPredEQ, man, index(0)), c.sub(top, index(hif8MinExp)), index(0))
	q := n.shift(c.sub(c.sub(top, man), n.e), base)
	// Rounded up to the next power of two, the number has another exponent and
	// a mantissa of zero.
	carried := c.icmp(enum.IPredEQ, c.lshr(q, man), index(2))
	up := c.add(top, index(1))
	low := func(q, man value.Value) value.Value {
		return c.and(q, c.sub(c.shl(index(1), man), index(1)))
	}
	code := c.sel(carried, n.hif8Code(up, index(0)), n.hif8Code(top, low(q, man)))
	beyond := c.or(c.icmp(enum.IPredSGT, c.sel(carried, up, top), index(hif8MaxExp)),
		c.icmp(enum.IPredEQ, code, index(int64(num.Encode(num.HiF8, inf, num.NearestEven, false)))))
	code = c.sel(beyond, n.tooBig(num.HiF8, sat), code)
	// Between zero and the smallest number.
	tiny := n.shift(c.sub(index(hif8MinExp), n.e), index(0))
	code = c.sel(c.icmp(enum.IPredSLT, top, index(hif8MinExp)), tiny, code)
	sign := c.sel(c.and(n.neg, c.icmp(enum.IPredNE, code, index(0))), index(0x80), index(0))
	return c.or(code, sign)
}

// hif8Mantissa is the number of mantissa bits at an exponent.
func (n *rounding) hif8Mantissa(e value.Value) value.Value {
	c := n.c
	a := c.maxInt(e, c.sub(index(0), e))
	upTo := func(limit int64) value.Value { return c.icmp(enum.IPredSLE, a, index(limit)) }
	return c.sel(upTo(3), index(3), c.sel(upTo(7), index(2), c.sel(upTo(hif8MaxExp), index(1), index(0))))
}

// hif8Code composes the code of a positive number from its exponent and its
// mantissa bits. Each range has its own prefix, then the sign of the exponent,
// the exponent without its leading bit, and the mantissa.
func (n *rounding) hif8Code(e, man value.Value) value.Value {
	c := n.c
	a := c.maxInt(e, c.sub(index(0), e))
	sign := c.zext(c.icmp(enum.IPredSLT, e, index(0)), i64)
	compose := func(prefix, signAt, from, expAt int64) value.Value {
		exp := c.shl(c.sub(a, index(from)), index(expAt))
		return c.or(c.or(c.or(exp, c.shl(sign, index(signAt))), man), index(prefix))
	}
	code := c.sub(e, index(hif8MinExp-1)) // denormal
	for _, r := range []struct{ limit, prefix, signAt, from, expAt int64 }{
		{15, 0x60, 4, 8, 1}, {7, 0x40, 4, 4, 2}, {3, 0x20, 4, 2, 3}, {1, 0x10, 3, 1, 3},
	} {
		code = c.sel(c.icmp(enum.IPredSLE, a, index(r.limit)), compose(r.prefix, r.signAt, r.from, r.expAt), code)
	}
	return c.sel(c.icmp(enum.IPredEQ, a, index(0)), c.or(man, index(0x08)), code)
}

// bitLen is the number of bits of a constant.
func bitLen(v uint64) int { return bits.Len64(v) }
