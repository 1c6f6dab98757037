// This file implements the symbolic execution of scalar operations in equivalence proofs.

package runtime

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/expr"
)

// This file computes the expressions of scalars, and of short vectors, which are stored
// in registers.

// clone returns a copy of a frame's expression tokens for a SIMT work item. A token is
// the number of an expression. The tokens of the first logical vectors (VMI) in the
// frame are not copied but shared with the original, because work items share the memory
// of these vectors. The parameter rows is the number of these vectors.
func (t *frameTrace) clone(rows int) *frameTrace {
	c := *t
	c.x, c.v, c.m, c.a, c.r = slices.Clone(t.x), slices.Clone(t.v), slices.Clone(t.m), slices.Clone(t.a), slices.Clone(t.r)
	for i := rows; i < len(c.r); i++ {
		for k := range c.r[i] {
			c.r[i][k] = slices.Clone(c.r[i][k])
		}
	}
	return &c
}

// tracedElementwise compiles the elementwise function fn. The operands are scalars or
// builtin MLIR vectors that fit into a vector register.
func (p *planner) tracedElementwise(op *ir.Op, fn *scalar.Fn) step {
	t := op.Result(0).Type()
	n := shortVector(t)
	f, ok := ir.FormatOf(ir.ElementType(op.Operand(0).Type()))
	if !ok {
		return p.plain
	}
	call := p.tracedFn(fn, f)
	if n > 0 {
		call = p.loopFn(fn, f)
	}
	at := p.slotsOf(op.Operands())
	d, size := p.slot(op.Result(0)), f.Bytes()
	if n > 0 {
		return computed(p.plain, func(fr *frame, x *tracer) *Fault {
			x.t.At = op
			var in [3]traced
			for i, a := range at {
				in[i] = fr.vector(a)
			}
			out := fr.vector(d)
			for i := range n {
				var args [3]value
				for k := range at {
					args[k] = x.get(&in[k], i*size, size)
				}
				x.put(&out, i*size, size, x.apply(call, &args))
			}
			return nil
		})
	}
	s := p.plain
	return func(fr *frame) *Fault {
		known := !(p.opts.Lineage.Shadows != nil && f.IsFloat())
		for _, a := range at {
			known = known && fr.lin.x[a] == 0
		}
		if known {
			f := s(fr)
			fr.lin.x[d] = 0
			return f
		}
		x := fr.core.lin
		x.t.At = op
		var args [3]value
		for k, a := range at {
			args[k] = x.scalar(fr, a)
		}
		v := x.apply(call, &args)
		if f := s(fr); f != nil {
			return f
		}
		x.setScalar(fr, d, v)
		return nil
	}
}

// scalarCall compiles a scalar operation. The expression of result i is the
// uninterpreted function fns[i] of all operands. If no operand depends on symbolic
// inputs, the results have no expression.
func (p *planner) scalarCall(op *ir.Op, fns ...*expr.Fn) step {
	s, at, d := p.plain, p.slotsOf(op.Operands()), p.slotsOf(op.Results())
	return func(fr *frame) *Fault {
		x := fr.core.lin
		x.t.At = op
		known := true
		args := make([]value, len(at))
		for i, a := range at {
			args[i] = x.scalar(fr, a)
			known = known && args[i].known
		}
		if f := s(fr); f != nil {
			return f
		}
		for i, to := range d {
			if known {
				fr.lin.x[to] = 0
			} else {
				x.setScalar(fr, to, x.named(fns[i], args...))
			}
		}
		return nil
	}
}

// onlyScalars reports whether all operands and results of op are scalars.
func (p *planner) onlyScalars(op *ir.Op) bool {
	other := func(v *ir.Value) bool { return p.classOf(v.Type()) != scalarClass }
	return !slices.ContainsFunc(op.Operands(), other) && !slices.ContainsFunc(op.Results(), other)
}

// tracedExtended compiles a scalar function with two results, such as the low and the
// high half of a product.
func (p *planner) tracedExtended(op *ir.Op, kind scalar.Extended) step {
	if !p.onlyScalars(op) {
		return p.knownStep(op, p.plain)
	}
	f, _ := ir.FormatOf(op.Operand(0).Type())
	t := p.opts.Lineage.Exprs
	return p.scalarCall(op, t.Function(kind.Low, f), t.Function(kind.High, f))
}

// tracedComparison compiles a comparison of scalars. For a comparison of vectors, the
// step faults if an operand depends on symbolic inputs.
func (p *planner) tracedComparison(op *ir.Op, _ scalar.Comparison) step {
	rel, ok := arith.RelationOf(op)
	f, ok2 := ir.FormatOf(op.Operand(0).Type())
	if !ok || !ok2 || !p.onlyScalars(op) {
		return p.knownStep(op, p.plain)
	}
	return p.scalarCall(op, comparisonFn(rel, f))
}

// comparisonFn returns the operator that represents, in symbolic expressions, the
// comparison rel of elements of format f.
func comparisonFn(rel scalar.Relation, f num.Format) *expr.Fn {
	f = rel.Sign.Reading(f)
	if f.IsInt() && f.Signed() {
		f = f.AsSigned()
	}
	return expr.Named("compare %d %s", rel.On, f)
}

// tracedChoice compiles arith.select. If the condition does not depend on symbolic
// inputs, the step copies the expression of the selected operand. If the condition
// depends on inputs, the expression of the result contains the condition and both
// operands.
func (p *planner) tracedChoice(op *ir.Op, _ scalar.Choice) step {
	s, cond, d := p.plain, p.slot(op.Operand(0)), p.slot(op.Result(0))
	if p.classOf(op.Operand(0).Type()) != scalarClass {
		return p.knownStep(op, s)
	}
	yes, no := p.slot(op.Operand(1)), p.slot(op.Operand(2))
	isScalar := p.classOf(op.Result(0).Type()) == scalarClass && !ir.Is[pto.PtrType](op.Result(0).Type())
	return func(fr *frame) *Fault {
		x := fr.core.lin
		c := x.scalar(fr, cond)
		if c.known {
			return s(fr)
		}
		if !isScalar {
			return fr.core.undecided(op, &c, "selects by a condition that depends on input data")
		}
		x.t.At = op
		v := x.choose(c, x.scalar(fr, yes), x.scalar(fr, no))
		if f := s(fr); f != nil {
			return f
		}
		if v.known && v.bits != fr.x[d] {
			v = value{h: x.hash(&v)}
		}
		x.setScalar(fr, d, v)
		return nil
	}
}

// chooseFn is the operator that represents, in symbolic expressions, a selection between
// two values by a condition that depends on inputs.
var chooseFn = expr.Named("select")

// choose returns a if the condition c is true, and b if c is false. If c depends on
// inputs, it returns the expression select(c, a, b).
func (x *tracer) choose(c, a, b value) value {
	switch {
	case c.known && c.bits&1 != 0:
		return a
	case c.known:
		return b
	case x.shadows != nil: // the condition has no value that can be followed
		return value{}
	case !x.definedness && x.hash(&a) == x.hash(&b):
		return a
	}
	return value{h: x.t.Apply(chooseFn, c.h, x.hash(&a), x.hash(&b))}
}

// tracedCast compiles a scalar conversion between number formats.
func (p *planner) tracedCast(op *ir.Op, _ scalar.Cast) step {
	c, r, _ := arith.CastOf(op)
	return p.tracedConversionStep(op, c, r)
}

// tracedSimtConvert compiles a number conversion in a SIMT function.
func (p *planner) tracedSimtConvert(op *ir.Op, _ sem.SimtConvert) step {
	c := sem.ConversionOf(op)
	return p.tracedConversionStep(op, c, c.Rounding)
}

// tracedConversionStep compiles the scalar conversion c with rounding mode r. For a
// conversion of vectors or of packed numbers, the step faults if the operand depends on
// symbolic inputs.
func (p *planner) tracedConversionStep(op *ir.Op, c scalar.Cast, r num.Rounding) step {
	in, out := op.Operand(0).Type(), op.Result(0).Type()
	from, ok := ir.FormatOf(in)
	to, ok2 := ir.FormatOf(out)
	if !p.onlyScalars(op) || !ok || !ok2 || max(pairLength(in), pairLength(out)) > 1 {
		return p.knownStep(op, p.plain)
	}
	if p.opts.Lineage.Shadows != nil {
		if c.Bits {
			return p.withoutShadows(op)
		}
		return p.shadowedCast(op, p.tracedConversion(c.From.Reading(from), c.To.Reading(to), r, c.Sat))
	}
	if c.Bits {
		return p.scalarCall(op, p.opts.Lineage.Exprs.Function(scalar.Copy, from))
	}
	return p.scalarCall(op, p.opts.Lineage.Exprs.Conversion(c.From.Reading(from), c.To.Reading(to), r, c.Sat))
}

// tracedReinterpret compiles a cast that does not change the bits of a scalar, for
// example from an index to an integer. The result has the expression of the operand.
func (p *planner) tracedReinterpret(op *ir.Op, _ scalar.Reinterpret) step {
	from, ok := ir.FormatOf(op.Operand(0).Type())
	to, ok2 := ir.FormatOf(op.Result(0).Type())
	if !p.onlyScalars(op) || !ok || !ok2 {
		return p.knownStep(op, p.plain)
	}
	return p.scalarCall(op, p.opts.Lineage.Exprs.Conversion(from, to, num.NearestEven, false))
}
