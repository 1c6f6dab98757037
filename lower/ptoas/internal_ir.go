package ptoas

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
)

// slotAddresses is the attribute in which the public compiler stores the address of each
// slot of a multi-buffer after its memory planning.
const slotAddresses = "pto.multi_buffer_addrs"

// Internal removes the internal constructs of the public compiler from a module. These
// are operations and attributes that programs must not contain; only passes of that
// compiler write them. Internal replaces each of them by an equivalent legal one. It
// returns false, with an error in diags, if that is not possible.
func Internal(module *ir.Op, diags *ir.Diags) bool {
	ok := true
	for op := range module.Walk() {
		if op.Is(tile.AllocMultiTile) && op.HasAttr(slotAddresses) {
			ok = placeSlots(op, diags) && ok
		}
	}
	return ok
}

// placeSlots sets the address of the multi-buffer (several consecutive tiles) that op
// allocates to the address of its first slot. It reports an error and returns false
// unless all slots are adjacent.
func placeSlots(op *ir.Op, diags *ir.Diags) bool {
	ring, isRing := ir.As[pto.MultiTileBuf](op.Result(0).Type())
	list, isList := ir.AttrAs[ir.DenseArrayAttr](op.Attr(slotAddresses))
	if !isRing || !isList || list.Len() == 0 || op.Arg("addr") != nil {
		return true // the verifier reports it
	}
	addrs, size := list.Ints(), pto.StorageOf(ring.Slot)
	for i, at := range addrs {
		if at != addrs[0]+int64(i)*size {
			diags.Error(op.Loc(), fmt.Sprintf("'%s' op has slots at addresses %v, but slots of %d bytes that do not follow each other cannot be read", op.Name(), addrs, size))
			return false
		}
	}
	op.AddArg("addr", arith.Int(ir.Before(op), ir.I64, addrs[0]))
	op.SetAttr(slotAddresses, ir.Attr{})
	return true
}
