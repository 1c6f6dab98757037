package scalar

import "math"

// logSeries32 approximates (2·artanh(s)/s - 2) / s² in s² for 1+f between
// sqrt(½) and sqrt(2), where s is f/(2+f), to 2^-30 of the logarithm.
var logSeries32 = [...]float32{0x1.55557ap-1, 0x1.995e9ap-2, 0x1.31eaf2p-2}

// sqrtHalf32 is the bits of sqrt(½).
const sqrtHalf32 = 0x3F3504F3

// log32 is log in float32, with every step rounded. Its error is below one unit;
// that f is exact and d much smaller keeps it so near 1.
func log32(x float32) float32 {
	switch {
	case x == 0:
		return float32(math.Inf(-1))
	case x < 0:
		return float32(math.NaN())
	case x != x || x > math.MaxFloat32:
		return x
	}
	b, e := math.Float32bits(x), float32(0)
	if b < 1<<23 { // denormal
		b, e = math.Float32bits(x*(1<<24)), -24
	}
	b -= sqrtHalf32
	e += float32(int32(b) >> 23)
	f := math.Float32frombits(b&(1<<23-1)+sqrtHalf32) - 1
	s := f / (2 + f)
	z := float32(s * s)
	p := mad32(mad32(logSeries32[2], z, logSeries32[1]), z, logSeries32[0])
	d := float32(s * (f - float32(z*p)))
	return float32(e*ln2Hi32) + (f - (d - float32(e*ln2Lo32)))
}
