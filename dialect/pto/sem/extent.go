// This file computes the valid regions of results.

package sem

import "ptogo/ir"

// Extents counts the rows (axis 0) or columns (axis 1) of tiles, and computes
// with such numbers, for an instruction whose result is asked about. Numbers are
// values of the program, which only those who change it can make.
type Extents interface {
	// Of returns an extent of an operand, or nil if the operand is not a tile.
	Of(operand string, axis int) *ir.Value
	// Alike reports whether an operand has the storage of the result.
	Alike(operand string) bool
	// Storage returns how much the storage of the result holds.
	Storage(axis int) *ir.Value
	// ElementBytes is the size of an element of the result.
	ElementBytes() int64
	Number(n int64) *ir.Value
	Add(x, y *ir.Value) *ir.Value
	Mul(x, y *ir.Value) *ir.Value
	CeilDiv(x, y *ir.Value) *ir.Value
	Larger(x, y *ir.Value) *ir.Value
	// Within cuts a number to what the storage of the result holds.
	Within(axis int, n *ir.Value) *ir.Value
}

// GivesExtent is a kind whose operations give a tile of which the valid region
// follows from those of the operands.
type GivesExtent interface {
	// ExtentOf returns an extent of the result of op, or nil if it is unknown.
	ExtentOf(op *ir.Op, axis int, x Extents) *ir.Value
}

// ExtentOf a map is that of its first tile.
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

// ExtentOf a reduction is one across the axis that is reduced.
func (m TileReduce) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	if axis == m.Axis.across() {
		return x.Number(1)
	}
	return nil
}

// across is the axis, as Extents count them, that a reduction makes short.
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

func largerSource(axis int, x Extents) *ir.Value {
	a, b := x.Of("src0", axis), x.Of("src1", axis)
	if b == nil {
		return a
	}
	return x.Within(axis, x.Larger(a, b))
}

// ExtentOf a comparison: a bit for each element.
func (TileCompare) ExtentOf(op *ir.Op, axis int, x Extents) *ir.Value {
	n := x.Of(op.Form().Operands[0].Name, axis)
	if axis == 1 && n != nil {
		n = x.CeilDiv(n, x.Number(8*x.ElementBytes()))
	}
	return n
}

// ExtentOf tiles side by side: the counts of elements are known when it runs.
func (m TileConcat) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	if axis == 1 && !m.Counts {
		return x.Within(1, x.Add(x.Of("src0", 1), x.Of("src1", 1)))
	}
	return x.Storage(axis)
}

// ExtentOf a gather is that of its indices.
func (TileGather) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	if n := x.Of("indices", axis); n != nil {
		return n
	}
	return x.Storage(axis)
}

// ExtentOf blocks: 32 bytes for each offset.
func (TileGatherBlocks) ExtentOf(_ *ir.Op, axis int, x Extents) *ir.Value {
	return moreColumns("offsets", 32/x.ElementBytes(), axis, x)
}

// ExtentOf sorted elements: pairs of 8 bytes.
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
