// This file defines vector loads and stores.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// memoryFamily is the chapter of the manual on vector loads and stores.
const memoryFamily = "vector-load-store"

// postUpdate is a sentence for the descriptions of loads and stores on reference pages.
// Such an instruction has an optional result, the advanced address: the address operand
// plus the offset. If a program uses this result, the instruction accesses memory at the
// address operand. Without the result, it accesses memory at the address operand plus the
// offset.
const postUpdate = " With a result for it, the address advanced by the offset is given, and the access is at the address itself."

// VLds is pto.vlds, which reads a register from the unified buffer.
var VLds = Define("vlds", func(name string) *ir.Def {
	return Timed(VectorOp(micro(Op{
		Name: name, Old: []string{"vlds_post"}, Doc: "Reads a register from source + offset elements; dist determines how memory is distributed over the lanes." + postUpdate,
		Ins:  Args{In("source", PtrIn(sem.UB)), In("offset", Index)},
		Outs: Args{Out("result", AnyVReg), Opt("updated_base", ir.SameAs("source"))},
		Attrs: []ir.AttrDef{
			{Name: "dist", Type: ir.StrIn(lanemap.DistTokens(lanemap.LoadDists, false)...), Optional: true, Doc: "NORM, if left out: lane i is element i; BRC: the first element in all lanes; BRC_BLK: the first 32 bytes again and again; E2B: element i in all of block i of 32 bytes; US: each element twice; DS, SPLT2CHN: every second element; SPLT4CHN: every fourth; UNPK: element i, followed by the same number of zero bytes; UNPK4: element i, followed by three times this number of zero bytes"},
		},
		Access: ReadsSource,
		Sem:    sem.VecLoad{},
		Syntax: ir.Asm("$source `[` $offset `]` attr-dict types"),
		Examples: []string{
			"%v = pto.vlds %p[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>",
			`%v, %q = pto.vlds %p[%i] {dist = "BRC_B32"} : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>, !pto.ptr<f32, ub>`,
		},
	}, memoryFamily)), accessCycles...)
})

// VLdsX2 is pto.vldsx2, which reads two registers whose elements or blocks alternate in
// memory.
var VLdsX2 = Define("vldsx2", func(name string) *ir.Def {
	return Issued(Issue{Interval: 2}, Timed(VectorOp(micro(Op{
		Name: name, Doc: "Reads two registers whose elements, or blocks, alternate in memory." + postUpdate,
		Ins:    Args{In("source", PtrIn(sem.UB)), In("offset", WrittenIx)},
		Outs:   Args{Out("low", AnyVReg), Out("high", ir.SameAs("low")), Opt("updated_base", ir.SameAs("source"))},
		Attrs:  []ir.AttrDef{{Name: "dist", Type: ir.StrIn(lanemap.DistTokens(lanemap.LoadDists, true)...), Doc: "what the two registers receive alternately: elements (DINTLV), or blocks of 32 bytes (BDINTLV)"}},
		Access: ReadsSource,
		Sem:    sem.VecLoad{},
		Syntax: ir.Asm("$source `[` $offset `]` `,` $dist attr-dict types"),
		Examples: []string{
			`%x, %y = pto.vldsx2 %p[%i], "DINTLV_B32" : !pto.ptr<f32, ub>, index -> !pto.vreg<64xf32>, !pto.vreg<64xf32>`,
		},
	}, memoryFamily)), Latency{Elems: "BDINTLV, DINTLV_B16, DINTLV_B32, DINTLV_B8", A5: "9"}))
})

// VSts is pto.vsts, which writes a register to the unified buffer.
var VSts = Define("vsts", func(name string) *ir.Def {
	return Issued(Issue{Late: 2}, Timed(VectorOp(micro(Op{
		Name: name, Old: []string{"vsts_post"}, Doc: "Writes the selected lanes to destination + offset elements; dist determines how lanes are distributed over memory." + postUpdate,
		Ins: Args{
			In("value", AnyVReg), In("destination", PtrIn(sem.UB)), In("offset", Index), In("mask", storeMask("value")),
		},
		Outs: Args{Opt("updated_base", ir.SameAs("destination"))},
		Attrs: []ir.AttrDef{
			{Name: "dist", Type: ir.StrIn(lanemap.DistTokens(lanemap.StoreDists, false)...), Optional: true, OldPrefix: [2]string{"ONEPT_", "1PT_"}, Doc: "NORM, or none: element i is lane i; 1PT: lane 0 alone, whatever the mask; PK: the first of each two elements of the register; PK4: of each four; MRG2CHN, MRG4CHN: two or four planes become interleaved channels"},
		},
		Access: WritesDestination,
		Sem:    sem.VecStore{},
		Syntax: ir.Asm("$value `,` $destination `[` $offset `]` `,` $mask attr-dict types"),
		Examples: []string{
			"pto.vsts %v, %p[%i], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>",
			`%q = pto.vsts %v, %p[%i], %m {dist = "PK_B32"} : !pto.vreg<128xf16>, !pto.ptr<f16, ub>, !pto.mask<b32> -> !pto.ptr<f16, ub>`,
		},
	}, memoryFamily)), accessCycles...))
})

// VStsX2 is pto.vstsx2, which writes two registers so that their elements or blocks
// alternate in memory.
var VStsX2 = Define("vstsx2", func(name string) *ir.Def {
	return Issued(Issue{Latency: 12, Interval: 2}, Timed(VectorOp(micro(Op{
		Name: name, Doc: "Writes two registers so that their elements alternate in memory; the mask is not looked at.",
		Ins: Args{
			In("low", AnyVReg), In("high", ir.SameAs("low")), In("destination", PtrIn(sem.UB)), In("offset", WrittenIx), In("mask", AnyMask),
		},
		Attrs:  []ir.AttrDef{{Name: "dist", Type: ir.StrIn(lanemap.DistTokens(lanemap.StoreDists, true)...), Doc: "how wide the elements are that the registers give in turn"}},
		Access: WritesDestination,
		Sem:    sem.VecStore{},
		Syntax: ir.Asm("$low `,` $high `,` $destination `[` $offset `]` `,` $dist `,` $mask attr-dict types"),
		Examples: []string{
			`pto.vstsx2 %x, %y, %p[%i], "INTLV_B32", %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.ptr<f32, ub>, index, !pto.mask<b32>`,
		},
	}, memoryFamily)), Latency{Elems: "INTLV", A5: "12"}))
})

// VSldB is pto.vsldb, which reads a register as blocks of 32 bytes that are a fixed
// distance apart in memory.
var VSldB = Define("vsldb", func(name string) *ir.Def {
	return Timed(VectorOp(micro(Op{
		Name: name, Doc: "Reads the selected blocks of 32 bytes, block_stride blocks apart, from source + repeat_stride blocks.",
		Ins: Args{
			In("source", PtrIn(sem.UB)), In("block_stride", WrittenI16), In("repeat_stride", WrittenI16), In("mask", MaskFor("result")),
		},
		Outs:   Args{Out("result", AnyVReg), Opt("updated_base", ir.SameAs("source"))},
		Access: ReadsSource,
		Sem:    sem.VecBlocks{},
		Examples: []string{
			"%v = pto.vsldb %p, %b, %r, %m : !pto.ptr<f32, ub>, i16, i16, !pto.mask<b32> -> !pto.vreg<64xf32>",
		},
	}, memoryFamily)), accessCycles...)
})

// VSstB is pto.vsstb, which writes a register as blocks of 32 bytes that are a fixed
// distance apart in memory.
var VSstB = Define("vsstb", func(name string) *ir.Def {
	return Timed(VectorOp(micro(Op{
		Name: name, Doc: "Writes the selected blocks of 32 bytes, block_stride blocks apart, to destination + repeat_stride blocks.",
		Ins: Args{
			In("value", AnyVReg), In("destination", PtrIn(sem.UB)),
			In("block_stride", WrittenI16), In("repeat_stride", WrittenI16), In("mask", MaskFor("value")),
		},
		Outs:   Args{Opt("updated_base", ir.SameAs("destination"))},
		Access: WritesDestination,
		Sem:    sem.VecBlocks{Store: true},
		Examples: []string{
			"pto.vsstb %v, %p, %b, %r, %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, i16, i16, !pto.mask<b32>",
		},
	}, memoryFamily)), accessCycles...)
})

// Definitions of the loads and stores with a constant stride, which an attribute
// selects.
var (
	VSld = Define("vsld", func(name string) *ir.Def {
		return VectorOp(Op{
			Name: name, Doc: "Reads a register in a fixed stride.", Family: memoryFamily, Page: VectorPage(memoryFamily, name),
			Ins:      Args{In("source", PtrIn(sem.UB)), In("offset", Index)},
			Outs:     Args{Out("result", AnyVReg)},
			Attrs:    []ir.AttrDef{strideAttr},
			Access:   ReadsSource,
			Sem:      sem.VecLoad{},
			Syntax:   ir.Asm("$source `[` $offset `]` `,` $stride attr-dict types"),
			Notes:    []string{docsOnly},
			Examples: []string{`%v = pto.vsld %p[%i], "STRIDE_S3_B16" : !pto.ptr<f16, ub> -> !pto.vreg<128xf16>`},
		})
	})
	VSst = Define("vsst", func(name string) *ir.Def {
		return VectorOp(Op{
			Name: name, Doc: "Writes a register in a fixed stride.", Family: memoryFamily, Page: VectorPage(memoryFamily, name),
			Ins:      Args{In("value", AnyVReg), In("destination", PtrIn(sem.UB)), In("offset", Index)},
			Attrs:    []ir.AttrDef{strideAttr},
			Access:   WritesDestination,
			Sem:      sem.VecStore{},
			Syntax:   ir.Asm("$value `,` $destination `[` $offset `]` `,` $stride attr-dict types"),
			Notes:    []string{docsOnly},
			Examples: []string{`pto.vsst %v, %p[%i], "STRIDE_S8_B32" : !pto.vreg<64xf32>, !pto.ptr<f32, ub>`},
		})
	})
)

// strideAttr declares the attribute that selects the stride of a load or store.
var strideAttr = ir.AttrDef{Name: "stride", Type: ir.StrIn(lanemap.DistTokens(lanemap.StrideDists, false)...), Doc: "which elements: every third of 16 bits, every fourth of 64, every eighth of 32, every second of 64"}
