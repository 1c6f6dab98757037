// This file reads the operands of tile loads and stores.

package sem

import "ptogo/ir"

// TileCopy holds the operands of a TileLoad or TileStore.
type TileCopy struct {
	View, Tile Operand
	// Add means that a store adds to the contents of memory.
	Add bool
	// Left and Right are the numbers of padding elements before and after each row of a
	// load, and Pad is their value. If First is set, the value is the first element of
	// the row. Fill fills the whole storage first, if FillIf is absent or true.
	Left, Right, Pad Operand
	First, Fill      bool
	FillIf           Operand
}

// CopiesTile reports whether op is a TileLoad or TileStore.
func CopiesTile(op *ir.Op) bool {
	_, loads := op.Def().Sem.(TileLoad)
	_, stores := op.Def().Sem.(TileStore)
	return loads || stores
}

// TileCopyOf returns the operands of a TileLoad or TileStore.
func TileCopyOf(op *ir.Op) TileCopy {
	if _, ok := op.Def().Sem.(TileStore); ok {
		return TileCopy{View: operand(op, "dst"), Tile: operand(op, "src"), Add: addsTo(op, "atomicType")}
	}
	return TileCopy{
		View: operand(op, "src"), Tile: operand(op, "dst"),
		Left: operand(op, "left_padding_num"), Right: operand(op, "right_padding_num"), Pad: operand(op, "pad_value"),
		First: keyword(op, "pad_mode") == "PadFirstElem", Fill: flag(op, "init_out_buffer"), FillIf: operand(op, "init_condition"),
	}
}
