// This file parses dense elements and arrays.

package ir

import (
	"encoding/binary"
	"math/big"
)

// denseArrayAttr parses an array of numbers such as array<i32: 1, 2>. The width of the
// element type must be a multiple of 8 bits or 1 bit.
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
	var u uint64
	switch d := a.(type) {
	case IntegerAttr:
		if size > 8 {
			v := d.BigInt()
			if v.Sign() < 0 {
				v.Add(v, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
			}
			raw := v.FillBytes(make([]byte, size))
			for i := range raw {
				b = append(b, raw[size-1-i])
			}
			return b
		}
		u = uint64(d.V)
	case FloatAttr:
		u = d.Bits
	}
	for i := range size {
		b = append(b, byte(u>>(8*i)))
	}
	return b
}

// readRaw returns element i of dense data with element type t as an attribute.
func readRaw(raw string, i int, t Type) Attr { return AttrOf(rawNumber(raw, i, t)) }

// rawNumber returns element i of dense data with element type t. Unlike readRaw it does
// not intern the result, so printing many elements does not fill the intern table.
func rawNumber(raw string, i int, t Type) AttrData {
	size := rawSize(t)
	var u uint64
	part := raw[i*size : (i+1)*size]
	if size > 8 {
		return bigInteger(t, bigRaw(part, t))
	}
	for k := range size {
		u |= uint64(part[k]) << (8 * k)
	}
	if Is[FloatType](t) {
		return FloatAttr{t, u}
	}
	if d, ok := As[IntegerType](t); ok && d.Width > 0 && d.Width <= 64 {
		return IntegerAttr{Type: t, V: wrap(u, int(d.Width), d.Sign)}
	}
	return IntegerAttr{Type: t, V: int64(u)}
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

// Ints returns the elements as int64 values. The element type must be an integer type.
func (a DenseArrayAttr) Ints() []int64 {
	vs := make([]int64, a.Len())
	for i := range vs {
		vs[i], _ = a.At(i).AsInt()
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
	for i := range a.Len() {
		if i == 0 {
			b = append(b, ':')
		} else {
			b = append(b, ',')
		}
		b = appendNumber(append(b, ' '), rawNumber(a.Raw, i, a.Elem))
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
	// off is the offset of the literal.
	off int
	// neg reports whether a minus sign precedes the number.
	neg bool
	// text is the token of a number, a word or a string.
	text string
	// kind is the kind of the token in text.
	kind token
	// elems are the elements of a list.
	elems []denseLit
	// list reports whether the literal is a list, which may be empty.
	list bool
	// pair reports whether the list is in parentheses, as the complex number (re, im).
	pair bool
}

// denseAttr parses a dense attribute dense<...> : type.
func (p *Parser) denseAttr() Attr {
	p.next()
	lit := p.denseBody()
	p.Expect(":")
	off := p.start
	return p.denseOf(off, lit, p.Type())
}

// Elements parses dense<...> without a type and returns the dense attribute of type t. t
// must be a tensor or vector type.
func (p *Parser) Elements(t Type) Attr {
	off := p.start
	p.Expect("dense")
	return p.denseOf(off, p.denseBody(), t)
}

// denseBody parses <...> after the keyword dense and returns the literals, or nil for <>.
func (p *Parser) denseBody() *denseLit {
	p.Expect("<")
	var lit *denseLit
	if !p.At(">") {
		l := p.denseLit()
		lit = &l
	}
	p.Expect(">")
	return lit
}

// denseOf converts the literals to a dense attribute of type t. off is the source offset
// of the type for diagnostics.
func (p *Parser) denseOf(off int, lit *denseLit, t Type) Attr {
	if p.bad {
		return Attr{}
	}
	if _, _, ok := denseShape(t); !ok {
		p.ErrorAt(off, "dense elements need a vector or tensor type of static shape, but have %s", t)
		return Attr{}
	}
	d := denseBuilder{p: p, dense: denseOf(t)}
	d.build(off, lit)
	if p.bad {
		return Attr{}
	}
	return d.attr(d.raw, d.strs)
}

// denseShape returns the shape and the element type of t, if t is a type that a dense
// attribute can have. ok is false for all other types and for dynamic shapes.
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

// denseLit parses one literal or a nested list of literals inside dense<...>.
func (p *Parser) denseLit() denseLit {
	l := denseLit{off: p.start}
	if p.At("[") || p.At("(") { // (re, im) is a complex number
		if !p.Enter() {
			return l
		}
		defer p.Leave()
		end := "]"
		if p.At("(") {
			end, l.pair = ")", true
		}
		p.next()
		l.list = true
		p.List(end, func() { l.elems = append(l.elems, p.denseLit()) })
		p.Expect(end)
		return l
	}
	l.neg = p.Accept("-")
	l.kind, l.text = p.kind, p.Text()
	switch {
	case p.kind == tokInt || p.kind == tokFloat, p.At("true"), p.At("false"):
	case p.kind == tokString && !l.neg:
	default:
		p.expected("a number")
	}
	p.next()
	return l
}
