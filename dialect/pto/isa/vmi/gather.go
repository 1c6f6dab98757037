// This file defines VMI gathers and scatters.

package vmi

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// indexLanes accepts vectors of offsets or indices.
var indexLanes = vmiOf{Ints16 | Ints32, notSigned}

// Definitions of the gathers, which read elements at offsets that a vector holds.
var (
	VMIVGather = vmiGather("vgather", false, "Reads lane i at source + offsets[i] elements.",
		likeVMI{of: "result", lanes: indexLanes, layout: true}, Fact(shortOffsets))
	VMIVGatherB = vmiGather("vgatherb", true, "Reads lane i at source + offsets[i] bytes.", indexLanes)

	VMIGather = Define("vmi.gather", func(string) *ir.Def {
		return vmi(vmiInner, withMemoryText(Op{
			Name: "gather", Doc: "Reads the selected lanes at source + indices[i] elements; others are those of passthru.",
			Ins: append(Args{
				In("source", vmiPtr{data: "result"}), In("indices", likeVMI{of: "result", lanes: indexLanes, layout: true}),
			}, passthruArgs...),
			Outs:   Args{Out("result", anyVMI)},
			Access: ReadsSource,
			Sem:    sem.LaneGather{},
			Rules:  []Rule{Fact(shortOffsets)},
		}))
	})
)

// vmiGather declares the instruction with the given name, a gather. offsets is the
// constraint on its offsets, which count elements, or bytes if the parameter bytes is
// set. doc is the description on the reference page, and rules are additional rules on
// the operands.
func vmiGather(name string, bytes bool, doc string, offsets ir.Constraint, rules ...Rule) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		o := underMask(Op{
			Name: name, Doc: doc, Rules: rules,
			Ins:    Args{In("source", vmiPtr{data: "result"}), In("offsets", offsets)},
			Outs:   Args{Out("result", anyVMI)},
			Access: ReadsSource,
			Sem:    sem.LaneGather{Bytes: bytes},
			Examples: []string{
				"%r = pto.vmi." + name + " %p, %i, %m : !pto.ptr<f32, ub>, !pto.vmi.vreg<64xi32>, !pto.vmi.mask<64xpred> -> !pto.vmi.vreg<64xf32>",
			},
		}, "result")
		if bytes {
			o.Notes = []string{"The manual lets the number of offsets differ from that of lanes and reads one offset per lane; lanes without an offset are zero."}
		}
		return vmi(vmiSFU, o)
	})
}

// shortOffsets checks a gather. If its offsets have 16 bits, the lanes of the result must
// be ui16. It returns a message for a violation, and "" otherwise.
func shortOffsets(op *ir.Op) string {
	lane := ir.ElementType(op.Result(0).Type())
	if ByteSize(ir.ElementType(op.Operand(1).Type())) == 2 && lane != UintType(16) {
		return "lanes of the result must be ui16 where offsets have 16 bits, but are " + lane.String()
	}
	return ""
}

// Definitions of the scatters, which write elements at offsets that a vector holds.
var (
	VMIVScatter = Define("vmi.vscatter", func(string) *ir.Def {
		return vmi(vmiSFU, vmiScatter(underMask(Op{
			Name: "vscatter",
			Ins:  scatterArgs("offsets"),
			Examples: []string{
				"pto.vmi.vscatter %v, %p, %i, %m : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.vmi.vreg<64xi32>, !pto.vmi.mask<64xpred>",
			},
		}, "value")))
	})
	VMIScatter = Define("vmi.scatter", func(string) *ir.Def {
		return vmi(vmiInner, withMemoryText(vmiScatter(Op{Name: "scatter", Ins: append(scatterArgs("indices"), valueMask...)})))
	})
)

// scatterArgs returns the operands of a scatter. offsets is the name of the operand with
// the offsets.
func scatterArgs(offsets string) Args {
	return Args{
		In("value", anyVMI), In("destination", vmiPtr{data: "value"}),
		In(offsets, likeVMI{of: "value", lanes: indexLanes, layout: true}),
	}
}

// vmiScatter completes the description o of a scatter instruction. It sets the properties
// that all scatters have in common, such as the meaning.
func vmiScatter(o Op) Op {
	o.Doc = "Writes the selected lanes at destination + " + o.Ins[2].Name + "[i] elements."
	o.Access = WritesDestination
	o.Sem = sem.LaneScatter{}
	return o
}
