// This file emits the selection of multi-buffer slots.

package llvm

import (
	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// slotsOf returns the type of a single tile and the number of tiles: 1 for a tile type,
// or the number of slots of a multi-buffer, which has several consecutive tiles.
func slotsOf(t ir.Type) (info pto.TileInfo, slots int64) {
	slots = 1
	if m, ok := ir.As[pto.MultiTileBuf](t); ok {
		t, slots = m.Slot, m.Count
	}
	info, _ = pto.TileOf(t)
	return info, slots
}

// tileSlot emits the selection of one slot of a multi-buffer (several consecutive tiles).
// Initially, the slot has the valid region of the multi-buffer. An index out of range is
// a fault.
func (f *function) tileSlot(op *ir.Op, _ sem.TileSlot) {
	info, slots := slotsOf(op.Operand(0).Type())
	i := f.BelowOrTrap(f.val(sem.PlacingOf(op).Slot.Value), slots)
	first := f.parts(op.Operand(0))
	rows, cols := f.validOf(info, first)
	f.setTile(op.Result(0), f.offset(first[0], f.Mul(i, ll.Index(info.Footprint()))), first[1], rows, cols)
}
