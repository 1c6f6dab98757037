// This file defines unaligned loads and stores.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Unaligned streams carry what they have read ahead, or not yet written, in a
// value of type !pto.align.

// InitAlign is pto.init_align, which returns the empty state with which a sequence of
// unaligned stores starts. The state buffers bytes that do not fill a block of 32 bytes
// yet.
var InitAlign = Define("init_align", func(name string) *ir.Def {
	return VectorOp(micro(Op{
		Name: name, Doc: "Returns the empty state with which unaligned stores start.",
		Outs:     Args{Out("result", alignState)},
		Sem:      sem.AlignInit{},
		Examples: []string{"%a = pto.init_align : !pto.align"},
	}, memoryFamily))
})

// VLdas is pto.vldas, which returns the state with which a sequence of unaligned loads
// starts. The state is a buffer that holds the block of 32 bytes around the address.
var VLdas = Define("vldas", func(name string) *ir.Def {
	return Timed(VectorOp(micro(Op{
		Name: name, Doc: "Returns the state with which unaligned loads from source start.",
		Ins:      Args{In("source", PtrIn(sem.UB))},
		Outs:     Args{Out("result", alignState)},
		Access:   ReadsSource,
		Sem:      sem.AlignInit{Load: true},
		Syntax:   ir.AsmWith("custom<source>($source) attr-dict types", alignSource),
		Examples: []string{"%a = pto.vldas %p : !pto.ptr<f32, ub> -> !pto.align"},
	}, memoryFamily)), accessCycles...)
})

// VLdus is pto.vldus, which reads a register from any address, aligned or not. It belongs
// to a sequence of unaligned loads. Each load receives the state of the sequence, which
// is a buffered block of 32 bytes, and returns the state for the next load.
var VLdus = Define("vldus", func(name string) *ir.Def {
	return Timed(VectorOp(micro(Op{
		Name: name, Doc: "Reads a register from source, which need not be aligned, and returns the state for the next load; with increment, also returns source + increment elements.",
		Ins:    Args{In("source", PtrIn(sem.UB)), In("align", alignState), Opt("increment", WrittenIx)},
		Outs:   Args{Out("result", AnyVReg), Out("updated_align", alignState), Opt("updated_base", ir.SameAs("source"))},
		Access: ReadsSource,
		Sem:    sem.AlignLoad{},
		Rules:  []Rule{together("increment", "updated_base")},
		Syntax: ir.AsmWith("custom<source>($source) `,` $align (`,` $increment^)? attr-dict types", alignSource),
		Examples: []string{
			"%v, %b = pto.vldus %p, %a : !pto.ptr<f32, ub>, !pto.align -> !pto.vreg<64xf32>, !pto.align",
			"%v, %b, %q = pto.vldus %p, %a, %i : !pto.ptr<f32, ub>, !pto.align, index -> !pto.vreg<64xf32>, !pto.align, !pto.ptr<f32, ub>",
		},
	}, memoryFamily)), accessCycles...)
})

// together returns a rule that requires an operand and a result to be either both
// present or both absent.
func together(operand, result string) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		given := !ir.EnvOf(op, 0).Type(result).IsZero()
		switch {
		case op.Arg(operand) != nil && !given:
			return "has operand \"" + operand + "\", but no result \"" + result + "\""
		case op.Arg(operand) == nil && given:
			return "has result \"" + result + "\", but no operand \"" + operand + "\""
		}
		return ""
	})
}

// UVld is pto.uvld, which reads a register from any address, aligned or not. Unlike
// pto.vldus, it needs no state.
var UVld = Define("uvld", func(name string) *ir.Def {
	return VectorOp(micro(Op{
		Name: name, Doc: "Reads a register from source + offset elements, which need not be aligned.",
		Ins:      Args{In("source", PtrIn(sem.UB)), In("offset", Index)},
		Outs:     Args{Out("result", AnyVReg)},
		Access:   ReadsSource,
		Sem:      sem.VecLoad{},
		Rules:    []Rule{EqualElements("source", "result")},
		Syntax:   ir.Asm("$source `[` $offset `]` attr-dict types"),
		Examples: []string{"%v = pto.uvld %p[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>"},
	}, memoryFamily))
})

// VStus is pto.vstus, which appends the first lanes of a register to the stream of
// bytes that unaligned stores write.
var VStus = Define("vstus", func(name string) *ir.Def {
	return Timed(VectorOp(micro(Op{
		Name: name, Doc: "Appends the first offset lanes of value to the unaligned store at base.",
		Ins: Args{
			In("align_in", alignState), In("offset", WrittenI32), In("value", AnyVReg), In("base", PtrIn(sem.UB)),
		},
		Outs:   Args{Out("align_out", alignState), Opt("base_out", ir.SameAs("base"))},
		Access: []Access{{Arg: "base", Write: true}},
		Sem:    sem.AlignStore{Count: sem.ByOffset},
		Examples: []string{
			"%b = pto.vstus %a, %n, %v, %p : !pto.align, i32, !pto.vreg<64xf32>, !pto.ptr<f32, ub> -> !pto.align",
		},
	}, memoryFamily)), accessCycles...)
})

// VStur is pto.vstur, which appends the lanes that the last compaction has selected to
// the stream of bytes that unaligned stores write.
var VStur = Define("vstur", func(name string) *ir.Def {
	return Timed(VectorOp(micro(Op{
		Name: name, Doc: "Appends as many lanes of value as the last compaction kept to the unaligned store at base + AR.",
		Ins:    Args{In("align_in", alignState), In("value", AnyVReg), In("base", PtrIn(sem.UB))},
		Outs:   Args{Out("align_out", alignState)},
		Attrs:  []ir.AttrDef{{Name: "mode", Type: ir.StrIn("POST_UPDATE", "NO_POST_UPDATE"), Doc: "whether AR advances by what is stored"}},
		Access: []Access{{Arg: "base", Write: true}},
		Sem:    sem.AlignStore{Count: sem.ByCompact},
		Syntax: ir.Asm("$align_in `,` $value `,` $base `,` $mode attr-dict types"),
		Examples: []string{
			`%b = pto.vstur %a, %v, %p, "POST_UPDATE" : !pto.align, !pto.vreg<64xf32>, !pto.ptr<f32, ub> -> !pto.align`,
		},
	}, memoryFamily)), accessCycles...)
})

// VStas is pto.vstas, which writes the bytes that an unaligned store has kept in its
// alignment state. The written bytes end at the address destination + offset, where the
// operand offset counts elements.
var VStas = Define("vstas", func(name string) *ir.Def {
	return Timed(VectorOp(micro(Op{
		Name: name, Doc: "Writes what an unaligned store still holds, so that it ends at destination + offset elements.",
		Ins:      Args{In("value", alignState), In("destination", PtrIn(sem.UB)), In("offset", WrittenI32)},
		Outs:     Args{Opt("updated_base", ir.SameAs("destination"))},
		Access:   WritesDestination,
		Sem:      sem.AlignFlush{},
		Examples: []string{"pto.vstas %a, %p, %n : !pto.align, !pto.ptr<f32, ub>, i32"},
	}, memoryFamily)), accessCycles...)
})

// VStar is pto.vstar, which ends an unaligned store, a sequence of instructions that
// store adjacent bytes. It writes the bytes that the earlier instructions have not yet
// written. The last byte precedes the address of the destination plus the special
// register AR.
var VStar = Define("vstar", func(name string) *ir.Def {
	return Timed(VectorOp(micro(Op{
		Name: name, Doc: "Writes what an unaligned store still holds, so that it ends at destination + AR.",
		Ins:      Args{In("value", alignState), In("destination", PtrIn(sem.UB))},
		Access:   WritesDestination,
		Sem:      sem.AlignFlush{},
		Examples: []string{"pto.vstar %a, %p : !pto.align, !pto.ptr<f32, ub>"},
	}, memoryFamily)), accessCycles...)
})

// VSta is pto.vsta, an older form of pto.vstas, which writes the remaining bytes of an
// unaligned store.
var VSta = Define("vsta", func(name string) *ir.Def {
	return VectorOp(Op{
		Name: name, Doc: "Writes what an unaligned store still holds, so that it ends at destination + offset elements.",
		Family: memoryFamily, Page: VectorPage(memoryFamily, name),
		Ins:      Args{In("value", alignState), In("destination", PtrIn(sem.UB)), In("offset", WrittenIx)},
		Access:   WritesDestination,
		Sem:      sem.AlignFlush{},
		Syntax:   ir.Asm("$value `,` $destination `[` $offset `]` attr-dict types"),
		Notes:    []string{docsOnly},
		Examples: []string{"pto.vsta %a, %p[%i] : !pto.align, !pto.ptr<f32, ub>, index"},
	})
})

// VStu is pto.vstu, an older form of pto.vstus, which appends lanes to an unaligned
// store.
var VStu = Define("vstu", func(name string) *ir.Def {
	return VectorOp(Op{
		Name: name, Doc: "Appends a register to the unaligned store at base + offset_in and returns the next offset.",
		Family: memoryFamily, Page: VectorPage(memoryFamily, name),
		Ins: Args{
			In("align_in", alignState), In("offset_in", WrittenIx), In("value", AnyVReg), In("base", PtrIn(sem.UB)),
		},
		Outs:   Args{Out("align_out", alignState), Out("offset_out", WrittenIx)},
		Attrs:  []ir.AttrDef{{Name: "mode", Type: ir.StrIn("POST_UPDATE", "NO_POST_UPDATE")}},
		Access: []Access{{Arg: "base", Write: true}},
		Sem:    sem.AlignStore{Count: sem.ByOffset},
		Syntax: ir.Asm("$align_in `,` $offset_in `,` $value `,` $base `,` $mode attr-dict types"),
		Notes:  []string{docsOnly, "The page leaves open whether offsets count bytes or elements; here they count elements."},
		Examples: []string{
			`%b, %j = pto.vstu %a, %i, %v, %p, "POST_UPDATE" : !pto.align, index, !pto.vreg<64xf32>, !pto.ptr<f32, ub> -> !pto.align, index`,
		},
	})
})

// sprAttr declares the attribute that selects a special register. AR, which counts the
// bytes of unaligned stores, is the only one.
var sprAttr = ir.AttrDef{Name: "spr", Type: ir.StrIn("AR"), Doc: "the special register"}

// SprClr is pto.sprclr, which sets the special register AR, the byte counter of
// unaligned stores, to zero.
var SprClr = Define("sprclr", func(name string) *ir.Def {
	return VectorOp(micro(Op{
		Name: name, Doc: "Sets the special register AR to zero.",
		Attrs:    []ir.AttrDef{sprAttr},
		Sem:      sem.StreamEnd{},
		Syntax:   ir.Asm("$spr attr-dict"),
		Rules:    []Rule{InScope()},
		Examples: []string{`pto.sprclr "AR"`},
	}, memoryFamily))
})

// Definitions of the instructions that store the special register AR, the byte counter
// of unaligned stores.
var (
	SprStI = sprStore("sprsti", 4, "Writes the special register to destination + offset words; offset is a constant of 8 bits.", InScope(), ConstantIn("offset", -128, 127))
	SprStS = sprStore("sprsts", 1, "Writes the special register to destination + offset bytes.", InScope())
)

// sprStore declares the instruction with the given name, which stores the special
// register AR. scale is the unit of its offset operand in bytes. doc is the description
// on the reference page, and rules are additional rules on the operands.
func sprStore(name string, scale int, doc string, rules ...Rule) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return VectorOp(micro(Op{
			Name: name, Doc: doc,
			Ins: Args{
				In("destination", ir.OneOf(ir.Written(Ptr(UintType(32), sem.UB)), ir.Written(Ptr(ir.I32, sem.UB)))),
				In("offset", WrittenI32),
			},
			Outs:     Args{Opt("updated_base", ir.SameAs("destination"))},
			Attrs:    []ir.AttrDef{sprAttr},
			Access:   WritesDestination,
			Sem:      sem.StreamEnd{Store: true, Scale: scale},
			Rules:    rules,
			Syntax:   ir.Asm("$spr `,` $destination `[` $offset `]` attr-dict types"),
			Examples: []string{"pto." + name + ` "AR", %p[%n] : !pto.ptr<ui32, ub>, i32`},
		}, memoryFamily))
	})
}
