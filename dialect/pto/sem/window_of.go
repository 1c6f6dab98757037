// This file reads the position of a window.

package sem

import "ptogo/ir"

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
