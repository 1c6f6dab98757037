// This file defines floating-point arithmetic.

package arith

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// float returns the definition of an operation that computes fn of two floats. rules
// are algebraic identities with which it is folded.
func float(name, summary string, fn *scalar.Fn, rules ...identity) *ir.Def {
	d := binary(name, summary, fn, FloatLike, FastMathText, rules...)
	d.Attrs = []ir.AttrDef{FastMathAttr}
	return d
}

// Operations on floating-point numbers. An identity must hold for all numbers,
// including NaN and both zeros. For example, x + 0 differs from x for x = -0, but x
// + -0 equals x for all x.
var (
	AddF = define("addf", func(name string) *ir.Def {
		return float(name, "Adds floating-point numbers.", scalar.Add, rightIsFloat(negZero, keepLeft), leftIsFloat(negZero, keepRight))
	})
	SubF = define("subf", func(name string) *ir.Def {
		return float(name, "Subtracts floating-point numbers.", scalar.Sub, rightIsFloat(zero, keepLeft))
	})
	MulF = define("mulf", func(name string) *ir.Def {
		return float(name, "Multiplies floating-point numbers.", scalar.Mul, rightIsFloat(one, keepLeft), leftIsFloat(one, keepRight))
	})
	DivF = define("divf", func(name string) *ir.Def {
		return float(name, "Divides floating-point numbers.", scalar.Div, rightIsFloat(one, keepLeft))
	})
	RemF = define("remf", func(name string) *ir.Def {
		return float(name, "Gives the remainder of a division, with the sign of the dividend.", scalar.Fmod)
	})
	MaximumF = define("maximumf", func(name string) *ir.Def {
		return float(name, "Gives the larger number, and NaN if either is NaN.", scalar.Max, equalOperands(keepLeft))
	})
	MinimumF = define("minimumf", func(name string) *ir.Def {
		return float(name, "Gives the smaller number, and NaN if either is NaN.", scalar.Min, equalOperands(keepLeft))
	})
	MaxNumF = define("maxnumf", func(name string) *ir.Def {
		return float(name, "Gives the larger number, and the other one if one is NaN.", scalar.MaxNum, equalOperands(keepLeft))
	})
	MinNumF = define("minnumf", func(name string) *ir.Def {
		return float(name, "Gives the smaller number, and the other one if one is NaN.", scalar.MinNum, equalOperands(keepLeft))
	})
)

// NegF is arith.negf, which inverts the sign bit of a float, including that of a NaN.
var NegF = define("negf", func(name string) *ir.Def {
	return &ir.Def{
		Name:    "arith." + name,
		Summary: "Changes the sign of a floating-point number.",
		Page:    page,
		Traits:  ir.Pure | ir.Speculatable,
		Attrs:   []ir.AttrDef{FastMathAttr},
		Forms: []*ir.Form{{
			Operands: []ir.Arg{{Name: "operand", Type: FloatLike}},
			Results:  []ir.Arg{{Name: "result", Type: ir.SameAs("operand")}},
			Syntax:   ir.Asm("$operand" + FastMathText + "attr-dict `:` type($operand, $result)"),
		}},
		Sem:  scalar.Elementwise{Fn: scalar.Neg},
		Fold: folder(ownInverse),
	}
})
