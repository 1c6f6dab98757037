// This file states in which order an instruction reads and writes its tiles, which
// determines whether they can share memory.

package sem

import "ptogo/ir"

// Order is the relative order in which an instruction reads the elements of one tile and
// writes those of another. It determines which bytes the two tiles may share.
type Order uint8

const (
	// Unordered means that the tiles must not share a byte, because elements of one may
	// be written while elements of the other are still needed.
	Unordered Order = iota
	// SamePlace means that both tiles must have the same address, so that each element
	// shares memory with the element of the same index, or must not overlap.
	SamePlace
	// ByElement means that each element is read before the element with the same index is
	// written, so both tiles may have the same address.
	//
	// If the elements of the written tile are narrower, more overlap is safe. If both
	// tiles are one contiguous row, the written tile may start at or before the address
	// of the read tile. If each read row fills one vector register, the hardware reads a
	// row completely before it writes any of it. In this case, the written tile must
	// start before the read tile.
	ByElement
	// ByWindow is the order of copies, which process row by row. Each element is read
	// before the element with the same index is written. However, a row may be written
	// before another row that it overlaps is read.
	ByWindow
	// RowByRow means that each row is read completely before the result of this row is
	// written.
	RowByRow
	// ColumnByColumn means that each column is reduced to one element. The results may
	// overwrite the first row of the source. On A5, vector registers hold the results
	// until a column is complete, so the results may overwrite any row of the source.
	ColumnByColumn
	// ReadFirst means that the instruction reads all elements before it writes any, because
	// it collects its results in a scratch tile. The tiles may overlap in any way.
	ReadFirst
)

// Region names the elements of a tile that an instruction reads or writes.
type Region uint8

const (
	ValidRegion Region = iota
	// OfPartner is the region that has the size of the valid region of the other tile of
	// a Sharing. For a read operand, the other tile is the written one, and vice versa.
	OfPartner
	// BitsOfPartner is the region of a mask: one bit for each element in the valid region
	// of the other tile of a Sharing (the tile that is written if the mask is read, and
	// vice versa).
	BitsOfPartner
	AllStorage
	// FirstRow is the first row of the valid region.
	FirstRow
	// CopiedWindow is the rectangle of a tile that a copy reads or writes. It has the
	// size of the copied elements and starts at the row and column that the operands
	// indexRow and indexCol hold.
	CopiedWindow
)

// Sharing is the order in which an instruction reads one operand and writes another, and
// the regions that it accesses. It determines whether the two may overlap.
type Sharing struct {
	Order Order
	// Read and Write are the accessed regions of the two operands.
	Read, Write Region
}

// Shares is implemented by kinds of meaning whose operands may share bytes with a result.
// The method Sharing returns in which order the instruction reads and writes. The
// parameter read is the name of the operand that it reads, and written is the name of the
// operand that it writes. For kinds without this method, every pair is Unordered.
type Shares interface {
	Sharing(read, written string) Sharing
}

// ScratchFirst is implemented by kinds that may finish using their scratch tile (memory
// for intermediate values) before they write anything else. If the method returns true,
// results may overwrite the scratch tile.
type ScratchFirst interface {
	ScratchFirst(op *ir.Op) bool
}

// perElement describes how a source tile and the result tile of an elementwise
// instruction may overlap. The instruction reads each element of the source before it
// writes the element of the result with the same index. The two tiles may therefore have
// the same address.
var perElement = Sharing{ByElement, OfPartner, ValidRegion}

// Sharing returns how an operand may overlap the result; the first argument is the name
// of the operand. A TileMap applies a function to each element, and then the functions in
// the field Then, which can have further operands. These further operands must not
// overlap the result, because the result of the first function is written before they are
// read.
func (m TileMap) Sharing(read, _ string) Sharing {
	for _, s := range m.Then {
		if s.Arg == read {
			return Sharing{}
		}
	}
	return perElement
}

func (TileConvert) Sharing(_, _ string) Sharing        { return perElement }
func (TileAddReluConvert) Sharing(_, _ string) Sharing { return perElement }
func (TileCompare) Sharing(_, _ string) Sharing {
	return Sharing{ByElement, ValidRegion, BitsOfPartner}
}

// Sharing returns how an operand of the instruction may overlap the result. read is the
// name of the operand. The mask must not overlap the result, because the instruction does
// not read the mask bits in the order in which it writes the elements. The other operands
// may overlap the result element by element.
func (TileSelect) Sharing(read, _ string) Sharing {
	if read == "mask" {
		return Sharing{Unordered, BitsOfPartner, ValidRegion}
	}
	return perElement
}

// ScratchFirst reports whether the instruction uses its scratch tile only before it reads
// the first row. This is so for a selection between a tile and a scalar: the scalar is
// stored to the scratch tile and loaded into a register. A selection between two tiles
// uses the scratch tile for every row.
func (TileSelect) ScratchFirst(op *ir.Op) bool { return op.Arg("scalar") != nil }

// Sharing returns how an operand may overlap a result. read and written are the names of
// the operand and of the result. Values and indices are computed independently, so a
// value operand must not overlap an index result, and an index operand must not overlap a
// value result.
func (m TilePart) Sharing(read, written string) Sharing {
	if m.Arg && (read == "src0" || read == "src1") != (written == "dst") {
		return Sharing{}
	}
	return Sharing{Order: ByElement}
}

// Sharing describes how the source and the result of a reduction may share bytes. A
// reduction along a row reads its source row by row, and a reduction along a column reads
// it column by column. The result may overwrite an element of the source after the
// reduction has used this element for the last time. A reduction that returns positions
// of elements permits no shared bytes, because it may still need elements of the source
// after it has written results.
func (m TileReduce) Sharing(_, _ string) Sharing {
	s := Sharing{Order: RowByRow}
	if m.Axis == AlongCol {
		s = Sharing{Order: ColumnByColumn, Write: FirstRow}
	}
	if m.Arg {
		s.Order = Unordered
	}
	return s
}

func (TileMove) Sharing(_, _ string) Sharing   { return Sharing{ByWindow, CopiedWindow, CopiedWindow} }
func (TilePad) Sharing(_, _ string) Sharing    { return Sharing{SamePlace, AllStorage, AllStorage} }
func (TileMatmul) Sharing(_, _ string) Sharing { return Sharing{Order: SamePlace} }

// Sharing returns how an operand may overlap the result; the parameter read is the name
// of the operand. A vector that is broadcast along columns must not overlap the result,
// because the instruction reads the elements of the vector for every row.
func (m TileExpand) Sharing(read, _ string) Sharing {
	switch {
	case m.Axis == AlongCol && read == "src0":
		return perElement
	case m.Axis == AlongRow || read == "src0":
		return Sharing{Order: ByElement}
	}
	return Sharing{}
}

func (TileQuant) Sharing(read, _ string) Sharing   { return perElementIf(read == "src") }
func (TileDequant) Sharing(read, _ string) Sharing { return perElementIf(read == "src") }

// Sharing returns how an operand may overlap a result; read and written are their names.
// Elements are converted one after the other, after the exponents of all groups have been
// computed, so that dst may start where src starts. Its elements are smaller.
func (TileQuantMX) Sharing(read, written string) Sharing {
	return inTurnIf(read == "src" && written == "dst")
}

// perElementIf returns how the tiles of an elementwise instruction may overlap. If
// inPlace is true, the result is perElement: a source may have the same address as the
// destination. Otherwise, the result is the zero Sharing: the tiles must not overlap.
func perElementIf(inPlace bool) Sharing {
	if inPlace {
		return perElement
	}
	return Sharing{}
}

// Sharing states which source may share memory with the result; the parameter read is the
// name of the source. Only src0 may: the instruction reads each element of src0 before it
// writes the element with the same index in the result. The elements of src1 are written
// to other indices.
func (TileConcat) Sharing(read, _ string) Sharing { return inTurnIf(read == "src0") }
func (MemGather) Sharing(read, _ string) Sharing  { return inTurnIf(read == "idx") }

// inTurnIf returns the sharing ByElement if inTurn is true, that is, if the operand is
// read in the order in which the result is written. Otherwise, it returns Unordered.
func inTurnIf(inTurn bool) Sharing {
	if inTurn {
		return Sharing{Order: ByElement}
	}
	return Sharing{}
}

// Sharing returns how an operand may overlap the result; the parameter read is the name
// of the operand. The source must not overlap the result, because the indices may select
// any of its elements.
func (TileGather) Sharing(read, _ string) Sharing {
	if read == "src" {
		return Sharing{Read: AllStorage}
	}
	return inTurnIf(read == "indices")
}

// Sharing returns Unordered, so the result must not share bytes with an operand. The
// reason is that each offset can select any block of the source tile. The instruction may
// therefore read every operand until it has written its last result.
func (TileGatherBlocks) Sharing(read, _ string) Sharing {
	if read == "src" {
		return Sharing{Read: AllStorage}
	}
	return Sharing{}
}

// Collects is implemented by kinds of meaning some of whose forms collect all results in a
// scratch tile before they write them (ReadFirst). The method reports whether op has such
// a form.
type Collects interface {
	Collects(op *ir.Op) bool
}

// Collects reports whether op merges several tiles: the headers merge them into the scratch
// tile and then copy it.
func (TileMerge) Collects(op *ir.Op) bool { return op.Arg("tmp") != nil }
