// This file computes box sizes of tile layouts.

package pto

import (
	"fmt"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// How the elements of a tile lie in its storage. Tiles with an inner layout
// consist of boxes that follow each other, as the elements of a box do. Their
// long side has 16 elements, the other side what is left of the size of a box.

// Bytes returns the size in bytes of all elements of the tile. Each 4-bit integer counts
// as one byte, although two of them can share a byte. A pair of 4-bit floats is one
// element of one byte.
func (t TileInfo) Bytes() int64 { return t.Rows * t.Cols * int64(ByteSize(t.Elem)) }

// Halves reports whether a byte of the tile contains two elements, which count as two
// columns. This is the case for 4-bit floats in the operand buffers of matrix products,
// L0A and L0B. In other memories, an element of these types is a pair of numbers, so it
// has a byte of its own.
func (t TileInfo) Halves() bool { return FP4.Has(t.Elem) && (t.Space == sem.L0A || t.Space == sem.L0B) }

// Split compares two types of tiles in the same memory: the type t, and the type in the
// parameter to. It returns how many rows and how many columns of the second tile
// correspond to one element of the first tile. Usually both results are 1. There is one
// exception: an element of the first tile is a pair of 4-bit floats, and an element of
// the second tile is a single 4-bit float. A pair then corresponds to two rows or to two
// columns of the second tile, depending on the direction in which the layout stores
// elements.
func (t TileInfo) Split(to TileInfo) (rows, cols int64) {
	down := t.SLayout == ColMajor || t.SLayout == NoneBox && t.BLayout == ColMajor
	switch {
	case !to.Halves() || t.Halves() || !FP4.Has(t.Elem):
		return 1, 1
	case down:
		return 2, 1
	}
	return 1, 2
}

// Exponents reports whether the tile contains the scales of a matrix operand. Scales are
// 8-bit exponents, regardless of the element type.
func (t TileInfo) Exponents() bool {
	return t.Space == sem.FB && t.SLayout != NoneBox && t.Fractal == 32
}

// ElemBytes returns the size in bytes of one element, or of two elements that share a
// byte. It returns 0 for a type that memory cannot hold.
func (t TileInfo) ElemBytes() int64 {
	if t.Exponents() {
		return 1
	}
	return int64(ByteSize(t.Elem))
}

// The long dimension of a box (the inner block of tiles for the cube unit) in elements,
// and the fractal size in bytes that selects square boxes. The headers of the ISA use
// these values for every memory space.
const (
	boxSide   = 16
	squareBox = 1024
)

// FullBox returns the rows and columns of a box, the inner block of tiles for the cube
// unit. A pair of 4-bit numbers counts as one element. For a tile without boxes, it
// returns 1 and 1. The result ok is false if not a single element fits into a box. Boxes
// of the accumulator are square, regardless of the fractal size in the type.
func (t TileInfo) FullBox() (rows, cols int64, ok bool) {
	if t.SLayout == NoneBox {
		return 1, 1, true
	}
	size := t.ElemBytes()
	if size == 0 {
		return 0, 0, false
	}
	short := int64(t.Fractal) / (boxSide * size)
	if t.Space == sem.L0C || t.Fractal == squareBox {
		short = boxSide
	}
	if t.SLayout == ColMajor {
		return short, boxSide, short > 0
	}
	return boxSide, short, short > 0
}

// Box returns the rows and columns of the boxes (inner blocks) that make up the storage.
// Outside of the accumulator, a tile that is smaller than a box, such as a row vector,
// consists of one smaller box. The result ok is false if the rows or columns of the
// storage are not multiples of those of a box.
func (t TileInfo) Box() (rows, cols int64, ok bool) {
	rows, cols, ok = t.FullBox()
	if !ok || t.Space == sem.L0C {
		return rows, cols, ok
	}
	switch {
	case t.Halves() && t.SLayout == ColMajor:
		rows *= 2
	case t.Halves():
		cols *= 2
	}
	rows, cols = min(rows, t.Rows), min(cols, t.Cols)
	return rows, cols, rows > 0 && cols > 0 && t.Rows%rows == 0 && t.Cols%cols == 0
}

// Stored returns the rows and columns of the storage, rounded up to multiples of those of
// a box (inner block).
func (t TileInfo) Stored() (rows, cols int64) { return t.inBoxes(t.Rows, t.Cols) }

// inBoxes rounds a row count and a column count up to complete boxes (inner blocks of the
// tile). The parameter rows becomes a multiple of the rows of a box, and the parameter
// cols becomes a multiple of its columns. For a tile without boxes, both are returned
// unchanged.
func (t TileInfo) inBoxes(rows, cols int64) (int64, int64) {
	high, wide, ok := t.Box()
	if !ok {
		return rows, cols
	}
	return CeilDiv(rows, high) * high, CeilDiv(cols, wide) * wide
}

// Packed returns the rows and columns of the storage that the valid region occupies, as
// far as the type determines them.
//
// In the operand buffers and in the accumulator, the boxes of the valid region are stored
// without gaps, because the instructions only receive the size of the valid region. In
// other memories, the result is the size of the whole storage.
func (t TileInfo) Packed() (rows, cols int64) {
	rows, cols = t.Rows, t.Cols
	if t.SLayout != NoneBox && (t.Space == sem.L0A || t.Space == sem.L0B || t.Space == sem.L0C) {
		if t.VRows > 0 {
			rows = t.VRows
		}
		if t.VCols > 0 {
			cols = t.VCols
		}
	}
	return t.inBoxes(rows, cols)
}

// PackedBytes returns the size in bytes of the storage that the valid region occupies. It
// is the product of the rows and columns that the method Packed returns and the size of
// an element.
func (t TileInfo) PackedBytes() int64 {
	rows, cols := t.Packed()
	return rows * cols * t.ElemBytes()
}

// Pitch returns the distance in elements between consecutive rows, or between consecutive
// columns if the tile is column-major. The tile must not be a region of another tile.
func (t TileInfo) Pitch() int64 {
	rows, n := t.Packed()
	if t.BLayout == ColMajor {
		n = rows
	}
	if t.Compact == CompactRowPlusOne {
		n++
	}
	return n
}

// Footprint returns the number of bytes that the tile occupies in its memory. Sizes in
// the accumulator are rounded up to whole boxes, and compact=row_plus_one leaves an
// unused block of 32 bytes between rows of boxes.
func (t TileInfo) Footprint() int64 {
	rows, cols := t.Stored()
	n := rows * cols
	if high, wide, ok := t.Box(); ok && t.Compact == CompactRowPlusOne {
		if t.BLayout == ColMajor {
			rows, high = cols, wide
		}
		n += (max(CeilDiv(rows, high), 1) - 1) * high
	}
	if t.Halves() {
		return CeilDiv(n, 2)
	}
	return n * t.ElemBytes()
}

// CompactRowPlusOne is the number of the compact mode row_plus_one. In this mode, a tile
// with boxes has unused blocks of 32 bytes. There is one such block between consecutive
// rows of boxes, or between consecutive columns of boxes if the boxes are column-major.
const CompactRowPlusOne = 2

// StorageOf returns the number of bytes that a tile of type t occupies. For a
// multi-buffered tile, this is the size of all its slots together.
func StorageOf(t ir.Type) int64 {
	if m, ok := ir.As[MultiTileBuf](t); ok {
		return m.Count * StorageOf(m.Slot)
	}
	info, _ := TileOf(t)
	return info.Footprint()
}

// PastEnd returns a message if a byte range exceeds the local memory space on target t,
// and "" otherwise. The range has size bytes and starts at the byte offset in the
// parameter from.
func PastEnd(space sem.Space, from, size int64, t ir.Target) string {
	if has := int64(space.Size(t)); from > has-size && has > 0 {
		return fmt.Sprintf("occupies bytes %d..%d of %s, which has %d bytes on %s", from, from+size-1, space.Loc(), has, sem.ProfileName(t))
	}
	return ""
}

// CompactNormal is the number of the compact mode normal, in which the library stores the
// blocks of the valid region of an operand of a matrix product without gaps.
const CompactNormal = 1

// CubeBlock returns the rows and columns of the blocks of a tile in the buffers of the
// cube unit: 16 rows or columns of the result, and 32 bytes along the axis that is summed
// over. It returns zeros for other tiles.
func (t TileInfo) CubeBlock() (rows, cols int64) {
	size := int64(ByteSize(t.Elem))
	switch {
	case size == 0:
	case t.Space == sem.L0A:
		return 16, 32 / size
	case t.Space == sem.L0B:
		return 32 / size, 16
	case t.Space == sem.L0C:
		return 16, 16
	}
	return 0, 0
}

// SpareBlocks reports whether t, a tile in the buffers of the cube unit, has more blocks
// than its valid region, or may have because the valid region is unknown.
func (t TileInfo) SpareBlocks() bool {
	rows, cols := t.CubeBlock()
	if rows == 0 || t.SLayout == NoneBox && t.Space != sem.L0C { // the library ignores the layout of acc
		return false
	}
	spare := func(valid, size, block int64) bool {
		return valid == ir.Dynamic || CeilDiv(valid, block) != CeilDiv(size, block)
	}
	return spare(t.VRows, t.Rows, rows) || spare(t.VCols, t.Cols, cols)
}
