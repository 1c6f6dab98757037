// This file defines how matrix products accumulate for each combination of formats.

package runtime

import (
	"ptogo/ir/num"
	"ptogo/runtime/kernels"
)

// arithmeticOf returns how a matrix product of formats l and r adds up its terms in
// format sum. Integers are added exactly, modulo 2^32. Floats are added in f32: each
// result is a running sum in the order of k, rounded to nearest even after each addition.
// Products of narrow floats are rounded to f32 before the addition. Products of f32 are
// not rounded (fused multiply-add).
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
