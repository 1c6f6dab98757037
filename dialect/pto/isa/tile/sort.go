// This file defines sorting and merging of tiles.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// TSort32 is pto.tsort32. It sorts each block of 32 adjacent elements of a row, the
// greatest first, and returns the elements together with their indices.
var TSort32 = Define("tsort32", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TSORT32"), Family: irregular, Pipe: sem.PipeV,
		Doc:  "Sorts every 32 elements of src, the greatest first, into pairs of value and index.",
		Ins:  Args{In("src", RowMajorTile(floatsOnly, sem.OnAll)), In("idx", RowMajorTile(Both(U32), sem.OnAll)), ScratchArg("tmp", anyTmp)},
		Outs: Args{Out("dst", LikeTile("src").RowMajor(sem.OnAll))},
		Sem:  sem.TileSort{},
		Cpp:  Calls("TSORT32({dst}, {src}, {idx}[, {tmp}])"),
		ScratchTile: func(op *ir.Op, t ir.Target) (TileInfo, bool) { // for a last block that is not full
			src, ok := TileArg(op, "src")
			whole := WholeTile(src)
			return PlainTile(src.Elem, whole.Rows, max(whole.Cols, sortCols(whole))), ok && (src.VCols == ir.Dynamic || src.VCols%32 != 0)
		},
		Scratch:  sem.OnAll,
		Rules:    []Rule{TmpLike(sem.OnA2A3, "src"), sortTmp},
		Notes:    []string{"Equal values keep their order, as in the public golden data of pto.vbitsort, to which the library maps this instruction. For example, if the value 9.5 occurs first with index 9 and then with index 7, index 9 comes first. The ISA page puts the smaller index first, and the simulator compares the values of idx. Both orders are equal if idx ascends."},
		Examples: []string{"%d = pto.tsort32 %s, %i : (!pto.tile<1x64xf32>, !pto.tile<1x64xui32>) -> !pto.tile<1x128xf32>"},
	})
})

// sortTmp is a rule about tsort32 on A2/A3. If the last block of a row has fewer than 32
// elements, the instruction pads a copy of this block in a scratch tile, so the scratch
// tile must be large enough.
var sortTmp = ScratchCheck(sem.OnA2A3, []string{"src"}, func(_ *ir.Op, t []TileInfo) string {
	tmp, src := t[0], t[1]
	if need := sortCols(src); src.VCols != ir.Dynamic && src.VCols%32 != 0 && tmp.Bytes() < need*int64(ByteSize(src.Elem)) {
		return fmt.Sprintf("\"tmp\" must have room for %d elements, but holds %d bytes", need, tmp.Bytes())
	}
	return ""
})

// sortCols returns how many elements of a row tsort32 copies to its scratch tile if the
// last block of 32 elements is not full. It copies the whole row, rounded up to complete
// blocks, if the row has at most 8160 bytes, because a single copy can then move it.
// Otherwise it copies one block.
func sortCols(src TileInfo) int64 {
	if src.VCols*int64(ByteSize(src.Elem)) > 8160 {
		return 32
	}
	return CeilDiv(src.VCols, 32) * 32
}

// TMrgSort is pto.tmrgsort, which merges sorted lists of pairs of a value and an index.
var TMrgSort = Define("tmrgsort", func(name string) *ir.Def {
	return oneResult(TileOp(Op{
		Name: name, Page: IsaPage("TMRGSORT"), Family: irregular, Pipe: sem.PipeV,
		Doc: "Merges lists of pairs of value and index that are sorted, the greatest first: four neighbours of blockLen elements each in one tile, or two to four tiles.",
		Ins: Args{
			Many("srcs", VecTile(floatsOnly)), Opt("blockLen", ir.AnyInteger), ScratchArg("tmp", VecTile(floatsOnly)),
		},
		Outs: Args{
			{Name: "dsts", Type: LikeTile("srcs"), Arity: ir.Variadic},
			{Name: "excuted", Type: ir.TypeIf("vector<4xi16>", isCounts), Arity: ir.Optional},
		},
		Order: []string{"srcs", "blockLen", "dsts", "tmp", "excuted"},
		DPS:   ir.Hook{ParseFn: parseMerge, PrintFn: printMerge},
		Attrs: []ir.AttrDef{{Name: "exhausted", Type: ir.AnyBool, Default: ir.BoolAttr(false), Doc: "stop at the end of the first list that runs out"}},
		Cpp:   Calls("TMRGSORT({dsts}, {srcs}, {blockLen})", "TMRGSORT<{type dsts}, {type tmp}, {type srcs}, {exhausted}>({dsts}, {excuted}, {tmp}, {srcs})"),
		Sem:   sem.TileMerge{}, Scratch: sem.OnAll, ScratchTile: mergeScratch,
		Rules: []Rule{Check(mergeForm), mergeTmp, mergeGroups{}},
		Notes: []string{
			"tmp holds the columns of all sources, as the ISA page has it; public programs for A5 give it no more than dst has.",
			"Columns of src that are not a multiple of four times blockLen: the page and the headers of A2/A3 ask for one; whole groups of four are merged and the rest of dst is not written, as in the headers of A5 and the simulator."},
		Examples: []string{
			"%d = pto.tmrgsort %s, %n : (!pto.tile<1x256xf32>, i32) -> !pto.tile<1x256xf32>",
			"%d, %e = pto.tmrgsort %a, %b : (!pto.tile<1x64xf32>, !pto.tile<1x64xf32>) -> (!pto.tile<1x128xf32>, vector<4xi16>)",
		},
	}))
})

// mergeScratch returns the scratch tile of a merge of several tiles: one row that holds
// all merged elements. The bool result is false for a merge within one tile.
func mergeScratch(op *ir.Op, _ ir.Target) (TileInfo, bool) {
	dst, ok := TileOf(ir.EnvOf(op, 0).Type("dsts"))
	return PlainTile(dst.Elem, 1, max(mergeCols(op), dst.Cols)), ok && op.Arg("blockLen") == nil
}

// mergeCols returns the sum of the numbers of columns of all source tiles of op.
func mergeCols(op *ir.Op) int64 {
	cols := int64(0)
	for _, s := range op.Args("srcs") {
		t, _ := TileOf(s.Type())
		cols += t.Cols
	}
	return cols
}

// oneResult changes the definition d so that its SSA form (Level 1) has exactly one
// destination tile, and returns d. Without this change, the SSA form would have the
// variable number of destinations that the Level 2 syntax permits.
func oneResult(d *ir.Def) *ir.Def {
	d.Form(ir.SSA).Results[0].Arity = ir.One
	return d
}

// isCounts reports whether t is vector<4xi16>, the type of the numbers of elements
// consumed from each list.
func isCounts(t ir.Type) bool {
	d, ok := ir.As[ir.VectorType](t)
	return ok && d.Elem == ir.I16 && d.Shape.Len() == 1 && d.Shape.At(0) == 4
}

// mergeForm checks the operands of op, a tmrgsort. The instruction has two forms: one
// tile with several lists, or several tiles. mergeForm returns a message if the operands
// do not belong to one of the forms, and "" otherwise.
func mergeForm(op *ir.Op, _ ir.Target) string {
	srcs, dsts := op.Args("srcs"), op.Args("dsts")
	if op.Form().Level == ir.SSA {
		from, to := op.ResultRange(0)
		dsts = op.Results()[from:to]
	}
	hasTmp := op.Arg("tmp") != nil
	if len(dsts) != 1 {
		return fmt.Sprintf("needs one destination, but has %d", len(dsts))
	}
	dst, _ := TileOf(dsts[0].Type())
	tiles := []TileInfo{dst}
	for _, s := range srcs {
		t, _ := TileOf(s.Type())
		tiles = append(tiles, t)
	}
	for _, tile := range tiles {
		if tile.Elem != dst.Elem {
			return "all tiles must have the same element type, but have " + dst.Elem.String() + " and " + tile.Elem.String()
		}
		if tile.Rows != 1 {
			return fmt.Sprintf("all tiles must have one row, but one has %d", tile.Rows)
		}
	}
	block := op.Arg("blockLen")
	n, known := ConstantInt(block)
	counts := op.Arg("excuted") != nil || op.Form().Level == ir.SSA && op.NumResults() > 1
	switch {
	case block != nil && len(srcs) != 1:
		return fmt.Sprintf("\"blockLen\" requires exactly one source, but there are %d", len(srcs))
	case block != nil && (hasTmp || counts):
		return "\"blockLen\" cannot be combined with \"tmp\" or \"excuted\""
	case known && (n <= 0 || n%64 != 0):
		return fmt.Sprintf("\"blockLen\" must be a positive multiple of 64, but is %d", n)
	case block != nil:
		return ""
	case len(srcs) < 2 || len(srcs) > 4:
		return fmt.Sprintf("must have two to four sources, but has %d", len(srcs))
	case !counts:
		return "needs the destination \"excuted\", which receives the counts"
	}
	return ""
}

// mergeGroups is a rule for tmrgsort, which merges every four sorted lists into one. The
// rule warns if lists remain after the last complete group of four lists, because the
// instruction does not merge these lists.
type mergeGroups struct{}

// Verify implements Rule. A merge combines four lists of blockLen elements into one.
// Verify warns if the number of columns is not a multiple of four lists, because the
// remaining columns are not merged.
func (mergeGroups) Verify(op *ir.Op, v *ir.Verifier) {
	n, known := ConstantInt(op.Arg("blockLen"))
	srcs := op.Args("srcs")
	if !known || n <= 0 || len(srcs) != 1 {
		return
	}
	src, _ := TileOf(srcs[0].Type())
	if src.VCols == ir.Dynamic || src.VCols%(4*n) == 0 {
		return
	}
	v.Warnf(op, "merges four lists of %d elements each, so the last %d of %d columns are not merged, and \"dst\" keeps its old elements there", n, src.VCols%(4*n), src.VCols).
		Note(ir.Loc{}, fmt.Sprintf("use a multiple of %d columns in \"src\", or merge the rest separately", 4*n))
}

// mergeTmp is the rule that a tmrgsort of several tiles has a scratch tile with at least
// as many columns as all merged lists together.
var mergeTmp = ScratchNeeded(func(op *ir.Op, t ir.Target) string {
	tmp, hasTmp := TileArg(op, "tmp")
	dst, known := TileOf(ir.EnvOf(op, t).Type("dsts"))
	switch {
	case !hasTmp || !known:
	case tmp.Elem != dst.Elem:
		return "all tiles must have the same element type, but have " + dst.Elem.String() + " and " + tmp.Elem.String()
	case tmp.Rows != 1:
		return fmt.Sprintf("all tiles must have one row, but one has %d", tmp.Rows)
	case tmp.Cols < dst.Cols:
		return fmt.Sprintf("\"tmp\" must have at least the %d columns of \"dst\", but has %d", dst.Cols, tmp.Cols)
	case t != sem.A5 && tmp.Cols < mergeCols(op):
		return fmt.Sprintf("\"tmp\" must have at least the %d columns of all sources, but has %d", mergeCols(op), tmp.Cols)
	}
	return ""
})

// parseMerge parses one of the following forms. If there are several sources, the last
// one is the scratch tile unless the keyword no_tmp is present.
//
//	ins(%src, %blockLen : T, i32) outs(%dst : T)
//	ins(%a, %b, %tmp {exhausted = false} : T, T, T) outs(%dst, %counts : T, vector<4xi16>)
//	ins(%a, %b no_tmp {exhausted = false} : T, T) outs(...)
func parseMerge(p *ir.Parser, st *ir.OpParse) {
	p.Expect("ins")
	p.Expect("(")
	off := p.Offset()
	ops := p.Operands(nil)
	hasTmp := !p.Accept("no_tmp")
	st.AttrDict(p)
	p.Expect(":")
	ts := p.Types()
	if p.Failed() {
		return
	}
	n := len(ops)
	if n < 2 || len(ts) != n {
		p.ErrorAt(off, "'%s' op has %d operands here, but %d types; it expects two to five operands", st.Def.Name, n, len(ts))
		return
	}
	switch {
	case n == 2 && !IsTile(ts[1]):
		st.Operand("blockLen", ops[1])
		st.OperandType("blockLen", ts[1])
		n--
	case hasTmp:
		n--
		st.Operand("tmp", ops[n])
		st.OperandType("tmp", ts[n])
	}
	st.Operand("srcs", ops[:n]...)
	st.OperandType("srcs", ts[:n]...)
	p.Expect(")")
	p.Expect("outs")
	p.Expect("(")
	mergeOuts(p, st)
	p.Expect(")")
	st.AttrDict(p)
}

// mergeOuts parses the outputs of a merge sort with their types. The outputs are the
// destination tile and, if present, the vector that receives the number of consumed
// elements of each source.
func mergeOuts(p *ir.Parser, st *ir.OpParse) {
	off := p.Offset()
	ops := p.Operands(nil)
	p.Expect(":")
	ts := p.Types()
	if p.Failed() {
		return
	}
	if len(ops) != len(ts) || len(ops) == 0 {
		p.ErrorAt(off, "'%s' op has %d destinations, but %d types", st.Def.Name, len(ops), len(ts))
		return
	}
	n := len(ops)
	if last := n - 1; n > 1 && !IsTile(ts[last]) {
		st.Operand("excuted", ops[last])
		st.OperandType("excuted", ts[last])
		n = last
	}
	st.Operand("dsts", ops[:n]...)
	st.OperandType("dsts", ts[:n]...)
}

// printMerge prints a tmrgsort in one of the forms that parseMerge accepts.
func printMerge(w *ir.Printer, op *ir.Op) {
	block, tmp := op.Args("blockLen"), op.Args("tmp")
	ins := append(append(op.Args("srcs"), block...), tmp...)
	outs := append(op.Args("dsts"), op.Args("excuted")...)
	w.Token("ins")
	w.Token("(")
	w.Values(ins...)
	if len(block) == 0 {
		if len(tmp) == 0 {
			w.Token("no_tmp")
		}
		w.Attr(ir.Dict(ir.NamedAttr{Name: "exhausted", Attr: op.Attr("exhausted")}))
	}
	w.Token(":")
	w.Types(ir.TypesOf(ins)...)
	w.Token(")")
	w.Token("outs")
	w.Token("(")
	w.Values(outs...)
	w.Token(":")
	w.Types(ir.TypesOf(outs)...)
	w.Token(")")
	if len(block) == 0 {
		w.AttrDict(op, "exhausted")
	} else {
		w.AttrDict(op)
	}
}
