// This file parses shaped types: vectors, tensors and memrefs.

package ir

import (
	"math"
	"strings"
)

// The text of an extent list is read byte by byte, because "4x8xf32" does not
// consist of tokens. White space is allowed around each x.

// Dims parses the extents of a tensor, vector or memref type, such as 4x?x. Each extent
// is followed by an x; the element type comes after the last x.
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

// Extents parses extents that are separated by x, with no x after the last one, as in
// 16x?.
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

// cross tests whether the next character after offset i, except for white space, is an x.
// Dimensions in types are separated by x. If ok is true, next is the offset after the x.
func (p *Parser) cross(i int) (next int, ok bool) {
	if i = skipSpace(p.text, i); p.lexer.at(i) != 'x' {
		return i, false
	}
	return skipSpace(p.text, i+1), true
}

// dim parses one extent at offset i and returns it with the offset after it. The offset
// is i if the text contains no extent. The text ? denotes Dynamic.
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

// scalableDim parses one extent of a vector type at byte offset i. It returns the extent,
// whether it is in brackets, and the offset after it. An extent in brackets is scalable:
// the hardware multiplies it by a factor that is known at run time.
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

// vectorType parses the text between the angle brackets of a vector type such as
// vector<4x[8]xf32>. Square brackets mark a scalable dimension. Each dimension must be
// static and positive.
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
	if !p.bad && t.Shape.Elements() > mostVectorElements {
		p.ErrorAt(i, "a vector must have at most %d elements", int64(mostVectorElements))
	}
	if some {
		t.Scalable = string(scalable)
	}
	return TypeOf(t)
}

// mostVectorElements is the maximum number of elements of a vector type. Vectors of this
// size fit no memory; the bound ensures that sizes in bytes do not overflow.
const mostVectorElements = 1 << 32

// b2i returns 1 for true and 0 for false.
func b2i(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// element parses the element type of a tensor, vector or memref type. The first argument
// is the name of the enclosing type, such as "vector", for diagnostics. The last argument
// is a function that reports whether an element type is legal. If it is not, element
// reports an error.
func (p *Parser) element(of string, ok func(Type) bool) Type {
	off := p.start
	t := p.Type()
	if !p.bad && !ok(t) {
		p.ErrorAt(off, "a %s cannot have elements of type %s", of, t)
	}
	return t
}

// isVectorElement reports whether t may be the element type of a vector: a scalar type,
// including scalar types of dialects.
func isVectorElement(t Type) bool {
	_, ok := FormatOf(t)
	return ok || IsScalar(t)
}

// isTensorElement reports whether t may be the element type of a tensor: every type that
// a memref can contain, except memrefs.
func isTensorElement(t Type) bool { return isMemRefElement(t) && !Is[MemRefType](t) }

// isMemRefElement reports whether t may be the element type of a memref. It excludes the
// builtin types none, tuple, function and tensor, which memory cannot contain.
func isMemRefElement(t Type) bool {
	switch t.Data().(type) {
	case NoneType, TupleType, FunctionType, TensorType:
		return false
	}
	return true
}

// unranked parses the text *x, which marks a tensor or memref without a rank, and reports
// whether it was present.
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

// tensorType parses the text between the angle brackets of a tensor type such as
// tensor<4x?xf32> or tensor<*xf32>. An encoding attribute may follow after a comma.
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

// memrefType parses the text between the angle brackets of a memref type, such as 4x?xf32
// with an optional layout and memory space.
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
				p.ErrorAt(off, "a memref must have at most one layout, before the memory space")
			}
			t.Layout = p.layout(off, a, &t)
		} else {
			if spaces++; spaces > 1 {
				p.ErrorAt(off, "a memref must have at most one memory space")
			}
			t.Space = p.memorySpace(off, unwrapSpace(a))
		}
		first = false
	}
	return TypeOf(t)
}

// isLayout reports whether the attribute a is a memref layout. Any other attribute after
// the element type is the memory space.
func isLayout(a Attr) bool {
	switch a.Data().(type) {
	case AffineAttr, StridedAttr:
		return true
	}
	return false
}

// layout checks that the attribute a is a valid layout for the shape of the memref type
// t, and returns this attribute. If it is an identity map, the result is the zero Attr,
// so that equal types are identical. Errors are reported at byte offset off.
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
				p.ErrorAt(off, "stride %d is zero, so several elements share one address", i)
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

// rank returns the number of inputs of the affine map. A layout of a memref maps one
// input for each dimension of the memref. The result identity reports whether the map
// returns its inputs unchanged.
func (a AffineAttr) rank() (n int, identity bool) {
	dims, rest, _ := strings.Cut(strings.TrimPrefix(a.Text, "("), ")")
	if dims != "" {
		n = strings.Count(dims, ",") + 1
	}
	return n, rest == " -> ("+dims+")"
}

// memorySpace checks that a can be the memory space of a memref and returns it. It
// returns the zero Attr for the integer 0, the default memory space. The parameter off is
// the source offset for diagnostics.
func (p *Parser) memorySpace(off int, a Attr) Attr {
	switch d := a.Data().(type) {
	case IntegerAttr:
		if d.Type == I64 && d.V == 0 {
			return Attr{}
		}
	case TypeAttr, ArrayAttr, UnitAttr, FloatAttr, DenseAttr, DenseArrayAttr, SymbolRefAttr, LocAttr:
		p.ErrorAt(off, "%s is not a memory space", a)
	}
	return a
}
