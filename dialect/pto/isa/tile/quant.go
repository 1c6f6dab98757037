// This file defines quantization to 8-bit integers.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// TQuant is pto.tquant, which quantizes f32 to 8-bit integers with a scale and an offset.
var TQuant = Define("tquant", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TQUANT"), Family: irregular, Pipe: sem.PipeV,
		Doc: "Quantizes f32 elements to 8-bit integers, row by row: scaled by fp, moved by offset, rounded and saturated.",
		Ins: Args{
			In("src", VecTile(Both(F32))), In("fp", VecTile(Both(F32))), Opt("offset", VecTile(Both(F32))),
			ScratchArg("tmp", VecTile(Both(F32))),
		},
		Outs:  Args{Out("dst", VecTile(Both(Ints8)))},
		DPS:   ir.DPSLists([]string{"src", "fp", "offset"}, []string{"dst", "tmp"}),
		Attrs: []ir.AttrDef{{Name: "quant_type", Type: QuantTypeEnum, Doc: "INT8_SYM, or INT8_ASYM with an offset"}},
		Sem:   sem.TileQuant{},
		Cpp: Calls("TQUANT<pto::QuantType::{quant_type}, {type dst}, {type src}, {type fp}, {type !tmp}>({dst}, {src}, {fp}, {!tmp}[, &{offset=fp}])",
			"TQUANT<pto::QuantType::{quant_type}, {type dst}, {type src}, {type fp}>({dst}, {src}, {fp}[, &{offset=fp}])"),
		ScratchTile: ScratchLike("src"),
		Rules:       []Rule{Check(quantForm), SameValid(sem.OnAll, "src", "dst"), quantTmp, quantParam("fp"), quantParam("offset")},
		Examples:    []string{"%d = pto.tquant %s, %f {quant_type = #pto<quant_type INT8_SYM>} : (!pto.tile<16x64xf32>, !pto.tile<16x1xf32, blayout=col_major>) -> !pto.tile<16x64xi8>"},
		Notes: []string{
			"dst: the IR manual pairs i8 with INT8_SYM and ui8 with INT8_ASYM. The quantization kind determines the range, and the public compiler accepts both types for both kinds.",
			"The ISA page divides by a scale; public code multiplies, so fp holds the reciprocal.",
			"The ISA page rounds before the offset is added; the headers of A2/A3 and A5, the simulator and the data of the tests after. So does this.",
			"MX kinds belong to tquant.mx, as the IR manual has it; the ISA page has one instruction.",
		},
	})
})

// quantForm returns a message if the offset and the type of dst do not match attribute
// quant_type (signed or unsigned integers), and "" otherwise.
func quantForm(op *ir.Op, _ ir.Target) string {
	kind := op.Attr("quant_type").Keyword()
	offset := op.Arg("offset") != nil
	switch {
	case kind != "INT8_SYM" && kind != "INT8_ASYM":
		return "quant_type must be INT8_SYM or INT8_ASYM, but is " + kind
	case kind == "INT8_SYM" && offset:
		return "INT8_SYM must not have operand \"offset\""
	case kind == "INT8_ASYM" && !offset:
		return "INT8_ASYM needs operand \"offset\""
	}
	return ""
}

// quantTmp is the rule that tquant has a scratch tile with the shape of src on A2/A3.
var quantTmp = ScratchCheck(sem.OnA2A3, []string{"src", "dst"}, func(_ *ir.Op, t []TileInfo) string {
	tmp, src := t[0], t[1]
	switch {
	case tmp.BLayout != RowMajor || src.BLayout != RowMajor || t[2].BLayout != RowMajor:
		return "with \"tmp\" tiles must be row_major"
	case tmp.Rows != src.Rows || tmp.Cols != src.Cols || !sameExtent(tmp, src):
		return "\"tmp\" must have the shape and valid region of \"src\""
	}
	return ""
})

// quantParam returns a rule for A2/A3. The named operand must be a column with one
// element for each valid row of dst.
func quantParam(name string) Rule {
	return TileCheck{On: sem.OnA2A3, Args: []string{name, "dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
		if t[0].BLayout == RowMajor || !MaybeEqual(t[0].VRows, t[1].VRows) || !MaybeEqual(t[0].VCols, 1) {
			return fmt.Sprintf("\"%s\" must be a col_major column with one element for each valid row of \"dst\"", name)
		}
		return ""
	}}
}

// TDequant is pto.tdequant, which converts quantized integers back to f32.
var TDequant = Define("tdequant", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TDEQUANT"), Family: irregular, Pipe: sem.PipeV,
		Doc:      "Computes (src - offset) * scale in f32, with one offset and scale per row.",
		Ins:      Args{In("src", VecTile(Both(I8|I16))), In("scale", VecTile(Both(F32))), In("offset", VecTile(Both(F32)))},
		Outs:     Args{Out("dst", VecTile(Both(F32)))},
		Sem:      sem.TileDequant{},
		Cpp:      Calls("TDEQUANT<{type dst}, {type src}, {type scale}>({dst}, {src}, {scale}, {offset=scale})"),
		Rules:    []Rule{SameValid(sem.OnAll, "src", "dst"), SameValidRows(sem.OnAll, "scale", "dst"), SameValidRows(sem.OnAll, "offset", "dst")},
		Notes:    []string{"Scales and offsets with several columns: the NPU headers of A2/A3 (ApplyScaleAndOffset) and A5 (distribution BRC_B32) use the first element of each row, and so do we; the simulator uses the element of the column."},
		Examples: []string{"%d = pto.tdequant %s, %f, %o : (!pto.tile<16x64xi8>, !pto.tile<16x1xf32, blayout=col_major>, !pto.tile<16x1xf32, blayout=col_major>) -> !pto.tile<16x64xf32>"},
	})
})
