// This file defines VMI masks.

package vmi

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// VMICreateMask is pto.vmi.create_mask, which returns a mask of the first lanes. The
// operand active_lanes is the number of these lanes.
var VMICreateMask = Define("vmi.create_mask", func(string) *ir.Def {
	return vmi(vmiPredicate, Op{
		Name: "create_mask", Doc: "Selects the first active_lanes lanes, or all if there are not as many.",
		Ins:      Args{In("active_lanes", WrittenIx)},
		Outs:     Args{Out("result", anyVMIMask)},
		Sem:      sem.PrefixMask{},
		Examples: []string{"%r = pto.vmi.create_mask %n : index -> !pto.vmi.mask<128xpred>"},
	})
})

// VMICreateGroupMask is pto.vmi.create_group_mask, which returns a mask of the first
// lanes of each group.
var VMICreateGroupMask = Define("vmi.create_group_mask", func(string) *ir.Def {
	return vmi(vmiPredicate, Op{
		Name: "create_group_mask", Doc: "Selects the first active_elems_per_group lanes of each group, or all of it if there are not as many.",
		Ins:  Args{In("active_elems_per_group", WrittenIx)},
		Outs: Args{Out("result", anyVMIMask)},
		Attrs: []ir.AttrDef{
			numGroups, {Name: "group_size", Type: ir.IntOf(ir.I64), Doc: "how many lanes a group has"},
		},
		Sem:      sem.PrefixMask{},
		Rules:    []Rule{Fact(groupsFillMask)},
		Examples: []string{"%r = pto.vmi.create_group_mask %n {num_groups = 8 : i64, group_size = 32 : i64} : index -> !pto.vmi.mask<256xpred>"},
	})
})

// groupsFillMask returns a message if the groups do not cover all lanes of the mask,
// and "" otherwise.
func groupsFillMask(op *ir.Op) string {
	n, _ := op.Attr("num_groups").AsInt()
	size, _ := op.Attr("group_size").AsInt()
	lanes, _, _ := VMILanesOf(op.Result(0).Type())
	switch {
	case n <= 0 || size <= 0:
		return fmt.Sprintf("attributes \"num_groups\" and \"group_size\" must be positive, but are %d and %d", n, size)
	case lanes%n != 0 || lanes/n != size:
		return fmt.Sprintf("%d groups of %d lanes must make up the %d lanes of \"result\"", n, size, lanes)
	}
	return ""
}

// Definitions of the instructions that return a mask with a named pattern.
var (
	VMIPSet = vmiPattern("pset", "PAT_ALL", "Selects all lanes.", ir.StrIn("PAT_ALL"))
	VMIPGe  = vmiPattern("pge", "PAT_VL16", "Selects the first lanes of each group; pattern determines how many: PAT_VL16 means 16.",
		ir.AttrIf("PAT_VL followed by a positive number", func(a ir.Attr) bool { _, ok := lanemap.ParsePattern(a); return ok }))
)

// vmiPattern declares an instruction that returns a mask with a named pattern. legal is
// the constraint on the name of the pattern. pattern is the name in the generated
// examples.
func vmiPattern(name, pattern, doc string, legal ir.AttrConstraint) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		return vmi(vmiInner, Op{
			Name: name, Doc: doc,
			Outs:   Args{Out("result", anyVMIMask)},
			Attrs:  []ir.AttrDef{{Name: "pattern", Type: legal}, groupAttr},
			Sem:    sem.PrefixMask{},
			Rules:  []Rule{splitsInto("result", "group", 1), Fact(patternFits)},
			Syntax: ir.Asm("$pattern attr-dict `:` type($result)"),
			Examples: []string{
				"%r = pto.vmi." + name + ` "` + pattern + `" : !pto.vmi.mask<64xpred>`,
				"%r = pto.vmi." + name + ` "` + pattern + `" {group = 8 : i64} : !pto.vmi.mask<256xb16, #pto.vmi.layout<contiguous>>`,
			},
		})
	})
}

// patternFits returns a message if a pattern selects more lanes than the mask has, and
// "" otherwise.
func patternFits(op *ir.Op) string {
	n, ok := lanemap.Pattern(op)
	lanes, _, _ := VMILanesOf(op.Result(0).Type())
	if !ok || n <= lanes {
		return ""
	}
	return fmt.Sprintf("attribute \"pattern\" selects %d lanes, but \"result\" has %d", n, lanes)
}

// VMIPLt is pto.vmi.plt. It is for a loop that processes a number of elements, one vector
// in each iteration. The operand is the number of remaining elements. The instruction
// returns a mask that selects that many first lanes, or all lanes if the vector has
// fewer, and the number of elements that remain after this iteration.
var VMIPLt = Define("vmi.plt", func(string) *ir.Def {
	return vmi(vmiInner, Op{
		Name: "plt", Doc: "Selects the first scalar lanes, or all lanes if there are fewer, and returns the rest of scalar.",
		Ins:      Args{In("scalar", WrittenI32)},
		Outs:     Args{Out("mask", anyVMIMask), Out("scalar_out", WrittenI32)},
		Sem:      sem.MaskTail{},
		Examples: []string{"%m, %n = pto.vmi.plt %s : i32 -> !pto.vmi.mask<128xpred>, i32"},
	})
})

// Definitions of the instructions that return constant masks and vectors.
var (
	VMIConstant = Define("vmi.constant", func(string) *ir.Def {
		return genericOnly(vmi(vmiInner, vmiLiteral("constant", anyVMI, "Returns the vector value.",
			`%r = "pto.vmi.constant"() <{value = dense<1.000000e+00> : vector<64xf32>}> : () -> !pto.vmi.vreg<64xf32>`)))
	})
	VMIConstantMask = Define("vmi.constant_mask", func(string) *ir.Def {
		return genericOnly(vmi(vmiInner, vmiLiteral("constant_mask", anyVMIMask, "Returns the mask value.",
			`%r = "pto.vmi.constant_mask"() <{value = dense<true> : vector<64xi1>}> : () -> !pto.vmi.mask<64xpred>`)))
	})
)

// vmiLiteral returns the description of the instruction with the given name, which
// produces a constant. The constant is the attribute value of the instruction. The
// parameter result is the constraint on the type of the constant; doc and example are
// texts for reference pages.
func vmiLiteral(name string, result ir.Constraint, doc, example string) Op {
	return Op{
		Name: name, Doc: doc,
		Outs:     Args{Out("result", result)},
		Attrs:    []ir.AttrDef{{Name: "value", Type: ir.AttrIf("dense<...>", isDense)}},
		Sem:      scalar.Literal{Attr: "value"},
		Traits:   ir.ConstantLike,
		Rules:    []Rule{Fact(literalFits)},
		Examples: []string{example},
	}
}

// isDense reports whether attribute a is a dense attribute, an array of constants.
func isDense(a ir.Attr) bool {
	_, ok := ir.AttrAs[ir.DenseAttr](a)
	return ok
}

// literalFits returns a message unless a constant has the type and the number of lanes
// of its result. Lanes of a mask are i1.
func literalFits(op *ir.Op) string {
	d, _ := ir.AttrAs[ir.DenseAttr](op.Attr("value"))
	t := op.Result(0).Type()
	want := ir.ElementType(t)
	if ir.Is[VMIMask](t) {
		want = ir.I1
	}
	lanes, _, _ := VMILanesOf(t)
	if got := ir.ElementType(d.Type); got != want {
		return "attribute \"value\" must have elements of " + want.String() + ", but has " + got.String()
	}
	if got := elementsOf(d.Type); got != lanes {
		return fmt.Sprintf("attribute \"value\" must have %d elements, one per lane, but has %d", lanes, got)
	}
	return ""
}

// elementsOf returns the number of elements of a vector or tensor type.
func elementsOf(t ir.Type) int64 {
	switch d := t.Data().(type) {
	case ir.VectorType:
		return d.Shape.Elements()
	case ir.TensorType:
		return d.Shape.Elements()
	}
	return 1
}
