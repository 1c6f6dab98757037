package num

import (
	"math"
	"strconv"
	"testing"

	"github.com/x448/float16"
)

// sameFloat reports whether a and b are the same number. All NaNs are equal, and the two
// zeros differ.
func sameFloat(a, b float64) bool {
	return a == b && math.Signbit(a) == math.Signbit(b) || a != a && b != b
}

// TestDecodeFourBits compares the 4-bit formats with complete lists of their numbers.
func TestDecodeFourBits(t *testing.T) {
	tests := map[Format][8]float64{
		F4E2M1: {0, 0.5, 1, 1.5, 2, 3, 4, 6},
		F4E1M2: {0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75},
	}
	for f, values := range tests {
		for code, want := range values {
			if got := Decode(f, uint64(code)); !sameFloat(got, want) {
				t.Errorf("%v %#x = %v, want %v", f, code, got, want)
			}
			if got := Decode(f, uint64(code|8)); !sameFloat(got, -want) {
				t.Errorf("%v %#x = %v, want %v", f, code|8, got, -want)
			}
		}
	}
}

// TestDecodeFields compares Decode with the definition of floats with fixed fields,
// computed with math.Pow instead of bit operations.
func TestDecodeFields(t *testing.T) {
	tests := []struct {
		f         Format
		exp, man  int
		bias      float64
		infinity  bool // the largest exponent means infinity and NaN
		onlyAtAll bool // all bits set is NaN
	}{
		{F8E4M3FN, 4, 3, 7, false, true},
		{F8E5M2, 5, 2, 15, true, false},
		{F16, 5, 10, 15, true, false},
		{BF16, 8, 7, 127, true, false},
		{TF32, 8, 10, 127, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.f.String(), func(t *testing.T) {
			for code := range uint64(1) << tt.f.Bits() {
				e, m := code>>tt.man&(1<<tt.exp-1), code&(1<<tt.man-1)
				frac := float64(m) / math.Pow(2, float64(tt.man))
				last, full := e == 1<<tt.exp-1, m == 1<<tt.man-1
				var want float64
				switch {
				case tt.infinity && last && m == 0:
					want = math.Inf(1)
				case tt.infinity && last, tt.onlyAtAll && last && full:
					want = math.NaN()
				case e == 0:
					want = frac * math.Pow(2, 1-tt.bias)
				default:
					want = (1 + frac) * math.Pow(2, float64(e)-tt.bias)
				}
				if code>>(tt.exp+tt.man) == 1 {
					want = -want
				}
				if got := Decode(tt.f, code); !sameFloat(got, want) {
					t.Fatalf("%#x = %v, want %v", code, got, want)
				}
			}
		})
	}
}

func TestDecodeE8M0(t *testing.T) {
	for code := range uint64(255) {
		if got, want := Decode(F8E8M0, code), math.Pow(2, float64(code)-127); got != want {
			t.Errorf("%#x = %v, want %v", code, got, want)
		}
	}
	if got := Decode(F8E8M0, 255); got == got {
		t.Errorf("0xff = %v, want NaN", got)
	}
}

// hif8Reference decodes a HiF8 code as the paper describes it, from a string of bits, one
// field after the other.
func hif8Reference(code uint8) float64 {
	bits := strconv.FormatUint(uint64(code)|1<<8, 2)[1:]
	take := func(n int) (v int) {
		for _, b := range bits[:n] {
			v = 2*v + int(b-'0')
		}
		bits = bits[n:]
		return v
	}
	sign := 1.0 - 2*float64(take(1))
	dots := []struct {
		prefix   string
		exponent int
	}{{"11", 4}, {"10", 3}, {"01", 2}, {"001", 1}, {"0001", 0}}
	for _, d := range dots {
		if len(bits) < len(d.prefix) || bits[:len(d.prefix)] != d.prefix {
			continue
		}
		take(len(d.prefix))
		e := 0.0
		if d.exponent > 0 {
			negative := take(1)
			magnitude := 1<<(d.exponent-1) + take(d.exponent-1)
			e = float64(magnitude) * (1 - 2*float64(negative))
		}
		n := len(bits)
		frac := float64(take(n)) / math.Pow(2, float64(n))
		return sign * (1 + frac) * math.Pow(2, e)
	}
	take(4)
	return sign * math.Pow(2, float64(take(3))-23)
}

func TestDecodeHiF8(t *testing.T) {
	special := map[uint8]float64{0x00: 0, 0x80: math.NaN(), 0x6F: math.Inf(1), 0xEF: math.Inf(-1)}
	seen := map[float64]bool{}
	perMantissa := map[float64]int{} // step relative to the power of two -> count
	for code := range 256 {
		want, ok := special[uint8(code)]
		if !ok {
			want = hif8Reference(uint8(code))
		}
		got := Decode(HiF8, uint64(code))
		if !sameFloat(got, want) {
			t.Errorf("%#02x = %v, want %v", code, got, want)
		}
		if seen[got] {
			t.Errorf("%#02x = %v again", code, got)
		}
		seen[got] = true
	}
	// The paper's counts: 7 exponents with 3 mantissa bits, 8 with 2, 16 with
	// 1, and 7 denormal powers of two. 1.5 at the largest exponent is infinity.
	for x := range seen {
		if x > 0 && x <= math.MaxFloat64 {
			frac, e := math.Frexp(x)
			if frac == 0.5 { // a power of two: count the mantissas at its exponent
				n := 0.0
				for y := range seen {
					if f, ey := math.Frexp(y); f > 0 && ey == e && y <= math.MaxFloat64 {
						n++
					}
				}
				if x == 32768 {
					n++
				}
				perMantissa[n]++
			}
		}
	}
	for n, want := range map[float64]int{8: 7, 4: 8, 2: 16, 1: 7} {
		if perMantissa[n] != want {
			t.Errorf("%d exponents have %v mantissas, want %d", perMantissa[n], n, want)
		}
	}
	landmarks := map[uint64]float64{
		0x01: math.Pow(2, -22), 0x07: math.Pow(2, -16), 0x7E: math.Pow(2, -15),
		0x08: 1, 0x0C: 1.5, 0x10: 2, 0x18: 0.5, 0x20: 4, 0x40: 16, 0x60: 256, 0x6E: 32768,
	}
	for code, want := range landmarks {
		if got := Decode(HiF8, code); got != want {
			t.Errorf("%#02x = %v, want %v", code, got, want)
		}
	}
}

// TestDecodeWide checks that f32 and f64 are decoded as the processor's own formats.
func TestDecodeWide(t *testing.T) {
	for _, bits := range wideBits() {
		if got, want := Decode(F64, bits), math.Float64frombits(bits); !sameFloat(got, want) {
			t.Errorf("f64 %#x = %v, want %v", bits, got, want)
		}
		b32 := uint32(bits >> 32)
		if got, want := Decode(F32, uint64(b32)), float64(math.Float32frombits(b32)); !sameFloat(got, want) {
			t.Errorf("f32 %#x = %v, want %v", b32, got, want)
		}
	}
	for code := range 1 << 16 {
		want := float64(float16.Frombits(uint16(code)).Float32())
		if got := Decode(F16, uint64(code)); !sameFloat(got, want) {
			t.Fatalf("f16 %#x = %v, want %v", code, got, want)
		}
	}
}

func TestDecodeInts(t *testing.T) {
	tests := []struct {
		f    Format
		bits uint64
		want float64
	}{
		{I1, 1, -1}, {U1, 1, 1}, {I4, 0x8, -8}, {U4, 0xF, 15}, {S4, 0x17, 7},
		{I8, 0x80, -128}, {U8, 0x80, 128}, {I16, 0xFFFF, -1}, {U16, 0xFFFF, 65535},
		{I32, 1 << 31, -1 << 31}, {U32, 1 << 31, 1 << 31},
		{I64, 1 << 63, -1 << 63}, {U64, 1 << 63, 1 << 63}, {U64, ^uint64(0), 1 << 64},
	}
	for _, tt := range tests {
		if got := Decode(tt.f, tt.bits); got != tt.want {
			t.Errorf("Decode(%v, %#x) = %v, want %v", tt.f, tt.bits, got, tt.want)
		}
	}
}

func TestIntUint(t *testing.T) {
	for v := range uint64(1 << 16) {
		if got, want := Int(U16, v|0xABC0000), int64(int16(v)); got != want {
			t.Fatalf("Int(%#x) = %d, want %d", v, got, want)
		}
		if got := Uint(S16, v|0xABC0000); got != v {
			t.Fatalf("Uint(%#x) = %d", v, got)
		}
	}
	if Int(I1, 1) != -1 || Int(I4, 0xF) != -1 || Int(I64, 1<<63) != math.MinInt64 || Uint(I1, 3) != 1 {
		t.Error("extension at the edges of the widths")
	}
}
