// This file defines SIMT arithmetic.

package simt

import (
	"ptogo/dialect/math"
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Definitions of the arithmetic and elementary functions of floats and integers. They
// process values of packed types element by element.
var (
	SimtAbs = Define("absf", func(name string) *ir.Def {
		o := mapOp(Op{Name: name, Doc: "Returns the absolute value.", Sem: scalar.Elementwise{Fn: scalar.Abs}}, typeSet{ir.F16, ir.F32, v2f16, v2bf16}, "value")
		o.Syntax = ir.AsmWith("$value attr-dict `:` custom<types>", map[string]ir.Hook{"types": ofValue})
		return simt(o)
	})
	SimtSqrt = Define("sqrt", func(name string) *ir.Def {
		return simtMap(name, scalar.Sqrt, halfValues, "Returns the square root.", "value")
	})
	SimtExp = Define("exp", func(name string) *ir.Def {
		return simtMap(name, scalar.Exp, halfValues, "Returns e to the power of value.", "value")
	})
	SimtLog = Define("log", func(name string) *ir.Def {
		return simtMap(name, scalar.Log, halfValues, "Returns the natural logarithm.", "value")
	})
	SimtSin = Define("sin", func(name string) *ir.Def {
		return simtMap(name, scalar.Sin, typeSet{ir.F32}, "Returns the sine of an angle in radians.", "value")
	})
	SimtCos = Define("cos", func(name string) *ir.Def {
		return simtMap(name, scalar.Cos, typeSet{ir.F32}, "Returns the cosine of an angle in radians.", "value")
	})
	SimtPow = Define("pow", func(name string) *ir.Def {
		return simtMap(name, scalar.Pow, halfValues, "Returns lhs to the power of rhs.", "lhs", "rhs")
	})
	SimtCeil = Define("ceil", func(name string) *ir.Def {
		return simtMap(name, scalar.Ceil, floatScalars, "Returns the smallest integer that is not below value.", "value")
	})
	SimtFloor = Define("floor", func(name string) *ir.Def {
		return simtMap(name, scalar.Floor, floatScalars, "Returns the largest integer that is not above value.", "value")
	})
	SimtRint = Define("rint", func(name string) *ir.Def {
		return simtMap(name, scalar.Rint, floatScalars, "Returns the nearest integer; a tie goes to the even one.", "value")
	})
	SimtRound = Define("round", func(name string) *ir.Def {
		return simtMap(name, scalar.Round, floatScalars, "Returns the nearest integer; a tie goes away from zero.", "value")
	})
	SimtMin = Define("fmin", func(name string) *ir.Def {
		return simtMap(name, scalar.MinNum, floatValues, "Returns the smaller number; if one operand is NaN, returns the other.", "lhs", "rhs")
	})
	SimtMax = Define("fmax", func(name string) *ir.Def {
		return simtMap(name, scalar.MaxNum, floatValues, "Returns the larger number; if one operand is NaN, returns the other.", "lhs", "rhs")
	})
	SimtFma = Define("fma", func(name string) *ir.Def {
		return simtMap(name, scalar.Fma, floatValues, "Returns lhs*rhs + acc, rounded once.", "lhs", "rhs", "acc")
	})
)

// ofValue reads and prints the types of pto.absf. With a single type, as version 0.64 of
// ptoas writes it, the instruction is read as math.absf, like the other operations on values
// in package base.
var ofValue = ir.Hook{
	ParseFn: func(p *ir.Parser, st *ir.OpParse) {
		st.OperandType("value", p.Type())
		if p.Accept("->") {
			st.ResultType("result", p.Type())
			return
		}
		st.Become(math.AbsF)
	},
	PrintFn: func(w *ir.Printer, op *ir.Op) {
		w.Type(op.Operand(0).Type())
		w.Token("->")
		w.Type(op.Result(0).Type())
	},
}

// Definitions of the functions that exist only for integers.
var (
	SimtMulHi = Define("mulhi", func(name string) *ir.Def {
		return simt(mapOp(Op{
			Name: name, Doc: "Returns the upper half of the product of two integers.",
			Attrs: []ir.AttrDef{signednessAttr},
			Sem:   sem.SignedMap{SignedFn: sem.SignedFn{Signed: scalar.MulHiS, Unsigned: scalar.MulHiU}},
		}, typeSet{ir.I32, ir.I64}, "lhs", "rhs"))
	})
	SimtMulWide = Define("mul_i32toi64", func(name string) *ir.Def {
		return simt(Op{
			Name: name, Family: simtMath, Doc: "Returns the product of two i32 as an i64.",
			Ins:      Args{In("lhs", WrittenI32), In("rhs", WrittenI32)},
			Outs:     Args{Out("result", ir.Written(ir.I64))},
			Attrs:    []ir.AttrDef{signednessAttr},
			Traits:   ir.Pure,
			Sem:      sem.WideProduct{},
			Syntax:   ir.Asm("operands $signedness attr-dict types"),
			Examples: []string{"%r = pto.mul_i32toi64 %a, %b unsigned : i32, i32 -> i64"},
		})
	})
	SimtPermute = Define("prmt", func(name string) *ir.Def {
		return simt(Op{
			Name: name, Family: simtMath, Doc: "Builds an i32 of bytes of lhs and rhs, which selector chooses with four bits each.",
			Ins:      Args{In("lhs", WrittenI32), In("rhs", WrittenI32), In("selector", WrittenI32)},
			Outs:     Args{Out("result", WrittenI32)},
			Traits:   ir.Pure,
			Sem:      sem.PermuteBytes{},
			Notes:    []string{"Which bytes a selector means follows public golden data: the upper bit of the four is ignored."},
			Examples: []string{"%r = pto.prmt %a, %b, %s : i32, i32, i32 -> i32"},
		})
	})
)
