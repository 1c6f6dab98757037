// This file states which kinds overwrite their operands or write their whole result.

package sem

import "ptogo/ir"

// InPlace is implemented by kinds of instructions that can compute in place. The method
// returns true if element i of the result depends only on the elements i of the sources.
// The result may then overwrite a source.
type InPlace interface{ InPlace() bool }

// InPlace reports whether the result may overwrite a source tile of m. It returns false
// if m applies several functions one after the other. A later function may read its
// source tile after an earlier function has written the result.
func (m TileMap) InPlace() bool { return len(m.Then) == 0 }

// KeepsRest is implemented by kinds that may write a part of their destination and leave
// the rest unchanged. Such an instruction does not read the bytes of its destination, but
// earlier contents remain in it.
type KeepsRest interface{ KeepsRest() bool }

// KeepsRest returns true for TileSet: unlike most instructions with a destination tile,
// it writes one element and leaves the other elements unchanged.
func (TileSet) KeepsRest() bool { return true }

// KeepsRest returns true if src is copied into a window of dst, so that elements outside
// the window are unchanged.
func (m TileMove) KeepsRest() bool { return m.Dst }

// WritesWhole is implemented by kinds that may write every element of the valid region of
// their destination. The method reports whether op does so.
type WritesWhole interface{ WritesWhole(op *ir.Op) bool }

// OverwritesWhole reports whether op writes every element of the valid region of its
// destination.
func OverwritesWhole(op *ir.Op) bool {
	kind, ok := op.Def().Sem.(WritesWhole)
	return ok && kind.WritesWhole(op)
}

// WritesWhole returns true, because an elementwise function writes every element of the
// valid region.
func (TileMap) WritesWhole(*ir.Op) bool { return true }

// WritesWhole returns true, because a broadcast writes every element of the valid region.
func (TileExpand) WritesWhole(*ir.Op) bool { return true }

// WritesWhole returns true, because a conversion writes every element of the valid
// region.
func (TileConvert) WritesWhole(*ir.Op) bool { return true }

// WritesWhole returns true unless the product is added to the previous contents of the
// accumulator.
func (m TileMatmul) WritesWhole(*ir.Op) bool { return !m.Acc }

// WritesWhole reports whether op, a move of kind m, writes the complete destination tile.
// It returns false for a move that copies only a window of a tile. It also returns false
// for a move out of the accumulator, which may write only the half of the destination
// that belongs to one vector core.
func (m TileMove) WritesWhole(op *ir.Op) bool {
	return m == TileMove{} && op.NumOperands() == 2 && SpaceOf(op.Operand(0).Type()) != L0C
}

// WritesWhole reports whether the load writes every element of the valid region of its
// destination tile. It returns true if the source view has as many elements as this valid
// region, and both sizes are constants.
func (TileLoad) WritesWhole(op *ir.Op) bool {
	view, ok := op.Operand(0).Type().Data().(interface{ Extents() ir.Dims })
	tile, ok2 := op.Operand(op.NumOperands() - 1).Type().Data().(interface{ Valid() (rows, cols int64) })
	if !ok || !ok2 || !view.Extents().Static() {
		return false
	}
	rows, cols := tile.Valid()
	return view.Extents().Elements() == rows*cols
}
