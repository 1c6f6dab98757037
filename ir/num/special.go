// This file returns special values of a format: NaN, infinity and extremes.

package num

import "encoding/binary"

// NaN returns the canonical NaN of f (quiet, positive, without payload), or 0 if f
// has no NaN.
func NaN(f Format) uint64 {
	switch {
	case f == HiF8:
		return hif8NaN
	case f == F8E8M0:
		return e8m0NaN
	case f.IsFloat():
		return layouts[f].nan()
	}
	return 0
}

// IsNaN reports whether bits is a NaN of format f.
func IsNaN(f Format, bits uint64) bool {
	bits &= f.Mask()
	switch {
	case f == HiF8:
		return bits == hif8NaN
	case f == F8E8M0:
		return bits == e8m0NaN
	case f.IsFloat():
		l := &layouts[f]
		mag := bits & (l.signBit() - 1)
		return mag > l.maxCode() && (l.kind == oneNaN || mag > l.overflow())
	}
	return false
}

// AnyNaN reports whether one of the elements of format f, which are adjacent in data, is a
// NaN. The three common formats take one comparison for each element.
func AnyNaN(f Format, data []byte) bool {
	infinity := uint16(0x7c00)
	switch f {
	case F32:
		for ; len(data) >= 4; data = data[4:] {
			if binary.LittleEndian.Uint32(data)&0x7fff_ffff > 0x7f80_0000 {
				return true
			}
		}
		return false
	case BF16:
		infinity = 0x7f80
		fallthrough
	case F16:
		for ; len(data) >= 2; data = data[2:] {
			if binary.LittleEndian.Uint16(data)&0x7fff > infinity {
				return true
			}
		}
		return false
	}
	for size := f.Bytes(); f.IsFloat() && len(data) >= size; data = data[size:] {
		if IsNaN(f, Load(f, data)) {
			return true
		}
	}
	return false
}

// Inf returns the code of infinity in format f, negative if neg is true. The bool result
// is false if f has no infinity.
func Inf(f Format, neg bool) (uint64, bool) {
	switch {
	case f == HiF8, f.IsFloat() && f != F8E8M0 && layouts[f].kind == ieee:
		return encodeInf(f, neg), true
	}
	return 0, false
}

// Extreme returns the bits of an extreme value of f: the smallest value if smallest is
// set, and the largest value if it is not set. The value is an infinity, or a finite
// number if f has no infinity. The smallest value is the neutral element of max, and the
// largest value is that of min.
func Extreme(f Format, smallest bool) uint64 {
	if inf, ok := Inf(f, smallest); ok {
		return inf
	}
	if smallest {
		return Lowest(f)
	}
	return Max(f)
}

// IsInf reports whether bits is an infinity of f.
func IsInf(f Format, bits uint64) bool {
	inf, ok := Inf(f, false)
	return ok && bits&(f.Mask()&^f.SignBit()) == inf
}

// Max returns the bits of the largest finite number of format f.
func Max(f Format) uint64 {
	switch {
	case f == HiF8:
		return hif8Max
	case f == F8E8M0:
		return e8m0Max
	case f.IsFloat():
		return layouts[f].maxCode()
	}
	return f.Mask() &^ f.SignBit()
}

// Lowest returns the smallest finite number of f. It is the negated maximum of a
// signed float, the smallest integer, or 0 for an unsigned format.
func Lowest(f Format) uint64 {
	if f.IsFloat() && f.Signed() {
		return Max(f) | f.SignBit()
	}
	return f.SignBit()
}

// Same reports whether a and b are the same element of format f: their bits are equal, or
// both are NaN.
func Same(f Format, a, b uint64) bool {
	return (a^b)&f.Mask() == 0 || IsNaN(f, a) && IsNaN(f, b)
}
