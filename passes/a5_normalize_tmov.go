// This file defines the pass that reshapes column-major tiles of moves within vec on A5.

package passes

import (
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A5NormalizeTMov reshapes the tiles of moves within vec on A5 to row-major if they are
// column-major. The device library of A5 moves the rows of a tile one by one, and the rows
// of a column-major tile do not start at multiples of 32 bytes. An RxC tile becomes a CxR
// tile with the same bytes.
var A5NormalizeTMov = &Pass{
	Name:  "pto-a5-normalize-tmov",
	Title: "PTOA5NormalizeTMov",
	Doc:   "On A5, reshapes the tiles of pto.tmov to row-major if the instruction moves a column-major tile without boxes within vec, because the NPU headers of A5 move row-major tiles only. --emit=cpp runs this pass.",
	Stats: []Stat{{"num-reshaped", "moves whose tiles were reshaped"}},
	Run: func(c *Context, op *ir.Op) error {
		return c.Rewrite(op, ir.Pattern{Name: "a5-normalize-tmov", On: isatile.TMov, Do: func(rw *ir.Rewriter, op *ir.Op) bool {
			if rw.Target != sem.A5 || !moveRows(rw, op) {
				return false
			}
			c.Count("num-reshaped", 1)
			return true
		}})
	},
}

// moveRows replaces the move op by a move of row-major tiles with the same bytes, and
// reports whether op moves a column-major tile within vec.
func moveRows(rw *ir.Rewriter, op *ir.Op) bool {
	src, ok := rowsOf(op.Arg("src"))
	if !ok || op.Arg("fp") != nil {
		return false
	}
	from := op.Arg("src")
	if op.Form().Level == ir.SSA {
		to, ok := rowsOf(op.Result(0))
		if !ok {
			return false
		}
		wide := rw.Op(isatile.TReshape, []*ir.Value{from}, []ir.Type{src}).Result(0)
		moved := rw.Op(isatile.TMov, []*ir.Value{wide}, []ir.Type{to}).Result(0)
		rw.Replace(op, rw.Op(isatile.TReshape, []*ir.Value{moved}, []ir.Type{op.Result(0).Type()}).Result(0))
		return true
	}
	dst, ok := rowsOf(op.Arg("dst"))
	if !ok || op.NumResults() > 0 {
		return false
	}
	to := op.Arg("dst")
	for i, v := range op.Operands() {
		switch v {
		case from:
			op.SetOperand(i, rw.Op(isatile.TReshape, []*ir.Value{v}, []ir.Type{src}).Result(0))
		case to:
			op.SetOperand(i, rw.Op(isatile.TReshape, []*ir.Value{v}, []ir.Type{dst}).Result(0))
		}
	}
	rw.Update(op)
	return true
}

// rowsOf returns the type of a row-major tile with the bytes of the tile v: it has the
// columns of v as rows. The bool result is false unless v is a column-major tile without
// boxes in vec that has one column or a constant valid region. Only for one column does a
// reshape exchange an unknown number of valid rows and columns.
func rowsOf(v *ir.Value) (ir.Type, bool) {
	if v == nil {
		return ir.Type{}, false
	}
	t, ok := pto.TileOf(v.Type())
	if !ok || t.Space != sem.UB || t.BLayout != pto.ColMajor || t.SLayout != pto.NoneBox || t.Cols != 1 && !t.StaticValid() {
		return ir.Type{}, false
	}
	t.Rows, t.Cols, t.VRows, t.VCols, t.BLayout = t.Cols, t.Rows, t.VCols, t.VRows, pto.RowMajor
	if ir.Is[pto.Tile](v.Type()) {
		return ir.TypeOf(pto.Tile{TileInfo: t}), true
	}
	return ir.TypeOf(pto.TileBuf{TileInfo: t}), true
}
