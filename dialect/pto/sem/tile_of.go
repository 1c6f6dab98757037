// This file reads the operands of tile instructions.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Quantization is a TileQuant, TileDequant or TileAddReluConvert with its
// operands.
type Quantization struct {
	Src, Scale, Offset Operand
	// Unsigned means that a TileQuant produces unsigned numbers.
	Unsigned bool
}

// QuantizationOf returns the operands of a TileQuant or TileDequant.
func QuantizationOf(op *ir.Op) Quantization {
	return Quantization{
		Src: operand(op, "src"), Scale: firstOf(op, "fp", "scale", "deqScale"), Offset: operand(op, "offset"),
		Unsigned: keyword(op, "quant_type") == "INT8_ASYM",
	}
}

// GroupQuantization holds the operands of a TileQuantMX. In addition to dst, it writes
// the shared exponents, the largest magnitudes, the factors, and the exponents in boxes.
type GroupQuantization struct {
	Src, Dst, Exponents, Greatest, Factors, Boxes Operand
	// ByColumns means that groups extend along columns. Interleaves means that the
	// exponents of two groups of rows alternate. Smallest means that the exponent is
	// that of the smallest scale that fits.
	ByColumns, Interleaves, Smallest bool
	// Format is the format of the result, and Top the exponent of its largest number.
	Format num.Format
	Top    int
}

// GroupQuantizationOf returns the operands of a TileQuantMX.
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

// GroupsByColumns reports whether groups with a common exponent extend along columns.
func GroupsByColumns(op *ir.Op) bool { return keyword(op, "grpAxis") == "axis0" }

// TileSearch holds the operands of a TileGather. With Indices, it selects elements. With
// Value, it returns the numbers of the elements that satisfy the comparison with Value,
// plus Offset, and their Counts.
type TileSearch struct {
	Src, Dst, Indices, Value, Counts Operand
	Compare                          scalar.Predicate
	Offset                           int64
}

// TileSearchOf returns the operands of a TileGather.
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

// TilePredicate returns the comparison of a TileCompare or TileGather; ok is false if
// it has none.
func TilePredicate(op *ir.Op) (scalar.Predicate, bool) {
	return scalar.ParsePredicate(keyword(op, "cmpMode"))
}

// TilePlaces holds the operands of a TileGatherBlocks or TileScatter: the source, and the
// positions of elements or blocks if they are an operand.
type TilePlaces struct {
	Src, Places Operand
	// Blocks reports that Places are byte offsets of blocks of 32 bytes.
	Blocks bool
}

// TilePlacesOf returns the operands of a TileGatherBlocks or TileScatter.
func TilePlacesOf(op *ir.Op) TilePlaces {
	at := firstOf(op, "offsets", "indexes")
	return TilePlaces{operand(op, "src"), at, at.Given() && at.Name == "offsets"}
}

// TileSortOf returns the operands of a TileSort or TileHistogram.
func TileSortOf(op *ir.Op) (src, idx, dst Operand) {
	return operand(op, "src"), operand(op, "idx"), operand(op, "dst")
}

// TileLists holds the operands of a TileMerge: lists of BlockLen elements in one tile, or
// several lists, and the numbers of pairs that were consumed from each list. If Exhausted
// is set, the merge ends with the first list that is exhausted.
type TileLists struct {
	BlockLen, Taken Operand
	Lists           []Operand
	Exhausted       bool
}

// TileListsOf returns the operands of a TileMerge.
func TileListsOf(op *ir.Op) TileLists {
	l := TileLists{BlockLen: operand(op, "blockLen"), Taken: operand(op, "excuted"), Exhausted: flag(op, "exhausted")}
	for _, v := range op.Args("srcs") {
		l.Lists = append(l.Lists, Operand{"srcs", v})
	}
	return l
}

// TileSeries is a TileIndex with its operands.
type TileSeries struct {
	Start Operand
	Down  bool
}

// TileSeriesOf returns the operands of a TileIndex.
func TileSeriesOf(op *ir.Op) TileSeries { return TileSeries{operand(op, "S"), flag(op, "descending")} }

// Triangle is a TileTri with its operands.
type Triangle struct {
	Diagonal Operand
	Upper    bool
}

// TriangleOf returns the operands of a TileTri.
func TriangleOf(op *ir.Op) Triangle {
	which, _ := op.Attr("upperOrLower").AsInt()
	return Triangle{operand(op, "diagonal"), which == 1}
}

// RandomWords is a TileRandom with its operands.
type RandomWords struct {
	Key     [2]Operand
	Counter [4]Operand
	Rounds  int64
}

// RandomWordsOf returns the operands of a TileRandom.
func RandomWordsOf(op *ir.Op) (w RandomWords) {
	copy(w.Key[:], operands(op, "key0", "key1"))
	copy(w.Counter[:], operands(op, "counter0", "counter1", "counter2", "counter3"))
	w.Rounds, _ = op.Attr("rounds").AsInt()
	return w
}

// TileElement is a TileGet or TileSet with its operands.
type TileElement struct{ Src, Offset, Value Operand }

// TileElementOf returns the operands of a TileGet or TileSet.
func TileElementOf(op *ir.Op) TileElement {
	return TileElement{operand(op, "src"), operand(op, "offset"), operand(op, "val")}
}

// TilePair holds the operands of an instruction with two sources. The sources and the
// result may have index tiles in addition to values.
type TilePair struct {
	Src, Numbers  [2]Operand
	Dst, DstIndex Operand
	Dsts          [2]Operand
}

// TilePairOf returns the operands of an instruction on two sources.
func TilePairOf(op *ir.Op) (p TilePair) {
	copy(p.Src[:], operands(op, "src0", "src1"))
	copy(p.Numbers[:], operands(op, "src0Idx", "src1Idx"))
	copy(p.Dsts[:], operands(op, "dst0", "dst1"))
	p.Dst, p.DstIndex = operand(op, "dst"), operand(op, "dstIdx")
	return p
}

// TileEnds are the source and the destination of an instruction on tiles, and its mask,
// if it has one.
type TileEnds struct{ Src, Dst, Mask Operand }

// TileEndsOf returns source and destination of an instruction on tiles.
func TileEndsOf(op *ir.Op) TileEnds {
	return TileEnds{operand(op, "src"), operand(op, "dst"), operand(op, "mask")}
}

// RoundingChange is an OperandRounding with its attributes.
type RoundingChange struct {
	OperandRounding
	Away, Enable bool
}

// RoundingChangeOf returns the attributes of an OperandRounding.
func RoundingChangeOf(op *ir.Op) RoundingChange {
	kind, _ := op.Def().Sem.(OperandRounding)
	return RoundingChange{kind, kind.Modes[keyword(op, "mode")] == num.NearestAway, flag(op, "enable")}
}
