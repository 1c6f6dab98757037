// This file verifies that a tile has a valid storage layout.

package pto

import (
	"fmt"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// verifyStorage reports an error if a result tile of op cannot be stored in a buffer.
// Level 1 programs have no buffers, but a later pass (bufferization) creates one for each
// tile.
func verifyStorage(op *ir.Op, v *ir.Verifier) {
	for _, r := range op.Results() {
		t, ok := ir.As[Tile](r.Type())
		if !ok {
			continue
		}
		if msg := CheckLayout(t.TileInfo); msg != "" {
			v.Errorf(op, "returns a tile that no buffer can hold: %s", msg).Note(ir.Loc{}, storable(t.TileInfo))
			return
		}
	}
}

// storable returns a note that suggests a tile type which can be stored and holds the
// elements of t: rows or columns are rounded up, or a column vector becomes column-major.
func storable(t TileInfo) string {
	size := int64(ByteSize(t.Elem))
	if t.SLayout != NoneBox || size == 0 {
		return "boxes are described by 'pto-opt --explain tile'"
	}
	if t.Cols == 1 && t.BLayout != ColMajor && t.Rows*size%TileAlign == 0 {
		t.BLayout = ColMajor
		return fmt.Sprintf("a column is in %s", ir.TypeOf(Tile{t}))
	}
	block := TileAlign / size
	if FP4.Has(t.Elem) {
		block /= 2
	}
	if t.BLayout == ColMajor {
		t.Rows = (t.Rows + block - 1) / block * block
	} else {
		t.Cols = (t.Cols + block - 1) / block * block
	}
	return fmt.Sprintf("%s has room for it, and the same valid region", ir.TypeOf(Tile{t}))
}

// CheckLayout returns a message if the storage of tile t is invalid, and "" otherwise.
// Rows (or columns, if column-major) must be multiples of 32 bytes, or the storage must
// consist of complete boxes.
func CheckLayout(t TileInfo) string {
	size := int64(ByteSize(t.Elem))
	if t.SLayout == NoneBox {
		block := int64(TileAlign)
		if FP4.Has(t.Elem) {
			block /= 2
		}
		what, n := "row", t.Cols*size
		if t.BLayout == ColMajor {
			what, n = "column", t.Rows*size
		}
		if n%block != 0 {
			return fmt.Sprintf("each %s of a tile must have a multiple of %d bytes, but has %d: %dx%dx%s", what, block, n, t.Rows, t.Cols, t.Elem)
		}
		return ""
	}
	rows, cols, ok := t.FullBox()
	switch {
	case !ok:
		return fmt.Sprintf("fractal=%d is not available for elements of type %s", t.Fractal, t.Elem)
	case t.Rows%rows != 0 && t.Space != sem.UB && t.Fractal != 32 && t.Rows != 1:
		return fmt.Sprintf("a tile must have a multiple of %d rows, the rows of a box, but has %d", rows, t.Rows)
	case t.Cols%cols != 0 && (t.Space != sem.L1 || t.Cols > cols):
		return fmt.Sprintf("a tile must have a multiple of %d columns, the columns of a box, but has %d", cols, t.Cols)
	}
	return ""
}

// TileAlign is the alignment in bytes of tiles in every memory space, and of rows in vec.
const TileAlign = 32

// CeilDiv returns a / b, rounded up, for positive numbers.
func CeilDiv(a, b int64) int64 { return (a + b - 1) / b }
