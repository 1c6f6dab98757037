package num

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"ptogo/tools/testsize"
)

// smallFloats lists the formats whose numbers can all be enumerated. next is the number
// that would follow the largest one if the range continued.
var smallFloats = []struct {
	f    Format
	next float64
}{
	{F16, 65536}, {BF16, 0x1p128}, {TF32, 0x1p128}, {F8E4M3FN, 480}, {F8E5M2, 65536}, {HiF8, 49152},
	{F8E8M0, 0x1p128}, {F4E2M1, 8}, {F4E1M2, 2},
}

// number is one non-negative finite number of a format, with its code.
type number struct {
	value float64
	code  uint64
}

// numbers returns the non-negative finite numbers of f in ascending order, followed by
// next, the number that would come after the largest one.
func numbers(f Format, next float64) []number {
	var list []number
	for code := range uint64(1) << f.Bits() {
		if x := Decode(f, code); x >= 0 && !math.Signbit(x) && x <= math.MaxFloat64 {
			list = append(list, number{x, code})
		}
	}
	slices.SortFunc(list, func(a, b number) int {
		if a.value < b.value {
			return -1
		}
		return 1
	})
	return append(list, number{next, list[len(list)-1].code + 1})
}

// roundReference returns the index of the number in list to which x, between list[i] and
// list[i+1], is rounded by the definition of mode r. The midpoint has few bits, so the
// comparison with it is exact.
func roundReference(list []number, i int, x float64, r Rounding, neg bool) int {
	if list[i].value == x {
		return i
	}
	lo, hi := i, i+1
	mid := list[lo].value + (list[hi].value-list[lo].value)/2
	even := lo
	if list[lo].code%2 == 1 {
		even = hi
	}
	up, down := hi, lo // in the direction of +inf and -inf
	if neg {
		up, down = lo, hi
	}
	nearest := func(tie int) int {
		switch {
		case x < mid:
			return lo
		case x > mid:
			return hi
		}
		return tie
	}
	switch r {
	case NearestAway:
		return nearest(hi)
	case HalfUp:
		return nearest(up)
	case Floor:
		return down
	case Ceil:
		return up
	case Zero:
		return lo
	case Odd:
		return lo + hi - even
	}
	return nearest(even)
}

// encodeReference returns the code of ±x, where x is between list[i] and list[i+1].
func encodeReference(f Format, list []number, i int, x float64, r Rounding, neg, sat bool) uint64 {
	last := len(list) - 2
	n := roundReference(list, i, x, r, neg)
	if neg && f == F8E8M0 {
		return 255
	}
	if n > last {
		if sat || r == Odd { // round to odd stops at the largest number too
			n = last
		} else {
			return map[Format]uint64{
				F16: 0x7C00, BF16: 0x7F80, TF32: 0x3FC00, F8E4M3FN: 0x7F, F8E5M2: 0x7C, HiF8: 0x6F,
				F8E8M0: 255, F4E2M1: 7, F4E1M2: 7,
			}[f] | minus(f, neg && f != F8E4M3FN)
		}
	}
	code := list[n].code
	if f == HiF8 && code == 0 {
		return 0
	}
	return code | minus(f, neg)
}

func minus(f Format, neg bool) uint64 {
	if neg {
		return f.SignBit()
	}
	return 0
}

// TestEncodeExhaustive tests, between each two neighbors of each format, the lower
// number, the midpoint, and the floats next to the midpoint and to both neighbors, in
// every mode and with both signs.
func TestEncodeExhaustive(t *testing.T) {
	for _, s := range smallFloats {
		t.Run(s.f.String(), func(t *testing.T) {
			list := numbers(s.f, s.next)
			step := testsize.Of(5, 1)
			if s.f == TF32 { // 2^18 intervals: one in 17 is enough
				step *= 17
			}
			for i := 0; i < len(list)-1; i += step {
				lo, hi := list[i].value, list[i+1].value
				mid := lo + (hi-lo)/2
				points := []float64{
					lo, mid, math.Nextafter(lo, hi), math.Nextafter(hi, lo),
					math.Nextafter(mid, lo), math.Nextafter(mid, hi), lo + (hi-lo)/4,
				}
				for _, x := range points {
					for r := range numRoundings {
						for _, neg := range []bool{false, true} {
							y := x
							if neg {
								y = -x
							}
							if x == 0 {
								continue // below
							}
							checkEncode(t, s.f, list, i, x, y, r, neg)
						}
					}
				}
			}
		})
	}
}

func checkEncode(t *testing.T, f Format, list []number, i int, x, y float64, r Rounding, neg bool) {
	t.Helper()
	for _, sat := range []bool{false, true} {
		want := encodeReference(f, list, i, x, r, neg, sat)
		// The directed modes stop at the largest number even without saturation.
		if !sat && r.towardZero(neg) && (f != F8E8M0 || !neg) {
			want = encodeReference(f, list, i, x, r, neg, true)
		}
		if got := Encode(f, y, r, sat); got != want {
			t.Fatalf("Encode(%v, %v, %v, %v) = %#x, want %#x", f, y, r, sat, got, want)
		}
	}
}

// TestEncodeSpecial tests zeros, infinities, NaN, and numbers beyond the range.
func TestEncodeSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	tests := []struct {
		f    Format
		x    float64
		sat  bool
		want uint64
	}{
		{F16, 0, false, 0}, {F16, zero, false, 0x8000}, {F16, inf, false, 0x7C00}, {F16, -inf, false, 0xFC00},
		{F16, inf, true, 0x7BFF}, {F16, -inf, true, 0xFBFF}, {F16, nan, true, 0x7E00}, {F16, 1e300, false, 0x7C00},
		{BF16, nan, false, 0x7FC0}, {BF16, -inf, false, 0xFF80}, {TF32, nan, false, 0x3FE00},
		{F32, zero, false, 1 << 31}, {F32, inf, true, 0x7F7FFFFF}, {F32, inf, false, 0x7F800000}, {F32, nan, false, 0x7FC00000},
		{F32, 1e300, false, 0x7F800000}, {F32, -1e300, true, 0xFF7FFFFF}, {F32, 1e-300, false, 0},
		{F64, nan, false, 0x7FF8000000000000}, {F64, inf, true, 0x7FEFFFFFFFFFFFFF}, {F64, zero, true, 1 << 63},
		{F8E4M3FN, nan, false, 0x7F}, {F8E4M3FN, inf, false, 0x7F}, {F8E4M3FN, -inf, false, 0x7F},
		{F8E4M3FN, -inf, true, 0xFE}, {F8E4M3FN, 464, false, 0x7E}, {F8E4M3FN, 465, false, 0x7F}, {F8E4M3FN, zero, false, 0x80},
		{F8E5M2, inf, false, 0x7C}, {F8E5M2, inf, true, 0x7B}, {F8E5M2, nan, true, 0x7E},
		{HiF8, zero, false, 0}, {HiF8, nan, false, 0x80}, {HiF8, inf, false, 0x6F}, {HiF8, -inf, false, 0xEF},
		{HiF8, inf, true, 0x6E}, {HiF8, -inf, true, 0xEE}, {HiF8, -1e-9, false, 0},
		{F8E8M0, 0, false, 0}, {F8E8M0, zero, false, 0}, {F8E8M0, 1e-300, false, 0}, {F8E8M0, -1, false, 255},
		{F8E8M0, nan, true, 255}, {F8E8M0, inf, false, 255}, {F8E8M0, inf, true, 254}, {F8E8M0, -inf, true, 255}, {F8E8M0, 1e300, true, 254},
		{F4E2M1, nan, false, 0}, {F4E2M1, inf, false, 7}, {F4E2M1, -inf, true, 15}, {F4E2M1, 1e9, false, 7}, {F4E2M1, zero, false, 8},
		{F4E1M2, -100, false, 15}, {F4E1M2, nan, true, 0},
		{I8, nan, false, 0}, {I8, nan, true, 0}, {I8, inf, false, 0}, {I8, inf, true, 127}, {I8, -inf, true, 128},
		{U8, -inf, true, 0}, {U8, inf, true, 255}, {U8, -1, true, 0}, {U8, -1, false, 255}, {I32, zero, true, 0},
		{I64, 0x1p63, true, math.MaxInt64}, {I64, -0x1p63, true, 1 << 63}, {I64, 0x1p63, false, 1 << 63}, {I64, 0x1p70, false, 0},
		{U64, 0x1p63, true, 1 << 63}, {U64, 0x1p64, true, ^uint64(0)}, {U64, 0x1p64, false, 0},
		{I1, 1, false, 1}, {I1, 1, true, 0}, {U1, 1, true, 1}, {I1, -1, true, 1}, {I4, 8, true, 7}, {I4, 9, false, 9},
	}
	for _, tt := range tests {
		if got := Encode(tt.f, tt.x, NearestEven, tt.sat); got != tt.want {
			t.Errorf("Encode(%v, %v, sat %v) = %#x, want %#x", tt.f, tt.x, tt.sat, got, tt.want)
		}
	}
}

// TestEncodeF32 compares Encode for f32 with the conversion of the processor and with
// math/big.
func TestEncodeF32(t *testing.T) {
	modes := map[Rounding]big.RoundingMode{
		NearestEven: big.ToNearestEven, NearestAway: big.ToNearestAway, Zero: big.ToZero,
		Floor: big.ToNegativeInf, Ceil: big.ToPositiveInf,
	}
	for _, b := range wideBits() {
		x := math.Float64frombits(b)
		if x != x {
			continue
		}
		want := uint64(math.Float32bits(float32(x)))
		if got := layoutEncode(F32, x, NearestEven); got != want {
			t.Fatalf("layout of %v = %#x, want %#x", x, got, want)
		}
		if got := Encode(F32, x, NearestEven, false); got != want {
			t.Fatalf("Encode(%v) = %#x, want %#x", x, got, want)
		}
		if a := math.Abs(x); a < 0x1p-126 || a > math.MaxFloat32 {
			continue // math/big knows no denormals
		}
		for r, mode := range modes {
			y := new(big.Float).SetPrec(24).SetMode(mode).SetFloat64(x)
			f32, _ := y.Float32()
			if got := Encode(F32, x, r, false); got != uint64(math.Float32bits(f32)) {
				t.Fatalf("Encode(%v, %v) = %#x, want %v", x, r, got, f32)
			}
		}
	}
}

// layoutEncode encodes x without the fast path that Encode has for f32.
func layoutEncode(f Format, x float64, r Rounding) uint64 {
	switch {
	case math.IsInf(x, 0):
		return encodeInf(f, x < 0)
	case x == 0:
		return encodeZero(f, math.Signbit(x))
	}
	frac, e := math.Frexp(math.Abs(x))
	return encodeExact(f, x < 0, uint64(frac*(1<<53)), e-53, r, false)
}

// TestOddThenNearest checks the purpose of rounding to odd: rounding to odd and then to
// nearest is the same as rounding once.
func TestOddThenNearest(t *testing.T) {
	for _, b := range wideBits() {
		x := math.Float64frombits(b)
		once := Encode(F16, x, NearestEven, false)
		twice := Convert(F32, F16, Encode(F32, x, Odd, false), NearestEven, false)
		if once != twice && !math.IsInf(x, 0) {
			t.Fatalf("%v: %#x at once, %#x by f32", x, once, twice)
		}
	}
}

func TestEncodeRoundTrip(t *testing.T) {
	for _, f := range Formats() {
		if f.Bits() > 19 {
			continue
		}
		t.Run(f.String(), func(t *testing.T) {
			for code := range uint64(1) << f.Bits() {
				x := Decode(f, code)
				for r := range numRoundings {
					if got := Encode(f, x, r, false); !Same(f, got, code) {
						t.Fatalf("%#x is %v is %#x in mode %v", code, x, got, r)
					}
				}
				if IsNaN(f, code) != (x != x) || IsInf(f, code) != math.IsInf(x, 0) {
					t.Fatalf("%#x = %v, but IsNaN %v, IsInf %v", code, x, IsNaN(f, code), IsInf(f, code))
				}
				if x <= math.MaxFloat64 && x >= -math.MaxFloat64 && (x > Decode(f, Max(f)) || x < Decode(f, Lowest(f))) {
					t.Fatalf("%#x = %v is outside the limits", code, x)
				}
			}
		})
	}
}

// TestAnyNaN compares the search in adjacent elements with the test of a single one. The
// elements around the tested one are zero.
func TestAnyNaN(t *testing.T) {
	for _, f := range Formats() {
		codes := []uint64{0, NaN(f), Max(f), Max(f) + 1, f.Mask(), f.Mask() >> 1, f.Mask() - 1, f.Mask()>>1 + 1}
		if f.Bits() <= 16 {
			codes = nil
			for code := range uint64(1) << f.Bits() {
				codes = append(codes, code)
			}
		}
		data := make([]byte, 3*f.Bytes())
		for _, code := range codes {
			Store(f, data[f.Bytes():], code)
			if got := AnyNaN(f, data); got != IsNaN(f, code) {
				t.Fatalf("%s: %#x is a NaN: %v, found %v", f, code, IsNaN(f, code), got)
			}
		}
	}
}

func TestSame(t *testing.T) {
	tests := []struct {
		f    Format
		a, b uint64
		want bool
	}{
		{F32, 0x7FC00000, 0xFFC12345, true},
		{F32, 0, 1 << 31, false},
		{F32, 0x7F800000, 0x7FC00000, false},
		{F16, 0x10001, 0x1, true},
		{I16, 0xFFFF, 0xFFFF, true},
		{HiF8, 0x80, 0x00, false},
		{F8E4M3FN, 0x7F, 0xFF, true},
	}
	for _, tt := range tests {
		if got := Same(tt.f, tt.a, tt.b); got != tt.want {
			t.Errorf("Same(%v, %#x, %#x) = %v", tt.f, tt.a, tt.b, got)
		}
	}
}

func ExampleEncode() {
	for _, r := range []Rounding{NearestEven, NearestAway, Zero} {
		fmt.Println(r, Decode(F4E2M1, Encode(F4E2M1, 2.5, r, false)))
	}
	// Output:
	// R 2
	// A 3
	// Z 2
}
