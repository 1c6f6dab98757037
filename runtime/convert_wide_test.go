package runtime

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"ptogo/ir/num"
)

// Numbers of 32 and 64 bits are too many to convert all. The tests here take
// those around powers of two, around the bounds of every format and between its
// neighbours, and random ones; what they convert to comes from exact
// arithmetic.

// exactly returns the number of a code of 32 or 64 bits; NaN and infinities
// have none.
func exactly(f num.Format, code uint64) (x *big.Float, special float64) {
	x = new(big.Float).SetPrec(200)
	switch {
	case f == num.F32:
		v := float64(math.Float32frombits(uint32(code)))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, v
		}
		return x.SetFloat64(v), 0
	case f == f.Unsigned():
		return x.SetUint64(code), 0
	}
	return x.SetInt64(int64(code<<(64-f.Bits())) >> (64 - f.Bits())), 0
}

// wideCodes are the codes that a source is tried with.
func wideCodes(f num.Format) []uint64 {
	var codes []uint64
	r := rand.New(rand.NewPCG(1, uint64(f)))
	for range 800 {
		codes = append(codes, r.Uint64()>>r.UintN(64)&f.Mask(), -(r.Uint64()>>r.UintN(64))&f.Mask())
	}
	if f != num.F32 {
		for i := range f.Bits() {
			for d := range uint64(5) {
				codes = append(codes, (1<<i+d-2)&f.Mask(), -(1<<i+d-2)&f.Mask(), (3<<i>>1+d-2)&f.Mask())
			}
		}
		return codes
	}
	for e := range uint64(256) {
		for _, m := range []uint64{0, 1, 1 << 22, 1<<22 - 1, 1<<22 + 1, 1<<23 - 1, 0x7FF000, 0x7FEFFF, 0x7F8000, 0x7F7FFF, 0x000FFF, 0x001000, 0x001001, 0x2AAAAA, 0x555555} {
			codes = append(codes, e<<23|m, 1<<31|e<<23|m)
		}
	}
	for _, l := range numberLists { // its numbers, their middles, and what is beside those
		step := max(1, len(l.values)/512)
		for i := 0; i+1 < len(l.values); i += step {
			for _, x := range []float64{l.values[i], (l.values[i] + l.values[i+1]) / 2} {
				code := uint64(math.Float32bits(float32(x)))
				codes = append(codes, code, code+1, max(code, 1)-1, code|1<<31, (code+1)|1<<31)
			}
		}
	}
	return codes
}

// bigModes are the ways of math/big to round.
var bigModes = map[num.Rounding]big.RoundingMode{
	num.NearestEven: big.ToNearestEven, num.NearestAway: big.ToNearestAway, num.Floor: big.ToNegativeInf,
	num.Ceil: big.ToPositiveInf, num.Zero: big.ToZero, num.Odd: big.ToZero,
}

// cut rounds to some bits of mantissa.
func cut(x *big.Float, prec uint, r num.Rounding) float64 {
	y := new(big.Float).SetPrec(prec).SetMode(bigModes[r]).Set(x)
	v, _ := y.Float64()
	if r != num.Odd || y.Acc() == big.Exact {
		return v
	}
	if odd := math.Float64bits(v) >> (53 - prec) & 1; odd == 0 {
		v = math.Copysign(math.Float64frombits(math.Float64bits(v)+1<<(53-prec)), v)
	}
	return v
}

// wholeNumber rounds to an integer.
func wholeNumber(x *big.Float, r num.Rounding) *big.Int {
	n, _ := x.Int(nil) // towards zero
	rest := new(big.Float).SetPrec(200).Sub(x, new(big.Float).SetPrec(200).SetInt(n))
	if rest.Sign() == 0 {
		return n
	}
	away := false
	half := new(big.Float).Abs(rest).Cmp(big.NewFloat(0.5))
	switch r {
	case num.NearestEven:
		away = half > 0 || half == 0 && n.Bit(0) == 1
	case num.NearestAway:
		away = half >= 0
	case num.Floor:
		away = x.Sign() < 0
	case num.Ceil:
		away = x.Sign() > 0
	case num.Odd:
		away = n.Bit(0) == 0
	}
	if away {
		n.Add(n, big.NewInt(int64(x.Sign())))
	}
	return n
}

// integerFrom converts to an integer format.
func integerFrom(to num.Format, x *big.Float, special float64, r num.Rounding, sat bool) uint64 {
	bits := uint(to.Bits())
	lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), bits)
	if to != to.Unsigned() {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	hi.Sub(hi, big.NewInt(1))
	var n *big.Int
	switch {
	case x != nil:
		n = wholeNumber(x, r)
	case !sat || special != special:
		return 0
	case special < 0:
		n = lo
	default:
		n = hi
	}
	if sat && n.Cmp(lo) < 0 {
		n = lo
	}
	if sat && n.Cmp(hi) > 0 {
		n = hi
	}
	all := new(big.Int).Lsh(big.NewInt(1), bits)
	return new(big.Int).Mod(n, all).Uint64()
}

// wideExpected is what converting a code gives.
func wideExpected(from, to num.Format, code uint64, r num.Rounding, sat bool) uint64 {
	x, special := exactly(from, code)
	switch {
	case to.IsInt():
		return integerFrom(to, x, special, r, sat)
	case x == nil:
		return expected(to, special, r, sat)
	case to == num.F32:
		return uint64(math.Float32bits(float32(cut(x, 24, r))))
	case x.Sign() == 0: // which may be negative
		v, _ := x.Float64()
		return expected(to, v, r, sat)
	}
	return expected(to, cut(x, 53, num.Odd), r, sat) // enough bits to round again
}

// TestConvertWide converts numbers of 32 and 64 bits.
func TestConvertWide(t *testing.T) {
	ints := []num.Format{num.I8, num.U8, num.I16, num.U16, num.I32, num.U32, num.I64, num.U64}
	floats := []num.Format{num.F16, num.BF16, num.F32}
	for _, from := range []num.Format{num.I32, num.U32, num.I64, num.U64, num.F32} {
		targets := slices.Concat(ints, floats)
		if from == num.F32 {
			targets = append(targets, num.F8E4M3FN, num.F8E5M2, num.HiF8)
		}
		codes := wideCodes(from)
		src := make([]byte, len(codes)*from.Bytes())
		for i, code := range codes {
			num.Store(from, src[i*from.Bytes():], code)
		}
		for _, to := range targets {
			if from != to {
				checkWide(t, from, to, codes, src)
			}
		}
	}
}

func checkWide(t *testing.T, from, to num.Format, codes []uint64, src []byte) {
	t.Helper()
	got := make([]byte, len(codes)*to.Bytes())
	for i := range 2 * len(conversionModes) {
		r, sat := conversionModes[i/2], i%2 == 1
		converter(from, to, r, sat)(got, src)
		for i, code := range codes {
			if g, want := num.Load(to, got[i*to.Bytes():]), wideExpected(from, to, code, r, sat); g != want {
				t.Errorf("%s %#x to %s, %s, saturated %t: %#x, want %#x", from, code, to, r, sat, g, want)
				return
			}
		}
	}
}
