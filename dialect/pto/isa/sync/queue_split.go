// This file describes how two vector cores share an entry.

package sync

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// EntrySplit is how the two vector cores of a block share a queue entry.
type EntrySplit int64

// The ways in which two vector cores share a queue entry. With WholeEntry, they do not
// share it. With EntryRows and EntryCols, each receives half of the rows or columns.
// EntryRowsOdd and EntryColsOdd are for an odd number of rows or columns: the first core
// also receives the middle one.
const (
	WholeEntry EntrySplit = iota
	EntryRows
	EntryCols
	EntryRowsOdd
	EntryColsOdd
)

// EntrySplitOf returns how the two vector cores share the entry that op pushes or pops.
func EntrySplitOf(op *ir.Op) EntrySplit {
	return EntrySplit(sem.QueueUseOf(op).Split)
}

// odd reports whether the two vector cores receive different numbers of rows or columns
// of a queue entry. The first vector core then receives one row or column more than the
// second.
func (s EntrySplit) odd() bool { return s == EntryRowsOdd || s == EntryColsOdd }

// Received returns the type of the tile that a core receives when it pops an entry. t is
// the type of the tile that was pushed, converted to the element type elem; space is the
// memory that receives the entry. layout names the change of layout during the push, such
// as nz2nd.
//
// The cube core receives tiles with boxes in column-major order, the layout of matrix
// operands, and combines the halves of both vector cores. A vector core receives a
// row-major tile without boxes in most cases. There are two exceptions. If the parameter
// layout is nz2nz, the tile has column-major boxes, too. If it is nz2dn, the tile is
// column-major.
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
