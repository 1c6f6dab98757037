// This file defines VMI instructions whose name contains their type.

package vmi

import (
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// The element types of instructions whose names contain a type. Float lanes are f16,
// bf16 or f32 unless a rule restricts them.
var (
	typedFloats = vmiOf{on: Floats}
	typedUInts  = vmiOf{Ints, notSigned}
	typedSInts  = vmiOf{I8 | I16 | I32, onlySigned}
)

// Definitions of the lanewise instructions without a mask whose names contain the type
// of lanes.
var (
	VMIAddF  = vmiTyped("addf", scalar.Add, typedFloats, "Adds floats.", "lhs", "rhs")
	VMIAddI  = vmiTyped("addi", scalar.Add, vmiInts, "Adds integers.", "lhs", "rhs")
	VMISubF  = vmiTyped("subf", scalar.Sub, typedFloats, "Subtracts floats.", "lhs", "rhs")
	VMISubI  = vmiTyped("subi", scalar.Sub, vmiInts, "Subtracts integers.", "lhs", "rhs")
	VMIMulF  = vmiTyped("mulf", scalar.Mul, typedFloats, "Multiplies floats.", "lhs", "rhs")
	VMIMulI  = vmiTyped("muli", scalar.Mul, vmiOf{on: Ints16 | Ints32}, "Multiplies integers.", "lhs", "rhs")
	VMIDivF  = vmiTyped("divf", scalar.Div, vmiFloats, "Divides floats.", "lhs", "rhs")
	VMIMinF  = vmiTyped("minf", scalar.Min, typedFloats, "Computes the smaller float; NaN wins.", "lhs", "rhs")
	VMIMaxF  = vmiTyped("maxf", scalar.Max, typedFloats, "Computes the larger float; NaN wins.", "lhs", "rhs")
	VMIMinI  = vmiTyped("mini", scalar.Min, vmiInts, "Computes the smaller integer.", "lhs", "rhs")
	VMIMaxI  = vmiTyped("maxi", scalar.Max, vmiInts, "Computes the larger integer.", "lhs", "rhs")
	VMIFma   = vmiTyped("fma", scalar.Fma, typedFloats, "Computes lhs * rhs + acc, rounded once.", "lhs", "rhs", "acc")
	VMINegF  = vmiTyped("negf", scalar.Neg, vmiFloats, "Negates floats.", "source")
	VMINegI  = vmiTyped("negi", scalar.Neg, vmiInts, "Negates integers.", "source")
	VMIAbsF  = vmiTyped("absf", scalar.Abs, vmiFloats, "Computes absolute values of floats.", "source")
	VMIAbsI  = vmiTyped("absi", scalar.Abs, typedSInts, "Computes absolute values of integers.", "source")
	VMISqrt  = vmiTyped("sqrt", scalar.Sqrt, vmiFloats, "Computes square roots.", "source")
	VMIExp   = vmiTyped("exp", scalar.Exp, vmiFloats, "Computes exponentials.", "source")
	VMILn    = vmiTyped("ln", scalar.Log, vmiFloats, "Computes natural logarithms.", "source")
	VMIRelu  = vmiTyped("relu", scalar.Relu, vmiOf{I32 | F16 | F32, onlySigned}, "Replaces negative lanes with zero.", "source")
	VMIAndI  = vmiTyped("andi", scalar.And, vmiInts, "Ands bits.", "lhs", "rhs")
	VMIOrI   = vmiTyped("ori", scalar.Or, vmiInts, "Ors bits.", "lhs", "rhs")
	VMIXOrI  = vmiTyped("xori", scalar.Xor, vmiInts, "Xors bits.", "lhs", "rhs")
	VMINot   = vmiTyped("not", scalar.Not, vmiInts, "Inverts bits.", "source")
	VMIShLI  = vmiTyped("shli", scalar.Shl, vmiInts, "Shifts left by the counts in rhs.", "lhs", "rhs")
	VMIShRUI = vmiTyped("shrui", scalar.Shr, typedUInts, "Shifts right by the counts in rhs, with zeros.", "lhs", "rhs")
	VMIShRSI = vmiTyped("shrsi", scalar.Shr, typedSInts, "Shifts right by the counts in rhs, with the sign.", "lhs", "rhs")
)

// vmiTyped declares the instruction with the given name, which computes the function fn
// lane by lane, without a mask. Most names end with a letter for the class of the lane
// type: addf adds floats, and addi adds integers. names are the names of the vector
// operands, and the parameter on is the constraint on their type.
func vmiTyped(name string, fn *scalar.Fn, on vmiOf, doc string, names ...string) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		return vmi(vmiInner, vmiLaneWise(Op{
			Name: name, Doc: doc,
			Examples: []string{vmiExample(name, on.Sample(), strings.Repeat("v", len(names)), "v", "")},
		}, fn, on, names...))
	})
}

// Definitions of the bitwise instructions on masks.
var (
	VMIMaskAnd = vmiMaskLogic("mask_and", scalar.And, "Selects the lanes that both masks select.", "lhs", "rhs")
	VMIMaskOr  = vmiMaskLogic("mask_or", scalar.Or, "Selects the lanes that either mask selects.", "lhs", "rhs")
	VMIMaskXor = vmiMaskLogic("mask_xor", scalar.Xor, "Selects the lanes that one mask selects and the other does not.", "lhs", "rhs")
	VMIMaskNot = vmiMaskLogic("mask_not", scalar.Not, "Selects the lanes that the mask does not select.", "source")
)

// vmiMaskLogic declares the instruction with the given name, which computes the bitwise
// function fn of masks. names are the names of its mask operands, and doc is the
// description on the reference page.
func vmiMaskLogic(name string, fn *scalar.Fn, doc string, names ...string) *ir.Def {
	return Define("vmi."+name, func(string) *ir.Def {
		o := vmiLaneWise(Op{
			Name: name, Doc: doc,
			Examples: []string{vmiExample(name, ir.I32, strings.Repeat("m", len(names)), "m", "")},
		}, fn, vmiInts, names...)
		o.Ins[0].Type = anyVMIMask
		return vmi(vmiInner, o)
	})
}
