package pto_test

import (
	"math"
	"testing"

	"ptogo/dialect/pto"
)

// TestPrintf has conversions that Go and C read otherwise, with what C prints.
func TestPrintf(t *testing.T) {
	for _, c := range []struct {
		format string
		bits   uint64
		want   string
	}{
		{"%+llu|", 11, "11|"},
		{"% llx|", 11, "b|"},
		{"%+llX|", 171, "AB|"},
		{"%#08llx|", 11, "0x00000b|"},
		{"%#-8llX|", 11, "0XB     |"},
		{"%#llx|", 0, "0|"},
		{"%#.8llo|", 11, "00000013|"},
		{"%#.0llo|", 0, "0|"},
		{"%+.0lld|", 0, "+|"},
		{"%08.3lld|", 5, "     005|"},
		{"%0+8lld|", math.MaxUint64, "-0000001|"},
		{"% lld|", 1 << 63, "-9223372036854775808|"},
		{"%g|", math.Float64bits(100000), "100000|"},
		{"%#g|", math.Float64bits(1.5), "1.50000|"},
		{"%+08f|", math.Float64bits(math.Inf(1)), "    +inf|"},
		{"%+-6G|", math.Float64bits(math.NaN()), "+NAN  |"},
	} {
		if got := pto.Printf(c.format, c.bits); got != c.want {
			t.Errorf("Printf(%q, %#x) = %q, want %q", c.format, c.bits, got, c.want)
		}
	}
}
