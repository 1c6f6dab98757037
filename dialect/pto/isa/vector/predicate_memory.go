// This file defines loads and stores of masks.

package vector

import (
	"math"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// maskMemFamily is the chapter of the manual on loads and stores of masks.
const maskMemFamily = "predicate-load-store"

// loadMaskDist and storeMaskDist are the attributes with which loads and stores of masks
// select the format of the mask in memory.
var (
	loadMaskDist  = ir.AttrDef{Name: "dist", Type: ir.StrIn("NORM", "US", "DS")}
	storeMaskDist = ir.AttrDef{Name: "dist", Type: ir.StrIn("NORM", "PK")}
)

// Definitions of the loads and stores of masks. If the offset operand is a value, it
// counts bytes. If it is a constant, it counts units whose size attribute dist selects.
var (
	PLdS = maskLoad("plds", sem.MaskLoad{}, "Reads a mask from source + offset bytes."+postUpdate)
	PLdI = maskLoad("pldi", sem.MaskLoad{Immediate: true}, "Reads a mask from source + offset units, a constant."+postUpdate, constantOperand("offset"))
	PStS = maskStore("psts", sem.MaskStore{}, "Writes a mask to destination + offset bytes."+postUpdate)
	PStI = maskStore("psti", sem.MaskStore{Immediate: true}, "Writes a mask to destination + offset units, a constant."+postUpdate, constantOperand("offset"))
)

// maskLoad declares the instruction pto.NAME, which loads a mask from the unified buffer.
// kind determines the unit of its offset, and rules are rules on its operands.
func maskLoad(name string, kind sem.MaskLoad, doc string, rules ...Rule) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return predicate(micro(Op{
			Name: name, Doc: doc, Rules: rules, Sem: kind,
			Ins:      Args{In("source", PtrIn(sem.UB)), In("offset", WrittenIx)},
			Outs:     Args{Out("result", AnyMask), Opt("updated_base", ir.SameAs("source"))},
			Attrs:    []ir.AttrDef{loadMaskDist},
			Access:   ReadsSource,
			Syntax:   ir.Asm("$source `[` $offset `]` `,` $dist attr-dict types"),
			Examples: []string{"%m = pto." + name + ` %p[%i], "NORM" : !pto.ptr<ui8, ub>, index -> !pto.mask<b32>`},
		}, maskMemFamily))
	})
}

// maskStore declares the instruction with the given name, which stores a mask to the
// unified buffer. kind determines the unit of its offset, and rules contains additional
// rules on its operands.
func maskStore(name string, kind sem.MaskStore, doc string, rules ...Rule) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return predicate(micro(Op{
			Name: name, Doc: doc, Rules: rules, Sem: kind,
			Ins:      Args{In("value", AnyMask), In("destination", PtrIn(sem.UB)), In("offset", WrittenIx)},
			Outs:     Args{Opt("updated_base", ir.SameAs("destination"))},
			Attrs:    []ir.AttrDef{storeMaskDist},
			Access:   WritesDestination,
			Syntax:   ir.Asm("$value `,` $destination `[` $offset `]` `,` $dist attr-dict types"),
			Examples: []string{"pto." + name + ` %m, %p[%i], "NORM" : !pto.mask<b32>, !pto.ptr<ui8, ub>, index`},
		}, maskMemFamily))
	})
}

// constantOperand returns a rule that requires the named operand to be a constant.
func constantOperand(arg string) Rule { return ConstantIn(arg, math.MinInt64, math.MaxInt64) }

// PStu is pto.pstu, which appends a mask to the stream of bytes that unaligned stores
// write.
var PStu = Define("pstu", func(name string) *ir.Def {
	return predicate(micro(Op{
		Name: name, Doc: "Appends the bits of a mask, one per lane, to the unaligned store at base and advances base.",
		Ins:    Args{In("align_in", alignState), In("value", AnyMask), In("base", maskWords("value"))},
		Outs:   Args{Out("align_out", alignState), Out("base_out", ir.SameAs("base"))},
		Access: []Access{{Arg: "base", Write: true}},
		Sem:    sem.AlignStore{Count: sem.WholeMask},
		Examples: []string{
			"%b, %q = pto.pstu %a, %m, %p : !pto.align, !pto.mask<b32>, !pto.ptr<ui32, ub> -> !pto.align, !pto.ptr<ui32, ub>",
		},
	}, maskMemFamily))
})

// maskWords is a constraint that accepts the pointer through which a mask is stored.
// Its value is the name of the mask operand.
type maskWords string

// The method of returns the only type that the constraint c accepts: a pointer to
// unsigned integers with the lane width of the mask. It returns the zero type for masks
// that have no such type.
func (c maskWords) of(e *ir.Env) ir.Type {
	if m, ok := ir.As[Mask](e.Type(string(c))); ok && m.Bits > 8 {
		return Ptr(UintType(uint32(m.Bits)), sem.UB)
	}
	return ir.Type{}
}

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (c maskWords) Check(t ir.Type, e *ir.Env) bool { return !t.IsZero() && t == c.of(e) }

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c maskWords) Want(e *ir.Env) string {
	if t := c.of(e); !t.IsZero() {
		return t.String() + ", which goes with " + e.Type(string(c)).String()
	}
	return "a !pto.ptr to ui16 or ui32 in ub; \"" + string(c) + "\" must be a !pto.mask<b16> or !pto.mask<b32>"
}

// Definitions of older forms of loads and stores of masks, whose offset counts units of
// eight bytes.
var (
	PLd = Define("pld", func(name string) *ir.Def {
		return predicate(Op{
			Name: name, Doc: "Reads a mask from source + 8*offset bytes.", Family: maskMemFamily, Page: ScalarPage(maskMemFamily, name),
			Ins:      Args{In("source", PtrIn(sem.UB)), In("offset", WrittenI32)},
			Outs:     Args{Out("result", AnyMask)},
			Attrs:    []ir.AttrDef{loadMaskDist},
			Access:   ReadsSource,
			Sem:      sem.MaskLoad{Unit: 8},
			Syntax:   ir.Asm("$source `,` $offset `,` $dist attr-dict types"),
			Notes:    []string{docsOnly},
			Examples: []string{`%m = pto.pld %p, %n, "NORM" : !pto.ptr<i64, ub>, i32 -> !pto.mask<b32>`},
		})
	})
	PSt = Define("pst", func(name string) *ir.Def {
		return predicate(Op{
			Name: name, Doc: "Writes a mask to destination + 8*offset bytes.", Family: maskMemFamily, Page: ScalarPage(maskMemFamily, name),
			Ins:      Args{In("value", AnyMask), In("destination", PtrIn(sem.UB)), In("offset", WrittenI32)},
			Attrs:    []ir.AttrDef{storeMaskDist},
			Access:   WritesDestination,
			Sem:      sem.MaskStore{Unit: 8},
			Syntax:   ir.Asm("$value `,` $destination `,` $offset `,` $dist attr-dict types"),
			Notes:    []string{docsOnly},
			Examples: []string{`pto.pst %m, %p, %n, "NORM" : !pto.mask<b32>, !pto.ptr<i64, ub>, i32`},
		})
	})
)
