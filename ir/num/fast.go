// This file contains fast conversions between f32 and the 16-bit float formats.

package num

import (
	"math"

	"github.com/x448/float16"
)

// f16ToF32 returns the value of an f16, exactly. NaN becomes the canonical NaN.
func f16ToF32(h uint16) float32 {
	if h&0x7FFF > 0x7C00 {
		return math.Float32frombits(0x7FC00000)
	}
	return float16.Frombits(h).Float32()
}

// f32ToF16 returns x rounded to the nearest f16, ties to even.
func f32ToF16(x float32) uint16 {
	if x != x {
		return 0x7E00
	}
	return float16.Fromfloat32(x).Bits()
}

// bf16ToF32 returns the value of a bf16, exactly. NaN becomes the canonical NaN.
func bf16ToF32(h uint16) float32 {
	if h&0x7FFF > 0x7F80 {
		return math.Float32frombits(0x7FC00000)
	}
	return math.Float32frombits(uint32(h) << 16)
}

// f32ToBF16 returns x rounded to the nearest bf16, ties to even.
func f32ToBF16(x float32) uint16 {
	if x != x {
		return 0x7FC0
	}
	b := math.Float32bits(x)
	// The addend is just below half a unit of a bf16, plus the lowest bit that
	// remains. So a carry happens above half a unit, and at half if the remaining
	// bit is odd.
	return uint16((b + 0x7FFF + b>>16&1) >> 16)
}

// The loops below convert finite numbers inline, with a few operations, and call
// the functions above for the other values. Both ways return the same bits.

// F16sToF32s converts each f16 of src to an f32 of dst, exactly. dst must be at least as
// long as src.
func F16sToF32s(dst []float32, src []uint16) {
	dst = dst[:len(src)]
	for i, h := range src {
		if h&0x7C00 == 0x7C00 { // infinity or NaN
			dst[i] = f16ToF32(h)
			continue
		}
		// The bits of an f16 exponent keep the smaller bias of f16 when they are
		// moved in place; the factor corrects it. It also normalizes denormals.
		f := math.Float32frombits(uint32(h&0x7FFF)<<13) * 0x1p112
		dst[i] = math.Float32frombits(math.Float32bits(f) | uint32(h&0x8000)<<16)
	}
}

// F32sToF16s converts each f32 of src to an f16 of dst, rounded to nearest, ties to even.
// dst must be at least as long as src.
func F32sToF16s(dst []uint16, src []float32) {
	// Bits of f32 numbers as constants: comparing bits avoids float branches.
	const (
		tooBig = 0x47800000 // 2^16
		normal = 0x38800000 // 2^-14, the smallest normal f16
		rebias = 112 << 23
		half   = 0x3F000000 // 0.5
	)
	dst = dst[:len(src)]
	for i, x := range src {
		b := math.Float32bits(x)
		m := b &^ (1 << 31)
		switch {
		case m >= tooBig:
			dst[i] = f32ToF16(x)
			continue
		case m < normal:
			// In [½, 1) the last bit of an f32 has the value of the last bit of a
			// denormal f16. So adding 0.5 rounds the number at the right position.
			m = math.Float32bits(math.Float32frombits(m)+0.5) - half
		default:
			m = (m - rebias + 0xFFF + m>>13&1) >> 13 // may carry into infinity
		}
		dst[i] = uint16(b>>16&0x8000 | m)
	}
}

// BF16sToF32s converts each bf16 of src to an f32 of dst, exactly. dst must be at least
// as long as src.
func BF16sToF32s(dst []float32, src []uint16) {
	dst = dst[:len(src)]
	for i, h := range src {
		dst[i] = bf16ToF32(h)
	}
}

// F32sToBF16s converts each f32 of src to a bf16 of dst, rounded to nearest, ties to
// even. dst must be at least as long as src.
func F32sToBF16s(dst []uint16, src []float32) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = f32ToBF16(x)
	}
}
