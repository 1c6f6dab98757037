// This file formats and parses numbers.

package filecheck

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// format is the format of a number in a numeric substitution block of a FileCheck
// pattern. For example, the block [[#%.8x,N:]] has the format %.8x.
type format struct {
	// verb is u, d, x or X, or 0 if none is given.
	verb byte
	// precision is the minimum number of digits.
	precision int
	// alternate requires the prefix 0x before a hexadecimal number.
	alternate bool
}

// errOverflow is the error for a number that exceeds maxBits, for a division by zero, and
// for a negative number in an unsigned format.
var errOverflow = errors.New("overflow error")

// orDefault returns the format f. If f has no conversion letter, the result has the
// default letter u, for unsigned decimal numbers.
func (f format) orDefault() format {
	if f.verb == 0 {
		f.verb = 'u'
	}
	return f
}

// String returns the format in the syntax of a numeric block.
func (f format) String() string {
	s := "%"
	if f.alternate {
		s += "#"
	}
	if f.precision > 0 {
		s += "." + strconv.Itoa(f.precision)
	}
	if f.verb == 0 {
		return s
	}
	return s + string(rune(f.verb))
}

// hex reports whether numbers in the format are hexadecimal.
func (f format) hex() bool { return f.verb == 'x' || f.verb == 'X' }

// regex returns a regular expression that matches any number in the format, and the
// number of groups in it.
func (f format) regex() (expr string, groups int) {
	digit := map[byte]string{'u': "0-9", 'd': "0-9", 'x': "0-9a-f", 'X': "0-9A-F"}[f.verb]
	if f.verb == 'd' {
		expr = "-?"
	}
	if f.alternate {
		expr += "0x"
	}
	if f.precision == 0 {
		return expr + "[" + digit + "]+", 0
	}
	// More digits than the precision are allowed only if the first one is not 0.
	nonZero := "1" + digit[1:]
	return fmt.Sprintf("%s([%s][%s]*)?[%s]{%d}", expr, nonZero, digit, digit, f.precision), 1
}

// text returns the number v in the format. A negative number is an error unless the
// format is %d.
func (f format) text(v *big.Int) (string, error) {
	if v.Sign() < 0 && f.verb != 'd' {
		return "", errOverflow
	}
	base := 10
	if f.hex() {
		base = 16
	}
	digits := new(big.Int).Abs(v).Text(base)
	if f.verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	digits = strings.Repeat("0", max(0, f.precision-len(digits))) + digits
	if f.alternate {
		digits = "0x" + digits
	}
	if v.Sign() < 0 {
		digits = "-" + digits
	}
	return digits, nil
}

// value returns the number in a text that matched the regular expression of the format.
// The second result is false if the text is not a number.
func (f format) value(text string) (*big.Int, bool) {
	negative := false
	if f.verb == 'd' {
		text, negative = strings.CutPrefix(text, "-")
	}
	base := 10
	if f.hex() {
		base = 16
	}
	if f.alternate {
		if len(text) < 2 {
			return nil, false
		}
		text = text[2:]
	}
	v, ok := new(big.Int).SetString(text, base)
	if ok && negative {
		v.Neg(v)
	}
	return v, ok
}

// parseFormat parses the format of a numeric block. text is the part of the block before
// the comma, and pos is its offset in the check file.
func parseFormat(text string, pos int) (f format, err *patternError) {
	rest, ok := strings.CutPrefix(text, "%")
	if !ok {
		return f, errorAt(pos, "invalid matching format specification in expression")
	}
	at := func() int { return pos + len(text) - len(rest) }
	if r, ok := strings.CutPrefix(rest, "#"); ok {
		f.alternate, rest = true, r
	}
	if r, ok := strings.CutPrefix(rest, "."); ok {
		rest = r
		n := 0
		for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
			n++
		}
		var bad error
		// A repetition in a regular expression is limited to 255.
		if f.precision, bad = strconv.Atoi(rest[:n]); bad != nil || f.precision > 255 {
			return f, errorAt(at(), "invalid precision in format specifier")
		}
		rest = rest[n:]
	}
	if rest != "" {
		if f.verb = rest[0]; !strings.ContainsRune("udxX", rune(f.verb)) {
			return f, errorAt(at(), "invalid format specifier in expression")
		}
		rest = rest[1:]
	}
	if f.alternate && !f.hex() {
		return f, errorAt(pos, "alternate form only supported for hex values")
	}
	if strings.TrimLeft(rest, " \t") != "" {
		return f, errorAt(at(), "invalid matching format specification in expression")
	}
	return f, nil
}
