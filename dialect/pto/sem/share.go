// This file states in which order an instruction reads and writes its tiles, which
// determines whether they can share memory.

package sem

import "ptogo/ir"

// Order is the relative order in which an instruction reads one tile and writes another.
// It determines which bytes the two may share.
type Order uint8

const (
	// Unordered tiles share no byte: some of the one may be written while the
	// other is still needed.
	Unordered Order = iota
	// SamePlace: both operands must be at the same address, element for element, or
	// must not overlap.
	SamePlace
	// ByElement: an element is read before the one at its place is written, and
	// the rest later: the tiles may lie at the same place. What is written may
	// be narrower, and starts before what is read or at the same byte where
	// both are one line, or before where lines are read of which each fills
	// one vector register. One such line is read before any of it is written.
	ByElement
	// ByWindow is ByElement for copies, which go line by line: lines may be
	// written before those that they are read from.
	ByWindow
	// RowByRow: a row is read before its result is written.
	RowByRow
	// ColumnByColumn: results lie in the place of the first row, or, where registers
	// hold them until a column is done (A5), of any row.
	ColumnByColumn
)

// Region is the part of a tile that an instruction accesses.
type Region uint8

const (
	ValidRegion Region = iota
	// OfPartner is as large as the valid region of the other tile.
	OfPartner
	// BitsOfPartner is one bit for each element in the valid region of the other tile.
	BitsOfPartner
	AllStorage
	// FirstRow is the first row of the valid region.
	FirstRow
	// CopiedWindow is as large as the copied part and starts at indexRow and indexCol.
	CopiedWindow
)

// Sharing is the order in which an instruction reads one operand and writes another, and
// the regions that it accesses. It determines whether the two may overlap.
type Sharing struct {
	Order Order
	// Read and Write are the accessed regions of the two operands.
	Read, Write Region
}

// Shares is a kind whose sources may share bytes with destinations. For other kinds, all
// such pairs are Unordered.
type Shares interface {
	Sharing(read, written string) Sharing
}

// ScratchFirst is a kind that may have finished using its scratch tile before it writes
// anything else. Results may then overwrite the scratch tile.
type ScratchFirst interface {
	ScratchFirst(op *ir.Op) bool
}

// perElement is the order of instructions that read each element before writing the
// element at the same index.
var perElement = Sharing{ByElement, OfPartner, ValidRegion}

// Sharing returns Unordered for operands of later steps, because the result of the first
// step is written before they are read.
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

// Sharing returns Unordered for the mask, because its bits are not read in the order of
// the elements.
func (TileSelect) Sharing(read, _ string) Sharing {
	if read == "mask" {
		return Sharing{Unordered, BitsOfPartner, ValidRegion}
	}
	return perElement
}

// ScratchFirst returns true for a selection with a scalar: the scalar is stored to the
// scratch tile and loaded into a register before the first row. For two tiles, the
// scratch tile is used for every row.
func (TileSelect) ScratchFirst(op *ir.Op) bool { return op.Arg("scalar") != nil }

// Sharing treats values and indices separately, because they are computed independently.
func (m TilePart) Sharing(read, written string) Sharing {
	if m.Arg && (read == "src0" || read == "src1") != (written == "dst") {
		return Sharing{}
	}
	return Sharing{Order: ByElement}
}

// Sharing allows no overlap for reductions that return positions, because they read all
// elements until the end.
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

// Sharing allows no overlap with a vector along columns, because its elements are read
// again for every row.
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

// perElementIf returns perElement or Unordered.
func perElementIf(inPlace bool) Sharing {
	if inPlace {
		return perElement
	}
	return Sharing{}
}

// Sharing allows an overlap with the first source only, which is read in order.
func (TileConcat) Sharing(read, _ string) Sharing { return inTurnIf(read == "src0") }
func (MemGather) Sharing(read, _ string) Sharing  { return inTurnIf(read == "idx") }

// inTurnIf returns the sharing of an operand that is read in order, or Unordered.
func inTurnIf(inTurn bool) Sharing {
	if inTurn {
		return Sharing{Order: ByElement}
	}
	return Sharing{}
}

// Sharing allows no overlap with the source, because indices may select any of its
// elements.
func (TileGather) Sharing(read, _ string) Sharing {
	if read == "src" {
		return Sharing{Read: AllStorage}
	}
	return inTurnIf(read == "indices")
}

// Sharing allows no overlap with the source, because offsets may select any of its
// blocks.
func (TileGatherBlocks) Sharing(read, _ string) Sharing {
	if read == "src" {
		return Sharing{Read: AllStorage}
	}
	return Sharing{}
}
