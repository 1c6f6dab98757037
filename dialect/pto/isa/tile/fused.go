// This file defines fused elementwise instructions.

package tile

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// tripleElems are the element types for instructions that add three operands. The manual
// lists element types only for the variants with a scalar operand; we use the same types
// for all of them.
var tripleElems = On{A2A3: I16 | I32 | F16 | F32, A5: I16 | I32 | F16 | F32}

// sumOfThree returns the definition of an instruction that computes dst = fn(src0, x) + y
// and rounds after each of the two operations. ins are the declarations of the operands x
// and y.
func sumOfThree(o Op, fn *scalar.Fn, ins Args) *ir.Def {
	o.Rules = append(o.Rules, LikeDst(o.Strict, "src0")...)
	for _, in := range ins {
		if in.Name != "scalar" {
			o.Rules = append(o.Rules, LikeDst(o.Strict, in.Name)...)
		}
	}
	last := ins[len(ins)-1].Name
	o.Ins = append(Args{In("src0", RowMajorTile(tripleElems, sem.OnAll))}, ins...)
	o.Outs = Args{Out("dst", LikeTile("src0").RowMajor(sem.OnAll))}
	o.Sem = sem.TileMap{Fn: fn, Args: []string{"src0", ins[0].Name}, Then: []sem.MapStep{{Fn: scalar.Add, Arg: last}}}
	o.Pipe = sem.PipeV
	const t = "16x64xf32"
	types := []string{t, t, t}
	if ins[0].Name == "scalar" {
		types[1] = "f32"
	}
	o.Sample([]string{t}, types...)
	return TileOp(o)
}

// Definitions of the sums and differences of three operands.
var (
	TAddC = Define("taddc", func(name string) *ir.Def {
		return Timed(sumOfThree(Op{
			Name: name, Page: IsaPage("TADDC"), Family: elementwise,
			Doc:   "Computes src0 + src1 + src2.",
			Cpp:   Calls("TADD({dst}, {src0}, {src1}); {barrier}TADD({dst}, {dst}, {src2})"),
			Notes: []string{"The pages list no types; those of taddsc are taken."},
		}, scalar.Add, Args{In("src1", LikeTile("src0").RowMajor(sem.OnAll)), In("src2", LikeTile("src0").RowMajor(sem.OnAll))}), tileBinaryCycles...)
	})

	TSubC = Define("tsubc", func(name string) *ir.Def {
		return Timed(sumOfThree(Op{
			Name: name, Page: IsaPage("TSUBC"), Family: elementwise,
			Doc:   "Computes src0 - src1 + src2.",
			Cpp:   Calls("TSUB({dst}, {src0}, {src1}); {barrier}TADD({dst}, {dst}, {src2})"),
			Notes: []string{"The pages list no types; those of tsubsc are taken."},
		}, scalar.Sub, Args{In("src1", LikeTile("src0").RowMajor(sem.OnAll)), In("src2", LikeTile("src0").RowMajor(sem.OnAll))}), tileBinaryCycles...)
	})

	TAddSC = Define("taddsc", func(name string) *ir.Def {
		return sumOfThree(Op{
			Name: name, Page: IsaPage("TADDSC"), Strict: true, Family: "tile-scalar-and-immediate",
			Doc: "Computes src0 + scalar + src1.",
			Cpp: Calls("TADDS({dst}, {src0}, {scalar}); {barrier}TADD({dst}, {dst}, {src1})"),
		}, scalar.Add, Args{In("scalar", NumberFor("src0")), In("src1", LikeTile("src0").RowMajor(sem.OnAll))})
	})

	TSubSC = Define("tsubsc", func(name string) *ir.Def {
		return sumOfThree(Op{
			Name: name, Page: IsaPage("TSUBSC"), Strict: true, Family: "tile-scalar-and-immediate",
			Doc:   "Computes src0 - scalar + src1.",
			Rules: []Rule{roundedScalar},
			Cpp:   Calls("TSUBS({dst}, {src0}, {scalar}); {barrier}TADD({dst}, {dst}, {src1})"),
		}, scalar.Sub, Args{In("scalar", NumberFor("src0")), In("src1", LikeTile("src0").RowMajor(sem.OnAll))})
	})
)

// Definitions of the instructions that add or subtract two tiles and replace negative
// results by zero.
var (
	TAddRelu = Define("taddrelu", func(name string) *ir.Def {
		return tileBinary(Op{
			Name: name, Page: "PTOAS:include/PTO/IR/PTOOps.td", On: sem.OnA2A3,
			Doc:   "Computes max(src0 + src1, 0).",
			Cpp:   NoCpp("the library has no TADDRELU"),
			Notes: []string{"No page lists types or profiles; those of the public compiler are taken."},
		}, scalar.AddRelu, On{A2A3: I16 | F16 | F32})
	})

	TSubRelu = Define("tsubrelu", func(name string) *ir.Def {
		return tileBinary(Op{
			Name: name, Page: IsaPage("TSUBRELU"),
			Doc: "Computes max(src0 - src1, 0).",
		}, scalar.SubRelu, fusedFloats)
	})
)

// fused declares an instruction that computes dst = fn(args...), where of has the
// function and the arguments: src0, src1 or dst; dst denotes the old contents of the
// destination.
func fused(name, page, doc string, of sem.TileMap, notes ...string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return tileBinary(Op{
			Name: name, Page: IsaPage(page), Doc: doc,
			Outs:  Args{InOut("dst", LikeTile("src0").RowMajor(sem.OnAll))},
			Sem:   of,
			Rules: []Rule{storedLate},
			Notes: append([]string{"The page's Level-1 text does not say where the old dst comes from; it is the last operand here."}, notes...),
		}, of.Fn, fusedFloats)
	})
}

// Definitions of the products that are combined with the old contents of the destination.
var (
	TFusedMulAdd     = fused("tfusedmuladd", "TFUSEDMULADD", "Computes src0 * dst + src1 into dst, rounded once.", sem.TileMap{Fn: scalar.Fma, Args: []string{"src0", "dst", "src1"}})
	TFusedMulAddRelu = fused("tfusedmuladdrelu", "TFUSEDMULADDRELU", "Computes max(src0 * dst + src1, 0) into dst.", sem.TileMap{Fn: scalar.FmaRelu, Args: []string{"src0", "dst", "src1"}})
	// TMulAddDst is pto.tmuladddst, which adds src0 * src1 to dst. On A2/A3 it rounds the
	// product before the addition, as the public simulator and the golden data (inputs with
	// published results) do.
	TMulAddDst = fused("tmuladddst", "TMULADDDST", "Adds src0 * src1 to dst; A2/A3 rounds the product, too.",
		sem.TileMap{Fn: scalar.MulAdd, Args: []string{"src0", "src1", "dst"}, Choose: onA5(scalar.Fma)},
		"On A5 the sum is rounded once: the headers call vmula, whose page calls it fused. The simulator and golden data round the product first, as this does on A2/A3.")
)

// TAxpy is pto.taxpy, which adds a tile, multiplied by a scalar, to the destination.
var TAxpy = Define("taxpy", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TAXPY"), Family: "tile-scalar-and-immediate", Pipe: sem.PipeV,
		Doc:   "Adds src * scalar to dst, rounded once to the type of dst; f16 on A2/A3 rounds the product, too.",
		Ins:   Args{In("src", VecTile(On{A2A3: F16 | F32, A5: Floats})), In("scalar", ScalarOf("src"))},
		Outs:  Args{InOut("dst", VecTile(On{A2A3: F16 | F32, A5: Floats}))},
		Sem:   sem.TileMap{Fn: scalar.Axpy, Args: []string{"scalar", "src", "dst"}, Choose: axpyRounding},
		Rules: append(LikeDst(false, "src"), SameShape(sem.OnAll, "src", "dst"), axpyTypes, libraryElems(sem.OnA5, "src", F16|F32, "\"TAXPY: Invalid data type\" in a5/TAxpy.hpp")),
		Notes: []string{
			"bf16 on A5: the IR manual has it, the ISA page has not; accepted.",
			"At Level 1, the last operand is the old dst.",
			"f16 on A2/A3: the product is rounded to f16 before the addition, as the golden data of the public device test have it; with one rounding, this test would exceed its own thresholds.",
		},
		Examples: []string{
			"%new = pto.taxpy %src, %s, %dst : (!pto.tile<16x64xf16>, f16, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>",
			"pto.taxpy ins(%src, %s : !pto.tile_buf<vec, 16x64xf16>, f16) outs(%dst : !pto.tile_buf<vec, 16x64xf32>)",
		},
	})
})

// axpyRounding returns the function of taxpy for f16 on A2/A3, where the product is rounded
// before the addition, or nil for all other cases.
func axpyRounding(op *ir.Op, t ir.Target) *scalar.Fn {
	if dst, _ := TileArg(op, "dst"); t == sem.A5 || dst.Elem != ir.F16 {
		return nil
	}
	return scalar.MulAdd
}

// axpyTypes is the rule that src and dst of taxpy have equal element types, or that src
// has f16 and dst has f32.
var axpyTypes = TileCheck{On: sem.OnAll, Args: []string{"src", "dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
	if t[0].Elem == t[1].Elem || t[0].Elem == ir.F16 && t[1].Elem == ir.F32 {
		return ""
	}
	return "\"dst\" must have the element type of \"src\", or f32 for f16, but has " + t[1].Elem.String() + " for " + t[0].Elem.String()
}}
