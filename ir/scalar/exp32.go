package scalar

import "math"

// The numbers of exp32. ln2Hi32 has 15 bits, so that its product with an
// exponent is exact.
const (
	log2E32 float32 = math.Log2E
	ln2Hi32 float32 = 0x1.62e4p-1
	ln2Lo32 float32 = 0x1.7f7d1cp-20
	// toNearest has units in its last place: added to a small number, it rounds
	// that to an integer, which then stands in the low bits.
	toNearest float32 = 0x1.8p23
	// Beyond these exp is infinite or zero in float32.
	expMax32 float32 = 89
	expMin32 float32 = -104
)

// expSeries32 approximates (exp(r) - 1 - r) / r² for |r| up to ln(2)/2, to
// 2^-28 of exp(r).
var expSeries32 = [...]float32{0.5, 0x1.5554a2p-3, 0x1.55568ap-5, 0x1.123094p-7, 0x1.6b6df4p-10}

// mad32 is mad in float32.
func mad32(x, y, z float32) float32 { return float32(x*y) + z }

// exp32 is exp in float32, with every step rounded: products and sums alone
// give the same bits on every machine. Its error is below 0.9 units: that of
// the last sum, and what remains of the one before it.
func exp32(x float32) float32 {
	if x != x {
		return x
	}
	x = max(expMin32, min(x, expMax32))
	sum := mad32(x, log2E32, toNearest)
	k := sum - toNearest
	n := int32(math.Float32bits(sum) - math.Float32bits(toNearest))
	hi, lo := x-float32(k*ln2Hi32), float32(k*ln2Lo32) // their difference is x - k·ln 2; hi is exact
	r := hi - lo
	p := expSeries32[4]
	for i := 3; i >= 0; i-- {
		p = mad32(p, r, expSeries32[i])
	}
	tail := hi + (float32(float32(r*r)*p) - lo)
	// In two steps neither power of two overflows, and a denormal result is
	// rounded once.
	half := n >> 1
	return float32((1+tail)*pow2of32(half)) * pow2of32(n-half)
}

// pow2of32 returns 2^n for n in the range of normal exponents.
func pow2of32(n int32) float32 { return math.Float32frombits(uint32(n+127) << 23) }
