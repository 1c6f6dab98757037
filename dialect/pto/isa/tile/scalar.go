// This file defines elementwise instructions with a scalar operand.

package tile

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// The supported element types of instructions on a tile and a scalar, for each target.
// Only newer pages of the manual list 64-bit integers on A5.
var (
	arithElems = On{A2A3: I16 | I32 | F16 | F32, A5: Ints | Ints64 | Floats}
	divElems   = On{A2A3: I16 | I32 | F16 | F32, A5: Ints | Ints64 | F16 | F32}
	bitElems   = Both(Ints)
	shiftElems = On{A2A3: Ints16 | Ints32, A5: Ints | Ints64}
	remElems   = On{A2A3: I32 | F32, A5: Ints16 | Ints32 | Ints64 | F16 | F32}
	fmodElems  = On{A2A3: F32, A5: Ints16 | Ints32 | F16 | BF16 | F32}
)

// colsOnA5 are the rules that src and dst of an instruction with a scalar operand must
// have equal valid regions. On A5, different numbers of valid rows cause only a warning,
// because the manual requires equal rows only for A2/A3.
var colsOnA5 = append(Lax(SameValidRows(sem.OnA5, "src", "dst")), SameValid(sem.OnA2A3, "src", "dst"), SameValidCols(sem.OnA5, "src", "dst"))

// TAddS is pto.tadds, which adds a scalar to each element of a tile.
var TAddS = Define("tadds", func(name string) *ir.Def {
	return tileScalar(Op{
		Name: name, Page: IsaPage("TADDS"), Rules: colsOnA5,
		Doc:      "Adds scalar to every element of src.",
		Examples: []string{"%d = pto.tadds %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>"},
	}, scalar.Add, arithElems, sem.OnA2A3)
})

// TSubS is pto.tsubs, which subtracts a scalar from each element of a tile.
var TSubS = Define("tsubs", func(name string) *ir.Def {
	return tileScalar(Op{
		Name: name, Page: IsaPage("TSUBS"), Rules: []Rule{SameValid(sem.OnAll, "src", "dst"), roundedScalar},
		Doc:      "Subtracts scalar from every element of src.",
		Examples: []string{"%d = pto.tsubs %t, %s : (!pto.tile<16x64xf16>, f16) -> !pto.tile<16x64xf16>"},
	}, scalar.Sub, arithElems, 0)
})

// TMulS is pto.tmuls, which multiplies each element of a tile by a scalar.
var TMulS = Define("tmuls", func(name string) *ir.Def {
	return tileScalar(Op{
		Name: name, Page: IsaPage("TMULS"), Rules: append(colsOnA5[:len(colsOnA5):len(colsOnA5)], libraryElems(sem.OnA5, "src", AnyElem.A5&^Ints8, "\"TMULS: Invalid data type\" in a5/TMulS.hpp")),
		Doc:      "Multiplies every element of src by scalar.",
		Examples: []string{"%d = pto.tmuls %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>"},
		Notes:    []string{"i8 on A5: the IR manual has it, the ISA page has not; accepted."},
	}, scalar.Mul, arithElems, sem.OnA2A3)
})

// TMaxS is pto.tmaxs, which computes the maximum of each element of a tile and a scalar.
var TMaxS = Define("tmaxs", func(name string) *ir.Def {
	return tileScalar(Op{
		Name: name, Page: IsaPage("TMAXS"),
		Doc:      "Computes the larger of scalar and each element of src; NaN wins.",
		Examples: []string{"%d = pto.tmaxs %t, %s : (!pto.tile<16x64xi32>, i32) -> !pto.tile<16x64xi32>"},
	}, scalar.Max, arithElems, 0)
})

// TMinS is pto.tmins, which computes the minimum of each element of a tile and a scalar.
var TMinS = Define("tmins", func(name string) *ir.Def {
	return tileScalar(Op{
		Name: name, Page: IsaPage("TMINS"),
		Doc:      "Computes the smaller of scalar and each element of src; NaN wins.",
		Rules:    []Rule{SameValid(sem.OnA2A3, "src", "dst"), SameValidCols(sem.OnA5, "src", "dst")},
		Examples: []string{"%d = pto.tmins %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>"},
	}, scalar.Min, arithElems, 0)
})

// TFModS is pto.tfmods, which computes the remainder of each element divided by a scalar.
// The result has the sign of the dividend.
var TFModS = Define("tfmods", func(name string) *ir.Def {
	return tileScalar(Op{
		Ins:  Args{In("src", RowMajorTile(fmodElems, sem.OnA2A3)), In("scalar", ScalarOf("src"))},
		Name: name, Page: IsaPage("TFMODS"), Cpp: Calls("TFMODS<[pto::FmodSAlgorithm::{precisionType^}]>({dst}, {src}, {scalar})"),
		Doc: "Computes the remainder of every element of src divided by scalar, with the sign of the element.",
		Attrs: []ir.AttrDef{
			{Name: "precisionType", Type: FmodPrecisionEnum, Default: FmodPrecisionEnum.Attr("default"), Doc: "high_precision of f32 on A5 is exact; elsewhere it changes nothing"},
		},
		Sem:      sem.TileMap{Fn: scalar.Fmod, Choose: fmodFn},
		Rules:    append(Overwritten("src"), SameValid(sem.OnAll, "src", "dst"), NonEmptyValid(sem.OnA2A3, "dst"), remainderOfBF16),
		Notes:    []string{fmodNote},
		Examples: []string{"%d = pto.tfmods %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>"},
	}, scalar.Fmod, fmodElems, sem.OnA2A3)
})

// TRemS is pto.trems, which computes the remainder of each element divided by a scalar.
// The result has the sign of the divisor.
var TRemS = Define("trems", func(name string) *ir.Def {
	return tileScalarTmp(Op{
		Name: name, Page: IsaPage("TREMS"),
		Cpp:         Calls("TREMS<[pto::RemSAlgorithm::{precisionType^}]>({dst}, {src}, {scalar}, {tmp})"),
		Doc:         "Computes the remainder of every element of src divided by scalar, with the sign of scalar.",
		Attrs:       []ir.AttrDef{precision(RemPrecisionEnum)},
		Sem:         sem.TileMap{Fn: scalar.Rem, Choose: remainderFn(scalar.FloorByQuotient, scalar.RemSInF32)},
		ScratchTile: ScratchRows("dst", 1),
		Rules: append(Overwritten("src"), scalarMatches("scalar", "dst"), TmpScratch(sem.OnA2A3, "dst", 1), TmpHolds(sem.OnA2A3, "dst", rowBytes),
			wideRows("src"), Apart{On: sem.OnA5, A: "src", B: "dst", When: unsigned64, Late: true}),
		Notes:    []string{"The IR manual has the sign of the dividend; the ISA page, which goes first, rounds down.", remSteps, remUncorrected, remZero, remWide},
		Examples: []string{"%d = pto.trems %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>"},
	}, scalar.Rem, remElems)
})

// unsigned64 reports whether the source of op has unsigned elements of 64 bits. The headers
// of A5 store their quotients in dst before they compute remainders from src.
func unsigned64(op *ir.Op) bool {
	src, ok := TileArg(op, "src")
	return ok && U64.Has(src.Elem)
}

// bitNote is the note of reference pages about tands and tors that describes where public
// sources disagree.
const bitNote = "32 bits on A2/A3: the ISA page has all integers, the IR manual up to 16 bits; accepted."

// TAndS is pto.tands, which computes the bitwise and of each element of a tile and a
// scalar.
var TAndS = Define("tands", func(name string) *ir.Def {
	return tileScalar(Op{
		Name: name, Page: IsaPage("TANDS"),
		Notes:    []string{bitNote},
		Rules:    append(Overwritten("src"), SameValid(sem.OnAll, "src", "dst"), filledBySize),
		Doc:      "Ands scalar with every element of src.",
		Examples: []string{"%d = pto.tands %t, %s : (!pto.tile<16x64xi16>, i16) -> !pto.tile<16x64xi16>"},
	}, scalar.And, bitElems, 0)
})

// TOrS is pto.tors, which computes the bitwise or of each element of a tile and a scalar.
var TOrS = Define("tors", func(name string) *ir.Def {
	return tileScalar(Op{
		Name: name, Page: IsaPage("TORS"),
		Notes:    []string{bitNote},
		Rules:    append(Overwritten("src"), SameValid(sem.OnAll, "src", "dst"), filledBySize),
		Doc:      "Ors scalar with every element of src.",
		Examples: []string{"%d = pto.tors %t, %s : (!pto.tile<16x64xi16>, i16) -> !pto.tile<16x64xi16>"},
	}, scalar.Or, bitElems, 0)
})

// TXorS is pto.txors, which computes the bitwise exclusive or of each element of a tile
// and a scalar. It needs a scratch tile.
var TXorS = Define("txors", func(name string) *ir.Def {
	return tileScalarTmp(Op{
		Name: name, Page: IsaPage("TXORS"),
		Doc:         "Xors scalar with every element of src.",
		ScratchTile: ScratchLike("dst"),
		Rules:       append(Overwritten("src"), TmpHolds(sem.OnA2A3, "dst", TileInfo.Bytes), filledBySize),
		Examples:    []string{"%d = pto.txors %t, %s : (!pto.tile<16x64xi16>, i16) -> !pto.tile<16x64xi16>"},
	}, scalar.Xor, bitElems)
})

// shiftIns are the operands of shifts by a scalar. The count may be an integer of any
// width, as in the IR manual.
var shiftIns = Args{In("src", RowMajorTile(shiftElems, 0)), In("scalar", ir.AnyInteger)}

// TShlS is pto.tshls, which shifts each element of a tile left by a scalar.
var TShlS = Define("tshls", func(name string) *ir.Def {
	return tileScalar(Op{
		Ins:  shiftIns,
		Name: name, Page: IsaPage("TSHLS"),
		Doc:      "Shifts every element of src left by scalar bits.",
		Examples: []string{"%d = pto.tshls %t, %s : (!pto.tile<16x64xi32>, i32) -> !pto.tile<16x64xi32>"},
	}, scalar.ShlWide, shiftElems, 0)
})

// TShrS is pto.tshrs, which shifts each element of a tile right by a scalar.
var TShrS = Define("tshrs", func(name string) *ir.Def {
	return tileScalar(Op{
		Ins:  shiftIns,
		Name: name, Page: IsaPage("TSHRS"),
		Doc:      "Shifts every element of src right by scalar bits: arithmetically, or logically for unsigned elements.",
		Examples: []string{"%d = pto.tshrs %t, %s : (!pto.tile<16x64xi32>, i32) -> !pto.tile<16x64xi32>"},
	}, scalar.ShrWide, shiftElems, 0)
})

// TDivS is pto.tdivs, which divides a tile by a scalar or a scalar by a tile, depending
// on which operand is the tile.
var TDivS = Define("tdivs", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TDIVS"), Family: "tile-scalar-and-immediate", Pipe: sem.PipeV,
		Doc: "Divides every element of src by scalar, or scalar by every element of src.",
		Ins: Args{
			In("src", either{"scalar", divElems}),
			In("scalar", either{"src", divElems}),
		},
		Outs:  Args{Out("dst", likeEither{"src", "scalar"})},
		Attrs: []ir.AttrDef{divPrecision},
		Sem:   sem.TileMap{Fn: scalar.Div, Choose: divisionFn},
		Rules: []Rule{
			SameValid(sem.OnAll, "src", "dst"), SameValid(sem.OnAll, "scalar", "dst"),
			Apart{On: sem.OnA2A3, A: "src", B: "dst", When: divisorFirst, Late: true}, Apart{On: sem.OnA2A3, A: "scalar", B: "dst", When: divisorFirst, Late: true},
			libraryElems(sem.OnA5, "src", AnyElem.A5&^Ints8, "\"TDIVS: Invalid data type\" in a5/TDivS.hpp"),
			libraryElems(sem.OnA5, "scalar", AnyElem.A5&^Ints8, "\"TDIVS: Invalid data type\" in a5/TDivS.hpp"), wideRows("dst"),
		},
		Notes: []string{
			"In place, the library of A2/A3 multiplies floats by the reciprocal of the scalar; here they are divided.",
			"On A5 tile/scalar in default precision multiplies by the rounded reciprocal, with 1/0 = +inf; everything else is true division.",
			"8-bit on A5: the IR manual and the newer ISA page have it, the older page has not; accepted.",
		},
		Examples: []string{
			"%d = pto.tdivs %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>",
			"%d = pto.tdivs %s, %t : (f32, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>",
		},
	})
})

// divisorFirst reports whether the A2/A3 library implements op, a tdivs, in two steps: it
// first fills dst with the scalar operand, and then divides element by element. The first
// step would overwrite src if both tiles shared memory. The library does so if the
// elements are integers, and also if op divides the scalar by the tile.
func divisorFirst(op *ir.Op) bool {
	tile := op.Arg("src")
	return !IsTile(tile.Type()) || !ir.Is[ir.FloatType](ir.ElementType(tile.Type()))
}

// divPrecision declares attribute precisionType of tdivs, which selects true division
// instead of multiplication by the reciprocal on A5.
var divPrecision = ir.AttrDef{
	Name: "precisionType", Alias: "precision_mode", Type: DivPrecisionEnum, Default: DivPrecisionEnum.Attr("default"),
	Doc: "high_precision asks for true division on A5; ignored elsewhere",
}

// divisionFn returns the function of tdivs. On A5, a float tile divided by a scalar is
// multiplied by the rounded reciprocal, unless high precision is requested.
func divisionFn(op *ir.Op, t ir.Target) *scalar.Fn {
	if TDivSByReciprocal(op, t) {
		return scalar.DivRecip
	}
	return scalar.Div
}

// TDivSByReciprocal reports whether op, a tdivs, computes x * (1/s) instead of x / s on
// target t, where s is the scalar operand. The result of x * (1/s) can differ, because
// the reciprocal is rounded.
func TDivSByReciprocal(op *ir.Op, t ir.Target) bool {
	return t == sem.A5 && IsTile(op.Operand(0).Type()) &&
		ir.Is[ir.FloatType](ir.ElementType(op.Operand(0).Type())) &&
		op.Attr("precisionType") == divPrecision.Default
}

// TLRelu is pto.tlrelu, which multiplies the negative elements of a tile by a scalar
// slope.
var TLRelu = Define("tlrelu", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TLRELU"), Family: "tile-scalar-and-immediate", Pipe: sem.PipeV,
		Doc: "Keeps positive elements of src and multiplies the others by slope.",
		Ins: Args{
			In("src", RowMajorTile(Both(F16|F32), sem.OnA2A3)),
			In("slope", ir.OneOf(ScalarOf("src"), ir.Written(ir.F32))),
		},
		Outs:  Args{Out("dst", LikeTile("src"))},
		Sem:   sem.TileMap{Fn: scalar.PreluAbove, Choose: onA5(scalar.LRelu)},
		Rules: []Rule{SameValid(sem.OnAll, "src", "dst")},
		Notes: []string{
			"slope: the ISA page gives it the element type, the IR manual f32; both are accepted, and f32 is rounded to the element type.",
			zeroSlope,
		},
		Examples: []string{"%d = pto.tlrelu %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>"},
	})
})

// TExpandS is pto.texpands, which fills a tile with a scalar.
var TExpandS = Define("texpands", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TEXPANDS"), Family: "tile-scalar-and-immediate", PipeOf: fillPipe,
		Doc:      "Sets every element of dst to scalar: those of the valid region, in mat all.",
		Ins:      Args{In("scalar", AnyScalar)},
		Outs:     Args{Out("dst", TileIn(On{A2A3: Ints | Floats, A5: Ints | Ints64 | Floats}, sem.UB, sem.L1))},
		Sem:      sem.TileMap{Fn: scalar.Copy, AllOfMat: true},
		Rules:    []Rule{scalarMatches("scalar", "dst"), filledBySize, wideRows("dst")},
		Notes:    []string{pipeOfFill},
		Examples: []string{"%d = pto.texpands %s : f32 -> !pto.tile<16x64xf32>"},
	})
})

// TCmpS is pto.tcmps, which compares each element of a tile with a scalar and returns a
// mask with one bit per element.
var TCmpS = Define("tcmps", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TCMPS"), Family: "tile-scalar-and-immediate", Pipe: sem.PipeV,
		DPS: ir.DPSInside(Always),
		Doc: "Compares every element of src with scalar; bit j of a row of dst is the result for column j.",
		Ins: Args{
			In("src", VecTile(On{A2A3: Ints16 | I32 | F16 | F32, A5: Ints | Ints64 | Floats})),
			In("scalar", NumberFor("src")),
		},
		Outs:  Args{Out("dst", VecTile(Both(Ints)))},
		Attrs: []ir.AttrDef{{Name: "cmpMode", Type: CmpModeEnum, Default: CmpModeEnum.Attr("eq")}},
		Sem:   sem.TileCompare{},
		Cpp:   Calls("TCMPS({dst}, {src}, {scalar}, CmpMode::{cmpMode^})"),
		Rules: []Rule{maskRows("dst"), comparedForEquality("src"), comparedAsHalf, wideRows("src")},
		Notes: []string{
			"Bits of several rows on A5: the ISA page, its tests and the public library pack each row by itself, as tcmp does; the data of tilelang_st want one stream of bits over all rows, which tsel and tsels could not read back. Rows, on every profile.",
		},
		Examples: []string{"%d = pto.tcmps %t, %s {cmpMode = #pto<cmp lt>} : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x32xui8>"},
	})
})

// TSelS is pto.tsels, which selects each element of the result. The element comes from
// the tile src if its mask bit is set. If the bit is not set, the element is the scalar
// operand.
var TSelS = Define("tsels", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TSELS"), Family: "tile-scalar-and-immediate", Pipe: sem.PipeV,
		Doc:   "Selects the element of src where the mask bit is set, and scalar elsewhere.",
		Notes: []string{"mask: the ISA page allows only integers, but the public assembler accepts all element types, and a sample uses floats. ptogo uses the bits of floats."},
		Ins: Args{
			In("mask", VecTile(Both(Ints|Floats))),
			In("src", VecTile(On{A2A3: Ints16 | Ints32 | Floats, A5: Ints | Ints64 | F16 | F32})),
			ScratchArg("tmp", anyTmp.RowMajor(sem.OnA2A3)),
			In("scalar", NumberFor("src")),
		},
		Outs:        Args{Out("dst", LikeTile("src"))},
		Sem:         sem.TileSelect{},
		Cpp:         Calls("TSELS({dst}, {mask}, {src}, {tmp}, {scalar})"),
		ScratchTile: ScratchRows("src", 1),
		Rules:       []Rule{SameValid(sem.OnAll, "src", "dst"), maskRows("mask"), maskNumbers{}, TmpLike(sem.OnA2A3, "src"), TmpHolds(sem.OnA2A3, "src", rowBytes), wideRows("src")},
		Examples:    []string{"%d = pto.tsels %m, %t, %s : (!pto.tile<16x32xui8>, !pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>"},
	})
})

// TPowS is pto.tpows, which raises each element of a tile to the power of a scalar.
var TPowS = Define("tpows", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TPOWS"), Family: "tile-scalar-and-immediate", Pipe: sem.PipeV,
		Order:   []string{"src", "scalar", "dst", "tmp"},
		Doc:     "Raises every element of src to the power scalar.",
		Ins:     Args{In("src", RowMajorTile(powElems, sem.OnAll)), In("scalar", ScalarOf("src")), ScratchArg("tmp", anyTmp.RowMajor(sem.OnAll))},
		Outs:    Args{Out("dst", LikeTile("src").RowMajor(sem.OnAll))},
		Attrs:   []ir.AttrDef{precision(PowPrecisionEnum)},
		Sem:     sem.TileMap{Fn: scalar.Pow},
		Scratch: sem.OnAll, ScratchTile: powScratch,
		Notes:    []string{powNote},
		Rules:    append([]Rule{SameValid(sem.OnAll, "src", "dst"), libraryElems(sem.OnA5, "src", Ints|F16|F32, "isSupportType in a5/TPow.hpp")}, powRules("src")...),
		Examples: []string{"%d = pto.tpows %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>"},
	})
})

// fillPipe returns the pipe (hardware queue) that fills a tile with a scalar: for a tile
// in mat, MTE2, which copies from global memory; for a tile in vec, the vector unit.
func fillPipe(op *ir.Op, _ ir.Target) sem.Pipe {
	if dst, _ := TileArg(op, "dst"); dst.Space == sem.L1 {
		return sem.PipeMTE2
	}
	return sem.PipeV
}

// pipeOfFill is a note for the reference pages of instructions that fill a tile. It names
// the pipe that executes the instruction if the tile is in mat, because public sources
// disagree about this pipe.
const pipeOfFill = "Into mat it is PIPE_MTE2, as the headers of the NPU have it; the compiler's table has PIPE_V for texpands and PIPE_MTE1 for tfillpad."

// tileScalar returns the definition of an instruction that computes dst = fn(src, scalar)
// for every element of the valid region. rowMajor contains the targets that require
// row-major tiles.
func tileScalar(o Op, fn *scalar.Fn, elems On, rowMajor sem.Profiles) *ir.Def {
	if o.Ins == nil {
		o.Ins = Args{In("src", RowMajorTile(elems, rowMajor)), In("scalar", NumberFor("src"))}
	}
	if o.Outs == nil {
		o.Outs = Args{Out("dst", LikeTile("src"))}
	}
	if o.Sem == nil {
		o.Sem = sem.TileMap{Fn: fn}
	}
	if o.Rules == nil {
		o.Rules = []Rule{SameValid(sem.OnAll, "src", "dst")}
	}
	o.Rules = append(o.Rules[:len(o.Rules):len(o.Rules)], wideRows("src"))
	o.Family, o.Pipe = "tile-scalar-and-immediate", sem.PipeV
	return TileOp(o)
}
