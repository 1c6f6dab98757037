// This file reads the position of a window.

package sem

import "ptogo/ir"

// WindowStart is where the window of a TileMove starts.
type WindowStart struct{ Row, Col Operand }

// WindowOf returns where the window of a TileMove starts.
func WindowOf(op *ir.Op) WindowStart {
	return WindowStart{operand(op, "indexRow"), operand(op, "indexCol")}
}

// Patches is a TileImg2Col with its operands: the configuration, and where in
// the matrix of patches the tile starts.
type Patches struct{ Src, Configuration, Row, Col Operand }

// PatchesOf returns the operands of a TileImg2Col.
func PatchesOf(op *ir.Op) Patches {
	return Patches{operand(op, "src"), operand(op, "cfg"), operand(op, "posM"), operand(op, "posK")}
}
