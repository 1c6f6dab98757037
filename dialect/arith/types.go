// This file defines type constraints.

package arith

import "ptogo/ir"

// The operations of this dialect work on scalars, or on vectors and tensors of
// them. A memref is memory and not a value, so it is excluded.

// element returns the element type of a vector or tensor, and any other type
// unchanged.
func element(t ir.Type) ir.Type {
	switch d := t.Data().(type) {
	case ir.VectorType:
		return d.Elem
	case ir.TensorType:
		return d.Elem
	}
	return t
}

// withElement returns t with the element type e. For a scalar it returns e.
func withElement(t, e ir.Type) ir.Type {
	switch d := t.Data().(type) {
	case ir.VectorType:
		d.Elem = e
		return ir.TypeOf(d)
	case ir.TensorType:
		d.Elem = e
		return ir.TypeOf(d)
	}
	return e
}

// sameShape reports whether two types are equal apart from their element types.
func sameShape(t, u ir.Type) bool { return withElement(t, ir.I1) == withElement(u, ir.I1) }

// like returns a constraint that accepts the scalar types for which ok returns true. It
// also accepts vectors and tensors whose elements have these types. want describes these
// types in messages, after "must be".
func like(want string, ok func(ir.Type) bool) ir.Constraint {
	return ir.TypeIf(want+", or a vector or tensor of it", func(t ir.Type) bool { return ok(element(t)) })
}

// isInt reports whether t is an integer or index.
func isInt(t ir.Type) bool { return ir.IsSignlessInt(t) || t == ir.Index }

// Constraints of this dialect.
var (
	// IntLike accepts signless integers and index, and vectors and tensors of
	// them.
	IntLike   = like("a signless integer or index", isInt)
	fixedLike = like("a signless integer", ir.IsSignlessInt)
	// FloatLike accepts floating-point numbers, and vectors and tensors of them.
	FloatLike = like("a floating-point number", ir.Is[ir.FloatType])
	boolLike  = like("an i1", func(t ir.Type) bool { return t == ir.I1 })
)

// boolsFor is a constraint for results such as those of comparisons. It accepts i1, or a
// vector or tensor of i1 that has the shape of another operand. The value of boolsFor is
// the name of that operand.
type boolsFor string

func (c boolsFor) Check(t ir.Type, e *ir.Env) bool {
	u := c.Infer(e)
	return u.IsZero() || t == u
}

func (c boolsFor) Want(e *ir.Env) string { return c.Infer(e).String() }

// Infer implements ir.Inferrer. For a program that omits the type, it returns i1, or a
// vector or tensor of i1, in the shape of the operand that c names.
func (c boolsFor) Infer(e *ir.Env) ir.Type {
	t := e.Type(string(c))
	if t.IsZero() {
		return t
	}
	return withElement(t, ir.I1)
}
