// This file computes the valid regions of results.

package sem

import "ptogo/ir"

// Extents computes with the rows (axis 0) or columns (axis 1) of tiles, for deriving the
// valid region of a result. The numbers are values of the program. A pass implements the
// interface and inserts the operations.
type Extents interface {
	// Of returns an extent of an operand, or nil if the operand is not a tile.
	Of(operand string, axis int) *ir.Value
	// Alike reports whether an operand has the storage of the result.
	Alike(operand string) bool
	// Storage returns the extent of the storage of the result.
	Storage(axis int) *ir.Value
	// ElementBytes returns the size of an element of the result in bytes.
	ElementBytes() int64
	Number(n int64) *ir.Value
	Add(x, y *ir.Value) *ir.Value
	Mul(x, y *ir.Value) *ir.Value
	CeilDiv(x, y *ir.Value) *ir.Value
	Larger(x, y *ir.Value) *ir.Value
	// Within limits a number to the extent of the result's storage.
	Within(axis int, n *ir.Value) *ir.Value
}

// GivesExtent is a kind whose operations have a result tile with a valid region that
// follows from those of the operands.
type GivesExtent interface {
	// ExtentOf returns an extent of the result of op, or nil if it is unknown.
	ExtentOf(op *ir.Op, axis int, x Extents) *ir.Value
}

// ExtentOf returns the extent of the first tile.
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

// ExtentOf returns 1 along the axis that is reduced, and the extent of the source along
// the other one.
func (m TileReduce) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	if axis == m.Axis.across() {
		return x.Number(1)
	}
	return nil
}

// across returns the axis, as Extents numbers them, that a reduction reduces to one
// element.
func (a Axis) across() int {
	if a == AlongRow {
		return 1
	}
	return 0
}

// ExtentOf returns the extent of the operand with which the vector is combined. That is
// the operand with the storage of the result, or the first one if neither has it. If
// the vector is the only operand, its own extent counts.
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

// ExtentOf returns the larger extent of the two sources.
func (TilePart) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value       { return largerSource(axis, x) }
func (TileInterleave) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value { return largerSource(axis, x) }

// largerSource returns the larger extent of both sources.
func largerSource(axis int, x Extents) *ir.Value {
	a, b := x.Of("src0", axis), x.Of("src1", axis)
	if b == nil {
		return a
	}
	return x.Within(axis, x.Larger(a, b))
}

// ExtentOf returns the extent of a mask with one bit per element.
func (TileCompare) ExtentOf(op *ir.Op, axis int, x Extents) *ir.Value {
	n := x.Of(op.Form().Operands[0].Name, axis)
	if axis == 1 && n != nil {
		n = x.CeilDiv(n, x.Number(8*x.ElementBytes()))
	}
	return n
}

// ExtentOf returns the sum of the columns of both sources, unless they are only known at
// run time.
func (m TileConcat) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	if axis == 1 && !m.Counts {
		return x.Within(1, x.Add(x.Of("src0", 1), x.Of("src1", 1)))
	}
	return x.Storage(axis)
}

// ExtentOf returns the extent of the indices.
func (TileGather) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	if n := x.Of("indices", axis); n != nil {
		return n
	}
	return x.Storage(axis)
}

// ExtentOf returns 32 bytes for each offset.
func (TileGatherBlocks) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	return moreColumns("offsets", 32/x.ElementBytes(), axis, x)
}

// ExtentOf returns 8 bytes for each sorted element, as pairs of a value and an index.
func (TileSort) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	return moreColumns("src", 8/x.ElementBytes(), axis, x)
}

// moreColumns is the extent of an operand, n columns for each of its.
func moreColumns(operand string, n int64, axis int, x Extents) *ir.Value {
	if axis == 0 {
		return x.Of(operand, 0)
	}
	return x.Within(1, x.Mul(x.Of(operand, 1), x.Number(n)))
}

// ExtentOf returns the extent of the storage: these instructions write all of it.
func (TileTri) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value       { return x.Storage(axis) }
func (TileRandom) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value    { return x.Storage(axis) }
func (TileIndex) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value     { return x.Storage(axis) }
func (TilePad) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value       { return x.Storage(axis) }
func (TileImg2Col) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value   { return x.Storage(axis) }
func (TileHistogram) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value { return x.Storage(axis) }
func (ScaleAddress) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value  { return x.Storage(axis) }
