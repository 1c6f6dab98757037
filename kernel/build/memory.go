package build

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
)

// View describes the tensor of a shape, in row-major order, that starts at a
// pointer. Extents that are constants become part of its type.
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

// StridedView is View with strides, in elements, for tensors in another order.
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

// Part cuts the part of the given sizes at offsets out of a view. Sizes that are
// constants become part of its type.
func (f *Func) Part(view *ir.Value, offsets, sizes []*ir.Value) *ir.Value {
	t := f.viewType(view)
	return f.insert(ir.State{
		Def: isabase.PartitionViewOp, Operands: slices.Concat([]*ir.Value{view}, offsets, sizes),
		Segs:    []int32{1, int32(len(offsets)), int32(len(sizes))},
		Results: []ir.Type{ir.TypeOf(pto.PartitionView{Shape: dims(sizes), Elem: t.Elem})},
	}).Result(0)
}

// Whole is the part that is all of a view of known extents.
func (f *Func) Whole(view *ir.Value) *ir.Value {
	t := f.viewType(view)
	if !t.Shape.Static() {
		misuse(isabase.PartitionViewOp, "%s has an open extent: give the sizes to Part", view.Type())
	}
	return f.Part(view, f.Indices(make([]int64, t.Shape.Len())...), f.Indices(t.Shape.Slice()...))
}

func (f *Func) viewType(view *ir.Value) pto.TensorView {
	t, ok := ir.As[pto.TensorView](typeOf(isabase.PartitionViewOp, view))
	if !ok {
		misuse(isabase.PartitionViewOp, "%s is no view", view.Type())
	}
	return t
}

// TLoad loads a part of rank 2 and known extents into a tile of its shape.
func (f *Func) TLoad(part *ir.Value) *ir.Value {
	t, ok := ir.As[pto.PartitionView](typeOf(isatile.TLoad, part))
	if !ok || t.Shape.Len() != 2 || !t.Shape.Static() {
		misuse(isatile.TLoad, "%s does not determine a tile: give its type to Tile", part.Type())
	}
	return f.Tile(isatile.TLoad, Tile(t.Elem, t.Shape.Slice()[0], t.Shape.Slice()[1]), part)
}

// TStore stores the valid region of a tile, or of a buffer, to a part of a view.
func (f *Func) TStore(tile, part *ir.Value) {
	if ir.Is[pto.TileBuf](typeOf(isatile.TStore, tile)) {
		f.Into(isatile.TStore, part, tile)
		return
	}
	f.Op(isatile.TStore, []*ir.Value{tile, part})
}

// dims are the extents that the values determine; others are open.
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

// constant returns the integer that a value always is.
func constant(v *ir.Value) (int64, bool) {
	if v == nil {
		return 0, false // which insert reports
	}
	a, ok := arith.ConstantAttr(v)
	if !ok {
		return 0, false
	}
	return a.AsInt()
}
