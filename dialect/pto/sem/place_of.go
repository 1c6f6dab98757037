// This file reads the operands of instructions that create tiles and views.

package sem

import "ptogo/ir"

// Placing describes an instruction that creates a tile or sets its valid region. It
// holds the address of the tile, and the valid rows and columns, as far as the program
// gives them.
type Placing struct {
	// Source is the tile from which the result is derived. Offsets are the first row and
	// column in it, and Slot is the number of a tile slot.
	Source  Operand
	Offsets []*ir.Value
	Slot    Operand
	// Address is a byte offset in local memory.
	Address    Operand
	Rows, Cols Operand
}

// PlacingOf returns the operands of an instruction that creates a tile.
func PlacingOf(op *ir.Op) Placing {
	return Placing{
		Source: firstOf(op, "tile", "source"), Offsets: op.Args("offsets"), Slot: operand(op, "slot"),
		Address: operand(op, "addr"), Rows: operand(op, "valid_row"), Cols: operand(op, "valid_col"),
	}
}

// Viewing holds the operands of a MakeView, PartView or ViewDim. They count elements, and
// each list has one entry per dimension.
type Viewing struct {
	// Shape and Strides are the operands of a MakeView.
	Shape, Strides []*ir.Value
	// Offsets and Sizes are the operands of a PartView.
	Offsets, Sizes []*ir.Value
	// Dim is the operand of a ViewDim.
	Dim Operand
}

// ViewingOf returns the operands of an instruction on views.
func ViewingOf(op *ir.Op) Viewing {
	return Viewing{op.Args("shape"), op.Args("strides"), op.Args("offsets"), op.Args("sizes"), operand(op, "dim_index")}
}
