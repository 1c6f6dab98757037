// This file parses dense elements and arrays.

package ir

import (
	"encoding/binary"
	"math/big"
	"slices"
	"strconv"

	"ptogo/ir/num"
)

// denseArrayAttr parses an array of numbers such as array<i32: 1, 2>. The element type
// must be i1, an integer type whose width is a multiple of 8 bits, or a floating-point
// type.
func (p *Parser) denseArrayAttr() Attr {
	p.next()
	p.Expect("<")
	off := p.start
	elem := p.Type()
	size := rawSize(elem)
	if d, ok := As[IntegerType](elem); !p.bad && (size == 0 || ok && elem != I1 && d.Width%8 != 0) {
		p.ErrorAt(off, "array elements must be i1, integers of whole bytes or floating-point numbers, but are %s", elem)
	}
	var raw []byte
	if p.Accept(":") {
		p.List(">", func() { raw = appendRaw(raw, p.TypedNumber(elem).Data(), size) })
	}
	p.Expect(">")
	return AttrOf(DenseArrayAttr{elem, string(raw)})
}

// rawSize returns the number of bytes of one element of type t in dense data, or 0 if
// dense data cannot contain the type.
func rawSize(t Type) int {
	if t == I1 {
		return 1
	}
	if f, ok := FormatOf(t); ok {
		return (f.Bits() + 7) / 8
	}
	if d, ok := As[IntegerType](t); ok {
		return int(d.Width+7) / 8
	}
	return 0
}

// appendRaw appends the number a to b in size bytes: little-endian, integers in two's
// complement.
func appendRaw(b []byte, a AttrData, size int) []byte {
	if d, ok := a.(IntegerAttr); ok {
		return appendInteger(b, d, size)
	}
	return appendBytes(b, a.(FloatAttr).Bits, size)
}

// appendInteger appends the integer a to b in size bytes, little-endian and in two's
// complement, and returns the extended slice.
func appendInteger(b []byte, a IntegerAttr, size int) []byte {
	if size <= 8 {
		return appendBytes(b, uint64(a.V), size)
	}
	v := a.BigInt()
	if v.Sign() < 0 {
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
	}
	raw := v.FillBytes(make([]byte, size))
	slices.Reverse(raw)
	return append(b, raw...)
}

// appendBytes appends the lowest size bytes of u, at most 8, little-endian.
func appendBytes(b []byte, u uint64, size int) []byte {
	for i := range size {
		b = append(b, byte(u>>(8*i)))
	}
	return b
}

// readRaw returns the element with index i of raw as an attribute. raw holds numbers of
// type t in little-endian order, as in a dense attribute.
func readRaw(raw string, i int, t Type) Attr { return AttrOf(rawNumber(raw, i, t)) }

// rawNumber returns the element with index i of raw as the content of an attribute. raw
// holds numbers of type t in little-endian order. Unlike readRaw it does not intern the
// result, so printing many elements does not fill the intern table.
func rawNumber(raw string, i int, t Type) AttrData {
	e := rawElemOf(t)
	return e.number(raw, i)
}

// rawElem reads numbers of one type from raw data, such as that of a DenseAttr.
type rawElem struct {
	typ Type
	// size is the number of bytes of a number, or 0 if raw data cannot hold the type.
	size int
	// float is the format of a floating-point type, or num.Invalid.
	float num.Format
	// width and sign are those of an integer type of 1 to 64 bits; width is 0 for others.
	width int
	sign  Sign
}

// rawElemOf describes how the raw bytes of a dense attribute store a number of type t:
// its size in bytes and its number format. The size is 0 if raw bytes cannot store this
// type.
func rawElemOf(t Type) rawElem {
	e := rawElem{typ: t, size: rawSize(t)}
	if Is[FloatType](t) {
		e.float, _ = FormatOf(t)
	}
	if d, ok := As[IntegerType](t); ok && d.Width <= 64 {
		e.width, e.sign = int(d.Width), d.Sign
	}
	return e
}

// bits returns the encoding of the number with index i in raw. A number must have at most
// 8 bytes.
func (e *rawElem) bits(raw string, i int) (u uint64) {
	part := raw[i*e.size : (i+1)*e.size]
	for k := range len(part) {
		u |= uint64(part[k]) << (8 * k)
	}
	return u
}

// number returns one number of an array as the content of an attribute. raw holds the
// bytes of all numbers in little-endian order, and i is the index of the number.
func (e *rawElem) number(raw string, i int) AttrData {
	if e.size > 8 {
		return bigInteger(e.typ, bigRaw(raw[i*e.size:(i+1)*e.size], e.typ))
	}
	if e.float != num.Invalid {
		return FloatAttr{e.typ, e.bits(raw, i)}
	}
	return IntegerAttr{Type: e.typ, V: e.integer(raw, i)}
}

// bigRaw returns the integer of type t that raw holds in little-endian order. The printer
// calls it for integers wider than 64 bits.
func bigRaw(raw string, t Type) *big.Int {
	be := []byte(raw)
	slices.Reverse(be)
	v := new(big.Int).SetBytes(be)
	if d, ok := As[IntegerType](t); ok && d.Sign != Unsigned && v.Bit(int(d.Width)-1) == 1 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(be))))
	}
	return v
}

// integer returns the number with index i in raw, which must be an integer of at most 8
// bytes.
func (e *rawElem) integer(raw string, i int) int64 {
	u := e.bits(raw, i)
	if e.width > 0 {
		return wrap(u, e.width, e.sign)
	}
	return int64(u)
}

// append appends the number with index i in raw to b, without its type. An i1 is written
// as true or false.
func (e *rawElem) append(b []byte, raw string, i int) []byte {
	switch {
	case e.size > 8 || e.typ == I1:
		return appendNumber(b, e.number(raw, i))
	case e.float != num.Invalid:
		return num.AppendFloat(b, e.float, e.bits(raw, i))
	case e.width > 0 && e.sign == Unsigned:
		return strconv.AppendUint(b, e.bits(raw, i), 10)
	case e.width > 0:
		return strconv.AppendInt(b, wrap(e.bits(raw, i), e.width, e.sign), 10)
	}
	return appendNumber(b, e.number(raw, i))
}

// Len returns the number of elements of the array.
func (a DenseArrayAttr) Len() int {
	if a.Raw == "" { // the zero attribute has no element type
		return 0
	}
	return len(a.Raw) / rawSize(a.Elem)
}

// At returns element i of the array as an integer or float attribute.
func (a DenseArrayAttr) At(i int) Attr { return readRaw(a.Raw, i, a.Elem) }

// Ints returns the elements as int64 values. The element type must be an integer type of
// at most 64 bits.
func (a DenseArrayAttr) Ints() []int64 {
	vs := make([]int64, a.Len())
	if len(vs) == 0 {
		return vs
	}
	e := rawElemOf(a.Elem)
	for i := range vs {
		vs[i] = e.integer(a.Raw, i)
	}
	return vs
}

// I32Array returns the attribute array<i32: vs...>.
func I32Array(vs []int32) Attr {
	raw := make([]byte, 0, 4*len(vs))
	for _, v := range vs {
		raw = binary.LittleEndian.AppendUint32(raw, uint32(v))
	}
	return AttrOf(DenseArrayAttr{I32, string(raw)})
}

// I64Array returns the attribute array<i64: vs...>.
func I64Array(vs ...int64) Attr {
	raw := make([]byte, 0, 8*len(vs))
	for _, v := range vs {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return AttrOf(DenseArrayAttr{I64, string(raw)})
}

// AppendAttr appends the array in MLIR syntax, such as array<i32: 1, 2>.
func (a DenseArrayAttr) AppendAttr(b []byte) []byte {
	b = a.Elem.AppendTo(append(b, "array<"...))
	e := rawElemOf(a.Elem)
	for i := range a.Len() {
		if i == 0 {
			b = append(b, ':')
		} else {
			b = append(b, ',')
		}
		b = e.append(append(b, ' '), a.Raw, i)
	}
	return append(b, '>')
}

// appendNumber appends the number a without its type to b. An i1 is written as true or
// false.
func appendNumber(b []byte, a AttrData) []byte {
	switch d := a.(type) {
	case IntegerAttr:
		if d.Type == I1 {
			return d.AppendAttr(b)
		}
		return d.AppendValue(b)
	case FloatAttr:
		return appendFloat(b, d.Type, d.Bits)
	}
	return a.AppendAttr(b)
}

// denseResourceAttr parses dense_resource<handle> : type, a reference to data in the
// metadata section of the file.
func (p *Parser) denseResourceAttr() Attr {
	p.next()
	p.Expect("<")
	var a DenseResourceAttr
	if p.kind == tokString {
		a.Handle = p.Quoted()
	} else {
		a.Handle = p.Ident()
	}
	p.Expect(">")
	p.Expect(":")
	a.Type = p.Type()
	return AttrOf(a)
}

// denseLit is a literal inside dense<...>, or a nested list of literals. It is stored
// until the type has been parsed, because the type follows the literals in the text and
// determines how to convert them.
type denseLit struct {
	// off and len are the token in the text, or the position of a list.
	off, len uint32
	// end is, for a list, the index of the literal that follows the list and all its
	// elements.
	end int32
	// kind is the kind of the token.
	kind token
	// neg reports whether a minus sign precedes the number in the text.
	neg bool
	// list reports whether the literal is a list, which may be empty.
	list bool
	// pair reports whether the literal is a list in parentheses, which is a complex
	// number (re, im).
	pair bool
}

// denseAttr parses a dense attribute dense<...> : type.
func (p *Parser) denseAttr() Attr {
	p.next()
	lits := p.denseBody()
	p.Expect(":")
	off := p.start
	return p.denseOf(off, lits, p.Type())
}

// Elements parses dense<...> without a type and returns the dense attribute of type t. t
// must be a tensor or vector type.
func (p *Parser) Elements(t Type) Attr {
	off := p.start
	p.Expect("dense")
	return p.denseOf(off, p.denseBody(), t)
}

// denseBody reads the text <...> of a dense attribute and returns the literals in it. It
// returns none for <>. The returned slice is valid until the next call.
func (p *Parser) denseBody() []denseLit {
	p.Expect("<")
	p.literals = p.literals[:0]
	if !p.At(">") {
		p.denseLit()
	}
	p.Expect(">")
	return p.literals
}

// denseOf converts the literals lits to a dense attribute of type t.
func (p *Parser) denseOf(off int, lits []denseLit, t Type) Attr {
	if p.bad {
		return Attr{}
	}
	if _, _, ok := denseShape(t); !ok {
		p.ErrorAt(off, "dense elements need a vector or tensor type of static shape, but have %s", t)
		return Attr{}
	}
	d := denseBuilder{p: p, dense: denseOf(t), lits: lits}
	d.build(off)
	if p.bad {
		return Attr{}
	}
	return d.attr(d.raw, d.strs)
}

// denseShape returns the shape and the element type of t, if t is a type that a dense
// attribute can have. The result ok is false for all other types and for dynamic shapes.
func denseShape(t Type) (shape Dims, elem Type, ok bool) {
	switch d := t.Data().(type) {
	case VectorType:
		return d.Shape, d.Elem, true
	case TensorType:
		return d.Shape, d.Elem, !d.Unranked && d.Shape.Static()
	case MemRefType:
		return d.Shape, d.Elem, !d.Unranked && d.Shape.Static()
	}
	return "", Type{}, false
}

// denseLit reads one literal, or a nested list of literals, and appends it to p.literals.
func (p *Parser) denseLit() {
	at := len(p.literals)
	p.literals = append(p.literals, denseLit{off: uint32(p.start), len: 1})
	if p.At("[") || p.At("(") { // (re, im) is a complex number
		if !p.Enter() {
			return
		}
		defer p.Leave()
		end := "]"
		if p.At("(") {
			end = ")"
		}
		p.next()
		p.List(end, p.denseLit)
		l := &p.literals[at]
		l.list, l.pair, l.end = true, end == ")", int32(len(p.literals))
		p.Expect(end)
		return
	}
	l := &p.literals[at]
	l.neg = p.Accept("-")
	l.kind, l.off, l.len = p.kind, uint32(p.start), uint32(len(p.Text()))
	switch {
	case p.kind == tokInt || p.kind == tokFloat, p.At("true"), p.At("false"):
	case p.kind == tokString && !l.neg:
	default:
		p.expected("a number")
	}
	p.next()
}
