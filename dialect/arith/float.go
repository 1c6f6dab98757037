package arith

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// float is the family of floating-point operations on two operands.
func float(name, summary string, fn *scalar.Fn, rules ...identity) *ir.Def {
	d := binary(name, summary, fn, FloatLike, FastMathText, rules...)
	d.Attrs = []ir.AttrDef{FastMathAttr}
	return d
}

// Operations on floating-point numbers. The identities hold for every number
// including NaN and the zeros: x + 0 is not x where x is -0, but x + -0 is.
var (
	AddF     = float("addf", "Adds floating-point numbers.", scalar.Add, rightIsFloat(negZero, keepLeft), leftIsFloat(negZero, keepRight))
	SubF     = float("subf", "Subtracts floating-point numbers.", scalar.Sub, rightIsFloat(zero, keepLeft))
	MulF     = float("mulf", "Multiplies floating-point numbers.", scalar.Mul, rightIsFloat(one, keepLeft), leftIsFloat(one, keepRight))
	DivF     = float("divf", "Divides floating-point numbers.", scalar.Div, rightIsFloat(one, keepLeft))
	RemF     = float("remf", "Gives the remainder of a division, with the sign of the dividend.", scalar.Fmod)
	MaximumF = float("maximumf", "Gives the larger number, and NaN if either is NaN.", scalar.Max, equalOperands(keepLeft))
	MinimumF = float("minimumf", "Gives the smaller number, and NaN if either is NaN.", scalar.Min, equalOperands(keepLeft))
	MaxNumF  = float("maxnumf", "Gives the larger number, and the other one if one is NaN.", scalar.MaxNum, equalOperands(keepLeft))
	MinNumF  = float("minnumf", "Gives the smaller number, and the other one if one is NaN.", scalar.MinNum, equalOperands(keepLeft))
)

// NegF changes the sign.
var NegF = &ir.Def{
	Name:    "arith.negf",
	Summary: "Changes the sign of a floating-point number.",
	Page:    page,
	Traits:  ir.Pure | ir.Speculatable,
	Attrs:   []ir.AttrDef{FastMathAttr},
	Forms: []*ir.Form{{
		Operands: []ir.Arg{{Name: "operand", Type: FloatLike}},
		Results:  []ir.Arg{{Name: "result", Type: ir.SameAs("operand")}},
		Syntax:   ir.Asm("$operand" + FastMathText + "attr-dict `:` type($operand, $result)"),
	}},
	Sem: scalar.Elementwise{Fn: scalar.Neg},
}

func init() {
	NegF.Fold = folder(undo(NegF)) // set here, since it names NegF
}
