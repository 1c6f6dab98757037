// This file reads the operands of instructions that create tiles and views.

package sem

import "ptogo/ir"

// Placing holds the operands of an instruction that creates a tile or sets its valid
// region, the part that holds data. An operand that the program omits has a nil Value.
type Placing struct {
	// Source is the tile from which the result is derived. Offsets are the row and column
	// in Source at which the result starts, and Slot is the number of a slot of a
	// multi-buffered tile.
	Source  Operand
	Offsets []*ir.Value
	Slot    Operand
	// Address is the byte offset of the tile in its local memory.
	Address    Operand
	Rows, Cols Operand
}

// PlacingOf decodes the operands of op, an instruction that creates a tile or sets its
// valid region.
func PlacingOf(op *ir.Op) Placing {
	return Placing{
		Source: firstOf(op, "tile", "source"), Offsets: op.Args("offsets"), Slot: operand(op, "slot"),
		Address: operand(op, "addr"), Rows: operand(op, "valid_row"), Cols: operand(op, "valid_col"),
	}
}

// Viewing holds the operands of an instruction that creates or inspects a view, a tensor
// in global memory (kinds MakeView, PartView and ViewDim). All numbers count elements,
// and each list has one entry per dimension.
type Viewing struct {
	// Shape and Strides are the operands of a MakeView, which creates a view.
	Shape, Strides []*ir.Value
	// Offsets and Sizes are the operands of a PartView, which selects a rectangular
	// region of a view.
	Offsets, Sizes []*ir.Value
	// Dim is the number of the dimension that a ViewDim inspects.
	Dim Operand
}

// ViewingOf decodes the operands of op, which creates or inspects a view, a tensor in
// global memory.
func ViewingOf(op *ir.Op) Viewing {
	return Viewing{op.Args("shape"), op.Args("strides"), op.Args("offsets"), op.Args("sizes"), operand(op, "dim_index")}
}
