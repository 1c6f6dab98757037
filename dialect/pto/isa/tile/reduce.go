// This file defines reductions of rows and columns.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// reduceExpand is the chapter of the ISA manual on reductions and broadcasts.
const reduceExpand = "reduce-and-expand"

// The supported element types of reductions, for each target. Only newer pages of the ISA
// manual list 64-bit integers on A5.
var (
	rowSumElems    = On{A2A3: I16 | I32 | F16 | F32, A5: I16 | I32 | Ints64 | F16 | F32}
	rowMaxElems    = On{A2A3: I16 | I32 | F16 | F32, A5: Ints8 | I16 | I32 | Ints64 | F16 | F32}
	rowProdElems   = Both(I16 | I32 | F16 | F32)
	rowArgElems    = On{A2A3: I16 | I32 | F16 | F32, A5: Ints16 | Ints32 | Floats}
	colReduceElems = On{A2A3: I16 | I32 | F16 | F32, A5: Ints | Ints64 | Floats}
	colProdElems   = On{A2A3: I16 | I32 | F16 | F32, A5: Ints16 | Ints32 | Floats}
	colArgElems    = On{A2A3: U16 | U32 | F16 | F32, A5: Ints | F16 | F32}
	argIndex       = Both(Ints16 | Ints32)

	// colMaxElems contains the unsigned integers that only TCOLARGMAX and TCOLARGMIN with
	// values reduce on A2/A3.
	colMaxElems = On{A2A3: I16 | U16 | I32 | U32 | F16 | F32, A5: Ints | Ints64 | Floats}
)

// indexWidth is the rule on the indices of maxima and minima: the headers write indices of
// 16 bits only for elements of 16 bits.
var indexWidth = TileCheck{On: sem.OnAll, Args: []string{"src", "dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
	if ByteSize(t[1].Elem) != 2 || ByteSize(t[0].Elem) == 2 {
		return ""
	}
	return fmt.Sprintf("\"dst\" must have elements of 32 bits, because \"src\" has elements of type %s; only 16-bit elements can have indices of type %s", t[0].Elem, t[1].Elem)
}}

// narrowIndex is the rule that the library writes indices of 16 bits only together with the
// values.
var narrowIndex = libraryElems(sem.OnAll, "dst", Ints32, "\"DstIdx data type must be s32 or u32\" of the calls without values in TRowReduceIdxCheck and TColReduceIdxCheck")

// unsignedExtremes is the rule that TCOLMAX and TCOLMIN have no code for unsigned integers on
// A2/A3.
var unsignedExtremes = libraryElems(sem.OnA2A3, "src", colReduceElems.A2A3, "TColReduceCheck in a2a3/TColReduceOps.hpp")

// unsignedNote is the note on unsigned integers in extremes of columns.
const unsignedNote = "Unsigned integers on A2/A3: the pages and TCOLMAX of the headers have none; TCOLARGMAX and TCOLARGMIN with values return their extremes. Accepted."

// indexNotes are the notes on indices that rows and columns share.
var indexNotes = []string{
	"The page's second form, with the value besides the index, has no IR operation. pto-opt reads it from C++ as two instructions.",
	"Indices of 16 bits: the pages have none; the headers write them for elements of 16 bits, in the form with values. Accepted for these elements.",
}

// NotHalfEmpty returns a rule that requires the operand named a to have both valid rows
// and valid columns, or neither. It applies on the targets in the set on.
func NotHalfEmpty(on sem.Profiles, a string) Rule {
	return ValidRule{On: on, A: a, Tests: []ValidTest{{Kind: TestNotHalfEmpty}}}
}

// columnVector returns a rule that requires the tile operand with the given name to be a
// column. The valid region must have one column, unless it is empty. If the tile is
// stored in column-major order, its storage must have one column as well.
func columnVector(name string) Rule {
	return TileCheck{On: sem.OnAll, Args: []string{name}, Check: func(_ *ir.Op, t []TileInfo) string {
		switch {
		case t[0].BLayout == ColMajor && t[0].Cols != 1:
			return fmt.Sprintf("\"%s\" must have one column if it is col_major, but has %d", name, t[0].Cols)
		case !MaybeEqual(t[0].VCols, 1) && (t[0].VRows != 0 || t[0].VCols != 0):
			return fmt.Sprintf("\"%s\" must have one valid column, but has %d", name, t[0].VCols)
		}
		return ""
	}}
}

// rowReduce returns the definition of an instruction that reduces each row i of src to
// one element, dst[i,0]. The parameter on holds the supported element types for each
// target, and tmp is the rule on the scratch tile.
func rowReduce(o Op, kind sem.TileReduce, on On, tmp TileRule) *ir.Def {
	o.Ins = Args{In("src", RowMajorTile(on, sem.OnAll).Unboxed(sem.OnAll)), ScratchArg("tmp", tmp)}
	o.ScratchTile = ScratchLike("src")
	if o.Outs == nil {
		o.Outs = Args{Out("dst", LikeTile("src").Unboxed(sem.OnAll))}
	}
	filled := NotHalfEmpty
	if kind.Arg {
		filled = NonEmptyValid
	}
	o.Rules = append([]Rule{SameValidRows(sem.OnAll, "src", "dst"), columnVector("dst"), filled(sem.OnAll, "src"), alignedSums, wideRows("src")}, o.Rules...)
	o.Sem, o.Family, o.Pipe = kind, reduceExpand, sem.PipeV
	o.Sample([]string{"16x1x" + reducedElem(kind) + ", blayout=col_major"}, "16x64xf32")
	return TileOp(o)
}

// reducedElem returns the element type of the results in examples: i32 for positions, f32
// otherwise.
func reducedElem(s sem.TileReduce) string {
	if s.Arg {
		return "i32"
	}
	return "f32"
}

// Definitions of the reductions of each row to one element.
var (
	TRowSum = Define("trowsum", func(name string) *ir.Def {
		return rowReduce(Op{
			Name: name, Page: IsaPage("TROWSUM"),
			Doc: "Adds up every row of src into a column.",
			Notes: []string{
				"Order of the sum: the pages have none, the simulator adds from left to right; the headers reduce register by register, differently on A2/A3 and A5. So does this, as under Meaning; inside one register neighbours are added in pairs, as the fix of the simulator assumes (pto-isa issue 304).",
				"f16: the headers add in f16, the simulator in f32 and rounds once; so does this, in the order of the headers.",
			},
		}, sem.TileReduce{Axis: sem.AlongRow, Fn: scalar.Add, Order: rowSumOrder}, rowSumElems, anyTmp)
	})

	TRowProd = Define("trowprod", func(name string) *ir.Def {
		return rowReduce(Op{
			Name: name, Page: IsaPage("TROWPROD"),
			Doc:   "Multiplies the elements of every row of src into a column.",
			Notes: []string{"Order of the product: the pages have none, the simulator goes from left to right; the headers multiply lane by lane first. So does this, as under Meaning."},
			Rules: []Rule{TmpLike(sem.OnAll, "src")},
		}, sem.TileReduce{Axis: sem.AlongRow, Fn: scalar.Mul, Order: rowProdOrder}, rowProdElems, anyTmp)
	})

	TRowMax = Define("trowmax", func(name string) *ir.Def {
		return rowReduce(Op{
			Name: name, Page: IsaPage("TROWMAX"),
			Doc:   "Reduces every row of src to its greatest element, in a column; NaN wins.",
			Rules: []Rule{TmpLike(sem.OnAll, "src"), oddBytes},
			Notes: []string{"8-bit integers on A5: the ISA page has them, the IR manual has not; accepted."},
		}, sem.TileReduce{Axis: sem.AlongRow, Fn: scalar.Max}, rowMaxElems, anyTmp)
	})

	TRowMin = Define("trowmin", func(name string) *ir.Def {
		return rowReduce(Op{
			Name: name, Page: IsaPage("TROWMIN"),
			Doc:   "Reduces every row of src to its least element, in a column; NaN wins.",
			Rules: []Rule{TmpLike(sem.OnAll, "src"), oddBytes},
			Notes: []string{"8-bit integers on A5: the ISA page has them, the IR manual has not; accepted."},
		}, sem.TileReduce{Axis: sem.AlongRow, Fn: scalar.Min}, rowMaxElems, anyTmp)
	})

	TRowArgMax = rowArg("trowargmax", "TROWARGMAX", "Computes the column index of the greatest element of every row of src.", scalar.Max)
	TRowArgMin = rowArg("trowargmin", "TROWARGMIN", "Computes the column index of the least element of every row of src.", scalar.Min)
)

// rowArg declares a reduction that returns the column index of the maximum or minimum of
// each row. The function fn selects maximum or minimum. page is the manual page, and doc
// is the description for the reference page.
func rowArg(name, page, doc string, fn *scalar.Fn) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return rowReduce(Op{
			Name: name, Page: IsaPage(page), Doc: doc,
			Outs:  Args{Out("dst", VecTile(argIndex).Unboxed(sem.OnAll))},
			Rules: []Rule{TmpLike(sem.OnA2A3, "src"), rowArgTmp, indexWidth, narrowIndex},
			Notes: append([]string{"Unsigned and bf16 elements on A5: the ISA page has them, the IR manual has not; accepted."}, indexNotes...),
		}, sem.TileReduce{Axis: sem.AlongRow, Fn: fn, Arg: true}, rowArgElems, anyTmp)
	})
}

// argStride returns how many elements a row of a scratch tile must have. On A2/A3, an
// instruction that finds the position of a maximum or minimum in each row of src needs
// this scratch tile. A row of src has cols valid elements of type t. The hardware
// processes it in repeats of 256 bytes. A row of the scratch tile has two areas: first a
// value and an index for each repeat, then one more element for each repeat, for
// intermediate results. Each of the two areas is rounded up to 32 bytes.
func argStride(cols int64, t ir.Type) int64 {
	bits := int64(8 * ByteSize(t))
	perRepeat, perBlock := 2048/bits, 256/bits
	repeats := CeilDiv(cols, perRepeat)
	return (CeilDiv(repeats*2, perBlock) + CeilDiv(repeats, perBlock)) * perBlock
}

// rowArgTmp is the rule on the scratch tile with which A2/A3 find the column of the
// maximum or minimum of each row. A scratch tile with the valid region of src is always
// legal. For rows of up to 256 bytes, two valid elements for each valid row of src are
// also sufficient; for longer rows, argStride determines the smallest legal number of
// columns.
var rowArgTmp = ScratchCheck(sem.OnA2A3, []string{"src"}, func(_ *ir.Op, t []TileInfo) string {
	tmp, src := t[0], t[1]
	if !tmp.StaticValid() || !src.StaticValid() || tmp.VRows == src.VRows && tmp.VCols == src.VCols {
		return ""
	}
	if src.VCols <= 2048/int64(8*ByteSize(src.Elem)) {
		if tmp.VCols == 1 && tmp.VRows >= 2*src.VRows || tmp.VCols >= 2 && tmp.VRows >= src.VRows {
			return ""
		}
		return "\"tmp\" must have two valid columns for each valid row of \"src\", or one with twice as many valid rows"
	}
	switch need := argStride(src.VCols, src.Elem); {
	case tmp.VRows < src.VRows:
		return "\"tmp\" must have as many valid rows as \"src\""
	case tmp.Rows != src.Rows:
		return "\"tmp\" must have as many rows as \"src\""
	case tmp.VCols < need:
		return fmt.Sprintf("\"tmp\" must have at least %d valid columns, but has %d", need, tmp.VCols)
	}
	return ""
})

// colReduce returns the definition of an instruction that reduces each column j of src to
// one element, dst[0,j].
func colReduce(o Op, kind sem.TileReduce, elems On) *ir.Def {
	o.Ins = append(Args{In("src", RowMajorTile(elems, sem.OnAll).Unboxed(sem.OnAll))}, o.Ins...)
	if o.Outs == nil {
		o.Outs = Args{Out("dst", LikeTile("src").RowMajor(sem.OnAll).Unboxed(sem.OnAll))}
	}
	filled := NotHalfEmpty(sem.OnA5, "src")
	if kind.Arg {
		filled = NonEmptyValid(sem.OnAll, "src")
	}
	o.Rules = append([]Rule{SameValidCols(sem.OnAll, "src", "dst"), filled, wideRows("src")}, o.Rules...)
	o.Sem, o.Family, o.Pipe = kind, reduceExpand, sem.PipeV
	o.Sample([]string{"1x64x" + reducedElem(kind)}, "16x64xf32")
	return TileOp(o)
}

// Definitions of the reductions of each column to one element.
var (
	TColSum = Define("tcolsum", func(name string) *ir.Def {
		return colReduce(Op{
			Name: name, Page: IsaPage("TCOLSUM"),
			DPS: ir.DPSInside(func(op *ir.Op) bool { return op.Arg("tmp") != nil }),
			Cpp: Calls("TCOLSUM({dst}, {src}, {!tmp}, {isBinary})", "TCOLSUM({dst}, {src})"),
			Doc: "Adds up every column of src into a row.",
			Ins: Args{ScratchArg("tmp", anyTmp.RowMajor(sem.OnAll).Unboxed(sem.OnAll))}, Scratch: sem.OnAll,
			Attrs: []ir.AttrDef{{Name: "isBinary", Type: ir.AnyBool, Optional: true, Doc: "add adjacent rows in pairs, then adjacent sums, until one row is left"}},
			Notes: []string{"isBinary: the simulator ignores it; the headers add in pairs, an odd last row to the first pair on A2/A3 and to the last one on A5. So does this.",
				"Without isBinary the header for A5 adds two rows at a time, the simulator one. Device tests of pypto on A5 expect one at a time in f16, so f16 goes row by row; bf16 and f32 follow the header."},

			ScratchTile: func(op *ir.Op, _ ir.Target) (TileInfo, bool) {
				binary, _ := op.Attr("isBinary").AsBool()
				src, ok := TileArg(op, "src")
				tile := WholeTile(src)
				tile.Rows = max(1, halves(tile.VRows))
				tile.VRows = tile.Rows
				return tile, ok && binary
			},
			Rules: []Rule{TmpLike(sem.OnAll, "src"), colSumForm, colSumTmp,
				libraryElemsIf(sem.OnA5, "src", AnyElem.A5&^Ints64, "SupportBytes<T, 1, 2, 4> of the binary sum in a5/TColSum.hpp", func(op *ir.Op) bool {
					binary, _ := op.Attr("isBinary").AsBool()
					return binary
				})},
		}, sem.TileReduce{Axis: sem.AlongCol, Fn: scalar.Add, Order: colSumOrder}, colReduceElems)
	})

	TColProd = Define("tcolprod", func(name string) *ir.Def {
		return colReduce(Op{
			Name: name, Page: IsaPage("TCOLPROD"),
			Doc: "Multiplies the elements of every column of src into a row.",
		}, sem.TileReduce{Axis: sem.AlongCol, Fn: scalar.Mul, Order: colProdOrder}, colProdElems)
	})

	TColMax = Define("tcolmax", func(name string) *ir.Def {
		return colReduce(Op{
			Name: name, Page: IsaPage("TCOLMAX"),
			Doc:   "Reduces every column of src to its greatest element, in a row; NaN wins.",
			Rules: []Rule{unsignedExtremes},
			Notes: []string{unsignedNote},
		}, sem.TileReduce{Axis: sem.AlongCol, Fn: scalar.Max}, colMaxElems)
	})

	TColMin = Define("tcolmin", func(name string) *ir.Def {
		return colReduce(Op{
			Name: name, Page: IsaPage("TCOLMIN"),
			Doc:   "Reduces every column of src to its least element, in a row; NaN wins.",
			Rules: []Rule{unsignedExtremes},
			Notes: []string{unsignedNote},
		}, sem.TileReduce{Axis: sem.AlongCol, Fn: scalar.Min}, colMaxElems)
	})

	TColArgMax = colArg("tcolargmax", "TCOLARGMAX", "Computes the row index of the greatest element of every column of src.", scalar.Max)
	TColArgMin = colArg("tcolargmin", "TCOLARGMIN", "Computes the row index of the least element of every column of src.", scalar.Min)
)

// colArg declares the instruction with the given name, a reduction that returns the row
// index of the maximum or minimum of each column. The function fn is the maximum or the
// minimum. page is the name of the manual page, and doc is the description on the
// reference page.
func colArg(name, page, doc string, fn *scalar.Fn) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return colReduce(Op{
			Name: name, Page: IsaPage(page), Doc: doc,
			Ins:         Args{ScratchArg("tmp", anyTmp.RowMajor(sem.OnAll))},
			ScratchTile: ScratchLike("src"),
			Outs:        Args{Out("dst", RowMajorTile(argIndex, sem.OnAll).Unboxed(sem.OnAll))},
			Rules:       []Rule{ValidIs(sem.OnAll, "dst", 1, -1), TmpLike(sem.OnA2A3, "src"), colArgTmp, indexWidth, narrowIndex},
			Notes:       append([]string{"Integers: the ISA page has them, the IR manual has not; accepted."}, indexNotes...),
		}, sem.TileReduce{Axis: sem.AlongCol, Fn: fn, Arg: true}, colArgElems)
	})
}

// colSumForm is the rule that a tcolsum with a scratch tile must have the attribute
// isBinary. This attribute selects whether the instruction adds rows in pairs, and only
// sums in pairs use the scratch tile.
var colSumForm = Check(func(op *ir.Op, _ ir.Target) string {
	if op.Arg("tmp") != nil && !op.HasAttr("isBinary") {
		return "\"tmp\" requires the attribute \"isBinary\""
	}
	return ""
})

// colSumTmp is a rule for tcolsum. If attribute isBinary is set, the instruction adds
// rows in pairs. It then needs a scratch tile that can hold the sums of the pairs.
var colSumTmp = ScratchCheck(sem.OnAll, []string{"src"}, func(op *ir.Op, t []TileInfo) string {
	tmp, src := t[0], t[1]
	binary, _ := op.Attr("isBinary").AsBool()
	switch {
	case !binary:
	case src.VCols != ir.Dynamic && tmp.Cols < src.VCols:
		return fmt.Sprintf("\"tmp\" must have at least the %d valid columns of \"src\", but has %d", src.VCols, tmp.Cols)
	case src.VRows != ir.Dynamic && tmp.Rows < halves(src.VRows):
		return fmt.Sprintf("\"tmp\" must have a row for every 2 valid rows of \"src\", %d, but has %d", halves(src.VRows), tmp.Rows)
	}
	return ""
})

// halves returns n/2 rounded up: the number of pairs of rows in n rows, where the last
// pair can consist of one row.
func halves(n int64) int64 { return CeilDiv(n, 2) }

// colArgTmp is the rule on the scratch tile with which A2/A3 find the row of the maximum
// or minimum of each column. A scratch tile with the same valid region as src is always
// legal. Any other scratch tile must have a valid row and a minimum number of valid
// columns, which the function argStride returns.
var colArgTmp = ScratchCheck(sem.OnA2A3, []string{"src"}, func(_ *ir.Op, t []TileInfo) string {
	tmp, src := t[0], t[1]
	if !tmp.StaticValid() || !src.StaticValid() || tmp.VRows == src.VRows && tmp.VCols == src.VCols {
		return ""
	}
	switch need := argStride(src.VCols, src.Elem); {
	case tmp.VRows < 1:
		return "\"tmp\" must have a valid row"
	case tmp.VCols < need:
		return fmt.Sprintf("\"tmp\" must have at least %d valid columns, but has %d", need, tmp.VCols)
	}
	return ""
})
