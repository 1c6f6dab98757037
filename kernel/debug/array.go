// This file converts values of the runtime to arrays.

package debug

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
	"ptogo/runtime"
)

// arrayOf converts elements that the runtime has copied into an array. The elements
// become f32 if they are smaller than a byte, or if no element type exists for their
// number format.
func arrayOf(x runtime.Elements) *kernel.Array {
	a := &kernel.Array{Elem: typeOf(x.Format), Shape: x.Shape, Data: x.Data}
	if a.Elem.IsZero() || pto.ByteSize(a.Elem) != x.Size {
		return floats(x.Format, x.Size, x.Shape, x.Data)
	}
	return a
}

// typeOf returns the element type whose elements have the number format f. It returns the
// zero Type if the IR does not have an element type with this format.
func typeOf(f num.Format) ir.Type {
	if f == num.I1 {
		return ir.I1
	}
	_, t, err := kernel.ParseShape("1x" + f.String())
	if err != nil {
		return ir.Type{}
	}
	return t
}

// floats converts elements of format f, which have size bytes each in data, to an array
// of f32 with the given shape.
func floats(f num.Format, size int, shape []int64, data []byte) *kernel.Array {
	a := kernel.Zeros(ir.F32, shape...)
	for i := 0; i*size < len(data); i++ {
		x := num.Decode(f, num.Load(f, data[i*size:]))
		num.Store(num.F32, a.Data[4*i:], num.Encode(num.F32, x, num.NearestEven, false))
	}
	return a
}

// AsF32 converts the elements of the array a to f32 and returns them as a new array. If
// the elements of a are f32 already, it returns a.
func AsF32(a *kernel.Array) *kernel.Array {
	f, _ := ir.FormatOf(a.Elem)
	size, _ := a.Size()
	if a.Elem == ir.F32 {
		return a
	}
	return floats(f, size, a.Shape, a.Data)
}
