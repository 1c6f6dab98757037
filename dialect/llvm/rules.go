// This file defines type constraints.

package llvm

import "ptogo/ir"

// compatible reports whether t is a type that LLVM supports.
func compatible(t ir.Type) bool {
	switch d := t.Data().(type) {
	case shortType:
		return true
	case ir.IntegerType:
		return d.Sign == ir.Signless
	case ir.FloatType:
		return true
	case ir.VectorType:
		return d.Shape.Len() == 1 && (ir.Is[ir.FloatType](d.Elem) || ir.IsSignlessInt(d.Elem) || ir.Is[PointerType](d.Elem))
	}
	return false
}

// sized reports whether values of type t have a known size in memory.
func sized(t ir.Type) bool {
	switch d := t.Data().(type) {
	case PlainType:
		return d.Name == "ppc_fp128" || d.Name == "x86_mmx"
	case FunctionType:
		return false
	case StructType:
		return d.Body != Opaque
	}
	return compatible(t)
}

func isPtr(t ir.Type) bool { return ir.Is[PointerType](t) }

// The function each returns a constraint on types. It accepts the types for which ok
// returns true, and vectors of these types. want describes the types for which ok returns
// true, in messages.
func each(want string, ok func(ir.Type) bool) ir.Constraint {
	return ir.TypeIf(want+", or a vector of it", func(t ir.Type) bool { return ok(laneOf(t)) })
}

// laneOf returns the element type of a vector, and any other type unchanged.
func laneOf(t ir.Type) ir.Type {
	switch d := t.Data().(type) {
	case ir.VectorType:
		return d.Elem
	case VectorType:
		return d.Elem
	}
	return t
}

// The constraints on operand and result types that operations of the dialect llvm share.
var (
	anyType    = ir.TypeIf("a type of LLVM", compatible)
	sizedType  = ir.TypeIf("a type of LLVM with a size", sized)
	pointer    = ir.TypeIf("a pointer, !llvm.ptr", isPtr)
	integer    = ir.TypeIf("a signless integer", ir.IsSignlessInt) // all integers of the LLVM dialect are signless
	pointers   = each("a pointer, !llvm.ptr", isPtr)
	integers   = each("a signless integer", ir.IsSignlessInt)
	vectorType = ir.TypeIf("a vector", func(t ir.Type) bool { return laneOf(t) != t && compatible(t) })
	aggregate  = ir.TypeIf("an !llvm.struct or !llvm.array", func(t ir.Type) bool { return ir.Is[StructType](t) || ir.Is[ArrayType](t) })
)

// typeAttr is the constraint on an attribute that contains a type.
var typeAttr = ir.AnyTypeAttr

// typeOfAttr returns the type that op has as its attribute with the given name. If op
// does not have the attribute, it returns the zero Type.
func typeOfAttr(op *ir.Op, name string) ir.Type {
	d, _ := ir.AttrAs[ir.TypeAttr](op.Attr(name))
	return d.Type
}

// derived is a constraint that accepts exactly one type, which function get computes
// from the other operands.
type derived struct {
	of  string
	get func(e *ir.Env) ir.Type
}

func (c *derived) Check(t ir.Type, e *ir.Env) bool {
	u := c.get(e)
	return u.IsZero() || t == u
}

func (c *derived) Want(e *ir.Env) string { return "the " + c.of + ", " + c.get(e).String() }

// Infer implements ir.Inferrer. For a program that omits the type, it returns the only
// type that the constraint accepts. This type follows from the other operands.
func (c *derived) Infer(e *ir.Env) ir.Type { return c.get(e) }
