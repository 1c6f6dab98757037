// This file converts between number attributes and the bits of elements.

package ir

import "ptogo/ir/num"

// NumberAttr returns the number of type t with the given bits as an attribute. The bits
// are encoded in the element format of t, such as IEEE binary16 for f16. It returns false
// if t has no element format, for example a vector type.
func NumberAttr(t Type, bits uint64) (Attr, bool) {
	f, ok := FormatOf(t)
	switch {
	case !ok:
		return Attr{}, false
	case f.IsFloat():
		return Float(t, bits&f.Mask()), true
	case t == I1 || !f.Signed():
		return IntAttr(t, int64(bits&f.Mask())), true
	}
	return IntAttr(t, num.Int(f, bits)), true
}

// NumberBits returns the type of a numeric attribute and the bits of its value, encoded
// in the element format of that type. The result ok is false for an attribute that is not
// a number.
func (a Attr) NumberBits() (t Type, bits uint64, ok bool) {
	switch d := a.Data().(type) {
	case IntegerAttr:
		f, ok := FormatOf(d.Type)
		return d.Type, uint64(d.V) & f.Mask(), ok
	case FloatAttr:
		_, ok := FormatOf(d.Type)
		return d.Type, d.Bits, ok
	}
	return Type{}, 0, false
}

// ValueType returns the type of the value that a constant operation with attribute a
// defines. It returns the zero Type for an attribute that cannot be a constant, such as a
// string.
func (a Attr) ValueType() Type {
	switch d := a.Data().(type) {
	case IntegerAttr:
		return d.Type
	case FloatAttr:
		return d.Type
	case DenseAttr:
		return d.Type
	case DenseResourceAttr:
		return d.Type
	case StringAttr:
		return d.Type
	case OpaqueAttr:
		return d.Type
	case interface{ ValueType() Type }:
		return d.ValueType()
	}
	return Type{}
}

// Numbers returns the elements as bits, encoded in the element format of their type. For
// a splat (all elements equal) it returns one entry, otherwise all elements. ok is false
// for strings, complex numbers and types without an element format.
func (a DenseAttr) Numbers() (bits []uint64, ok bool) {
	d := denseOf(a.Type)
	f, known := FormatOf(d.elem)
	if !known || d.complex {
		return nil, false
	}
	size := d.size
	bits = make([]uint64, len(a.Raw)/size)
	for i := range bits {
		for k := range size {
			bits[i] |= uint64(a.Raw[i*size+k]) << (8 * k)
		}
		bits[i] &= f.Mask()
	}
	return bits, true
}

// DenseNumbers returns a dense attribute of the tensor or vector type t. bits holds
// either one element (a splat) or all elements, encoded in the element format. It returns
// false if the element type has no such format.
func DenseNumbers(t Type, bits []uint64) (Attr, bool) {
	_, elem, ok := denseShape(t)
	if _, known := FormatOf(elem); !ok || !known {
		return Attr{}, false
	}
	d := denseOf(t)
	raw := make([]byte, 0, len(bits)*d.size)
	for _, u := range bits {
		n, _ := NumberAttr(elem, u)
		raw = appendRaw(raw, n.Data(), d.size)
	}
	return d.attr(raw, nil), true
}
