// This file defines comparisons and selections of lanes.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// CmpModes are the values of attribute cmp_mode, which selects a comparison.
var CmpModes = []string{"eq", "ne", "lt", "le", "gt", "ge"}

// Definitions of the comparisons of lanes.
var (
	VCmp = vecCompare("vcmp", "vvm", In("src1", ir.SameAs("src0")), "src0",
		"Creates the mask of selected lanes in which cmp_mode holds between src0 and src1.")
	VCmpS = vecCompare("vcmps", "vsm", In("scalar", ScalarOf("src")), "src",
		"Creates the mask of selected lanes in which cmp_mode holds between src and scalar.")
)

// vecCompare declares the instruction pto.NAME, which compares lanes and returns a mask.
// lhs is the name of the first operand, a register. The parameter rhs declares the second
// operand, a register or a scalar. ins is for the generated example: it has a letter for
// each operand (v for a register, s for a scalar, m for a mask).
func vecCompare(name, ins string, rhs ir.Arg, lhs, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return Issued(Issue{Forward: 4}, VectorOp(micro(Op{
			Name: name, Doc: doc,
			Ins:      Args{In(lhs, lanes(Ints|Floats)), rhs, In("mask", MaskFor(lhs))},
			Outs:     Args{Out("result", MaskFor(lhs))},
			Attrs:    []ir.AttrDef{{Name: "cmp_mode", Type: ir.StrIn(CmpModes...)}},
			Traits:   ir.Pure,
			Sem:      sem.VecCompare{},
			Syntax:   ir.Asm("$" + lhs + " `,` $" + rhs.Name + " `,` $mask `,` $cmp_mode attr-dict types"),
			Examples: []string{exampleWith(example(name, F32, ins, "m"), `, "lt"`)},
		}, selectFamily)))
	})
}

// VSel is pto.vsel, which selects each lane from one of two registers by a mask.
var VSel = Define("vsel", func(name string) *ir.Def {
	return Issued(Issue{Late: 2}, VectorOp(micro(Op{
		Name: name, Doc: "Selects each lane from src0 where the mask is set, and from src1 elsewhere.",
		Ins:      Args{In("src0", lanes(laneArith)), In("src1", ir.SameAs("src0")), In("mask", MaskFor("src0"))},
		Outs:     Args{Out("result", ir.SameAs("src0"))},
		Traits:   ir.Pure,
		Sem:      sem.VecSelect{},
		Examples: []string{example(name, F32, "vvm", "v")},
	}, selectFamily)))
})

// Definitions of the instructions that select lanes of a register by their numbers.
var (
	VSelR = Define("vselr", func(name string) *ir.Def {
		return vecPermute(name, "src0", "src1", "Sets each lane to the lane of src0 that src1 names.", micro(Op{}, selectFamily))
	})
	VSelRV2 = Define("vselrv2", func(name string) *ir.Def {
		return vecPermute(name, "src0", "src1", "Sets each lane to the lane of src0 that src1 names, like vselr.", micro(Op{Notes: []string{
			"Its page says that it has the result of vselr and another encoding. The predicate both pages of the vector manual speak of is no operand; what vselr does golden data shows.",
		}}, selectFamily))
	})
	VPerm = Define("vperm", func(name string) *ir.Def {
		return vecPermute(name, "src", "index", "Sets each lane to the lane of src that index names.",
			Op{Family: rearrangement, Page: VectorPage(rearrangement, name), Notes: []string{docsOnly, "Numbers beyond the last lane wrap around."}})
	})
)

// vecPermute returns the definition of an instruction that permutes the lanes of a
// register. Each result lane is the source lane whose number is in the same lane of a
// second register. src is the name of the source operand, and index is the name of the
// operand with the lane numbers.
func vecPermute(name, src, index, doc string, o Op) *ir.Def {
	o.Name, o.Doc = name, doc
	o.Ins = Args{In(src, lanes(laneBytes)), In(index, intLanes{of: src})}
	o.Outs = Args{Out("result", ir.SameAs(src))}
	o.Traits, o.Sem = ir.Pure, sem.VecRearrange{Kind: sem.Permute}
	o.Examples = []string{"%r = pto." + name + " %a, %b : !pto.vreg<64xf32>, !pto.vreg<64xi32> -> !pto.vreg<64xf32>"}
	return VectorOp(o)
}
