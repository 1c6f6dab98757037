// This file defines which element types the device library rejects or treats as others
// (DeviceRule).

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// libraryElems returns the rule that the C++ of the library compiles only if the tile
// operand with the given name has one of the element types in the set elems. The
// parameter header is the static assertion.
func libraryElems(on sem.Profiles, name string, elems Elems, header string) Rule {
	return libraryElemsIf(on, name, elems, header, func(*ir.Op) bool { return true })
}

// libraryElemsIf is libraryElems for operations for which when returns true.
func libraryElemsIf(on sem.Profiles, name string, elems Elems, header string, when func(op *ir.Op) bool) Rule {
	return DeviceRule{
		On: on, Class: "types", Warns: on,
		Does:   "a static assertion of the NPU headers rejects other element types",
		Header: header + " of pto-isa",
		Way:    "convert the elements by pto.tcvt",
		Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
			t, ok := x.Tile(name)
			if !ok || elems.Has(t.Elem) || !when(op) {
				return ""
			}
			return fmt.Sprintf("the device library has no code for \"%s\" with elements of type %s", name, t.Elem)
		},
	}
}

// comparedForEquality returns the rule on comparisons of integers on A2/A3. name is the
// name of the first operand.
func comparedForEquality(name string) Rule {
	return DeviceRule{
		On: sem.OnA2A3, Class: "comparison", Warns: sem.OnA2A3,
		Does:   "the NPU headers compare elements of i32 for equality, whatever the mode is; only eq and ne give the result of the mode",
		Header: "vcmpv_eq in CmpCall of a2a3/TCmp.hpp and vcmpvs_eq in GenCmpCall of a2a3/TCmps.hpp of pto-isa",
		Way:    "compare f32 or f16: convert the elements by pto.tcvt",
		Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
			t, ok := x.Tile(name)
			mode, _ := op.Attr("cmpMode").AsString()
			if mode == "" {
				mode = op.Attr("cmpMode").Keyword()
			}
			if !ok || !I32.Has(t.Elem) || mode == "" || mode == "eq" || mode == "ne" {
				return ""
			}
			return fmt.Sprintf("the device compares elements of i32 by eq, not by %s", mode)
		},
	}
}

// comparedAsHalf is the rule on comparisons of 16-bit integers with a scalar on A2/A3.
var comparedAsHalf = DeviceRule{
	On: sem.OnA2A3, Class: "comparison of i16", Warns: sem.OnA2A3, Written: true,
	Does:   "the NPU headers compare the bits of 16-bit integers as if they were f16: the order of negative numbers is the opposite, 0 equals -32768, and numbers whose bits are a NaN compare as unordered",
	Header: "reinterpret_cast<__ubuf__ half*> in GenCmpCall of a2a3/TCmps.hpp of pto-isa",
	Way:    "compare numbers from 0 to 31744 only, or convert the elements to f16 or f32 by pto.tcvt",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		t, ok := x.Tile("src")
		if !ok || !Ints16.Has(t.Elem) {
			return ""
		}
		return fmt.Sprintf("the device compares elements of %s as f16", t.Elem)
	},
}

// roundedScalar is the rule on the scalar that an instruction subtracts from 32-bit integers
// on A2/A3.
var roundedScalar = DeviceRule{
	On: sem.OnA2A3, Class: "rounded scalar", Warns: sem.OnA2A3, Written: true,
	Does:   "TSUBS rounds the scalar to f32 before it negates and adds it, so that integers beyond 16777216 lose their last bits (a fault of the NPU headers); TSUBSC calls it",
	Header: "(T)(-(float)src1) in SubSOp of a2a3/TSubS.hpp of pto-isa",
	Way:    "add the negated scalar by pto.tadds",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		dst, ok := x.Tile("dst")
		n := x.Number("scalar")
		if !ok || !Ints32.Has(dst.Elem) || n == ir.Dynamic || int64(float32(n)) == n {
			return ""
		}
		return fmt.Sprintf("the device subtracts %d instead of %d", int64(float32(n)), n)
	},
}

// indicesOfHalf is the rule on tpartargmax and tpartargmin of f16 with indices of 32 bits on
// A2/A3.
var indicesOfHalf = DeviceRule{
	On: sem.OnA2A3, Class: "indices", Warns: sem.OnA2A3,
	Does:   "for elements of f16 with indices of 32 bits, TPARTARGMAX and TPARTARGMIN select 64 indices of each 128 columns, and leave the others unwritten (a fault of the NPU headers)",
	Header: "TPartArgOps in a2a3/TPartArgOp.hpp of pto-isa: one vsel of 64 words for REPEAT_BYTE / sizeof(half) columns",
	Way:    "use indices of 16 bits, elements of f32, or at most 64 columns",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		const words = 64 // in a repeat of 256 bytes
		dst, ok := x.Tile("dst")
		index, ok2 := x.Tile("dstIdx")
		if !ok || !ok2 || !F16.Has(dst.Elem) || ByteSize(index.Elem) != 4 || dst.VRows == 0 || dst.VCols <= words {
			return ""
		}
		return fmt.Sprintf("the device leaves indices after column %d unwritten, and \"dst\" has %d valid columns", words-1, dst.VCols)
	},
}

// oddBytes is the rule on trowmax and trowmin of bytes on A5.
var oddBytes = DeviceRule{
	On: sem.OnA5, Class: "odd columns", Warns: sem.OnA5,
	Does:   "for 8-bit elements, TROWMAX and TROWMIN also take the element after the valid columns into account if their number is odd (a fault of the NPU headers)",
	Header: "Reduce in a5/TRowReduce.hpp of pto-isa: the predicate of 8-bit elements selects lanes of 16 bits, so that the last even column brings its neighbor",
	Way:    "fill the column after the valid ones by pto.tfillpad, or convert the elements to f16 by pto.tcvt",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		if !ok || ByteSize(src.Elem) != 1 || src.VCols == ir.Dynamic || src.VCols%2 == 0 || src.VRows == 0 {
			return ""
		}
		return fmt.Sprintf("the device also reduces the element after the %d valid columns of \"src\"", src.VCols)
	},
}

// remainderOfBF16 is the rule on tfmods of bf16 on A5.
var remainderOfBF16 = DeviceRule{
	On: sem.OnA5, Class: "remainder", Warns: sem.OnA5,
	Does:   "for bf16, TFMODS does not truncate the quotient, so the result is nearly 0 (a fault of the NPU headers)",
	Header: "the last branch of FModSOp in a5/TFModS.hpp of pto-isa, which is for integers",
	Way:    "compute in f32: convert by pto.tcvt before and after",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		t, ok := x.Tile("src")
		if !ok || !BF16.Has(t.Elem) {
			return ""
		}
		return "the device computes src - src / scalar * scalar without truncation in bf16"
	},
}

// scatteredExtremes is the rule on the atomic operations of mscatter on A2/A3.
var scatteredExtremes = DeviceRule{
	On: sem.OnA2A3, Class: "types", Warns: sem.OnA2A3,
	Does:   "a static assertion of the NPU headers rejects maxima and minima in global memory",
	Header: "IsValidMScatterAtomic in a2a3/MScatter.hpp of pto-isa",
	Way:    "scatter to a tile and combine the tiles by pto.tmax or pto.tmin",
	Broken: func(op *ir.Op, _ ir.Target, _ DeviceOperands) string {
		if how := op.Attr("scatterAtomicOp").Keyword(); how == "max" || how == "min" {
			return fmt.Sprintf("the device library has no code for scatterAtomicOp %s", how)
		}
		return ""
	},
}

// loadedElems is the rule on the element types of a load into mat.
var loadedElems = DeviceRule{
	On: sem.OnAll, Class: "types", Warns: sem.OnAll,
	Does:   "the NPU headers load into mat only elements of exactly the type of the tile, and on A5 into boxes elements of at most 32 bits",
	Header: "pto_copy_gm_to_cbuf_multi_nd2nz in tload_common.hpp, the overloads of TLoadCubeInstr and \"DType not support b64 in ND2NZ or DN2NZ\" in a5/TLoad.hpp of pto-isa",
	Way:    "declare the tensor with the element type of the tile",
	Broken: func(op *ir.Op, t ir.Target, x DeviceOperands) string {
		dst, ok := x.Tile("dst")
		src := ir.ElementType(ir.EnvOf(op, t).Type("src"))
		if !ok || dst.Space != sem.L1 {
			return ""
		}
		if t == sem.A5 && ByteSize(dst.Elem) == 8 && dst.SLayout != NoneBox {
			return fmt.Sprintf("the device library has no code to load elements of type %s into boxes", src)
		}
		if src == dst.Elem || t != sem.A5 && dst.SLayout == NoneBox {
			return ""
		}
		return fmt.Sprintf("the device library has no code to load elements of type %s into a tile of %s in mat", src, dst.Elem)
	},
}

// narrowBoxes is the rule on the columns of a tile of 4-bit floats with boxes in mat.
var narrowBoxes = DeviceRule{
	On: sem.OnA5, Class: "narrow boxes", Warns: sem.OnA5, Written: true,
	Does:   "a load into boxes of mat stores each row in 32 bytes, which are 64 numbers of 4 bits, also if the tile has fewer columns, and overwrites what follows the tile",
	Header: "InnerCols in pto_tile.hpp of pto-isa, which counts numbers as bytes, and TLoad.hpp of A5",
	Way:    "use a tile of 32 columns of pairs, of which fewer are valid",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		dst, ok := x.Tile("dst")
		if !ok || dst.Space != sem.L1 || !FP4.Has(dst.Elem) || formOf(dst) != formNZ || dst.Cols%32 == 0 {
			return ""
		}
		return fmt.Sprintf("the device stores rows of \"dst\" in multiples of 32 bytes, but they have %d", dst.Cols)
	},
}

// storedPairs is the rule on stores of 4-bit floats to a tensor of another type.
var storedPairs = DeviceRule{
	On: sem.OnA5, Class: "types", Warns: sem.OnA5,
	Does:   "the NPU headers count numbers in tiles of 4-bit floats and elements in the tensor, and assert that both counts are equal",
	Header: "validCol == gShape4 in a5/TStore.hpp of pto-isa",
	Way:    "declare the tensor with the element type of the tile",
	Broken: func(op *ir.Op, t ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst := ir.ElementType(ir.EnvOf(op, t).Type("dst"))
		if !ok || !FP4.Has(src.Elem) || FP4.Has(dst) {
			return ""
		}
		return fmt.Sprintf("the device stores elements of type %s to tensors of 4-bit floats only, not of %s", src.Elem, dst)
	},
}

// windowOfPairs is the rule on windows of tiles of 4-bit floats within vec.
var windowOfPairs = DeviceRule{
	On: sem.OnA5, Class: "pairs", Warns: sem.OnA5,
	Does:   "the NPU headers compute addresses with one byte for each column, but a C++ tile of 4-bit floats has a column for each number, which is half a byte (a fault of the NPU headers)",
	Header: "TExtractVecToVecNDImpl in a5/TExtract.hpp and its counterpart in a5/TInsert.hpp of pto-isa",
	Way:    "declare the tiles with elements of ui8, one for each pair",
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst, ok2 := x.Tile("dst")
		if !ok || !ok2 || !FP4.Has(src.Elem) || src.Space != sem.UB || dst.Space != sem.UB || src.SLayout != NoneBox {
			return ""
		}
		return fmt.Sprintf("the device finds the rows of tiles of %s at twice their distance", src.Elem)
	},
}

// movedPairs is the rule on moves of 4-bit floats within vec.
var movedPairs = DeviceRule{
	On: sem.OnA5, Class: "pairs", Warns: sem.OnA5,
	Does:   windowOfPairs.Does,
	Header: "TMovVecToVec in a5/TMov.hpp of pto-isa",
	Way:    windowOfPairs.Way,
	Broken: func(_ *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst, ok2 := x.Tile("dst")
		if !ok || !ok2 || src.Space != sem.UB || dst.Space != sem.UB || !FP4.Has(src.Elem) && !FP4.Has(dst.Elem) {
			return ""
		}
		if FP4.Has(src.Elem) == FP4.Has(dst.Elem) && MaybeEqual(src.VCols, src.Cols) && MaybeEqual(dst.VCols, dst.Cols) && src.Cols == dst.Cols {
			return ""
		}
		return fmt.Sprintf("the device moves whole rows of tiles of %s to equal tiles only", src.Elem)
	},
}

// droppedFactor is the rule on moves out of acc with a factor that keep the element type.
var droppedFactor = DeviceRule{
	On: sem.OnAll, Class: "factor", Warns: sem.OnAll,
	Does:   "the NPU headers select no quantization (NoQuant) for these element types, and ignore the factor",
	Header: "GetScalarPreQuantMode and GetVectorPreQuantMode in a2a3/common.hpp and a5/common.hpp of pto-isa",
	Way:    "move to f16, bf16 or 8 bits with the factor, or multiply by pto.tmuls in vec",
	Broken: func(op *ir.Op, _ ir.Target, x DeviceOperands) string {
		src, ok := x.Tile("src")
		dst, ok2 := x.Tile("dst")
		if !ok || !ok2 || src.Space != sem.L0C || src.Elem != dst.Elem || op.Arg("fp") == nil && op.Arg("preQuantScalar") == nil {
			return ""
		}
		return fmt.Sprintf("the device ignores the factor if both elements are %s", src.Elem)
	},
}

// withinVec reports whether op moves a tile within vec.
func withinVec(op *ir.Op) bool {
	src, ok := TileArg(op, "src")
	dst, ok2 := TileArg(op, "dst")
	return ok && ok2 && src.Space == sem.UB && dst.Space == sem.UB
}
