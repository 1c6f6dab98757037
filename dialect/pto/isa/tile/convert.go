// This file defines pto.tcvt with its legal pairs of types.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// The pairs of element types that tcvt can convert: the variable conversions contains the
// pairs for A2 and A3, and the variable conversionsA5 contains the pairs for A5.
var (
	// conversions and conversionsA5 are the pairs of types that the ISA page lists for a
	// target. The headers convert exactly these. For any other pair, the A5 headers have
	// no overload, and those of A2/A3 compile but convert nothing.
	conversions = []cast{
		{F32, Floats | I16 | I32 | I64}, {F16, F32 | I32 | I16 | Ints8 | I4}, {BF16, F32 | I32},
		{I16, F16 | F32}, {I32, F32 | I16 | I64 | F16}, {I64, F32 | I32}, {Ints8 | I4, F16},
	}
	conversionsA5 = []cast{
		{F32, Floats | I16 | I32 | I64 | FP8 | HiF8}, {F16, F32 | I32 | I16 | Ints8 | HiF8}, {BF16, F32 | I32 | F16 | FP4},
		{I16, U8 | F16 | F32 | U32 | I32}, {I32, F32 | Ints16 | I64 | U8}, {I64, F32 | I32},
		{U8, F16 | U16}, {I8, F16 | I16 | I32}, {U32, U8 | Ints16}, {FP8 | HiF8, F32}, {FP4, BF16},
	}
)

// convertFrom and convertTo are the source and destination element types that tcvt
// supports, for each target.
var (
	convertFrom = On{A2A3: standard | I4, A5: standard | FP8 | HiF8 | FP4}
	convertTo   = convertFrom
)

// TCvt is pto.tcvt, which converts the elements of a tile to another type.
var TCvt = Define("tcvt", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TCVT"), Family: elementwise, Pipe: sem.PipeV,
		DPS:  ir.DPSInside(Always),
		Doc:  "Converts the elements of src to the type of dst.",
		Ins:  Args{In("src", VecTile(convertFrom)), ScratchArg("tmp", anyTmp)},
		Outs: Args{Out("dst", VecTile(convertTo))},
		Attrs: []ir.AttrDef{
			{Name: "rmode", Type: RoundModeEnum, Default: RoundModeEnum.Attr("CAST_RINT"), Doc: "how values between two neighbours are rounded"},
			{Name: "sat_mode", Text: "satmode", Type: SaturationModeEnum, Optional: true, Doc: "ON cuts values to the range of dst; if left out, the pair of types decides"},
		},
		Sem:         sem.TileConvert{},
		Cpp:         Calls("TCVT({dst}, {src}[, {tmp}], RoundMode::{rmode+CAST_}[, SaturationMode::{sat_mode}])"),
		ScratchTile: convertScratch,
		Rules:       []Rule{packedValid, convertColumns, convertible(sem.OnA2A3, conversions), convertible(sem.OnA5, conversionsA5), convertShapes, convertTmp},
		Notes: []string{
			"The IR manual leaves pairs of standard types to the target, the ISA page lists them by profile and forbids others; so does the verifier. The headers of A5 have no overload for others, those of A2/A3 build them and convert nothing.",
			"Saturation: without sat_mode the ISA page lets the pair decide, the IR manual turns it off; public golden data wraps for some pairs of integers and clamps otherwise. We follow the ISA page: the C++ is the call without a mode, for which the library has the same defaults; ptoas writes OFF there.",
			"NaN with saturation: zero in integers and floats of 8 bits. f16 and bf16 get zero on A5, where the public expansion is vcvt with SAT, and keep NaN on A2/A3; the simulator keeps NaN on both.",
			"f32 to f32 rounds to integral values, as the ISA page and public golden data have it.",
			"NONE is \"no rounding\" to the manuals: integers truncate, as they do in all public libraries, and floats round to nearest even.",
			"ODD: the headers of all targets round f32 to f16 to odd, and treat every other pair as NONE; so do we. The manuals do not say which pairs have it, the simulator rounds to nearest, ties to odd.",
			"4-bit floats on A5, an odd number of values: the pages leave it open. Device tests convert a single number of the last pair from 4 bits, and write only complete pairs to 4 bits; so do we.",
			"hif8: the headers of A5 round to nearest, ties away from zero, whatever rmode says, and so do we; the pages leave it open, the simulator rounds ties down.",
			"i4 on A2/A3: the ISA page has it from and to f16; two numbers to a byte, in the first half of the room of a row, as the public tests read it. Into i4 values are clamped whatever sat_mode says, as the header and the simulator do.",
			"Floats to i32 and i64 on A2/A3 without tmp are clamped whatever sat_mode says: the header turns saturation on for these pairs, where the ISA page forwards sat_mode and the simulator leaves the result open. With tmp the header forwards it, too.",
		},
		Examples: []string{
			"%d = pto.tcvt %s {rmode = #pto<round_mode FLOOR>} : !pto.tile<16x64xf32> -> !pto.tile<16x64xi32>",
			"pto.tcvt ins(%s : !pto.tile_buf<vec, 16x64xf32>) outs(%d : !pto.tile_buf<vec, 16x64xf16>)",
		},
	})
})

// convertible returns a rule for conversions of tiles. Each element of pairs has legal
// element types of src and of dst. The rule requires that one element of pairs contains
// the types of both operands.
func convertible(targets sem.Profiles, pairs []cast) Rule {
	return TileCheck{On: targets, Args: []string{"src", "dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
		return castError(pairs, 0, t[0], t[1])
	}}
}

// convertColumns is the rule that the valid columns of the operands src and dst of tcvt
// contain the same number of values. A column of packed 4-bit floats contains two values, of
// which the last column may use one.
var convertColumns = TileCheck{On: sem.OnAll, Args: []string{"src", "dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
	src, dst := t[0], t[1]
	pairs := func(a, b TileInfo) bool {
		return Packs(a.Elem) == 2 && Packs(b.Elem) == 1 && a.VCols == CeilDiv(b.VCols, 2)
	}
	if src.VCols*Packs(src.Elem) != dst.VCols*Packs(dst.Elem) && !pairs(src, dst) && !pairs(dst, src) && src.VCols != ir.Dynamic && dst.VCols != ir.Dynamic {
		return fmt.Sprintf("valid columns of \"src\" and \"dst\" must hold the same number of values, but are %d of %s and %d of %s", src.VCols, src.Elem, dst.VCols, dst.Elem)
	}
	return ""
}}

// Packs returns how many values one column of a tile with elements of type t holds. The
// result is 2 for packed 4-bit floats, whose element is a pair, and 1 for all other
// types. In particular, it is 1 for 4-bit integers: although two of them share a byte,
// each has a column of its own.
func Packs(t ir.Type) int64 { return int64(1 + b2i(FP4.Has(t))) }

// b2i returns 1 for true and 0 for false.
func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// convertShapes is the rule that src and dst of tcvt must have storage for the same
// numbers of rows and columns. Columns count single numbers, also for types whose
// elements are pairs of numbers. The rule is not applied if one of the tiles is a region
// of another tile.
var convertShapes = TileCheck{On: sem.OnAll, Args: []string{"src", "dst"}, Check: func(op *ir.Op, t []TileInfo) string {
	src, dst := t[0], t[1]
	if isPart(op.Arg("src")) || isPart(op.Arg("dst")) || src.Rows == dst.Rows && src.Cols*Packs(src.Elem) == dst.Cols*Packs(dst.Elem) {
		return ""
	}
	return fmt.Sprintf("\"src\" and \"dst\" must hold the same number of values, but are %dx%d of %s and %dx%d of %s", src.Rows, src.Cols, src.Elem, dst.Rows, dst.Cols, dst.Elem)
}}

// isPart reports whether v is a region of another tile, the result of pto.subview.
func isPart(v *ir.Value) bool {
	return v != nil && v.Op() != nil && v.Op().Def() == SubView
}

// convertTmp is the rule that tcvt has a scratch tile if A2/A3 need one, which is the
// case for conversions that truncate out-of-range values to their low bits (wrap around).
var convertTmp = ScratchCheck(sem.OnA2A3, []string{"src", "dst"}, func(op *ir.Op, t []TileInfo) string {
	if !t[2].StaticValid() {
		return ""
	}
	if need := wrapScratch(op, t[1], t[2]); t[0].Bytes() < need {
		return fmt.Sprintf("\"tmp\" must hold %d bytes, but holds %d", need, t[0].Bytes())
	}
	return ""
})

// convertScratch returns the scratch tile with which A2/A3 truncate values that are out
// of range to their low bits (wrap around). The bool result is false if a conversion
// needs none.
func convertScratch(op *ir.Op, _ ir.Target) (TileInfo, bool) {
	src, _ := TileArg(op, "src")
	dst, ok := TileArg(op, "dst")
	need := wrapScratch(op, src, WholeTile(dst))
	return ScratchBytes(ir.I8, CeilDiv(need, 32)*32), ok && need > 0
}

// wrapScratch returns the number of scratch bytes that A2/A3 need for op, a tcvt from src
// to dst, to truncate values that are out of range to their low bits. It returns 0 if the
// conversion saturates.
func wrapScratch(op *ir.Op, src, dst TileInfo) (need int64) {
	switch rows, cols := dst.VRows, dst.VCols; {
	case attrIs(op, "sat_mode", "ON") || rows <= 0 || cols <= 0:
	case F32.Has(src.Elem) && Ints16.Has(dst.Elem):
		need = 256 * min(cols/64, 255)
		if rest := cols % 64; rest != 0 {
			need = max(need, 32*((min(rows, 255)-1)*(src.Cols/8)+CeilDiv(rest, 8)))
		}
	case F16.Has(src.Elem) && (Ints8 | Ints16).Has(dst.Elem):
		width := min(cols, 64)
		need = 32 * CeilDiv(width, 8)
		if Ints8.Has(dst.Elem) {
			need = max(need, 128+32*CeilDiv(width, 16))
		}
	}
	return need
}

// packedValid is the rule that src and dst of tcvt have equal valid regions, where a
// column of packed 4-bit floats may count as two columns.
var packedValid = ValidRule{On: sem.OnAll, A: "src", B: "dst", Tests: []ValidTest{{Kind: TestEqual}, {Kind: TestPackedEqual, Axis: 1}}}

// roundModes maps the keywords of attribute rmode of tcvt to rounding modes. If the
// attribute is absent, or is NONE, the mode is to nearest even. If a target cannot round
// to odd, ODD means to nearest even as well.
var roundModes = map[string]num.Rounding{
	"NONE": num.NearestEven, "RINT": num.NearestEven, "CAST_RINT": num.NearestEven,
	"ROUND": num.NearestAway, "FLOOR": num.Floor, "CEIL": num.Ceil, "TRUNC": num.Zero, "ODD": num.Odd,
}

// ConvertRounding returns the rounding mode of op, a conversion of tile elements. Without
// an attribute, conversions to integers truncate. Only f32 to f16 can be rounded to odd,
// because the hardware supports it for no other pair. Conversions to hif8 have a single
// rounding mode.
func ConvertRounding(op *ir.Op) num.Rounding {
	src, _ := TileArg(op, "src")
	dst, _ := TileArg(op, "dst")
	none := attrIs(op, "rmode", "NONE") || attrIs(op, "rmode", "ODD") && !(F32.Has(src.Elem) && F16.Has(dst.Elem))
	switch {
	case HiF8.Has(dst.Elem):
		return num.NearestAway
	case none && Floats.Has(src.Elem) && (Ints | Ints64 | I4).Has(dst.Elem):
		return num.Zero
	case none:
		return num.NearestEven
	}
	return roundModes[op.Attr("rmode").Keyword()]
}

// wrapping are the pairs of types for which A5 truncates values that are out of range to
// their low bits if attribute sat_mode is absent, according to public golden data (inputs
// with published results). Other pairs saturate.
var wrapping = []cast{{F16, Ints8 | I16}, {F32, I16}, {I64, I32}, {I32, I16}}

// ConvertSaturates reports whether op, a conversion of tile elements, converts values
// that are out of range to the nearest value of the destination type, and NaN to zero.
func ConvertSaturates(op *ir.Op) bool {
	if op.Def().Sem.(sem.TileConvert).Cut {
		return false
	}
	src, _ := TileArg(op, "src")
	dst, _ := TileArg(op, "dst")
	if clampedAnyway(op, src.Elem, dst.Elem) {
		return true
	}
	if op.HasAttr("sat_mode") {
		return attrIs(op, "sat_mode", "ON")
	}
	return !HiF8.Has(dst.Elem) && castError(wrapping, 0, src, dst) != ""
}

// narrowing lists the conversions from a float type to a 16-bit float type whose results
// the instruction vcvt saturates. Each entry is a source type with its destination types.
var narrowing = []cast{{F32, F16 | BF16}, {BF16, F16}}

// ConvertZeroesNaN reports whether op, a saturating conversion of tile elements, converts
// NaN to zero in 16-bit floats. Conversions on A5 do this: the public library uses the
// instruction vcvt with SAT on A5, and public golden data contain zeros. The A2/A3 header
// converts without a saturation that affects floats, so NaN is kept, as in the public
// simulator.
func ConvertZeroesNaN(op *ir.Op) bool {
	src, _ := TileArg(op, "src")
	dst, _ := TileArg(op, "dst")
	return sem.OnA5.Has(ir.TargetOf(op)) && castError(narrowing, 0, src, dst) == "" && ConvertSaturates(op)
}

// clampedAnyway reports whether the conversion from src to dst saturates even if
// attribute sat_mode is OFF.
func clampedAnyway(op *ir.Op, src, dst ir.Type) bool {
	wide := Floats.Has(src) && (I32 | I64).Has(dst)
	return I4.Has(dst) || wide && op.Arg("tmp") == nil && sem.OnA2A3.Has(ir.TargetOf(op))
}

// Definitions of the instructions that add or subtract two tiles, replace negative results
// by zero and convert the others.
var (
	TAddReluConv = reluConvert("taddreluconv", IsaPage("TADDReluConv"), "+", sem.TileAddReluConvert{})
	TSubReluConv = reluConvert("tsubreluconv", "pto-isa:include/pto/npu/a2a3/TSubReluConv.hpp", "-", sem.TileAddReluConvert{Sub: true})

	TAddDeqRelu = Define("tadddeqrelu", func(name string) *ir.Def {
		return TileOp(Op{
			Name: name, Page: IsaPage("TAddDeqRelu"), Family: elementwise, Pipe: sem.PipeV,
			Doc: "Scales src0 + src1 by deqScale, cuts at zero, and converts to f16, saturated.",
			Ins: Args{
				In("src0", RowMajorTile(Both(I32), sem.OnAll)), In("src1", LikeTile("src0").RowMajor(sem.OnAll)),
				In("deqScale", ir.Written(ir.F32)), ScratchArg("tmp", RowMajorTile(Both(I32), sem.OnAll)),
			},
			Outs: Args{Out("dst", RowMajorTile(Both(F16), sem.OnAll))},
			Sem:  sem.TileAddReluConvert{Deq: true}, Scratch: sem.OnAll, ScratchTile: ScratchLike("src0"),
			Rules:    []Rule{SameValid(sem.OnAll, "src0", "dst"), SameValid(sem.OnAll, "src1", "dst"), NonEmptyValid(sem.OnAll, "dst"), deqTmp},
			Examples: []string{"%d = pto.tadddeqrelu %a, %b, %s : (!pto.tile<16x64xi32>, !pto.tile<16x64xi32>, f32) -> !pto.tile<16x64xf16>"},
		})
	})
)

// reluConvert defines the instruction pto.NAME, which adds or subtracts two tiles, as the
// sign states, replaces negative results by zero and converts the others.
func reluConvert(name, page, sign string, kind sem.TileAddReluConvert) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return TileOp(Op{
			Name: name, Page: page, Family: elementwise, Pipe: sem.PipeV,
			Doc:  "Converts max(src0 " + sign + " src1, 0) to the type of dst, saturated.",
			Ins:  Args{In("src0", RowMajorTile(Both(F32|F16|I16), sem.OnAll)), In("src1", LikeTile("src0").RowMajor(sem.OnAll))},
			Outs: Args{Out("dst", RowMajorTile(Both(F16|I8), sem.OnAll))},
			Sem:  kind,
			Notes: []string{
				"Sums and differences beyond i16: the headers of A5 add in i16, which wraps (a5/TAddReluConv.hpp, a5/TSubReluConv.hpp), and so do we there; on A2/A3 one instruction does all steps, and the exact sum is clamped, as in the ISA page.",
			},
			Rules: []Rule{SameValid(sem.OnAll, "src0", "dst"), SameValid(sem.OnAll, "src1", "dst"), NonEmptyValid(sem.OnAll, "dst"),
				TileCheck{On: sem.OnAll, Args: []string{"src0", "dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
					return castError([]cast{{F32, F16}, {F16 | I16, I8}}, 0, t[0], t[1])
				}}},
			Examples: []string{"%d = pto." + name + " %a, %b : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf16>"},
		})
	})
}

// deqTmp is the rule that a fused addition and conversion has a scratch tile for the
// sums. The tile must have at least as many rows and columns as the valid region of dst.
var deqTmp = ScratchCheck(sem.OnAll, []string{"dst"}, func(_ *ir.Op, t []TileInfo) string {
	if t[1].VRows > t[0].Rows || t[1].VCols > t[0].Cols {
		return fmt.Sprintf("\"tmp\" must hold %dx%d elements, but is %dx%d", t[1].VRows, t[1].VCols, t[0].Rows, t[0].Cols)
	}
	return ""
})
