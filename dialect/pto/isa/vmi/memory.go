// This file defines VMI loads and stores.

package vmi

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// The one-way loads and stores that vload and vstore are taken apart into.

// groupStride declares the operand row_stride of loads and stores in groups. A group of
// lanes corresponds to a row in memory, and the operand is the distance between the
// starts of two rows, in elements.
var groupStride = In("row_stride", Index)

// Definitions of the loads of one vector.
var (
	VMILoad = Define("vmi.load", func(string) *ir.Def {
		return vmiLoad(Op{Name: "load", Doc: "Reads neighbouring elements.", Sem: sem.LaneLoad{Way: sem.WayContinuous}})
	})
	VMIGroupLoad = Define("vmi.group_load", func(string) *ir.Def {
		return vmiLoad(Op{
			Name: "group_load", Doc: "Reads groups of neighbouring elements, row_stride elements apart.",
			Ins: Args{groupStride}, Attrs: []ir.AttrDef{numGroups}, Sem: sem.LaneLoad{Way: sem.WayGrouped},
			Rules: []Rule{splitsInto("result", "num_groups", 1)},
		})
	})
	VMIGroupSlotLoad = Define("vmi.group_slot_load", func(string) *ir.Def {
		return vmiLoad(Op{
			Name: "group_slot_load", Doc: "Reads one element per group, source_group_stride elements apart, into one lane each.",
			Ins: Args{In("source_group_stride", Index)}, Attrs: []ir.AttrDef{numGroups}, Sem: sem.LaneLoad{Way: sem.WayGroupElement},
			Rules:    []Rule{splitsInto("result", "num_groups", 1), lanePerGroup, layoutIs("result", LayoutGroupSlots)},
			Examples: []string{"%r = pto.vmi.group_slot_load %p[%i], %s {num_groups = 8 : i64} : !pto.ptr<f32, ub> -> !pto.vmi.vreg<8xf32>"},
		})
	})
	VMIGroupBroadcastLoad = Define("vmi.group_broadcast_load", func(string) *ir.Def {
		return vmiLoad(Op{
			Name: "group_broadcast_load", Doc: "Reads one element per group, source_group_stride elements apart, into all lanes of the group.",
			Ins: Args{In("source_group_stride", Index)}, Attrs: []ir.AttrDef{numGroups}, Sem: sem.LaneLoad{Way: sem.WayGroupElement},
			Rules: []Rule{splitsInto("result", "num_groups", 1), layoutIs("result", denseLayouts...)},
		})
	})
	VMIStrideLoad = Define("vmi.stride_load", func(string) *ir.Def {
		return vmiLoad(Op{
			Name: "stride_load", Doc: "Reads the selected blocks of 32 bytes, block_stride blocks apart, after repeat_stride blocks.",
			Ins: Args{In("block_stride", WrittenI16), In("repeat_stride", WrittenI16), In("mask", vmiMaskFor("result"))},
			Sem: sem.LaneLoad{Way: sem.WayBlocks},
		})
	})
	VMIMaskedLoad = Define("vmi.masked_load", func(string) *ir.Def {
		return vmiLoad(Op{
			Name: "masked_load", Doc: "Reads neighbouring elements into the selected lanes; others are those of passthru.",
			Ins: passthruArgs, Sem: sem.LaneLoad{Way: sem.WayContinuous},
		})
	})
	VMIExpandLoad = Define("vmi.expand_load", func(string) *ir.Def {
		return vmiLoad(Op{
			Name: "expand_load", Doc: "Reads neighbouring elements, as many as lanes are selected, into these lanes in order; others are those of passthru.",
			Ins: passthruArgs, Sem: sem.LaneLoad{Way: sem.WayPacked},
		})
	})
)

// passthruArgs are two operands of a masked instruction: the mask, and passthru, which
// contains the values for the lanes that the mask does not select.
var passthruArgs = Args{In("mask", vmiMaskFor("result")), In("passthru", ir.SameAs("result"))}

// VMIDeinterleaveLoad is pto.vmi.deinterleave_load, which reads two vectors whose
// elements alternate in memory.
var VMIDeinterleaveLoad = Define("vmi.deinterleave_load", func(string) *ir.Def {
	return vmi(vmiInner, Op{
		Name: "deinterleave_load", Doc: "Reads two vectors whose elements alternate in memory.",
		Ins:      Args{In("source", vmiPtr{data: "low"}), In("offset", Index)},
		Outs:     Args{Out("low", anyVMI), Out("high", ir.SameAs("low"))},
		Access:   ReadsSource,
		Sem:      sem.LaneLoad{Way: sem.WayAlternating},
		Rules:    []Rule{layoutIs("low", LayoutContiguous)},
		Syntax:   ir.Asm("$source `[` $offset `]` attr-dict types"),
		Examples: []string{"%l, %h = pto.vmi.deinterleave_load %p[%i] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32>"},
	})
})

// vmiLoad returns the definition of a load of one vector from source[offset], with
// further operands in o.
func vmiLoad(o Op) *ir.Def {
	o.Ins = append(Args{In("source", vmiPtr{data: "result"}), In("offset", Index)}, o.Ins...)
	o.Outs = Args{Out("result", anyVMI)}
	o.Access = ReadsSource
	return vmi(vmiInner, withMemoryText(o))
}

// lanePerGroup is the rule that the result of a load has as many lanes as the attribute
// "num_groups" states: one lane for each group of memory elements.
var lanePerGroup = Fact(func(op *ir.Op) string {
	n, _ := op.Attr("num_groups").AsInt()
	if lanes, _, _ := VMILanesOf(op.Result(0).Type()); lanes != n {
		return "\"result\" must have one lane per group, as attribute \"num_groups\" counts them"
	}
	return ""
})

// Definitions of the stores of one vector.
var (
	VMIStore = Define("vmi.store", func(string) *ir.Def {
		return vmiStore(Op{Name: "store", Doc: "Writes lanes to neighbouring elements.", Sem: sem.LaneStore{Way: sem.WayContinuous}})
	})
	VMIGroupStore = Define("vmi.group_store", func(string) *ir.Def {
		return vmiStoreTo(vmiPtr{data: "value", packed: true}, Op{
			Name: "group_store", Doc: "Writes groups of lanes to neighbouring elements, row_stride elements apart.",
			Ins: Args{groupStride}, Attrs: []ir.AttrDef{numGroups}, Sem: sem.LaneStore{Way: sem.WayGrouped},
			Rules: []Rule{splitsInto("value", "num_groups", 1)},
		})
	})
	VMIMaskedStore = Define("vmi.masked_store", func(string) *ir.Def {
		return vmiStore(Op{
			Name: "masked_store", Doc: "Writes the selected lanes to the elements at their place.",
			Ins: valueMask, Sem: sem.LaneStore{Way: sem.WayContinuous},
		})
	})
	VMIStrideStore = Define("vmi.stride_store", func(string) *ir.Def {
		return vmiStore(Op{
			Name: "stride_store", Doc: "Writes the selected blocks of 32 bytes, block_stride blocks apart, after repeat_stride blocks.",
			Ins: append(Args{In("block_stride", WrittenI16), In("repeat_stride", WrittenI16)}, valueMask...), Sem: sem.LaneStore{Way: sem.WayBlocks},
		})
	})
	VMICompressStore = Define("vmi.compress_store", func(string) *ir.Def {
		return vmiStore(Op{
			Name: "compress_store", Doc: "Writes the selected lanes to neighbouring elements.",
			Ins: valueMask, Sem: sem.LaneStore{Way: sem.WayPacked},
		})
	})
)

// valueMask declares the mask of a store.
var valueMask = Args{In("mask", vmiMaskFor("value"))}

// VMIInterleaveStore is pto.vmi.interleave_store, which writes two vectors so that
// their elements alternate in memory.
var VMIInterleaveStore = Define("vmi.interleave_store", func(string) *ir.Def {
	return vmi(vmiInner, Op{
		Name: "interleave_store", Doc: "Writes two vectors so that their elements alternate in memory.",
		Ins: append(vmiSame(anyVMI, "low", "high"),
			In("destination", vmiPtr{data: "low"}), In("offset", Index)),
		Access:   WritesDestination,
		Sem:      sem.LaneStore{Way: sem.WayAlternating},
		Rules:    []Rule{layoutIs("low", LayoutContiguous)},
		Syntax:   ir.Asm("$low `,` $high `,` $destination `[` $offset `]` attr-dict types"),
		Examples: []string{"pto.vmi.interleave_store %l, %h, %p[%i] : !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>"},
	})
})

// VMIVSstB is pto.vmi.vsstb, which writes a vector as blocks of 32 bytes at a fixed
// distance.
var VMIVSstB = Define("vmi.vsstb", func(string) *ir.Def {
	return vmi(vmiMemory, Op{
		Name: "vsstb", Doc: "Writes the selected blocks of 32 bytes, block_stride blocks apart.",
		Ins: Args{
			In("value", anyVMI), In("destination", vmiPtr{data: "value"}), In("offset", Index),
			In("block_stride", ir.Exactly(ir.I16)), In("mask", vmiMaskFor("value")),
		},
		Attrs:    []ir.AttrDef{storePMode},
		Access:   WritesDestination,
		Sem:      sem.LaneStore{Way: sem.WayBlocks},
		Syntax:   ir.Asm("$value `,` $destination `[` $offset `]` `,` $block_stride `,` $mask attr-dict types"),
		Examples: []string{"pto.vmi.vsstb %v, %p[%i], %b, %m : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.vmi.mask<64xpred>"},
	})
})

// storePMode is the predication mode of stores. Unselected lanes are not stored, so zero
// is the only mode and has no effect.
var storePMode = ir.AttrDef{
	Name: "pmode", Type: ir.StrIn("zero"), Optional: true,
	Doc: "without effect: lanes that the mask does not select are not written",
}

// vmiStore returns the definition of an instruction that stores one VMI vector to
// destination[offset]. o contains the name of the instruction and its further operands.
func vmiStore(o Op) *ir.Def { return vmiStoreTo(vmiPtr{data: "value"}, o) }

// vmiStoreTo returns the definition of an instruction that stores one vector to
// destination[offset]. dest is the constraint on the pointer. o has the name of the
// instruction and its further operands.
func vmiStoreTo(dest vmiPtr, o Op) *ir.Def {
	o.Ins = append(Args{In("value", anyVMI), In("destination", dest), In("offset", Index)}, o.Ins...)
	o.Access = WritesDestination
	return vmi(vmiInner, withMemoryText(o))
}
