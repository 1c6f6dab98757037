// This file defines gathers and scatters between tiles.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// The supported element types of gathers and scatters between tiles in vec, for each
// target.
var (
	gatherElems  = On{A2A3: Ints | Floats, A5: Ints | Ints64 | Floats | FP8 | HiF8}
	scatterElems = On{A2A3: Ints | Floats, A5: Ints | Ints64 | Floats}
	gatherIndex  = On{A2A3: Ints32, A5: Ints16 | Ints32}
)

// The attributes of gathers and scatters that select elements by a periodic pattern.
var (
	maskPattern = ir.AttrDef{Name: "maskPattern", Type: MaskPatternEnum, Optional: true, Doc: "which elements of each group are taken"}
	maskAxis    = ir.AttrDef{Name: "axis", Type: ir.StrIn("row", "col"), Optional: true, Doc: "the direction of the pattern"}
)

// TGather is pto.tgather, which selects elements of a tile by indices, by a comparison,
// or by a pattern (gatherForm).
var TGather = Define("tgather", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TGATHER"), Family: irregular, Pipe: sem.PipeV,
		Doc: "Gathers elements of src: by indices, those that compare with kValue, or those that a pattern marks.",
		Ins: Args{
			In("src", VecTile(gatherElems)), Opt("kValue", AnyScalar),
			Opt("indices", VecTile(gatherIndex)), ScratchArg("tmp", anyTmp),
		},
		Outs:  Args{Out("dst", VecTile(gatherElems)), {Name: "cdst", Type: VecTile(Both(Ints)), Arity: ir.Optional}},
		Order: []string{"src", "dst", "cdst", "indices", "tmp", "kValue"},
		DPS:   patternSyntax("kValue", "indices", "tmp"),
		Attrs: []ir.AttrDef{
			maskPattern, maskAxis,
			{Name: "cmpMode", Type: CmpModeEnum, Optional: true, Doc: "how elements compare with kValue; eq if left out"},
			{Name: "offset", Type: ir.IntOf(ir.I32), Optional: true, Doc: "added to the indices that the comparison finds; 0 if absent"},
		},
		Sem: sem.TileGather{},
		Cpp: Calls("TGATHER({dst}, {src}, {indices}, {tmp})",
			"TGATHER<{type dst}, {type src}, {type tmp}, {type cdst}, CmpMode::{cmpMode^|EQ}>({dst}, {src}, {kValue}, {tmp}, {cdst}, {offset|0})",
			"TGATHER<{type dst}, {type src}, MaskPattern::{maskPattern}>({dst}, {src})"),
		Scratch: sem.OnAll, ScratchTile: gatherRoom,
		Rules: []Rule{Check(gatherForm), gatherTmp, gatheredRows, gatheredIndexes, valueTile, wideRows("dst"),
			libraryElemsIf(sem.OnA5, "src", AnyElem.A5&^Ints64, "PIntlvWithType in a5/TGather.hpp, which has no branch for 8 bytes,", func(op *ir.Op) bool { return op.HasAttr("maskPattern") })},
		Notes: []string{
			"The ISA page requires a minimum size of tmp for a gather by value on A2/A3. The public compiler accepts any size, and so do we.",
			"A gather by value: the pages leave open what an index is; the data of the ISA's tests number the elements row after row, so does this.",
			"src of a gather by value on A5: the ISA page has ui16 and ui32, the IR manual has not; accepted.",
			"A maskPattern, such as P1111, may select more elements of a row than dst has columns. The pages do not define this case. The headers and the simulator write the selected elements row after row, without gaps, and past the end of dst. Here each row of dst receives the first elements that the pattern selects, and no element past the end of a row is written.",
			"kValue: in the ISA page it is a tile with a value for each row, in the IR a scalar. pto-opt writes the C++ of the public compiler; the library, at the commit that this project uses, expects a tile instead.",
		},
		Examples: []string{"%d = pto.tgather %s, %i : (!pto.tile<16x64xf32>, !pto.tile<16x64xi32>) -> !pto.tile<16x64xf32>"},
	})
})

// valueTile is the rule on a gather by value, whose value is a scalar in the IR.
var valueTile = DeviceRule{
	On: sem.OnAll, Class: "value", Warns: sem.OnAll, Written: true,
	Does:   "TGATHER compares with a tile that has a value for each row, and has no overload for the scalar that the public compiler writes",
	Header: "TGATHER with k_value in common/pto_instr.hpp of pto-isa",
	Way:    "compile the C++ against a version of the library whose TGATHER takes a scalar",
	Broken: func(op *ir.Op, _ ir.Target, _ DeviceOperands) string {
		if op.Arg("kValue") == nil {
			return ""
		}
		return "the C++ does not compile against the device library, whose TGATHER expects a tile instead of \"kValue\""
	},
}

// gatherForm returns a message if the operands of op violate the rules of tgather, and ""
// otherwise. The operands select one of three forms: by indices, by comparison with a
// value, or by a pattern.
func gatherForm(op *ir.Op, t ir.Target) string {
	src, _ := TileArg(op, "src")
	dst, _ := TileArg(op, "dst")
	index, k := op.Arg("indices") != nil, op.Arg("kValue") != nil
	mask := !op.Attr("maskPattern").IsZero()
	switch {
	case index && (k || mask) || k && mask || !index && !k && !mask:
		return "needs either \"indices\", or \"kValue\", or a maskPattern"
	case index:
		return gatherByIndex(op, t, src, dst)
	case k:
		return gatherByValue(op, t, src, dst)
	}
	size := ByteSize(src.Elem)
	switch {
	case op.Arg("tmp") != nil:
		return "a gather by pattern must not have operand \"tmp\""
	case t != sem.A5 && size == 1:
		return "a gather by pattern is for elements of 2 or 4 bytes, but \"src\" has " + src.Elem.String()
	case src.BLayout != RowMajor || dst.BLayout != RowMajor:
		return "tiles must be row_major"
	case size != ByteSize(dst.Elem):
		return fmt.Sprintf("elements of \"src\" and \"dst\" must have the same size, but are %s and %s", src.Elem, dst.Elem)
	}
	return ""
}

// gatherByIndex returns a message if a gather by indices violates the rules, and ""
// otherwise. src and dst are the types of the tiles.
func gatherByIndex(op *ir.Op, t ir.Target, src, dst TileInfo) string {
	if src.Elem != dst.Elem {
		return fmt.Sprintf("element types of \"src\" and \"dst\" must be equal, but are %s and %s", src.Elem, dst.Elem)
	}
	if t == sem.A5 {
		return ""
	}
	if ByteSize(src.Elem) == 1 {
		return "a gather by index is for elements of 2 or 4 bytes, but \"src\" has " + src.Elem.String()
	}
	return ""
}

// gatherTmp is the rule that tgather has a scratch tile if it needs one: for gathers by
// comparison on every target, and for gathers by indices on A2/A3.
var gatherTmp = ScratchNeeded(func(op *ir.Op, t ir.Target) string {
	idx, index := TileArg(op, "indices")
	tmp, hasTmp := TileArg(op, "tmp")
	missing := !hasTmp && op.Form().Level == ir.DPS
	switch {
	case op.Arg("kValue") != nil && missing:
		return "a gather by value needs the operand \"tmp\""
	case op.Arg("kValue") != nil && hasTmp && tmp.BLayout != RowMajor:
		return "tiles must be row_major"
	case !index || t == sem.A5:
		return ""
	case missing:
		return "a gather by index needs the operand \"tmp\""
	case hasTmp && tmp.Elem != idx.Elem:
		return "\"tmp\" must have the element type of \"indices\", " + idx.Elem.String() + ", but has " + tmp.Elem.String()
	case hasTmp && !sameExtent(tmp, idx):
		return "\"tmp\" must have the valid region of \"indices\""
	}
	return ""
})

// gatherByValue returns a message if a gather by comparison violates the rules, and ""
// otherwise. src and dst are the types of the tiles.
func gatherByValue(op *ir.Op, t ir.Target, src, dst TileInfo) string {
	env := ir.EnvOf(op, t)
	cdst, hasCount := TileOf(env.Type("cdst"))
	mode := "eq"
	if a := op.Attr("cmpMode"); !a.IsZero() {
		mode = a.Keyword()
	}
	allowed := F16 | F32 | Ints16 | Ints32
	if t != sem.A5 {
		allowed = F16 | F32
		if mode == "eq" {
			allowed |= I32
		}
	}
	switch {
	case !hasCount:
		return "a gather by value needs the destination \"cdst\""
	case mode != "eq" && mode != "gt":
		return "cmpMode must be eq or gt, but is " + mode
	case !allowed.Has(src.Elem):
		return fmt.Sprintf("a gather by value is for %s, but \"src\" has %s", allowed, src.Elem)
	case !SameElement(env.Type("kValue"), src.Elem):
		return fmt.Sprintf("\"kValue\" must be %s, the element type of \"src\", but is %s", src.Elem, env.Type("kValue"))
	case !(Ints32).Has(dst.Elem):
		return "\"dst\" must have elements of type i32, but has " + dst.Elem.String()
	case src.BLayout != RowMajor || dst.BLayout != RowMajor || cdst.BLayout != RowMajor:
		return "tiles must be row_major"
	}
	return ""
}

// gatherRoom returns the type of the scratch tile that op, a tgather, needs on target t.
// A gather by comparison needs a scratch tile on every target; a gather by indices needs
// one only on A2/A3. The bool result is false if op needs no scratch tile.
func gatherRoom(op *ir.Op, t ir.Target) (TileInfo, bool) {
	if t != sem.A5 && op.Arg("indices") != nil {
		return ScratchLike("indices")(op, t)
	}
	src, _ := TileArg(op, "src")
	dst, _ := TileArg(op, "dst")
	switch {
	case op.Arg("kValue") == nil:
		return TileInfo{}, false
	case t == sem.A5: // takes one and leaves it alone
		return PlainTile(ir.I32, 1, 8), true
	}
	// The words hold a byte for each of them, an index for each element of src,
	// and a value for each row.
	bytes := src.Rows*src.Cols*int64(ByteSize(dst.Elem)) + src.Rows*int64(ByteSize(src.Elem))
	return PlainTile(ir.I32, 1, CeilDiv(CeilDiv(bytes, 3), 8)*8), true
}

// TGatherB is pto.tgatherb, which gathers blocks of 32 bytes. A tile holds their byte
// offsets.
var TGatherB = Define("tgatherb", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TGATHERB"), Family: irregular, Pipe: sem.PipeV,
		Doc:      "Gathers blocks of 32 bytes of src, by the byte offsets in offsets.",
		Ins:      Args{In("src", VecTile(Both(Ints|Floats))), In("offsets", VecTile(Both(Ints32)))},
		Outs:     Args{Out("dst", RowMajorTile(Both(Ints|Floats), sem.OnA2A3))},
		Sem:      sem.TileGatherBlocks{},
		Examples: []string{"%d = pto.tgatherb %s, %o : (!pto.tile<16x64xf32>, !pto.tile<16x8xi32>) -> !pto.tile<16x64xf32>"},
		Rules:    []Rule{offsetRows},
		Notes: []string{
			"Element types: the headers copy blocks of bytes to dst and never use the element type of src, so the elements of src and dst can have different sizes. Offsets count bytes.",
		},
	})
})

// TScatter is pto.tscatter, which writes elements to positions given by indices or by a
// pattern. On A2/A3, the scalar unit executes the form with indices.
var TScatter = Define("tscatter", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TSCATTER"), Family: irregular,
		PipeOf: func(op *ir.Op, t ir.Target) sem.Pipe {
			if op.Arg("indexes") != nil && t != sem.A5 {
				return sem.PipeS
			}
			return sem.PipeV
		},
		Doc:   "Fills dst with zeros and scatters the elements of src: to the offsets that indexes names, or to the places that a pattern marks.",
		Ins:   Args{In("src", VecTile(scatterElems)), Opt("indexes", VecTile(Both(Ints16|Ints32)))},
		Outs:  Args{Out("dst", LikeTile("src"))},
		Order: []string{"src", "dst", "indexes"},
		DPS:   patternSyntax("", "indexes", ""),
		Attrs: []ir.AttrDef{maskAxis, maskPattern},
		Sem:   sem.TileScatter{},
		Cpp: Calls("TSCATTER({dst}, {src}, {indexes})",
			"TSCATTER<pto::MaskPattern::{maskPattern}, pto::ScatterAxis::SCATTER_{axis^|ROW}>({dst}, {src})"),
		Rules: []Rule{scatterForm, wideRows("src")},
		Notes: []string{
			"Indices: they are rows in the ISA page, and columns in the IR manual. In the headers of A2/A3 and A5, in the simulator, in a production frontend and in reports from devices, an index is the number of an element, counted from the start of dst. ptogo also counts elements.",
			"Elements to which nothing goes: the pages do not speak of them, the simulator keeps what stood there where indices are used. The headers and reports from devices fill all of dst with zeros first; so does this, but for P1111, a plain copy.",
		},
		Examples: []string{"%d = pto.tscatter %s, %i : (!pto.tile<16x64xf32>, !pto.tile<16x64xi32>) -> !pto.tile<32x64xf32>"},
	})
})

// patternTimes returns the factor by which dst of a tscatter is larger than src along the
// axis of the pattern a: 1 if the pattern marks every position (P1111), 2 if it marks
// every second position, and 4 if it marks every fourth position.
func patternTimes(a ir.Attr) int64 {
	switch a.Keyword() {
	case "P1111":
		return 1
	case "P0101", "P1010":
		return 2
	}
	return 4
}

// scatterForm is the rule that tscatter must have the operands and attributes of one of
// its two variants: a scatter by indices, or a scatter by a mask pattern.
var scatterForm = Check(func(op *ir.Op, t ir.Target) string {
	src, _ := TileArg(op, "src")
	dst, _ := TileArg(op, "dst")
	idx, index := TileArg(op, "indexes")
	pattern := op.Attr("maskPattern")
	axis, hasAxis := op.Attr("axis").AsString()
	times := patternTimes(pattern)
	switch {
	case index == !pattern.IsZero():
		return "needs either \"indexes\" or a maskPattern"
	case index && hasAxis:
		return "attribute \"axis\" requires a maskPattern"
	case index && ByteSize(idx.Elem) != scatterIndexSize(src.Elem):
		return fmt.Sprintf("\"indexes\" must have elements of %d bytes for %s, but has %s", scatterIndexSize(src.Elem), src.Elem, idx.Elem)
	case index:
		return ""
	case src.BLayout != RowMajor || dst.BLayout != RowMajor:
		return "tiles must be row_major"
	case axis == "col":
		return multiplied("columns", "rows", src.VCols, dst.VCols, src.VRows, dst.VRows, times)
	}
	return multiplied("rows", "columns", src.VRows, dst.VRows, src.VCols, dst.VCols, times)
})

// scatterIndexSize returns the size in bytes of the indices with which tscatter addresses
// elements of type t. The ISA page permits 64-bit elements but does not specify their
// indices; the public library uses 32-bit indices.
func scatterIndexSize(t ir.Type) int { return min(max(2, ByteSize(t)), 4) }

// multiplied checks the valid region of dst against that of src. Along one axis (rows or
// columns), dst must have as many valid elements as src: srcSame and dstSame must be
// equal. Along the other axis, dst must have a multiple of the valid elements of src: the
// last argument is the factor, and dstMore must be srcMore multiplied by this factor. The
// two strings are the names of the first and the second axis in messages. multiplied
// returns a message for a violation, and "" otherwise.
func multiplied(same, more string, srcSame, dstSame, srcMore, dstMore, times int64) string {
	switch {
	case !MaybeEqual(srcSame, dstSame):
		return fmt.Sprintf("valid %s of \"src\" and \"dst\" must be equal, but are %d and %d", same, srcSame, dstSame)
	case srcMore != ir.Dynamic && !MaybeEqual(dstMore, srcMore*times):
		return fmt.Sprintf("\"dst\" must have %d valid %s, %d for each of \"src\", but has %d", srcMore*times, more, times, dstMore)
	}
	return ""
}

// MarkedPlaces is a periodic pattern, such as P0101, of marked positions along the rows
// or the columns of a tile. Gathers and scatters with a pattern select the marked
// positions.
type MarkedPlaces struct {
	// Size is the period of the pattern: its number of positions.
	Size int
	// Marks are the marked positions within a period, in increasing order.
	Marks []int
	// ByRows reports whether the positions are rows. If it is false, they are columns.
	ByRows bool
}

// MarkedPlacesOf decodes the attributes maskPattern and axis of op. The pattern consists
// of binary digits and repeats along rows or columns. The last (rightmost) digit is for
// the row or column with index 0. A digit 1 means that the instruction selects the row or
// column.
func MarkedPlacesOf(op *ir.Op) MarkedPlaces {
	digits := op.Attr("maskPattern").Keyword()[1:]
	axis, _ := op.Attr("axis").AsString()
	p := MarkedPlaces{Size: len(digits), ByRows: axis == "col"}
	for i := range digits {
		if digits[len(digits)-1-i] == '1' {
			p.Marks = append(p.Marks, i)
		}
	}
	return p
}

// Leaves reports whether the pattern omits some positions.
func (p MarkedPlaces) Leaves() bool { return len(p.Marks) < p.Size }

// place returns the index of the element that the i-th mark of a repeating pattern
// selects. Marks are counted from 0 over all periods of the pattern.
func (p MarkedPlaces) place(i int) int { return i/len(p.Marks)*p.Size + p.Marks[i%len(p.Marks)] }

// Place returns the position in a tile of an element that a repeating pattern marks. The
// pattern marks some rows or some columns of the tile. r and c are the row and column of
// the element in the matrix that contains only the marked rows or columns. The results
// are its row and column in the tile.
func (p MarkedPlaces) Place(r, c int) (int, int) {
	if p.ByRows {
		return p.place(r), c
	}
	return r, p.place(c)
}
