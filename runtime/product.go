package runtime

import (
	"ptogo/ir/num"
	"ptogo/runtime/kernels"
)

// arithmeticOf says how a product of matrices of formats l and r sums.
// Integers sum as they are, floats as f32: every element of the result is a
// running sum in the order of k, rounded to nearest even at each step. A
// product of narrow floats is rounded to f32 before it is added, one of f32 is
// exact.
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

// integerBits extends an integer to 64 bits, with or without sign according to its
// format.
func integerBits(f num.Format, bits uint64) uint64 {
	if f.Signed() {
		return uint64(num.Int(f, bits))
	}
	return bits
}
