// This file formats and parses numbers exactly.

package num

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// FormatFloat returns a floating-point number as MLIR prints it. It uses six significant
// digits (1.000000e+00) if the parser reads them back as the same number. Otherwise it
// uses as many digits as the format needs. If even these are not enough, and for infinity
// and NaN, it prints the bits in hexadecimal.
func FormatFloat(f Format, bits uint64) string {
	bits &= f.Mask()
	x := Decode(f, bits)
	if IsNaN(f, bits) || IsInf(f, bits) {
		return hexFloat(f, bits)
	}
	if x == 0 {
		if bits != 0 {
			return "-0.000000e+00"
		}
		return "0.000000e+00"
	}
	short := decimal(x, 6).padded(6)
	if back, err := parseExact(f, short); err == nil && back == bits {
		return short
	}
	// By Steele and White, this number of digits is enough to read any number back.
	// 59/196 is just below the decimal digits per bit.
	prec := 2 + significand(f)*59/196
	if long := decimal(x, prec).natural(prec); strings.Contains(long, ".") {
		return long
	}
	return hexFloat(f, bits)
}

// hexFloat returns the bits in hexadecimal, with leading zeros.
func hexFloat(f Format, bits uint64) string {
	return fmt.Sprintf("0x%0*X", (f.Bits()+3)/4, bits)
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

// ParseFloat returns the number that a float literal denotes in format f. As in
// MLIR, a decimal literal is first read as f64 and then rounded to f, and a
// hexadecimal literal holds the bits of the number.
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

// parseExact parses a decimal number and rounds it once to format f. For f32 it differs
// from ParseFloat, which rounds twice. For narrower formats the second rounding cannot
// change the result, because they have few digits.
func parseExact(f Format, s string) (uint64, error) {
	if f == F32 {
		x, err := strconv.ParseFloat(s, 32)
		return Encode(F32, x, NearestEven, false), err
	}
	return ParseFloat(f, s)
}

// digits is a decimal number: the integer text, times 10^exp.
type digits struct {
	// neg reports whether the number is negative.
	neg bool
	// text are the decimal digits without trailing zeros.
	text string
	// exp is the power of ten that the digits are multiplied by.
	exp int
}

// decimal returns x, which is finite and not zero, with at most prec digits. It rounds
// like LLVM's printer: digits far below the precision are truncated before the last digit
// is rounded half up. The result can therefore be one unit below the nearest number.
func decimal(x float64, prec int) digits {
	d := digits{neg: x < 0}
	n, exp := integerTimesPow10(x)
	// 196/59 is a little more than the number of bits in a decimal digit.
	if spare := n.BitLen() - (prec*196+58)/59; spare > 0 {
		tens := spare * 59 / 196
		n.Quo(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(tens)), nil))
		exp += tens
	}
	s := n.String()
	if drop := len(s) - prec; drop > 0 {
		up := s[prec] >= '5'
		s, exp = s[:prec], exp+drop
		if up {
			n.SetString(s, 10)
			s = n.Add(n, big.NewInt(1)).String() // may gain a digit: a 1 and zeros
		}
	}
	d.text = strings.TrimRight(s, "0")
	d.exp = exp + len(s) - len(d.text)
	return d
}

// integerTimesPow10 returns |x| as n·10^exp, exactly.
func integerTimesPow10(x float64) (n *big.Int, exp int) {
	var m big.Float
	e := new(big.Float).SetFloat64(x).MantExp(&m)
	m.Abs(&m)
	m.SetMantExp(&m, int(m.MinPrec()))
	e -= int(m.MinPrec())
	n, _ = m.Int(nil)
	if e >= 0 {
		return n.Lsh(n, uint(e)), 0
	}
	// 2^-k is 5^k times 10^-k.
	return n.Mul(n, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-e)), nil)), e
}

// padded returns d in scientific notation with at least n digits after the decimal point.
func (d digits) padded(n int) string {
	frac := d.text[1:]
	frac += strings.Repeat("0", max(n-len(frac), 0))
	return fmt.Sprintf("%s%c.%se%+03d", d.minus(), d.text[0], frac, d.exp+len(d.text)-1)
}

// natural returns d without padding zeros. It uses an exponent only if the decimal point
// is more than three digits away from the given digits, or if zeros would suggest more
// than prec known digits. These are LLVM's rules.
func (d digits) natural(prec int) string {
	n := len(d.text)
	first := d.exp + n - 1 // power of ten of the first digit
	switch {
	case d.exp >= 0:
		if d.exp > 3 || n+d.exp > prec {
			return d.scientific(first)
		}
		return d.minus() + d.text + strings.Repeat("0", d.exp)
	case first >= 0:
		return d.minus() + d.text[:first+1] + "." + d.text[first+1:]
	case first >= -3:
		return d.minus() + "0." + strings.Repeat("0", -first-1) + d.text
	}
	return d.scientific(first)
}

// scientific returns d in scientific notation; first is the power of ten of the first
// digit.
func (d digits) scientific(first int) string {
	frac := d.text[1:]
	if frac == "" {
		frac = "0"
	}
	return fmt.Sprintf("%s%c.%sE%+d", d.minus(), d.text[0], frac, first)
}

// minus returns the sign of the printed number: "-" or "".
func (d digits) minus() string {
	if d.neg {
		return "-"
	}
	return ""
}
