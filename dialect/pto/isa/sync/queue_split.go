// This file describes how two vector cores share an entry.

package sync

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// EntrySplit says how the two vector cores of a block share an entry of a queue.
type EntrySplit int64

// The ways to share an entry. The odd ways give the first core the middle line.
const (
	WholeEntry EntrySplit = iota
	EntryRows
	EntryCols
	EntryRowsOdd
	EntryColsOdd
)

// EntrySplitOf returns how cores share the entry that op puts into a queue or
// takes out of it.
func EntrySplitOf(op *ir.Op) EntrySplit {
	return EntrySplit(sem.QueueUseOf(op).Split)
}

// odd reports whether the first core has a line more than the second.
func (s EntrySplit) odd() bool { return s == EntryRowsOdd || s == EntryColsOdd }

// Received returns the tile in which a core finds what the tile t was turned to
// on its way into the memory space of that core. The cube core gets columns of
// boxes, as the operands of products lie, from both vector cores; each of these
// gets rows, unless the layout of a conversion says otherwise.
func (s EntrySplit) Received(t TileInfo, space sem.Space, elem ir.Type, layout string) TileInfo {
	t.Space, t.Elem, t.Fractal = space, elem, DefaultFractal
	t.BLayout, t.SLayout = RowMajor, NoneBox
	switch {
	case space == sem.L1 || layout == "nz2nz":
		t.BLayout, t.SLayout = ColMajor, RowMajor
	case layout == "nz2dn":
		t.BLayout = ColMajor
	}
	extent := &t.Rows
	if s == EntryCols {
		extent = &t.Cols
	}
	switch {
	case s != EntryRows && s != EntryCols:
	case space == sem.L1:
		*extent *= sem.VectorCores
	default:
		*extent /= sem.VectorCores
	}
	t.VRows, t.VCols = t.Rows, t.Cols
	return t
}
