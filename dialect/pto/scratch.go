// This file determines the scratch tile that an instruction needs.

package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ScratchTile is a function that returns the type of the scratch tile that op needs for
// intermediate values on target t. The bool result is false if op needs none.
type ScratchTile func(op *ir.Op, t ir.Target) (TileInfo, bool)

// MissingScratch returns the type of the scratch tile that op needs for intermediate
// values on target t. The result missing is false if op already has the tile or does not
// need one. The result required is false if the instruction can use internal memory
// instead.
func MissingScratch(op *ir.Op, t ir.Target) (tile TileInfo, required, missing bool) {
	info := InfoOf(op.Def())
	if info == nil || info.ScratchTile == nil || !info.Scratch.Has(t) || op.Arg("tmp") != nil {
		return TileInfo{}, false, false
	}
	tile, missing = info.ScratchTile(op, t)
	return tile, missing && !info.OwnScratch, missing
}

// WholeTile returns t with a complete valid region: an unknown number of valid rows or
// columns becomes the number of rows or columns of the storage. It also removes the
// padding value and the compact mode from the type.
func WholeTile(t TileInfo) TileInfo {
	if t.VRows == ir.Dynamic {
		t.VRows = t.Rows
	}
	if t.VCols == ir.Dynamic {
		t.VCols = t.Cols
	}
	t.Pad, t.Compact = PadNull, 0
	return t
}

// PlainTile returns the type of a row-major tile without boxes in vec. It has the given
// element type, rows and columns, and all its elements are valid.
func PlainTile(elem ir.Type, rows, cols int64) TileInfo {
	return TileInfo{
		Space: sem.UB, Elem: elem, Rows: rows, Cols: cols, VRows: rows, VCols: cols,
		BLayout: RowMajor, SLayout: NoneBox, Fractal: DefaultFractal,
	}
}

// ScratchLike returns a function that describes a scratch tile for an instruction. The
// scratch tile has the type of the operand named like, with all elements valid.
func ScratchLike(like string) ScratchTile {
	return func(op *ir.Op, _ ir.Target) (TileInfo, bool) {
		t, ok := TileArg(op, like)
		return WholeTile(t), ok
	}
}

// ScratchRows returns a function that describes the scratch tile of an instruction. The
// scratch tile has the type of an operand, but with the given number of rows. The
// parameter like is the name of this operand.
func ScratchRows(like string, rows int64) ScratchTile {
	return func(op *ir.Op, t ir.Target) (TileInfo, bool) {
		tile, ok := ScratchLike(like)(op, t)
		tile.Rows, tile.VRows = rows, rows
		return tile, ok
	}
}

// ScratchBytes returns the type of a scratch tile that has one row of the given number of
// bytes.
func ScratchBytes(elem ir.Type, bytes int64) TileInfo {
	return PlainTile(elem, 1, bytes/int64(ByteSize(elem)))
}
