// This file defines VMI reductions.

package vmi

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Element types and attributes of reductions.
var (
	reducible = vmiOf{on: Ints | F16 | F32}
	groupAttr = ir.AttrDef{Name: "group", Type: ir.IntOf(ir.I64), Optional: true, Doc: "how many groups of neighbouring lanes there are; one if left out"}
	numGroups = ir.AttrDef{Name: "num_groups", Type: ir.IntOf(ir.I64), Doc: "how many groups of neighbouring lanes there are"}
	reassoc   = ir.AttrDef{Name: "reassoc", Type: ir.AnyUnit, Optional: true, Doc: "floats may be added in any order"}
)

// Definitions of the reductions of all lanes, or of each group of lanes, to one lane.
var (
	VMIVCAdd = vmiReduction("vcadd", sem.ReduceSum, "Adds up the selected lanes of each group.")
	VMIVCMax = vmiReduction("vcmax", sem.ReduceMax, "Finds the largest selected lane of each group; NaN wins.")
	VMIVCMin = vmiReduction("vcmin", sem.ReduceMin, "Finds the smallest selected lane of each group; NaN wins.")
)

// vmiReduction declares the instruction with the given name, a reduction of all lanes or
// of each group of lanes. op is the function that combines lanes, and doc is the
// description on the reference page.
func vmiReduction(name string, op sem.ReduceOp, doc string) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		o := reduction(name, "group", op, reducible, doc)
		o.Attrs = []ir.AttrDef{groupAttr, {Name: "pmode", Type: ir.StrIn("zero", "merge"), Optional: true, Doc: "without effect: every lane of the result is a group's"}}
		attrs := "group = 8 : i64"
		if op == sem.ReduceSum {
			o.Attrs = append(o.Attrs, reassoc)
			o.Rules = append(o.Rules, floatsReassociate)
			attrs += ", reassoc"
		}
		o.Examples = []string{
			"%r = pto.vmi." + name + " %a, %m : !pto.vmi.vreg<64xi32>, !pto.vmi.mask<64xpred> -> !pto.vmi.vreg<1xi32>",
			"%r = pto.vmi." + name + " %a, %m {" + attrs + "} : !pto.vmi.vreg<256xf32>, !pto.vmi.mask<256xpred> -> !pto.vmi.vreg<8xf32>",
		}
		return vmi(vmiReduce, o)
	})
}

// reduction returns the description of a reduction with the given name. The parameter on
// is the constraint on the type of the source, and op is the function with which lanes
// are combined.
func reduction(name, attr string, op sem.ReduceOp, on vmiOf, doc string) Op {
	return Op{
		Name: name, Doc: doc,
		Ins:   Args{In("source", on), In("mask", vmiMaskFor("source"))},
		Outs:  Args{Out("result", perGroup{"source", attr})},
		Sem:   sem.GroupReduce{Op: op},
		Rules: []Rule{splitsInto("source", attr, 1)},
	}
}

// floatsReassociate is the rule that requires the attribute reassoc for sums of floats.
// The attribute permits additions in any order. Lowering needs this permission, because
// the hardware adds lanes in pairs.
var floatsReassociate = Fact(func(op *ir.Op) string {
	elem := ir.ElementType(op.Operand(0).Type())
	if Floats.Has(elem) && !op.HasAttr("reassoc") {
		return "requires the attribute \"reassoc\" to add lanes of " + elem.String() + ", since pairs are added"
	}
	return ""
})

// Definitions of the reductions for one kind of number, floats or integers. Unlike the
// general reductions, they have the type of the lanes in the name, such as
// vmi.reduce_addf.
var (
	VMIReduceAddI = vmiTypedReduction("reduce_addi", "", sem.ReduceSum, vmiOf{on: Ints32}, "Adds up the selected integers.")
	VMIReduceAddF = vmiTypedReduction("reduce_addf", "", sem.ReduceSum, vmiFloats, "Adds up the selected floats.")
	VMIReduceMaxI = vmiTypedReduction("reduce_maxi", "", sem.ReduceMax, vmiInts, "Finds the largest selected integer.")
	VMIReduceMaxF = vmiTypedReduction("reduce_maxf", "", sem.ReduceMax, vmiFloats, "Finds the largest selected float.")
	VMIReduceMinI = vmiTypedReduction("reduce_mini", "", sem.ReduceMin, vmiInts, "Finds the smallest selected integer.")
	VMIReduceMinF = vmiTypedReduction("reduce_minf", "", sem.ReduceMin, vmiFloats, "Finds the smallest selected float.")

	VMIGroupReduceAddI = vmiTypedReduction("group_reduce_addi", "num_groups", sem.ReduceSum, vmiInts, "Adds up the selected integers of each group.")
	VMIGroupReduceAddF = vmiTypedReduction("group_reduce_addf", "num_groups", sem.ReduceSum, vmiFloats, "Adds up the selected floats of each group.")
	VMIGroupReduceMaxI = vmiTypedReduction("group_reduce_maxi", "num_groups", sem.ReduceMax, vmiInts, "Finds the largest selected integer of each group.")
	VMIGroupReduceMaxF = vmiTypedReduction("group_reduce_maxf", "num_groups", sem.ReduceMax, vmiFloats, "Finds the largest selected float of each group.")
	VMIGroupReduceMinI = vmiTypedReduction("group_reduce_mini", "num_groups", sem.ReduceMin, vmiInts, "Finds the smallest selected integer of each group.")
	VMIGroupReduceMinF = vmiTypedReduction("group_reduce_minf", "num_groups", sem.ReduceMin, vmiFloats, "Finds the smallest selected float of each group.")
)

// vmiTypedReduction declares an instruction that reduces each group of lanes. op is the
// function of the reduction. The instruction name contains the lane type, such as addf.
// attr is the name of the attribute with the number of groups, and on is the constraint
// on the vector type.
func vmiTypedReduction(name, attr string, op sem.ReduceOp, on vmiOf, doc string) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		o := reduction(name, attr, op, on, doc)
		attrs, lanes := "", "1"
		if attr != "" {
			o.Attrs = []ir.AttrDef{numGroups}
			o.Rules = append(o.Rules, layoutIs("source", denseLayouts...))
			attrs, lanes = "num_groups = 8 : i64", "8"
		}
		if op == sem.ReduceSum && on.on == vmiFloats.on {
			o.Attrs = append(o.Attrs, reassoc)
			o.Rules = append(o.Rules, floatsReassociate)
			if attrs != "" {
				attrs += ", "
			}
			attrs += "reassoc"
		}
		if attrs != "" {
			attrs = "{" + attrs + "} "
		}
		t := on.Sample().String()
		o.Examples = []string{
			"%r = pto.vmi." + name + " %a, %m " + attrs + ": !pto.vmi.vreg<64x" + t + ">, !pto.vmi.mask<64xpred> -> !pto.vmi.vreg<" + lanes + "x" + t + ">",
		}
		return vmi(vmiInner, o)
	})
}
