// This file defines rearrangements of lanes.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Definitions of the instructions that interleave or deinterleave the lanes of two
// registers.
var (
	VIntlv = vecPair("vintlv", sem.Interleave,
		"Interleaves the lanes of lhs and rhs: low holds the lower halves, high the upper halves.")
	VDIntlv = vecPair("vdintlv", sem.Deinterleave,
		"Deinterleaves the stream lhs, rhs: low receives the lanes with even numbers, high those with odd numbers.")
)

// vecPair declares the instruction with the given name, which interleaves or
// deinterleaves the lanes of two registers, as the parameter kind states. It returns two
// registers.
func vecPair(name string, kind sem.Rearrangement, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return VectorOp(micro(Op{
			Name: name, Doc: doc,
			Ins:      Args{In("lhs", lanes(laneBytes)), In("rhs", ir.SameAs("lhs"))},
			Outs:     Args{Out("low", ir.SameAs("lhs")), Out("high", ir.SameAs("lhs"))},
			Traits:   ir.Pure,
			Sem:      sem.VecRearrange{Kind: kind},
			Examples: []string{example(name, F32, "vv", "vv")},
		}, rearrangement))
	})
}

// halfAttr declares the attribute that selects the lower or the upper half of a
// register.
var halfAttr = ir.AttrDef{Name: "part", Type: ir.StrIn("LOWER", "HIGHER")}

// Definitions of interleaving instructions that return only one of the two resulting
// registers.
var (
	VIntlvV2  = vecHalf("vintlvv2", sem.Interleave, "Interleaves the lanes of lhs and rhs, and returns one half of the result.")
	VDIntlvV2 = vecHalf("vdintlvv2", sem.Deinterleave, "Separates the lanes with even numbers from those with odd numbers, and returns one of both groups.")
)

// vecHalf declares an interleaving instruction that returns only one of the two
// resulting registers.
func vecHalf(name string, kind sem.Rearrangement, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return VectorOp(micro(Op{
			Name: name, Doc: doc,
			Ins:      Args{In("lhs", lanes(laneBytes)), In("rhs", ir.SameAs("lhs"))},
			Outs:     Args{Out("result", ir.SameAs("lhs"))},
			Attrs:    []ir.AttrDef{halfAttr},
			Traits:   ir.Pure,
			Sem:      sem.VecRearrange{Kind: kind},
			Syntax:   ir.Asm("$lhs `,` $rhs `,` $part attr-dict types"),
			Examples: []string{exampleWith(example(name, F32, "vv", "v"), `, "LOWER"`)},
		}, rearrangement))
	})
}

// VSqz is pto.vsqz, which moves the selected lanes to the lowest positions and fills
// the other lanes with zeros (compaction).
var VSqz = Define("vsqz", func(name string) *ir.Def {
	return vecLanes(micro(Op{
		Name: name, Doc: "Moves the selected lanes to the front, in their order, followed by zeros.",
		Sem: sem.VecRearrange{Kind: sem.Compact},
	}, rearrangement), laneInts|Floats, "input")
})

// VUsqz is pto.vusqz, which sets each lane to the number of selected lanes before it.
var VUsqz = Define("vusqz", func(name string) *ir.Def {
	return vecLanes(micro(Op{
		Name: name, Doc: "Sets each lane to the number of selected lanes before it; src is not looked at.",
		Sem: sem.VecRearrange{Kind: sem.CountBefore},
		Notes: []string{
			"Lanes: the micro-ISA wants signed integers; public kernels use signless ones too.",
			"The vector page spreads a packed stream over the selected lanes; the micro-ISA and public golden data count.",
		},
		Examples: []string{"%r = pto.vusqz %a, %m : !pto.vreg<64xsi32>, !pto.mask<b32> -> !pto.vreg<64xsi32>"},
	}, rearrangement), I8|I16|I32, "src")
})

// VPack is pto.vpack, which truncates lanes to half their width and writes them to one
// half of the result.
var VPack = Define("vpack", func(name string) *ir.Def {
	return VectorOp(micro(Op{
		Name: name, Doc: "Truncates lanes to half their width and writes them to one half of the result; the other half is zero.",
		Ins:      Args{In("src", lanes(Ints16|Ints32))},
		Outs:     Args{Out("result", halved("src"))},
		Attrs:    []ir.AttrDef{halfAttr},
		Traits:   ir.Pure,
		Sem:      sem.VecRearrange{Kind: sem.Narrow},
		Syntax:   ir.Asm("$src `,` $part attr-dict types"),
		Examples: []string{`%r = pto.vpack %a, "LOWER" : !pto.vreg<64xi32> -> !pto.vreg<128xui16>`},
	}, rearrangement))
})

// halved is a constraint on a register operand. The string is the name of another
// register operand of the instruction. The constraint accepts unsigned integers with half
// the lane width of that other operand.
type halved string

// The method of returns the type that the constraint accepts: a register with lanes that
// are half as wide as those of the named operand, and unsigned. It returns the zero type
// if that operand is not a register with lanes of at least 16 bits.
func (c halved) of(e *ir.Env) ir.Type {
	v, ok := ir.As[VReg](e.Type(string(c)))
	if !ok || ByteSize(v.Elem) < 2 { // the rule on src reports that
		return ir.Type{}
	}
	return VregType(UintType(uint32(4 * ByteSize(v.Elem))))
}

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (c halved) Check(t ir.Type, e *ir.Env) bool { return t == c.of(e) }

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c halved) Want(e *ir.Env) string {
	const lanes = "lanes of half the width of "
	t := c.of(e)
	if t == (ir.Type{}) {
		return "a !pto.vreg with " + lanes + "\"" + string(c) + "\""
	}
	return t.String() + ", which has " + lanes + "\"" + string(c) + "\""
}

// Definitions of the instructions that extend the lanes of one half of a register to
// twice their width.
var (
	VSUnpack = vecUnpack("vsunpack", sem.WidenSigned, "Extends the lanes of one half to twice their width, with their sign.")
	VZUnpack = vecUnpack("vzunpack", sem.WidenZero, "Extends the lanes of one half to twice their width, with zeros.")
)

// vecUnpack declares the instruction with the given name, which extends the lanes of one
// half of a register to twice their width. The second operand of the instruction, called
// "part", selects the half. kind describes the extension, and doc is the description on
// the reference page.
func vecUnpack(name string, kind sem.Rearrangement, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return VectorOp(micro(Op{
			Name: name, Doc: doc,
			Ins:      Args{In("src", lanes(Ints8|Ints16)), In("part", Index)},
			Outs:     Args{Out("result", doubled("src"))},
			Traits:   ir.Pure,
			Sem:      sem.VecRearrange{Kind: kind},
			Examples: []string{"%r = pto." + name + " %a, %p : !pto.vreg<128xi16> -> !pto.vreg<64xi32>"},
		}, rearrangement))
	})
}

// doubled is a constraint that accepts registers of integers with twice the lane width
// of another register. Its value is the name of that operand.
type doubled string

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (c doubled) Check(t ir.Type, e *ir.Env) bool {
	v, ok := ir.As[VReg](t)
	w, ok2 := ir.As[VReg](e.Type(string(c)))
	return ok && ok2 && ir.Is[ir.IntegerType](v.Elem) && 2*v.Lanes == w.Lanes
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c doubled) Want(e *ir.Env) string {
	return "a !pto.vreg of integers of twice the width of \"" + string(c) + "\"" + TypeNote(e, string(c))
}

// Definitions of the instructions that move lanes by a number of positions.
var (
	VSlide = vecMove("vslide", sem.Window, "Concatenates src1 and src0, and returns a register that starts at lane amt.",
		In("src0", lanes(laneBytes)), In("src1", ir.SameAs("src0")))
	VShift = vecMove("vshift", sem.ShiftLanes, "Sets lane i to lane i + amt, or zero beyond the last.",
		In("src", lanes(laneBytes)))
)

// vecMove declares the instruction pto.NAME, which moves lanes by a number of positions,
// the operand amt. srcs are the one or two source registers, and kind describes the
// movement.
func vecMove(name string, kind sem.Rearrangement, doc string, srcs ...ir.Arg) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		ins := append(Args{}, srcs...)
		operands, types := "%a, %n", "!pto.vreg<64xf32>, i16"
		if len(srcs) == 2 {
			operands, types = "%a, %b, %n", "!pto.vreg<64xf32>, !pto.vreg<64xf32>, i16"
		}
		return VectorOp(Op{
			Name: name, Doc: doc, Family: rearrangement, Page: VectorPage(rearrangement, name),
			Ins:      append(ins, In("amt", WrittenI16)),
			Outs:     Args{Out("result", ir.SameAs(srcs[0].Name))},
			Traits:   ir.Pure,
			Sem:      sem.VecRearrange{Kind: kind},
			Notes:    []string{docsOnly, "The direction of a shift follows from the window that its page compares it with."},
			Examples: []string{"%r = pto." + name + " " + operands + " : " + types + " -> !pto.vreg<64xf32>"},
		})
	})
}
