// This file implements F8E8M0, the scale format of MX types.

package num

import (
	"math"
	"math/bits"
)

// F8E8M0 is the scale format of the OCP microscaling (MX) specification. Code b denotes
// 2^(b-127), and code 255 is NaN. The format has no sign, no zero and no infinity.
const (
	e8m0Bias = 127
	e8m0Max  = 254
	e8m0NaN  = 255
)

// decodeE8M0 returns the number that an F8E8M0 code denotes.
func decodeE8M0(code uint8) float64 {
	if code == e8m0NaN {
		return math.NaN()
	}
	return math.Ldexp(1, int(code)-e8m0Bias)
}

// encodeE8M0 returns the F8E8M0 code of m·2^e, rounded once with mode r; m is not zero.
// If neg is true, the number is negative and the result is NaN. A number below the range
// becomes the smallest number, because the format has no zero. A number above the range
// becomes the largest number if sat is set or r rounds toward zero, and NaN otherwise.
func encodeE8M0(neg bool, m uint64, e int, r Rounding, sat bool) uint64 {
	if neg {
		return e8m0NaN
	}
	lead := bits.Len64(m) - 1
	code := e + lead + e8m0Bias
	if code < 0 {
		return 0
	}
	if code <= e8m0Max {
		base := uint64(code) - 1 // the code is base + n, with n = 1 or 2
		code = int(base + roundShift(m, lead, r, false, base))
	}
	if code <= e8m0Max {
		return uint64(code)
	}
	if sat || r.towardZero(false) {
		return e8m0Max
	}
	return e8m0NaN
}
