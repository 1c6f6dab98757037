// This file defines the kinds of tile instructions.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// This file defines the kinds of meaning of tile instructions. Operands have the names
// of the instruction's forms, so one routine serves both levels: a destination is an
// operand at Level 2 and the result of the same name at Level 1. Elements are those of
// the valid region. The valid region of the destination determines which elements are
// computed; elements outside keep their contents unless the kind defines something
// else.

// Axis is a direction in a tile.
type Axis uint8

// An instruction with AlongRow processes the columns of each row; one with AlongCol
// processes the rows of each column.
const (
	AlongRow Axis = iota
	AlongCol
)

type (
	// MapStep is a further step of a TileMap: the value so far becomes
	// Fn(value, element of Arg); Arg is "" where Fn takes one operand.
	MapStep struct {
		Fn  *scalar.Fn
		Arg string
	}

	// TileReduce reduces every row (or column) of src with Fn to one element.
	// With Arg, Max or Min gives the position of the first extreme (Beats). Sums
	// and products of floats have an Order, or else go from the first to the last.
	TileReduce struct {
		Axis  Axis
		Fn    *scalar.Fn
		Arg   bool
		Order func(op *ir.Op, t ir.Target) scalar.Sequence
	}

	// TileExpand broadcasts a vector over dst along Axis, or with Fn combines
	// it with a tile, and applies Then to that.
	TileExpand struct {
		Axis Axis
		Fn   *scalar.Fn
		Then *scalar.Fn
	}

	// TilePart computes Fn of two tiles whose regions may be smaller than that
	// of dst. With Arg, indices go with what Max or Min chooses.
	TilePart struct {
		Fn  *scalar.Fn
		Arg bool
	}

	// TileConvert converts elements; Rounding and Saturates say how. With Cut,
	// integers keep their low bits.
	TileConvert struct{ Cut bool }

	// TileAddReluConvert is a saturated sum without negative values; Deq scales
	// it first.
	TileAddReluConvert struct{ Deq bool }

	// TilePad copies src and fills the rest of the storage of dst.
	TilePad struct{}

	// TileGather has three forms: indices, kValue (TileSearchOf), maskPattern.
	TileGather struct{}

	// TileGatherBlocks copies blocks of 32 bytes by offsets.
	TileGatherBlocks struct{}

	// TileScatter writes elements to places that indexes or a pattern name.
	TileScatter struct{}

	// MemGather reads rows or elements of a table in global memory.
	MemGather struct{}

	// MemScatter is the reverse of MemGather.
	MemScatter struct{}

	// TileSort sorts every 32 neighbours into pairs of value and index.
	TileSort struct{}

	// TileMerge merges sorted lists of such pairs. The lists are the blocks of blockLen
	// elements of one tile, or several tiles.
	TileMerge struct{}

	// TileTranspose is dst[j,i] = src[i,j].
	TileTranspose struct{}

	// TileMove copies a tile, through FIXPIPE if it is in acc: all of it, a
	// window of src (Src), or into a window of dst (Dst).
	TileMove struct{ Src, Dst bool }

	// TileConcat concatenates the columns of tiles. With Counts, operands give the
	// number of columns of each.
	TileConcat struct{ Counts bool }

	// TileInterleave alternates the elements of two tiles; Inverse undoes that.
	TileInterleave struct{ Inverse bool }

	// TilePairSum adds neighbouring columns.
	TilePairSum struct{}

	// TileMatmul multiplies matrices. Operands are named Lhs, Rhs, LhsScale,
	// RhsScale and, for Acc and Bias, In.
	TileMatmul struct {
		Acc, Bias, Scaled  bool
		Vector             bool // Lhs is one row
		Lhs, Rhs           string
		LhsScale, RhsScale string
		In                 string
	}

	// TileIndex is dst[k] = S + k, or S - k if descending, for the elements k of
	// the valid region, row after row.
	TileIndex struct{}

	// TileTri is dst[i,j] = 1 where j <= i + diagonal (upperOrLower 0) or
	// j >= i + diagonal (upperOrLower 1), else 0.
	TileTri struct{}

	// TileRandom fills dst with the words of Philox 4x32.
	TileRandom struct{}

	// TileHistogram counts the bytes of rows, cumulatively.
	TileHistogram struct{}

	// TileQuant quantizes f32 to 8 bits (QuantizationOf).
	TileQuant struct{}

	// TileQuantMX quantizes groups with a shared exponent
	// (GroupQuantizationOf).
	TileQuantMX struct{}

	// TileDequant undoes TileQuant.
	TileDequant struct{}

	// TileGet gives element number offset of the storage of src, TileSet writes
	// it to dst.
	TileGet struct{}
	// TileSet writes val as element number offset of the storage of dst.
	TileSet struct{}

	// OperandRounding sets how later products of matrices round operands of
	// f32: to Fraction bits, as one of Modes. Profiles that are not among On
	// ignore it.
	OperandRounding struct {
		Fraction     int
		NoSubnormals bool
		Modes        map[string]num.Rounding
		On           Profiles
	}

	// ConfigSet changes a setting of the core that later instructions read.
	ConfigSet struct{ What string }
)

// Sequence returns the order in which op combines elements.
func (m TileReduce) Sequence(op *ir.Op, t ir.Target) scalar.Sequence {
	if m.Order == nil {
		return scalar.Sequence{}
	}
	return m.Order(op, t)
}

// Steps returns the functions of m in order, for those who must look at all.
func (m TileMap) Steps(op *ir.Op, t ir.Target) []*scalar.Fn {
	fns := []*scalar.Fn{m.For(op, t)}
	for _, s := range m.Then {
		fns = append(fns, s.Fn)
	}
	return fns
}

// Beats returns the comparison by which an element becomes the new extreme of Max or Min.
// Zeros are equal, regardless of their signs.
func Beats(fn *scalar.Fn) scalar.Relation {
	if fn == scalar.Min {
		return scalar.Relation{On: scalar.Less}
	}
	return scalar.Relation{On: scalar.Greater}
}

// InTurn reports whether the elements of a row-major vector along rows are repeated
// cyclically: element j of dst is combined with the element at j modulo the vector's
// valid columns.
func (m TileExpand) InTurn() bool { return m.Axis == AlongRow && m.Fn != nil }
