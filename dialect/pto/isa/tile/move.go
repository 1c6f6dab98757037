// This file defines moves between memory spaces, extraction and insertion.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// layoutFamily is the chapter of the ISA manual on changes of layout.
const layoutFamily = "layout-and-rearrangement"

// lowPrecision are the element types that only A5 supports.
const lowPrecision = FP8 | HiF8 | FP4 | F8E8M0

// standard is the set of element types that conversions and loads accept on all targets.
const standard = Ints | Ints64 | Floats

// The rules, operands and attributes of moves out of the accumulator. The lists accCast
// and accQuant contain the pairs of element types that FIXPIPE converts on A2/A3 and on
// A5: accCast without a scale, and accQuant with a scale. The other variables declare the
// operands and attributes of the conversion.
var (
	accCastA3   = []cast{{F32, F16 | BF16}}
	accQuantA3  = []cast{{F32, I8}, {I32, Ints8 | F16 | I16}}
	accCastA5   = []cast{{F32, F16 | BF16 | F32}, {I32, I32}}
	accQuantA5  = []cast{{F32, Ints8 | F8E4M3 | HiF8 | F16 | BF16 | F32}, {I32, Ints8 | F16 | BF16}}
	accTarget   = TileIn(AnyElem, sem.UB, sem.L1)
	fixpipeArgs = Args{Opt("fp", TileIn(FactorElem, sem.FB)), Opt("preQuantScalar", ir.Exactly(ir.I64))}
	fixpipeRelu = ir.AttrDef{Name: "reluPreMode", Type: ReluPreModeEnum, Default: ReluPreModeEnum.Attr("no_relu"), Doc: "cuts negative values on the way out of acc"}
	accVecMode  = ir.AttrDef{Name: "accToVecMode", Type: AccToVecModeEnum, Optional: true, Doc: "which vector core receives which part"}
)

// pairsNote is the note of reference pages that documents how this project resolves a
// contradiction between sources about tiles of 4-bit floats (TileInfo.Split).
const pairsNote = "4-bit floats from mat to left or right: the IR manual counts pairs in tiles, while public products have numbers in left and right, " +
	"as all tiles of the C++ headers. Pairs of mat come apart: into neighbours of a row, or of a column where the elements of a box follow each other down."

func init() {
	MovesTo = movePaths.next
	Converts = func(elem ir.Type, t ir.Target) (to Elems) {
		pairs := conversions
		if t == sem.A5 {
			pairs = conversionsA5
		}
		for _, c := range pairs {
			if c.from.Has(elem) {
				to |= c.to
			}
		}
		return to
	}
}

// operandElems are the element types that A5 moves to the operand buffers of the cube
// unit.
const operandElems = I8 | Floats | FP8 | HiF8 | FP4

// movePaths are the pairs of memories between which tmov can move tiles, with the
// supported layouts and types.
var movePaths = paths{
	{on: sem.OnA2A3, from: sem.L1, to: sem.L0A},
	{on: sem.OnA2A3, from: sem.L1, to: sem.L0B},
	{on: sem.OnA2A3, from: sem.L1, to: sem.BT, same: Ints32 | F32, casts: []cast{{F16 | BF16, F32}}},
	{on: sem.OnA2A3, from: sem.L1, to: sem.FB, same: Ints64},
	{on: sem.OnA2A3, from: sem.L0C, to: sem.L1, src: formNZ, dst: formNZ, fractal: 512, casts: accCastA3, quant: accQuantA3},
	{on: sem.OnA2A3, from: sem.L0C, to: sem.UB, src: formNZ, dst: formND, same: I32 | F32, values: true},
	{on: sem.OnA2A3, from: sem.UB, to: sem.L1, src: formND, dst: formNZ, same: Ints8 | Floats, values: true},
	{on: sem.OnA5, from: sem.L1, to: sem.L0A, src: formND | formNZ | formZN | FormZZ, dst: formNZ | FormZZ, same: operandElems},
	{on: sem.OnA5, from: sem.L1, to: sem.L0B, src: formND | formNZ | formZN | FormZZ, dst: formZN, same: operandElems},
	{on: sem.OnA5, from: sem.L1, to: sem.BT, same: I32 | F32, casts: []cast{{F16 | BF16, F32}}},
	{on: sem.OnA5, from: sem.L1, to: sem.FB, same: Ints64 | F8E8M0, doubted: []cast{{F32, F32}}},
	{on: sem.OnA5, from: sem.L0C, to: sem.L1, src: formNZ, dst: formND | formDN | formNZ, casts: accCastA5, quant: accQuantA5},
	{on: sem.OnA5, from: sem.L0C, to: sem.UB, src: formNZ, dst: formND | formDN | formNZ, casts: accCastA5, quant: accQuantA5},
	{on: sem.OnA5, from: sem.UB, to: sem.L1, src: formND | formNZ | formZN | FormZZ, same: operandElems},
	{on: sem.OnA2A3, from: sem.UB, to: sem.UB, bits: true},
	{on: sem.OnA5, from: sem.UB, to: sem.UB, same: ^Ints64, bits: true},
}

// TMov is pto.tmov, which copies a tile to another memory.
var TMov = Define("tmov", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TMOV"), Family: layoutFamily, PipeOf: movePipe,
		Aliases: []string{"tmov.fp", "tmov.s2d", "tmov.m2l", "tmov.m2r", "tmov.m2b", "tmov.m2s", "tmov.a2v", "tmov.v2v"},
		Doc:     "Moves a tile to another space; out of acc it can scale, cut and convert, and with a workspace it reorders MX exponents into boxes.",
		Ins: Args{
			In("src", TileIn(AnyElem, sem.L1, sem.UB, sem.L0C)),
			Opt("fp", TileIn(AnyElem, sem.FB, sem.UB)),
			Opt("preQuantScalar", ir.Exactly(ir.I64)),
		},
		Outs:   Args{Out("dst", TileIn(AnyElem, sem.L0A, sem.L0B, sem.BT, sem.FB, sem.UB, sem.L1))},
		Tensor: true,
		Order:  []string{"src", "dst", "fp", "preQuantScalar"},
		DPS: ir.AsmWith("`ins` `(` $src custom<extra>($fp, $preQuantScalar) `)` `outs` `(` $dst `:` type($dst) `)` attr-dict (`->` type($result)^)?",
			map[string]ir.Hook{"extra": {ParseFn: parseMoveExtra, PrintFn: printMoveExtra}}),
		Attrs: []ir.AttrDef{accVecMode, fixpipeRelu, storePhase, {Name: "grpAxis", Type: MxGroupAxisEnum, Optional: true, Doc: "the axis of the groups whose exponents are reordered"}},
		Sem:   sem.TileMove{}, Clobbers: zzClobbers,
		Disjoint: func(op *ir.Op) []string {
			if op.Arg("fp") == nil || isScale(op.Arg("fp")) {
				return nil
			}
			return []string{"src", "fp", "dst"} // a reordering goes back and forth
		},
		Rules:    []Rule{zzMove, unlessZZ(movePaths), unlessZZ(fixpipe), unlessZZ(accToVec(sem.OnAll, true)), unlessZZ(Check(moveShape)), unlessZZ(moveScale), movePhase, movedInVec, movedBlocks, dualMove, movedPairs, droppedFactor, packedRows, runOfBytes},
		Examples: []string{"%d = pto.tmov %s : !pto.tile<16x64xf32> -> !pto.tile<16x64xf32>", "pto.tmov ins(%s : !pto.tile_buf<vec, 16x64xf32>) outs(%d : !pto.tile_buf<vec, 16x64xf32>)"},
		Notes: []string{
			pipeOfMove,
			"A tile fp in scaling holds scales; one in vec is the workspace of the reordering, as in the public IR.",
			"Aliases: the ISA manual spells the ways tmov.m2l, .m2r, .m2b, .m2s, .a2v, .v2v, .s2d and the scaled form tmov.fp.",
			"acc to vec and vec to mat on A2/A3: the NPU headers have no such path (pto-isa:include/pto/npu/a2a3/TMov.hpp:143), and the verifier refuses it at Level 2. At Level 1 it accepts both between whole tiles, with a warning, since pto-split-cores turns them into queues through global memory. For the same reason 64-bit integers do not move inside vec on A5, and bias, scaling and mat accept the element types and layouts of the headers.",
			"A2/A3, i32 in acc that becomes i16: the headers shift to the right (SHIFTS322S16 in pto-isa:include/pto/npu/a2a3/common.hpp), by bits 32 to 35 of the factor and one more, and round down.",
			"acc to boxes in vec: the move copies all rows of acc, and its columns up to a multiple of the columns of a box, of 16 where each vector core receives half of the rows, or of 32 where each receives half of the columns (TMovCcToUb in pto-isa:include/pto/npu/a5/TMov.hpp).",
			"mat to scaling of f32 on A5: the header refuses it (pto-isa:include/pto/npu/a5/TMov.hpp:81), public golden kernels have it; accepted with a warning.",
			"From vec to vec, elements of one size may have different types: the C++ headers move the bits, and public programs read the indices beside sorted values so.",
			"stPhase: the pages have none, TMOV of the headers of A5 has one in moves out of acc, as TSTORE; accepted there.",
			pairsNote,
		},
	})
})

// movePhase is the rule on the phase of a move: only moves out of acc on A5 have one.
var movePhase = Check(func(op *ir.Op, t ir.Target) string {
	src, _ := TileArg(op, "src")
	switch {
	case attrIs(op, "stPhase", "unspecified"):
		return ""
	case t != sem.A5:
		return "stPhase is not available"
	case src.Space != sem.L0C:
		return "stPhase is for moves out of acc"
	}
	return ""
})

// zzClobbers returns the names of the operands that a tmov overwrites when it reorders
// exponents of MX quantization. If each exponent belongs to a group of elements along a
// row, these are src and the workspace fp. zzClobbers returns nil if the groups are along
// columns, and for all other moves.
func zzClobbers(op *ir.Op) []string {
	if fp := op.Arg("fp"); fp == nil || isScale(fp) || attrIs(op, "grpAxis", "axis0") {
		return nil
	}
	return []string{"src", "fp"}
}

// parseMoveExtra parses the type of src and the operands after it, each with its type. The
// type distinguishes a tile (fp) from a scale (preQuantScalar).
func parseMoveExtra(p *ir.Parser, st *ir.OpParse) {
	if parseListedFactors(p, st) {
		return
	}
	for p.Accept(",") {
		o := p.Operand()
		p.Expect(":")
		name, t := "fp", p.Type()
		if ir.IsScalar(t) {
			name = "preQuantScalar"
		}
		st.Operand(name, o)
		st.OperandType(name, t)
	}
}

// printMoveExtra prints the type of src, and the optional operands fp and preQuantScalar of
// a move with their types.
func printMoveExtra(w *ir.Printer, op *ir.Op) {
	w.Token(":")
	w.Type(op.Arg("src").Type())
	for _, name := range []string{"fp", "preQuantScalar"} {
		if v := op.Arg(name); v != nil {
			w.Token(",")
			w.Value(v)
			w.Token(":")
			w.Type(v.Type())
		}
	}
}

// movePipe returns the pipe (hardware queue) that executes a move between the memories of
// its two tiles.
func movePipe(op *ir.Op, _ ir.Target) sem.Pipe {
	src, _ := TileArg(op, "src")
	dst, _ := TileArg(op, "dst")
	switch {
	case src.Space == sem.L0C:
		return sem.PipeFix
	case src.Space == sem.L1 && dst.Space == sem.FB && !F8E8M0.Has(dst.Elem):
		return sem.PipeFix // FIXPIPE fetches its factors itself; scales of MX operands belong to the cube unit
	case src.Space == sem.L1:
		return sem.PipeMTE1
	case dst.Space == sem.L1:
		return sem.PipeMTE3
	}
	return sem.PipeV
}

// pipeOfMove is the note of reference pages that describes where sources disagree about
// the pipe of a move.
const pipeOfMove = "From vec to mat it is PIPE_MTE3, the pipe of A5 for that way; the headers count it as an event of PIPE_FIX, and the compiler's table has PIPE_V for tmov and PIPE_MTE3 for tinsert."

// moveShape returns a message unless the storage of src and that of dst have equal
// shapes, and "" otherwise. A2/A3 require equal shapes for all moves, and A5 only for
// moves out of mat.
func moveShape(op *ir.Op, t ir.Target) string {
	src, _ := TileArg(op, "src")
	dst, _ := TileArg(op, "dst")
	rows, cols := src.Split(dst)
	switch {
	case src.Rows*rows == dst.Rows && src.Cols*cols == dst.Cols || t == sem.A5 && src.Space != sem.L1:
		return ""
	case rows*cols > 1:
		return fmt.Sprintf("\"dst\" must be %dx%d, one element for each number of \"src\" (%dx%d pairs), but is %dx%d",
			src.Rows*rows, src.Cols*cols, src.Rows, src.Cols, dst.Rows, dst.Cols)
	}
	return fmt.Sprintf("\"src\" and \"dst\" must have the same shape, but are %dx%d and %dx%d", src.Rows, src.Cols, dst.Rows, dst.Cols)
}

// shown returns the numbers of rows and columns of src that a copy reads to fill the tile
// dst. They equal those of the valid region of dst, or of all of dst for operands of the
// cube unit, unless one tile counts pairs of 4-bit numbers and the other counts single
// numbers. The result inner is the name of the operand that is the
// smaller tile, for messages. For this copy, it is always "dst". Similar functions for
// other copies return "src".
func shown(src, dst TileInfo) (rows, cols int64, inner string) {
	rows, cols = src.Split(dst)
	high, wide := dst.VRows, dst.VCols
	if (dst.Space == sem.L0A || dst.Space == sem.L0B) && dst.Compact != CompactNormal {
		high, wide = dst.Rows, dst.Cols
	}
	return windowSize(high, rows), windowSize(wide, cols), "dst"
}

// windowSize returns the extent n of a tile, counted in groups of the given size. An
// unknown extent remains unknown.
func windowSize(n, group int64) int64 {
	if n == ir.Dynamic {
		return n
	}
	return CeilDiv(n, group)
}

// moveScale is the rule on the tile layouts of a tmov out of the accumulator that scales
// elements or applies ReLU. FIXPIPE executes such a move and supports only some layouts:
// src must have the boxes of the accumulator. For a scaled move into mat on A2/A3, dst
// must have boxes too.
var moveScale = Check(func(op *ir.Op, t ir.Target) string {
	src, _ := TileArg(op, "src")
	dst, _ := TileArg(op, "dst")
	scaled := isScale(op.Arg("fp"))
	switch {
	case src.Space != sem.L0C || !scaled && attrIs(op, "reluPreMode", "no_relu"):
		return ""
	case formOf(src) != formNZ:
		return "\"src\" must be " + formNZ.String() + ", but is " + formOf(src).String()
	case scaled && t != sem.A5 && dst.Space == sem.L1 && formOf(dst) != formNZ:
		return "\"dst\" must be " + formNZ.String() + ", but is " + formOf(dst).String()
	}
	return ""
})

// textractPaths are the pairs of memories between which textract can copy windows, with
// the supported layouts and types.
var textractPaths = paths{
	{on: sem.OnA2A3, from: sem.L1, to: sem.L0A, src: formNZ | formZN | FormZZ, row: true, dst: formNZ | FormZZ, same: I8 | Floats},
	{on: sem.OnA2A3, from: sem.L1, to: sem.L0B, src: formNZ | formZN | FormZZ, dst: formZN, same: I8 | Floats},
	{on: sem.OnA2A3, from: sem.UB, to: sem.UB, same: Ints | Floats},
	{on: sem.OnA2A3, from: sem.L0C, to: sem.L1, src: formNZ, dst: formNZ, fractal: 512, casts: accCastA3, quant: accQuantA3},
	{on: sem.OnA5, from: sem.L1, to: sem.L0A, src: formNZ | formZN, row: true, dst: formNZ | FormZZ, same: I8 | Floats | lowPrecision},
	{on: sem.OnA5, from: sem.L1, to: sem.L0B, src: formNZ | formZN, dst: formZN, same: I8 | Floats | lowPrecision},
	{on: sem.OnA5, from: sem.L1, to: sem.FB, src: formNZ | formZN, scales: FormZZ | formNN, same: I8 | Floats | lowPrecision},
	{on: sem.OnA5, from: sem.UB, to: sem.L1, same: I8 | Floats | lowPrecision},
	{on: sem.OnA5, from: sem.UB, to: sem.UB, src: formND | formNZ, dst: formND | formNZ, same: Ints | Floats | lowPrecision},
	{on: sem.OnA5, from: sem.L0C, to: sem.L1, src: formNZ, dst: formNZ, casts: accCastA5, quant: accQuantA5},
	{on: sem.OnA5, from: sem.L0C, to: sem.UB, src: formNZ, dst: formND, casts: accCastA5, quant: accQuantA5},
}

// window returns the operands that textract and tinsert share. Both copy a window (a
// rectangle of a tile). The operands are src, the first row and the first column of the
// window, and the parameters of FIXPIPE.
func window() Args {
	return append(Args{In("src", TileIn(AnyElem, sem.L1, sem.UB, sem.L0C)), In("indexRow", windowIndex), In("indexCol", windowIndex)}, fixpipeArgs...)
}

// windowIndex accepts the row or column at which a window starts: an index or a signless
// integer.
var windowIndex = ir.OneOf(ir.Written(ir.Index), ir.SignlessInt)

// windowOrder is the order of the operands of textract and tinsert in public programs.
var windowOrder = []string{"src", "indexRow", "indexCol", "dst", "fp", "preQuantScalar"}

// TExtract is pto.textract, which copies a window of a tile to another tile.
var TExtract = Define("textract", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TEXTRACT"), Family: layoutFamily, PipeOf: movePipe,
		Doc:   "Copies the window of src that starts at indexRow, indexCol and has the valid size of dst.",
		Ins:   window(),
		Outs:  Args{Out("dst", TileIn(AnyElem, sem.L0A, sem.L0B, sem.FB, sem.UB, sem.L1))},
		Order: windowOrder,
		DPS: ir.Asm("`ins` `(` $src `,` $indexRow `,` $indexCol (`,` $preQuantScalar^)? `:` type($src) `,` type($indexRow) `,` type($indexCol)" +
			" (`,` type($preQuantScalar)^)? (`fp` $fp^ `:` type($fp))? `)` `outs` `(` $dst `:` type($dst) `)` attr-dict"),
		Attrs: []ir.AttrDef{accVecMode, fixpipeRelu},
		Sem:   sem.TileMove{Src: true},
		Rules: []Rule{textractPaths, fixpipe, accToVec(sem.OnA5, false), sameFormInVec, libraryBoxes, libraryRows, windowRule("src", shown), extractedBlocks, boxesInVec, windowOfPairs, droppedFactor, runOfBytes,
			libraryElemsIf(sem.OnA5, "src", I8|Floats|lowPrecision|I32, "\"TEXTRACT Vec→Vec : Unsupported data type\" in a5/TExtract.hpp", withinVec)},
		Examples: []string{"%d = pto.textract %s, %i, %j : (!pto.tile<32x64xf32>, index, index) -> !pto.tile<16x64xf32>", "pto.textract ins(%s, %i, %j : !pto.tile_buf<vec, 32x64xf32>, index, index) outs(%d : !pto.tile_buf<vec, 16x64xf32>)"},
		Notes: []string{
			"mat to left or right: both ISA page and headers have boxes in col_major/row_major or row_major/col_major, and a row for left; the IR manual has boxes in row_major/row_major on A2/A3, too, which are accepted there.",
			"A5, ui8, i16, ui16 and ui32 inside vec, and i32 out of acc: the headers refuse them (pto-isa:include/pto/npu/a5/TExtract.hpp:565 and 1131), the ISA page has them; accepted.",
			"A5, boxes inside vec: the ISA page and the headers have them, a test of the public compiler refuses them; accepted in programs for the device library.",
			"Rows into boxes inside vec: the pages have none; TEXTRACT with two destinations (TEXTRACT_ND2XNZ of the headers) copies two windows so. pto-opt reads this call as two instructions, and writes each as a call with twice the same destination; accepted in programs for the device library.",
			"The order of boxes in left follows from the profile; either form is accepted, as the public parser does.",
			"A5, mat to right: one public case has the window transposed, model kernels and the manual have it as it is; so it is here.",
			pairsNote + " indexRow and indexCol count what src counts.",
		},
	})
})

// scaledE5M2 contains a pair of source and destination types for tinsert out of the
// accumulator on A5. The only public source for this pair is a test of the public
// compiler.
var scaledE5M2 = []cast{{F32, F8E5M2}}

// tinsertPaths are the pairs of memories between which tinsert can copy tiles, with the
// supported layouts and types.
var tinsertPaths = paths{
	{on: sem.OnA2A3, from: sem.UB, to: sem.UB, same: Ints | Floats},
	{on: sem.OnA2A3, from: sem.L0C, to: sem.L1, src: formNZ, dst: formNZ, fractal: 512, casts: accCastA3, quant: accQuantA3},
	{on: sem.OnA5, from: sem.L0C, to: sem.L1, src: formNZ, dst: formNZ, casts: accCastA5, quant: accQuantA5, doubted: scaledE5M2},
	{on: sem.OnA5, from: sem.L0C, to: sem.UB, src: formNZ, dst: formND | formNZ | formDN, casts: accCastA5, quant: accQuantA5, doubted: scaledE5M2},
	{on: sem.OnA5, from: sem.UB, to: sem.L1, src: formND | formNZ | formZN, dst: formND | formNZ | formZN, same: I8 | I32 | Floats | lowPrecision},
	{on: sem.OnA5, from: sem.UB, to: sem.UB, src: formND | formNZ, dst: formND | formNZ, same: I8 | I32 | Floats | lowPrecision},
}

// TInsert is pto.tinsert, which copies a tile into a window of another tile.
var TInsert = Define("tinsert", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TINSERT"), Family: layoutFamily, PipeOf: movePipe,
		Doc:   "Copies src into the window of dst that starts at indexRow, indexCol.",
		Ins:   window(),
		Outs:  Args{InOut("dst", accTarget)},
		Order: windowOrder,
		DPS: ir.Asm("`ins` `(` $src `,` $indexRow `,` $indexCol `:` type($src) `,` type($indexRow) `,` type($indexCol)" +
			" (`fp` $fp^ `:` type($fp))? (`pre_quant` $preQuantScalar^ `:` type($preQuantScalar))? `)` `outs` `(` $dst `:` type($dst) `)` attr-dict"),
		Attrs: []ir.AttrDef{accVecMode, fixpipeRelu, {Name: "tinsertMode", Type: TinsertModeEnum, Optional: true, Doc: "splits the move of boxes from vec to mat"}},
		Sem:   sem.TileMove{Dst: true},
		Rules: []Rule{
			tinsertPaths, fixpipe, accToVec(sem.OnA5, false), insertMode, sameFormInVec, insertForms,
			windowRule("dst", func(src, _ TileInfo) (int64, int64, string) { return src.VRows, src.VCols, "src" }), windowOfPairs, droppedFactor, insertedRows,
		},
		Examples: []string{"%n = pto.tinsert %s, %i, %j, %d : (!pto.tile<16x64xf32>, index, index, !pto.tile<32x64xf32>) -> !pto.tile<32x64xf32>", "pto.tinsert ins(%s, %i, %j : !pto.tile_buf<vec, 16x64xf32>, index, index) outs(%d : !pto.tile_buf<vec, 32x64xf32>)"},
		Notes: []string{
			pipeOfMove,
			"A2/A3: the ISA manual's table calls it unimplemented, its page and the public compiler have it; accepted. Inside vec, the library copies elements of all types and tests those of 16 and 32 bits; accepted.",
			"The old contents of dst outside the window remain. At Level 1, they are an operand of the instruction.",
			"A5, vec to mat and acc to vec: the ISA page also has ways that the public verifier refuses, between boxes in row_major/col_major, to rows in mat and to columns in vec; accepted.",
			"A5, acc scaled into f8E5M2: the header refuses it (pto-isa:include/pto/npu/a5/common.hpp:153), a public compiler test has it; accepted with a warning.",
			"A5: golden data has boxes of 16 columns where f32 goes from acc to boxes in vec, whatever the size in the type.",
		},
	})
})

// insertForms is the rule that a tinsert from vec to mat on A5 has a legal pair of
// layouts: row-major storage into row-major storage or boxes, or boxes into boxes with
// the same layout.
var insertForms = TileCheck{On: sem.OnA5, Args: []string{"src", "dst"}, Check: func(op *ir.Op, t []TileInfo) string {
	src, dst := t[0], t[1]
	if src.Space != sem.UB || dst.Space != sem.L1 {
		return ""
	}
	into := formOf(src)
	if into == formND {
		into |= formNZ
	}
	switch line := 32 / int64(ByteSize(src.Elem)); {
	case !into.Has(dst):
		return fmt.Sprintf("if \"src\" is %s, \"dst\" must be %s, but is %s", formOf(src), into, formOf(dst))
	case formOf(src) != formZN:
		return ""
	case src.VRows != ir.Dynamic && src.VRows%line != 0:
		return fmt.Sprintf("\"src\" must have a multiple of %d valid rows, as its boxes have, but has %d", line, src.VRows)
	default:
		if at, known := ConstantInt(op.Arg("indexRow")); known && at%line != 0 {
			return fmt.Sprintf("\"indexRow\" must be a multiple of %d, the rows of a box, but is %d", line, at)
		}
		return ""
	}
}}

// insertMode is the rule for the attribute tinsertMode of tinsert. The attribute is legal
// only on A5, for a move from vec to mat whose source tile has boxes.
var insertMode = Check(func(op *ir.Op, t ir.Target) string {
	if !op.HasAttr("tinsertMode") {
		return ""
	}
	src, _ := TileArg(op, "src")
	dst, _ := TileArg(op, "dst")
	switch {
	case t != sem.A5:
		return "tinsertMode is not available"
	case src.Space != sem.UB || dst.Space != sem.L1:
		return "tinsertMode is for moves from vec to mat"
	case formOf(src) != formNZ:
		return "tinsertMode needs \"src\" in " + formNZ.String() + ", but it is " + formOf(src).String()
	}
	return ""
})

// libraryBoxes and libraryRows are the rules on windows of boxes inside vec on A5, and of rows
// into boxes on all targets.
var (
	libraryBoxes = inLibrary(sem.OnA5, func(_ *ir.Op, t []TileInfo) bool { return formOf(t[0]) == formNZ })
	libraryRows  = inLibrary(sem.OnAll, func(op *ir.Op, _ []TileInfo) bool { return WindowIntoBoxes(op) })
)

// inLibrary returns a rule on the targets on: of the moves inside vec, only the device library
// has those that the function is selects.
func inLibrary(on sem.Profiles, is func(op *ir.Op, t []TileInfo) bool) Rule {
	return TileCheck{On: on, Args: []string{"src", "dst"}, Check: func(op *ir.Op, t []TileInfo) string {
		if t[0].Space != sem.UB || t[1].Space != sem.UB || !is(op, t) {
			return ""
		}
		return OnlyInLibrary(op, "\"src\" and \"dst\" must be "+formND.String()+" in a move from vec to vec, but are "+formOf(t[0]).String()+" and "+formOf(t[1]).String())
	}}
}

// sameFormInVec is the rule that textract and tinsert between two tiles in vec have tiles
// of the same layout, as the headers of all targets require. Only textract also sorts rows
// into boxes.
var sameFormInVec = TileCheck{On: sem.OnAll, Args: []string{"src", "dst"}, Check: func(op *ir.Op, t []TileInfo) string {
	switch {
	case t[0].Space != sem.UB || t[1].Space != sem.UB || formOf(t[0]) == formOf(t[1]) || WindowIntoBoxes(op):
		return ""
	case op.Def().Sem == windowMove && formOf(t[0]) == formND:
		return "\"dst\" must be " + (formND | formNZ).String() + " inside vec if \"src\" is " + formND.String() + ", but is " + formOf(t[1]).String()
	}
	return "\"src\" and \"dst\" must have the same layout inside vec"
}}

// windowMove is the kind of textract.
var windowMove any = sem.TileMove{Src: true}

// WindowIntoBoxes reports whether op is a textract within vec that sorts the rows of src into
// the boxes of dst.
func WindowIntoBoxes(op *ir.Op) bool {
	src, ok := TileArg(op, "src")
	dst, ok2 := TileArg(op, "dst")
	return ok && ok2 && op.Def().Sem == windowMove && src.Space == sem.UB && dst.Space == sem.UB && formOf(src) == formND && formOf(dst) == formNZ
}

// ifScaled returns a rule that applies r only to operations with an operand fp.
func ifScaled(r Rule) Rule {
	return conditional{func(op *ir.Op) bool { return op.Arg("fp") != nil }, r}
}

// Definitions of textract_fp and tinsert_fp, the variants of textract and tinsert with
// factors, as the ISA manual and the versions before 0.57 have them. The order of their
// operands differs from that of textract and tinsert.
var (
	TExtractFp = Define("textract_fp", func(name string) *ir.Def {
		return TileOp(Op{
			Name: name, Page: IsaPage("TEXTRACT_FP"), Family: layoutFamily, PipeOf: movePipe,
			Doc:   "Copies a window out of an accumulator, scaled by fp or, without this operand, by what set_quant_vector has set.",
			Ins:   Args{In("src", TileIn(AnyElem, sem.L0C)), Opt("fp", TileIn(FactorElem, sem.FB)), In("indexRow", windowIndex), In("indexCol", windowIndex)},
			Outs:  Args{Out("dst", accTarget)},
			Attrs: []ir.AttrDef{accVecMode, fixpipeRelu},
			Sem:   sem.TileMove{Src: true},
			Rules: []Rule{windowRule("src", shown), ifScaled(textractPaths), ifScaled(fixpipe)},
			Notes: []string{"The ISA page names no operand for the factors, versions of ptoas before 0.57 have one. textract with fp is today's form."},
			Examples: []string{
				"%d = pto.textract_fp %s, %i, %j : (!pto.tile<32x32xf32, loc=acc>, index, index) -> !pto.tile<16x32xi8>",
				"pto.textract_fp ins(%s, %f, %i, %j : !pto.tile_buf<acc, 32x32xi32, blayout=col_major, slayout=row_major, fractal=1024>, !pto.tile_buf<scaling, 1x32xui64>, index, index) outs(%d : !pto.tile_buf<mat, 16x32xi8, blayout=col_major, slayout=row_major>)",
			},
		})
	})

	TInsertFp = Define("tinsert_fp", func(name string) *ir.Def {
		return TileOp(Op{
			Name: name, Page: IsaPage("TINSERT_FP"), Family: layoutFamily, PipeOf: movePipe,
			Doc:      "Copies an accumulator, scaled by fp, into the window of dst that starts at indexRow, indexCol.",
			Ins:      Args{In("src", TileIn(AnyElem, sem.L0C)), In("fp", TileIn(FactorElem, sem.FB)), In("indexRow", windowIndex), In("indexCol", windowIndex)},
			Outs:     Args{InOut("dst", accTarget)},
			Attrs:    []ir.AttrDef{accVecMode, fixpipeRelu},
			Sem:      sem.TileMove{Dst: true},
			Rules:    []Rule{windowRule("dst", func(src, _ TileInfo) (int64, int64, string) { return src.VRows, src.VCols, "src" }), fixpipe},
			Notes:    []string{"The ISA page and versions of ptoas before 0.57 have it. tinsert with fp is today's form."},
			Examples: []string{"%n = pto.tinsert_fp %s, %f, %i, %j, %d : (!pto.tile<16x32xf32, loc=acc, blayout=col_major, slayout=row_major>, !pto.tile<1x32xi64, loc=scaling>, index, index, !pto.tile<32x32xi8>) -> !pto.tile<32x32xi8>"},
		})
	})
)

// NoFactorPath returns the reason why the library cannot execute op, a textract_fp or
// tinsert_fp, or "". The ISA page restricts neither memories, layouts nor types.
func NoFactorPath(op *ir.Op, t ir.Target) string {
	switch {
	case op.Is(TExtractFp) && op.Arg("fp") == nil:
		return "TEXTRACT_FP of the library takes the factors as an operand, fp"
	case !op.Is(TInsertFp):
		return ""
	}
	src, ok := TileArg(op, "src")
	dst, ok2 := TileArg(op, "dst")
	if !ok || !ok2 {
		return ""
	}
	msg, _ := tinsertPaths.check(op, src, dst, t)
	return msg
}
