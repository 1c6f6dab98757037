// This file describes the bit layout of the float formats.

package num

import (
	"math"
	"math/bits"
)

// special determines what the codes with the largest exponent field represent: infinities
// and NaNs, numbers and a single NaN, or only numbers.
type special uint8

const (
	ieee   special = iota // infinity when the mantissa is zero, else NaN
	oneNaN                // numbers, except that all bits set is NaN
	finite                // numbers
)

// layout describes a float with a sign bit, an exponent field and a mantissa field
// of fixed widths (exp and man bits). Exponent field 0 holds the denormals.
type layout struct {
	exp, man int
	kind     special
}

// layouts describes each float format with fields of fixed width. The entries of all
// other formats are zero.
var layouts = [numFormats]layout{
	F16:      {5, 10, ieee},
	BF16:     {8, 7, ieee},
	F32:      {8, 23, ieee},
	F64:      {11, 52, ieee},
	TF32:     {8, 10, ieee},
	F8E4M3FN: {4, 3, oneNaN},
	F8E5M2:   {5, 2, ieee},
	F4E2M1:   {2, 1, finite},
	F4E1M2:   {1, 2, finite},
}

// bias returns the exponent bias, 2^(exp-1)-1. It is 1 for a format with one
// exponent bit: with a bias of 0 its normal numbers would start at 2, and only
// denormals would be left for the range below.
func (l *layout) bias() int { return max(1<<(l.exp-1)-1, 1) }

// signBit returns a mask of the sign bit.
func (l *layout) signBit() uint64 { return 1 << (l.exp + l.man) }

// maxCode returns the code of the largest finite number.
func (l *layout) maxCode() uint64 {
	switch l.kind {
	case ieee:
		return (1<<l.exp-1)<<l.man - 1
	case oneNaN:
		return 1<<(l.exp+l.man) - 2
	}
	return 1<<(l.exp+l.man) - 1
}

// nan returns the code of the canonical NaN, or 0 if the format has no NaN.
func (l *layout) nan() uint64 {
	switch l.kind {
	case ieee:
		return (1<<l.exp-1)<<l.man | 1<<(l.man-1)
	case oneNaN:
		return 1<<(l.exp+l.man) - 1
	}
	return 0
}

// overflow returns the magnitude that replaces numbers above the largest finite
// one: infinity, or NaN if no infinity exists, or the largest number if there is
// neither.
func (l *layout) overflow() uint64 {
	switch l.kind {
	case ieee:
		return (1<<l.exp - 1) << l.man
	case oneNaN:
		return l.nan()
	}
	return l.maxCode()
}

// decode returns the number that a code denotes, exactly.
func (l *layout) decode(code uint64) float64 {
	mag := code & (l.signBit() - 1)
	e, m := int(mag>>l.man), mag&(1<<l.man-1)
	var v float64
	switch {
	case mag > l.maxCode() && l.kind == ieee && m == 0:
		v = math.Inf(1)
	case mag > l.maxCode():
		return math.NaN()
	case e == 0:
		v = math.Ldexp(float64(m), 1-l.bias()-l.man)
	default:
		v = math.Ldexp(float64(m|1<<l.man), e-l.bias()-l.man)
	}
	if code&l.signBit() != 0 {
		v = -v
	}
	return v
}

// encode returns the bits of the number m·2^e, or of its negative if neg is true. The
// number is rounded once with mode r, and m is not zero. If sat is true, a number that is
// too large becomes the largest finite number. See [Encode] for the result without sat.
func (l *layout) encode(neg bool, m uint64, e int, r Rounding, sat bool) uint64 {
	emin := 1 - l.bias()
	top := max(e+bits.Len64(m)-1, emin) // exponent of the leading bit, if normal
	if top > l.bias()+1 {
		return l.sign(neg, l.tooBig(neg, r, sat))
	}
	n := roundShift(m, top-l.man-e, r, neg, 0)
	// n has its leading bit at position man, unless the number is denormal. Adding
	// the exponent less one, instead of joining the fields, lets a carry work: for
	// a mantissa that was rounded up to 2, and for a denormal that became normal.
	code := uint64(top-emin)<<l.man + n
	if code > l.maxCode() {
		code = l.tooBig(neg, r, sat)
	}
	return l.sign(neg, code)
}

// tooBig returns the magnitude (the code without the sign bit) that replaces a finite
// number beyond the range of the format. The result is the largest finite number if sat
// is set, or if rounding mode r rounds toward zero for this sign. In all other cases, it
// is the code that the method overflow returns, such as infinity.
func (l *layout) tooBig(negative bool, r Rounding, sat bool) uint64 {
	if sat || r.towardZero(negative) {
		return l.maxCode()
	}
	return l.overflow()
}

// sign returns the code of a number. mag is the magnitude, that is, the code without the
// sign bit. The sign bit is set if neg is true, except for NaN: the result is then the
// canonical NaN, which has no sign bit.
func (l *layout) sign(neg bool, mag uint64) uint64 {
	if neg && (l.kind == finite || mag != l.nan()) {
		mag |= l.signBit()
	}
	return mag
}
