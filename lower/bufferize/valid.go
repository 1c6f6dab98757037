// This file computes dynamic valid regions.

package bufferize

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// validFor emits the dynamic extents of the valid region of result v of op. They equal
// those of an operand if a rule of the instruction requires that. Otherwise they follow
// from the meaning of op.
func (b *bufferizer) validFor(op *ir.Op, v *ir.Value) extents {
	info, _ := pto.TileOf(v.Type())
	if info.StaticValid() {
		return extents{}
	}
	var e extents
	if info.VRows == ir.Dynamic {
		e.rows = b.extentFor(op, v, 0)
	}
	if info.VCols == ir.Dynamic {
		e.cols = b.extentFor(op, v, 1)
	}
	return e
}

// extentFor emits the number of valid rows (axis 0) or columns (axis 1) of result v of
// op. It reports an error if it cannot be determined.
func (b *bufferizer) extentFor(op *ir.Op, v *ir.Value, axis int) *ir.Value {
	name := resultName(op, v)
	for _, source := range pto.TiedExtents(op.Def(), name, axis, b.target) {
		if s := op.Arg(source); s != nil && pto.IsTile(s.Type()) {
			return b.extentOf(op, s, axis)
		}
	}
	if old := op.Arg(name); old != nil && pto.IsTile(old.Type()) { // updated in place
		return b.extentOf(op, old, axis)
	}
	if e := b.extentByMeaning(op, axis); e != nil {
		return e
	}
	b.errorf(op, "returns a tile with dynamic valid %s, but pto-bufferize cannot infer their number: %s",
		[]string{"rows", "columns"}[axis], v.Type())
	return nil
}

// resultName returns the name of result v in the form of op.
func resultName(op *ir.Op, v *ir.Value) string {
	for i := range op.Form().Results {
		if from, to := op.ResultRange(i); from <= v.Index() && v.Index() < to {
			return op.Form().Results[i].Name
		}
	}
	return ""
}

// viewExtent emits the product of the extents of a view along an axis, or returns nil if
// the value is not a view.
func (b *bufferizer) viewExtent(op *ir.Op, view *ir.Value, axis pto.ViewAxis) *ir.Value {
	t, ok := ir.As[pto.PartitionView](view.Type())
	if !ok {
		return nil
	}
	var all *ir.Value
	for _, d := range axis.Dims(t.Shape.Len()) {
		if t.Shape.At(d) == 1 {
			continue
		}
		if n := b.viewDim(op, view, d); all == nil {
			all = n
		} else {
			all = ir.Before(op).Op(arith.MulI, []*ir.Value{all, n}, []ir.Type{ir.Index}).Result(0)
		}
	}
	if all == nil {
		return arith.Index(ir.Before(op), 1)
	}
	return all
}

// loadedExtent emits the number of rows (axis 0) or columns (axis 1) of the tile that op
// loads from a view.
func (b *bufferizer) loadedExtent(op *ir.Op, axis int) *ir.Value {
	info, _ := pto.TileOf(op.Result(0).Type())
	rows, cols := pto.ViewAxes(info)
	return b.viewExtent(op, op.Operand(0), []pto.ViewAxis{rows, cols}[axis])
}

// viewDim returns the extent of dimension i of a view: a constant, the operand of
// the operation that creates the view, or a query at run time.
func (b *bufferizer) viewDim(op *ir.Op, view *ir.Value, i int) *ir.Value {
	t, _ := ir.As[pto.PartitionView](view.Type())
	if n := t.Shape.At(i); n != ir.Dynamic {
		return arith.Index(ir.Before(op), n)
	}
	if def := view.Op(); def != nil {
		if _, ok := def.Def().Sem.(sem.PartView); ok {
			return def.Args("sizes")[i]
		}
	}
	return b.ask(op, isabase.GetTensorViewDim, view, arith.Index(ir.Before(op), int64(i)))
}

// extentOf emits, before op, the number of valid rows (axis 0) or columns (axis 1) of a
// tile.
func (b *bufferizer) extentOf(op *ir.Op, tile *ir.Value, axis int) *ir.Value {
	info, _ := pto.TileOf(tile.Type())
	n := []int64{info.VRows, info.VCols}[axis]
	if n != ir.Dynamic {
		return arith.Index(ir.Before(op), n)
	}
	buf := tile
	if i, ok := b.g.number[tile]; ok {
		buf = b.buffer(i)
	}
	return b.extentOfBuffer(op, buf, axis)
}

// extentOfBuffer emits, before op, the number of valid rows (axis 0) or columns (axis 1)
// of a buffer. If the valid region of the buffer can change, it inserts an instruction
// that reads it at run time.
func (b *bufferizer) extentOfBuffer(op *ir.Op, buf *ir.Value, axis int) *ir.Value {
	if def := buf.Op(); def != nil && def.Is(isatile.AllocTile) && !b.varies[buf] {
		return def.Arg([]string{"valid_row", "valid_col"}[axis])
	}
	return b.ask(op, []*ir.Def{isatile.TileValidRows, isatile.TileValidCols}[axis], buf)
}

// validOf returns the dynamic extents of the valid region of a buffer, as values that are
// defined before op.
func (b *bufferizer) validOf(op *ir.Op, buf *ir.Value) extents {
	info, _ := pto.TileOf(buf.Type())
	var e extents
	if info.VRows == ir.Dynamic {
		e.rows = b.extentOfBuffer(op, buf, 0)
	}
	if info.VCols == ir.Dynamic {
		e.cols = b.extentOfBuffer(op, buf, 1)
	}
	return e
}

// setValid inserts an instruction that sets the valid region of a buffer to e, the
// extents of a tile of type t that op is about to write. It does nothing for buffers
// whose valid region never changes.
func (b *bufferizer) setValid(op *ir.Op, buf *ir.Value, e extents, t ir.Type) {
	info, _ := pto.TileOf(t)
	if info.StaticValid() || !b.varies[buf] || e == (extents{}) {
		return
	}
	e = b.completed(op, e, t)
	ir.Before(op).Op(isatile.SetValidShape, []*ir.Value{buf, e.rows, e.cols}, nil)
}

// completed returns e with the missing extents filled in from the static extents of type
// t.
func (b *bufferizer) completed(op *ir.Op, e extents, t ir.Type) extents {
	info, _ := pto.TileOf(t)
	if info.StaticValid() {
		return e
	}
	if e.rows == nil && info.VRows != ir.Dynamic {
		e.rows = arith.Index(ir.Before(op), info.VRows)
	}
	if e.cols == nil && info.VCols != ir.Dynamic {
		e.cols = arith.Index(ir.Before(op), info.VCols)
	}
	return e
}

// halfOpen reports whether exactly one of the valid rows and columns of a tile type
// is dynamic.
func halfOpen(t ir.Type) bool {
	info, ok := pto.TileOf(t)
	return ok && (info.VRows == ir.Dynamic) != (info.VCols == ir.Dynamic)
}

// opened returns the type t of a buffer with a dynamic valid region if exactly one of its
// extents is dynamic. Setting the valid region at run time needs both extents to be
// dynamic.
func opened(t ir.Type) ir.Type {
	d, ok := ir.As[pto.TileBuf](t)
	if !ok || !halfOpen(t) {
		return t
	}
	d.VRows, d.VCols = ir.Dynamic, ir.Dynamic
	return ir.TypeOf(d)
}

// ask inserts an operation of definition d, whose result is an index, before op and
// returns the result.
func (b *bufferizer) ask(op *ir.Op, d *ir.Def, operands ...*ir.Value) *ir.Value {
	return ir.Before(op).Op(d, operands, []ir.Type{ir.Index}).Result(0)
}
