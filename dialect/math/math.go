// Package math is MLIR's math dialect: functions on numbers, and on vectors
// and tensors of them element by element.
//
// Functions that no instruction of PTO has, such as the inverse trigonometric
// ones, are read, checked and written; they have no meaning here.
package math

import (
	"ptogo/dialect/arith"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

const page = "https://mlir.llvm.org/docs/Dialects/MathOps/"

// elementwise is the family of functions whose operands and result have one
// type. A nil fn is a function without a meaning.
func elementwise(name, summary string, fn *scalar.Fn, typ ir.Constraint, operands ...string) *ir.Def {
	d := &ir.Def{
		Name:    "math." + name,
		Summary: summary,
		Page:    page,
		Traits:  ir.Pure | ir.Speculatable,
	}
	form := &ir.Form{Results: []ir.Arg{{Name: "result", Type: ir.SameAs(operands[0])}}}
	list, names := "", ""
	for i, o := range operands {
		if i > 0 {
			list += " `,` "
		}
		list += "$" + o
		names += "$" + o + ", "
		c := ir.SameAs(operands[0])
		if i == 0 {
			c = typ
		}
		form.Operands = append(form.Operands, ir.Arg{Name: o, Type: c})
	}
	text := " "
	if typ == arith.FloatLike {
		d.Attrs = []ir.AttrDef{arith.FastMathAttr}
		text = arith.FastMathText
	}
	form.Syntax = ir.Asm(list + text + "attr-dict `:` type(" + names + "$result)")
	d.Forms = []*ir.Form{form}
	if fn != nil {
		d.Sem = scalar.Elementwise{Fn: fn}
		d.Fold = arith.FoldElementwise
	}
	return d
}

func float(name, summary string, fn *scalar.Fn) *ir.Def {
	return elementwise(name, summary, fn, arith.FloatLike, "operand")
}

func float2(name, summary string, fn *scalar.Fn) *ir.Def {
	return elementwise(name, summary, fn, arith.FloatLike, "lhs", "rhs")
}

func integer(name, summary string, fn *scalar.Fn) *ir.Def {
	return elementwise(name, summary, fn, arith.IntLike, "operand")
}

// Signs and rounding to integers.
var (
	AbsF      = float("absf", "Gives the absolute value.", scalar.Abs)
	CopySign  = float2("copysign", "Gives the first number with the sign of the second.", scalar.CopySign)
	Floor     = float("floor", "Rounds down.", scalar.Floor)
	Ceil      = float("ceil", "Rounds up.", scalar.Ceil)
	Round     = float("round", "Rounds to the nearest integer, ties away from zero.", scalar.Round)
	RoundEven = float("roundeven", "Rounds to the nearest integer, ties to even.", scalar.Rint)
	Trunc     = float("trunc", "Rounds toward zero.", scalar.Trunc)
)

// Powers, roots and logarithms.
var (
	Exp   = float("exp", "Gives e to the power of the operand.", scalar.Exp)
	Exp2  = float("exp2", "Gives 2 to the power of the operand.", scalar.Exp2)
	ExpM1 = float("expm1", "Gives exp(x) - 1, accurate near zero.", scalar.Expm1)
	Log   = float("log", "Gives the natural logarithm.", scalar.Log)
	Log2  = float("log2", "Gives the logarithm to base 2.", scalar.Log2)
	Log10 = float("log10", "Gives the logarithm to base 10.", scalar.Log10)
	Log1p = float("log1p", "Gives log(1 + x), accurate near zero.", scalar.Log1p)
	Sqrt  = float("sqrt", "Gives the square root.", scalar.Sqrt)
	RSqrt = float("rsqrt", "Gives 1 / sqrt(x).", scalar.Rsqrt)
	Cbrt  = float("cbrt", "Gives the cube root.", nil)
	PowF  = float2("powf", "Gives the first number to the power of the second.", scalar.Pow)
	Fma   = elementwise("fma", "Gives a * b + c, rounded once.", scalar.Fma, arith.FloatLike, "a", "b", "c")
	Erf   = float("erf", "Gives the error function.", nil)
)

// Circular and hyperbolic functions.
var (
	Sin   = float("sin", "Gives the sine.", scalar.Sin)
	Cos   = float("cos", "Gives the cosine.", scalar.Cos)
	Tan   = float("tan", "Gives the tangent.", nil)
	Asin  = float("asin", "Gives the arc sine.", nil)
	Acos  = float("acos", "Gives the arc cosine.", nil)
	Atan  = float("atan", "Gives the arc tangent.", nil)
	Atan2 = float2("atan2", "Gives the angle of the point (rhs, lhs).", nil)
	Sinh  = float("sinh", "Gives the hyperbolic sine.", nil)
	Cosh  = float("cosh", "Gives the hyperbolic cosine.", nil)
	Tanh  = float("tanh", "Gives the hyperbolic tangent.", scalar.Tanh)
	Asinh = float("asinh", "Gives the inverse hyperbolic sine.", nil)
	Acosh = float("acosh", "Gives the inverse hyperbolic cosine.", nil)
	Atanh = float("atanh", "Gives the inverse hyperbolic tangent.", nil)
)

// Functions on integers.
var (
	AbsI  = integer("absi", "Gives the absolute value.", scalar.Abs)
	CtLZ  = integer("ctlz", "Counts the leading zero bits.", scalar.LeadingZeros)
	CtTZ  = integer("cttz", "Counts the trailing zero bits.", scalar.TrailingZeros)
	CtPop = integer("ctpop", "Counts the bits that are set.", scalar.PopCount)
	IPowI = elementwise("ipowi", "Gives the first integer to the power of the second.", scalar.Pow, arith.IntLike, "lhs", "rhs")
)

// FPowI has an exponent of another type.
var FPowI = &ir.Def{
	Name:    "math.fpowi",
	Summary: "Gives a floating-point number to the power of an integer.",
	Page:    page,
	Traits:  ir.Pure | ir.Speculatable,
	Attrs:   []ir.AttrDef{arith.FastMathAttr},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "lhs", Type: arith.FloatLike}, {Name: "rhs", Type: arith.IntLike}},
		Results:  []ir.Arg{{Name: "result", Type: ir.SameAs("lhs")}},
		Syntax:   ir.Asm("$lhs `,` $rhs" + arith.FastMathText + "attr-dict `:` type($lhs, $result) `,` type($rhs)"),
	}},
}

func init() {
	ir.Register(&ir.Dialect{
		Name: "math",
		Doc:  "Functions on numbers.",
		Defs: []*ir.Def{
			AbsF, AbsI, Acos, Acosh, Asin, Asinh, Atan, Atan2, Atanh, Cbrt, Ceil, CopySign, Cos, Cosh,
			CtLZ, CtPop, CtTZ, Erf, Exp, Exp2, ExpM1, Floor, Fma, FPowI, IPowI, Log, Log10, Log1p, Log2,
			PowF, Round, RoundEven, RSqrt, Sin, Sinh, Sqrt, Tan, Tanh, Trunc,
		},
	})
}
