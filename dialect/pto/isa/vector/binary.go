// This file defines elementwise instructions with two registers.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// nanWins is the note of reference pages that describes where sources disagree about
// the maximum and minimum of NaN.
const nanWins = "The micro-ISA writes compare and select; the vector page and public golden data let NaN win."

// Definitions of the lanewise instructions on two registers.
var (
	VAdd = Define("vadd", func(name string) *ir.Def {
		return Issued(Issue{Latency: 7}, Timed(vecBinary(name, scalar.Add, laneArith, "Adds lhs and rhs lane by lane."),
			Latency{Elems: "i8, f16", A5: "7", Startup: 14, PerRepeat: 2, Interval: 18},
			Latency{Elems: "i32, f32", A5: "7", Startup: 14, Completion: 19, PerRepeat: 2, Interval: 18},
			Latency{Elems: "i16", A5: "7", Startup: 14, Completion: 17, PerRepeat: 2, Interval: 18}))
	})
	VSub = Define("vsub", func(name string) *ir.Def {
		return Issued(Issue{Latency: 7}, Timed(vecBinary(name, scalar.Sub, laneArith, "Subtracts rhs from lhs lane by lane."),
			Latency{Elems: "f16", A5: "7", Startup: 14, PerRepeat: 2, Interval: 18},
			Latency{Elems: "f32", A5: "7", Startup: 14, Completion: 19, PerRepeat: 2, Interval: 18},
			Latency{Elems: "i16, i32", A5: "7", Startup: 14, Completion: 17, PerRepeat: 2, Interval: 18},
			Latency{Elems: "i8", A5: "7"}))
	})
	VMul = Define("vmul", func(name string) *ir.Def {
		return Issued(Issue{Latency: 8}, Timed(vecBinary(name, scalar.Mul, Ints16|Ints32|Floats, "Multiplies lhs and rhs lane by lane."),
			Latency{Elems: "f16, f32", A5: "8", Startup: 14, Completion: 20, PerRepeat: 2, Interval: 18},
			Latency{Elems: "i16, i32", A5: "8", Startup: 14, Completion: 18, PerRepeat: 2, Interval: 18}))
	})
	VMax = Define("vmax", func(name string) *ir.Def {
		return Timed(vecBinary(name, scalar.Max, Ints|Floats, "Computes the larger lane of lhs and rhs; NaN wins.", nanWins), extremeCycles...)
	})
	VMin = Define("vmin", func(name string) *ir.Def {
		return Timed(vecBinary(name, scalar.Min, Ints|Floats, "Computes the smaller lane of lhs and rhs; NaN wins.", nanWins), extremeCycles...)
	})
	VAnd = Define("vand", func(name string) *ir.Def {
		return Timed(vecBitwise(name, scalar.And, "Ands the bits of lhs and rhs."), logicCycles...)
	})
	VOr = Define("vor", func(name string) *ir.Def {
		return Timed(vecBitwise(name, scalar.Or, "Ors the bits of lhs and rhs."), logicCycles...)
	})
	VXor = Define("vxor", func(name string) *ir.Def {
		return Timed(vecBitwise(name, scalar.Xor, "Xors the bits of lhs and rhs."), logicCycles...)
	})
	VShl = Define("vshl", func(name string) *ir.Def {
		return Timed(vecShift(name, scalar.Shl, "Shifts the lanes of lhs left by the counts in rhs."), shiftCycles...)
	})
	VShr = Define("vshr", func(name string) *ir.Def {
		return Timed(vecShift(name, scalar.Shr, "Shifts the lanes of lhs right by the counts in rhs: arithmetically, or logically for unsigned lanes."), shiftCycles...)
	})
)

// vecBitwise returns the definition of the instruction with the given name, which
// computes the bitwise function fn of two registers. The instruction accepts integers. It
// also accepts floats, because public kernels apply bitwise instructions to registers of
// floats. It does not accept pairs of 16-bit numbers.
func vecBitwise(name string, fn *scalar.Fn, doc string) *ir.Def {
	return vecBinary(name, fn, laneInts|Floats|FP8|HiF8|FP4, doc,
		"The pages have integers; bits are bits, so public kernels use floats and bytes of small floats too, which are accepted.")
}

// VDiv is pto.vdiv, which divides lanes. Division of integers requires a software
// library.
var VDiv = Define("vdiv", func(name string) *ir.Def {
	return Issued(Issue{Latency: 17, Interval: 4, Late: 1}, Timed(VectorOp(micro(Op{
		Name: name, Doc: "Divides lhs by rhs lane by lane, rounded once.",
		Ins:    Args{In("lhs", softLib{F16 | F32, I16 | I32}), In("rhs", ir.SameAs("lhs")), In("mask", MaskFor("lhs"))},
		Outs:   Args{Out("result", ir.SameAs("lhs"))},
		Traits: ir.Pure,
		Sem:    sem.VecMap{Fn: scalar.Div},
		Notes: []string{
			"i16 and i32: the micro-ISA gives them to a software library, the other pages have floating point only. The public compiler puts in that library on A5 without being asked, so they are accepted there, and elsewhere with --enable-soft-lib. Unsigned elements it refuses.",
		},
		Examples: []string{example(name, F32, "vvm", "v")},
	}, binaryFamily)),
		Latency{Elems: "f16", A5: "22", Startup: 2, Completion: 2, PerRepeat: 4, Interval: 18},
		Latency{Elems: "f32", A5: "17", Startup: 14, Completion: 20, PerRepeat: 2, Interval: 18}))
})

// VMAdd is pto.vmadd, which computes acc * lhs + rhs lane by lane, rounded once.
var VMAdd = Define("vmadd", func(name string) *ir.Def {
	return vecLanes(micro(Op{
		Name: name, Doc: "Computes acc * lhs + rhs, rounded once.",
		Sem: sem.VecMap{Fn: scalar.Fma},
	}, binaryFamily), Floats, "acc", "lhs", "rhs")
})

// VMulA is pto.vmula, which computes acc + lhs * rhs lane by lane, rounded once.
var VMulA = Define("vmula", func(name string) *ir.Def {
	return Issued(Issue{Latency: 8}, Timed(vecLanes(micro(Op{
		Name: name, Doc: "Computes acc + lhs * rhs, rounded once.",
		Sem: sem.VecMap{Fn: scalar.Fma, Args: [3]string{"lhs", "rhs", "acc"}},
	}, sfuFamily), Ints|Floats, "acc", "lhs", "rhs"), macroCycles...))
})

// Definitions of the sums and differences of lanes whose negative results become zero.
var (
	VAddRelu = Define("vaddrelu", func(name string) *ir.Def {
		return Timed(vecRelu(name, scalar.AddRelu, "Adds lhs and rhs and replaces negative sums with zero."), macroCycles...)
	})
	VSubRelu = Define("vsubrelu", func(name string) *ir.Def {
		return Timed(vecRelu(name, scalar.SubRelu, "Subtracts rhs from lhs and replaces negative differences with zero."), macroCycles...)
	})
)

// vecRelu returns the definition of the instruction with the given name, which computes a
// function of two registers and replaces negative results by zero. The function fn
// computes a lane of the result, including the replacement by zero.
func vecRelu(name string, fn *scalar.Fn, doc string) *ir.Def {
	return vecLanes(Op{
		Name: name, Doc: doc, Family: sfuFamily, Page: VectorPage("sfu-and-dsa-ops", name),
		Notes: []string{docsOnly}, Sem: sem.VecMap{Fn: fn},
	}, F16|F32, "lhs", "rhs")
}

// VPRelu is pto.vprelu. Each lane of a second register contains the slope for the
// corresponding lane of the first register. The instruction multiplies each negative lane
// of the first register by its slope.
var VPRelu = Define("vprelu", func(name string) *ir.Def {
	return Timed(vecLanes(micro(Op{
		Name: name, Doc: "Multiplies negative lanes of lhs by the lanes of rhs and keeps the others.",
		Sem: sem.VecMap{Fn: scalar.Prelu},
	}, sfuFamily), F16|F32, "lhs", "rhs"), macroCycles...)
})

// VAxpy is pto.vaxpy, which computes alpha * src0 + src1 lane by lane, rounded once.
var VAxpy = Define("vaxpy", func(name string) *ir.Def {
	return Issued(Issue{Latency: 8}, Timed(VectorOp(micro(Op{
		Name: name, Doc: "Computes alpha * src0 + src1, rounded once.",
		Ins: Args{
			In("src0", lanes(F16|F32)), In("src1", ir.SameAs("src0")),
			In("alpha", ScalarOf("src0")), In("mask", MaskFor("src0")),
		},
		Outs:     Args{Out("result", ir.SameAs("src0"))},
		Traits:   ir.Pure,
		Sem:      sem.VecMap{Fn: scalar.Axpy, Args: [3]string{"alpha", "src0", "src1"}},
		Examples: []string{example(name, F32, "vvsm", "v")},
	}, sfuFamily)), macroCycles...))
})

// VMull is pto.vmull, which multiplies 32-bit lanes and returns the lower and the upper
// halves of the 64-bit products in two registers.
var VMull = Define("vmull", func(name string) *ir.Def {
	return Timed(VectorOp(micro(Op{
		Name: name, Doc: "Multiplies lhs and rhs to 64 bits and returns the lower and the upper halves.",
		Ins:    Args{In("lhs", lanes(Ints32)), In("rhs", ir.SameAs("lhs")), In("mask", MaskFor("lhs"))},
		Outs:   Args{Out("low", ir.SameAs("lhs")), Out("high", ir.SameAs("lhs"))},
		Traits: ir.Pure,
		Sem:    sem.VecExtended{Low: scalar.Mul, High: scalar.MulHi},
		Notes: []string{
			"The vector page describes a multiply-subtract with one result; the micro-ISA and public golden data widen.",
		},
		Examples: []string{example(name, I32, "vvm", "vv")},
	}, sfuFamily)), macroCycles...)
})

// vecShift returns the definition of an instruction that shifts the lanes of the register
// lhs. Each lane of the register rhs is the shift count for the same lane of lhs; it is a
// signed integer of the same width. fn is the shift function, and doc is the description
// for the reference page.
func vecShift(name string, fn *scalar.Fn, doc string) *ir.Def {
	return VectorOp(micro(Op{
		Name: name, Doc: doc,
		Ins: Args{
			In("lhs", lanes(laneInts)), In("rhs", ir.OneOf(intLanes{"lhs", []ir.Sign{ir.Signed}}, ir.SameAs("lhs"))), In("mask", MaskFor("lhs")),
		},
		Outs:   Args{Out("result", ir.SameAs("lhs"))},
		Traits: ir.Pure,
		Sem:    sem.VecMap{Fn: fn},
		Notes: []string{
			"Counts are taken modulo the width, as public golden data has it.",
			"Counts: the micro-ISA wants signed integers, the vector page the type of lhs; both are accepted.",
		},
		Examples: []string{
			"%r = pto." + name + " %a, %b, %m : !pto.vreg<64xui32>, !pto.vreg<64xsi32>, !pto.mask<b32> -> !pto.vreg<64xui32>",
		},
	}, binaryFamily))
}

// Definitions of the additions and subtractions of 32-bit lanes with a carry per lane.
// Programs use them to compute with wider integers.
var (
	VAddC = Define("vaddc", func(name string) *ir.Def {
		return Timed(vecCarry(name, sem.VecCarry{}, "Adds lhs and rhs, and returns the mask of lanes with a carry."), carryCycles...)
	})
	VSubC = Define("vsubc", func(name string) *ir.Def {
		return Timed(vecCarry(name, sem.VecCarry{Sub: true}, "Subtracts rhs from lhs, and returns the mask of lanes without a borrow."), carryCycles...)
	})
	VAddCS = Define("vaddcs", func(name string) *ir.Def {
		return vecCarry(name, sem.VecCarry{CarryIn: true}, "Adds lhs, rhs and carry_in, and returns the mask of lanes with a carry.")
	})
	VSubCS = Define("vsubcs", func(name string) *ir.Def {
		return vecCarry(name, sem.VecCarry{Sub: true, CarryIn: true},
			"Subtracts rhs from lhs, and 1 where carry_in is not set, and returns the mask of lanes without a borrow.")
	})
)

// vecCarry returns the definition of the instruction with the given name, an addition or
// subtraction with carries. kind describes which of the two it computes, and doc is the
// description on the reference page.
func vecCarry(name string, kind sem.VecCarry, doc string) *ir.Def {
	o := Op{
		Name: name, Doc: doc, Traits: ir.Pure, Sem: kind,
		Ins:      Args{In("lhs", lanes(Ints32)), In("rhs", ir.SameAs("lhs")), In("mask", MaskFor("lhs"))},
		Outs:     Args{Out("result", ir.SameAs("lhs")), Out("carry", MaskFor("lhs"))},
		Examples: []string{example(name, I32, "vvm", "vm")},
	}
	family := binaryFamily
	if kind.Sub {
		o.Notes = []string{"The vector page sets the mask on borrow; the micro-ISA and public golden data set it where there is none."}
	}
	if kind.CarryIn {
		family = vecScalarOps
		o.Ins = Args{o.Ins[0], o.Ins[1], In("carry_in", MaskFor("lhs")), o.Ins[2]}
		o.Examples = []string{example(name, I32, "vvmm", "vm")}
	}
	return VectorOp(micro(o, family))
}

// softLib is a constraint that accepts vector registers. The element type must be in
// hard, the set of types that the hardware supports. On A5, or if the user enables the
// software library, it may also be in soft, the set of types that this library supports.
type softLib struct{ hard, soft Elems }

// set returns the element types that the instruction accepts. Some types are supported
// only by a software library and not by the hardware. They are included if the target is
// A5 or if the user has enabled the library.
func (c softLib) set(e *ir.Env) Elems {
	if e.Features&SoftLib != 0 || e.Target == sem.A5 {
		return c.hard | c.soft
	}
	return c.hard
}

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (c softLib) Check(t ir.Type, e *ir.Env) bool {
	d, ok := ir.As[VReg](t)
	return ok && c.set(e).Has(d.Elem)
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c softLib) Want(e *ir.Env) string { return "a !pto.vreg of " + c.set(e).String() }

// Hint implements ir.Hinter. It returns a note that suggests how to correct an error
// about type t, or "".
func (c softLib) Hint(t ir.Type, e *ir.Env) string {
	if d, ok := ir.As[VReg](t); ok && c.soft.Has(d.Elem) && !c.set(e).Has(d.Elem) {
		return "integer elements require a software library; --enable-soft-lib accepts them"
	}
	return ""
}

// Elems returns the element types that the hardware supports on target t. It omits the
// element types that need the software library.
func (c softLib) Elems(t ir.Target) Elems { return c.set(&ir.Env{Target: t}) }
