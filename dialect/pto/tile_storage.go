package pto

import (
	"fmt"

	"ptogo/ir"
)

// verifyStorage asks that the tiles which an instruction gives can have a
// buffer: at Level 1 none is seen, but bufferization makes one for each.
func verifyStorage(op *ir.Op, v *ir.Verifier) {
	for _, r := range op.Results() {
		t, ok := ir.As[Tile](r.Type())
		if !ok {
			continue
		}
		if msg := checkLayout(t.TileInfo); msg != "" {
			v.Errorf(op, "gives a tile that no buffer can hold: %s", msg).Note(ir.Loc{}, storable(t.TileInfo))
			return
		}
	}
}

// storable says which type holds what t should: one whose rows or columns are
// rounded up, or a column as such.
func storable(t TileInfo) string {
	size := int64(ByteSize(t.Elem))
	if t.SLayout != NoneBox || size == 0 {
		return "boxes are described by 'pto-opt --explain tile'"
	}
	if t.Cols == 1 && t.BLayout != ColMajor && t.Rows*size%tileAlign == 0 {
		t.BLayout = ColMajor
		return fmt.Sprintf("a column lies in %s", ir.TypeOf(Tile{t}))
	}
	block := tileAlign / size
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
