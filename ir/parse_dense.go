// This file parses dense elements and arrays.

package ir

import (
	"encoding/binary"
	"math/big"
)

// denseArrayAttr reads array<i32: 1, 2>. Elements have a whole number of bytes,
// except for i1.
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

// rawSize returns the number of bytes of one element in dense data, or 0 if dense
// data cannot hold the type.
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

// appendRaw appends the number a in size bytes, little-endian and in two's
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

// rawNumber is readRaw without interning the result, for callers that only print it.
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

// Len returns the number of elements.
func (a DenseArrayAttr) Len() int {
	if a.Raw == "" { // the zero attribute has no element type
		return 0
	}
	return len(a.Raw) / rawSize(a.Elem)
}

// At returns element i as an attribute.
func (a DenseArrayAttr) At(i int) Attr { return readRaw(a.Raw, i, a.Elem) }

// Ints returns the elements, which must be integers.
func (a DenseArrayAttr) Ints() []int64 {
	vs := make([]int64, a.Len())
	for i := range vs {
		vs[i], _ = a.At(i).AsInt()
	}
	return vs
}

// I32Array returns array<i32: vs...>.
func I32Array(vs []int32) Attr {
	raw := make([]byte, 0, 4*len(vs))
	for _, v := range vs {
		raw = binary.LittleEndian.AppendUint32(raw, uint32(v))
	}
	return AttrOf(DenseArrayAttr{I32, string(raw)})
}

// I64Array returns array<i64: vs...>.
func I64Array(vs ...int64) Attr {
	raw := make([]byte, 0, 8*len(vs))
	for _, v := range vs {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return AttrOf(DenseArrayAttr{I64, string(raw)})
}

// AppendAttr implements AttrData.
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

// appendNumber appends a number without its type. An i1 is true or false.
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

// denseResourceAttr reads dense_resource<handle> : type.
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

// denseLit is a tree of literals inside dense<...>. It is kept until the type is
// read, because the type follows the literals and determines their meaning.
type denseLit struct {
	// off is the offset of the literal.
	off int
	// neg reports whether a minus sign precedes the number.
	neg bool
	// text is the token of a number, a word or a string.
	text string
	// kind is the kind of that token.
	kind token
	// elems are the elements of a list.
	elems []denseLit
	// list reports whether the literal is a list, which may be empty.
	list bool
	// pair reports whether the list is in parentheses, as the complex number (re, im).
	pair bool
}

// denseAttr reads dense<...> : type.
func (p *Parser) denseAttr() Attr {
	p.next()
	lit := p.denseBody()
	p.Expect(":")
	off := p.start
	return p.denseOf(off, lit, p.Type())
}

// Elements reads dense<...> without a type. t is the type, which must be shaped.
func (p *Parser) Elements(t Type) Attr {
	off := p.start
	p.Expect("dense")
	return p.denseOf(off, p.denseBody(), t)
}

// denseBody reads <...> and returns its literals, or nil for <>.
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

// denseOf converts the literals to an attribute of type t. off is the position of
// the type for diagnostics.
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

// denseShape returns the shape and the element type of a type that dense data can
// have. ok is false for other types and for dynamic shapes.
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

// denseLit reads one literal or a nested list of literals.
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
