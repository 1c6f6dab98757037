package codegen

import (
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/arith"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// formatOf returns the format of a number, or of the elements of a vector.
func (f *function) formatOf(op *ir.Op, t ir.Type) (num.Format, bool) {
	format, ok := ir.FormatOf(ir.ElementType(t))
	if !ok {
		f.errorf(op, "computes on %s, which cannot be written as LLVM IR yet", t)
	}
	return format, ok
}

// constantOf returns an element with the given bits.
func constantOf(f num.Format, bits uint64) value.Value {
	switch t := elementType(f); t {
	case f32:
		return float32Bits(uint32(bits))
	case f64:
		return number{f64, bits}
	default:
		return integer(t, num.Int(f, bits))
	}
}

// literal writes a constant: a number, or a vector of numbers.
func (f *function) literal(op *ir.Op, kind scalar.Literal) {
	v, a := op.Result(0), op.Attr(kind.Attr)
	if d, ok := ir.AttrAs[ir.DenseAttr](a); ok && ir.Is[ir.VectorType](v.Type()) {
		f.denseLiteral(op, d)
		return
	}
	t, bits, ok := a.NumberBits()
	format, known := ir.FormatOf(t)
	if !ok || !known {
		f.errorf(op, "gives a constant of type %s, which cannot be written as LLVM IR yet", v.Type())
		return
	}
	f.set(v, constantOf(format, bits))
}

func (f *function) denseLiteral(op *ir.Op, d ir.DenseAttr) {
	v := op.Result(0)
	bits, ok := d.Numbers()
	format, known := ir.FormatOf(ir.ElementType(d.Type))
	if !ok || !known {
		f.unsupported(op)
		return
	}
	ts, _ := partsOf(v.Type())
	n := lanes(ts[0])
	if len(bits) == 1 {
		f.set(v, f.splat(constantOf(format, bits[0]), n))
		return
	}
	elems := make([]constant.Constant, n)
	for i := range elems {
		elems[i] = constantOf(format, bits[i]).(constant.Constant)
	}
	f.set(v, &constant.Vector{Typ: ts[0].(*types.VectorType), Elems: elems})
}

// elementwise writes a function of numbers, or of vectors of them.
func (f *function) elementwise(op *ir.Op, kind scalar.Elementwise) {
	if format, ok := f.formatOf(op, op.Operand(0).Type()); ok {
		f.compute(op, op.Result(0), kind.Fn, format)
	}
}

// compute sets a result to a function of the operands.
func (f *function) compute(op *ir.Op, result *ir.Value, fn *scalar.Fn, format num.Format) value.Value {
	r, ok := f.apply(fn, format, f.all(op.Operands())...)
	if !ok {
		f.errorf(op, "computes %s on %s, which cannot be written as LLVM IR", fn, format)
		return nil
	}
	f.set(result, r)
	return r
}

// extended writes a function with two results; the second may be shorter.
func (f *function) extended(op *ir.Op, kind scalar.Extended) {
	format, ok := f.formatOf(op, op.Operand(0).Type())
	if !ok {
		return
	}
	f.compute(op, op.Result(0), kind.Low, format)
	if high := f.compute(op, op.Result(1), kind.High, format); high != nil {
		ts, _ := partsOf(op.Result(1).Type())
		f.set(op.Result(1), f.trunc(high, elementOf(ts[0])))
	}
}

// comparison writes a relation between two numbers.
func (f *function) comparison(op *ir.Op) {
	rel, known := arith.RelationOf(op)
	format, ok := f.formatOf(op, op.Operand(0).Type())
	switch {
	case !ok:
	case !known:
		f.unsupported(op)
	default:
		f.set(op.Result(0), f.relation(rel, format, f.val(op.Operand(0)), f.val(op.Operand(1))))
	}
}

// floatRelations and intRelations are LLVM's names for sets of outcomes.
var floatRelations = [16]enum.FPred{
	0:                             enum.FPredFalse,
	scalar.Less:                   enum.FPredOLT,
	scalar.Equal:                  enum.FPredOEQ,
	scalar.Less | scalar.Equal:    enum.FPredOLE,
	scalar.Greater:                enum.FPredOGT,
	scalar.Less | scalar.Greater:  enum.FPredONE,
	scalar.Equal | scalar.Greater: enum.FPredOGE,
	scalar.Less | scalar.Equal | scalar.Greater: enum.FPredORD,
	scalar.Unordered:                                               enum.FPredUNO,
	scalar.Unordered | scalar.Less:                                 enum.FPredULT,
	scalar.Unordered | scalar.Equal:                                enum.FPredUEQ,
	scalar.Unordered | scalar.Less | scalar.Equal:                  enum.FPredULE,
	scalar.Unordered | scalar.Greater:                              enum.FPredUGT,
	scalar.Unordered | scalar.Less | scalar.Greater:                enum.FPredUNE,
	scalar.Unordered | scalar.Equal | scalar.Greater:               enum.FPredUGE,
	scalar.Unordered | scalar.Less | scalar.Equal | scalar.Greater: enum.FPredTrue,
}

var (
	signedRelations = map[scalar.Order]enum.IPred{
		scalar.Less: enum.IPredSLT, scalar.Less | scalar.Equal: enum.IPredSLE,
		scalar.Greater: enum.IPredSGT, scalar.Greater | scalar.Equal: enum.IPredSGE,
		scalar.Equal: enum.IPredEQ, scalar.Less | scalar.Greater: enum.IPredNE,
	}
	unsignedRelations = map[scalar.Order]enum.IPred{
		scalar.Less: enum.IPredULT, scalar.Less | scalar.Equal: enum.IPredULE,
		scalar.Greater: enum.IPredUGT, scalar.Greater | scalar.Equal: enum.IPredUGE,
		scalar.Equal: enum.IPredEQ, scalar.Less | scalar.Greater: enum.IPredNE,
	}
)

// relation compares elements of a format.
func (c *code) relation(rel scalar.Relation, f num.Format, x, y value.Value) value.Value {
	if f.IsFloat() {
		return c.fcmp(floatRelations[rel.On&15], c.decode(f, x), c.decode(f, y))
	}
	on := rel.On &^ scalar.Unordered
	preds := unsignedRelations
	if rel.Sign.Reading(f).Signed() {
		preds = signedRelations
	}
	p, ok := preds[on]
	if !ok { // always or never
		return c.like(integer(i1, int64(on&1)), c.like(x, y))
	}
	return c.icmp(p, x, y)
}

// choice writes a selection. A scalar condition chooses between values of any
// kind.
func (f *function) choice(op *ir.Op) {
	cond := f.val(op.Operand(0))
	yes, no := f.parts(op.Operand(1)), f.parts(op.Operand(2))
	r := make(parts, len(yes))
	for i := range r {
		r[i] = f.sel(cond, yes[i], no[i])
	}
	f.set(op.Result(0), r...)
}

// cast writes a conversion.
func (f *function) cast(op *ir.Op) {
	how, r, _ := arith.CastOf(op)
	from, ok := f.formatOf(op, op.Operand(0).Type())
	to, ok2 := f.formatOf(op, op.Result(0).Type())
	if !ok || !ok2 {
		return
	}
	f.set(op.Result(0), f.castTo(how, from, to, f.val(op.Operand(0)), r))
}

// reinterpret gives an integer as one of another type.
func (f *function) reinterpret(op *ir.Op) {
	if op.NumOperands() != 1 || op.NumResults() != 1 {
		f.errorf(op, "casts %d values to %d, which has no form in LLVM IR", op.NumOperands(), op.NumResults())
		return
	}
	from, ok := f.formatOf(op, op.Operand(0).Type())
	to, ok2 := f.formatOf(op, op.Result(0).Type())
	switch {
	case !ok || !ok2:
	case !from.IsInt() || !to.IsInt():
		f.errorf(op, "casts %s to %s, which has no form in LLVM IR", op.Operand(0).Type(), op.Result(0).Type())
	default:
		f.set(op.Result(0), f.castTo(scalar.Cast{}, from, to, f.val(op.Operand(0)), num.Zero))
	}
}

// castTo is what scalar.Cast says.
func (c *code) castTo(how scalar.Cast, from, to num.Format, x value.Value, r num.Rounding) value.Value {
	if how.Bits {
		return c.bitcast(x, shaped(elementType(to), x))
	}
	return c.convert(how.From.Reading(from), how.To.Reading(to), x, r, how.Sat)
}
