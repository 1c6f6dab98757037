// This file defines elementwise VMI instructions.

package vmi

import (
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Constraints on the element types of VMI instructions, mainly of elementwise ones:
// integers and floats, only integers, or only the floats f16 and f32.
var (
	vmiArith  = vmiOf{on: Ints | Floats}
	vmiInts   = vmiOf{on: Ints}
	vmiFloats = vmiOf{on: F16 | F32}
)

// Definitions of the lanewise instructions on one or two vectors, with an optional
// mask.
var (
	VMIVAdd  = vmiBinary("vadd", scalar.Add, vmiArith, "Adds lhs and rhs lane by lane.")
	VMIVSub  = vmiBinary("vsub", scalar.Sub, vmiArith, "Subtracts rhs from lhs lane by lane.")
	VMIVMul  = vmiBinary("vmul", scalar.Mul, vmiOf{on: Ints16 | Ints32 | Floats}, "Multiplies lhs and rhs lane by lane.")
	VMIVDiv  = vmiBinary("vdiv", scalar.Div, vmiFloats, "Divides lhs by rhs lane by lane, rounded once.")
	VMIVMax  = vmiBinary("vmax", scalar.Max, vmiArith, "Computes the larger lane of lhs and rhs; NaN wins.")
	VMIVMin  = vmiBinary("vmin", scalar.Min, vmiArith, "Computes the smaller lane of lhs and rhs; NaN wins.")
	VMIVShl  = vmiBinary("vshl", scalar.Shl, vmiInts, "Shifts the lanes of lhs left by the counts in rhs.")
	VMIVShr  = vmiBinary("vshr", scalar.Shr, vmiInts, "Shifts the lanes of lhs right by the counts in rhs: arithmetically for signed lanes, else logically.")
	VMIVNeg  = vmiUnary("vneg", scalar.Neg, vmiOf{on: Ints | F16 | F32}, "Negates each lane.")
	VMIVAbs  = vmiUnary("vabs", scalar.Abs, vmiOf{I8 | I16 | I32 | Floats, onlySigned}, "Computes the absolute value of each lane.")
	VMIVSqrt = vmiUnary("vsqrt", scalar.Sqrt, vmiFloats, "Computes the square root of each lane.")
	VMIVExp  = vmiUnary("vexp", scalar.Exp, vmiFloats, "Computes the exponential of each lane.")
	VMIVLn   = vmiUnary("vln", scalar.Log, vmiFloats, "Computes the natural logarithm of each lane.")
	VMIVRelu = vmiUnary("vrelu", scalar.Relu, vmiOf{I32 | F16 | F32, onlySigned}, "Replaces negative lanes with zero.")
)

// Definitions of the bitwise instructions, which also accept masks as operands.
var (
	VMIVAnd = vmiBitwise("vand", scalar.And, "Ands the bits of lhs and rhs.", "lhs", "rhs")
	VMIVOr  = vmiBitwise("vor", scalar.Or, "Ors the bits of lhs and rhs.", "lhs", "rhs")
	VMIVXor = vmiBitwise("vxor", scalar.Xor, "Xors the bits of lhs and rhs.", "lhs", "rhs")
	VMIVNot = vmiBitwise("vnot", scalar.Not, "Inverts the bits of source.", "source")
)

// Definitions of the lanewise instructions on a vector and a scalar.
var (
	VMIVAddS = vmiScalar("vadds", scalar.Add, vmiArith, ScalarOf("src"), "Adds scalar to each lane.")
	VMIVMulS = vmiScalar("vmuls", scalar.Mul, vmiOf{on: Ints16 | Ints32 | F16 | F32}, ScalarOf("src"), "Multiplies each lane by scalar.")
	VMIVMaxS = vmiScalar("vmaxs", scalar.Max, vmiArith, ScalarOf("src"), "Computes the larger of each lane and scalar; NaN wins.")
	VMIVMinS = vmiScalar("vmins", scalar.Min, vmiArith, ScalarOf("src"), "Computes the smaller of each lane and scalar; NaN wins.")
	VMIVShlS = vmiScalar("vshls", scalar.Shl, vmiInts, WrittenI16, "Shifts each lane left by scalar.")
	VMIVShrS = vmiScalar("vshrs", scalar.Shr, vmiInts, WrittenI16, "Shifts each lane right by scalar: arithmetically for signed lanes, else logically.")
)

// vmiBinary declares a lanewise instruction on two vectors.
func vmiBinary(name string, fn *scalar.Fn, on vmiOf, doc string) *ir.Def {
	return vmiMasked(name, fn, on, doc, "lhs", "rhs")
}

// vmiUnary declares a lanewise instruction on one vector.
func vmiUnary(name string, fn *scalar.Fn, on vmiOf, doc string) *ir.Def {
	return vmiMasked(name, fn, on, doc, "source")
}

// vmiMasked declares the instruction with the given name, which applies the function fn
// to each lane of its vector operands. A mask operand is optional. The parameter on is
// the type constraint on the vectors, and doc is the description on the reference page.
func vmiMasked(name string, fn *scalar.Fn, on vmiOf, doc string, operands ...string) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		vs := strings.Repeat("v", len(operands))
		return vmi(vmiEltwise, masked(vmiLaneWise(Op{
			Name: name, Doc: doc,
			Examples: []string{
				vmiExample(name, on.Sample(), vs, "v", ""),
				vmiExample(name, on.Sample(), vs+"m", "v", `pmode = "merge"`),
			},
		}, fn, on, operands...)))
	})
}

// vmiBitwise declares the instruction with the given name, which computes the bitwise
// function fn of its operands. names are the names of the operands, which are vectors or
// masks. An operation on masks combines all their lanes, because masks have no mask of
// their own.
func vmiBitwise(name string, fn *scalar.Fn, doc string, names ...string) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		vs := strings.Repeat("v", len(names))
		o := masked(vmiLaneWise(Op{
			Name: name, Doc: doc,
			Rules: []Rule{Fact(noMaskOfMasks)},
			Examples: []string{
				vmiExample(name, ir.I32, vs+"m", "v", ""),
				vmiExample(name, ir.I32, strings.Repeat("m", len(names)), "m", ""),
			},
		}, fn, vmiInts, names...))
		o.Ins[0].Type = ir.OneOf(vmiInts, anyVMIMask)
		return vmi(vmiEltwise, o)
	})
}

// noMaskOfMasks checks op, a bitwise instruction. If its operands are masks, all their
// bits are combined, so the instruction must have neither an operand mask nor an
// attribute pmode. It returns a message for a violation, and "" otherwise.
func noMaskOfMasks(op *ir.Op) string {
	switch {
	case !ir.Is[VMIMask](op.Operand(0).Type()):
		return ""
	case op.Arg("mask") != nil:
		return "masks are always combined in full, so operand \"mask\" is not allowed"
	case op.HasAttr("pmode"):
		return "masks are always combined in full, so attribute \"pmode\" is not allowed"
	}
	return ""
}

// vmiScalar declares an instruction that computes result = fn(vector, scalar) lane by
// lane. The parameter on is the type constraint on the vector, and operand is the type
// constraint on the scalar.
func vmiScalar(name string, fn *scalar.Fn, on vmiOf, operand ir.Constraint, doc string) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		text := vmiExample(name, on.Sample(), "vsm", "v", "")
		if operand == WrittenI16 {
			text = strings.Replace(text, ", i32,", ", i16,", 1)
		}
		return vmi(vmiEltwise, underMask(Op{
			Name: name, Doc: doc,
			Ins:      Args{In("src", on), In("scalar", operand)},
			Outs:     Args{Out("result", ir.SameAs("src"))},
			Sem:      sem.VecMap{Fn: fn},
			Examples: []string{text},
		}, "src"))
	})
}

// Definitions of the additions of 32-bit lanes with a carry per lane.
var (
	VMIVAddC  = vmiCarry("vaddc", sem.VecCarry{}, "Adds lhs and rhs, and returns the mask of lanes with a carry.")
	VMIVAddCS = vmiCarry("vaddcs", sem.VecCarry{CarryIn: true}, "Adds lhs, rhs and carry_in, and returns the mask of lanes with a carry.")
)

// vmiCarry declares an instruction that adds integer lanes and returns the sums and a
// mask with the carries. If kind.CarryIn is set, the instruction also has a mask of
// carries as an operand.
func vmiCarry(name string, kind sem.VecCarry, doc string) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		o := Op{
			Name: name, Doc: doc, Sem: kind,
			Ins:   vmiSame(vmiOf{on: Ints32}, "lhs", "rhs"),
			Outs:  Args{Out("result", ir.SameAs("lhs")), Out("carry", ir.SameAs("mask"))},
			Notes: []string{"One section of the manual excludes carries, but another section describes this instruction."},
		}
		ins := "vvm"
		if kind.CarryIn {
			o.Ins = append(o.Ins, In("carry_in", ir.SameAs("mask")))
			ins = "vvmm"
		}
		o.Ins = append(o.Ins, In("mask", vmiMaskFor("lhs")))
		o.Examples = []string{vmiExample(name, UintType(32), ins, "vm", "")}
		return vmi(vmiEltwise, o)
	})
}
