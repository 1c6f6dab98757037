// This file determines the scratch tile that an instruction needs.

package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ScratchTile returns the scratch tile that an instruction needs on a profile. The bool
// result is false if it needs none.
type ScratchTile func(op *ir.Op, t ir.Target) (TileInfo, bool)

// MissingScratch returns the scratch tile that op works in on a profile, if it
// has none. With required, the instruction has no memory of its own for it.
func MissingScratch(op *ir.Op, t ir.Target) (tile TileInfo, required, missing bool) {
	info := InfoOf(op.Def())
	if info == nil || info.ScratchTile == nil || !info.Scratch.Has(t) || op.Arg("tmp") != nil {
		return TileInfo{}, false, false
	}
	tile, missing = info.ScratchTile(op, t)
	return tile, missing && !info.OwnScratch, missing
}

// WholeTile replaces the unknown extents of a valid region by those of the storage.
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

// PlainTile is a row-major tile in vec.
func PlainTile(elem ir.Type, rows, cols int64) TileInfo {
	return TileInfo{
		Space: sem.UB, Elem: elem, Rows: rows, Cols: cols, VRows: rows, VCols: cols,
		BLayout: RowMajor, SLayout: NoneBox, Fractal: DefaultFractal,
	}
}

// ScratchLike is a scratch tile of the shape of another one.
func ScratchLike(like string) ScratchTile {
	return func(op *ir.Op, _ ir.Target) (TileInfo, bool) {
		t, ok := TileArg(op, like)
		return WholeTile(t), ok
	}
}

// ScratchRows is a scratch tile of some rows of another one.
func ScratchRows(like string, rows int64) ScratchTile {
	return func(op *ir.Op, t ir.Target) (TileInfo, bool) {
		tile, ok := ScratchLike(like)(op, t)
		tile.Rows, tile.VRows = rows, rows
		return tile, ok
	}
}

// ScratchBytes is a scratch tile of one row.
func ScratchBytes(elem ir.Type, bytes int64) TileInfo {
	return PlainTile(elem, 1, bytes/int64(ByteSize(elem)))
}
