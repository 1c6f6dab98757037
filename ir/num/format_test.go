package num

import "testing"

func TestFormatTable(t *testing.T) {
	tests := []struct {
		f                        Format
		name                     string
		bits, bytes              int
		float, signed            bool
		unsigned, with, signless Format
	}{
		{I1, "i1", 1, 1, false, true, U1, S1, I1},
		{I4, "i4", 4, 1, false, true, U4, S4, I4},
		{I8, "i8", 8, 1, false, true, U8, S8, I8},
		{I16, "i16", 16, 2, false, true, U16, S16, I16},
		{I32, "i32", 32, 4, false, true, U32, S32, I32},
		{I64, "i64", 64, 8, false, true, U64, S64, I64},
		{S8, "si8", 8, 1, false, true, U8, S8, I8},
		{S64, "si64", 64, 8, false, true, U64, S64, I64},
		{U1, "ui1", 1, 1, false, false, U1, S1, I1},
		{U32, "ui32", 32, 4, false, false, U32, S32, I32},
		{F16, "f16", 16, 2, true, true, F16, F16, F16},
		{BF16, "bf16", 16, 2, true, true, BF16, BF16, BF16},
		{F32, "f32", 32, 4, true, true, F32, F32, F32},
		{F64, "f64", 64, 8, true, true, F64, F64, F64},
		{TF32, "tf32", 19, 4, true, true, TF32, TF32, TF32},
		{F8E4M3FN, "f8E4M3FN", 8, 1, true, true, F8E4M3FN, F8E4M3FN, F8E4M3FN},
		{F8E5M2, "f8E5M2", 8, 1, true, true, F8E5M2, F8E5M2, F8E5M2},
		{HiF8, "hif8", 8, 1, true, true, HiF8, HiF8, HiF8},
		{F8E8M0, "f8E8M0", 8, 1, true, false, F8E8M0, F8E8M0, F8E8M0},
		{F4E2M1, "f4E2M1", 4, 1, true, true, F4E2M1, F4E2M1, F4E2M1},
		{F4E1M2, "f4E1M2", 4, 1, true, true, F4E1M2, F4E1M2, F4E1M2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.f
			if f.String() != tt.name || f.Bits() != tt.bits || f.Bytes() != tt.bytes {
				t.Errorf("got %v, %d bits, %d bytes", f, f.Bits(), f.Bytes())
			}
			if f.IsFloat() != tt.float || f.IsInt() == tt.float || f.Signed() != tt.signed {
				t.Errorf("got float %v, int %v, signed %v", f.IsFloat(), f.IsInt(), f.Signed())
			}
			if f.Unsigned() != tt.unsigned || f.AsSigned() != tt.with || f.Signless() != tt.signless {
				t.Errorf("got unsigned %v, signed %v, signless %v", f.Unsigned(), f.AsSigned(), f.Signless())
			}
			if got, ok := ParseFormat(tt.name); !ok || got != f {
				t.Errorf("ParseFormat gives %v, %v", got, ok)
			}
		})
	}
}

// TestFormats checks that every format keeps its width when its sign is changed, and that
// Formats lists it once.
func TestFormats(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Formats() {
		if seen[f.String()] || f.String() == "" || f.Bits() == 0 || f.Bytes() == 0 {
			t.Errorf("row of format %d is not filled or not unique", f)
		}
		seen[f.String()] = true
		for _, g := range []Format{f.Unsigned(), f.AsSigned(), f.Signless()} {
			if g.Bits() != f.Bits() {
				t.Errorf("%v turns into %v", f, g)
			}
		}
		if f.Mask()>>(f.Bits()-1) != 1 {
			t.Errorf("%v has mask %#x", f, f.Mask())
		}
	}
	if len(seen) != 29 {
		t.Errorf("%d formats", len(seen))
	}
}

// TestInvalidFormat checks that the methods of Format do not panic for a value that is
// not a format.
func TestInvalidFormat(t *testing.T) {
	for _, f := range []Format{Invalid, numFormats, 255} {
		if f.String() != "invalid" || f.Bits() != 0 || f.IsFloat() || f.IsInt() || f.Signed() {
			t.Errorf("format %d looks valid", uint8(f))
		}
		for _, x := range []float64{0, 1, -1e300} {
			if got := Encode(f, x, NearestEven, false); got != 0 {
				t.Errorf("Encode(%d, %v) = %#x", uint8(f), x, got)
			}
		}
		if got := Convert(F32, f, 0x3F800000, Zero, true); got != 0 {
			t.Errorf("Convert gives %#x", got)
		}
		if got := Decode(f, 0xFF); got != 0 {
			t.Errorf("Decode gives %v", got)
		}
		if IsNaN(f, 1) || IsInf(f, 1) || Max(f) != 0 || Lowest(f) != 0 || NaN(f) != 0 {
			t.Error("special values of an invalid format")
		}
	}
	if _, ok := ParseFormat("invalid"); ok {
		t.Error("the name of the invalid format is read")
	}
}

func TestParseRounding(t *testing.T) {
	tests := map[string]Rounding{
		"R": NearestEven, "A": NearestAway, "F": Floor, "C": Ceil, "Z": Zero, "O": Odd, "H": HalfUp,
		"NONE": NearestEven, "RINT": NearestEven, "CAST_RINT": NearestEven, "ROUND": NearestAway,
		"FLOOR": Floor, "CEIL": Ceil, "TRUNC": Zero, "ODD": Odd, "CAST_TRUNC": Zero,
		"rtz": Zero, "rne": NearestEven, "odd": Odd,
	}
	for name, want := range tests {
		if got, ok := ParseRounding(name); !ok || got != want {
			t.Errorf("ParseRounding(%q) = %v, %v", name, got, ok)
		}
	}
	for r := range numRoundings {
		if got, ok := ParseRounding(r.String()); !ok || got != r {
			t.Errorf("letter %v is not read back", r)
		}
	}
	for _, name := range []string{"", "?", "X", "CAST_"} {
		if _, ok := ParseRounding(name); ok {
			t.Errorf("ParseRounding(%q) succeeds", name)
		}
	}
	if s := Rounding(200).String(); s != "?" {
		t.Errorf("unknown mode is %q", s)
	}
}
