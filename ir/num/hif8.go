// This file implements HiF8, a float format whose exponent width depends on the value.

package num

import (
	"math"
	"math/bits"
)

// HiF8 (Luo et al., "Ascend HiFloat8 Format for Deep Learning", arXiv:2409.16626)
// has more mantissa bits for numbers near 1 than for numbers far from it. After the
// sign bit comes the dot field, a prefix code that determines how many of the other
// bits are exponent:
//
//	dot   exponent bits  mantissa bits  exponents
//	11    4              1              ±8..±15
//	10    3              2              ±4..±7
//	01    2              3              ±2, ±3
//	001   1              3              ±1
//	0001  0              3              0
//	0000  0              3              -22..-16, denormal: 2^(mantissa-23)
//
// The exponent is a sign bit and a magnitude whose leading 1 is not stored. There
// is one zero: the code of -0 is NaN. The largest magnitude, 0x6F, is infinity.
const (
	hif8Zero   = 0x00
	hif8NaN    = 0x80
	hif8Inf    = 0x6F // would be 1.5 * 2^15
	hif8Max    = 0x6E // 2^15
	hif8MinExp = -22
	hif8MaxExp = 15
)

// decodeHiF8 returns the number that a HiF8 code denotes.
func decodeHiF8(code uint8) float64 {
	mag := int(code & 0x7F)
	var v float64
	switch {
	case code == hif8NaN:
		return math.NaN()
	case mag == hif8Zero:
		return 0
	case mag == hif8Inf:
		v = math.Inf(1)
	case mag < 0x08:
		v = math.Ldexp(1, mag-23)
	default:
		expBits, man := hif8Split(mag)
		e := 0
		if expBits > 0 {
			field := mag >> man
			e = 1<<(expBits-1) | field&(1<<(expBits-1)-1)
			if field>>(expBits-1)&1 == 1 {
				e = -e
			}
		}
		v = math.Ldexp(float64(mag&(1<<man-1)|1<<man), e-man)
	}
	if code&0x80 != 0 {
		v = -v
	}
	return v
}

// hif8Split returns the numbers of exponent bits and mantissa bits of a normal HiF8
// number. mag is its code without the sign bit. The position of the leading 1 in the dot
// field determines both numbers.
func hif8Split(mag int) (expBits, manBits int) {
	switch {
	case mag >= 0x60:
		return 4, 1
	case mag >= 0x40:
		return 3, 2
	case mag >= 0x20:
		return 2, 3
	case mag >= 0x10:
		return 1, 3
	}
	return 0, 3
}

// hif8Mantissa returns the number of mantissa bits of a HiF8 number with the binary
// exponent e. The result 0 means that numbers with this exponent are denormal.
func hif8Mantissa(e int) int {
	switch e = max(e, -e); {
	case e <= 3:
		return 3
	case e <= 7:
		return 2
	case e <= hif8MaxExp:
		return 1
	}
	return 0
}

// encodeHiF8 returns the HiF8 code of m·2^e, negated if neg is true, rounded once with
// mode r; m is not zero. If sat is true, a number beyond the range becomes the nearest
// finite number. The hardware offers only the mode NearestAway. Some other rounding modes
// depend on parity; as in all other formats, a result counts as odd if its code is odd.
func encodeHiF8(neg bool, m uint64, e int, r Rounding, sat bool) uint64 {
	top := e + bits.Len64(m) - 1
	if top > hif8MaxExp {
		return hif8Sign(neg, hif8TooBig(neg, r, sat))
	}
	if top < hif8MinExp { // between zero and the smallest number
		n := roundShift(m, hif8MinExp-e, r, neg, 0)
		return hif8Sign(neg, n)
	}
	man := hif8Mantissa(top)
	base := uint64(0)
	if man == 0 {
		base = uint64(top - hif8MinExp) // the code is base + n, with n = 1
	}
	n := roundShift(m, top-man-e, r, neg, base)
	if n>>man == 2 { // rounded up to the next power of two
		top, n = top+1, 1<<hif8Mantissa(top+1)
	}
	mag := uint64(hif8Inf)
	if top <= hif8MaxExp {
		mag = hif8Code(top, n&(1<<hif8Mantissa(top)-1))
	}
	if mag == hif8Inf {
		mag = hif8TooBig(neg, r, sat)
	}
	return hif8Sign(neg, mag)
}

// hif8Code returns the HiF8 code of a positive number with exponent e and mantissa bits
// man.
func hif8Code(e int, man uint64) uint64 {
	if e < -hif8MaxExp {
		return uint64(e - hif8MinExp + 1)
	}
	sign := uint64(0)
	if e < 0 {
		sign, e = 1, -e
	}
	switch a := uint64(e); {
	case a == 0:
		return 0x08 | man
	case a == 1:
		return 0x10 | sign<<3 | man
	case a <= 3:
		return 0x20 | sign<<4 | (a-2)<<3 | man
	case a <= 7:
		return 0x40 | sign<<4 | (a-4)<<2 | man
	default:
		return 0x60 | sign<<4 | (a-8)<<1 | man
	}
}

// hif8TooBig returns the HiF8 magnitude (the code without the sign bit) that replaces a
// finite number beyond the range. It is the largest number if sat is set, or if mode r
// rounds numbers of this sign toward zero. In all other cases it is infinity. The
// parameter neg reports whether the number is negative.
func hif8TooBig(neg bool, r Rounding, sat bool) uint64 {
	if sat || r.towardZero(neg) {
		return hif8Max
	}
	return hif8Inf
}

// hif8Sign returns the HiF8 code with the magnitude mag and the sign bit set if neg is
// true. Zero has no sign, so its code stays unchanged.
func hif8Sign(neg bool, mag uint64) uint64 {
	if neg && mag != hif8Zero {
		mag |= 0x80
	}
	return mag
}
