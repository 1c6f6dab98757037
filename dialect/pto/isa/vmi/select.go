// This file defines VMI comparisons and selections.

package vmi

import (
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// VMIRelations are the comparisons of vcmp and vcmps. A comparison is false if one of the
// two compared lanes is NaN, with or without the prefix o (ordered). The only exception
// is ne, which is true.
var VMIRelations = []string{"eq", "ne", "lt", "le", "gt", "ge", "oeq", "one", "olt", "ole", "ogt", "oge"}

// Definitions of the comparisons of lanes.
var (
	VMIVCmp = vmiCompare("vcmp", "vvm", In("rhs", ir.SameAs("lhs")), "lhs",
		"Creates the mask of lanes that seed selects and in which relation cmp holds between lhs and rhs.")
	VMIVCmpS = vmiCompare("vcmps", "vsm", In("scalar", ScalarOf("src")), "src",
		"Creates the mask of lanes that seed selects and in which relation cmp holds between src and scalar.")
)

// vmiCompare declares the instruction with the given name, which compares lanes and
// returns a mask. lhs is the name of the first operand, a vector. rhs is the declaration
// of the second operand, a vector or a scalar. ins describes the operands for the
// generated example: it has the letter v for a vector, s for a scalar and m for a mask.
func vmiCompare(name, ins string, rhs ir.Arg, lhs, doc string) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		return vmi(vmiEltwise, Op{
			Name: name, Doc: doc,
			Ins:  Args{In(lhs, vmiArith), rhs, In("seed", vmiMaskFor(lhs))},
			Outs: Args{Out("result", sameLanesMask("seed"))},
			Attrs: []ir.AttrDef{
				{Name: "cmp", Type: ir.StrIn(VMIRelations...)},
				{Name: "pmode", Type: Words("", map[string]string{"zero": "zeroing"}, "zeroing", "merge"), Optional: true,
					Doc: "without effect: lanes that seed does not select are never in the mask"},
			},
			Sem:      sem.LaneCompare{Attr: "cmp"},
			Rules:    []Rule{Fact(orderedIsForFloats)},
			Examples: []string{vmiExample(name, ir.F32, ins, "m", `cmp = "lt"`)},
		})
	})
}

// orderedIsForFloats returns a message if an instruction compares integers with a
// comparison that only exists for floats, and "" otherwise.
func orderedIsForFloats(op *ir.Op) string {
	cmp, _ := op.Attr("cmp").AsString()
	elem := ir.ElementType(op.Operand(0).Type())
	if Floats.Has(elem) || !strings.HasPrefix(cmp, "o") {
		return ""
	}
	return "attribute \"cmp\" of lanes of " + elem.String() + " must be eq, ne, lt, le, gt or ge, but is " + cmp
}

// sameLanesMask is a constraint that accepts a mask with as many lanes as another mask;
// its value is the name of that operand.
type sameLanesMask string

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (of sameLanesMask) Check(t ir.Type, e *ir.Env) bool {
	m, ok := ir.As[VMIMask](t)
	src, known := ir.As[VMIMask](e.Type(string(of)))
	return ok && (!known || m.Lanes == src.Lanes)
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (of sameLanesMask) Want(e *ir.Env) string {
	return "a !pto.vmi.mask with as many lanes as \"" + string(of) + "\"" + TypeNote(e, string(of))
}

// Definitions of the comparison instructions vmi.cmpf for floats and vmi.cmpi for
// integers. Unlike the general comparison, they have the type of the lanes in the name.
var (
	VMICmpF = vmiTypedCompare("cmpf", typedFloats, "olt", "Creates the mask of lanes in which a relation of floats holds.",
		"eq", "ne", "lt", "le", "gt", "ge", "oeq", "one", "olt", "ole", "ogt", "oge", "ord", "ueq", "une", "ult", "ule", "ugt", "uge", "uno")
	VMICmpI = vmiTypedCompare("cmpi", vmiInts, "ult", "Creates the mask of lanes in which a relation of integers holds.",
		"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
)

// vmiTypedCompare declares a comparison instruction whose name contains the element type
// of its operands. The parameter on is the constraint on the operands, and relations
// lists the comparisons that the instruction accepts, such as lt. example is the
// comparison in the example of the reference page, and doc is the description on this
// page.
func vmiTypedCompare(name string, on vmiOf, example, doc string, relations ...string) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		lanes := ir.TypeOf(VMIVReg{Lanes: 64, Elem: on.Sample()}).String()
		return vmi(vmiInner, Op{
			Name: name, Doc: doc,
			Ins:    vmiSame(on, "lhs", "rhs"),
			Outs:   Args{Out("result", vmiMaskFor("lhs"))},
			Attrs:  []ir.AttrDef{{Name: "predicate", Type: ir.StrIn(relations...)}},
			Sem:    sem.LaneCompare{Attr: "predicate"},
			Syntax: ir.Asm("$predicate `,` $lhs `,` $rhs attr-dict types"),
			Examples: []string{
				"%r = pto.vmi." + name + ` "` + example + `", %a, %b : ` + lanes + ", " + lanes + " -> !pto.vmi.mask<64xpred>",
			},
		})
	})
}

// Definitions of the instructions that select each lane from one of two vectors.
var (
	VMIVSel = Define("vmi.vsel", func(string) *ir.Def {
		return vmi(vmiEltwise, vmiChoice(Op{
			Name:  "vsel",
			Attrs: []ir.AttrDef{{Name: "pmode", Type: ir.StrIn("zero", "merge"), Optional: true, Doc: "without effect"}},
			Notes: []string{"In the manual, pmode is zero by default, and false_value would then have no effect. Here, lanes that are not selected always come from false_value."},
		}))
	})
	VMISelect = Define("vmi.select", func(string) *ir.Def {
		return vmi(vmiInner, vmiChoice(Op{Name: "select"}))
	})
)

// vmiChoice completes the description o of an instruction that selects each lane from one
// of two vectors. It adds the operands, the result and the example, which are the same
// for all instructions of this kind.
func vmiChoice(o Op) Op {
	o.Doc = "Selects each lane from true_value where mask is set, and from false_value elsewhere."
	o.Ins = Args{In("mask", vmiMaskFor("result")), In("true_value", anyVMI), In("false_value", ir.SameAs("true_value"))}
	o.Outs = Args{Out("result", ir.SameAs("true_value"))}
	o.Sem = scalar.Choice{}
	o.Examples = []string{vmiExample(o.Name, ir.F32, "mvv", "v", "")}
	return o
}

// VMIVSelR is pto.vmi.vselr, which permutes the lanes of a vector. A second vector
// contains, for each lane of the result, the number of the source lane.
var VMIVSelR = Define("vmi.vselr", func(string) *ir.Def {
	return vmi(vmiEltwise, Op{
		Name: "vselr", Doc: "Sets each lane to the lane of source that index names.",
		Ins: Args{In("source", anyVMI), In("index", likeVMI{of: "result", lanes: vmiInts})},
		Outs: Args{
			Out("result", laneTypeOf("source")),
		},
		Sem: sem.VecRearrange{Kind: sem.Permute},
		Rules: []Rule{
			Fact(indexAsWide), layoutTogether("source", "result"),
		},
		Notes: []string{
			"The manual wants 64, 128 or 256 lanes that fit one register; that is a limit of the mapping, so any number is accepted.",
			"Numbers beyond the last lane wrap around; the manual leaves them open.",
		},
		Examples: []string{"%r = pto.vmi.vselr %a, %i : !pto.vmi.vreg<128xf16>, !pto.vmi.vreg<128xi16> -> !pto.vmi.vreg<128xf16>"},
	})
})

// indexAsWide returns a message if indices and lanes have different widths, and ""
// otherwise.
func indexAsWide(op *ir.Op) string {
	source, index := ir.ElementType(op.Arg("source").Type()), ir.ElementType(op.Arg("index").Type())
	if ByteSize(source) == ByteSize(index) {
		return ""
	}
	return "lanes of \"index\" must be as wide as those of \"source\", but are " + index.String() + " and " + source.String()
}

// laneTypeOf is a constraint on vectors of any length. It accepts a vector with the same
// element type as another operand; its value is the name of that operand.
type laneTypeOf string

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (of laneTypeOf) Check(t ir.Type, e *ir.Env) bool {
	d, ok := ir.As[VMIVReg](t)
	src := e.Type(string(of))
	return ok && (src.IsZero() || d.Elem == ir.ElementType(src))
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (of laneTypeOf) Want(e *ir.Env) string {
	return "a !pto.vmi.vreg with lanes of the type of \"" + string(of) + "\"" + TypeNote(e, string(of))
}
