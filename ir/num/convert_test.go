package num

import (
	"math"
	"math/big"
	"testing"
)

// roundInt rounds x to an integral value with the functions of package math.
func roundInt(x float64, r Rounding) float64 {
	switch r {
	case NearestAway:
		return math.Round(x)
	case HalfUp:
		return math.Floor(x + 0.5)
	case Floor:
		return math.Floor(x)
	case Ceil:
		return math.Ceil(x)
	case Zero:
		return math.Trunc(x)
	case Odd:
		n := math.Trunc(x)
		if n != x && math.Mod(n, 2) == 0 {
			n += math.Copysign(1, x)
		}
		return n
	}
	return math.RoundToEven(x)
}

// TestFloatToInt converts all f16 numbers to integers and compares with float64
// arithmetic, which represents every number and its rounding exactly.
func TestFloatToInt(t *testing.T) {
	for _, to := range []Format{I1, U1, I4, U4, I8, U8, S8, I16, U16, I32, U32, S64, U64} {
		t.Run(to.String(), func(t *testing.T) {
			limits := intRange(to)
			for code := range uint64(1 << 16) {
				x := Decode(F16, code)
				for r := range numRoundings {
					var n, clamped int64
					switch {
					case x != x:
					case math.IsInf(x, 0):
						n, clamped = 0, clamp(int64(math.Copysign(1<<40, x)), limits)
						if to.Bits() == 64 {
							clamped = int64(Max(to))
							if x < 0 {
								clamped = int64(Lowest(to))
							}
						}
					default:
						n = int64(roundInt(x, r))
						clamped = clamp(n, limits)
					}
					if got, want := Convert(F16, to, code, r, false), uint64(n)&to.Mask(); got != want {
						t.Fatalf("%v to %v wraps to %#x, want %#x", x, r, got, want)
					}
					if got, want := Convert(F16, to, code, r, true), uint64(clamped)&to.Mask(); got != want {
						t.Fatalf("%v to %v clamps to %#x, want %#x", x, r, got, want)
					}
				}
			}
		})
	}
}

// intRange returns the smallest and the largest integer of a format, limited to the range
// of f16.
func intRange(f Format) [2]int64 {
	w := min(f.Bits(), 62)
	if f.Signed() {
		return [2]int64{-1 << (w - 1), 1<<(w-1) - 1}
	}
	return [2]int64{0, 1<<w - 1}
}

func clamp(n int64, r [2]int64) int64 { return min(max(n, r[0]), r[1]) }

// TestFloatToIntWraps checks that large floats wrap modulo the width of an integer
// format. math/big computes the expected result from the exact integer.
func TestFloatToIntWraps(t *testing.T) {
	for _, b := range wideBits() {
		x := math.Float64frombits(b)
		if x-x != 0 || math.Abs(x) > 0x1p200 {
			continue
		}
		exact, _ := new(big.Float).SetFloat64(math.Trunc(x)).Int(nil)
		for _, to := range []Format{I8, U16, I32, U32, I64, U64} {
			mod := new(big.Int).Lsh(big.NewInt(1), uint(to.Bits()))
			want := new(big.Int).Mod(exact, mod).Uint64()
			if got := Encode(to, x, Zero, false); got != want {
				t.Fatalf("%v to %v = %#x, want %#x", x, to, got, want)
			}
			if got, want := Encode(to, x, Zero, true), clampBig(to, exact); got != want {
				t.Fatalf("%v to %v clamps to %#x, want %#x", x, to, got, want)
			}
		}
	}
}

// clampBig returns the bits of the integer n limited to the range of f.
func clampBig(f Format, n *big.Int) uint64 {
	one := big.NewInt(1)
	lo, hi := new(big.Int), new(big.Int).Lsh(one, uint(f.Bits()))
	if f.Signed() {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	hi.Sub(hi, one)
	switch {
	case n.Cmp(lo) < 0:
		n = lo
	case n.Cmp(hi) > 0:
		n = hi
	}
	mod := new(big.Int).Lsh(one, uint(f.Bits()))
	return new(big.Int).Mod(n, mod).Uint64()
}

// TestIntToInt tests every pair of integer formats, with all 16-bit patterns and with the
// limits of wider formats.
func TestIntToInt(t *testing.T) {
	var patterns []uint64
	for v := range uint64(1 << 16) {
		patterns = append(patterns, v)
	}
	for s := range 64 {
		patterns = append(patterns, 1<<s-1, 1<<s, 1<<s+1, ^uint64(0)<<s)
	}
	for from := I1; from <= U64; from++ {
		for to := I1; to <= U64; to++ {
			for i, v := range patterns {
				if i%7 != 0 && i < 1<<16 && (from.Bits() != 16 || to.Bits() != 8) {
					continue
				}
				exact := new(big.Int).SetUint64(Uint(from, v))
				if from.Signed() {
					exact.SetInt64(Int(from, v))
				}
				if got, want := Convert(from, to, v, NearestEven, true), clampBig(to, exact); got != want {
					t.Fatalf("%v %#x clamps to %v %#x, want %#x", from, v, to, got, want)
				}
				want := uint64(Int(from, v)) & to.Mask()
				if !from.Signed() {
					want = Uint(from, v) & to.Mask()
				}
				if got := Convert(from, to, v, NearestEven, false); got != want {
					t.Fatalf("%v %#x wraps to %v %#x, want %#x", from, v, to, got, want)
				}
			}
		}
	}
}

// TestIntToFloat checks that integers are converted to floats with a single rounding. For
// example, 2^54 + 2^30 + 1 via f64 would first lose the 1 and then be a tie.
func TestIntToFloat(t *testing.T) {
	tests := []struct {
		name     string
		from, to Format
		bits     uint64
		want     uint64
	}{
		{"not a tie", I64, F32, 1<<54 + 1<<30 + 1, 0x5A800001},
		{"a tie", I64, F32, 1<<54 + 1<<30, 0x5A800000},
		{"negative", I64, F32, ^uint64(1<<54 + 1<<30), 0xDA800001},
		{"largest unsigned", U64, F32, ^uint64(0), 0x5F800000},
		{"the same bits signed", I64, F32, ^uint64(0), 0xBF800000},
		{"smallest", I64, F64, 1 << 63, 0xC3E0000000000000},
		{"f16 overflows", I32, F16, 65520, 0x7C00},
		{"f16 saturates not", I32, F16, 65519, 0x7BFF},
		{"zero", I32, F32, 0, 0},
		{"zero scale", U8, F8E8M0, 0, 0},
		{"truth value", U1, F32, 1, 0x3F800000},
		{"hif8", I8, HiF8, 15, 0x2F},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Convert(tt.from, tt.to, tt.bits, NearestEven, false); got != tt.want {
				t.Errorf("got %#x, want %#x", got, tt.want)
			}
		})
	}
	r := rng()
	for range 100000 {
		v := int64(r.Uint64()) >> r.IntN(60)
		want, _ := new(big.Float).SetPrec(24).SetInt64(v).Float32()
		if got := Convert(I64, F32, uint64(v), NearestEven, false); got != uint64(math.Float32bits(want)) {
			t.Fatalf("%d = %#x, want %v", v, got, want)
		}
	}
}

// TestFloatToFloat checks for every pair of small float formats that Convert agrees with
// Decode followed by Encode, and that a number which the target format contains is
// unchanged.
func TestFloatToFloat(t *testing.T) {
	for _, from := range smallFloats {
		for _, to := range smallFloats {
			for code := uint64(0); code < 1<<from.f.Bits(); code += 1 + uint64(from.f.Bits()/12) {
				x := Decode(from.f, code)
				for r := range numRoundings {
					got := Convert(from.f, to.f, code, r, false)
					if want := Encode(to.f, x, r, false); got != want {
						t.Fatalf("%v %#x to %v = %#x, want %#x", from.f, code, to.f, got, want)
					}
				}
			}
		}
	}
}

// TestConvertSame checks that a conversion to the same format keeps the bits, except
// those of a NaN.
func TestConvertSame(t *testing.T) {
	tests := []struct {
		name       string
		f          Format
		bits, want uint64
		sat        bool
	}{
		{"negative zero", F32, 1 << 31, 1 << 31, false},
		{"signaling", F32, 0x7F800001, 0x7FC00000, false},
		{"infinity", F32, 0x7F800000, 0x7F800000, false},
		{"infinity saturates", F32, 0xFF800000, 0xFF7FFFFF, true},
		{"denormal", F64, 1, 1, true},
		{"extra bits", I8, 0x1FF, 0xFF, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Convert(tt.f, tt.f, tt.bits, NearestEven, tt.sat); got != tt.want {
				t.Errorf("got %#x, want %#x", got, tt.want)
			}
		})
	}
}
