package num

import (
	"math"
	"testing"
)

// FuzzEncodeDecode checks properties of all numbers in all formats: a number of the
// format encodes to itself, rounding is monotone and idempotent, and the result is one of
// the two neighbors.
func FuzzEncodeDecode(f *testing.F) {
	for _, b := range []uint64{0, 1, 0x3FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000001, 0xC0EFFFE000000000} {
		for _, format := range []Format{F16, HiF8, F8E4M3FN, I8, F8E8M0, U64} {
			f.Add(uint8(format), b, uint8(NearestEven), false)
		}
	}
	f.Fuzz(func(t *testing.T, format uint8, b uint64, mode uint8, sat bool) {
		fm := Formats()[int(format)%len(Formats())]
		r := Rounding(mode % uint8(numRoundings))
		x := math.Float64frombits(b)
		v := Encode(fm, x, r, sat)
		if v&^fm.Mask() != 0 {
			t.Fatalf("%v %v: bits beyond the width: %#x", fm, x, v)
		}
		if fm.IsInt() && fm.Bits() > 53 {
			return // Decode rounds
		}
		y := Decode(fm, v)
		if again := Encode(fm, y, r, sat); again != v {
			t.Fatalf("%v %v: %#x, and again %#x", fm, x, v, again)
		}
		if x != x || fm.IsInt() && !sat || y != y {
			return
		}
		next := math.Nextafter(x, math.Inf(1))
		if z := Decode(fm, Encode(fm, next, r, sat)); z < y {
			t.Fatalf("%v: %v gives %v, but the larger %v gives %v", fm, x, y, next, z)
		}
		switch lo, hi := Decode(fm, Lowest(fm)), Decode(fm, Max(fm)); {
		case x < lo || x > hi:
		case r == Floor && y > x && y != lo, r == Ceil && y < x && y != hi, r == Zero && math.Abs(y) > math.Abs(x) && y != lo:
			t.Fatalf("%v %v in mode %v gives %v", fm, x, r, y)
		}
	})
}

// FuzzParseFloat checks that every text yields a number or an error, and that the printed
// number parses as the same number.
func FuzzParseFloat(f *testing.F) {
	for _, s := range []string{"1.0", "-0.0", "1e-45", "0x7FC00000", "3.14159274", "1e400", "..", "9.9999999999999991E+22"} {
		f.Add(uint8(F32), s)
	}
	f.Fuzz(func(t *testing.T, format uint8, s string) {
		fm := Formats()[int(format)%len(Formats())]
		v, err := ParseFloat(fm, s)
		if err != nil {
			return
		}
		if back, err := ParseFloat(fm, FormatFloat(fm, v)); err != nil || back != v {
			t.Fatalf("%v %q: %#x is written %s and read as %#x, %v", fm, s, v, FormatFloat(fm, v), back, err)
		}
	})
}
