// This file defines broadcasts.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// VBr is pto.vbr, which sets all lanes of a register to a scalar.
var VBr = Define("vbr", func(name string) *ir.Def {
	return VectorOp(micro(Op{
		Name: name, Doc: "Sets all lanes to value.",
		Ins:      Args{In("value", ScalarOf("result"))},
		Outs:     Args{Out("result", lanes(laneBytes))},
		Traits:   ir.Pure,
		Sem:      sem.VecBroadcast{},
		Examples: []string{example(name, F32, "s", "v")},
	}, "materialization-predicate"))
})

// VDup is pto.vdup, which sets the selected lanes to a scalar, or to the first or last
// lane of a register.
var VDup = Define("vdup", func(name string) *ir.Def {
	return Issued(Issue{Single: true, Forward: 8, Late: 1}, VectorOp(micro(Op{
		Name: name, Doc: "Sets the selected lanes to a scalar, or to the first or last lane of a register.",
		Ins:    Args{In("input", scalarOrLane("result")), In("mask", MaskFor("result"))},
		Outs:   Args{Out("result", lanes(laneBytes))},
		Attrs:  []ir.AttrDef{{Name: "position", Type: ir.StrIn("LOWEST", "HIGHEST"), Optional: true, Doc: "which lane of a register; LOWEST if left out"}},
		Traits: ir.Pure,
		Sem:    sem.VecBroadcast{},
		Rules: []Rule{Check(func(op *ir.Op, _ ir.Target) string {
			if op.HasAttr("position") && !ir.Is[VReg](op.Operand(0).Type()) {
				return "attribute \"position\" selects a lane of a register, but operand \"input\" is " + op.Operand(0).Type().String()
			}
			return ""
		})},
		Examples: []string{
			example(name, F32, "sm", "v"),
			`%r = pto.vdup %a, %m {position = "HIGHEST"} : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>`,
		},
	}, "materialization-predicate")))
})

// scalarOrLane returns a constraint that accepts a scalar of the element type of the
// named register, or a register of the same type.
func scalarOrLane(name string) ir.Constraint {
	return ir.OneOf(ScalarOf(name), ir.SameAs(name))
}
