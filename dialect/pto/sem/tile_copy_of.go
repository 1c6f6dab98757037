// This file reads the operands of tile loads and stores.

package sem

import "ptogo/ir"

// TileCopy holds the operands of a copy between a view (a tensor in global memory) and a
// tile (kinds TileLoad and TileStore).
type TileCopy struct {
	View, Tile Operand
	// Add means that a store adds the elements of the tile to the elements in memory.
	Add bool
	// Left and Right are the numbers of padding elements before and after each row of a
	// load, and Pad is their value. If First is set, the first element of the row is
	// their value. If Fill is set, the whole storage of the tile is filled first, unless
	// FillIf is present and false.
	Left, Right, Pad Operand
	First, Fill      bool
	// BypassL2 means that a load allocates no lines of the L2 cache.
	BypassL2 bool
	FillIf   Operand
}

// CopiesTile reports whether op copies between a tile and global memory (kinds TileLoad
// and TileStore).
func CopiesTile(op *ir.Op) bool {
	_, loads := op.Def().Sem.(TileLoad)
	_, stores := op.Def().Sem.(TileStore)
	return loads || stores
}

// TileCopyOf decodes the operands of op, which copies between a tile and global memory
// (kinds TileLoad and TileStore).
func TileCopyOf(op *ir.Op) TileCopy {
	if _, ok := op.Def().Sem.(TileStore); ok {
		return TileCopy{View: operand(op, "dst"), Tile: operand(op, "src"), Add: addsTo(op, "atomicType")}
	}
	return TileCopy{
		View: operand(op, "src"), Tile: operand(op, "dst"),
		Left: operand(op, "left_padding_num"), Right: operand(op, "right_padding_num"), Pad: operand(op, "pad_value"),
		BypassL2: keyword(op, "cache_policy") == "l2_bypass",
		First:    keyword(op, "pad_mode") == "PadFirstElem", Fill: flag(op, "init_out_buffer"), FillIf: operand(op, "init_condition"),
	}
}

// WindowStart is the first row and the first column of the window that a TileMove copies.
type WindowStart struct{ Row, Col Operand }

// WindowOf returns the first row and column of the window that op, a TileMove, copies.
func WindowOf(op *ir.Op) WindowStart {
	return WindowStart{operand(op, "indexRow"), operand(op, "indexCol")}
}

// Patches holds the operands of a TileImg2Col, which copies patches of a feature map into
// rows of a matrix: the configuration, and the row and column of this matrix at which the
// tile starts.
type Patches struct{ Src, Configuration, Row, Col Operand }

// PatchesOf decodes the operands of op, an instruction of kind TileImg2Col. Such an
// instruction copies patches of a feature map into rows of a matrix.
func PatchesOf(op *ir.Op) Patches {
	return Patches{operand(op, "src"), operand(op, "cfg"), operand(op, "posM"), operand(op, "posK")}
}
