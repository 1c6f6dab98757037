// This file stores dense elements of shaped types compactly.

package ir

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
)

// dense describes how DenseAttr.Raw stores the elements of a tensor or vector type.
type dense struct {
	// typ is the tensor or vector type.
	typ Type
	// shape is the shape of typ, which must be static.
	shape Dims
	// elem is the type of one number. For complex elements it is the type of the real and
	// of the imaginary number.
	elem Type
	// complex reports whether each element has a real and an imaginary part.
	complex bool
	// size is the number of bytes of one number, or 0 if the elements are strings.
	size int
}

// denseOf returns the layout of the elements of t, a tensor or vector type with static
// shape.
func denseOf(t Type) dense {
	shape, elem, _ := denseShape(t)
	d := dense{typ: t, shape: shape, elem: elem}
	if c, ok := As[ComplexType](elem); ok {
		d.elem, d.complex = c.Elem, true
	}
	d.size = rawSize(d.elem)
	return d
}

// unit returns the number of bytes of one element. A complex element consists of two
// numbers.
func (d *dense) unit() int {
	if d.complex {
		return 2 * d.size
	}
	return d.size
}

// attr returns the dense attribute whose elements are raw, or strs for strings. If all
// elements are equal it stores only one of them (a splat). Attributes with equal elements
// are therefore identical, whether or not the program text wrote a splat.
func (d *dense) attr(raw []byte, strs []string) Attr {
	unit := d.unit()
	if d.shape.Elements() == 0 {
		raw, strs = nil, nil
	}
	// Shifting by one element compares each element with its neighbour.
	if unit > 0 && len(raw) > unit && bytes.Equal(raw[unit:], raw[:len(raw)-unit]) {
		raw = raw[:unit]
	}
	if len(strs) > 1 && !slices.ContainsFunc(strs, func(s string) bool { return s != strs[0] }) {
		strs = strs[:1]
	}
	return AttrOf(DenseAttr{Type: d.typ, Raw: string(raw), Strings: MakeList(strs...)})
}

// denseBuilder converts the literals of a dense<...> text to the bytes or strings of a
// DenseAttr.
type denseBuilder struct {
	dense
	p *Parser
	// lits are the literals of the text in order. Each list has an entry too, which
	// precedes the entries of its elements.
	lits []denseLit
	raw  []byte
	strs []string
}

// build converts the literals in lits and appends the elements to raw, or to strs for
// strings. If there is only one element, it is a splat: all elements of the type have its
// value, whatever the shape. If the literals do not fit the type, build reports an error.
// The parameter off is the byte offset of the type in the program text, for diagnostics.
func (d *denseBuilder) build(off int) {
	n := d.shape.Elements()
	if len(d.lits) == 0 {
		if n != 0 {
			d.p.ErrorAt(off, "dense<> has no elements, but type %s has %d", d.typ, n)
		}
		return
	}
	switch l := &d.lits[0]; {
	case l.kind == tokString && d.size > 0:
		d.hex(l, n)
	case !l.list || d.isElement(0):
		d.add(0)
	default:
		d.raw = make([]byte, 0, min(n*int64(d.unit()), int64(len(d.lits)*d.unit())))
		d.addList(0, d.shape.Slice())
	}
}

// text returns the text of the literal l in the source.
func (d *denseBuilder) text(l *denseLit) string { return d.p.text[l.off : l.off+l.len] }

// hex decodes the literal l, a string of hexadecimal digits, and appends its bytes. The
// string holds either one element (a splat) or all n elements. MLIR packs elements of
// type i1 into bits, least significant bit first. For i1 the splat is one byte, 00 or ff.
func (d *denseBuilder) hex(l *denseLit, n int64) {
	text, ok := strings.CutPrefix(d.text(l), `"0x`)
	raw, err := hex.DecodeString(strings.TrimSuffix(text, `"`))
	unit, size := int64(d.unit()), int64(len(raw))
	bits := d.elem == I1 && !d.complex
	switch {
	case !ok || err != nil:
	case bits && size == 1 && (raw[0] == 0 || raw[0] == 0xff):
		d.raw = []byte{raw[0] & 1}
		return
	case bits && size == (n+7)/8 && n <= 8*size:
		for i := range n {
			d.raw = append(d.raw, raw[i/8]>>(i%8)&1)
		}
		return
	case !bits && (size == unit || size%unit == 0 && size/unit == n):
		d.raw = raw
		return
	}
	d.p.ErrorAt(int(l.off), "this string does not encode a value of type %s", d.typ)
}

// isElement reports whether the literal with index i is one element although it has the
// syntax of a list: a complex number (re, im).
func (d *denseBuilder) isElement(i int) bool {
	l := &d.lits[i]
	return d.complex && l.pair && int(l.end) == i+3 && !d.lits[i+1].list
}

// after returns the index of the literal that follows literal i. If literal i is a list,
// its elements have the next indices, and after skips all of them.
func (d *denseBuilder) after(i int) int {
	if d.lits[i].list {
		return int(d.lits[i].end)
	}
	return i + 1
}

// addList appends the elements of the nested list whose literal has index i to the
// result. shape holds the dimensions that the type requires of the list. It reports a
// list whose nesting or length differs from the type.
func (d *denseBuilder) addList(i int, shape []int64) {
	l := &d.lits[i]
	isList := l.list && !d.isElement(i)
	switch {
	case d.p.bad:
	case isList != (len(shape) > 0) || isList && l.pair:
		d.p.ErrorAt(int(l.off), "the nesting of these elements does not match the shape of type %s", d.typ)
	case !isList:
		d.add(i)
	default:
		n := int64(0)
		for k := i + 1; k < int(l.end); k = d.after(k) {
			n++
		}
		if n != shape[0] {
			d.p.ErrorAt(int(l.off), "expected %d elements here, found %d", shape[0], n)
			return
		}
		for k := i + 1; k < int(l.end); k = d.after(k) {
			d.addList(k, shape[1:])
		}
	}
}

// add appends the element that literal i denotes: a complex number, a string or a real
// number.
func (d *denseBuilder) add(i int) {
	l := &d.lits[i]
	switch {
	case d.isElement(i):
		d.number(&d.lits[i+1])
		d.number(&d.lits[i+2])
	case d.complex:
		d.p.ErrorAt(int(l.off), "an element of type %s must have the form (re, im)", d.typ)
	case l.kind == tokString && d.size == 0:
		s, ok := unquote(d.text(l))
		if !ok {
			d.p.ErrorAt(int(l.off), "bad escape in string")
		}
		d.strs = append(d.strs, s)
	default:
		d.number(l)
	}
}

// number converts the literal l to the element type and appends the bytes of the
// resulting number.
func (d *denseBuilder) number(l *denseLit) {
	p, off, text := d.p, int(l.off), d.text(l)
	switch {
	case l.list || l.kind == tokString || d.size == 0:
		p.ErrorAt(off, "this is not an element of type %s", d.typ)
	case (text == "true" || text == "false") && (d.elem != I1 || l.neg):
		p.ErrorAt(off, "'%s' is of type i1, not %s", text, d.elem)
	case text == "true":
		d.raw = append(d.raw, 1)
	case text == "false":
		d.raw = append(d.raw, 0)
	case Is[FloatType](d.elem):
		d.raw = appendBytes(d.raw, p.floatOf(off, l.neg, text, d.elem).Bits, d.size)
	case l.kind == tokFloat:
		p.ErrorAt(off, "'%s' is not a value of type %s", text, d.elem)
	default:
		d.raw = appendInteger(d.raw, p.integerOf(off, l.neg, text, d.elem), d.size)
	}
}

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a DenseAttr) AppendAttr(b []byte) []byte {
	return a.Type.AppendTo(append(a.AppendElements(b), " : "...))
}

// AppendElements appends dense<...> without the type that follows it.
func (a DenseAttr) AppendElements(b []byte) []byte {
	w := denseWriter{dense: denseOf(a.Type), raw: a.Raw, strs: a.Strings.Slice()}
	w.numbers = rawElemOf(w.elem)
	b = append(b, "dense<"...)
	switch {
	case w.shape.Elements() == 0:
	case len(w.strs) == 1 || len(w.strs) == 0 && len(w.raw) == w.unit():
		b = w.element(b, 0)
	case len(w.strs) == 0 && w.shape.Elements() > mostNumbers:
		b = w.hex(b)
	default:
		b = w.list(b, w.shape.Slice(), new(int))
	}
	return append(b, '>')
}

// mostNumbers is the number of elements up to which numbers are printed. More elements
// are printed as one string of hexadecimal digits, as in MLIR.
const mostNumbers = 100

// hex appends the bytes of all elements as a quoted string of hexadecimal digits, the
// format that denseBuilder.hex reads.
func (w *denseWriter) hex(b []byte) []byte {
	raw := w.raw
	if w.elem == I1 && !w.complex {
		packed := make([]byte, (len(raw)+7)/8)
		for i := range len(raw) {
			packed[i/8] |= raw[i] << (i % 8)
		}
		raw = string(packed)
	}
	const digits = "0123456789ABCDEF"
	b = slices.Grow(b, 2*len(raw)+4)
	b = append(b, `"0x`...)
	for i := range len(raw) {
		b = append(b, digits[raw[i]>>4], digits[raw[i]&15])
	}
	return append(b, '"')
}

// denseWriter prints the elements of a DenseAttr.
type denseWriter struct {
	dense
	numbers rawElem
	raw     string
	strs    []string
}

// list appends the elements as nested lists in row-major order, one level of brackets per
// dimension of shape. *next is the index of the next element to print; list advances it.
func (w *denseWriter) list(b []byte, shape []int64, next *int) []byte {
	if len(shape) == 0 {
		*next++
		return w.element(b, *next-1)
	}
	b = append(b, '[')
	for i := range shape[0] {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = w.list(b, shape[1:], next)
	}
	return append(b, ']')
}

// element appends the text of element i to b. The text of a complex number is two numbers
// in parentheses.
func (w *denseWriter) element(b []byte, i int) []byte {
	switch {
	case len(w.strs) > 0:
		return AppendQuoted(b, w.strs[i])
	case w.complex:
		b = w.number(append(b, '('), 2*i)
		b = w.number(append(b, ','), 2*i+1)
		return append(b, ')')
	}
	return w.number(b, i)
}

// number appends the number with index i in the raw bytes to b. A complex element
// consists of two numbers.
func (w *denseWriter) number(b []byte, i int) []byte {
	return w.numbers.append(b, w.raw, i)
}

// Splat returns the common value and true if all elements are equal. The second result is
// false for strings, for complex elements and for numbers of more than 8 bytes.
func (a DenseAttr) Splat() (Attr, bool) {
	d := denseOf(a.Type)
	if !d.complex && d.size > 0 && d.size <= 8 && len(a.Raw) == d.size {
		return readRaw(a.Raw, 0, d.elem), true
	}
	return Attr{}, false
}
