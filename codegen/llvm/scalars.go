// This file emits scalar arithmetic.

package llvm

import (
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/arith"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// formatOf returns the number format of a scalar type, or of the elements of a vector
// type. It reports an error for other types.
func (f *function) formatOf(op *ir.Op, t ir.Type) (num.Format, bool) {
	format, ok := ir.FormatOf(ir.ElementType(t))
	if !ok {
		f.errorf(op, "computes with operands of type %s, which the LLVM IR emitter does not support yet", t)
	}
	return format, ok
}

// literal emits a constant scalar or vector.
func (f *function) literal(op *ir.Op, kind scalar.Literal) {
	v, a := op.Result(0), op.Attr(kind.Attr)
	if d, ok := ir.AttrAs[ir.DenseAttr](a); ok && ir.Is[ir.VectorType](v.Type()) {
		f.denseLiteral(op, d)
		return
	}
	t, bits, ok := a.NumberBits()
	format, known := ir.FormatOf(t)
	if !ok || !known {
		f.errorf(op, "returns a constant of type %s, which the LLVM IR emitter does not support yet", v.Type())
		return
	}
	f.set(v, ll.ConstantOf(format, bits))
}

// denseLiteral emits a constant vector.
func (f *function) denseLiteral(op *ir.Op, d ir.DenseAttr) {
	v := op.Result(0)
	bits, ok := d.Numbers()
	format, known := ir.FormatOf(ir.ElementType(d.Type))
	if !ok || !known {
		f.unsupported(op)
		return
	}
	ts, _ := partsOf(v.Type())
	n := ll.Lanes(ts[0])
	if len(bits) == 1 {
		f.set(v, f.Splat(ll.ConstantOf(format, bits[0]), n))
		return
	}
	elems := make([]value.Value, n)
	for i := range elems {
		elems[i] = ll.ConstantOf(format, bits[i])
	}
	f.set(v, ll.VectorConstant(elems))
}

// elementwise emits a function of numbers that applies to scalars or to each lane of
// vectors.
func (f *function) elementwise(op *ir.Op, kind scalar.Elementwise) {
	if format, ok := f.formatOf(op, op.Operand(0).Type()); ok {
		f.compute(op, op.Result(0), kind.Fn, format)
	}
}

// compute emits the function fn, applied to the operands of op as numbers of the given
// format. It makes the computed LLVM value represent the program value result, and
// returns the LLVM value. It returns nil after an error.
func (f *function) compute(op *ir.Op, result *ir.Value, fn *scalar.Fn, format num.Format) value.Value {
	r, ok := f.Apply(fn, format, f.all(op.Operands())...)
	if !ok {
		f.errorf(op, "applies the function %s to elements of type %s, which the LLVM IR emitter does not support", fn, format)
		return nil
	}
	f.set(result, r)
	return r
}

// extended emits a scalar function with two results, such as sum and carry. The second
// result may have fewer bits than the first.
func (f *function) extended(op *ir.Op, kind scalar.Extended) {
	format, ok := f.formatOf(op, op.Operand(0).Type())
	if !ok {
		return
	}
	f.compute(op, op.Result(0), kind.Low, format)
	if high := f.compute(op, op.Result(1), kind.High, format); high != nil {
		ts, _ := partsOf(op.Result(1).Type())
		f.set(op.Result(1), f.Trunc(high, ll.ElementOf(ts[0])))
	}
}

// comparison emits a comparison of two scalars, with an i1 result.
func (f *function) comparison(op *ir.Op, _ scalar.Comparison) {
	rel, known := arith.RelationOf(op)
	format, ok := f.formatOf(op, op.Operand(0).Type())
	switch {
	case !ok:
	case !known:
		f.unsupported(op)
	default:
		f.set(op.Result(0), f.Relation(rel, format, f.val(op.Operand(0)), f.val(op.Operand(1))))
	}
}

// choice emits arith.select, which selects one of two operands. A scalar condition
// selects a complete operand, which can have any type. A vector condition selects the
// elements of vectors one by one.
func (f *function) choice(op *ir.Op, _ scalar.Choice) {
	cond := f.val(op.Operand(0))
	yes, no := f.parts(op.Operand(1)), f.parts(op.Operand(2))
	r := make(parts, len(yes))
	for i := range r {
		r[i] = f.Select(cond, yes[i], no[i])
	}
	f.set(op.Result(0), r...)
}

// cast emits a numeric conversion of the arith dialect.
func (f *function) cast(op *ir.Op, _ scalar.Cast) {
	how, r, _ := arith.CastOf(op)
	from, ok := f.formatOf(op, op.Operand(0).Type())
	to, ok2 := f.formatOf(op, op.Result(0).Type())
	if !ok || !ok2 {
		return
	}
	f.set(op.Result(0), f.CastTo(how, from, to, f.val(op.Operand(0)), r))
}

// reinterpret emits a cast between types with the same LLVM representation, such as index
// and an integer type.
func (f *function) reinterpret(op *ir.Op, _ scalar.Reinterpret) {
	if op.NumOperands() != 1 || op.NumResults() != 1 {
		f.errorf(op, "casts %d values to %d values, but only casts of one value to one value can be written as LLVM IR", op.NumOperands(), op.NumResults())
		return
	}
	from, ok := f.formatOf(op, op.Operand(0).Type())
	to, ok2 := f.formatOf(op, op.Result(0).Type())
	switch {
	case !ok || !ok2:
	case !from.IsInt() || !to.IsInt():
		f.errorf(op, "casts type %s to type %s, which the LLVM IR emitter does not support", op.Operand(0).Type(), op.Result(0).Type())
	default:
		f.set(op.Result(0), f.CastTo(scalar.Cast{}, from, to, f.val(op.Operand(0)), num.Zero))
	}
}
