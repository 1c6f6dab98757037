// This file defines the precision of float formats.

package shadow

import (
	"math"

	"ptogo/ir/num"
)

// precision describes the range and the resolution of a float format.
type precision struct {
	// digits is the number of significant bits of normal numbers.
	digits int
	// least is the exponent of the smallest positive normal number.
	least int
	// most is the largest finite number.
	most float64
}

// precisions describes each float format for whose elements rounding errors are measured.
// The number of mantissa bits of hif8 depends on the exponent; its entry has the number
// for values from 1 to 2.
var precisions = func() (all [256]precision) {
	for f, p := range map[num.Format]precision{
		num.F16: {11, -14, 65504}, num.BF16: {8, -126, 0}, num.F32: {24, -126, math.MaxFloat32}, num.F64: {53, -1022, math.MaxFloat64},
		num.TF32: {11, -126, 0}, num.F8E4M3FN: {4, -6, 448}, num.F8E5M2: {3, -14, 57344}, num.HiF8: {4, -15, 32768},
		num.F8E8M0: {1, -127, math.Ldexp(1, 127)}, num.F4E2M1: {2, 0, 6}, num.F4E1M2: {3, 0, 1.75},
	} {
		if p.most == 0 {
			p.most = math.Ldexp(2-math.Ldexp(1, 1-p.digits), 127)
		}
		all[f] = p
	}
	return all
}()

// ULP returns the distance between adjacent numbers of format f at x. Below the smallest
// normal number, it returns the distance between denormal numbers.
func ULP(f num.Format, x float64) float64 {
	p := &precisions[f]
	e := exponent(x)
	if x == 0 || e < p.least {
		e = p.least
	}
	return math.Ldexp(1, e-p.digits+1)
}

// Digits returns the number of significant bits of format f, including the implicit bit.
func Digits(f num.Format) int { return precisions[f].digits }

// exponent returns the exponent e with 2^e <= |x| < 2^(e+1). For a denormal float64 or 0,
// it returns -1022.
func exponent(x float64) int {
	return max(int(math.Float64bits(x)>>52&0x7FF), 1) - 1023
}

// denormal reports whether x is not 0, but below the smallest normal number of format f.
func denormal(f num.Format, x float64) bool {
	return x != 0 && exponent(x) < precisions[f].least
}
