// This file defines constants.

package llvm

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Constant is llvm.mlir.constant, which returns a constant.
var Constant = &ir.Def{
	Name:    "llvm.mlir.constant",
	Summary: "Gives a constant.",
	Page:    page,
	Traits:  ir.Pure | ir.Speculatable | ir.ConstantLike,
	Attrs:   []ir.AttrDef{{Name: "value", Type: ir.AnyAttr}},
	Forms: []*ir.Form{{
		Results: []ir.Arg{{Name: "res", Type: anyType}},
		Syntax:  ir.Asm("`` `(` $value `)` attr-dict `:` type($res)"),
	}},
	Sem:    scalar.Literal{Attr: "value"},
	Verify: verifyConstant,
}

// verifyConstant checks that the attribute is a value of the result type. A float
// attribute is also legal if the result type is an integer type of the same width; the
// result then has the bits of the float.
func verifyConstant(op *ir.Op, v *ir.Verifier) {
	a, t := op.Attr("value"), op.Result(0).Type()
	ok := true
	switch d := a.Data().(type) {
	case ir.IntegerAttr:
		ok = ir.IsSignlessInt(t)
	case ir.FloatAttr:
		ok = d.Type == t || ir.IsSignlessInt(t) && mustBits(t) == mustBits(d.Type)
	case ir.DenseAttr:
		ok = laneOf(t) != t || ir.Is[ArrayType](t)
	case ir.StringAttr:
		arr, isArray := ir.As[ArrayType](t)
		ok = isArray && arr.Len == int64(len(d.S)) && arr.Elem == ir.I8
	default:
		v.Errorf(op, "has the value %s, but the value must be a number, a list of numbers or a string", a)
		return
	}
	if !ok {
		v.Errorf(op, "has the value %s, which is not a value of its result type %s", a, t)
	}
}

// mustBits returns the number of bits of a number, or 0 for types that are not numbers.
func mustBits(t ir.Type) int64 {
	n, _ := Bits(t)
	return n
}

// Operations that return a constant value without an attribute for it: an undefined
// value, a poison value, or zero. The bits of the first two may differ at each use, so no
// pass may rely on them.
var (
	Undef  = value("mlir.undef", "Gives a value of any bits.", Undefined)
	Poison = value("mlir.poison", "Gives a value that must not matter.", Undefined)
	Zero   = value("mlir.zero", "Gives a value of zero bits.", Zeros)
)

// value returns the definition of llvm.NAME, an operation without operands that returns a
// value of any type. kind determines which value it returns, and summary is its
// description.
func value(name, summary string, kind Action) *ir.Def {
	return &ir.Def{
		Name:    "llvm." + name,
		Summary: summary,
		Page:    page,
		Traits:  ir.Pure | ir.Speculatable,
		Forms: []*ir.Form{{
			Results: []ir.Arg{{Name: "res", Type: anyType}},
			Syntax:  ir.Asm("attr-dict `:` type($res)"),
		}},
		Sem: kind,
	}
}
