package num

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// TestFormatFloat compares FormatFloat with texts that mlir-opt has printed for
// arith.constant operations with the same bits.
func TestFormatFloat(t *testing.T) {
	tests := []struct {
		f    Format
		bits uint64
		want string
	}{
		{F32, 0x00000000, "0.000000e+00"},
		{F32, 0x80000000, "-0.000000e+00"},
		{F32, 0x3F800000, "1.000000e+00"},
		{F32, 0xBF800000, "-1.000000e+00"},
		{F32, 0x3DCCCCCD, "1.000000e-01"},
		{F32, 0x40490FDB, "3.14159274"},
		{F32, 0x501502F9, "1.000000e+10"},
		{F32, 0x4CEB79A3, "0x4CEB79A3"}, // 123456792 has no point
		{F32, 0x00000001, "1.401300e-45"},
		{F32, 0x7F7FFFFF, "3.40282347E+38"},
		{F32, 0x00800000, "1.17549435E-38"},
		{F32, 0x7FC00000, "0x7FC00000"},
		{F32, 0xFFC00001, "0xFFC00001"},
		{F32, 0x7F800000, "0x7F800000"},
		{F64, 0x3FB999999999999A, "1.000000e-01"},
		{F64, 0x400921FB53C8D4F1, "3.1415926500000002"},
		{F64, 0x419D6F3454000000, "0x419D6F3454000000"},
		{F64, 0x44B52D02C7E14AF6, "9.9999999999999991E+22"}, // rounded by LLVM's digit cutting
		{F64, 0x0000000000000001, "4.940660e-324"},
		{F64, 0x7FEFFFFFFFFFFFFF, "1.7976931348623157E+308"},
		{F64, 0x7FF8000000000000, "0x7FF8000000000000"},
		{F16, 0x2E66, "9.997550e-02"},
		{F16, 0x7BFF, "6.550400e+04"},
		{F16, 0x0001, "5.960460e-08"},
		{F16, 0x7E00, "0x7E00"},
		{BF16, 0x3DCD, "1.000980e-01"},
		{BF16, 0x7FC0, "0x7FC0"},
		{F8E4M3FN, 0x1D, "1.015630e-01"},
		{F8E4M3FN, 0x7E, "4.480000e+02"},
		{F8E4M3FN, 0x7F, "0x7F"},
		{F8E5M2, 0x7C, "0x7C"},
		{TF32, 0x1EE66, "9.997550e-02"},
		{HiF8, 0x6F, "0x6F"},
		{HiF8, 0x0C, "1.500000e+00"},
		{F8E8M0, 0xFF, "0xFF"},
		{F4E2M1, 0xF, "-6.000000e+00"},
	}
	for _, tt := range tests {
		if got := FormatFloat(tt.f, tt.bits); got != tt.want {
			t.Errorf("FormatFloat(%v, %#x) = %s, want %s", tt.f, tt.bits, got, tt.want)
		}
	}
}

func TestFormatFloatReadsBack(t *testing.T) {
	check := func(f Format, bits uint64) {
		t.Helper()
		s := FormatFloat(f, bits)
		if got, err := ParseFloat(f, s); err != nil || got != bits {
			t.Fatalf("%v %#x is %s is %#x, %v", f, bits, s, got, err)
		}
	}
	for _, s := range smallFloats {
		for code := range uint64(1) << s.f.Bits() {
			check(s.f, code)
		}
	}
	for _, b := range wideBits() {
		check(F64, b)
		check(F32, b>>32)
		check(F32, uint64(math.Float32bits(float32(math.Float64frombits(b)))))
	}
}

func TestParseFloat(t *testing.T) {
	tests := []struct {
		f    Format
		s    string
		want uint64
		err  string
	}{
		{F32, "1.0", 0x3F800000, ""},
		{F32, "-2.5e-1", 0xBE800000, ""},
		{F32, "1.", 0x3F800000, ""},
		{F32, "+1.5", 0x3FC00000, ""},
		{F32, "0x7FC00000", 0x7FC00000, ""},
		{F32, "1e39", 0x7F800000, ""},
		{F16, "65520.0", 0x7C00, ""},
		{F8E4M3FN, "0x7F", 0x7F, ""},
		{HiF8, "0.3", 0x32, ""},
		{F16, "0x10000", 0, "out of range for f16"},
		{F32, "0xG", 0, "out of range"},
		{F32, "-0x1", 0, "not a floating-point literal"},
		{F32, "inf", 0, "not a floating-point literal"},
		{F32, "nan", 0, "not a floating-point literal"},
		{F32, "1_0", 0, "not a floating-point literal"},
		{F32, "1p3", 0, "not a floating-point literal"},
		{F32, "", 0, "not a floating-point literal"},
		{F32, "1e400", 0x7F800000, ""},
		{F64, "-1e400", 0xFFF0000000000000, ""},
		{I32, "1.0", 0, "i32 is not a floating-point type"},
	}
	for _, tt := range tests {
		got, err := ParseFloat(tt.f, tt.s)
		switch {
		case tt.err == "" && err != nil:
			t.Errorf("ParseFloat(%v, %q) fails: %v", tt.f, tt.s, err)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("ParseFloat(%v, %q) gives error %v, want %q", tt.f, tt.s, err, tt.err)
		case got != tt.want:
			t.Errorf("ParseFloat(%v, %q) = %#x, want %#x", tt.f, tt.s, got, tt.want)
		}
	}
}

// TestTruncatedDigits compares integers of 256 bits with integers of any size.
func TestTruncatedDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 2))
	small := 0
	for range 200_000 {
		x := math.Abs(math.Float64frombits(r.Uint64()))
		if r.IntN(2) == 0 {
			x = math.Ldexp(r.Float64(), r.IntN(120)-60)
		}
		if x == 0 || x-x != 0 {
			continue
		}
		prec := 1 + r.IntN(17)
		m, e := parts(x)
		got, exp := appendTruncated(nil, x, prec)
		want, wantExp := appendTruncatedBig(nil, m, e, prec)
		if string(got) != string(want) || exp != wantExp {
			t.Fatalf("%b with %d digits: %se%d, want %se%d", x, prec, got, exp, want, wantExp)
		}
		if e > -80 && e < 200 {
			small++
		}
	}
	if small < 50_000 {
		t.Errorf("only %d numbers fit 256 bits", small)
	}
}

// TestReadsBack compares the test of six digits with reading the text.
func TestReadsBack(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 3))
	for range 200_000 {
		// Numbers of few digits, and their neighbours.
		text := fmt.Sprintf("%d.%de%d", 1+r.IntN(9), r.IntN(100_000), r.IntN(60)-30)
		f := []Format{F16, BF16, F32, F64}[r.IntN(4)]
		bits, err := ParseFloat(f, text)
		if err != nil {
			t.Fatal(err)
		}
		bits += uint64(r.IntN(3)) - 1
		x := Decode(f, bits)
		if x == 0 || x-x != 0 {
			continue
		}
		d := decimal(x, 6)
		short := string(d.appendPadded(nil, 6))
		y, err := strconv.ParseFloat(short, map[bool]int{true: 32, false: 64}[f == F32])
		if err != nil {
			continue
		}
		if want := Encode(f, y, NearestEven, false) == bits; d.readsBack(f, bits, x) != want {
			t.Fatalf("%s of %s reads back as %v: want %t", f, short, y, want)
		}
	}
}
