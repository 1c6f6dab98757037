// This file decodes and encodes elements of all formats with correct rounding.

package num

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// decodeTable caches the value of each code of the float formats of at most 8 bits. These
// formats are the last constants of type Format, so the index is the format minus
// F8E4M3FN. The table of a format is nil until the format is first decoded.
var decodeTable [numFormats - F8E4M3FN]atomic.Pointer[[256]float64]

// decoded returns the values of all 256 codes of format f, which must have at most 8
// bits. It needs no lock for the cached tables: two goroutines may both build a table,
// but the tables are equal.
func decoded(f Format) *[256]float64 {
	if t := decodeTable[f-F8E4M3FN].Load(); t != nil {
		return t
	}
	t := new([256]float64)
	for code := range t {
		switch f {
		case HiF8:
			t[code] = decodeHiF8(uint8(code))
		case F8E8M0:
			t[code] = decodeE8M0(uint8(code))
		default:
			t[code] = layouts[f].decode(uint64(code) & f.Mask())
		}
	}
	decodeTable[f-F8E4M3FN].Store(t)
	return t
}

// Decode returns the number that bits encodes in format f. It is exact for every float
// format and for integers of up to 53 bits; larger integers are rounded to the nearest
// float64, ties to even. Every NaN becomes the NaN of math.NaN.
func Decode(f Format, bits uint64) float64 {
	switch f {
	case F32:
		return quiet(float64(math.Float32frombits(uint32(bits))))
	case F64:
		return quiet(math.Float64frombits(bits))
	case BF16:
		return quiet(float64(math.Float32frombits(uint32(bits) << 16)))
	case F16:
		return quiet(float64(f16ToF32(uint16(bits))))
	case TF32:
		return quiet(float64(math.Float32frombits(uint32(bits) << 13)))
	}
	if F8E4M3FN <= f && f < numFormats {
		return decoded(f)[uint8(bits)]
	}
	if f.Signed() {
		return float64(Int(f, bits))
	}
	return float64(Uint(f, bits))
}

// quiet returns math.NaN() if x is any NaN, and x otherwise.
func quiet(x float64) float64 {
	if x != x {
		return math.NaN()
	}
	return x
}

// Encode returns x in format f, rounded once. If x is beyond the range of f and sat
// is true, the result is the nearest finite number. Without sat, the result in a
// float format is infinity. If the format has no infinity it is NaN (F8E4M3FN,
// F8E8M0), and if it has neither it is the largest number (the 4-bit formats). As
// in IEEE 754, the directed rounding modes stop at the largest number. Integers
// wrap around, and an infinite x becomes the integer 0.
//
// An infinite x counts as beyond the range of every format, so sat makes it finite
// even if f has an infinity. NaN stays NaN, and becomes 0 if f has no NaN.
func Encode(f Format, x float64, r Rounding, sat bool) uint64 {
	// The most frequent case needs only the conversion that the CPU provides.
	if f == F32 && r == NearestEven && !sat {
		if x != x {
			return 0x7FC00000
		}
		return uint64(math.Float32bits(float32(x)))
	}
	b := math.Float64bits(x)
	if r == NearestEven {
		if code, ok := encodeNormal(f, b); ok {
			return code
		}
	}
	neg := b>>63 == 1
	e, m := int(b>>52&0x7FF), b&(1<<52-1)
	switch {
	case e == 0x7FF && m != 0:
		return NaN(f)
	case e == 0x7FF && sat:
		return encodeLargest(f, neg)
	case e == 0x7FF:
		return encodeInf(f, neg)
	case e == 0 && m == 0:
		return encodeZero(f, neg)
	case e == 0:
		e = 1
	default:
		m |= 1 << 52
	}
	return encodeExact(f, neg, m, e-1075, r, sat)
}

// encodeNormal rounds an f64 with the bits b to the nearest even number of f, which is f16
// or bf16. It returns false for another format, and for a number whose rounding is not a
// normal number of f.
func encodeNormal(f Format, b uint64) (uint64, bool) {
	var man, bias uint64
	switch f {
	case F16:
		man, bias = 10, 15
	case BF16:
		man, bias = 7, 127
	default:
		return 0, false
	}
	e := b >> 52 & 0x7FF
	if e <= 1023-bias || e > 1023+bias {
		return 0, false
	}
	// The exponent and the mantissa are one number, so that a carry from the mantissa
	// increases the exponent.
	cut := 52 - man
	n := b&(1<<63-1) - (1023-bias)<<52
	n = (n + 1<<(cut-1) - 1 + n>>cut&1) >> cut
	if n >= (2*bias+1)<<man {
		return 0, false
	}
	return b>>63<<15 | n, true
}

// encodeZero returns the code of zero in format f. If neg is true and f has a negative
// zero, it returns the code of -0. F8E8M0 has no zero; encodeZero then returns code 0,
// the smallest number of that format.
func encodeZero(f Format, neg bool) uint64 {
	if neg && f.IsFloat() && f != HiF8 {
		return f.SignBit()
	}
	return 0
}

// encodeInf returns the code of infinity in format f, negative if neg is true. For a
// format without infinity, it returns the code of the number or NaN that replaces
// infinity. For integers it is 0.
func encodeInf(f Format, neg bool) uint64 {
	switch {
	case f == HiF8:
		return hif8Sign(neg, hif8Inf)
	case f == F8E8M0:
		return e8m0NaN
	case f.IsFloat():
		l := &layouts[f]
		return l.sign(neg, l.overflow())
	}
	return 0
}

// encodeLargest returns the code of the largest finite number of format f or, if neg is
// true, of the lowest one. The lowest one in F8E8M0 is NaN, because the format has no
// negative numbers.
func encodeLargest(f Format, neg bool) uint64 {
	switch {
	case f.IsInt() && neg:
		return Lowest(f)
	case f.IsInt():
		return Max(f)
	case f == HiF8:
		return hif8Sign(neg, hif8Max)
	case f == F8E8M0 && neg:
		return e8m0NaN // has no negative numbers
	case f == F8E8M0:
		return e8m0Max
	case f.IsFloat():
		l := &layouts[f]
		return l.sign(neg, l.maxCode())
	}
	return 0
}

// encodeExact converts an exactly given number, m·2^e or its negative if neg is true, to
// format f, and returns the bits. It rounds once, in mode r. m must not be zero. If sat
// is true, a number that is too large becomes the largest finite number of f. Without
// sat, the result is that of Encode.
func encodeExact(f Format, neg bool, m uint64, e int, r Rounding, sat bool) uint64 {
	switch {
	case f.IsInt():
		return encodeInt(f, neg, m, e, r, sat)
	case f == HiF8:
		return encodeHiF8(neg, m, e, r, sat)
	case f == F8E8M0:
		return encodeE8M0(neg, m, e, r, sat)
	case f.IsFloat():
		return layouts[f].encode(neg, m, e, r, sat)
	}
	return 0
}

// encodeInt rounds m·2^e, negated if neg is true, to an integer of format f with
// rounding mode r, and returns its bits. A result beyond the range of f is clamped to the
// range if sat is true, and wraps around otherwise. The magnitude may need more than 64
// bits; without sat, only its low bits matter.
func encodeInt(f Format, neg bool, m uint64, e int, r Rounding, sat bool) uint64 {
	mag, huge := uint64(0), false
	if e > 0 {
		mag, huge = m<<e, bits.Len64(m)+e > 64
	} else {
		mag = roundShift(m, -e, r, neg, 0)
	}
	if sat {
		switch limit := Max(f); {
		case neg && !f.Signed():
			return 0
		case neg && (huge || mag > limit+1):
			return Lowest(f)
		case !neg && (huge || mag > limit):
			return limit
		}
	}
	if neg {
		mag = -mag
	}
	return mag & f.Mask()
}

// Int returns the integer in the low bits of the parameter bits. It extends the sign bit,
// the highest bit of format f, to 64 bits. It does so for unsigned formats too; Uint is
// the function for unsigned integers.
func Int(f Format, bits uint64) int64 {
	shift := 64 - f.Bits()
	return int64(bits<<shift) >> shift
}

// Uint returns the integer in the low bits of bits, zero-extended from the width of f.
func Uint(f Format, bits uint64) uint64 { return bits & f.Mask() }

// Convert converts a number from one format (parameter from) to another (parameter to),
// rounding once with mode r. bits is the encoded number. sat selects the result for a
// number beyond the range, as in [Encode]. An integer is converted without an
// intermediate float, which could not represent 64 bits exactly.
func Convert(from, to Format, bits uint64, r Rounding, sat bool) uint64 {
	if from.IsFloat() {
		if from == to && !sat && !IsNaN(from, bits) {
			return bits & to.Mask()
		}
		return Encode(to, Decode(from, bits), r, sat)
	}
	m, neg := Uint(from, bits), false
	if from.Signed() {
		if v := Int(from, bits); v < 0 {
			m, neg = -uint64(v), true
		}
	}
	if m == 0 {
		return encodeZero(to, false)
	}
	return encodeExact(to, neg, m, 0, r, sat)
}
