// This file states which rows of its operands an instruction needs for a row of its
// result.

package sem

import "ptogo/ir"

// RowUse is which rows of its operands an instruction on tiles needs for computing one
// row of its results.
type RowUse uint8

// The uses of rows.
const (
	// AllRows needs any rows: what is computed of half of the rows is another thing.
	AllRows RowUse = iota
	// SameElement needs for each element the same element of each operand.
	SameElement
	// SameRow needs for each row the same row of each operand.
	SameRow
	// SharedRow is SameRow but for an operand of one row, which all rows need.
	SharedRow
	// Reshaped has the elements of its operand in another shape.
	Reshaped
)

// RowUseOf returns how an instruction uses rows.
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
