// This file reads the operands of tile instructions.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Quantization holds the operands of an instruction that quantizes or dequantizes
// elements with a scale and an offset (kinds TileQuant, TileDequant and
// TileAddReluConvert).
type Quantization struct {
	Src, Scale, Offset Operand
	// Unsigned means that a TileQuant produces unsigned numbers.
	Unsigned bool
}

// QuantizationOf decodes the operands of op, which quantizes or dequantizes elements
// (kinds TileQuant, TileDequant and TileAddReluConvert).
func QuantizationOf(op *ir.Op) Quantization {
	return Quantization{
		Src: operand(op, "src"), Scale: firstOf(op, "fp", "scale", "deqScale"), Offset: operand(op, "offset"),
		Unsigned: keyword(op, "quant_type") == "INT8_ASYM",
	}
}

// Wraps reports whether sums and differences of integers wrap in the type of the sources on
// target t, before negative ones become zero. A5 adds in that type; the instruction of
// A2/A3 clamps the exact sum.
func (m TileAddReluConvert) Wraps(t ir.Target) bool { return t == A5 && !m.Deq }

// GroupQuantization holds the operands of a TileQuantMX, which quantizes groups of
// elements with a shared exponent. In addition to Dst, it writes the exponents, the
// largest magnitudes, the factors, and the exponents in boxes (the layout that the cube
// unit reads).
type GroupQuantization struct {
	Src, Dst, Exponents, Greatest, Factors, Boxes Operand
	// ByColumns means that groups extend along columns. Interleaves means that the
	// exponents of two groups of rows alternate in memory. Smallest selects the rule for
	// the shared exponent: that of the smallest power-of-two scale with which no element
	// of the group overflows.
	ByColumns, Interleaves, Smallest bool
	// Format is the element format of the result, and Top is the exponent of the largest
	// number in this format.
	Format num.Format
	Top    int
}

// GroupQuantizationOf decodes the operands of op, which quantizes groups of elements with
// a shared exponent (kind TileQuantMX).
func GroupQuantizationOf(op *ir.Op) GroupQuantization {
	q := GroupQuantization{
		Src: operand(op, "src"), Dst: operand(op, "dst"), Exponents: operand(op, "exp"), Greatest: operand(op, "max"),
		Factors: operand(op, "scaling"), Boxes: operand(op, "exp_zz"),
		ByColumns: GroupsByColumns(op), Interleaves: flag(op, "interleave"), Smallest: keyword(op, "quantScaleAlg") == "nv",
		Format: num.F8E4M3FN, Top: 8,
	}
	if keyword(op, "quant_type") == "MXFP4_E2M1" {
		q.Format, q.Top = num.F4E2M1, 2
	}
	return q
}

// GroupsByColumns reports whether groups of elements with a shared exponent extend along
// columns. If it returns false, the groups extend along rows.
func GroupsByColumns(op *ir.Op) bool { return keyword(op, "grpAxis") == "axis0" }

// TileSearch holds the operands of an instruction that selects elements (kind
// TileGather). If Indices is present, the instruction copies the elements with these
// indices. If Value is present, it compares each element with Value and returns the
// indices of the elements for which the comparison is true. It adds Offset to the indices
// and stores their number in Counts.
type TileSearch struct {
	Src, Dst, Indices, Value, Counts Operand
	Compare                          scalar.Predicate
	Offset                           int64
}

// TileSearchOf decodes the operands of op, which selects elements of a tile by indices or
// by a comparison (kind TileGather).
func TileSearchOf(op *ir.Op) TileSearch {
	s := TileSearch{
		Src: operand(op, "src"), Dst: operand(op, "dst"), Indices: operand(op, "indices"), Value: operand(op, "kValue"),
		Counts: operand(op, "cdst"), Compare: scalar.EQ,
	}
	if p, ok := TilePredicate(op); ok {
		s.Compare = p
	}
	s.Offset, _ = op.Attr("offset").AsInt()
	return s
}

// TilePredicate decodes the attribute cmpMode of op, which is the comparison of a
// TileCompare or TileGather. The bool result is false if op does not have a valid
// cmpMode.
func TilePredicate(op *ir.Op) (scalar.Predicate, bool) {
	return scalar.ParsePredicate(keyword(op, "cmpMode"))
}

// TilePlaces holds the operands of an instruction that copies elements or blocks from or
// to positions in a tile (kinds TileGatherBlocks and TileScatter). Places is the tile
// with these positions. It is absent if a mask pattern determines them.
type TilePlaces struct {
	Src, Places Operand
	// Blocks reports that Places are byte offsets of blocks of 32 bytes.
	Blocks bool
}

// TilePlacesOf decodes the operands of op, which copies elements or blocks from or to
// computed positions (kinds TileGatherBlocks and TileScatter).
func TilePlacesOf(op *ir.Op) TilePlaces {
	at := firstOf(op, "offsets", "indexes")
	return TilePlaces{operand(op, "src"), at, at.Given() && at.Name == "offsets"}
}

// TileSortOf returns the source, the index tile and the destination of op, a TileSort or
// TileHistogram.
func TileSortOf(op *ir.Op) (src, idx, dst Operand) {
	return operand(op, "src"), operand(op, "idx"), operand(op, "dst")
}

// TileLists holds the operands of an instruction that merges sorted lists of pairs (kind
// TileMerge). There are two forms. In the first form, the only element of Lists is a tile
// that contains all lists, and BlockLen is the length of a list. In the second form, each
// element of Lists is a tile with one list, and Taken is the operand that receives the
// number of pairs consumed from each list. If Exhausted is set, the merge ends as soon as
// one list is used up.
type TileLists struct {
	BlockLen, Taken Operand
	Lists           []Operand
	Exhausted       bool
}

// TileListsOf decodes the operands of op, which merges sorted lists of pairs (kind
// TileMerge).
func TileListsOf(op *ir.Op) TileLists {
	l := TileLists{BlockLen: operand(op, "blockLen"), Taken: operand(op, "excuted"), Exhausted: flag(op, "exhausted")}
	for _, v := range op.Args("srcs") {
		l.Lists = append(l.Lists, Operand{"srcs", v})
	}
	return l
}

// TileSeries holds the operands of an instruction that fills a tile with consecutive
// integers (kind TileIndex). Down means that they decrease.
type TileSeries struct {
	Start Operand
	Down  bool
}

// TileSeriesOf decodes the operands of op, which fills a tile with consecutive integers
// (kind TileIndex).
func TileSeriesOf(op *ir.Op) TileSeries { return TileSeries{operand(op, "S"), flag(op, "descending")} }

// Triangle describes an instruction that fills a triangle of a tile with ones (kind
// TileTri). Diagonal is the operand with the number of the diagonal at which the triangle
// ends. If Upper is set, the ones are above this diagonal; otherwise they are below it.
type Triangle struct {
	Diagonal Operand
	Upper    bool
}

// TriangleOf decodes the operands of op, which fills a triangle of a tile with ones (kind
// TileTri).
func TriangleOf(op *ir.Op) Triangle {
	which, _ := op.Attr("upperOrLower").AsInt()
	return Triangle{operand(op, "diagonal"), which == 1}
}

// RandomWords holds the operands of an instruction that fills a tile with pseudorandom
// words (kind TileRandom). The words come from the random number generator Philox 4x32,
// and Key, Counter and Rounds are the parameters of this generator.
type RandomWords struct {
	Key     [2]Operand
	Counter [4]Operand
	Rounds  int64
}

// RandomWordsOf decodes the operands of op, which fills a tile with pseudorandom words
// (kind TileRandom).
func RandomWordsOf(op *ir.Op) (w RandomWords) {
	copy(w.Key[:], operands(op, "key0", "key1"))
	copy(w.Counter[:], operands(op, "counter0", "counter1", "counter2", "counter3"))
	w.Rounds, _ = op.Attr("rounds").AsInt()
	return w
}

// TileElement holds the operands of an instruction that reads or writes one element of a
// tile (kinds TileGet and TileSet). Offset is the index of the element in the storage.
type TileElement struct{ Src, Offset, Value Operand }

// TileElementOf decodes the operands of op, which reads or writes one element of a tile
// (kinds TileGet and TileSet).
func TileElementOf(op *ir.Op) TileElement {
	return TileElement{operand(op, "src"), operand(op, "offset"), operand(op, "val")}
}

// TilePair holds the operands of an instruction with two source tiles, Src. If the
// instruction moves indices together with elements, Numbers holds the index tiles of the
// two sources, and DstIndex is the index tile of the result. Dst is the result of an
// instruction with one result, and Dsts holds the results of an instruction with two.
type TilePair struct {
	Src, Numbers  [2]Operand
	Dst, DstIndex Operand
	Dsts          [2]Operand
}

// TilePairOf decodes the operands of op, an instruction with two source tiles.
func TilePairOf(op *ir.Op) (p TilePair) {
	copy(p.Src[:], operands(op, "src0", "src1"))
	copy(p.Numbers[:], operands(op, "src0Idx", "src1Idx"))
	copy(p.Dsts[:], operands(op, "dst0", "dst1"))
	p.Dst, p.DstIndex = operand(op, "dst"), operand(op, "dstIdx")
	return p
}

// TileEnds holds the source, the destination and, if present, the mask of an instruction
// on tiles.
type TileEnds struct{ Src, Dst, Mask Operand }

// TileEndsOf returns the source, the destination and the mask of op, an instruction on
// tiles.
func TileEndsOf(op *ir.Op) TileEnds {
	return TileEnds{operand(op, "src"), operand(op, "dst"), operand(op, "mask")}
}

// RoundingChange holds the attributes of an instruction that sets how matrix products
// round f32 operands (kind OperandRounding). Away means rounding to nearest with ties
// away from zero.
type RoundingChange struct {
	OperandRounding
	Away, Enable bool
}

// RoundingChangeOf decodes the attributes of op, which sets how matrix products round f32
// operands (kind OperandRounding).
func RoundingChangeOf(op *ir.Op) RoundingChange {
	kind, _ := op.Def().Sem.(OperandRounding)
	return RoundingChange{kind, kind.Modes[keyword(op, "mode")] == num.NearestAway, flag(op, "enable")}
}

// ElementFn returns the function that op applies to each element. It returns nil if op is
// not an elementwise instruction.
func ElementFn(op *ir.Op) *scalar.Fn {
	switch k := op.Def().Sem.(type) {
	case TileMap:
		return k.Fn
	case TileReduce:
		return k.Fn
	case TileExpand:
		return k.Fn
	case TilePart:
		return k.Fn
	case VecMap:
		return k.Fn
	}
	return nil
}
