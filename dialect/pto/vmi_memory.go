package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// The one-way loads and stores that vload and vstore are taken apart into.

var groupStride = in("row_stride", Index)

// Loads.
var (
	VMILoad = define("vmi.load", func(string) *ir.Def {
		return vmiLoad(Op{Name: "load", Doc: "Reads neighbouring elements.", Sem: sem.LaneLoad{Way: sem.WayContinuous}})
	})
	VMIGroupLoad = define("vmi.group_load", func(string) *ir.Def {
		return vmiLoad(Op{
			Name: "group_load", Doc: "Reads groups of neighbouring elements, row_stride elements apart.",
			Ins: Args{groupStride}, Attrs: []ir.AttrDef{numGroups}, Sem: sem.LaneLoad{Way: sem.WayGrouped},
			Rules: []Rule{splitsInto("result", "num_groups", 1)},
		})
	})
	VMIGroupSlotLoad = define("vmi.group_slot_load", func(string) *ir.Def {
		return vmiLoad(Op{
			Name: "group_slot_load", Doc: "Reads one element per group, source_group_stride elements apart, into one lane each.",
			Ins: Args{in("source_group_stride", Index)}, Attrs: []ir.AttrDef{numGroups}, Sem: sem.LaneLoad{Way: sem.WayGroupElement},
			Rules:    []Rule{splitsInto("result", "num_groups", 1), lanePerGroup, layoutIs("result", LayoutGroupSlots)},
			Examples: []string{"%r = pto.vmi.group_slot_load %p[%i], %s {num_groups = 8 : i64} : !pto.ptr<f32, ub> -> !pto.vmi.vreg<8xf32>"},
		})
	})
	VMIGroupBroadcastLoad = define("vmi.group_broadcast_load", func(string) *ir.Def {
		return vmiLoad(Op{
			Name: "group_broadcast_load", Doc: "Reads one element per group, source_group_stride elements apart, into all lanes of the group.",
			Ins: Args{in("source_group_stride", Index)}, Attrs: []ir.AttrDef{numGroups}, Sem: sem.LaneLoad{Way: sem.WayGroupElement},
			Rules: []Rule{splitsInto("result", "num_groups", 1), layoutIs("result", denseLayouts...)},
		})
	})
	VMIStrideLoad = define("vmi.stride_load", func(string) *ir.Def {
		return vmiLoad(Op{
			Name: "stride_load", Doc: "Reads the selected blocks of 32 bytes, block_stride blocks apart, behind repeat_stride blocks.",
			Ins: Args{in("block_stride", writtenI16), in("repeat_stride", writtenI16), in("mask", vmiMaskFor("result"))},
			Sem: sem.LaneLoad{Way: sem.WayBlocks},
		})
	})
	VMIMaskedLoad = define("vmi.masked_load", func(string) *ir.Def {
		return vmiLoad(Op{
			Name: "masked_load", Doc: "Reads neighbouring elements into the selected lanes; others are those of passthru.",
			Ins: passthruArgs, Sem: sem.LaneLoad{Way: sem.WayContinuous},
		})
	})
	VMIExpandLoad = define("vmi.expand_load", func(string) *ir.Def {
		return vmiLoad(Op{
			Name: "expand_load", Doc: "Reads neighbouring elements, as many as lanes are selected, into these lanes in order; others are those of passthru.",
			Ins: passthruArgs, Sem: sem.LaneLoad{Way: sem.WayPacked},
		})
	})
)

var passthruArgs = Args{in("mask", vmiMaskFor("result")), in("passthru", ir.SameAs("result"))}

// VMIDeinterleaveLoad reads two vectors whose elements alternate.
var VMIDeinterleaveLoad = define("vmi.deinterleave_load", func(string) *ir.Def {
	return vmi(vmiInner, Op{
		Name: "deinterleave_load", Doc: "Reads two vectors whose elements alternate in memory.",
		Ins:      Args{in("source", vmiPtr{data: "low"}), in("offset", Index)},
		Outs:     Args{out("low", anyVMI), out("high", ir.SameAs("low"))},
		Access:   readsSource,
		Sem:      sem.LaneLoad{Way: sem.WayAlternating},
		Rules:    []Rule{layoutIs("low", LayoutContiguous)},
		Syntax:   ir.Asm("$source `[` $offset `]` attr-dict types"),
		Examples: []string{"%l, %h = pto.vmi.deinterleave_load %p[%i] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32>"},
	})
})

// vmiLoad defines a load of one vector: source[offset], more operands.
func vmiLoad(o Op) *ir.Def {
	o.Ins = append(Args{in("source", vmiPtr{data: "result"}), in("offset", Index)}, o.Ins...)
	o.Outs = Args{out("result", anyVMI)}
	o.Access = readsSource
	return vmi(vmiInner, withMemoryText(o))
}

var lanePerGroup = Fact(func(op *ir.Op) string {
	n, _ := op.Attr("num_groups").AsInt()
	if lanes, _, _ := vmiLanesOf(op.Result(0).Type()); lanes != n {
		return "\"result\" must have one lane per group, as attribute \"num_groups\" counts them"
	}
	return ""
})

// Stores.
var (
	VMIStore = define("vmi.store", func(string) *ir.Def {
		return vmiStore(Op{Name: "store", Doc: "Writes lanes to neighbouring elements.", Sem: sem.LaneStore{Way: sem.WayContinuous}})
	})
	VMIGroupStore = define("vmi.group_store", func(string) *ir.Def {
		return vmiStoreTo(vmiPtr{data: "value", packed: true}, Op{
			Name: "group_store", Doc: "Writes groups of lanes to neighbouring elements, row_stride elements apart.",
			Ins: Args{groupStride}, Attrs: []ir.AttrDef{numGroups}, Sem: sem.LaneStore{Way: sem.WayGrouped},
			Rules: []Rule{splitsInto("value", "num_groups", 1)},
		})
	})
	VMIMaskedStore = define("vmi.masked_store", func(string) *ir.Def {
		return vmiStore(Op{
			Name: "masked_store", Doc: "Writes the selected lanes to the elements at their place.",
			Ins: valueMask, Sem: sem.LaneStore{Way: sem.WayContinuous},
		})
	})
	VMIStrideStore = define("vmi.stride_store", func(string) *ir.Def {
		return vmiStore(Op{
			Name: "stride_store", Doc: "Writes the selected blocks of 32 bytes, block_stride blocks apart, behind repeat_stride blocks.",
			Ins: append(Args{in("block_stride", writtenI16), in("repeat_stride", writtenI16)}, valueMask...), Sem: sem.LaneStore{Way: sem.WayBlocks},
		})
	})
	VMICompressStore = define("vmi.compress_store", func(string) *ir.Def {
		return vmiStore(Op{
			Name: "compress_store", Doc: "Writes the selected lanes to neighbouring elements.",
			Ins: valueMask, Sem: sem.LaneStore{Way: sem.WayPacked},
		})
	})
)

var valueMask = Args{in("mask", vmiMaskFor("value"))}

// VMIInterleaveStore writes two vectors so that their elements alternate.
var VMIInterleaveStore = define("vmi.interleave_store", func(string) *ir.Def {
	return vmi(vmiInner, Op{
		Name: "interleave_store", Doc: "Writes two vectors so that their elements alternate in memory.",
		Ins: append(vmiSame(anyVMI, "low", "high"),
			in("destination", vmiPtr{data: "low"}), in("offset", Index)),
		Access:   writesDestination,
		Sem:      sem.LaneStore{Way: sem.WayAlternating},
		Rules:    []Rule{layoutIs("low", LayoutContiguous)},
		Syntax:   ir.Asm("$low `,` $high `,` $destination `[` $offset `]` attr-dict types"),
		Examples: []string{"pto.vmi.interleave_store %l, %h, %p[%i] : !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>"},
	})
})

// VMIVSstB writes blocks.
var VMIVSstB = define("vmi.vsstb", func(string) *ir.Def {
	return vmi(vmiMemory, Op{
		Name: "vsstb", Doc: "Writes the selected blocks of 32 bytes, block_stride blocks apart.",
		Ins: Args{
			in("value", anyVMI), in("destination", vmiPtr{data: "value"}), in("offset", Index),
			in("block_stride", ir.Exactly(ir.I16)), in("mask", vmiMaskFor("value")),
		},
		Attrs:    []ir.AttrDef{storePMode},
		Access:   writesDestination,
		Sem:      sem.LaneStore{Way: sem.WayBlocks},
		Syntax:   ir.Asm("$value `,` $destination `[` $offset `]` `,` $block_stride `,` $mask attr-dict types"),
		Examples: []string{"pto.vmi.vsstb %v, %p[%i], %b, %m : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.vmi.mask<64xpred>"},
	})
})

// storePMode is the predication of stores. Lanes that are not selected leave
// memory alone, so there is nothing to merge with.
var storePMode = ir.AttrDef{
	Name: "pmode", Type: ir.StrIn("zero"), Optional: true,
	Doc: "without effect: lanes that the mask does not select are not written",
}

// vmiStore defines a store of one vector: value, destination[offset], more.
func vmiStore(o Op) *ir.Def { return vmiStoreTo(vmiPtr{data: "value"}, o) }

func vmiStoreTo(dest vmiPtr, o Op) *ir.Def {
	o.Ins = append(Args{in("value", anyVMI), in("destination", dest), in("offset", Index)}, o.Ins...)
	o.Access = writesDestination
	return vmi(vmiInner, withMemoryText(o))
}
