package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// tripleElems are the types of sums of three; only their tile-scalar pages
// list any.
var tripleElems = On{A2A3: I16 | I32 | F16 | F32, A5: I16 | I32 | F16 | F32}

// sumOfThree defines dst = fn(src0, b) + c, each step rounded.
func sumOfThree(o Op, fn *scalar.Fn, ins Args) *ir.Def {
	o.Rules = likeDst(o.Strict, "src0")
	for _, in := range ins {
		if in.Name != "scalar" {
			o.Rules = append(o.Rules, likeDst(o.Strict, in.Name)...)
		}
	}
	last := ins[len(ins)-1].Name
	o.Ins = append(Args{in("src0", RowMajorTile(tripleElems, sem.OnAll))}, ins...)
	o.Outs = Args{out("dst", LikeTile("src0").rowMajor(sem.OnAll))}
	o.Sem = sem.TileMap{Fn: fn, Args: []string{"src0", ins[0].Name}, Then: []sem.MapStep{{Fn: scalar.Add, Arg: last}}}
	o.Pipe = sem.PipeV
	const t = "16x64xf32"
	types := []string{t, t, t}
	if ins[0].Name == "scalar" {
		types[1] = "f32"
	}
	o.sample([]string{t}, types...)
	return tile(o)
}

// Sums of three operands.
var (
	TAddC = define("taddc", func(name string) *ir.Def {
		return timed(sumOfThree(Op{
			Name: name, Page: isaPage("TADDC"), Family: elementwise,
			Doc:   "Computes src0 + src1 + src2.",
			Cpp:   calls("TADD({dst}, {src0}, {src1}); {barrier}TADD({dst}, {dst}, {src2})"),
			Notes: []string{"The pages list no types; those of taddsc are taken."},
		}, scalar.Add, Args{in("src1", LikeTile("src0").rowMajor(sem.OnAll)), in("src2", LikeTile("src0").rowMajor(sem.OnAll))}), tileBinaryCycles...)
	})

	TSubC = define("tsubc", func(name string) *ir.Def {
		return timed(sumOfThree(Op{
			Name: name, Page: isaPage("TSUBC"), Family: elementwise,
			Doc:   "Computes src0 - src1 + src2.",
			Cpp:   calls("TSUB({dst}, {src0}, {src1}); {barrier}TADD({dst}, {dst}, {src2})"),
			Notes: []string{"The pages list no types; those of tsubsc are taken."},
		}, scalar.Sub, Args{in("src1", LikeTile("src0").rowMajor(sem.OnAll)), in("src2", LikeTile("src0").rowMajor(sem.OnAll))}), tileBinaryCycles...)
	})

	TAddSC = define("taddsc", func(name string) *ir.Def {
		return sumOfThree(Op{
			Name: name, Page: isaPage("TADDSC"), Strict: true, Family: "tile-scalar-and-immediate",
			Doc: "Computes src0 + scalar + src1.",
			Cpp: calls("TADDS({dst}, {src0}, {scalar}); {barrier}TADD({dst}, {dst}, {src1})"),
		}, scalar.Add, Args{in("scalar", NumberFor("src0")), in("src1", LikeTile("src0").rowMajor(sem.OnAll))})
	})

	TSubSC = define("tsubsc", func(name string) *ir.Def {
		return sumOfThree(Op{
			Name: name, Page: isaPage("TSUBSC"), Strict: true, Family: "tile-scalar-and-immediate",
			Doc: "Computes src0 - scalar + src1.",
			Cpp: calls("TSUBS({dst}, {src0}, {scalar}); {barrier}TADD({dst}, {dst}, {src1})"),
		}, scalar.Sub, Args{in("scalar", NumberFor("src0")), in("src1", LikeTile("src0").rowMajor(sem.OnAll))})
	})
)

// Arithmetic followed by the rectifier.
var (
	TAddRelu = define("taddrelu", func(name string) *ir.Def {
		return tileBinary(Op{
			Name: name, Page: "PTOAS:include/PTO/IR/PTOOps.td", On: sem.OnA2A3,
			Doc:   "Computes max(src0 + src1, 0).",
			Cpp:   noCpp("the library has no TADDRELU"),
			Notes: []string{"No page lists types or profiles; those of the public compiler are taken."},
		}, scalar.AddRelu, On{A2A3: I16 | F16 | F32})
	})

	TSubRelu = define("tsubrelu", func(name string) *ir.Def {
		return tileBinary(Op{
			Name: name, Page: isaPage("TSUBRELU"),
			Doc: "Computes max(src0 - src1, 0).",
		}, scalar.SubRelu, fusedFloats)
	})
)

// fused defines dst = fn of src0, src1 and the old dst, in the order of args.
func fused(name, page, doc string, fn *scalar.Fn, args ...string) *ir.Def {
	return define(name, func(name string) *ir.Def {
		return tileBinary(Op{
			Name: name, Page: isaPage(page), Doc: doc,
			Outs:  Args{inout("dst", LikeTile("src0").rowMajor(sem.OnAll))},
			Sem:   sem.TileMap{Fn: fn, Args: args},
			Notes: []string{"The page's Level-1 text does not say where the old dst comes from; it is the last operand here."},
		}, fn, fusedFloats)
	})
}

// Products added to or multiplied into the destination.
var (
	TFusedMulAdd     = fused("tfusedmuladd", "TFUSEDMULADD", "Computes src0 * dst + src1 into dst, rounded once.", scalar.Fma, "src0", "dst", "src1")
	TFusedMulAddRelu = fused("tfusedmuladdrelu", "TFUSEDMULADDRELU", "Computes max(src0 * dst + src1, 0) into dst.", scalar.FmaRelu, "src0", "dst", "src1")
	// The simulator and the golden data round the product of this one.
	TMulAddDst = fused("tmuladddst", "TMULADDDST", "Adds src0 * src1, rounded, to dst.", scalar.MulAdd, "src0", "src1", "dst")
)

// TAxpy adds a scaled tile to the destination.
var TAxpy = define("taxpy", func(name string) *ir.Def {
	return tile(Op{
		Name: name, Page: isaPage("TAXPY"), Family: "tile-scalar-and-immediate", Pipe: sem.PipeV,
		Doc:   "Adds src * scalar to dst, rounded once to the type of dst.",
		Ins:   Args{in("src", VecTile(On{A2A3: F16 | F32, A5: Floats})), in("scalar", ScalarOf("src"))},
		Outs:  Args{inout("dst", VecTile(On{A2A3: F16 | F32, A5: Floats}))},
		Sem:   sem.TileMap{Fn: scalar.Axpy, Args: []string{"scalar", "src", "dst"}},
		Rules: append(likeDst(false, "src"), SameShape(sem.OnAll, "src", "dst"), axpyTypes),
		Notes: []string{
			"bf16 on A5: the IR manual has it, the ISA page has not; accepted.",
			"Level 1 takes the old dst as its last operand.",
		},
		Examples: []string{
			"%new = pto.taxpy %src, %s, %dst : (!pto.tile<16x64xf16>, f16, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>",
			"pto.taxpy ins(%src, %s : !pto.tile_buf<vec, 16x64xf16>, f16) outs(%dst : !pto.tile_buf<vec, 16x64xf32>)",
		},
	})
})

// axpyTypes asks for equal element types, or f16 added to f32.
var axpyTypes = TileCheck{On: sem.OnAll, Args: []string{"src", "dst"}, Check: func(_ *ir.Op, t []TileInfo) string {
	if t[0].Elem == t[1].Elem || t[0].Elem == ir.F16 && t[1].Elem == ir.F32 {
		return ""
	}
	return "\"dst\" must have the element type of \"src\", or f32 for f16, but has " + t[1].Elem.String() + " for " + t[0].Elem.String()
}}
