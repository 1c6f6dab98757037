// This file defines mask instructions.

package vector

import (
	"strconv"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// predicateFamily is the chapter of the manual on instructions that create masks.
const predicateFamily = "materialization-predicate"

// Patterns are the names of predefined masks: all lanes, no lane, the first N lanes,
// the first half or quarter, and every third or fourth lane.
var Patterns = []string{
	"PAT_ALL", "PAT_ALLF", "PAT_H", "PAT_Q", "PAT_M3", "PAT_M4",
	"PAT_VL1", "PAT_VL2", "PAT_VL3", "PAT_VL4", "PAT_VL8", "PAT_VL16", "PAT_VL32", "PAT_VL64", "PAT_VL128",
}

// Definitions of the instructions that create masks from a pattern, a count or a loop
// number, and that interleave masks. Each exists for several lane widths.
var (
	PSetB8      = patternMask("pset_b8", 8)
	PSetB16     = patternMask("pset_b16", 16)
	PSetB32     = patternMask("pset_b32", 32)
	PGeB8       = patternMask("pge_b8", 8)
	PGeB16      = patternMask("pge_b16", 16)
	PGeB32      = patternMask("pge_b32", 32)
	PLtB8       = tailMask("plt_b8", 8)
	PLtB16      = tailMask("plt_b16", 16)
	PLtB32      = tailMask("plt_b32", 32)
	PLtmB8      = loopMask("pltm_b8", 8)
	PLtmB16     = loopMask("pltm_b16", 16)
	PLtmB32     = loopMask("pltm_b32", 32)
	PIntlvB8    = maskPair("pintlv_b8", sem.Interleave, 8)
	PIntlvB16   = maskPair("pintlv_b16", sem.Interleave, 16)
	PIntlvB32   = maskPair("pintlv_b32", sem.Interleave, 32)
	PDIntlvB8   = maskPair("pdintlv_b8", sem.Deinterleave, 8)
	PDIntlvB16  = maskPair("pdintlv_b16", sem.Deinterleave, 16)
	PDIntlvB32  = maskPair("pdintlv_b32", sem.Deinterleave, 32)
	writtenMask = func(bits int) ir.Constraint { return ir.Written(MaskType(bits)) }
)

// predicate completes the description o of an instruction on masks. It sets the
// properties that all these instructions have in common, such as the group, and returns
// the definition.
func predicate(o Op) *ir.Def {
	o.Group = "predicate"
	if o.Traits == 0 && o.Access == nil {
		o.Traits = ir.Pure
	}
	if o.Family == "" {
		o = micro(o, predicateFamily)
		o.Family = "predicate-generation-and-algebra"
	}
	return VectorOp(o)
}

// patternMask declares an instruction that returns a mask with a named pattern. bits is
// the lane width.
func patternMask(name string, bits int) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return predicate(Op{
			Name: name, Doc: "Creates a mask of " + strconv.Itoa(bits) + "-bit lanes from a named pattern.",
			Outs:   Args{Out("result", writtenMask(bits))},
			Attrs:  []ir.AttrDef{{Name: "pattern", Type: ir.StrIn(Patterns...)}},
			Sem:    sem.MaskPattern{Bits: bits},
			Syntax: ir.Asm("$pattern attr-dict `:` type($result)"),
			Notes: []string{
				"The pages say that PAT_H and PAT_Q are the upper half and quarter; in public golden data they are the first lanes.",
			},
			Examples: []string{"%m = pto." + name + " \"PAT_ALL\" : " + MaskType(bits).String()},
		})
	})
}

// tailMask declares an instruction that returns a mask of the first lanes. bits is the
// lane width.
func tailMask(name string, bits int) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return predicate(Op{
			Name: name, Doc: "Creates a mask of the first scalar lanes, or of all lanes if there are fewer, and returns the rest of scalar.",
			Ins:      Args{In("scalar", WrittenI32)},
			Outs:     Args{Out("mask", writtenMask(bits)), Out("scalar_out", WrittenI32)},
			Sem:      sem.MaskTail{Bits: bits},
			Examples: []string{"%m, %n = pto." + name + " %s : i32 -> " + MaskType(bits).String() + ", i32"},
		})
	})
}

// loopMask declares the instruction with the given name, which creates the mask for one
// iteration of a loop over elements. Its second operand, named bound, is the number of
// elements. The instruction sets a lane if the index of its element is less than this
// number.
func loopMask(name string, laneBits int) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return predicate(Op{
			Name: name, Doc: "Creates a mask of the lanes of the current iteration of a loop that are below bound.",
			Ins:      Args{In("loop", WrittenI16), In("bound", WrittenI32)},
			Outs:     Args{Out("mask", writtenMask(laneBits))},
			Sem:      sem.MaskTail{Bits: laneBits, Loop: true},
			Examples: []string{"%m = pto." + name + " %i, %n : i16, i32 -> " + MaskType(laneBits).String()},
		})
	})
}

// maskPair declares the instruction with the given name, which interleaves or
// deinterleaves the lanes of two masks, as the parameter kind states.
func maskPair(name string, kind sem.Rearrangement, laneBits int) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		doc := "Interleaves the lanes of two masks."
		if kind == sem.Deinterleave {
			doc = "Separates the lanes of two masks into those with even and odd numbers."
		}
		m := MaskType(laneBits).String()
		return predicate(Op{
			Name: name, Doc: doc,
			Ins:      Args{In("lhs", writtenMask(laneBits)), In("rhs", writtenMask(laneBits))},
			Outs:     Args{Out("low", writtenMask(laneBits)), Out("high", writtenMask(laneBits))},
			Sem:      sem.MaskRearrange{Kind: kind, Bits: laneBits},
			Examples: []string{"%l, %h = pto." + name + " %a, %b : " + m + ", " + m + " -> " + m + ", " + m},
		})
	})
}

// Definitions of the instructions that apply a bitwise function, such as and, to the bits
// of masks.
var (
	PAnd = maskLogic("pand", sem.MaskAnd, "Ands two masks in the selected lanes.", "src0", "src1")
	POr  = maskLogic("por", sem.MaskOr, "Ors two masks in the selected lanes.", "src0", "src1")
	PXor = maskLogic("pxor", sem.MaskXor, "Xors two masks in the selected lanes.", "src0", "src1")
	PSel = maskLogic("psel", sem.MaskSel, "Selects each lane from src0 where the mask is set, and from src1 elsewhere.", "src0", "src1")
	PNot = maskLogic("pnot", sem.MaskNot, "Inverts a mask in the selected lanes.", "input")
)

// maskLogic declares an instruction that computes a bitwise function of masks. The
// parameter names contains the names of the operands of this function. A further operand,
// mask, selects the lanes.
func maskLogic(name string, op sem.LogicOp, doc string, names ...string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		o := Op{Name: name, Doc: doc, Sem: sem.MaskLogic{Op: op}, Ins: Args{In(names[0], AnyMask)}}
		for _, n := range names[1:] {
			o.Ins = append(o.Ins, In(n, ir.SameAs(names[0])))
		}
		o.Ins = append(o.Ins, In("mask", ir.SameAs(names[0])))
		o.Outs = Args{Out("result", ir.SameAs(names[0]))}
		o.Examples = []string{example(name, F32, "mmm"[:len(o.Ins)], "m")}
		return predicate(o)
	})
}

// Definitions of the instructions that convert masks to other lane widths.
var (
	PPack   = maskHalf("ppack", sem.Narrow, -1, "Keeps every second bit of a mask and packs them into one half; the other is clear.")
	PUnpack = maskHalf("punpack", sem.WidenZero, 1, "Spreads the bits of one half of a mask, with clear bits between.")
)

// maskHalf declares an instruction that converts a mask to another lane width. If step is
// -1, this is the next smaller width; if step is 1, the next larger one; and if step is
// 0, the lane width does not change.
func maskHalf(name string, kind sem.Rearrangement, step int, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return predicate(Op{
			Name: name, Doc: doc,
			Ins:      Args{In("input", AnyMask)},
			Outs:     Args{Out("result", AnyMask)},
			Attrs:    []ir.AttrDef{halfAttr},
			Sem:      sem.MaskRearrange{Kind: kind},
			Rules:    []Rule{Check(func(op *ir.Op, _ ir.Target) string { return maskStepFault(op, step) })},
			Syntax:   ir.Asm("$input `,` $part attr-dict types"),
			Examples: []string{"%r = pto." + name + ` %m, "LOWER" : !pto.mask<b16> -> !pto.mask<b16>`},
		})
	})
}

// maskStepFault checks the lane width of the result mask. If step is 0, it must equal the
// lane width of the operand; if step is -1, it must be the next smaller one; and if step
// is 1, the next larger one. It returns a message for a violation, and "" otherwise.
func maskStepFault(op *ir.Op, step int) string {
	from, _ := ir.As[Mask](op.Operand(0).Type())
	to, _ := ir.As[Mask](op.Result(0).Type())
	next := from.Bits / 2
	if step > 0 {
		next = from.Bits * 2
	}
	if to.Bits == from.Bits || to.Bits == next {
		return ""
	}
	return "result \"result\" must be " + op.Operand(0).Type().String() + " or one step from it, but is " + op.Result(0).Type().String()
}

// PBitcast is pto.pbitcast, which reinterprets the bits of a mask as a mask for lanes
// of another width.
var PBitcast = Define("pbitcast", func(name string) *ir.Def {
	return predicate(Op{
		Name: name, Doc: "Reads the bits of a mask as a mask for lanes of another width.",
		Page:     MicroPage("09-conversion-ops"),
		Family:   "predicate-generation-and-algebra",
		Ins:      Args{In("input", AnyMask)},
		Outs:     Args{Out("result", AnyMask)},
		Sem:      sem.MaskRearrange{Kind: sem.Reinterpret},
		Examples: []string{"%r = pto.pbitcast %m : !pto.mask<b16> -> !pto.mask<b32>"},
	})
})
