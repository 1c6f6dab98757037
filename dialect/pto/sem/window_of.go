// This file reads the position of a window.

package sem

import "ptogo/ir"

// WindowStart is the first row and column of the window of a TileMove.
type WindowStart struct{ Row, Col Operand }

// WindowOf returns the start of the window of a TileMove.
func WindowOf(op *ir.Op) WindowStart {
	return WindowStart{operand(op, "indexRow"), operand(op, "indexCol")}
}

// Patches holds the operands of a TileImg2Col: the configuration, and the row and column
// in the matrix of patches at which the tile starts.
type Patches struct{ Src, Configuration, Row, Col Operand }

// PatchesOf returns the operands of a TileImg2Col.
func PatchesOf(op *ir.Op) Patches {
	return Patches{operand(op, "src"), operand(op, "cfg"), operand(op, "posM"), operand(op, "posK")}
}
