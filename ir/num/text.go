// This file formats and parses numbers exactly.

package num

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// FormatFloat returns a number of format f in the syntax in which MLIR prints it. It
// prefers a text with six digits after the point (1.000000e+00), if parsing this text
// returns the same number. If it does not, the text has as many digits as the format
// needs. There are two exceptions, in which the result is the bits in hexadecimal: the
// text with these digits has no decimal point, or the number is infinite or NaN.
func FormatFloat(f Format, bits uint64) string { return string(AppendFloat(nil, f, bits)) }

// AppendFloat appends a number as text to b and returns the extended slice. bits are the
// bits of the number in format f. The text is the result of FormatFloat for this number.
func AppendFloat(b []byte, f Format, bits uint64) []byte {
	bits &= f.Mask()
	x := Decode(f, bits)
	if IsNaN(f, bits) || IsInf(f, bits) {
		return appendHexFloat(b, f, bits)
	}
	if x == 0 {
		if bits != 0 {
			b = append(b, '-')
		}
		return append(b, "0.000000e+00"...)
	}
	if d := decimal(x, 6); d.readsBack(f, bits, x) {
		return d.appendPadded(b, 6)
	}
	// By Steele and White, this number of digits is enough to read any number back.
	// 59/196 is just below the decimal digits per bit.
	prec := 2 + significand(f)*59/196
	start := len(b)
	d := decimal(x, prec)
	if b = d.appendNatural(b, prec); bytes.IndexByte(b[start:], '.') >= 0 {
		return b
	}
	return appendHexFloat(b[:start], f, bits)
}

// appendHexFloat appends the bits in hexadecimal, with leading zeros.
func appendHexFloat(b []byte, f Format, bits uint64) []byte {
	return fmt.Appendf(b, "0x%0*X", (f.Bits()+3)/4, bits)
}

// significand returns the number of mantissa bits, including the implicit leading
// 1.
func significand(f Format) int {
	switch f {
	case HiF8:
		return 4
	case F8E8M0:
		return 1
	}
	return layouts[f].man + 1
}

// ParseFloat returns the number that the float literal s denotes in format f. As in MLIR,
// a decimal literal is first read as f64 and then rounded to f. A hexadecimal literal
// holds the bits of the number.
func ParseFloat(f Format, s string) (uint64, error) {
	if !f.IsFloat() {
		return 0, fmt.Errorf("%s is not a floating-point type", f)
	}
	if hex, ok := strings.CutPrefix(s, "0x"); ok {
		v, err := strconv.ParseUint(hex, 16, 64)
		if err != nil || v&^f.Mask() != 0 {
			return 0, fmt.Errorf("hexadecimal float constant %q out of range for %s", s, f)
		}
		return v, nil
	}
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, fmt.Errorf("%q is not a floating-point literal", s)
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // out of range is infinity
		return 0, fmt.Errorf("%q is not a floating-point literal", s)
	}
	return Encode(f, x, NearestEven, false), nil
}
