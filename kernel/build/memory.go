// This file builds views, loads and stores.

package build

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
)

// View appends an operation that creates a row-major tensor view, and returns the view.
// The view has the given shape and starts at the pointer ptr. Extents that are constants
// become static in the type of the view.
func (f *Func) View(ptr *ir.Value, shape ...*ir.Value) *ir.Value {
	strides := make([]*ir.Value, len(shape))
	next := f.Index(1)
	for i := len(shape) - 1; i >= 0; i-- {
		if strides[i] = next; i == 0 {
			break
		}
		a, aKnown := constant(next)
		b, bKnown := constant(shape[i])
		switch {
		case aKnown && bKnown:
			next = f.Index(a * b)
		case aKnown && a == 1:
			next = shape[i]
		default:
			next = f.MulI(next, shape[i])
		}
	}
	return f.StridedView(ptr, shape, strides)
}

// StridedView appends an operation that creates a tensor view with the given shape and
// strides, and returns the view. Strides are in elements. It is used for tensors that are
// not row-major.
func (f *Func) StridedView(ptr *ir.Value, shape, strides []*ir.Value) *ir.Value {
	p, ok := ir.As[pto.PtrType](typeOf(isabase.MakeTensorView, ptr))
	if !ok {
		misuse(isabase.MakeTensorView, "%s is not a pointer", ptr.Type())
	}
	return f.insert(ir.State{
		Def: isabase.MakeTensorView, Operands: slices.Concat([]*ir.Value{ptr}, shape, strides),
		Segs:    []int32{1, int32(len(shape)), int32(len(strides))},
		Results: []ir.Type{ir.TypeOf(pto.TensorView{Shape: dims(shape), Elem: p.Elem})},
	}).Result(0)
}

// Part appends an operation that selects a rectangular region of a view, and returns the
// region. The slices offsets and sizes contain one value per dimension, in elements.
// Sizes that are constants become static in the type of the region.
func (f *Func) Part(view *ir.Value, offsets, sizes []*ir.Value) *ir.Value {
	t := f.viewType(view)
	return f.insert(ir.State{
		Def: isabase.PartitionViewOp, Operands: slices.Concat([]*ir.Value{view}, offsets, sizes),
		Segs:    []int32{1, int32(len(offsets)), int32(len(sizes))},
		Results: []ir.Type{ir.TypeOf(pto.PartitionView{Shape: dims(sizes), Elem: t.Elem})},
	}).Result(0)
}

// Whole appends an operation that selects all elements of a view as a region, and returns
// the region. Loads and stores accept regions, not views. Whole panics if an extent of
// the view is dynamic.
func (f *Func) Whole(view *ir.Value) *ir.Value {
	t := f.viewType(view)
	if !t.Shape.Static() {
		misuse(isabase.PartitionViewOp, "%s has an open extent: give the sizes to Part", view.Type())
	}
	return f.Part(view, f.Indices(make([]int64, t.Shape.Len())...), f.Indices(t.Shape.Slice()...))
}

// viewType returns the type of a tensor view. It panics if the value is not a view.
func (f *Func) viewType(view *ir.Value) pto.TensorView {
	t, ok := ir.As[pto.TensorView](typeOf(isabase.PartitionViewOp, view))
	if !ok {
		misuse(isabase.PartitionViewOp, "%s is not a view", view.Type())
	}
	return t
}

// TLoad appends an instruction that loads a region of a view into a new tile of the same
// shape, and returns the tile. It panics unless the region has two dimensions with static
// extents.
func (f *Func) TLoad(part *ir.Value) *ir.Value {
	t, ok := ir.As[pto.PartitionView](typeOf(isatile.TLoad, part))
	if !ok || t.Shape.Len() != 2 || !t.Shape.Static() {
		misuse(isatile.TLoad, "%s does not determine a tile: give its type to Tile", part.Type())
	}
	return f.Tile(isatile.TLoad, Tile(t.Elem, t.Shape.Slice()[0], t.Shape.Slice()[1]), part)
}

// TStore appends an instruction that stores a tile or tile buffer to global memory. It
// stores the valid region of the tile: the rows and columns that hold data. The
// destination is the parameter part, a region of a view.
func (f *Func) TStore(tile, part *ir.Value) {
	if ir.Is[pto.TileBuf](typeOf(isatile.TStore, tile)) {
		f.Into(isatile.TStore, part, tile)
		return
	}
	f.Op(isatile.TStore, []*ir.Value{tile, part})
}

// dims returns a shape with one extent for each value. An extent is static if the value
// is a constant, and dynamic if it is not.
func dims(values []*ir.Value) ir.Dims {
	ds := make([]int64, len(values))
	for i, v := range values {
		ds[i] = ir.Dynamic
		if n, known := constant(v); known {
			ds[i] = n
		}
	}
	return ir.MakeDims(ds...)
}

// constant returns the number that the value v holds if v is the result of an integer
// constant operation. The bool result is false for all other values.
func constant(v *ir.Value) (int64, bool) {
	if v == nil {
		return 0, false // insert reports a nil operand
	}
	a, ok := arith.ConstantAttr(v)
	if !ok {
		return 0, false
	}
	return a.AsInt()
}
