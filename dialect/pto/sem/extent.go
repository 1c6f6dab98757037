// This file computes the valid regions of results.

package sem

import "ptogo/ir"

// Extents is an interface through which kinds compute the valid region of a result tile,
// which is the part that holds data. Row counts have axis 0, and column counts have axis
// 1. All numbers are SSA values of the program. The pass that implements the interface
// inserts an operation for each computation.
type Extents interface {
	// Of returns the valid rows or columns of the operand with the given name, or nil if
	// the operand is not a tile.
	Of(operand string, axis int) *ir.Value
	// Alike reports whether the operand with the given name has the same storage shape as
	// the result.
	Alike(operand string) bool
	// Storage returns the rows or columns of the storage of the result, which may exceed
	// those of its valid region.
	Storage(axis int) *ir.Value
	// ElementBytes returns the size of an element of the result in bytes.
	ElementBytes() int64
	Number(n int64) *ir.Value
	Add(x, y *ir.Value) *ir.Value
	Mul(x, y *ir.Value) *ir.Value
	CeilDiv(x, y *ir.Value) *ir.Value
	Larger(x, y *ir.Value) *ir.Value
	// Within returns the smaller of n and the rows or columns of the result's storage.
	Within(axis int, n *ir.Value) *ir.Value
}

// GivesExtent is implemented by kinds of operations with a result tile. The valid region
// of the result tile (the part that holds data) follows from the valid regions of the
// operands.
type GivesExtent interface {
	// ExtentOf returns the valid rows (axis 0) or columns (axis 1) of the result of op,
	// or nil if they are unknown.
	ExtentOf(op *ir.Op, axis int, x Extents) *ir.Value
}

// ExtentOf returns the valid rows (axis 0) or columns (axis 1) of the first operand that
// is a tile, because elementwise results have the valid region of their operands. The
// parameter x provides the extents of the operands and of the result's storage.
func (TileMap) ExtentOf(op *ir.Op, axis int, x Extents) *ir.Value {
	for _, a := range op.Form().Operands {
		if v := x.Of(a.Name, axis); v != nil {
			return v
		}
	}
	return x.Storage(axis)
}

func (m TileMatmul) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	return x.Of([]string{m.Lhs, m.Rhs}[axis], axis)
}

func (TileTranspose) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value { return x.Of("src", 1-axis) }

// ExtentOf returns 1 along the axis that is reduced, and the valid extent of the source
// along the other axis.
func (m TileReduce) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	if axis == m.Axis.across() {
		return x.Number(1)
	}
	return nil
}

// across returns the axis whose extent becomes 1 when an instruction reduces a tile along
// the axis a. It is 1 (columns) for AlongRow, and 0 (rows) for AlongCol.
func (a Axis) across() int {
	if a == AlongRow {
		return 1
	}
	return 0
}

// ExtentOf returns the number of valid rows (axis 0) or columns (axis 1) of the result.
//
// An instruction that applies a function (m.Fn) combines the operands src0 and src1. The
// result then has the valid extent of src1 if only src1 has the same storage shape as the
// result. In all other cases the result has the valid extent of src0.
//
// An instruction without a function copies the vector src to all rows or to all columns.
// Along the axis of the vector, the result has the valid extent of the vector. Along the
// other axis, all rows or columns in the storage of the result are valid.
func (m TileExpand) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	switch {
	case m.Fn != nil && !x.Alike("src0") && x.Alike("src1"):
		return x.Of("src1", axis)
	case m.Fn != nil:
		return x.Of("src0", axis)
	case axis != m.Axis.across():
		return x.Of("src", axis)
	}
	return x.Storage(axis)
}

// ExtentOf returns the larger number of valid rows (axis 0) or columns (axis 1) of the
// two sources, because the result has an element wherever one of the sources has one.
func (TilePart) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value       { return largerSource(axis, x) }
func (TileInterleave) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value { return largerSource(axis, x) }

// largerSource returns the larger number of valid rows (axis 0) or columns (axis 1) of
// the operands src0 and src1.
func largerSource(axis int, x Extents) *ir.Value {
	a, b := x.Of("src0", axis), x.Of("src1", axis)
	if b == nil {
		return a
	}
	return x.Within(axis, x.Larger(a, b))
}

// ExtentOf returns the valid rows (axis 0) or columns (axis 1) of the mask that a
// comparison returns. The mask has one bit per compared element. Its number of columns is
// the number of compared columns divided by the bits of a mask element, rounded up.
func (TileCompare) ExtentOf(op *ir.Op, axis int, x Extents) *ir.Value {
	n := x.Of(op.Form().Operands[0].Name, axis)
	if axis == 1 && n != nil {
		n = x.CeilDiv(n, x.Number(8*x.ElementBytes()))
	}
	return n
}

// ExtentOf returns the number of valid rows (axis 0) or valid columns (axis 1) of the
// result. The columns are the sum of the valid columns of both sources, limited to the
// storage of the result. If operands state how many columns are copied, the sum is only
// known at run time, so ExtentOf returns the extent of the storage.
func (m TileConcat) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	if axis == 1 && !m.Counts {
		return x.Within(1, x.Add(x.Of("src0", 1), x.Of("src1", 1)))
	}
	return x.Storage(axis)
}

// ExtentOf returns the valid rows (axis 0) or columns (axis 1) of the index tile, because
// each index selects one element of the result. Without an index tile, it returns the
// extent of the storage.
func (TileGather) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	if n := x.Of("indices", axis); n != nil {
		return n
	}
	return x.Storage(axis)
}

// ExtentOf returns the valid rows (axis 0) or columns (axis 1) of the result. The result
// has as many rows as the tile of offsets. Each offset selects a block of 32 bytes. The
// number of columns is therefore the number of offsets in a row, multiplied by the number
// of elements in a block.
func (TileGatherBlocks) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	return moreColumns("offsets", 32/x.ElementBytes(), axis, x)
}

// ExtentOf returns the valid rows (axis 0) or columns (axis 1) of the result. The result
// has as many rows as the source. Each sorted element is a pair of a value and an index,
// so the columns of the result contain 8 bytes for each element of a source row.
func (TileSort) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	return moreColumns("src", 8/x.ElementBytes(), axis, x)
}

// moreColumns returns the valid extent of a result that has n columns for each valid
// column of an operand. For axis 0, this is the number of valid rows of the operand. For
// axis 1, it is n times the number of valid columns of the operand, but at most the
// number of columns in the storage of the result.
func moreColumns(operand string, n int64, axis int, x Extents) *ir.Value {
	if axis == 0 {
		return x.Of(operand, 0)
	}
	return x.Within(1, x.Mul(x.Of(operand, 1), x.Number(n)))
}

// ExtentOf returns the number of rows (axis 0) or columns (axis 1) in the storage of the
// result. The instruction writes the complete storage, so all of it is valid. The methods
// of the following kinds do the same.
func (TileTri) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value       { return x.Storage(axis) }
func (TileRandom) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value    { return x.Storage(axis) }
func (TileIndex) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value     { return x.Storage(axis) }
func (TilePad) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value       { return x.Storage(axis) }
func (TileImg2Col) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value   { return x.Storage(axis) }
func (TileHistogram) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value { return x.Storage(axis) }
func (ScaleAddress) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value  { return x.Storage(axis) }
