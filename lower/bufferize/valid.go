// This file computes dynamic valid regions.

package bufferize

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
)

// validFor emits the dynamic extents of the valid region of v, a result of op. If a rule
// of the instruction requires v and an operand to have equal valid regions, they are the
// extents of that operand. Otherwise they follow from what op computes.
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
// op. It reports an error if it cannot be determined, or if it is a constant that exceeds
// the storage of the tile.
func (b *bufferizer) extentFor(op *ir.Op, v *ir.Value, axis int) *ir.Value {
	what := []string{"rows", "columns"}[axis]
	e := (Extents{b.target, b.extentOf}).OfResult(op, v, axis)
	if e == nil {
		b.errorf(op, "returns a tile with dynamic valid %s, but pto-bufferize cannot infer their number: %s", what, v.Type())
		return nil
	}
	info, _ := pto.TileOf(v.Type())
	if n, known := arith.ConstantInt(e); known && n > []int64{info.Rows, info.Cols}[axis] {
		b.errorf(op, "returns a tile with %d valid %s, which do not fit into %s", n, what, v.Type())
	}
	return e
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
// of a buffer, the parameter buf. If the valid region of the buffer can change, it
// inserts an instruction that reads it at run time.
func (b *bufferizer) extentOfBuffer(op *ir.Op, buf *ir.Value, axis int) *ir.Value {
	if def := buf.Op(); def != nil && def.Is(isatile.AllocTile) && !b.varies[buf] {
		return def.Arg([]string{"valid_row", "valid_col"}[axis])
	}
	return ask(op, []*ir.Def{isatile.TileValidRows, isatile.TileValidCols}[axis], buf)
}

// validOf returns the extents of the valid region of a buffer that its type does not
// determine. If necessary, it inserts operations before op that compute these extents.
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

// setValid inserts an instruction before op that sets the valid region of a buffer, the
// parameter buf. e contains the new extents: those of the tile of type t that op is about
// to write. setValid does nothing for a buffer whose valid region never changes.
func (b *bufferizer) setValid(op *ir.Op, buf *ir.Value, e extents, t ir.Type) {
	info, _ := pto.TileOf(t)
	if info.StaticValid() || !b.varies[buf] || e == (extents{}) {
		return
	}
	e = b.completed(op, e, t)
	ir.Before(op).Op(isatile.SetValidShape, []*ir.Value{buf, e.rows, e.cols}, nil)
}

// completed completes e, the extents of a valid region, in which the rows or columns can
// be nil. For each extent that is nil in e and constant in the tile type t, it inserts a
// constant before op. It returns the completed extents.
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

// opened returns the type of a buffer of type t. If exactly one of the two valid extents
// of t is dynamic, both valid extents of the result are dynamic, because an instruction
// can only set both at run time. Any other type is returned unchanged.
func opened(t ir.Type) ir.Type {
	d, ok := ir.As[pto.TileBuf](t)
	if !ok || !halfOpen(t) {
		return t
	}
	d.VRows, d.VCols = ir.Dynamic, ir.Dynamic
	return ir.TypeOf(d)
}
