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

// View returns a row-major view of the given shape that starts at ptr. Constant
// extents become static extents of its type.
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

// StridedView is View with explicit strides, in elements, for tensors in another
// order.
func (f *Func) StridedView(ptr *ir.Value, shape, strides []*ir.Value) *ir.Value {
	p, ok := ir.As[pto.PtrType](typeOf(isabase.MakeTensorView, ptr))
	if !ok {
		misuse(isabase.MakeTensorView, "%s is no pointer", ptr.Type())
	}
	return f.insert(ir.State{
		Def: isabase.MakeTensorView, Operands: slices.Concat([]*ir.Value{ptr}, shape, strides),
		Segs:    []int32{1, int32(len(shape)), int32(len(strides))},
		Results: []ir.Type{ir.TypeOf(pto.TensorView{Shape: dims(shape), Elem: p.Elem})},
	}).Result(0)
}

// Part returns the part of a view at the given offsets and with the given sizes.
// Constant sizes become static extents of its type.
func (f *Func) Part(view *ir.Value, offsets, sizes []*ir.Value) *ir.Value {
	t := f.viewType(view)
	return f.insert(ir.State{
		Def: isabase.PartitionViewOp, Operands: slices.Concat([]*ir.Value{view}, offsets, sizes),
		Segs:    []int32{1, int32(len(offsets)), int32(len(sizes))},
		Results: []ir.Type{ir.TypeOf(pto.PartitionView{Shape: dims(sizes), Elem: t.Elem})},
	}).Result(0)
}

// Whole returns the part that covers a whole view. All extents of the view must be
// static.
func (f *Func) Whole(view *ir.Value) *ir.Value {
	t := f.viewType(view)
	if !t.Shape.Static() {
		misuse(isabase.PartitionViewOp, "%s has an open extent: give the sizes to Part", view.Type())
	}
	return f.Part(view, f.Indices(make([]int64, t.Shape.Len())...), f.Indices(t.Shape.Slice()...))
}

// viewType returns the type of a view, and panics if the value is not a view.
func (f *Func) viewType(view *ir.Value) pto.TensorView {
	t, ok := ir.As[pto.TensorView](typeOf(isabase.PartitionViewOp, view))
	if !ok {
		misuse(isabase.PartitionViewOp, "%s is no view", view.Type())
	}
	return t
}

// TLoad loads a part of rank 2 with static extents into a new tile of the same
// shape.
func (f *Func) TLoad(part *ir.Value) *ir.Value {
	t, ok := ir.As[pto.PartitionView](typeOf(isatile.TLoad, part))
	if !ok || t.Shape.Len() != 2 || !t.Shape.Static() {
		misuse(isatile.TLoad, "%s does not determine a tile: give its type to Tile", part.Type())
	}
	return f.Tile(isatile.TLoad, Tile(t.Elem, t.Shape.Slice()[0], t.Shape.Slice()[1]), part)
}

// TStore stores the valid region of a tile or buffer to a part of a view.
func (f *Func) TStore(tile, part *ir.Value) {
	if ir.Is[pto.TileBuf](typeOf(isatile.TStore, tile)) {
		f.Into(isatile.TStore, part, tile)
		return
	}
	f.Op(isatile.TStore, []*ir.Value{tile, part})
}

// dims returns the extents that are constants; the others are dynamic.
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

// constant returns the value of an integer constant, and false for any other value.
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
