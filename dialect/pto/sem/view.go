// This file defines the kinds of operations that describe memory.

package sem

// Types that describe what instructions compute, for instructions that describe memory
// without accessing it.
type (
	// ViewDim returns the number of indices in dimension dim_index of a view. If Stride
	// is set, it returns the distance between consecutive indices in elements.
	ViewDim struct{ Stride bool }

	// AddressOf returns the address of the first element of src.
	AddressOf struct{}

	// PlaceTile returns a tile whose storage starts at the address addr.
	PlaceTile struct{}

	// TileSlot returns one slot of a multi_tile_buf, selected by the operand slot.
	TileSlot struct{}

	// SubTile returns a rectangular region of the tile source. Both share the same
	// storage.
	SubTile struct{}

	// SameStorage returns a tile with the storage of src and another type. The result may
	// exchange the rows and columns of a vector (Crosswise).
	SameStorage struct{}

	// ScaleAddress declares that dst holds the scales of the matrix operand src. The
	// memory planner assigns 1/16 of the address of src to dst.
	ScaleAddress struct{}

	// SetValid changes the valid region of source, which is the part that holds data.
	SetValid struct{}
	// GetValid returns the number of valid rows, of valid columns, or both.
	GetValid struct{ Rows, Cols bool }

	// Declare declares a tile or a queue entry whose contents a later instruction
	// provides.
	Declare struct{}
)

// What these instructions do, for readers of the reference.

func (m ViewDim) Doc() string { return "Dimensions are numbered from 0, the outermost." }

func (AddressOf) Doc() string { return "The address is a pointer in the memory space of src." }

func (PlaceTile) Doc() string {
	return "addr is in bytes, in the memory space of the tile. The contents stay."
}

func (TileSlot) Doc() string { return "Slots are numbered from 0 and have the same size." }

func (SubTile) Doc() string {
	return "Writing the part writes source. Its valid region is valid_row x valid_col, or that of its type."
}

func (SameStorage) Doc() string {
	return "Writing one writes the other. Valid rows and columns that the type of the result leaves open are those of src, bounded by the shape of the result; " +
		"where a column becomes a row, or a row a column, they are exchanged."
}

func (ScaleAddress) Doc() string { return "The address of the scales is 1/16 of the address of src." }

func (SetValid) Doc() string { return "Contents and storage stay as they are." }

func (GetValid) Doc() string {
	return "They are those of the type, or where it leaves them open, those that the tile was given last."
}

func (Declare) Doc() string { return "It has no contents before that." }
