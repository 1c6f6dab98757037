package diff

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ptogo/ir/num"
)

// value returns the bits of a random element of format f, often a special value such as a
// limit of the format. Integers are never 0, because a division by 0 is a fault.
func value(r *rand.Rand, f num.Format) uint64 {
	if f.IsInt() {
		edges := []uint64{1, f.Mask(), f.SignBit(), f.SignBit() - 1, 2, 7}
		if r.IntN(3) == 0 {
			return edges[r.IntN(len(edges))] & f.Mask()
		}
		return max(r.Uint64()&f.Mask(), 1)
	}
	switch r.IntN(8) {
	case 0:
		inf := num.Encode(f, math.Inf(1), num.NearestEven, false)
		nan := num.Encode(f, math.NaN(), num.NearestEven, false)
		edges := []uint64{0, f.SignBit(), inf, inf | f.SignBit(), nan, 1, f.SignBit() | 1, inf - 1}
		return edges[r.IntN(len(edges))]
	case 1:
		return r.Uint64() & f.Mask()
	}
	return num.Encode(f, r.NormFloat64()*4, num.NearestEven, false)
}

// alike reports whether an element is equal in two results. got and want are its bits in
// the two results, and f is its format. Different NaNs of f32 count as equal, because
// their bits are not defined.
func alike(f num.Format, got, want uint64) bool {
	return got == want || f == num.F32 && num.Same(f, got, want)
}

// constantText returns the text of a number in the syntax of an arith.constant operation.
// bits are the bits of the number in format f. A float is written as its bits in
// hexadecimal, so that no digit is lost.
func constantText(f num.Format, bits uint64) string {
	if f.IsInt() {
		return fmt.Sprint(num.Int(f, bits))
	}
	return fmt.Sprintf("%#0*x", 2+f.Bits()/4, bits)
}
