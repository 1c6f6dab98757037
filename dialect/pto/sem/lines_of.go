// This file states which rows or columns of its operands an instruction needs for a row
// or column of its result.

package sem

import "ptogo/ir"

// LineUse describes which lines of its operands an instruction needs to compute one line of
// its results. Lines are rows, or columns. LineUse determines whether a computation can be
// divided into parts of fewer lines.
type LineUse uint8

// The ways in which a line of the result can depend on lines of the operands.
const (
	// AllLines means that a line of the result may depend on any line of the operands, so
	// the computation cannot be divided.
	AllLines LineUse = iota
	// SameLine means that a line of the result depends only on the lines of the operands
	// with the same index.
	SameLine
	// SharedLine means that a line of the result depends only on the lines of the operands
	// with the same index, with one exception: an operand that has a single line is needed
	// for every line of the result.
	SharedLine
	// ProductLine means that a row of the result depends on the row of the left operand
	// with the same index and on the complete right operand, and a column of the result on
	// the column of the right operand and the complete left operand. LinesOfProduct
	// returns the operands.
	ProductLine
	// IndexedLine means that a line of the result depends on its index, and not on certain
	// lines of operands, which are needed completely. LineIndexOf returns the operand to which
	// the index is added.
	IndexedLine
	// Reshaped means that the result has the elements of the operand in a different
	// shape.
	Reshaped
)

// LineUseOf returns which lines of its operands op needs to compute one line of its
// results. Lines are columns if cols is set, and rows otherwise. The default is AllLines.
func LineUseOf(op *ir.Op, cols bool) LineUse {
	if kind, ok := op.Def().Sem.(interface{ lineUse(cols bool) LineUse }); ok {
		return kind.lineUse(cols)
	}
	return AllLines
}

func (TileMap) lineUse(bool) LineUse     { return SameLine }
func (TileConvert) lineUse(bool) LineUse { return SameLine }
func (SameStorage) lineUse(bool) LineUse { return Reshaped }

func (m TileMove) lineUse(bool) LineUse {
	if m.Src || m.Dst { // of a window
		return AllLines
	}
	return SameLine
}

func (m TileReduce) lineUse(cols bool) LineUse {
	if cols == (m.Axis == AlongCol) {
		return SameLine
	}
	return AllLines
}

// ReducesLines reports whether op combines the lines of a tile to one line by a sum, a
// product, a maximum or a minimum. Lines are columns if cols is set, and rows otherwise.
func ReducesLines(op *ir.Op, cols bool) bool {
	m, ok := op.Def().Sem.(TileReduce)
	return ok && !m.Arg && cols == (m.Axis == AlongRow)
}

func (m TileExpand) lineUse(cols bool) LineUse {
	if cols == (m.Axis == AlongCol) {
		return SameLine
	}
	return SharedLine
}

func (m TileMatmul) lineUse(cols bool) LineUse {
	if m.Scaled || m.Vector && !cols {
		return AllLines
	}
	return ProductLine
}

// LinesOfProduct returns the operands of op, a matrix product of tiles, in two lists: those
// that have the lines of the result, and those that every line of the result needs
// completely. Lines are columns if cols is set, and rows otherwise.
func LinesOfProduct(op *ir.Op, cols bool) (own, complete []*ir.Value) {
	m, ok := op.Def().Sem.(TileMatmul)
	if !ok {
		return nil, nil
	}
	own, complete = []*ir.Value{op.Arg(m.Lhs)}, []*ir.Value{op.Arg(m.Rhs)}
	if cols {
		own, complete = complete, own
	}
	switch {
	case m.Acc, m.Bias && cols:
		own = append(own, op.Arg(m.In))
	case m.Bias:
		complete = append(complete, op.Arg(m.In))
	}
	return own, complete
}

func (TileTri) lineUse(bool) LineUse { return IndexedLine }

func (TileImg2Col) lineUse(cols bool) LineUse {
	if cols {
		return AllLines
	}
	return IndexedLine
}

// RepeatsPatches reports whether op sets how often the patch engine repeats. The rows of a
// TileImg2Col are then not one patch each.
func RepeatsPatches(op *ir.Op) bool {
	s, ok := op.Def().Sem.(SetPatches)
	return ok && s.From <= RepeatMode && s.To >= RepeatStride
}

// LineIndexOf returns the operand of op to which the index of a line of the result is added,
// for an instruction of the kind IndexedLine. Line i of the result depends on the sum of the
// operand and i, or on the difference if scale is -1. Lines are columns if cols is set, and
// rows otherwise. An operand that op does not have is 0.
func LineIndexOf(op *ir.Op, cols bool) (operand string, scale int64, ok bool) {
	if _, patches := op.Def().Sem.(TileImg2Col); patches {
		return "posM", 1, !cols
	}
	if _, tri := op.Def().Sem.(TileTri); !tri {
		return "", 0, false
	}
	if cols { // column j of row i is in the triangle if j <= i + diagonal
		return "diagonal", -1, true
	}
	return "diagonal", 1, true
}
