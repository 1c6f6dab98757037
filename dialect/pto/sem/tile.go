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

// Axis is the direction in which an instruction processes a tile: along rows or along
// columns.
type Axis uint8

// These constants are the two directions of instructions on tiles. With AlongRow, an
// instruction treats each row of the tile separately, for example to add its elements.
// With AlongCol, it treats each column separately.
const (
	AlongRow Axis = iota
	AlongCol
)

type (
	// MapStep is a further function that a TileMap applies to its result: Fn(result,
	// element of Arg). Arg names the operand, or is "" if Fn has one parameter.
	MapStep struct {
		Fn  *scalar.Fn
		Arg string
	}

	// TileReduce reduces every row (or column) of src with Fn to one element. If Arg is
	// set, it returns the position of the first maximum or minimum instead; function
	// Beats defines how elements compare. Order returns the order in which floats are
	// added or multiplied; if it is nil, they are combined from first to last.
	TileReduce struct {
		Axis  Axis
		Fn    *scalar.Fn
		Arg   bool
		Order func(op *ir.Op, t ir.Target) scalar.Sequence
	}

	// TileExpand broadcasts a vector (a tile with one row or one column) over dst along
	// Axis. If Fn is set, each element of dst is Fn of an element of another tile and the
	// broadcast element. If Then is also set, each result is rounded and passed to Then.
	TileExpand struct {
		Axis Axis
		Fn   *scalar.Fn
		Then *scalar.Fn
	}

	// TilePart computes Fn of two tiles whose valid regions may be smaller than that of
	// dst. If Arg is set, each source has a second tile with an index for each element.
	// Another result then receives the index of the element that Fn chooses, which is the
	// maximum or the minimum.
	TilePart struct {
		Fn  *scalar.Fn
		Arg bool
	}

	// TileConvert converts elements to the type of dst; attributes select the rounding
	// and saturation. If Cut is set, integers are truncated to their low bits.
	TileConvert struct{ Cut bool }

	// TileAddReluConvert adds two tiles, replaces negative sums by zero and converts the
	// result with saturation. If Sub is set, it subtracts src1 from src0. If Deq is set,
	// sums are scaled first. The method Wraps describes sums beyond the type of src.
	TileAddReluConvert struct{ Deq, Sub bool }

	// TilePad copies src to dst and fills the columns of dst past the valid region of src
	// with padding. It also fills the rows past that region: in vec up to the valid rows
	// of dst, and in mat all rows.
	TilePad struct{}

	// TileGather selects elements of src: by a tile of indices, by comparison with kValue
	// (TileSearchOf), or by a maskPattern.
	TileGather struct{}

	// TileGatherBlocks copies blocks of 32 bytes of src. A tile holds the byte offset of
	// each block.
	TileGatherBlocks struct{}

	// TileScatter writes elements of src to positions in dst that a tile of indices or a
	// pattern determines.
	TileScatter struct{}

	// MemGather copies rows or elements of a table in global memory to a tile. A tile of
	// indices selects them.
	MemGather struct{}

	// MemScatter copies rows or elements of a tile to a table in global memory. A tile of
	// indices selects their positions.
	MemScatter struct{}

	// TileSort sorts each group of 32 adjacent elements of a row into pairs of a value
	// and an index.
	TileSort struct{}

	// TileMerge merges sorted lists of pairs of a value and an index. The lists are
	// blocks of blockLen elements of one tile, or several tiles.
	TileMerge struct{}

	// TileTranspose exchanges rows and columns: dst[j,i] = src[i,j].
	TileTranspose struct{}

	// TileMove copies a whole tile, a window of src (if Src is set), or a tile into a
	// window of dst (if Dst is set). Elements that leave acc (L0C) pass through FIXPIPE,
	// which can convert them.
	TileMove struct{ Src, Dst bool }

	// TileConcat concatenates the rows of two tiles. If Counts is set, operands hold the
	// number of columns to copy from each.
	TileConcat struct{ Counts bool }

	// TileInterleave alternates the elements of two tiles in each row. If Inverse is set,
	// it separates elements at even positions from those at odd positions.
	TileInterleave struct{ Inverse bool }

	// TilePairSum adds the elements of each pair of adjacent columns.
	TilePairSum struct{}

	// TileMatmul multiplies matrices. The fields Lhs, Rhs, LhsScale, RhsScale and In name
	// its operands. In is the accumulator if Acc is set, or the bias if Bias is set.
	TileMatmul struct {
		Acc, Bias, Scaled bool
		// Vector means that operand Lhs is a single row.
		Vector             bool
		Lhs, Rhs           string
		LhsScale, RhsScale string
		In                 string
	}

	// TileIndex sets element k of the valid region, counted row after row, to S + k,
	// where S is a scalar operand. If attribute descending is set, it sets the element to
	// S - k.
	TileIndex struct{}

	// TileTri fills a triangle with ones: dst[i,j] = 1 where j <= i + diagonal
	// (upperOrLower 0) or j >= i + diagonal (upperOrLower 1), and 0 elsewhere.
	TileTri struct{}

	// TileRandom fills dst with pseudorandom words of the generator Philox 4x32, whose
	// key and counter are operands.
	TileRandom struct{}

	// TileHistogram computes a cumulative histogram for each row of src: column b of dst
	// is the number of elements whose selected byte is at most b.
	TileHistogram struct{}

	// TileQuant quantizes f32 elements to 8-bit integers. QuantizationOf decodes its
	// operands.
	TileQuant struct{}

	// TileQuantMX quantizes groups of 32 elements. All elements of a group share an
	// exponent. GroupQuantizationOf decodes its operands.
	TileQuantMX struct{}

	// TileDequant converts quantized integers to floats, the reverse of TileQuant.
	TileDequant struct{}

	// TileGet returns one element of src. Its operand offset is the index of the element
	// in the storage of src.
	TileGet struct{}
	// TileSet writes val to one element of dst. Its operand offset is the index of the
	// element in the storage of dst.
	TileSet struct{}

	// OperandRounding sets how later matrix products round f32 operands: to Fraction
	// bits, in one of the rounding modes Modes. Targets that are not in On ignore the
	// instruction.
	OperandRounding struct {
		Fraction     int
		NoSubnormals bool
		Modes        map[string]num.Rounding
		On           Profiles
	}

	// ConfigSet changes a setting of the core that later instructions read. What names
	// the setting.
	ConfigSet struct{ What string }
)

// Sequence returns the order in which op combines floats on target t. The zero Sequence
// means from first to last.
func (m TileReduce) Sequence(op *ir.Op, t ir.Target) scalar.Sequence {
	if m.Order == nil {
		return scalar.Sequence{}
	}
	return m.Order(op, t)
}

// Steps returns all functions that op applies to each element on target t, in order:
// first the function of the TileMap itself, and then those in its field Then, each of
// which is applied to the previous result.
func (m TileMap) Steps(op *ir.Op, t ir.Target) []*scalar.Fn {
	fns := []*scalar.Fn{m.For(op, t)}
	for _, s := range m.Then {
		fns = append(fns, s.Fn)
	}
	return fns
}

// Beats returns the comparison that a search for the maximum or minimum applies: an
// element that satisfies it replaces the result found so far. The comparison is Less if
// fn is scalar.Min, and Greater otherwise. It treats zeros as equal, regardless of their
// signs.
func Beats(fn *scalar.Fn) scalar.Relation {
	if fn == scalar.Min {
		return scalar.Relation{On: scalar.Less}
	}
	return scalar.Relation{On: scalar.Greater}
}

// UnorderedFirst reports whether a TilePart with indices keeps the element of the first
// source if an element is NaN, on target t. The NPU headers of A5 replace the first element
// if the second one is strictly better; those of A2/A3 keep the first one if it is at
// least as good, so the second one replaces it.
func UnorderedFirst(t ir.Target) bool { return t == A5 }

// InTurn reports whether the instruction uses a row-major vector cyclically along each
// row of dst. Element (i, j) of dst is then combined with element j modulo n of the
// vector, where n is the number of valid columns of the vector. This is the case for
// instructions that combine a tile with one value per row, which a column-major vector
// contains.
func (m TileExpand) InTurn() bool { return m.Axis == AlongRow && m.Fn != nil }
