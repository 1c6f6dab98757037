// This file parses numbers of any type.

package ir

import (
	"math/big"
	"strings"

	"ptogo/ir/num"
)

// numberAttr parses a number, followed by an optional colon and type. Without a type, an
// integer is an i64, and a number with a decimal point is an f64.
func (p *Parser) numberAttr() Attr {
	off := p.start
	neg := p.Accept("-")
	kind, text := p.kind, p.Text()
	if kind != tokInt && kind != tokFloat {
		p.expected("a number")
		return Attr{}
	}
	p.next()
	var t Type
	if p.kind == ':' && p.noTyped == 0 {
		p.next()
		t = p.Type()
	}
	switch {
	case p.bad:
		return Attr{}
	case kind == tokFloat || Is[FloatType](t):
		if t.IsZero() {
			t = F64
		}
		return numberOf(p, p.floatOf(off, neg, text, t))
	case t.IsZero():
		t = I64
	}
	return p.IntegerOf(off, neg, text, t)
}

// TypedNumber parses a number without a type in the text. It returns the number as an
// attribute of type t.
func (p *Parser) TypedNumber(t Type) Attr {
	off := p.start
	if p.At("true") || p.At("false") {
		v := p.At("true")
		p.next()
		if t != I1 {
			p.ErrorAt(off, "'%v' is of type i1, not %s", v, t).As(CodeNumber)
		}
		return BoolAttr(v)
	}
	neg := p.Accept("-")
	kind, text := p.kind, p.Text()
	if kind != tokInt && kind != tokFloat {
		p.expected("a number")
		return Attr{}
	}
	p.next()
	if Is[FloatType](t) {
		return numberOf(p, p.floatOf(off, neg, text, t))
	}
	if kind == tokFloat {
		p.ErrorAt(off, "'%s' is not a value of type %s", text, t).As(CodeNumber)
		return Attr{}
	}
	return p.IntegerOf(off, neg, text, t)
}

// IntegerOf returns an integer as an attribute of type t. text contains the decimal
// digits of the integer; if neg is true, the integer is negative. It reports an error at
// offset off if the value does not fit the type.
func (p *Parser) IntegerOf(off int, neg bool, text string, t Type) Attr {
	return numberOf(p, p.integerOf(off, neg, text, t))
}

// numberOf returns the number d as an attribute. If the parser has reported an error, it
// returns the zero Attr.
func numberOf[D interface {
	comparable
	AttrData
}](p *Parser, d D) Attr {
	if p.bad {
		return Attr{}
	}
	return AttrOf(d)
}

// integerOf returns an integer as the content of an attribute of type t. text contains
// the decimal digits of the integer; if neg is true, the integer is negative. It reports
// an error at offset off if the value does not fit the type. Unlike IntegerOf it does not
// intern the result, because a dense attribute can contain very many numbers.
func (p *Parser) integerOf(off int, neg bool, text string, t Type) IntegerAttr {
	if v, ok := smallInt(text, neg, t); ok {
		return IntegerAttr{Type: t, V: v}
	}
	v, ok := new(big.Int).SetString(text, 0)
	if !strings.HasPrefix(text, "0x") {
		v, ok = new(big.Int).SetString(text, 10)
	}
	if !ok {
		p.ErrorAt(off, "'%s' is not a valid integer", clip(text)).As(CodeNumber)
		return IntegerAttr{}
	}
	if neg {
		v.Neg(v)
	}
	width, sign := 64, Signless
	switch d := t.Data().(type) {
	case IntegerType:
		width, sign = int(d.Width), d.Sign
	case IndexType:
	default:
		p.ErrorAt(off, "an integer cannot have type %s", t).As(CodeNumber)
		return IntegerAttr{}
	}
	if !fits(v, width, sign) {
		p.ErrorAt(off, "%s does not fit type %s", clip(v.String()), t).As(CodeNumber)
		return IntegerAttr{}
	}
	if width > 64 {
		if sign == Signless && v.BitLen() == width { // a set top bit means a negative number
			v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(width)))
		}
		return bigInteger(t, v)
	}
	return IntegerAttr{Type: t, V: wrap(lowBits(v), width, sign)}
}

// bigInteger returns v as the content of an attribute of integer type t. The field Big is
// set only if v does not fit an int64.
func bigInteger(t Type, v *big.Int) IntegerAttr {
	if v.IsInt64() {
		return IntegerAttr{Type: t, V: v.Int64()}
	}
	return IntegerAttr{Type: t, Big: v.String()}
}

// smallInt converts the digits in text to an integer, negated if neg is true. It supports
// the most frequent integers: decimal numbers of type i32, i64 or index with at most 18
// digits. It returns false for all other numbers, which integerOf converts more slowly.
func smallInt(text string, neg bool, t Type) (int64, bool) {
	if len(text) > 18 || t != Index && t != I64 && t != I32 {
		return 0, false
	}
	v := int64(0)
	for i := range len(text) {
		if !isDigit(text[i]) {
			return 0, false
		}
		v = v*10 + int64(text[i]-'0')
	}
	if neg {
		v = -v
	}
	return v, t != I32 || v == int64(int32(v))
}

// fits reports whether v is a value of an integer type with the given width in bits. A
// signless type accepts the values of both the signed and the unsigned type.
func fits(v *big.Int, width int, sign Sign) bool {
	lo, hi := -width+1, width // -2^(width-1) <= v < 2^width
	if sign == Signed {
		hi = width - 1
	}
	if sign == Unsigned || width == 0 {
		return v.Sign() >= 0 && v.BitLen() <= hi
	}
	if v.Sign() < 0 {
		return new(big.Int).Not(v).BitLen() <= -lo
	}
	return v.BitLen() <= hi
}

// lowBits returns the low 64 bits of v in two's complement.
func lowBits(v *big.Int) uint64 {
	if v.Sign() < 0 {
		return uint64(v.Int64())
	}
	return v.Uint64()
}

// wrap returns the low width bits of u in the representation that MLIR stores:
// zero-extended for unsigned types and i1, sign-extended otherwise. width is at most 64.
func wrap(u uint64, width int, sign Sign) int64 {
	if width == 1 || sign == Unsigned {
		return int64(u & (1<<width - 1))
	}
	shift := 64 - width
	return int64(u<<shift) >> shift
}

// FormatOf returns the element format (encoding of bits) of a scalar type, and false for
// all other types. The type index has the format of i64.
func FormatOf(t Type) (num.Format, bool) {
	switch d := t.Data().(type) {
	case FloatType:
		if d.Name == "f8E8M0FNU" {
			return num.F8E8M0, true
		}
		return num.ParseFormat(d.Name)
	case IntegerType:
		return num.ParseFormat(t.String())
	case IndexType:
		return num.I64, true
	case interface{ Format() num.Format }:
		return d.Format(), true
	}
	return num.Invalid, false
}

// floatOf returns a number of the floating-point type t. The parameter text denotes the
// number, and the number is negated if neg is true. Hexadecimal text holds the bits of
// the number, as in MLIR. The parameter off is the source offset for diagnostics.
func (p *Parser) floatOf(off int, neg bool, text string, t Type) FloatAttr {
	f, ok := FormatOf(t)
	if !ok || !Is[FloatType](t) {
		p.ErrorAt(off, "type %s has no numbers with a decimal point", t).As(CodeNumber)
		return FloatAttr{}
	}
	if strings.HasPrefix(text, "0x") { // the bits of the number
		v, _ := new(big.Int).SetString(text, 0)
		if neg {
			p.ErrorAt(off, "the bits of a number must not have a minus sign").As(CodeNumber)
			return FloatAttr{}
		}
		if v.BitLen() > f.Bits() {
			p.ErrorAt(off, "%s does not fit the bits of type %s", clip(text), t).As(CodeNumber)
			return FloatAttr{}
		}
		return FloatAttr{t, v.Uint64()}
	}
	if !strings.ContainsAny(text, ".") {
		p.ErrorAt(off, "a number of type %s needs a decimal point", t).As(CodeNumber).
			Note(LocAt(p.src, off), "write "+text+".0")
		return FloatAttr{}
	}
	if neg {
		text = "-" + text
	}
	bits, err := num.ParseFloat(f, text)
	if err != nil {
		p.ErrorAt(off, "'%s' is not a valid number", clip(text)).As(CodeNumber)
	}
	return FloatAttr{t, bits}
}

// appendFloat appends the floating-point number of type t with the given bits to b, in
// the format in which MLIR prints floats.
func appendFloat(b []byte, t Type, bits uint64) []byte {
	f, ok := FormatOf(t)
	if !ok {
		panic("BUG: float attribute of type " + t.String())
	}
	return num.AppendFloat(b, f, bits)
}

// Float returns the attribute of floating-point type t with the given bits.
func Float(t Type, bits uint64) Attr { return AttrOf(FloatAttr{t, bits}) }
