// This file defines vector gathers and scatters.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// VGather2 is pto.vgather2, which reads elements of memory. The offsets of these
// elements, counted in elements, are in a register.
var VGather2 = Define("vgather2", func(name string) *ir.Def {
	return Issued(Issue{Latency: 27, Interval: 10}, Timed(VectorOp(micro(Op{
		Name: name, Doc: "Sets each selected lane to the source element that its offset numbers; bytes become lanes of 16 bits.",
		Ins: Args{
			In("source", PtrIn(sem.UB)), In("offsets", intLanes{"result", []ir.Sign{ir.Unsigned, ir.Signless}}), In("mask", MaskFor("result")),
		},
		Outs:   Args{Out("result", gathered("source"))},
		Access: ReadsSource,
		Sem:    sem.VecGather{Unit: sem.GatherElements},
		Examples: []string{
			"%v = pto.vgather2 %p, %o, %m : !pto.ptr<f32, ub>, !pto.vreg<64xui32>, !pto.mask<b32> -> !pto.vreg<64xf32>",
		},
	}, memoryFamily)), gatherCycles...))
})

// gathered is a constraint on the vector register that holds gathered elements. Its
// string value is the name of the pointer operand, whose element type determines the
// lanes. Elements of 8 bits are gathered into lanes of 16 bits.
type gathered string

// of returns the register type that the constraint accepts for the gathered elements. The
// constraint c holds the name of the pointer operand, whose element type determines the
// register type. If this element type cannot be gathered, of returns the zero type.
func (c gathered) of(e *ir.Env) ir.Type {
	elem := ir.ElementType(e.Type(string(c)))
	if (B16 | B32).Has(elem) {
		return VregType(elem)
	}
	if d, ok := ir.As[ir.IntegerType](elem); ok && d.Width == 8 {
		return VregType(ir.TypeOf(ir.IntegerType{Width: 16, Sign: d.Sign}))
	}
	return ir.Type{}
}

// Check implements ir.Constraint. It reports whether t is the type of the register into
// which the instruction that e describes gathers elements.
func (c gathered) Check(t ir.Type, e *ir.Env) bool { return !t.IsZero() && t == c.of(e) }

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c gathered) Want(e *ir.Env) string {
	if t := c.of(e); !t.IsZero() {
		return t.String() + ", which holds elements of \"" + string(c) + "\""
	}
	return "a !pto.vreg; \"" + string(c) + "\" must point to i8, ui8, i16, ui16, i32, ui32, f16, bf16 or f32"
}

// VGatherB is pto.vgatherb, which reads blocks of 32 bytes. The offsets of these blocks,
// in bytes, are in a register.
var VGatherB = Define("vgatherb", func(name string) *ir.Def {
	return Issued(Issue{Latency: 21, Interval: 8}, Timed(VectorOp(micro(Op{
		Name: name, Doc: "Fills each selected block of 32 bytes from source + its offset in bytes.",
		Ins: Args{
			In("source", PtrIn(sem.UB)), In("offsets", lanes(Ints32)), In("mask", ir.Written(MaskType(32))),
		},
		Outs:   Args{Out("result", AnyVReg)},
		Access: ReadsSource,
		Sem:    sem.VecGather{Unit: sem.GatherBlocks},
		Examples: []string{
			"%v = pto.vgatherb %p, %o, %m : !pto.ptr<f32, ub>, !pto.vreg<64xui32>, !pto.mask<b32> -> !pto.vreg<64xf32>",
		},
	}, memoryFamily)), Latency{A5: "~21"}))
})

// VGather2BC is pto.vgather2_bc, an older form of pto.vgather2, which reads elements by
// their offsets.
var VGather2BC = Define("vgather2_bc", func(name string) *ir.Def {
	return Timed(VectorOp(micro(Op{
		Name: name, Doc: "Sets each selected lane to the source element that its offset numbers.",
		Ins: Args{
			In("source", PtrIn(sem.UB)), In("offsets", lanes(Ints32)), In("mask", MaskFor("result")),
		},
		Outs:   Args{Out("result", lanes(B32))},
		Access: ReadsSource,
		Sem:    sem.VecGather{Unit: sem.GatherElements},
		Examples: []string{
			"%v = pto.vgather2_bc %p, %o, %m : !pto.ptr<f32, ub>, !pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xf32>",
		},
	}, memoryFamily)), gatherCycles...)
})

// VScatter is pto.vscatter, which writes lanes to elements of memory. A register holds
// their offsets in elements.
var VScatter = Define("vscatter", func(name string) *ir.Def {
	return Issued(Issue{Latency: 17, Interval: 10}, Timed(VectorOp(micro(Op{
		Name: name, Doc: "Writes each selected lane to the element of destination that its offset numbers; of bytes every second one.",
		Ins: Args{
			In("value", lanes(B8|B16|B32)), In("destination", PtrIn(sem.UB)),
			In("offsets", scatterOffsets("value")), In("mask", MaskFor("offsets")),
		},
		Access: WritesDestination,
		Sem:    sem.VecScatter{},
		Rules:  []Rule{EqualElements("value", "destination")},
		Notes:  []string{"Which of two equal offsets wins is left open; here the last does."},
		Examples: []string{
			"pto.vscatter %v, %p, %o, %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.vreg<64xui32>, !pto.mask<b32>",
		},
	}, memoryFamily)), Latency{Elems: "b16", A5: "~17"}))
})

// scatterOffsets is a constraint on the offsets of a scatter: unsigned or signless
// integers with the width of the lanes, but at least 16 bits. Its value is the name of
// the stored register.
type scatterOffsets string

// width returns the width in bits of the offsets in a scatter. e describes the
// instruction.
func (c scatterOffsets) width(e *ir.Env) int {
	v, _ := ir.As[VReg](e.Type(string(c)))
	return max(16, 8*ByteSize(v.Elem))
}

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (c scatterOffsets) Check(t ir.Type, e *ir.Env) bool {
	v, ok := ir.As[VReg](t)
	if !ok {
		return false
	}
	d, ok := ir.As[ir.IntegerType](v.Elem)
	return ok && d.Sign != ir.Signed && int(d.Width) == c.width(e)
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c scatterOffsets) Want(e *ir.Env) string {
	t := UintType(uint32(c.width(e)))
	return VregType(t).String() + " or " + VregType(ir.WithoutSign(t)).String() + ", offsets for \"" + string(c) + "\"" + TypeNote(e, string(c))
}
