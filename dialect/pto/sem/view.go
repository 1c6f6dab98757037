package sem

// The kinds of meaning of instructions that describe memory rather than touch
// it, and of what lives on the stack of a kernel.
type (
	// ViewDim gives the extent of dimension dim_index of a view, or with Stride
	// the elements from one index of it to the next.
	ViewDim struct{ Stride bool }

	// AddressOf gives the address of the first element of src.
	AddressOf struct{}

	// PlaceTile gives tile with its storage at addr.
	PlaceTile struct{}

	// TileSlot gives slot number slot of a multi_tile_buf.
	TileSlot struct{}

	// SubTile gives the part of source that starts at the two offsets and has
	// the size of the result, in the storage of source. Its valid region is
	// valid_row x valid_col, or what its type says.
	SubTile struct{}

	// SameStorage gives the storage of src under the type of the result. Valid
	// rows and columns that this type leaves open are those of src, as far as
	// there are so many; where a column becomes a row, or a row a column, they
	// change places (Crosswise).
	SameStorage struct{}

	// ScaleAddress makes dst the tile of scales of src: whoever assigns addresses
	// puts it at 1/16 of the address of src.
	ScaleAddress struct{}

	// SetValid changes the valid region of source; GetValid gives it.
	SetValid struct{}
	// GetValid gives the valid rows, the valid columns, or both.
	GetValid struct{ Rows, Cols bool }

	// Declare makes a name for something that a later instruction fills in.
	Declare struct{}
)
