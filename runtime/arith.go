// This file compiles scalar arithmetic: constants, elementwise functions, comparisons,
// selections and conversions of scalars and of short builtin vectors.

package runtime

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// literal compiles the constant op. A scalar constant needs no work at run time, because
// the planner stores scalar constants in each new frame (the storage of a call) in
// advance; literal then returns nil. A constant of a builtin vector type needs a step, a
// function that writes the vector.
func (p *planner) literal(op *ir.Op, kind scalar.Literal) step {
	v := op.Result(0)
	if p.classOf(v.Type()) == vectorClass {
		return p.vectorLiteral(op, kind)
	}
	_, bits, ok := op.Attr(kind.Attr).NumberBits()
	if !ok {
		p.errorf(op, "returns a constant of type %s, which pto-run does not support", v.Type())
		return nil
	}
	p.cur.consts = append(p.cur.consts, constant{p.slot(v), bits})
	return nil
}

// shortVector returns the number of elements of t if t is a builtin MLIR vector that fits
// into a vector register. It returns 0 for every other type.
func shortVector(t ir.Type) int {
	v, ok := ir.As[ir.VectorType](t)
	f, known := ir.FormatOf(v.Elem)
	if !ok || !known || !v.Shape.Static() || v.Shape.Len() != 1 {
		return 0
	}
	if n := v.Shape.At(0); n > 0 && n*int64(f.Bytes()) <= pto.VectorBytes {
		return int(n)
	}
	return 0
}

// vectorLiteral compiles a constant of a builtin vector type into a step, a function that
// writes the vector into its register. The step writes the value again on each execution,
// because some instructions modify operands of this type in place.
func (p *planner) vectorLiteral(op *ir.Op, kind scalar.Literal) step {
	v := op.Result(0)
	dense, ok := ir.AttrAs[ir.DenseAttr](op.Attr(kind.Attr))
	bits, ok2 := dense.Numbers()
	if !ok || !ok2 {
		p.errorf(op, "returns a constant of type %s, which pto-run does not support", v.Type())
		return nil
	}
	f, _ := ir.FormatOf(ir.ElementType(v.Type()))
	var x vreg
	for i := range shortVector(v.Type()) {
		x.setLane(i, f.Bytes(), bits[min(i, len(bits)-1)])
	}
	d := p.slot(v)
	return func(fr *frame) *Fault { fr.v[d] = x; return nil }
}

// format returns the number format of the scalar type t, for example f32. If the runtime
// cannot compute with t, it reports an error at op and returns false.
func (p *planner) format(op *ir.Op, t ir.Type) (num.Format, bool) {
	f, ok := ir.FormatOf(t)
	if !ok {
		p.errorf(op, "computes with operands of type %s, which pto-run does not support", t)
	}
	return f, ok
}

// elementwise compiles op into a step, the Go function that executes it. The step applies
// the scalar function fn to scalar operands. If the operands are builtin MLIR vectors
// that fit into a vector register, the step applies fn to each element.
func (p *planner) elementwise(op *ir.Op, fn *scalar.Fn) step {
	if n := shortVector(op.Result(0).Type()); n > 0 {
		return p.shortElementwise(op, fn, n)
	}
	f, ok := p.format(op, op.Operand(0).Type())
	if !ok {
		return nil
	}
	var at [3]slot
	for i := range op.NumOperands() {
		at[i] = p.slot(op.Operand(i))
	}
	d, a, b := p.slot(op.Result(0)), at[0], at[1]
	if s := integerStep(fn, f, d, a, b); s != nil {
		return s
	}
	return evalStep(op, fn, f, d, at)
}

// shortElementwise compiles op, whose operands are builtin MLIR vectors of n elements,
// into a step (the Go function that executes op). The step applies the scalar function fn
// to each element. The vectors fit into a vector register.
func (p *planner) shortElementwise(op *ir.Op, fn *scalar.Fn, n int) step {
	f, ok := p.format(op, ir.ElementType(op.Operand(0).Type()))
	if !ok {
		return nil
	}
	row, ok := p.rows(op, fn, f)
	if !ok {
		return nil
	}
	var at [3]slot
	for i := range op.NumOperands() {
		at[i] = p.slot(op.Operand(i))
	}
	d, bytes := p.slot(op.Result(0)), n*f.Bytes()
	return func(fr *frame) *Fault {
		out := fr.v[d].bytes()[:bytes]
		if err := row(out, fr.v[at[0]].bytes()[:bytes], fr.v[at[1]].bytes()[:bytes], fr.v[at[2]].bytes()[:bytes]); err != nil {
			return faultAt(op, "fails: %s", err)
		}
		return nil
	}
}

// evalStep returns a step (a function that executes op on a frame) for any scalar
// function fn on format f. It calls the general evaluator of fn, which is slower than a
// specialized step. d is the slot of the result, and the array contains the slots of the
// operands. A slot is the index of a value in the frame.
func evalStep(op *ir.Op, fn *scalar.Fn, f num.Format, d slot, at [3]slot) step {
	return func(fr *frame) *Fault {
		r, err := fn.Eval3(f, fr.x[at[0]], fr.x[at[1]], fr.x[at[2]])
		if err != nil {
			return faultAt(op, "fails: %s", err)
		}
		fr.x[d] = r
		return nil
	}
}

// integerStep returns a specialized step (a function that executes an operation on a
// frame) for the integer function fn. It returns nil unless fn is common in address
// computations. The specialized step is faster, because it avoids a call of the general
// evaluator. It reads slots a and b and writes slot d; a slot is an index of a value in
// the frame.
func integerStep(fn *scalar.Fn, f num.Format, d, a, b slot) step {
	if !f.IsInt() {
		return nil
	}
	m := f.Mask()
	switch fn {
	case scalar.Add:
		return func(fr *frame) *Fault { fr.x[d] = (fr.x[a] + fr.x[b]) & m; return nil }
	case scalar.Sub:
		return func(fr *frame) *Fault { fr.x[d] = (fr.x[a] - fr.x[b]) & m; return nil }
	case scalar.Mul:
		return func(fr *frame) *Fault { fr.x[d] = (fr.x[a] * fr.x[b]) & m; return nil }
	case scalar.And:
		return func(fr *frame) *Fault { fr.x[d] = fr.x[a] & fr.x[b]; return nil }
	case scalar.Or:
		return func(fr *frame) *Fault { fr.x[d] = fr.x[a] | fr.x[b]; return nil }
	case scalar.Xor:
		return func(fr *frame) *Fault { fr.x[d] = fr.x[a] ^ fr.x[b]; return nil }
	}
	return nil
}

// extended compiles a scalar function with two results into a step, the function that
// executes it. An example is a multiplication that returns the low and the high half of
// the product.
func (p *planner) extended(op *ir.Op, kind scalar.Extended) step {
	f, ok := p.format(op, op.Operand(0).Type())
	high, ok2 := p.format(op, op.Result(1).Type())
	if !ok || !ok2 {
		return nil
	}
	at := [3]slot{p.slot(op.Operand(0)), p.slot(op.Operand(1))}
	lo, hi := p.slot(op.Result(0)), p.slot(op.Result(1))
	first := evalStep(op, kind.Low, f, lo, at)
	second := evalStep(op, kind.High, f, hi, at)
	return func(fr *frame) *Fault {
		if f := first(fr); f != nil {
			return f
		}
		f := second(fr)
		fr.x[hi] &= high.Mask()
		return f
	}
}

// comparison compiles op into a step, a function that compares two scalars and stores 1
// or 0. The relation, for example "less than", is an attribute of op.
func (p *planner) comparison(op *ir.Op, _ scalar.Comparison) step {
	rel, ok := arith.RelationOf(op)
	f, ok2 := p.format(op, op.Operand(0).Type())
	if !ok || !ok2 {
		if ok2 {
			p.errorf(op, "has an unknown comparison predicate, which pto-run does not support")
		}
		return nil
	}
	d, a, b := p.slot(op.Result(0)), p.slot(op.Operand(0)), p.slot(op.Operand(1))
	return func(fr *frame) *Fault {
		if rel.Holds(f, fr.x[a], fr.x[b]) {
			fr.x[d] = 1
		} else {
			fr.x[d] = 0
		}
		return nil
	}
}

// choice compiles arith.select into a step: a function that copies the second operand to
// the result if the first operand (the condition) is true, and the third operand if it is
// false. The selected values can be scalars, tiles, views or vector registers.
func (p *planner) choice(op *ir.Op, _ scalar.Choice) step {
	cond := p.slot(op.Operand(0))
	result := p.homes(op.Results())
	yes := p.moves([]home{p.home(op.Operand(1))}, result)
	no := p.moves([]home{p.home(op.Operand(2))}, result)
	return func(fr *frame) *Fault {
		if fr.x[cond] != 0 {
			yes.run(fr)
		} else {
			no.run(fr)
		}
		return nil
	}
}

// cast compiles op into a step, the Go function that executes it. The step converts a
// scalar, or each element of a builtin MLIR vector that fits into a vector register, to
// another number format.
func (p *planner) cast(op *ir.Op, _ scalar.Cast) step {
	c, r, _ := arith.CastOf(op)
	return p.conversionStep(op, c, r)
}

// simtConvert compiles op into a step, a function that converts the value of one work
// item (one SIMT thread) to another number format.
func (p *planner) simtConvert(op *ir.Op, _ sem.SimtConvert) step {
	c := sem.ConversionOf(op)
	return p.conversionStep(op, c, c.Rounding)
}

// conversionStep returns a step, a function that converts the operand of op. The
// parameter c describes the conversion, and r is the rounding mode. A bit cast between
// vectors, or between a vector and an integer, copies the bits without conversion.
func (p *planner) conversionStep(op *ir.Op, c scalar.Cast, r num.Rounding) step {
	in, out := op.Operand(0).Type(), op.Result(0).Type()
	if c.Bits && (shortVector(in) > 0 || shortVector(out) > 0) {
		from, to := p.bitsOf(op.Operand(0)), p.bitsOf(op.Result(0))
		return func(fr *frame) *Fault { *to(fr) = *from(fr); return nil }
	}
	from, ok := p.format(op, ir.ElementType(in))
	to, ok2 := p.format(op, ir.ElementType(out))
	if !ok || !ok2 {
		return nil
	}
	if n := max(pairLength(in), pairLength(out)); n > 1 {
		return p.pairConversion(op, n, func(bits uint64) uint64 { return c.EvalRounded(from, to, bits, r) })
	}
	d, a := p.slot(op.Result(0)), p.slot(op.Operand(0))
	if n := shortVector(out); n > 0 {
		return func(fr *frame) *Fault {
			v := fr.v[a]
			for i := range n {
				fr.v[d].setLane(i, to.Bytes(), c.EvalRounded(from, to, v.lane(i, from.Bytes()), r))
			}
			return nil
		}
	}
	if from.IsInt() && to.IsInt() && !c.Sat {
		return integerCast(c.From.Reading(from), to, d, a)
	}
	return func(fr *frame) *Fault {
		fr.x[d] = c.EvalRounded(from, to, fr.x[a], r)
		return nil
	}
}

// reinterpret compiles a cast between two types that the runtime represents in the same
// way, such as an index and an integer, into a step. The step is a function that copies
// the value. If op does not have exactly one operand and one result, reinterpret reports
// an error.
func (p *planner) reinterpret(op *ir.Op, _ scalar.Reinterpret) step {
	if op.NumOperands() != 1 || op.NumResults() != 1 {
		p.errorf(op, "casts %d values to %d values, but pto-run can only cast one value to one value", op.NumOperands(), op.NumResults())
		return nil
	}
	from, ok := p.format(op, op.Operand(0).Type())
	to, ok2 := p.format(op, op.Result(0).Type())
	switch {
	case !ok || !ok2:
		return nil
	case !from.IsInt() || !to.IsInt():
		p.errorf(op, "casts type %s to type %s, which pto-run does not support", op.Operand(0).Type(), op.Result(0).Type())
		return nil
	}
	return integerCast(from, to, p.slot(op.Result(0)), p.slot(op.Operand(0)))
}

// integerCast returns a step, a function that converts an integer to a different width.
// The step reads the scalar in slot a, which has the format given by the parameter from.
// It extends or truncates the scalar to the format given by the parameter to, and writes
// it to slot d. A slot is an index of a value in the frame of a call.
func integerCast(from, to num.Format, d, a slot) step {
	m := to.Mask()
	if !from.Signed() {
		return func(fr *frame) *Fault { fr.x[d] = fr.x[a] & m; return nil }
	}
	return func(fr *frame) *Fault { fr.x[d] = uint64(num.Int(from, fr.x[a])) & m; return nil }
}
