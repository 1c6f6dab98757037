package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Unaligned streams carry what they have read ahead, or not yet written, in a
// value of type !pto.align.

// InitAlign starts an unaligned store.
var InitAlign = define("init_align", func(name string) *ir.Def {
	return vec(micro(Op{
		Name: name, Doc: "Gives the empty state that an unaligned store starts from.",
		Outs:     Args{out("result", alignState)},
		Sem:      sem.AlignInit{},
		Examples: []string{"%a = pto.init_align : !pto.align"},
	}, memoryFamily))
})

// VLdas starts an unaligned load.
var VLdas = define("vldas", func(name string) *ir.Def {
	return timed(vec(micro(Op{
		Name: name, Doc: "Gives the state that an unaligned load from source starts from.",
		Ins:      Args{in("source", PtrIn(sem.UB))},
		Outs:     Args{out("result", alignState)},
		Access:   readsSource,
		Sem:      sem.AlignInit{Load: true},
		Syntax:   ir.AsmWith("custom<source>($source) attr-dict types", alignSource),
		Examples: []string{"%a = pto.vldas %p : !pto.ptr<f32, ub> -> !pto.align"},
	}, memoryFamily)), accessCycles...)
})

// VLdus reads a register that is not aligned.
var VLdus = define("vldus", func(name string) *ir.Def {
	return timed(vec(micro(Op{
		Name: name, Doc: "Reads a register from source, which need not be aligned, and gives the state for what follows; with increment also source + increment elements.",
		Ins:    Args{in("source", PtrIn(sem.UB)), in("align", alignState), opt("increment", WrittenIx)},
		Outs:   Args{out("result", AnyVReg), out("updated_align", alignState), opt("updated_base", ir.SameAs("source"))},
		Access: readsSource,
		Sem:    sem.AlignLoad{},
		Rules:  []Rule{together("increment", "updated_base")},
		Syntax: ir.AsmWith("custom<source>($source) `,` $align (`,` $increment^)? attr-dict types", alignSource),
		Examples: []string{
			"%v, %b = pto.vldus %p, %a : !pto.ptr<f32, ub>, !pto.align -> !pto.vreg<64xf32>, !pto.align",
			"%v, %b, %q = pto.vldus %p, %a, %i : !pto.ptr<f32, ub>, !pto.align, index -> !pto.vreg<64xf32>, !pto.align, !pto.ptr<f32, ub>",
		},
	}, memoryFamily)), accessCycles...)
})

// together asks for both of two arguments or for none.
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

// UVld reads a register that is not aligned, without a state.
var UVld = define("uvld", func(name string) *ir.Def {
	return vec(micro(Op{
		Name: name, Doc: "Reads a register from source + offset elements, which need not be aligned.",
		Ins:      Args{in("source", PtrIn(sem.UB)), in("offset", Index)},
		Outs:     Args{out("result", AnyVReg)},
		Access:   readsSource,
		Sem:      sem.VecLoad{},
		Rules:    []Rule{sameElement("source", "result")},
		Syntax:   ir.Asm("$source `[` $offset `]` attr-dict types"),
		Examples: []string{"%v = pto.uvld %p[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>"},
	}, memoryFamily))
})

// VStus appends the first lanes of a register to an unaligned store.
var VStus = define("vstus", func(name string) *ir.Def {
	return timed(vec(micro(Op{
		Name: name, Doc: "Appends the first offset lanes of value to the unaligned store at base.",
		Ins: Args{
			in("align_in", alignState), in("offset", writtenI32), in("value", AnyVReg), in("base", PtrIn(sem.UB)),
		},
		Outs:   Args{out("align_out", alignState), opt("base_out", ir.SameAs("base"))},
		Access: []Access{{Arg: "base", Write: true}},
		Sem:    sem.AlignStore{Count: sem.ByOffset},
		Examples: []string{
			"%b = pto.vstus %a, %n, %v, %p : !pto.align, i32, !pto.vreg<64xf32>, !pto.ptr<f32, ub> -> !pto.align",
		},
	}, memoryFamily)), accessCycles...)
})

// VStur appends what a compaction left.
var VStur = define("vstur", func(name string) *ir.Def {
	return timed(vec(micro(Op{
		Name: name, Doc: "Appends as many lanes of value as the last compaction kept to the unaligned store at base + AR.",
		Ins:    Args{in("align_in", alignState), in("value", AnyVReg), in("base", PtrIn(sem.UB))},
		Outs:   Args{out("align_out", alignState)},
		Attrs:  []ir.AttrDef{{Name: "mode", Type: ir.StrIn("POST_UPDATE", "NO_POST_UPDATE"), Doc: "whether AR advances by what is stored"}},
		Access: []Access{{Arg: "base", Write: true}},
		Sem:    sem.AlignStore{Count: sem.ByCompact},
		Syntax: ir.Asm("$align_in `,` $value `,` $base `,` $mode attr-dict types"),
		Examples: []string{
			`%b = pto.vstur %a, %v, %p, "POST_UPDATE" : !pto.align, !pto.vreg<64xf32>, !pto.ptr<f32, ub> -> !pto.align`,
		},
	}, memoryFamily)), accessCycles...)
})

// VStas ends an unaligned store at an offset.
var VStas = define("vstas", func(name string) *ir.Def {
	return timed(vec(micro(Op{
		Name: name, Doc: "Writes what an unaligned store still holds, so that it ends at destination + offset elements.",
		Ins:      Args{in("value", alignState), in("destination", PtrIn(sem.UB)), in("offset", writtenI32)},
		Outs:     Args{opt("updated_base", ir.SameAs("destination"))},
		Access:   writesDestination,
		Sem:      sem.AlignFlush{},
		Examples: []string{"pto.vstas %a, %p, %n : !pto.align, !pto.ptr<f32, ub>, i32"},
	}, memoryFamily)), accessCycles...)
})

// VStar ends an unaligned store at the special register.
var VStar = define("vstar", func(name string) *ir.Def {
	return timed(vec(micro(Op{
		Name: name, Doc: "Writes what an unaligned store still holds, so that it ends at destination + AR.",
		Ins:      Args{in("value", alignState), in("destination", PtrIn(sem.UB))},
		Access:   writesDestination,
		Sem:      sem.AlignFlush{},
		Examples: []string{"pto.vstar %a, %p : !pto.align, !pto.ptr<f32, ub>"},
	}, memoryFamily)), accessCycles...)
})

// VSta is an older form of VStas.
var VSta = define("vsta", func(name string) *ir.Def {
	return vec(Op{
		Name: name, Doc: "Writes what an unaligned store still holds, so that it ends at destination + offset elements.",
		Family: memoryFamily, Page: vectorPage(memoryFamily, name),
		Ins:      Args{in("value", alignState), in("destination", PtrIn(sem.UB)), in("offset", WrittenIx)},
		Access:   writesDestination,
		Sem:      sem.AlignFlush{},
		Syntax:   ir.Asm("$value `,` $destination `[` $offset `]` attr-dict types"),
		Notes:    []string{docsOnly},
		Examples: []string{"pto.vsta %a, %p[%i] : !pto.align, !pto.ptr<f32, ub>, index"},
	})
})

// VStu is an older form of VStus.
var VStu = define("vstu", func(name string) *ir.Def {
	return vec(Op{
		Name: name, Doc: "Appends a register to the unaligned store at base + offset_in and gives the next offset.",
		Family: memoryFamily, Page: vectorPage(memoryFamily, name),
		Ins: Args{
			in("align_in", alignState), in("offset_in", WrittenIx), in("value", AnyVReg), in("base", PtrIn(sem.UB)),
		},
		Outs:   Args{out("align_out", alignState), out("offset_out", WrittenIx)},
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

var sprAttr = ir.AttrDef{Name: "spr", Type: ir.StrIn("AR"), Doc: "the special register"}

// SprClr clears the special register.
var SprClr = define("sprclr", func(name string) *ir.Def {
	return vec(micro(Op{
		Name: name, Doc: "Sets the special register AR to zero.",
		Attrs:    []ir.AttrDef{sprAttr},
		Sem:      sem.StreamEnd{},
		Syntax:   ir.Asm("$spr attr-dict"),
		Rules:    []Rule{InScope()},
		Examples: []string{`pto.sprclr "AR"`},
	}, memoryFamily))
})

// Stores of the special register.
var (
	SprStI = sprStore("sprsti", 4, "Writes the special register to destination + offset words; offset is a constant of 8 bits.", InScope(), constantIn("offset", -128, 127))
	SprStS = sprStore("sprsts", 1, "Writes the special register to destination + offset bytes.", InScope())
)

func sprStore(name string, scale int, doc string, rules ...Rule) *ir.Def {
	return define(name, func(name string) *ir.Def {
		return vec(micro(Op{
			Name: name, Doc: doc,
			Ins: Args{
				in("destination", ir.OneOf(ir.Written(Ptr(uintType(32), sem.UB)), ir.Written(Ptr(ir.I32, sem.UB)))),
				in("offset", writtenI32),
			},
			Outs:     Args{opt("updated_base", ir.SameAs("destination"))},
			Attrs:    []ir.AttrDef{sprAttr},
			Access:   writesDestination,
			Sem:      sem.StreamEnd{Store: true, Scale: scale},
			Rules:    rules,
			Syntax:   ir.Asm("$spr `,` $destination `[` $offset `]` attr-dict types"),
			Examples: []string{"pto." + name + ` "AR", %p[%n] : !pto.ptr<ui32, ub>, i32`},
		}, memoryFamily))
	})
}
