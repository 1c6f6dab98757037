// This file formats printed numbers.

package pto

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
)

// This file defines the output of Print once, for the runtime and for compiled kernels:
// a sequence of numbers, each with the text around it.

// PrintFormat is a format for printing one number. Text is a format string of C's printf
// with at most one conversion, whose argument is a double or a long long.
type PrintFormat struct {
	Text string
	// Float reports that the conversion expects a double.
	Float bool
	// Signed reports that an integer argument is sign-extended. Otherwise, it is
	// zero-extended.
	Signed bool
}

const (
	// PrintGap separates the elements of a printed tile. PrintBar precedes the first
	// element outside of the valid columns, and PrintRule precedes the first row outside
	// of the valid rows.
	PrintGap  = " "
	PrintBar  = " |"
	PrintRule = "--------\n"
)

// ScalarFormat returns the format with which op prints a scalar of number format f. A
// conversion that does not fit the number, such as %d for a float, is replaced by one
// that does.
func ScalarFormat(op *ir.Op, f num.Format) PrintFormat {
	before, c, after := scalarConversion(op)
	signed, bare := c.verb == 'd', strings.IndexByte("uxXo", c.verb) >= 0
	p := PrintFormat{Signed: signed && f.Bits() > 1} // true is 1
	switch {
	case c.verb == 0 || bare: // of a float, the bits
	case signed && f.IsInt():
	case f.IsFloat():
		p = PrintFormat{Float: true}
		if strings.IndexByte("fFeEgG", c.verb) < 0 {
			c = printConversion{verb: 'e'}
		}
	default:
		p.Signed, c = f.Signed(), integerConversion(f, "")
	}
	p.Text = escapePercent(before) + c.text(p.Float) + escapePercent(after)
	return p
}

// CppFormat returns the printf format with which generated C++ prints a scalar of number
// format f. The format is based on the string in the attribute "format" of the
// instruction op. Generated C++ passes the scalar to printf without a cast, so the
// conversion specifier must fit the type of the scalar. If the specifier does not fit f,
// CppFormat replaces it by %f, %d or %lld. The result has at most one conversion
// specifier, and never one that accesses memory, such as %s or %n.
func CppFormat(op *ir.Op, f num.Format) string {
	before, c, after := scalarConversion(op)
	text, _ := op.Attr("format").AsString()
	text, _, _ = strings.Cut(text, "\x00")
	written := text[len(before):]
	written = written[:len(written)-len(after)]
	verbs, other := "diouxX", "%d"
	switch {
	case f.IsFloat():
		verbs, other = "fFeEgG", "%f"
	case f.Bits() == 64:
		other = "%lld"
	}
	if c.verb != 0 && strings.IndexByte(verbs, c.verb) < 0 {
		written = other
	}
	return escapePercent(before) + written + escapePercent(after)
}

// scalarConversion splits the printf format of op at its first conversion: text before
// it, the conversion, and text after it.
func scalarConversion(op *ir.Op) (before string, c printConversion, after string) {
	text, _ := op.Attr("format").AsString()
	text, _, _ = strings.Cut(text, "\x00") // a string of C ends there
	return splitFormat(text)
}

// maxPlaces is the number of characters that every C implementation must support for one
// printf conversion.
const maxPlaces = 4095

// PrintPlaces is a rule that limits the width and the precision in the printf format of
// an instruction to maxPlaces.
var PrintPlaces = Check(func(op *ir.Op, _ ir.Target) string {
	if _, c, _ := scalarConversion(op); max(places(c.width), places(c.precision)) > maxPlaces {
		return fmt.Sprintf("attribute \"format\" must not ask for more than %d characters, which is what C promises", maxPlaces)
	}
	return ""
})

// ElementFormat returns the format in which op prints one element of a tile or view. The
// parameter f is the number format of the element.
func ElementFormat(op *ir.Op, f num.Format) PrintFormat {
	if f == num.I1 {
		return lanesFormat
	}
	width, precision := "8", ".4"
	switch op.Attr("printFormat").Keyword() {
	case "width8_precision2":
		precision = ".2"
	case "width10_precision6":
		width, precision = "10", ".6"
	}
	if f.IsFloat() {
		return PrintFormat{Text: "%" + width + precision + "f", Float: true}
	}
	return PrintFormat{Text: integerConversion(f, width).text(false), Signed: f.Signed()}
}

// After returns a copy of the format p that prints the literal text before its own text.
func (p PrintFormat) After(text string) PrintFormat {
	p.Text = escapePercent(text) + p.Text
	return p
}

// Print returns the text of a number in format p. bits are the bits of the number in
// number format f.
func (p PrintFormat) Print(f num.Format, bits uint64) string {
	switch {
	case p.Float:
		return Printf(p.Text, math.Float64bits(num.Decode(f, bits)))
	case p.Signed:
		return Printf(p.Text, uint64(num.Int(f, bits)))
	}
	return Printf(p.Text, num.Uint(f, bits))
}

// Printf returns what C's printf prints for the format text, which has at most one
// conversion. bits are the bits of the argument, a double or a long long. The sign of a
// NaN is omitted, because C does not define it.
func Printf(text string, bits uint64) string {
	before, c, after := splitFormat(text)
	return plainPercent(before) + c.show(bits) + plainPercent(after)
}

// printConversion is one conversion of a printf format, such as %8.4f. The field verb is
// the letter at the end of the conversion. It is 0 if the format contains no conversion.
type printConversion struct {
	flags, width, precision string
	verb                    byte
}

// integerConversion returns the decimal conversion of integers of number format f, with
// the given minimum width.
func integerConversion(f num.Format, width string) printConversion {
	if f.Signed() {
		return printConversion{width: width, verb: 'd'}
	}
	return printConversion{width: width, verb: 'u'}
}

// splitFormat splits text, a printf format, at its first conversion. The result before is
// the text that precedes the conversion c, and the result after is the text that follows
// it. %% is not a conversion but a percent sign.
func splitFormat(text string) (before string, c printConversion, after string) {
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		if strings.HasPrefix(text[i+1:], "%") {
			i++
			continue
		}
		c, rest := parseConversion(text[i+1:])
		if c.verb == 0 {
			break
		}
		return text[:i], c, rest
	}
	return text, printConversion{}, ""
}

// parseConversion parses a printf conversion after its percent sign and returns the
// remaining text. It skips length modifiers, because the type of the argument is fixed.
func parseConversion(text string) (c printConversion, rest string) {
	take := func(chars string) string {
		end := strings.TrimLeft(text, chars)
		taken := text[:len(text)-len(end)]
		text = end
		return taken
	}
	c.flags, c.width = take("-+ #0"), take("0123456789")
	if strings.HasPrefix(text, ".") {
		text = text[1:]
		c.precision = "." + take("0123456789")
	}
	take("hlLzjt")
	if text == "" {
		return printConversion{}, ""
	}
	if c.verb = text[0]; c.verb == 'i' {
		c.verb = 'd'
	}
	return c, text[1:]
}

// text returns the conversion in the syntax of the C function printf. The parameter is
// true for a floating-point argument, which C passes as a double. Integer arguments are
// passed as long long, which requires the length modifier ll.
func (c printConversion) text(float bool) string {
	switch how := "%" + c.flags + c.width + c.precision; {
	case c.verb == 0:
		return ""
	case float:
		return how + string(c.verb)
	default:
		return how + "ll" + string(c.verb)
	}
}

// show formats an argument, given by its bits, with the conversion.
func (c printConversion) show(bits uint64) string {
	switch c.verb {
	case 0:
		return ""
	case 'd':
		if n := int64(bits); n < 0 {
			return c.integer("-", -bits, 10)
		}
		return c.integer(c.plus(), bits, 10)
	case 'u':
		return c.integer("", bits, 10)
	case 'o':
		return c.integer("", bits, 8)
	case 'x', 'X':
		return c.integer("", bits, 16)
	}
	x := math.Float64frombits(bits)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return c.word(x)
	}
	precision := c.precision
	if precision == "" { // which %g of Go takes for the shortest text
		precision = ".6"
	}
	return fmt.Sprintf("%"+c.flags+c.width+precision+string(c.verb), x)
}

// integer formats an integer with the given sign and the magnitude n. base is the base of
// the number system: 8, 10 or 16. Go's fmt cannot be used: it prints signs for unsigned
// numbers, does not count 0x in the width, and drops the sign if the text has no digits.
func (c printConversion) integer(sign string, n uint64, base int) string {
	digits := strconv.FormatUint(n, base)
	if c.verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	if n == 0 && c.precision != "" {
		digits = ""
	}
	digits = zeros(places(c.precision)-len(digits)) + digits
	if c.Has("#") && base == 8 && !strings.HasPrefix(digits, "0") {
		digits = "0" + digits
	}
	if c.Has("#") && base == 16 && n != 0 {
		sign = "0" + string(c.verb)
	}
	if c.Has("0") && !c.Has("-") && c.precision == "" {
		digits = zeros(places(c.width)-len(sign)-len(digits)) + digits
	}
	return c.pad(sign + digits)
}

// word formats x, an infinity or a NaN, as C's printf does for the conversion.
func (c printConversion) word(x float64) string {
	sign, name := c.plus(), "inf"
	if math.IsNaN(x) {
		name = "nan"
	}
	if x < 0 {
		sign = "-"
	}
	if c.verb < 'a' {
		name = strings.ToUpper(name)
	}
	return c.pad(sign + name)
}

// Has reports whether the conversion has the given flag, such as "-" or "+".
func (c printConversion) Has(flag string) bool { return strings.Contains(c.flags, flag) }

// plus returns the sign that precedes nonnegative numbers: "+", " " or "".
func (c printConversion) plus() string {
	switch {
	case c.Has("+"):
		return "+"
	case c.Has(" "):
		return " "
	}
	return ""
}

// pad adds spaces to s up to the width of the conversion, on the right if the flag "-" is
// set.
func (c printConversion) pad(s string) string {
	spaces := strings.Repeat(" ", max(places(c.width)-len(s), 0))
	if c.Has("-") {
		return s + spaces
	}
	return spaces + s
}

// zeros returns n zeros, or "" if n is negative.
func zeros(n int) string { return strings.Repeat("0", max(n, 0)) }

// places returns the integer value of digits, the width or the precision of a printf
// conversion: 8 for "8" and 4 for ".4". It returns 0 if digits is empty.
func places(digits string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(digits, "."))
	return n
}

// plainPercent replaces each %% by a single percent sign.
func plainPercent(s string) string { return strings.ReplaceAll(s, "%%", "%") }

// escapePercent replaces every percent sign, or escaped percent sign, by %%.
func escapePercent(s string) string { return strings.ReplaceAll(plainPercent(s), "%", "%%") }
