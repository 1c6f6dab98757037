package pto

import (
	"fmt"
	"math"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
)

// What Print writes is told here once, for the runtime and for compiled
// kernels: a sequence of numbers, each with the text around it.

// PrintFormat says how one number is written: what printf of C writes for Text,
// which has one conversion, for a double or a long long, or none.
type PrintFormat struct {
	Text   string
	Float  bool // takes a double
	Signed bool // takes an integer that was extended with its sign, not with zeros
}

// What stands between the elements of a tile: in front of one that follows
// another, in front of the first outside of the valid columns, and above the
// first row outside of the valid rows.
const (
	PrintGap  = " "
	PrintBar  = " |"
	PrintRule = "--------\n"
)

// ScalarFormat returns how a print of a scalar of format f writes it. A
// conversion that is not for such numbers becomes one that is.
func ScalarFormat(op *ir.Op, f num.Format) PrintFormat {
	text, _ := op.Attr("format").AsString()
	text, _, _ = strings.Cut(text, "\x00") // a string of C ends there
	before, c, after := splitFormat(text)
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

// ElementFormat returns how a print of a tile or view writes its elements,
// which have format f.
func ElementFormat(op *ir.Op, f num.Format) PrintFormat {
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

// After returns the format with plain text in front.
func (p PrintFormat) After(text string) PrintFormat {
	p.Text = escapePercent(text) + p.Text
	return p
}

// Print returns what is written for a number of format f.
func (p PrintFormat) Print(f num.Format, bits uint64) string {
	switch {
	case p.Float:
		return Printf(p.Text, math.Float64bits(num.Decode(f, bits)))
	case p.Signed:
		return Printf(p.Text, uint64(num.Int(f, bits)))
	}
	return Printf(p.Text, num.Uint(f, bits))
}

// Printf returns what printf of C writes for the text of a PrintFormat and one
// argument, given as its bits. The sign of a NaN is not shown: it is not
// defined.
func Printf(text string, bits uint64) string {
	before, c, after := splitFormat(text)
	return plainPercent(before) + c.show(bits) + plainPercent(after)
}

// printConversion is one conversion of a format; without a verb there is none.
type printConversion struct {
	flags, width, precision string
	verb                    byte
}

// integerConversion shows integers as they are.
func integerConversion(f num.Format, width string) printConversion {
	if f.Signed() {
		return printConversion{width: width, verb: 'd'}
	}
	return printConversion{width: width, verb: 'u'}
}

// splitFormat finds the first conversion in a format of C; %% is a percent
// sign.
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

// parseConversion reads what follows a percent sign. The length of the argument
// is known.
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

// text is the conversion in C.
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

// show is what the conversion makes of an argument.
func (c printConversion) show(bits uint64) string {
	how := "%" + c.flags + c.width + c.precision
	switch c.verb {
	case 0:
		return ""
	case 'd':
		return fmt.Sprintf(how+"d", int64(bits))
	case 'u':
		return fmt.Sprintf(how+"d", bits)
	case 'x', 'X', 'o':
		if bits == 0 {
			how = strings.ReplaceAll(how, "#", "")
		}
		return fmt.Sprintf(how+string(c.verb), bits)
	}
	x := math.Float64frombits(bits)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return c.word(x)
	case c.precision == "": // which %g of Go takes for the shortest text
		how += ".6"
	}
	return fmt.Sprintf(how+string(c.verb), x)
}

// word shows an infinity or a NaN.
func (c printConversion) word(x float64) string {
	name, left := "inf", ""
	if math.IsNaN(x) {
		name = "nan"
	}
	if c.verb < 'a' {
		name = strings.ToUpper(name)
	}
	switch {
	case math.IsInf(x, -1):
		name = "-" + name
	case strings.Contains(c.flags, "+"):
		name = "+" + name
	case strings.Contains(c.flags, " "):
		name = " " + name
	}
	if strings.Contains(c.flags, "-") {
		left = "-"
	}
	return fmt.Sprintf("%"+left+c.width+"s", name)
}

func plainPercent(s string) string { return strings.ReplaceAll(s, "%%", "%") }

// escapePercent makes percent signs of what stands in a format as C reads it.
func escapePercent(s string) string { return strings.ReplaceAll(plainPercent(s), "%", "%%") }
