// This file defines instructions that create the contents of a tile.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// TCI is pto.tci, which fills a tile with consecutive integers. If the program provides
// no scratch tile, the scalar unit computes them.
var TCI = Define("tci", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TCI"), Family: irregular,
		PipeOf: func(op *ir.Op, t ir.Target) sem.Pipe {
			if op.Arg("tmp") != nil && t != sem.A5 {
				return sem.PipeV
			}
			return sem.PipeS
		},
		Doc:   "Fills dst with the integers from S on, up or down.",
		Ins:   Args{In("S", ir.AnyInteger), ScratchArg("tmp", anyTmp)},
		Outs:  Args{Out("dst", VecTile(Both(Ints16|Ints32)))},
		Attrs: []ir.AttrDef{{Name: "descending", Type: ir.AnyBool, Default: ir.BoolAttr(false), Doc: "count down"}},
		Sem:   sem.TileIndex{},
		Cpp: Calls("TCI<{type dst}, {type !tmp}, {elem dst}, {descending#}>({dst}, {S}, {!tmp})",
			"TCI<{type dst}, {elem dst}, {descending#}>({dst}, {S})"),
		ScratchTile: func(op *ir.Op, _ ir.Target) (TileInfo, bool) {
			dst, ok := TileArg(op, "dst")
			return ScratchBytes(ir.F32, indexScratch(dst.Elem)), ok
		},
		Rules: []Rule{
			countedDown,
			firstIndex{},
			TileCheck{On: sem.OnAll, Args: []string{"dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
				if t[0].Cols == 1 {
					return "\"dst\" must have more than one column"
				}
				return ""
			}},
			ScratchCheck(sem.OnA2A3, []string{"dst"}, func(_ *ir.Op, t []TileInfo) string {
				need := indexScratch(t[1].Elem)
				switch tmp := t[0]; {
				case !(F32 | Ints32).Has(tmp.Elem):
					return "\"tmp\" must have elements of 4 bytes, but has " + tmp.Elem.String()
				case formOf(tmp) != formND || tmp.Fractal != DefaultFractal:
					return "\"tmp\" must be " + formND.String() + " with fractal=512"
				case tmp.Bytes() < need:
					return fmt.Sprintf("\"tmp\" must hold at least %d bytes, but holds %d", need, tmp.Bytes())
				}
				return ""
			}),
		},
		Notes: []string{"The ISA page also has floats on A2/A3; the IR accepts only integers, as its operand does."},
		Examples: []string{
			"%d = pto.tci %s : i32 -> !pto.tile<1x64xi32>",
			"pto.tci ins(%s : i32) outs(%d : !pto.tile_buf<vec, 1x64xi32>) {descending = true}",
		},
	})
})

// firstIndex is a rule that requires the scalar operand of tci, the first integer, to
// have the element type of the tile.
type firstIndex struct{}

// Verify implements Rule. It reports an error if the type of operand S differs from the
// element type of dst.
func (firstIndex) Verify(op *ir.Op, v *ir.Verifier) {
	dst, ok := TileArg(op, "dst")
	s := op.Arg("S").Type()
	if !ok || s == dst.Elem {
		return
	}
	d := v.Errorf(op, "\"S\" must be %s, the element type of \"dst\", but is %s", dst.Elem, s)
	if ir.Is[ir.IntegerType](s) && ByteSize(s) == ByteSize(dst.Elem) {
		d.Note(op.Loc(), fmt.Sprintf("'builtin.unrealized_conversion_cast' makes %s from %s; or count in %s, and reinterpret the result as a tile of %s with 'pto.treshape'", dst.Elem, s, s, dst.Elem))
	}
}

// indexScratch returns the number of scratch bytes that tci needs for elements of the
// given type.
func indexScratch(elem ir.Type) int64 {
	if ByteSize(elem) == 2 {
		return 1792
	}
	return 768
}

// TTri is pto.ttri, which fills a tile with ones on one side of a diagonal and with zeros
// on the other.
var TTri = Define("ttri", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TTRI"), Family: irregular, Pipe: sem.PipeV,
		DPS:      ir.DPSInside(Always),
		Doc:      "Fills dst with ones on and below (or above) a diagonal and zeros elsewhere.",
		Ins:      Args{In("diagonal", ir.AnyInteger)},
		Outs:     Args{Out("dst", RowMajorTile(On{A2A3: Ints16 | Ints32 | F16 | F32, A5: Ints | Ints64 | Floats}, sem.OnAll))},
		Attrs:    []ir.AttrDef{{Name: "upperOrLower", Type: ir.IntOf(ir.I32), Default: ir.IntAttr(ir.I32, 0), Doc: "0 for the lower triangle, 1 for the upper"}},
		Sem:      sem.TileTri{},
		Cpp:      Calls("TTRI<{type dst}, {upperOrLower}>({dst}, {diagonal})"),
		Rules:    []Rule{intAttrIn("upperOrLower", 0, 1), wideRows("dst")},
		Examples: []string{"%d = pto.ttri %n : i32 -> !pto.tile<16x64xf32>", "pto.ttri ins(%n {upperOrLower = 1 : i32} : i32) outs(%d : !pto.tile_buf<vec, 16x64xf32>)"},
		Notes:    []string{"The ISA page counts the diagonal so that d = 0 is the main one and larger d widens the lower triangle."},
	})
})

// intAttrIn returns a rule that requires the named integer attribute to be from lo to hi,
// if it is present.
func intAttrIn(name string, lo, hi int64) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		if v, ok := op.Attr(name).AsInt(); ok && (v < lo || v > hi) {
			return fmt.Sprintf("attribute \"%s\" must be between %d and %d, but is %d", name, lo, hi, v)
		}
		return ""
	})
}

// TRandom is pto.trandom of A5, which fills a tile with random numbers of the generator
// Philox 4x32.
var TRandom = Define("trandom", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TRANDOM"), Family: irregular, Pipe: sem.PipeV, On: sem.OnA5,
		DPS: ir.DPSInside(Always),
		Doc: "Fills dst with random words made from a key and a counter.",
		Ins: Args{
			In("key0", ir.SignlessInt), In("key1", ir.SignlessInt), In("counter0", ir.SignlessInt),
			In("counter1", ir.SignlessInt), In("counter2", ir.SignlessInt), In("counter3", ir.SignlessInt),
		},
		Outs:  Args{Out("dst", RowMajorTile(On{A5: Ints32}, sem.OnAll))},
		Attrs: []ir.AttrDef{{Name: "rounds", Type: ir.IntOf(ir.I32), Default: ir.IntAttr(ir.I32, 10), Doc: "how often the state is mixed: 7 or 10"}},
		Sem:   sem.TileRandom{},
		Rules: []Rule{
			Check(func(op *ir.Op, _ ir.Target) string {
				if n, _ := op.Attr("rounds").AsInt(); n != 7 && n != 10 {
					return fmt.Sprintf("attribute \"rounds\" must be 7 or 10, but is %d", n)
				}
				return ""
			}),
			Check(func(op *ir.Op, _ ir.Target) string {
				for i := range 6 {
					if t := op.Operand(i).Type(); t != ir.I32 {
						return fmt.Sprintf("operand \"%s\" must be i32, but is %s", op.Form().Operands[i].Name, t)
					}
				}
				return ""
			}),
		},
		Notes:    []string{"The ISA page mentions a generator like ChaCha, but the public golden data come from Philox 4x32, in the order that Meaning describes."},
		Examples: []string{"%d = pto.trandom %k0, %k1, %c0, %c1, %c2, %c3 : (i32, i32, i32, i32, i32, i32) -> !pto.tile<16x64xi32>"},
	})
})

// THistogram is pto.thistogram, which computes cumulative histograms of the bytes in each
// row.
var THistogram = Define("thistogram", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("THISTOGRAM"), Family: irregular, Pipe: sem.PipeV, On: sem.OnA5,
		Doc:   "Counts, row by row, how many elements of src whose higher bytes are those of idx have each value of a byte, or a smaller one.",
		Ins:   Args{In("src", RowMajorTile(On{A5: U16 | U32}, sem.OnAll).Unboxed(sem.OnAll)), In("idx", VecTile(On{A5: U8}))},
		Outs:  Args{Out("dst", RowMajorTile(On{A5: U32}, sem.OnAll).Unboxed(sem.OnAll))},
		Attrs: []ir.AttrDef{{Name: "byte", Type: ir.IntOf(ir.I32), Default: ir.IntAttr(ir.I32, 1), Doc: "the byte that is counted, 0 is the lowest"}},
		Sem:   sem.TileHistogram{},
		Cpp:   Calls("THISTOGRAM<HistByte::BYTE_{byte}>({dst}, {src}, {idx})"),
		Rules: []Rule{intAttrIn("byte", 0, 3), histogramByte, SameValidRows(sem.OnAll, "src", "dst"), TileCheck{On: sem.OnAll, Args: []string{"src", "idx", "dst"}, Check: histogramShape}, histogramRows},
		Notes: []string{
			"isMSB is an old name: true means byte 1, false byte 0.",
			"idx of 16-bit elements: the IR manual asks for the rows of src, the ISA page rounds them up to 32; as many or more are accepted.",
			"The formula of the ISA page counts each value by itself; the headers of A5, the simulator and the data of the tests add up the counts of all values up to it. So does this.",
		},
		Examples: []string{
			"%d = pto.thistogram %s, %i : (!pto.tile<32x64xui16>, !pto.tile<32x1xui8, blayout=col_major>) -> !pto.tile<32x256xui32>",
			"%d = pto.thistogram %s, %i : (!pto.tile<8x64xui16>, !pto.tile<32x1xui8, valid=8x1, blayout=col_major>) -> !pto.tile<8x256xui32>",
		},
	})
})

// histogramByte is a rule about the attributes byte and isMSB of a thistogram. The
// attribute isMSB is the deprecated form of byte: true means byte 1, and false means byte
// 0. If both attributes are present, they must have the same meaning.
var histogramByte = Check(func(op *ir.Op, _ ir.Target) string {
	old := op.Attr("isMSB")
	if old.IsZero() {
		return ""
	}
	msb, ok := old.AsBool()
	if !ok {
		return "attribute \"isMSB\" must be true or false, but is " + old.String()
	}
	if n, _ := op.Attr("byte").AsInt(); op.HasAttr("byte") && (n == 1) != msb {
		return fmt.Sprintf("attributes \"isMSB\" and \"byte\" contradict each other: %t and %d", msb, n)
	}
	return ""
})

// HistogramByte returns the index of the byte that op, a thistogram, examines in each
// element. Byte 0 is the lowest byte of the element.
func HistogramByte(op *ir.Op) int {
	if msb, ok := op.Attr("isMSB").AsBool(); ok && !msb {
		return 0
	}
	n, _ := op.Attr("byte").AsInt()
	return int(n)
}

// NamesHistogramByte reports whether op, a thistogram, names its byte by the attribute byte,
// and not by the old attribute isMSB.
func NamesHistogramByte(op *ir.Op) bool { return op.Attr("isMSB").IsZero() }

// histogramShape returns a message if the shapes of the tiles of op, a thistogram, are
// wrong, and "" otherwise. The elements of t are src, idx and dst.
//
// The instruction counts the values of one byte of each element of src. It includes an
// element only if all higher bytes of the element have the values that idx contains. The
// shape of idx therefore depends on the number of higher bytes, which follows from the
// element type of src and the index of the counted byte.
func histogramShape(op *ir.Op, t []TileInfo) string {
	src, idx, dst := t[0], t[1], t[2]
	n := int64(HistogramByte(op))
	wide := ByteSize(src.Elem) == 4
	switch {
	case src.Rows != dst.Rows:
		return "\"src\" and \"dst\" must have the same number of rows"
	case dst.Cols < 256 || dst.VCols != ir.Dynamic && dst.VCols < 256:
		return "\"dst\" must have at least 256 valid columns"
	case !wide && n > 1:
		return fmt.Sprintf("elements of 16 bits have bytes 0 and 1, but \"byte\" is %d", n)
	case !wide && formOf(idx) != formDN:
		return "\"idx\" must be " + formDN.String() + ", but is " + formOf(idx).String()
	case !wide && (idx.Cols != 1 || !MaybeEqual(idx.VCols, 1)):
		return "\"idx\" must have one column"
	case !wide && (idx.Rows < src.Rows || !MaybeEqual(idx.VRows, src.VRows)):
		return "\"idx\" must have as many rows as \"src\""
	case !wide || n == 3:
		return ""
	case formOf(idx) != formND:
		return "\"idx\" must be " + formND.String() + ", but is " + formOf(idx).String()
	case idx.Cols != src.Cols || !MaybeEqual(idx.VCols, src.VCols):
		return "\"idx\" must have as many columns as \"src\""
	case idx.Rows != 3-n || !MaybeEqual(idx.VRows, 3-n):
		return fmt.Sprintf("\"idx\" must have %d rows for byte %d, but has %d", 3-n, n, idx.Rows)
	}
	return ""
}

// NewTile inserts an operation before op that allocates a tile buffer with description t,
// including its valid region. It returns the buffer.
func NewTile(op *ir.Op, t TileInfo) *ir.Value {
	return ir.Before(op).Create(ir.State{
		Def: AllocTile, Segs: []int32{0, 0, 0}, Results: []ir.Type{ir.TypeOf(TileBuf{TileInfo: t})},
	}).Result(0)
}
