package sem

import (
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// The kinds of meaning of tile instructions. Operands are named as in the
// forms, so one routine serves both levels; a destination is the operand of
// that name at Level 2 and the result of that name at Level 1. "Elements" are
// those of valid regions; the region of the destination says where something
// is computed, and what lies outside keeps its contents unless the kind says
// otherwise.

// Axis is a direction in a tile.
type Axis uint8

// A row kind works along rows, over the columns of each row; a column kind
// works along columns.
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

	// TileReduce reduces every row (or column) of src with Fn into dst[i,0] (or
	// dst[0,j]), from the first element to the last, each step rounded to the element
	// type, unless Order says otherwise. With Arg, dst receives the position of the
	// first element that no other beats; Fn is Max or Min and NaN beats all.
	//
	// Sums and products of floats follow the target; scalar.SequenceKind defines
	// the words. Sums of rows, in f32 and rounded once: on A2/A3 ByRepeats of 256
	// bytes, and ByEighths for a whole 64x128, 32x256, 16x512 or 8x1024 tile of f32
	// whose dst is col_major; on A5 ByChunks of 256 bytes, added to +0. Products of
	// rows: on A2/A3 ByBlocks of 32 bytes, lanes in f32 and rounded once, on A5
	// ByHalves of 256 bytes. Columns: on A2/A3 InTurn, on A5 InTwos; with isBinary
	// InPairsToFirst and InPairsToLast.
	TileReduce struct {
		Axis  Axis
		Fn    *scalar.Fn
		Arg   bool
		Order func(op *ir.Op, t ir.Target) scalar.Sequence
	}

	// TileExpand repeats a vector over dst: element i of the vector along row i
	// (or element j along column j). Without Fn, dst[i,j] is that element of
	// src. With it, src1 is the vector, or along rows that one of src0 and src1
	// which has not the valid region of dst (src1 if both could be); dst[i,j] is
	// Fn of the two in operand order. The vector's part for [i,j] stands at [0,j] along columns,
	// at [i,0] along rows. A row-major vector along rows has 32 bytes per row: on
	// A5 the first element counts, else they come InTurn. Pick replaces Fn where attributes or
	// profile ask for another function. Then is applied to what Fn gives, rounded.
	TileExpand struct {
		Axis Axis
		Fn   *scalar.Fn
		Then *scalar.Fn
		Pick func(op *ir.Op, t ir.Target) *scalar.Fn
	}

	// TilePart computes dst over its valid region from src0 and src1, whose
	// regions may be smaller: Fn where both have an element, the one there is
	// where only one has. Where none has, Max and Min give the number that
	// changes no maximum or minimum, the lowest or the largest finite one, and
	// other functions write nothing. With Arg, Fn (Max or Min) chooses a side,
	// src1 on a tie, and dstIdx receives the element of src0Idx or src1Idx from
	// that side.
	TilePart struct {
		Fn  *scalar.Fn
		Arg bool
	}

	// TileConvert converts the elements of src to the type of dst; Rounding and
	// Saturates say how. Equal float types round to integral values. With Cut,
	// integers keep their low bits.
	TileConvert struct{ Cut bool }

	// TileAddReluConvert is dst = saturate(round(max(src0 + src1, +0))), rounded
	// to nearest even. With Deq, the integer sum is first multiplied as f32:
	// (sum * 2^-17 * deqScale) * 2^17.
	TileAddReluConvert struct{ Deq bool }

	// TilePad copies the elements of src to the same places of dst and fills
	// the rest of dst, all of its storage, with the value that the pad of its
	// type names. In place (one storage), only the rest is written.
	TilePad struct{}

	// TileGather has three meanings. With indices: dst[i,j] is element number
	// indices[i,j] of the storage of src. With kValue: for every row of src,
	// the numbers that its elements with src[i,j] cmpMode kValue have in that
	// storage, plus offset, are written one after the other to the row of dst,
	// and cdst[i] receives how many they are. With maskPattern: the elements of
	// each row whose place in groups of 2 or 4 the pattern marks (from the
	// right: P0001 marks the first) are written one after the other to the row
	// of dst.
	TileGather struct{}

	// TileGatherBlocks copies 32-byte blocks: block number k of dst is the one
	// that starts offsets[k] bytes into src.
	TileGatherBlocks struct{}

	// TileScatter fills all storage of dst with zeros first, unless maskPattern
	// is P1111. With indexes: element number indexes[i,j] of the storage of dst
	// receives src[i,j] for the elements of indexes, row after row, so that later
	// ones win. With maskPattern: the elements of src go to the places that the
	// pattern marks along the axis "row" or "col".
	TileScatter struct{}

	// MemGather reads elements of the global table mem: with coalesce row, row i
	// of dst is row idx[i] of mem; with coalesce elem, dst[i,j] is element
	// number idx[i,j] of mem, counted from its start also where its rows lie apart. gatherOob says what an
	// index outside of mem means: undefined (a fault), clamp, wrap, zero.
	MemGather struct{}

	// MemScatter is the reverse of MemGather, from src to mem, in the order of
	// rows and columns. scatterAtomicOp combines with what is in mem;
	// scatterOob: undefined (a fault), skip, clamp, wrap. Later elements win.
	MemScatter struct{}

	// TileSort sorts every 32 neighbours of a row of src, the greatest first,
	// together with those of idx, and writes pairs to dst: f32 value and index
	// of 4 bytes each; for f16 the value, 2 bytes unused, the index. Equal
	// values stay in the order of their places. A rest shorter than 32 counts as
	// followed by minus infinity, which is not written.
	TileSort struct{}

	// TileMerge merges lists of such pairs, greatest first, the earlier list
	// winning ties. With blockLen: the row of src holds lists of blockLen
	// elements (of the tile's type); each four neighbours are merged, and what is
	// behind the last four is left alone. With two
	// to four srcs: they are merged into dst, and excuted receives how many
	// pairs were taken from each; exhausted stops at the end of the first list
	// that runs out.
	TileMerge struct{}

	// TileTranspose is dst[j,i] = src[i,j].
	TileTranspose struct{}

	// TileMove copies a window: dst[i,j] = src[i,j], where Src adds indexRow and
	// indexCol to the place in src, Dst to the place in dst. Layouts follow the
	// types. From acc, elements are converted to the type of dst on the way:
	// multiplied by preQuantScalar (bits of an f32) or by the factor in fp of the
	// column of src (a float, or a word of 64 bits: those of an f32, of which the
	// last 13 count as 0, and from bit 37 on an offset of 9 bits), cut at zero if
	// reluPreMode says so, rounded to nearest even and saturated. accToVecMode names the half of the
	// columns (split_n) or rows (split_m) that each vector core receives. With a
	// workspace, exponents of MX groups go into boxes of 16x2: those of groups along
	// rows as they are, padded with zeros; those along columns (grpAxis axis0)
	// transposed.
	TileMove struct{ Src, Dst bool }

	// TileConcat puts the columns of src0 and src1 side by side. With Counts,
	// row i takes only the first elements of src0 and src1, as far as there are as
	// many and dst has room: their number times the size of an index, in bytes, is
	// src0Idx[i,0] and src1Idx[i,0].
	TileConcat struct{ Counts bool }

	// TileInterleave takes the elements of src0 and src1 in turn and writes the
	// first half of each row to dst0 and the second to dst1. Inverse undoes
	// that; with one source it sends even columns to dst0, odd ones to dst1.
	TileInterleave struct{ Inverse bool }

	// TilePairSum is dst[i,k] = src[i,2k] + src[i,2k+1] for the first half of
	// the columns, rounded up; the other half becomes zero.
	TilePairSum struct{}

	// TileMatmul is dst[m,n] = sum over k of lhs[m,k] * rhs[k,n], products summed
	// in k order in the type of dst, each sum rounded once (products of numbers of
	// less than 32 bits are rounded to f32 before, which shows only beyond its
	// range): Acc adds acc_in in front, Bias adds
	// bias[0,n]. With Scaled, each operand element is multiplied by 2^(e-127)
	// with e the element of its scale tile for the group of 32 along k. The
	// operands are named Lhs, Rhs, LhsScale, RhsScale, In.
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

	// TileRandom fills dst with the 32-bit words of Philox 4x32: the counter
	// (four words, the lowest first) is encrypted with the key (two words) in as
	// many rounds as asked. Counter + k gives the elements 4k to 4k+3 of a row.
	// Each 256 columns take 64 counters; the last ones of a row, of which there
	// are n in all, take (n-1) mod 64 + 1.
	TileRandom struct{}

	// TileHistogram adds up counts of bytes: dst[i,b] is how many elements of row i of src
	// have b or less as byte number byte and, as the bytes above it, those of idx: for
	// 16-bit elements the one of row i, for 32-bit elements those of column 0,
	// the highest byte in row 0. Byte 0 is the lowest.
	TileHistogram struct{}

	// TileQuant is dst[i,j] = round(src[i,j] * fp[i,0] + offset[i,0]): product and
	// sum in f32, each rounded by itself, then to nearest even, saturated, NaN to 0.
	// Without offset, nothing is added.
	TileQuant struct{}

	// TileQuantMX quantizes groups of 32 elements along grpAxis. max is the
	// greatest magnitude. The shared exponent, biased, is that of max less that
	// of the largest number of dst's format (8 for MXFP8, e4m3; 2 for
	// MXFP4_E2M1), from 0 to 254; with quantScaleAlg nv it is that of max /
	// largest, rounded up. NaN gives 255. scaling is 2^(127-exp), and dst the elements times
	// that as f32, rounded to nearest even and saturated; NaN, for which 4 bits have
	// no code, counts as infinity there, as golden data have it. exp_zz receives the
	// exponents in boxes of 16x2, interleave puts those of two groups of rows in
	// turn.
	TileQuantMX struct{}

	// TileDequant is dst[i,j] = (src[i,j] - offset[i,k]) * scale[i,k] in f32,
	// where k is j, or the last valid column of scale if that comes before.
	TileDequant struct{}

	// TileGet gives element number offset of the storage of src, TileSet writes
	// it to dst.
	TileGet struct{}
	// TileSet writes val as element number offset of the storage of dst.
	TileSet struct{}

	// OperandRounding sets how later products of matrices change operands of
	// f32: attribute enable says whether they are rounded to Fraction bits behind
	// the point, as the case of Modes that attribute mode names. Subnormals
	// become zero with NoSubnormals. Profiles that are not among On ignore it.
	OperandRounding struct {
		Fraction     int
		NoSubnormals bool
		Modes        map[string]num.Rounding
		On           Profiles
	}

	// ConfigSet changes a setting of the core that later instructions read.
	ConfigSet struct{ What string }
)

// Sequence is the order in which op combines elements.
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

// Beats is the relation of an extreme, the result of Max or Min, to those that
// are none. Zeros are equal, whatever their signs.
func Beats(fn *scalar.Fn) scalar.Relation {
	if fn == scalar.Min {
		return scalar.Relation{On: scalar.Less}
	}
	return scalar.Relation{On: scalar.Greater}
}

// InTurn reports whether the elements of a row-major vector along rows are
// repeated in turn: element j of dst meets the one at j modulo the vector's valid
// columns.
func (m TileExpand) InTurn(t ir.Target) bool {
	return m.Axis == AlongRow && m.Fn != nil && OnA2A3.Has(t)
}

// For returns the function that op applies on a profile.
func (m TileExpand) For(op *ir.Op, t ir.Target) *scalar.Fn {
	if m.Pick != nil {
		if fn := m.Pick(op, t); fn != nil {
			return fn
		}
	}
	return m.Fn
}
