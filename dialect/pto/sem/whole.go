// This file states which kinds overwrite their operands or write their whole result.

package sem

import "ptogo/ir"

// InPlace is a kind that computes each element of its result only from the elements at
// the same index, so that the result may overwrite a source.
type InPlace interface{ InPlace() bool }

// InPlace is true for a single step: further ones may read their tiles after
// the first one has been written.
func (m TileMap) InPlace() bool { return len(m.Then) == 0 }

// KeepsRest is a kind that writes a part of its destination and keeps the rest. As a
// value, the destination is updated, but none of its bytes are read.
type KeepsRest interface{ KeepsRest() bool }

// KeepsRest is true: one element is written.
func (TileSet) KeepsRest() bool { return true }

// KeepsRest returns true if src becomes a part of dst.
func (m TileMove) KeepsRest() bool { return m.Dst }

// WritesWhole is implemented by kinds that may write every element of the valid region
// of their destination. The method reports whether an operation does.
type WritesWhole interface{ WritesWhole(op *ir.Op) bool }

// WritesWhole is always true.
func (TileMap) WritesWhole(*ir.Op) bool { return true }

// WritesWhole is always true.
func (TileExpand) WritesWhole(*ir.Op) bool { return true }

// WritesWhole is always true.
func (TileConvert) WritesWhole(*ir.Op) bool { return true }

// WritesWhole is true unless the product adds to the accumulator.
func (m TileMatmul) WritesWhole(*ir.Op) bool { return !m.Acc }

// WritesWhole returns true for moves without windows. A move out of the accumulator may
// write only the half of one vector core.
func (m TileMove) WritesWhole(op *ir.Op) bool {
	return m == TileMove{} && op.NumOperands() == 2 && SpaceOf(op.Operand(0).Type()) != L0C
}

// WritesWhole is true for a view that has as many elements as the valid region
// of the tile.
func (TileLoad) WritesWhole(op *ir.Op) bool {
	view, ok := op.Operand(0).Type().Data().(interface{ Extents() ir.Dims })
	tile, ok2 := op.Operand(op.NumOperands() - 1).Type().Data().(interface{ Valid() (rows, cols int64) })
	if !ok || !ok2 || !view.Extents().Static() {
		return false
	}
	rows, cols := tile.Valid()
	return view.Extents().Elements() == rows*cols
}
