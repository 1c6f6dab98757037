// This file defines VMI index vectors and broadcasts.

package vmi

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// orderAttr declares the attribute order, which determines whether the integers in the
// result vector increase from lane to lane (ASC) or decrease (DESC).
var orderAttr = ir.AttrDef{Name: "order", Type: ir.StrIn("ASC", "DESC"), Optional: true, Doc: "ASC if left out"}

// Definitions of the instructions that return vectors of consecutive integers.
var (
	VMIVCi = Define("vmi.vci", func(string) *ir.Def {
		return vmiIndexVector(vmiIndexGen, "vci", []ir.AttrDef{orderAttr, groupAttr}, "order = \"ASC\", group = 2 : i64",
			"Sets lane j of each group to base + j, or base - j in descending order.", splitsInto("result", "group", 1), groupsFitRegisters)
	})
	VMIIota = Define("vmi.iota", func(string) *ir.Def {
		return vmiIndexVector(vmiInner, "iota", []ir.AttrDef{orderAttr}, "order = \"DESC\"",
			"Sets lane i to base + i, or base - i in descending order.")
	})
	VMIGroupIota = Define("vmi.group_iota", func(string) *ir.Def {
		return vmiIndexVector(vmiInner, "group_iota", []ir.AttrDef{orderAttr, {Name: "group", Type: ir.IntOf(ir.I64), Doc: groupAttr.Doc}}, "group = 2 : i64",
			"Sets lane j of each group to base + j, or base - j in descending order.",
			splitsInto("result", "group", 2), groupsFitRegisters, layoutIs("result", LayoutContiguous))
	})
)

// vmiIndexVector declares an instruction that returns a vector of consecutive integers. A
// scalar operand is the first integer. attrs and rules are the attributes and the rules
// of the instruction. example is the text of the attributes in the example.
func vmiIndexVector(chapter, name string, attrs []ir.AttrDef, example, doc string, rules ...Rule) *ir.Def {
	return vmi(chapter, Op{
		Name: name, Doc: doc,
		Ins:      Args{In("base", ScalarOf("result"))},
		Outs:     Args{Out("result", reducible)},
		Attrs:    attrs,
		Sem:      sem.GroupIndex{},
		Rules:    rules,
		Examples: []string{vmiExample(name, ir.I32, "s", "v", example)},
	})
}

// groupsFitRegisters is the rule that the lanes of a group are within one register, or
// fill whole registers.
var groupsFitRegisters = Fact(func(op *ir.Op) string {
	groups, given := op.Attr("group").AsInt()
	v, ok := ir.As[VMIVReg](op.Result(0).Type())
	if !given || !ok || groups <= 1 || v.Lanes%groups != 0 {
		return ""
	}
	size, width := v.Lanes/groups, int64(VectorBytes/ByteSize(v.Elem))
	if size%width == 0 || width%size == 0 {
		return ""
	}
	return fmt.Sprintf("groups of %d lanes must be parts or multiples of the %d lanes of a register", size, width)
})

// Definitions of the instructions that set all lanes, or all lanes of a group, to the
// same value.
var (
	VMIVBrc = Define("vmi.vbrc", func(string) *ir.Def {
		return vmi(vmiBroadcast, broadcast(Op{
			Name: "vbrc", Attrs: []ir.AttrDef{groupAttr},
			Rules: []Rule{splitsInto("result", "group", 1)},
			Examples: []string{
				vmiExample("vbrc", ir.F32, "s", "v", ""),
				"%r = pto.vmi.vbrc %a {group = 8 : i64} : !pto.vmi.vreg<8xf32> -> !pto.vmi.vreg<64xf32>",
			},
		}, "value", "group"))
	})
	VMIBroadcast = Define("vmi.broadcast", func(string) *ir.Def {
		return vmi(vmiInner, broadcast(Op{Name: "broadcast", Examples: []string{vmiExample("broadcast", ir.F32, "s", "v", "")}}, "value", ""))
	})
	VMIGroupBroadcast = Define("vmi.group_broadcast", func(string) *ir.Def {
		return vmi(vmiInner, broadcast(Op{
			Name: "group_broadcast", Attrs: []ir.AttrDef{numGroups},
			Rules:    []Rule{splitsInto("result", "num_groups", 1)},
			Examples: []string{"%r = pto.vmi.group_broadcast %a {num_groups = 8 : i64} : !pto.vmi.vreg<8xf32> -> !pto.vmi.vreg<64xf32>"},
		}, "source", "num_groups"))
	})
)

// broadcast completes the declaration o of an instruction that copies each lane of
// operand arg to all lanes of a group of the result. If it is "", the whole vector is one
// group.
func broadcast(o Op, arg, attr string) Op {
	o.Doc = "Sets all lanes of each group to the lane of " + arg + " that belongs to it."
	o.Ins = Args{In(arg, ir.OneOf(ScalarOf("result"), perGroup{"result", attr}))}
	if attr == "" || attr == "group" {
		o.Rules = append(o.Rules, scalarIsOneGroup)
	} else {
		o.Ins[0].Type = perGroup{"result", attr}
	}
	if attr == "" {
		o.Doc = "Sets all lanes to " + arg + ", a scalar or a vector of one lane."
	} else {
		o.Rules = append(o.Rules, denseIfGrouped(attr))
	}
	o.Outs = Args{Out("result", anyVMI)}
	o.Sem = sem.GroupBroadcast{}
	return o
}

// scalarIsOneGroup is a rule that rejects a scalar operand if the instruction has several
// groups of lanes.
var scalarIsOneGroup = Fact(func(op *ir.Op) string {
	if op.HasAttr("group") && !ir.Is[VMIVReg](op.Operand(0).Type()) {
		return "with attribute \"group\", operand \"" + op.Form().Operands[0].Name + "\" must be a !pto.vmi.vreg with one lane per group"
	}
	return ""
})

// denseIfGrouped returns a rule on the layout of the result of a broadcast. If the
// instruction has this attribute, the layout must be one that stores all lanes of the
// vector, not one that stores a single lane per group.
func denseIfGrouped(attr string) Rule {
	dense := layoutIs("result", denseLayouts...)
	return Fact(func(op *ir.Op) string {
		if !op.HasAttr(attr) {
			return ""
		}
		return dense(op)
	})
}
