// This file defines row and column expansions.

package tile

import (
	"fmt"
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// The element types of broadcast instructions, per target.
var (
	expandElems   = On{A2A3: Ints | Floats, A5: Ints | Ints64 | Floats}
	expandArith   = On{A2A3: I16 | I32 | F16 | F32, A5: Ints | Floats}
	expandDivides = On{A2A3: F16 | F32, A5: Ints | Floats}
)

// Definitions of the instructions that broadcast a row or a column over a tile.
var (
	TRowExpand = Define("trowexpand", func(name string) *ir.Def {
		return TileOp(Op{
			Name: name, Page: IsaPage("TROWEXPAND"), Family: reduceExpand, Pipe: sem.PipeV,
			Doc:   "Repeats the first element of every row of src along the row.",
			Ins:   Args{In("src", VecTile(expandElems).Unboxed(sem.OnAll))},
			Outs:  Args{Out("dst", LikeTile("src").RowMajor(sem.OnAll).Unboxed(sem.OnAll))},
			Sem:   sem.TileExpand{Axis: sem.AlongRow},
			Rules: append(Lax(SameValidRows(sem.OnA2A3, "src", "dst")), SameValidRows(sem.OnA5, "src", "dst"), NotHalfEmpty(sem.OnAll, "src"), NotHalfEmpty(sem.OnAll, "dst"), repeatedColumn, wideRows("dst")),
			Examples: []string{
				"%d = pto.trowexpand %s : !pto.tile<16x8xf32, valid=16x1> -> !pto.tile<16x64xf32>",
				"pto.trowexpand ins(%s : !pto.tile_buf<vec, 16x8xf32, valid=16x1>) outs(%d : !pto.tile_buf<vec, 16x64xf32>)",
			},
		})
	})

	TColExpand = Define("tcolexpand", func(name string) *ir.Def {
		return TileOp(Op{
			Name: name, Page: IsaPage("TCOLEXPAND"), Family: reduceExpand, Pipe: sem.PipeV,
			Doc:   "Repeats the first row of src along the columns.",
			Ins:   Args{In("src", RowMajorTile(expandElems, sem.OnAll).Unboxed(sem.OnAll))},
			Outs:  Args{Out("dst", LikeTile("src").RowMajor(sem.OnAll).Unboxed(sem.OnAll))},
			Sem:   sem.TileExpand{Axis: sem.AlongCol},
			Rules: append(Lax(SameValidCols(sem.OnAll, "src", "dst")), wideRows("dst")),
			Examples: []string{
				"%d = pto.tcolexpand %s : !pto.tile<1x64xf32> -> !pto.tile<16x64xf32>",
				"pto.tcolexpand ins(%s : !pto.tile_buf<vec, 1x64xf32>) outs(%d : !pto.tile_buf<vec, 16x64xf32>)",
			},
		})
	})
)

// colExpand returns the definition of an instruction that broadcasts a row: dst[i,j] =
// fn(src0[i,j], src1[0,j]).
func colExpand(o Op, fn *scalar.Fn, elems On) *ir.Def {
	o.Ins = Args{In("src0", RowMajorTile(elems, sem.OnAll)), In("src1", LikeTile("src0").RowMajor(sem.OnAll))}
	o.Outs = Args{Out("dst", LikeTile("src0").RowMajor(sem.OnAll))}
	kind, _ := o.Sem.(sem.TileExpand)
	kind.Axis, kind.Fn = sem.AlongCol, fn
	o.Sem, o.Family, o.Pipe = kind, reduceExpand, sem.PipeV
	o.Rules = append(Lax(SameValid(sem.OnAll, "src0", "dst"), SameValidCols(sem.OnAll, "src1", "dst")), SameShape(sem.OnAll, "src0", "dst"))
	o.Sample([]string{"16x64xf32"}, "16x64xf32", "1x64xf32")
	return TileOp(o)
}

// Definitions of the instructions that combine a tile with a broadcast row.
var (
	TColExpandAdd = Define("tcolexpandadd", func(name string) *ir.Def {
		return colExpand(Op{
			Name: name, Page: IsaPage("TCOLEXPANDADD"),
			Doc: "Adds the first row of src1 to every row of src0.",
		}, scalar.Add, expandArith)
	})

	TColExpandSub = Define("tcolexpandsub", func(name string) *ir.Def {
		return colExpand(Op{
			Name: name, Page: IsaPage("TCOLEXPANDSUB"),
			Doc: "Subtracts the first row of src1 from every row of src0.",
		}, scalar.Sub, expandArith)
	})

	TColExpandMul = Define("tcolexpandmul", func(name string) *ir.Def {
		return colExpand(Op{
			Name: name, Page: IsaPage("TCOLEXPANDMUL"),
			Doc: "Multiplies every row of src0 by the first row of src1.",
		}, scalar.Mul, expandArith)
	})

	TColExpandDiv = Define("tcolexpanddiv", func(name string) *ir.Def {
		return colExpand(Op{
			Name: name, Page: IsaPage("TCOLEXPANDDIV"),
			Doc:   "Divides every row of src0 by the first row of src1.",
			Attrs: []ir.AttrDef{divPrecision},
			Notes: []string{"Integers and bf16 on A5: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Div, expandDivides)
	})

	TColExpandMax = Define("tcolexpandmax", func(name string) *ir.Def {
		return colExpand(Op{
			Name: name, Page: IsaPage("TCOLEXPANDMAX"),
			Doc: "Computes the larger of every row of src0 and the first row of src1; NaN wins.",
		}, scalar.Max, expandArith)
	})

	TColExpandMin = Define("tcolexpandmin", func(name string) *ir.Def {
		return colExpand(Op{
			Name: name, Page: IsaPage("TCOLEXPANDMIN"),
			Doc: "Computes the smaller of every row of src0 and the first row of src1; NaN wins.",
		}, scalar.Min, expandArith)
	})

	TColExpandExpDif = Define("tcolexpandexpdif", func(name string) *ir.Def {
		return colExpand(Op{
			Name: name, Page: IsaPage("TCOLEXPANDEXPDIF"),
			Doc: "Computes e to the power of the difference of every row of src0 and the first row of src1.",
			Sem: sem.TileExpand{Then: scalar.Exp},
		}, scalar.Sub, floatsOnly)
	})
)

// rowExpand returns the definition of an instruction that broadcasts a column: dst[i,j] =
// fn(src0[i,j], src1[i,0]), or the same with src0 as the column. If strict is set, the
// public compiler checks on A5 that one operand has the shape of dst and the other is a
// vector.
func rowExpand(o Op, fn *scalar.Fn, elems On, strict bool) *ir.Def {
	src := VecTile(elems)
	o.Ins = Args{In("src0", src), In("src1", LikeTile("src0")), ScratchArg("tmp", anyTmp)}
	o.Outs = Args{Out("dst", LikeTile("src0").RowMajor(sem.OnAll))}
	kind, _ := o.Sem.(sem.TileExpand)
	kind.Axis, kind.Fn = sem.AlongRow, fn
	o.Sem, o.Family, o.Pipe = kind, reduceExpand, sem.PipeV
	o.Rules = append(o.Rules, rowExpandTmp)
	o.Notes = append(o.Notes, "A row-major vector has 32 bytes per row. Its elements are repeated in turn along the row on every target, as in the ISA page, the NPU headers (A5: distribution BLK), the simulator and device tests of pto-isa and pypto. The templates of the IR compiler for A5 and the golden data of tilelang_st repeat the first element instead.")
	o.ScratchTile, o.OwnScratch = rowExpandScratch, true
	o.Cpp = Calls(strings.ToUpper(o.Name)+"<[pto::DivAlgorithm::{precisionType^}]>({dst}, {src0}, {src1}[, {tmp}])",
		strings.ToUpper(o.Name)+"({dst}, {src0}, {src1}[, {tmp}])")
	if strict {
		o.Rules = append(o.Rules, rowVectorShape(0), rowExpandTmpA5{})
	} else {
		o.Rules = append(o.Rules, rowVectorShape(sem.OnA5))
	}
	o.Sample([]string{"16x64xf32"}, "16x64xf32", "16x1xf32, blayout=col_major")
	return TileOp(o)
}

// Definitions of the instructions that combine a tile with a broadcast column.
var (
	TRowExpandAdd = Define("trowexpandadd", func(name string) *ir.Def {
		return rowExpand(Op{
			Name: name, Page: IsaPage("TROWEXPANDADD"),
			Doc: "Adds element i of the column src1 to row i of src0.",
		}, scalar.Add, expandArith, true)
	})

	TRowExpandSub = Define("trowexpandsub", func(name string) *ir.Def {
		return rowExpand(Op{
			Name: name, Page: IsaPage("TROWEXPANDSUB"),
			Doc: "Subtracts element i of the column src1 from row i of src0.",
		}, scalar.Sub, expandArith, false)
	})

	TRowExpandMul = Define("trowexpandmul", func(name string) *ir.Def {
		return rowExpand(Op{
			Name: name, Page: IsaPage("TROWEXPANDMUL"),
			Doc:   "Multiplies row i of src0 by element i of the column src1.",
			Notes: []string{"Integers: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Mul, expandArith, false)
	})

	TRowExpandDiv = Define("trowexpanddiv", func(name string) *ir.Def {
		return rowExpand(Op{
			Name: name, Page: IsaPage("TROWEXPANDDIV"),
			Doc:   "Divides row i of src0 by element i of the column src1.",
			Attrs: []ir.AttrDef{divPrecision},
			Rules: []Rule{highPrecisionTmp},
			Notes: []string{"Integers and bf16 on A5: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Div, expandDivides, false)
	})

	TRowExpandMax = Define("trowexpandmax", func(name string) *ir.Def {
		return rowExpand(Op{
			Name: name, Page: IsaPage("TROWEXPANDMAX"),
			Doc: "Computes the larger of row i of src0 and element i of the column src1; NaN wins.",
		}, scalar.Max, expandArith, true)
	})

	TRowExpandMin = Define("trowexpandmin", func(name string) *ir.Def {
		return rowExpand(Op{
			Name: name, Page: IsaPage("TROWEXPANDMIN"),
			Doc: "Computes the smaller of row i of src0 and element i of the column src1; NaN wins.",
		}, scalar.Min, expandArith, true)
	})

	TRowExpandExpDif = Define("trowexpandexpdif", func(name string) *ir.Def {
		return rowExpand(Op{
			Name: name, Page: IsaPage("TROWEXPANDEXPDIF"),
			Doc: "Computes e to the power of row i of src0 minus element i of the column src1.",
			Sem: sem.TileExpand{Then: scalar.Exp},
		}, scalar.Sub, floatsOnly, true)
	})
)

// rowVector determines which of the tiles src0 and src1 is the vector v that is broadcast
// over dst. It is the tile whose valid region differs from the valid region of dst, or
// src1 if neither differs. The result full is the other tile, and name is the operand
// name of v. ok is false if both differ.
func rowVector(src0, src1, dst TileInfo) (v TileInfo, full TileInfo, name string, ok bool) {
	switch {
	case sameExtent(src0, dst):
		return src1, src0, "src1", true
	case sameExtent(src1, dst):
		return src0, src1, "src0", true
	}
	return TileInfo{}, TileInfo{}, "", false
}

// sameExtent reports whether the valid regions of two tiles may be equal: unknown sizes
// count as equal.
func sameExtent(a, b TileInfo) bool {
	return MaybeEqual(a.VRows, b.VRows) && MaybeEqual(a.VCols, b.VCols)
}

// rowExpandScratch returns the type of the scratch tile in which A2/A3 broadcast a column
// before they combine it with the other source of op. The bool result is false if the
// vector is row-major, because op then needs no scratch tile.
func rowExpandScratch(op *ir.Op, _ ir.Target) (TileInfo, bool) {
	a, _ := TileArg(op, "src0")
	b, _ := TileArg(op, "src1")
	dst, _ := TileArg(op, "dst")
	vec, _, _, ok := rowVector(a, b, dst)
	return ScratchBytes(dst.Elem, 8192), ok && vec.BLayout == ColMajor && MaybeEqual(vec.VCols, 1)
}

// rowExpandTmpA5 is a rule that warns about a scratch tile that the public compiler
// rejects on A5, although the library ignores it.
type rowExpandTmpA5 struct{}

// Verify implements Rule. It warns on A5 if the scratch tile has a different element type
// than dst.
func (rowExpandTmpA5) Verify(op *ir.Op, v *ir.Verifier) {
	tmp, ok := TileArg(op, "tmp")
	dst, ok2 := TileArg(op, "dst")
	if ok && ok2 && sem.OnA5.Has(v.Target) && tmp.Elem != dst.Elem {
		WarnRejected(op, v, "on target a5: \"tmp\" should have elements of type %s, which is the element type of \"dst\", but has %s", dst.Elem, tmp.Elem).
			Note(ir.Loc{}, "A5 does not use this scratch tile; PTOAS rejects it")
	}
}

// rowExpandTmp checks an instruction that combines a tile with a broadcast column on
// A2/A3. The instruction needs a scratch tile, in which the library stores the broadcast
// column, and the vector operand must be a column.
var rowExpandTmp = ScratchCheck(sem.OnA2A3, []string{"src0", "src1", "dst"}, func(_ *ir.Op, t []TileInfo) string {
	tmp, dst := t[0], t[3]
	vec, _, _, ok := rowVector(t[1], t[2], dst)
	need := int64(30 * 256)
	if dst.VRows == ir.Dynamic {
		need = 8192
	} else if dst.VRows < 256 {
		need = CeilDiv(dst.VRows, 8) * 256
	}
	switch {
	case !ok || vec.BLayout != ColMajor || !MaybeEqual(vec.VCols, 1):
		return "with \"tmp\" the vector must be a col_major column"
	case tmp.Elem != dst.Elem:
		return "\"tmp\" must have elements of type " + dst.Elem.String() + ", as \"dst\" has, but has " + tmp.Elem.String()
	case tmp.Bytes() < need:
		return fmt.Sprintf("\"tmp\" must hold at least %d bytes, but holds %d", need, tmp.Bytes())
	}
	return ""
})
