// This file computes strides and offsets of memref types.

package memref

import (
	"slices"

	"ptogo/ir"
)

// Strides returns the stride of each dimension and the offset of the first element, both
// in elements. A number that is known only at run time is ir.Dynamic. The result ok is
// false for an unranked memref and for a layout that is an affine map.
func Strides(t ir.MemRefType) (strides []int64, offset int64, ok bool) {
	if t.Unranked {
		return nil, 0, false
	}
	if s, ok := ir.AttrAs[ir.StridedAttr](t.Layout); ok {
		return s.Strides.Slice(), s.Offset, s.Strides.Len() == t.Shape.Len()
	}
	if !t.Layout.IsZero() {
		return nil, 0, false
	}
	strides = make([]int64, t.Shape.Len())
	n := int64(1)
	for i := len(strides) - 1; i >= 0; i-- {
		strides[i] = n
		n = times(n, t.Shape.At(i))
	}
	return strides, 0, true
}

// Flat returns the strides and the offset, in elements, of memref type t. ok is false
// unless all strides are constants, so that the address of each element follows from
// that of the first one.
func Flat(t ir.Type) (strides []int64, offset int64, ok bool) {
	m, ok := ir.As[ir.MemRefType](t)
	if !ok {
		return nil, 0, false
	}
	strides, offset, ok = Strides(m)
	return strides, offset, ok && !slices.Contains(strides, ir.Dynamic)
}

// times and plus compute with numbers that may be ir.Dynamic, which makes the
// result Dynamic. A product with 0 is 0.

// times multiplies sizes or strides that may be dynamic. 0 times a dynamic number
// is 0.
func times(a, b int64) int64 {
	switch {
	case a == 0 || b == 0:
		return 0
	case a == ir.Dynamic || b == ir.Dynamic:
		return ir.Dynamic
	}
	return a * b
}

// compatible reports whether two numbers, which may be ir.Dynamic, can be equal at
// run time.
func compatible(a, b int64) bool { return a == b || a == ir.Dynamic || b == ir.Dynamic }

// numDynamic returns the number of dynamic extents.
func numDynamic(d ir.Dims) int {
	n := 0
	for i := range d.Len() {
		if d.At(i) == ir.Dynamic {
			n++
		}
	}
	return n
}

// typeOf returns the memref type of a value. For another type, which the verifier
// rejects, it returns the zero MemRefType.
func typeOf(v *ir.Value) ir.MemRefType {
	t, _ := ir.As[ir.MemRefType](v.Type())
	return t
}

// elemOf is a constraint that accepts only the element type of a memref operand; its
// value is the name of that operand.
type elemOf string

func (c elemOf) Check(t ir.Type, e *ir.Env) bool {
	u := c.Infer(e)
	return u.IsZero() || t == u
}

func (c elemOf) Want(e *ir.Env) string { return c.Infer(e).String() }

// Infer implements ir.Inferrer. For a program that omits the type, it returns the element
// type of the memref operand that c names.
func (c elemOf) Infer(e *ir.Env) ir.Type {
	if t, ok := ir.As[ir.MemRefType](e.Type(string(c))); ok {
		return t.Elem
	}
	return ir.Type{}
}
