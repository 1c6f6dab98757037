// This file reads the operands of instructions that create tiles and views.

package sem

import "ptogo/ir"

// Placing describes an instruction that creates a tile or sets its valid region. It
// holds the address of the tile, and the valid rows and columns, as far as the program
// gives them.
type Placing struct {
	// Source is the tile that it is made from, Offsets its first row and column
	// there, and Slot which of several tiles it is.
	Source  Operand
	Offsets []*ir.Value
	Slot    Operand
	// Address counts bytes of the local memory.
	Address    Operand
	Rows, Cols Operand
}

// PlacingOf returns the operands of an instruction that makes a tile.
func PlacingOf(op *ir.Op) Placing {
	return Placing{
		Source: firstOf(op, "tile", "source"), Offsets: op.Args("offsets"), Slot: operand(op, "slot"),
		Address: operand(op, "addr"), Rows: operand(op, "valid_row"), Cols: operand(op, "valid_col"),
	}
}

// Viewing is a MakeView, PartView or ViewDim with its operands, which count
// elements; there is one of each for a dimension.
type Viewing struct {
	Shape, Strides []*ir.Value // of a MakeView
	Offsets, Sizes []*ir.Value // of a PartView
	Dim            Operand     // of a ViewDim
}

// ViewingOf returns the operands of an instruction on views.
func ViewingOf(op *ir.Op) Viewing {
	return Viewing{op.Args("shape"), op.Args("strides"), op.Args("offsets"), op.Args("sizes"), operand(op, "dim_index")}
}
