// This file defines how matrix products accumulate for each combination of formats.

package runtime

import (
	"ptogo/ir/num"
	"ptogo/runtime/kernels"
)

// arithmeticOf returns how a matrix product of formats l and r accumulates in format sum.
// Integers accumulate exactly modulo 2^32. Floats accumulate in f32: each result is a
// running sum in the order of k, rounded to nearest even at each step. Products of narrow
// floats are rounded to f32 before the addition; products of f32 are exact (fused
// multiply-add).
func arithmeticOf(sum, l, r num.Format) kernels.Arithmetic {
	switch {
	case sum.IsInt():
		return kernels.Integers
	case l == num.F16 && r == num.F16:
		return kernels.Fused // f32 has every product, so that rounding it does nothing
	case l.Bits() < 32 && r.Bits() < 32:
		return kernels.Apart
	}
	return kernels.Fused
}

// integerBits extends an integer to 64 bits, with sign extension if its format is signed.
func integerBits(f num.Format, bits uint64) uint64 {
	if f.Signed() {
		return uint64(num.Int(f, bits))
	}
	return bits
}
