// This file defines transposition, concatenation and padding.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// The element types of transpositions and of concatenations.
var (
	transElems  = On{A2A3: Ints | Floats, A5: Ints | Floats | FP8 | HiF8 | F8E8M0}
	concatElems = Both(Ints | Floats)
)

// TTrans is pto.ttrans, which transposes a tile. It needs a scratch tile on every target.
var TTrans = Define("ttrans", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TTRANS"), Family: layoutFamily, Pipe: sem.PipeV,
		Doc:  "Exchanges rows and columns.",
		Ins:  Args{In("src", RowMajorTile(transElems, sem.OnA2A3)), ScratchArg("tmp", anyTmp)},
		Outs: Args{Out("dst", LikeTile("src"))},
		Sem:  sem.TileTranspose{}, Scratch: sem.OnAll, ScratchTile: transScratch,
		Rules:    []Rule{TmpLike(sem.OnAll, "src"), transTmp, transAligned("src"), transAligned("dst")},
		Examples: []string{"%d = pto.ttrans %s : !pto.tile<16x64xf32> -> !pto.tile<64x16xf32>", "pto.ttrans ins(%s : !pto.tile_buf<vec, 16x64xf32>) outs(%d : !pto.tile_buf<vec, 64x16xf32>)"},
		Notes: []string{
			"Alignment on A5: the IR manual checks the major dimension of each layout, the ISA page the columns; the former is checked.",
			"8-bit floats on A5: the pages have none, the headers transpose elements of any type of 1, 2 or 4 bytes; accepted.",
			"The valid region is transposed on all profiles, although A5 transposes the whole tile according to the IR manual.",
		},
	})
})

// transScratch returns the shape of the scratch tile of op, a ttrans, on target t. On
// A2/A3, it is the larger of the shape of src and the size that transBytes computes. If
// transBytes returns 0, a block of 32 bytes is sufficient. On A5, no scratch tile is
// needed, and the bool result is false.
func transScratch(op *ir.Op, t ir.Target) (TileInfo, bool) {
	src, _ := TileArg(op, "src")
	dst, ok := TileArg(op, "dst")
	if !ok || t == sem.A5 || ByteSize(src.Elem) == 0 {
		return TileInfo{}, false
	}
	src = WholeTile(src)
	switch need := transBytes(src, dst); {
	case need == 0:
		return ScratchBytes(src.Elem, 32), true
	case need > src.Bytes():
		return ScratchBytes(src.Elem, need), true
	}
	return src, true
}

// transBytes returns the size in bytes of the scratch tile of ttrans on A2/A3. The
// scratch tile holds a row for each valid column of src. The length of this row is a
// multiple of 16 elements, or of 32 for elements of 1 byte, because the hardware
// transposes square blocks. The result is 0 if no scratch memory is needed.
func transBytes(src, dst TileInfo) int64 {
	size := int64(ByteSize(src.Elem))
	lines, block := int64(16), 32/size
	if size == 1 {
		lines = 32
	}
	if dst.Cols%lines != 0 || src.Cols%block != 0 || src.Cols/block > 255 {
		return 0
	}
	return src.VCols * CeilDiv(src.VRows, lines) * lines * size
}

// transTmp is a rule for ttrans on A2/A3, which requires a scratch tile. The tile must
// have at least the size that transBytes computes: one padded row for each column of src.
var transTmp = ScratchCheck(sem.OnA2A3, []string{"src", "dst"}, func(_ *ir.Op, t []TileInfo) string {
	tmp, src := t[0], t[1]
	if !src.StaticValid() || ByteSize(src.Elem) == 0 {
		return ""
	}
	if need := transBytes(src, t[2]); tmp.Bytes() < need {
		return fmt.Sprintf("\"tmp\" must hold %d bytes, but holds %d", need, tmp.Bytes())
	}
	return ""
})

// transAligned returns a rule that requires, on A5, rows of the named tile (columns, if
// it is column-major) to be multiples of 32 bytes.
func transAligned(name string) Rule {
	return TileCheck{On: sem.OnA5, Args: []string{name}, Check: func(_ *ir.Op, t []TileInfo) string {
		n := t[0].Cols
		if t[0].BLayout == ColMajor {
			n = t[0].Rows
		}
		if size := n * int64(ByteSize(t[0].Elem)); size%32 != 0 {
			return fmt.Sprintf("each line of \"%s\" must have a multiple of 32 bytes, but has %d", name, size)
		}
		return ""
	}}
}

// Definitions of the instructions that concatenate the rows of two tiles.
var (
	TConcat = Define("tconcat", func(name string) *ir.Def {
		return TileOp(Op{
			Name: name, Page: IsaPage("TCONCAT"), Family: layoutFamily, Pipe: sem.PipeV,
			Doc:      "Concatenates the columns of src0 and src1.",
			Ins:      Args{In("src0", RowMajorTile(concatElems, sem.OnA5)), In("src1", LikeTile("src0").RowMajor(sem.OnA5))},
			Outs:     Args{Out("dst", LikeTile("src0").RowMajor(sem.OnA5))},
			Sem:      sem.TileConcat{},
			Rules:    []Rule{SameValidRows(sem.OnAll, "src0", "dst"), SameValidRows(sem.OnAll, "src1", "dst"), concatRoom, joinedColumns, joinedBytes},
			Examples: []string{"%d = pto.tconcat %a, %b : (!pto.tile<16x32xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x96xf32>", "pto.tconcat ins(%a, %b : !pto.tile_buf<vec, 16x32xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%d : !pto.tile_buf<vec, 16x96xf32>)"},
		})
	})

	TConcatIdx = Define("tconcatidx", func(name string) *ir.Def {
		return TileOp(Op{
			Name: name, Page: IsaPage("TCONCAT"), Family: layoutFamily, Pipe: sem.PipeV,
			Doc: "Concatenates, in each row, the first src0Idx columns of src0 and the first src1Idx columns of src1.",
			Ins: Args{
				In("src0", RowMajorTile(concatElems, sem.OnAll)), In("src1", LikeTile("src0").RowMajor(sem.OnAll)),
				In("src0Idx", RowMajorTile(Both(Ints), sem.OnAll)), In("src1Idx", LikeTile("src0Idx").RowMajor(sem.OnAll)),
			},
			Outs: Args{Out("dst", LikeTile("src0").RowMajor(sem.OnAll))},
			Sem:  sem.TileConcat{Counts: true},
			Cpp:  Calls("TCONCAT({dst}, {src0}, {src1}, {src0Idx}, {src1Idx})"),
			Rules: []Rule{
				SameValidRows(sem.OnAll, "src0", "dst"), SameValidRows(sem.OnAll, "src1", "dst"),
				SameValidRows(sem.OnAll, "src0Idx", "dst"), SameValidRows(sem.OnAll, "src1Idx", "dst"),
				someColumn("src0Idx"), someColumn("src1Idx"), joinedBytes,
			},
			Notes:    []string{"The IR manual has src0Idx and src1Idx count elements; in public golden data they count bytes of an index, as under Meaning."},
			Examples: []string{"%d = pto.tconcatidx %a, %b, %n, %m : (!pto.tile<16x32xf32>, !pto.tile<16x32xf32>, !pto.tile<16x8xi32>, !pto.tile<16x8xi32>) -> !pto.tile<16x64xf32>"},
		})
	})
)

// concatRoom is a rule for concatenations of two tiles: the storage of the destination
// must have at least as many columns as the valid regions of both sources together. The
// rule ignores an instruction if the number of valid columns of a source is known only at
// run time.
var concatRoom = TileCheck{On: sem.OnAll, Args: []string{"src0", "src1", "dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
	if t[0].VCols == ir.Dynamic || t[1].VCols == ir.Dynamic || t[0].VCols+t[1].VCols <= t[2].Cols {
		return ""
	}
	return fmt.Sprintf("\"dst\" must have room for %d+%d columns, but has %d", t[0].VCols, t[1].VCols, t[2].Cols)
}}

// someColumn returns a rule that requires the named tile to have at least one valid
// column.
func someColumn(name string) Rule {
	return ValidRule{On: sem.OnAll, A: name, Tests: []ValidTest{{Kind: TestSome, Axis: 1}}}
}

// TFillPad is pto.tfillpad, which copies a tile and fills the rest of the destination
// with padding. The pipe that executes it depends on the memory of the tiles.
var TFillPad = Define("tfillpad", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TFILLPAD"), Family: layoutFamily,
		Aliases:  []string{"tfillpad_expand", "tfillpad_inplace"},
		PipeOf:   fillPipe,
		Doc:      "Copies src into dst and fills the rest of dst with the padding of its type.",
		Ins:      Args{In("src", TileIn(AnyElem, sem.UB, sem.L1))},
		Outs:     Args{Out("dst", TileIn(AnyElem, sem.UB, sem.L1))},
		Attrs:    []ir.AttrDef{{Name: "padValue", Type: PadValueEnum, Optional: true, Doc: "repeats the padding of dst in mat"}},
		Sem:      sem.TilePad{},
		Rules:    []Rule{SameElemSize(sem.OnAll, "src", "dst"), fillPad, filledRows, paddedTile},
		Examples: []string{"%d = pto.tfillpad %s : !pto.tile<16x64xf32, valid=12x50> -> !pto.tile<16x64xf32, pad=1>", "pto.tfillpad ins(%s : !pto.tile_buf<vec, 16x64xf32, valid=12x50>) outs(%d : !pto.tile_buf<vec, 16x64xf32, pad=1>)"},
		Notes: []string{
			"The ISA manual has three instructions, the IR one whose mode follows from the operands; all three names are read.",
			pipeOfFill,
			"The pads max and min of floats: data of tilelang_st want the largest and the lowest finite f32; the ISA page, the headers of A2/A3 and A5, the simulator and a production frontend have infinities. So has this, in formats that have one, and loads pad alike.",
		},
	})
})

// fillPad is the rule that tfillpad can pad its tiles: src and dst must have compatible
// shapes, memories and padding policies.
var fillPad = TileCheck{On: sem.OnAll, Args: []string{"src", "dst"}, Check: func(op *ir.Op, t []TileInfo) string {
	src, dst := t[0], t[1]
	same := src.Rows == dst.Rows && src.Cols == dst.Cols
	size := ByteSize(dst.Elem)
	switch pad := op.Attr("padValue"); {
	case op.HasAttr("mode"):
		return "must not have \"mode\", because the tiles determine it"
	case size != 1 && size != 2 && size != 4:
		return fmt.Sprintf("elements must have 1, 2 or 4 bytes, but %s has %d", dst.Elem, size)
	case dst.Pad == PadNull:
		return "\"dst\" must have a pad"
	case dst.Rows < src.Rows || dst.Cols < src.Cols:
		return fmt.Sprintf("\"dst\" must not be smaller than \"src\", but is %dx%d, not %dx%d", dst.Rows, dst.Cols, src.Rows, src.Cols)
	case !same && (src.Space != sem.UB || dst.Space != sem.UB):
		return "tiles of different shape must be in vec"
	case dst.Space == sem.L1 && (!sameExtent(src, dst) || src.Pad != dst.Pad):
		return "\"src\" and \"dst\" in mat must have the same valid region and pad"
	case pad.IsZero():
		return ""
	case dst.Space != sem.L1:
		return "padValue is for tiles in mat"
	case pad != padAttr(dst.Pad):
		return "padValue must be the pad of \"dst\", " + padAttr(dst.Pad).Keyword() + ", but is " + pad.Keyword()
	}
	return ""
}}

// padAttr returns the enum attribute for the padding policy p. Error messages print this
// attribute, which appears as the keyword of the policy.
func padAttr(p Pad) ir.Attr {
	a, _ := PadValueEnum.ByValue(int64(p))
	return a
}

// interleaved are the rules of the instructions that interleave the elements of two tiles
// or separate interleaved elements. These instructions have four tiles: src0, src1, dst0
// and dst1.
var interleaved = []Rule{
	EvenCols(sem.OnAll, "src0"), SameValid(sem.OnAll, "src0", "src1"), SameValid(sem.OnAll, "dst0", "dst1"), SameValidRows(sem.OnAll, "src0", "dst0"),
}

// Definitions of the instructions that alternate the elements of two tiles, and that
// separate elements at even and odd positions.
var (
	TInterleave = Define("tinterleave", func(name string) *ir.Def {
		return TileOp(Op{
			Name: name, Page: IsaPage("TINTERLEAVE"), Family: layoutFamily, Pipe: sem.PipeV, On: sem.OnA5,
			Doc:      "Interleaves the elements of src0 and src1; dst0 receives the first half of each row, dst1 the second.",
			Ins:      Args{In("src0", RowMajorTile(On{A5: Ints | Floats}, sem.OnAll)), In("src1", LikeTile("src0").RowMajor(sem.OnAll))},
			Outs:     Args{Out("dst0", LikeTile("src0").RowMajor(sem.OnAll)), Out("dst1", LikeTile("src0").RowMajor(sem.OnAll))},
			Sem:      sem.TileInterleave{},
			Cpp:      Calls("TINTERLEAVE({dst1=dst0}, {dst0}, {src1=src0}, {src0})"),
			Rules:    append([]Rule{SameValid(sem.OnAll, "src0", "dst0")}, interleaved...),
			Examples: []string{"%l, %h = pto.tinterleave %a, %b : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>)"},
		})
	})

	TDeinterleave = Define("tdeinterleave", func(name string) *ir.Def {
		return TileOp(Op{
			Name: name, Page: IsaPage("TDEINTERLEAVE"), Family: layoutFamily, Pipe: sem.PipeV, On: sem.OnA5,
			Doc:      "Sends the elements at even places of src0 and src1 to dst0, the others to dst1.",
			Ins:      Args{In("src0", RowMajorTile(On{A5: Ints | Floats}, sem.OnAll)), Opt("src1", LikeTile("src0").RowMajor(sem.OnAll))},
			Outs:     Args{Out("dst0", LikeTile("src0").RowMajor(sem.OnAll)), Out("dst1", LikeTile("src0").RowMajor(sem.OnAll))},
			Sem:      sem.TileInterleave{Inverse: true},
			Cpp:      Calls("TDEINTERLEAVE({dst1=dst0}, {dst0}, {src1=src0}, {src0})", "TDEINTERLEAVE({dst1=dst0}, {dst0}, {src0})"),
			Examples: []string{"%e, %o = pto.tdeinterleave %a, %b : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>)"},
			Rules:    interleaved,
			Notes:    []string{"With one source the page asks both for equal valid regions and for half as many columns; both are accepted."},
		})
	})
)

// TPairReduceSum is pto.tpairreducesum, which adds the elements of each pair of adjacent
// columns.
var TPairReduceSum = Define("tpairreducesum", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TPairReduceSum"), Family: reduceExpand, Pipe: sem.PipeV,
		Doc:      "Adds every two neighbouring columns of src into the left half of dst; the right half is unchanged.",
		Ins:      Args{In("src", RowMajorTile(floatsOnly, sem.OnAll))},
		Outs:     Args{Out("dst", LikeTile("src").RowMajor(sem.OnAll))},
		Sem:      sem.TilePairSum{},
		Examples: []string{"%d = pto.tpairreducesum %s : !pto.tile<16x64xf32> -> !pto.tile<16x64xf32>", "pto.tpairreducesum ins(%s : !pto.tile_buf<vec, 16x64xf32>) outs(%d : !pto.tile_buf<vec, 16x64xf32>)"},
		Rules:    []Rule{SameValid(sem.OnAll, "src", "dst"), continuousSums},
		Notes:    []string{"An odd last column, and the right half of dst: the NPU headers write neither (TPairReduceSum.hpp: remainder & ~1), and the public device tests with odd columns expect the old values; the ISA page and the simulator round up and write zeros."},
	})
})

// narrows is the rule that dst of tpack has a narrower element type than src, and that
// both types are integers or both are floats.
var narrows = TileCheck{On: sem.OnAll, Args: []string{"src", "dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
	if Floats.Has(t[0].Elem) == Floats.Has(t[1].Elem) && ByteSize(t[1].Elem) < ByteSize(t[0].Elem) {
		return ""
	}
	return fmt.Sprintf("\"dst\" must have a narrower type of the same kind as \"src\", but has type %s, and \"src\" has type %s", t[1].Elem, t[0].Elem)
}}

// Definition of the instruction tpack, which narrows elements. The manual page does not
// specify how the values are converted, so a note in the definition explains the choice.
var (
	TPack = Define("tpack", func(name string) *ir.Def {
		return TileOp(Op{
			Name: name, Page: "pto-isa:docs/isa/tile/ops/layout-and-rearrangement/tpack.md", Family: layoutFamily, Pipe: sem.PipeV,
			Doc:   "Packs the elements of src into a narrower representation.",
			Cpp:   NoCpp("the library has no TPACK; pto.tcvt converts"),
			Ins:   Args{In("src", VecTile(Both(Ints|Ints64|Floats)))},
			Outs:  Args{Out("dst", VecTile(Both(Ints|Ints64|Floats)))},
			Sem:   sem.TileConvert{Cut: true},
			Rules: []Rule{SameValid(sem.OnAll, "src", "dst"), narrows},
			Notes: []string{
				"The page names neither operands nor types, and leaves the meaning between packing and converting: as the public simulator does, values convert element by element. Floats round to nearest even, integers keep their low bits.",
			},
			Examples: []string{"%d = pto.tpack %s : !pto.tile<16x64xi32> -> !pto.tile<16x64xi16>"},
		})
	})
)
