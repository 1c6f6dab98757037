package ir

import (
	"math"
	"strings"
)

// The text of an extent list is read byte by byte, since "4x8xf32" is not made
// of tokens. Blanks may stand around each x all the same.

// Dims reads extents in the way of a shaped type, each followed by x, and
// leaves the parser at the element type.
func (p *Parser) Dims() Dims {
	var ds []int64
	i := p.start
	for {
		d, end := p.dim(i)
		next, ok := p.cross(end)
		if end == i || !ok {
			break
		}
		ds = append(ds, d)
		i = next
	}
	if len(ds) > 0 {
		p.jump(i)
	}
	return MakeDims(ds...)
}

// Extents reads extents separated by x with nothing after the last one, as
// in valid=16x?.
func (p *Parser) Extents() []int64 {
	var ds []int64
	for i := p.start; ; {
		d, end := p.dim(i)
		if end == i {
			p.expected("an extent")
			return nil
		}
		ds = append(ds, d)
		next, ok := p.cross(end)
		if !ok {
			p.jump(end)
			return ds
		}
		i = next
	}
}

// cross looks for an x at offset i and returns where what follows it starts.
func (p *Parser) cross(i int) (next int, ok bool) {
	if i = skipSpace(p.text, i); p.lexer.at(i) != 'x' {
		return i, false
	}
	return skipSpace(p.text, i+1), true
}

// dim reads one extent at offset i and returns where it ends.
func (p *Parser) dim(i int) (d int64, end int) {
	if p.lexer.at(i) == '?' {
		return Dynamic, i + 1
	}
	for end = i; isDigit(p.lexer.at(end)); end++ {
		digit := int64(p.text[end] - '0')
		if d > (math.MaxInt64-digit)/10 {
			p.ErrorAt(i, "extent is too large")
			return 0, i
		}
		d = 10*d + digit
	}
	return d, end
}

// scalableDim reads one extent of a vector, which stands in brackets if it is
// scalable.
func (p *Parser) scalableDim(i int) (d int64, scalable bool, end int) {
	if p.lexer.at(i) != '[' {
		d, end = p.dim(i)
		return d, false, end
	}
	from := skipSpace(p.text, i+1)
	d, end = p.dim(from)
	if end = skipSpace(p.text, end); end == from || p.lexer.at(end) != ']' {
		return 0, false, i
	}
	return d, true, end + 1
}

func (p *Parser) vectorType() Type {
	var ds []int64
	var scalable []byte
	some := false
	i := p.start
	for {
		d, s, end := p.scalableDim(i)
		next, ok := p.cross(end)
		if end == i || !ok {
			break
		}
		if d == Dynamic || d == 0 {
			p.ErrorAt(i, "vector dimension %d must have a positive static extent", len(ds))
		}
		ds = append(ds, d)
		scalable = append(scalable, '0'+b2i(s))
		some = some || s
		i = next
	}
	if len(ds) > 0 {
		p.jump(i)
	}
	t := VectorType{Shape: MakeDims(ds...), Elem: p.element("vector", isVectorElement)}
	if some {
		t.Scalable = string(scalable)
	}
	return TypeOf(t)
}

func b2i(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// element reads the element type of a shaped type.
func (p *Parser) element(of string, ok func(Type) bool) Type {
	off := p.start
	t := p.Type()
	if !p.bad && !ok(t) {
		p.ErrorAt(off, "a %s cannot have elements of type %s", of, t)
	}
	return t
}

// isVectorElement accepts numbers, those of dialects among them.
func isVectorElement(t Type) bool {
	_, ok := FormatOf(t)
	return ok || IsScalar(t)
}

func isTensorElement(t Type) bool { return isMemRefElement(t) && !Is[MemRefType](t) }

// isMemRefElement accepts everything but the builtin types that do not lie in
// memory.
func isMemRefElement(t Type) bool {
	switch t.Data().(type) {
	case NoneType, TupleType, FunctionType, TensorType:
		return false
	}
	return true
}

// unranked reads *x.
func (p *Parser) unranked() bool {
	if p.kind != '*' {
		return false
	}
	next, ok := p.cross(p.end)
	if ok {
		p.jump(next)
	}
	return ok
}

func (p *Parser) tensorType() Type {
	t := TensorType{Unranked: p.unranked()}
	if !t.Unranked {
		t.Shape = p.Dims()
	}
	t.Elem = p.element("tensor", isTensorElement)
	if p.Accept(",") {
		t.Encoding = p.Attr()
	}
	return TypeOf(t)
}

func (p *Parser) memrefType() Type {
	t := MemRefType{Unranked: p.unranked()}
	if !t.Unranked {
		t.Shape = p.Dims()
	}
	t.Elem = p.element("memref", isMemRefElement)
	first, spaces := true, 0
	for p.Accept(",") {
		off := p.start
		a := p.Attr()
		if isLayout(a) {
			if !first {
				p.ErrorAt(off, "memref has its layout once, before the memory space")
			}
			t.Layout = p.layout(off, a, &t)
		} else {
			if spaces++; spaces > 1 {
				p.ErrorAt(off, "memref has more than one memory space")
			}
			t.Space = p.memorySpace(off, unwrapSpace(a))
		}
		first = false
	}
	return TypeOf(t)
}

func isLayout(a Attr) bool {
	switch a.Data().(type) {
	case AffineAttr, StridedAttr:
		return true
	}
	return false
}

// layout checks that a layout is one for the shape of t. A map that changes
// nothing is no layout.
func (p *Parser) layout(off int, a Attr, t *MemRefType) Attr {
	if p.bad {
		return Attr{}
	}
	rank, identity := t.Shape.Len(), false
	switch d := a.Data().(type) {
	case StridedAttr:
		rank = d.Strides.Len()
		for i := range rank {
			if d.Strides.At(i) == 0 {
				p.ErrorAt(off, "stride %d is zero, so elements lie on each other", i)
			}
		}
	case AffineAttr:
		rank, identity = d.rank()
	}
	switch {
	case t.Unranked:
		p.ErrorAt(off, "a memref of any rank cannot have a layout")
	case rank != t.Shape.Len():
		p.ErrorAt(off, "the layout has %s, but the memref has %d", Count(rank, "dimension"), t.Shape.Len())
	case identity:
		return Attr{}
	}
	return a
}

// rank returns the number of dimensions of a map, and whether its results are
// those dimensions.
func (a AffineAttr) rank() (n int, identity bool) {
	dims, rest, _ := strings.Cut(strings.TrimPrefix(a.Text, "("), ")")
	if dims != "" {
		n = strings.Count(dims, ",") + 1
	}
	return n, rest == " -> ("+dims+")"
}

// memorySpace checks an attribute in the place of a memory space; zero is the
// space that need not be named.
func (p *Parser) memorySpace(off int, a Attr) Attr {
	switch d := a.Data().(type) {
	case IntegerAttr:
		if d.Type == I64 && d.V == 0 {
			return Attr{}
		}
	case TypeAttr, ArrayAttr, UnitAttr, FloatAttr, DenseAttr, DenseArrayAttr, SymbolRefAttr, LocAttr:
		p.ErrorAt(off, "%s is no memory space", a)
	}
	return a
}
