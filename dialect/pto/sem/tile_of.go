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

// GroupQuantization is a TileQuantMX with its operands. Besides dst it writes the
// shared exponents, the largest magnitudes, the factors, and the exponents in boxes.
type GroupQuantization struct {
	Src, Dst, Exponents, Greatest, Factors, Boxes Operand
	// ByColumns means that groups extend along columns. Interleaves means that the
	// exponents of two groups of rows alternate. Smallest means that the exponent is
	// that of the smallest scale that fits.
	ByColumns, Interleaves, Smallest bool
	// Format is that of the result, and Top the exponent of its largest number.
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

// TileSearch is a TileGather with its operands: by Indices, or, with Value, the
// numbers of the elements that compare with it, Offset added, and their Counts.
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

// TilePlaces is a TileGatherBlocks or TileScatter with its operands: the source
// and where elements or blocks lie, if that is an operand.
type TilePlaces struct {
	Src, Places Operand
	Blocks      bool // Places counts bytes, and blocks of 32 bytes lie there
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

// TileLists is a TileMerge with its operands: lists of BlockLen in one tile, or
// several lists, and the counts of pairs that were taken of each. Exhausted
// says that the first list which runs out ends the merge.
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

// TilePair is an instruction on two sources with its operands: of each, or of
// the result, there may be numbers beside the elements.
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

// TileEnds are the source and the destination of an instruction on tiles, and
// what selects elements, if anything does.
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
