// Package math is MLIR's math dialect: mathematical functions on numbers. Vectors and
// tensors are processed element by element.
//
// Some functions, such as the inverse trigonometric ones, cannot be computed by PTO
// instructions. Programs that contain them can be parsed, verified and printed, but
// neither executed nor compiled.
package math

import (
	"ptogo/dialect/arith"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

const page = "https://mlir.llvm.org/docs/Dialects/MathOps/"

// elementwise returns the definition of the operation with the given name in the math
// dialect, a function whose operands and result have the same type. typ is the constraint
// on this type, and operands are the names of the operands. The function fn computes the
// result; it is nil if the operation cannot be executed.
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

// float returns the definition of math.NAME, a function of one float. fn computes this
// function. It is nil if the function cannot be executed; programs with the operation can
// still be parsed and verified.
func float(name, summary string, fn *scalar.Fn) *ir.Def {
	return elementwise(name, summary, fn, arith.FloatLike, "operand")
}

// float2 returns the definition of the operation with the given name in the math dialect,
// a function of two floats. The function fn computes the result; it is nil if the
// operation cannot be executed.
func float2(name, summary string, fn *scalar.Fn) *ir.Def {
	return elementwise(name, summary, fn, arith.FloatLike, "lhs", "rhs")
}

// integer returns the definition of math.NAME, a function of one integer. The function fn
// computes the function.
func integer(name, summary string, fn *scalar.Fn) *ir.Def {
	return elementwise(name, summary, fn, arith.IntLike, "operand")
}

// Definitions of the operations that change the sign of a float, and of those that round
// a float to an integer.
var (
	AbsF     = define("absf", func(name string) *ir.Def { return float(name, "Gives the absolute value.", scalar.Abs) })
	CopySign = define("copysign", func(name string) *ir.Def {
		return float2(name, "Gives the first number with the sign of the second.", scalar.CopySign)
	})
	Floor = define("floor", func(name string) *ir.Def { return float(name, "Rounds down.", scalar.Floor) })
	Ceil  = define("ceil", func(name string) *ir.Def { return float(name, "Rounds up.", scalar.Ceil) })
	Round = define("round", func(name string) *ir.Def {
		return float(name, "Rounds to the nearest integer, ties away from zero.", scalar.Round)
	})
	RoundEven = define("roundeven", func(name string) *ir.Def {
		return float(name, "Rounds to the nearest integer, ties to even.", scalar.Rint)
	})
	Trunc = define("trunc", func(name string) *ir.Def { return float(name, "Rounds toward zero.", scalar.Trunc) })
)

// Definitions of the operations for exponential functions, logarithms, powers and roots.
var (
	Exp   = define("exp", func(name string) *ir.Def { return float(name, "Gives e to the power of the operand.", scalar.Exp) })
	Exp2  = define("exp2", func(name string) *ir.Def { return float(name, "Gives 2 to the power of the operand.", scalar.Exp2) })
	ExpM1 = define("expm1", func(name string) *ir.Def { return float(name, "Gives exp(x) - 1, accurate near zero.", scalar.Expm1) })
	Log   = define("log", func(name string) *ir.Def { return float(name, "Gives the natural logarithm.", scalar.Log) })
	Log2  = define("log2", func(name string) *ir.Def { return float(name, "Gives the logarithm to base 2.", scalar.Log2) })
	Log10 = define("log10", func(name string) *ir.Def { return float(name, "Gives the logarithm to base 10.", scalar.Log10) })
	Log1p = define("log1p", func(name string) *ir.Def { return float(name, "Gives log(1 + x), accurate near zero.", scalar.Log1p) })
	Sqrt  = define("sqrt", func(name string) *ir.Def { return float(name, "Gives the square root.", scalar.Sqrt) })
	RSqrt = define("rsqrt", func(name string) *ir.Def { return float(name, "Gives 1 / sqrt(x).", scalar.Rsqrt) })
	Cbrt  = define("cbrt", func(name string) *ir.Def { return float(name, "Gives the cube root.", nil) })
	PowF  = define("powf", func(name string) *ir.Def {
		return float2(name, "Gives the first number to the power of the second.", scalar.Pow)
	})
	Fma = define("fma", func(name string) *ir.Def {
		return elementwise(name, "Gives a * b + c, rounded once.", scalar.Fma, arith.FloatLike, "a", "b", "c")
	})
	Erf = define("erf", func(name string) *ir.Def { return float(name, "Gives the error function.", nil) })
)

// Circular and hyperbolic functions.
var (
	Sin   = define("sin", func(name string) *ir.Def { return float(name, "Gives the sine.", scalar.Sin) })
	Cos   = define("cos", func(name string) *ir.Def { return float(name, "Gives the cosine.", scalar.Cos) })
	Tan   = define("tan", func(name string) *ir.Def { return float(name, "Gives the tangent.", nil) })
	Asin  = define("asin", func(name string) *ir.Def { return float(name, "Gives the arc sine.", nil) })
	Acos  = define("acos", func(name string) *ir.Def { return float(name, "Gives the arc cosine.", nil) })
	Atan  = define("atan", func(name string) *ir.Def { return float(name, "Gives the arc tangent.", nil) })
	Atan2 = define("atan2", func(name string) *ir.Def { return float2(name, "Gives the angle of the point (rhs, lhs).", nil) })
	Sinh  = define("sinh", func(name string) *ir.Def { return float(name, "Gives the hyperbolic sine.", nil) })
	Cosh  = define("cosh", func(name string) *ir.Def { return float(name, "Gives the hyperbolic cosine.", nil) })
	Tanh  = define("tanh", func(name string) *ir.Def { return float(name, "Gives the hyperbolic tangent.", scalar.Tanh) })
	Asinh = define("asinh", func(name string) *ir.Def { return float(name, "Gives the inverse hyperbolic sine.", nil) })
	Acosh = define("acosh", func(name string) *ir.Def { return float(name, "Gives the inverse hyperbolic cosine.", nil) })
	Atanh = define("atanh", func(name string) *ir.Def { return float(name, "Gives the inverse hyperbolic tangent.", nil) })
)

// Functions on integers.
var (
	AbsI = define("absi", func(name string) *ir.Def { return integer(name, "Gives the absolute value.", scalar.Abs) })
	CtLZ = define("ctlz", func(name string) *ir.Def { return integer(name, "Counts the leading zero bits.", scalar.LeadingZeros) })
	CtTZ = define("cttz", func(name string) *ir.Def {
		return integer(name, "Counts the trailing zero bits.", scalar.TrailingZeros)
	})
	CtPop = define("ctpop", func(name string) *ir.Def { return integer(name, "Counts the bits that are set.", scalar.PopCount) })
	IPowI = define("ipowi", func(name string) *ir.Def {
		return elementwise(name, "Gives the first integer to the power of the second.", scalar.Pow, arith.IntLike, "lhs", "rhs")
	})
)

// FPowI is math.fpowi, which raises a float to an integer power. Its operands have
// different types, so the function elementwise cannot define it.
var FPowI = define("fpowi", func(name string) *ir.Def {
	return &ir.Def{
		Name:    "math." + name,
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
})

// Dialect is the math dialect. Its operations are declared with the method Later, which
// builds a definition on first use.
var Dialect = &ir.Dialect{Name: "math", Doc: "Functions on numbers."}

func init() { ir.Register(Dialect) }

// define declares an operation of the dialect; the parameter name is the name without
// "math.". The function make returns its definition when a program first uses the
// operation.
func define(name string, make func(name string) *ir.Def) *ir.Def { return Dialect.Later(name, make) }
