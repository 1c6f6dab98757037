// This file states in which order an instruction reads and writes its tiles, which
// determines whether they can share memory.

package sem

import "ptogo/ir"

// Order says when an instruction reads a tile and when it writes another one,
// and so which bytes the two may share.
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

// Region is what an instruction touches of a tile.
type Region uint8

const (
	ValidRegion   Region = iota
	OfPartner            // as much as the valid region of the other tile
	BitsOfPartner        // a bit for each element of the valid region of the other tile
	AllStorage
	FirstRow // of the valid region
	// CopiedWindow is as much as is copied, from where indexRow and indexCol say.
	CopiedWindow
)

// Sharing describes the order in which an instruction reads one operand and writes
// another. It decides whether the two may overlap.
type Sharing struct {
	Order Order
	// Read and Write are the accessed regions of the two operands.
	Read, Write Region
}

// Shares is a kind that lets a tile which it reads share bytes with one that it
// writes. Of other kinds all such tiles are Unordered.
type Shares interface {
	Sharing(read, written string) Sharing
}

// ScratchFirst is a kind that may be done with its scratch tile before it writes
// anything else: then results may lie there.
type ScratchFirst interface {
	ScratchFirst(op *ir.Op) bool
}

// perElement is reading each element before the one at its place is written.
var perElement = Sharing{ByElement, OfPartner, ValidRegion}

// Sharing of a map: what a further step takes is read after the first step has
// been written.
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

// Sharing of a choice: the bits are read out of turn.
func (TileSelect) Sharing(read, _ string) Sharing {
	if read == "mask" {
		return Sharing{Unordered, BitsOfPartner, ValidRegion}
	}
	return perElement
}

// ScratchFirst holds for a scalar: it goes to the scratch tile, and from there
// into a register before all rows. Of two tiles the scratch tile decides
// where the bits of each row lie.
func (TileSelect) ScratchFirst(op *ir.Op) bool { return op.Arg("scalar") != nil }

// Sharing of parts: values and indices have nothing to do with each other.
func (m TilePart) Sharing(read, written string) Sharing {
	if m.Arg && (read == "src0" || read == "src1") != (written == "dst") {
		return Sharing{}
	}
	return Sharing{Order: ByElement}
}

// Sharing of a reduction: one that gives positions needs all to the end.
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

// Sharing of a broadcast: the elements of a vector along columns are read again
// for every row.
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

func perElementIf(inPlace bool) Sharing {
	if inPlace {
		return perElement
	}
	return Sharing{}
}

// Sharing of what looks at one operand in turn and at others out of turn.
func (TileConcat) Sharing(read, _ string) Sharing { return inTurnIf(read == "src0") }
func (MemGather) Sharing(read, _ string) Sharing  { return inTurnIf(read == "idx") }

func inTurnIf(inTurn bool) Sharing {
	if inTurn {
		return Sharing{Order: ByElement}
	}
	return Sharing{}
}

// Sharing of a gather: indices may name any element of the source.
func (TileGather) Sharing(read, _ string) Sharing {
	if read == "src" {
		return Sharing{Read: AllStorage}
	}
	return inTurnIf(read == "indices")
}

// Sharing of blocks is like that of a gather.
func (TileGatherBlocks) Sharing(read, _ string) Sharing {
	if read == "src" {
		return Sharing{Read: AllStorage}
	}
	return Sharing{}
}
