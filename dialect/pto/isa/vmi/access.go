// This file defines the operands of VMI memory accesses.

package vmi

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// distModeAttr declares the attribute that selects which memory element belongs to
// which lane.
var distModeAttr = ir.AttrDef{Name: "dist_mode", Optional: true, Doc: "how memory is spread over lanes; continuous if left out"}

// distModes returns the declaration of the attribute dist_mode, whose legal values are
// the given modes.
func distModes(modes ...string) ir.AttrDef {
	d := distModeAttr
	d.Type = ir.StrIn(modes...)
	return d
}

// accessStrides are the optional stride operands of vload and vstore.
var accessStrides = Args{Opt("stride", Index), Opt("block_stride", ir.Exactly(ir.I16)), Opt("repeat_stride", ir.Exactly(ir.I16))}

// blockPair is a note in reference pages about memory accesses with strides. It describes
// a difference between the manual and the public compiler: whether an instruction with a
// block stride must state a repeat stride, too.
const blockPair = "The manual allows a single stride of blocks, with a repeat stride of zero. The public compiler accepts only both strides, and so do we."

// VMIVLoad is pto.vmi.vload, which reads one or two vectors. Its operands and
// attributes select which element belongs to which lane.
var VMIVLoad = Define("vmi.vload", func(string) *ir.Def {
	return vmi(vmiMemory, Op{
		Name: "vload", Doc: "Reads a vector, or two, from source + offset elements.",
		Ins:  append(Args{In("source", PtrIn(sem.UB)), In("offset", Index)}, accessStrides...),
		Outs: Args{Many("results", anyVMI)},
		Attrs: []ir.AttrDef{
			distModes("continuous", "unpack", "dintlv", "brc"), groupAttr,
			{Name: "pmode", Type: ir.StrIn("zero", "merge"), Optional: true, Doc: "without effect: loads have no mask"},
		},
		Access: ReadsSource,
		Sem:    sem.LaneLoad{Way: sem.WayByOperands},
		Rules:  []Rule{splitsInto("results", "group", 1), Fact(accessFault), Fact(loadFault)},
		Notes:  []string{blockPair},
		Syntax: ir.Hook{ParseFn: parseUnified, PrintFn: printUnified, Fits: readableUnified},
		Examples: []string{
			"%v = pto.vmi.vload %p[%i] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>",
			"%v = pto.vmi.vload %p[%i], %s {group = 8 : i64} : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>",
			"%v = pto.vmi.vload %p[%i], %b, %r : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>",
			`%l, %h = pto.vmi.vload %p[%i] {dist_mode = "dintlv"} : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32>`,
		},
	})
})

// VMIVStore is pto.vmi.vstore, which writes one or two vectors. Its operands and
// attributes select which element belongs to which lane.
var VMIVStore = Define("vmi.vstore", func(string) *ir.Def {
	return vmi(vmiMemory, Op{
		Name: "vstore", Doc: "Writes a vector, or two, to destination + offset elements.",
		Ins: append(append(Args{Many("values", anyVMI), In("destination", PtrIn(sem.UB)), In("offset", Index)}, accessStrides...),
			Opt("mask", vmiMaskFor("values"))),
		Attrs:  []ir.AttrDef{distModes("continuous", "dintlv"), groupAttr, storePMode},
		Access: WritesDestination,
		Sem:    sem.LaneStore{Way: sem.WayByOperands},
		Rules:  []Rule{splitsInto("values", "group", 1), Fact(accessFault), Fact(storeFault)},
		Notes:  []string{blockPair, "pmode merge: the manual has it, the public compiler rejects it."},
		Syntax: ir.Hook{ParseFn: parseUnified, PrintFn: printUnified, Fits: readableUnified},
		Examples: []string{
			"pto.vmi.vstore %v, %p[%i], %m : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.vmi.mask<64xpred>",
			"pto.vmi.vstore %v, %p[%i], %s {group = 8 : i64} : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>",
			`pto.vmi.vstore %l, %h, %p[%i] {dist_mode = "dintlv"} : !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>`,
		},
	})
})

// accessFault checks that the operands and attributes of a vload or vstore select exactly
// one mapping of elements to lanes. It returns a message if they do not, and ""
// otherwise.
func accessFault(op *ir.Op) string {
	dist, hasDist := op.Attr("dist_mode").AsString()
	group, blocks := op.HasAttr("group"), op.Arg("block_stride") != nil
	switch {
	case group && hasDist && dist != "brc":
		return "must not have both attributes \"group\" and \"dist_mode\""
	case group != (op.Arg("stride") != nil):
		return "needs attribute \"group\" and operand \"stride\" together"
	case blocks != (op.Arg("repeat_stride") != nil):
		return "needs operands \"block_stride\" and \"repeat_stride\" together"
	case blocks && (hasDist || group):
		return "must not have a block stride together with attribute \"group\" or \"dist_mode\""
	case group && op.Arg("mask") != nil:
		return "must not have a mask with attribute \"group\""
	}
	return ""
}

// loadFault checks the results of a vload against its distribution mode and the element
// type of its source. It returns a message for a violation, and "" otherwise.
func loadFault(op *ir.Op) string {
	dist, _ := op.Attr("dist_mode").AsString()
	if msg := vectorsFault(dist, "result", op.Results()); msg != "" {
		return msg
	}
	source, lane := ir.ElementType(op.Arg("source").Type()), ir.ElementType(op.Result(0).Type())
	switch {
	case dist == "unpack" && ByteSize(lane) <= ByteSize(source):
		return "with dist_mode unpack, lanes of the result must be wider than the elements of \"source\", but are " + lane.String() + " and " + source.String()
	case dist != "unpack" && lane != source:
		return "\"source\" must point to " + lane.String() + ", the lanes of the result, but points to " + source.String()
	}
	return ""
}

// storeFault returns a message if the vectors that a vstore stores do not match each
// other or the destination, and "" otherwise.
func storeFault(op *ir.Op) string {
	dist, _ := op.Attr("dist_mode").AsString()
	values := op.Args("values")
	if msg := vectorsFault(dist, "value", values); msg != "" {
		return msg
	}
	dest, lane := ir.ElementType(op.Arg("destination").Type()), ir.ElementType(values[0].Type())
	packed := op.HasAttr("group") && Ints8.Has(dest) && Ints32.Has(lane)
	if dest != lane && !packed {
		return "\"destination\" must point to " + lane.String() + ", the lanes of the value, but points to " + dest.String()
	}
	return ""
}

// vectorsFault returns a message if the vectors vs, which an access loads or stores, have
// the wrong number or different types, and "" otherwise. dist is an attribute value that
// determines their number: two for dintlv, and one otherwise. The parameter what is the
// word for the vectors in the message.
func vectorsFault(dist, what string, vs []*ir.Value) string {
	want := 1
	if dist == "dintlv" {
		want = 2
	}
	switch {
	case len(vs) != want && want == 2:
		return fmt.Sprintf("with dist_mode dintlv must have two %ss, but has %d", what, len(vs))
	case len(vs) != want:
		return fmt.Sprintf("must have one %s, but has %d", what, len(vs))
	case want == 1:
		return ""
	case vs[0].Type() != vs[1].Type():
		return fmt.Sprintf("both %ss must have the same type, but have %s and %s", what, vs[0].Type(), vs[1].Type())
	}
	if _, l, _ := VMILanesOf(vs[0].Type()); !l.IsZero() && l.Kind != LayoutContiguous {
		return fmt.Sprintf("the layout of both %ss must be contiguous, but is %s", what, l)
	}
	return ""
}
