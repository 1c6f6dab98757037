// This file states which rows of its operands an instruction needs for a row of its
// result.

package sem

import "ptogo/ir"

// RowUse describes which rows of its operands an instruction needs to compute one row of
// its results. It determines whether a computation can be split by rows.
type RowUse uint8

// The ways in which a row of the result can depend on rows of the operands.
const (
	// AllRows means that a row of the result may depend on any row of the operands, so
	// the computation cannot be split by rows.
	AllRows RowUse = iota
	// SameElement means that an element of the result depends only on the elements with
	// the same index.
	SameElement
	// SameRow means that a row of the result depends only on the rows of the operands
	// with the same index.
	SameRow
	// SharedRow means that a row of the result depends only on the rows of the operands
	// with the same index, with one exception: an operand that has a single row is needed
	// for every row of the result.
	SharedRow
	// Reshaped means that the result has the elements of the operand in a different
	// shape.
	Reshaped
)

// RowUseOf returns which rows of its operands op needs to compute one row of its results.
// The default is AllRows.
func RowUseOf(op *ir.Op) RowUse {
	if kind, ok := op.Def().Sem.(interface{ rowUse() RowUse }); ok {
		return kind.rowUse()
	}
	return AllRows
}

func (TileMap) rowUse() RowUse     { return SameElement }
func (TileConvert) rowUse() RowUse { return SameElement }
func (SameStorage) rowUse() RowUse { return Reshaped }

func (m TileMove) rowUse() RowUse {
	if m.Src || m.Dst { // of a window
		return AllRows
	}
	return SameElement
}

func (m TileReduce) rowUse() RowUse {
	if m.Axis == AlongCol {
		return AllRows
	}
	return SameRow
}

func (m TileExpand) rowUse() RowUse {
	if m.Axis == AlongCol {
		return SharedRow
	}
	return SameRow
}
