// This file defines constants.

package arith

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Constant is arith.constant, which returns a number, or a vector or tensor of numbers.
var Constant = define("constant", func(name string) *ir.Def {
	return &ir.Def{
		Name:    "arith." + name,
		Summary: "Gives a constant.",
		Page:    page,
		Traits:  ir.Pure | ir.Speculatable | ir.ConstantLike,
		Attrs:   []ir.AttrDef{{Name: "value", Type: constantValue, Doc: "the number or numbers"}},
		Forms: []*ir.Form{{
			Results: []ir.Arg{{Name: "result", Type: typeOfAttr("value")}},
			Syntax:  ir.Asm("attr-dict $value"),
		}},
		Sem:    scalar.Literal{Attr: "value"},
		Verify: verifyConstant,
	}
})

// constantValue accepts the attributes that can be the value of an arith.constant.
var constantValue = ir.AttrIf("an integer, a floating-point number or dense elements", func(a ir.Attr) bool {
	switch a.Data().(type) {
	case ir.IntegerAttr, ir.FloatAttr, ir.DenseAttr, ir.DenseResourceAttr:
		return true
	}
	return false
})

// typeOfAttr is a constraint that accepts only the type of an attribute; its value is the
// name of this attribute. The program therefore need not state the type.
type typeOfAttr string

func (c typeOfAttr) Check(t ir.Type, e *ir.Env) bool {
	u := c.Infer(e)
	return u.IsZero() || t == u
}

func (c typeOfAttr) Want(e *ir.Env) string {
	return "of the type of attribute \"" + string(c) + "\", " + c.Infer(e).String()
}

// Infer implements ir.Inferrer. It returns the result type for a program that omits this
// type: the type of the attribute whose name is c.
func (c typeOfAttr) Infer(e *ir.Env) ir.Type { return e.Attr(string(c)).ValueType() }

// verifyConstant rejects constants with the signed and unsigned integer types, such as
// si32 and ui32. In the dialect arith, integer types have no sign; the operation
// determines whether it computes with signed or unsigned numbers.
func verifyConstant(op *ir.Op, v *ir.Verifier) {
	d, ok := ir.As[ir.IntegerType](element(op.Result(0).Type()))
	if ok && d.Sign != ir.Signless {
		v.Errorf(op, "has a result of type %s, but integer constants must have signless types, such as i32", op.Result(0).Type())
	}
}

// ConstantAttr returns the attribute that v equals, if a constant operation of any
// dialect defines v. The bool result is false otherwise.
func ConstantAttr(v *ir.Value) (ir.Attr, bool) {
	op := v.Op()
	if op == nil || !op.HasTrait(ir.ConstantLike) {
		return ir.Attr{}, false
	}
	lit, ok := op.Def().Sem.(scalar.Literal)
	if !ok {
		return ir.Attr{}, false
	}
	a := op.Attr(lit.Attr)
	return a, !a.IsZero()
}

// ConstantInt returns the value of v, sign-extended to 64 bits, if v is an integer or
// index constant. The bool result is false otherwise.
func ConstantInt(v *ir.Value) (int64, bool) {
	a, ok := ConstantAttr(v)
	if !ok {
		return 0, false
	}
	return a.AsInt()
}

// Creator creates operations. ir.Builder and ir.Rewriter implement it.
type Creator interface{ Create(ir.State) *ir.Op }

// Materialize creates a constant with the value a and returns its result. It
// returns nil if a is not a value of this dialect.
func Materialize(b Creator, a ir.Attr) *ir.Value {
	if !constantValue.CheckAttr(a) {
		return nil
	}
	op := b.Create(ir.State{
		Def:     Constant,
		Results: []ir.Type{a.ValueType()},
		Attrs:   []ir.NamedAttr{{Name: "value", Attr: a}},
	})
	return op.Result(0)
}

// Zero returns the value of a constant of type t, all of whose elements are zero. It
// returns the zero Attr if t is not a type of numbers.
func Zero(t ir.Type) ir.Attr {
	zero, _ := constant(t, []uint64{0})
	return zero
}

// Index creates a constant v of type index.
func Index(b Creator, v int64) *ir.Value { return Materialize(b, ir.IntAttr(ir.Index, v)) }

// Int creates the constant v of the integer type t and returns its value.
func Int(b Creator, t ir.Type, v int64) *ir.Value { return Materialize(b, ir.IntAttr(t, v)) }
