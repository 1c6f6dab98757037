// Package terms maps operations on scalars to terms of package ptogo/ir/term. Only the
// proof of synchronization needs it, so other programs do not link the solver for terms.
package terms

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/ir"
	"ptogo/ir/scalar"
	"ptogo/ir/term"
)

// Width returns the width of the terms for values of type t: integers of at most 64
// bits, index, and floats of at most 64 bits, of which a term holds the bits. The bool
// result is false for all other types.
func Width(t ir.Type) (int, bool) {
	switch d := t.Data().(type) {
	case ir.IntegerType:
		return int(d.Width), d.Width >= 1 && d.Width <= 64
	case ir.IndexType:
		return 64, true
	case ir.FloatType:
		w := arith.Width(t)
		return w, w >= 1 && w <= 64
	}
	return 0, false
}

// Of returns the terms for the results of op, from the terms of its operands. It reads
// the meaning of op from its definition, so op can be of any dialect. What a term cannot
// express is an unknown that depends on the operands, such as a sum of floats. The bool
// result is false if op is not a function of scalars, or if an operand has no term.
func Of(p *term.Pool, op *ir.Op, operands []term.Term) ([]term.Term, bool) {
	for _, v := range op.Results() {
		if _, ok := Width(v.Type()); !ok {
			return nil, false
		}
	}
	for i, v := range op.Operands() {
		if w, ok := Width(v.Type()); !ok || operands[i].IsZero() || operands[i].Width() != w {
			return nil, false
		}
	}
	one := func(t term.Term, ok bool) ([]term.Term, bool) { return []term.Term{t}, ok }
	switch kind := op.Def().Sem.(type) {
	case scalar.Literal:
		return one(literalTerm(p, op, kind))
	case scalar.Elementwise:
		return one(fnTerm(p, op, kind.Fn, operands), true)
	case scalar.Extended:
		low, high := fnTerm(p, op, kind.Low, operands), fnTerm(p, op, kind.High, operands)
		w, _ := Width(op.Result(1).Type())
		return []term.Term{low, p.Trunc(high, w)}, true
	case scalar.Choice:
		return one(p.Ite(operands[0], operands[1], operands[2]), true)
	case scalar.Comparison:
		return one(comparisonTerm(p, op, operands))
	case scalar.Cast:
		return one(castTerm(p, op, operands[0]), true)
	case scalar.Reinterpret:
		w, _ := Width(op.Result(0).Type())
		f, ok := ir.FormatOf(op.Operand(0).Type())
		return one(p.Resize(operands[0], w, f.Signed()), ok && f.IsInt())
	}
	return nil, false
}

// Defined returns a condition that holds whenever op was executed without a fault: the
// divisor of an integer division is not zero.
func Defined(p *term.Pool, op *ir.Op, operands []term.Term) term.Term {
	kind, ok := op.Def().Sem.(scalar.Elementwise)
	if !ok || kind.Fn.Divisor == 0 || !isAnyInt(op.Operand(0).Type()) || operands[kind.Fn.Divisor-1].IsZero() {
		return p.Bool(true)
	}
	d := operands[kind.Fn.Divisor-1]
	return p.Ne(d, p.Const(d.Width(), 0))
}

// isAnyInt reports whether t is index or an integer, also one with a sign.
func isAnyInt(t ir.Type) bool { return t == ir.Index || ir.Is[ir.IntegerType](t) }

// unknownTerm returns an unknown result of op, of type t, that depends on the operands. The
// detail distinguishes results that operations with one name can have.
func unknownTerm(p *term.Pool, op *ir.Op, t ir.Type, detail string, operands []term.Term) term.Term {
	w, _ := Width(t)
	name := fmt.Sprintf("%s %s %s", op.Name(), detail, t)
	for _, v := range op.Operands() {
		name += " " + v.Type().String()
	}
	return p.Opaque(name, w, operands...)
}

func literalTerm(p *term.Pool, op *ir.Op, kind scalar.Literal) (term.Term, bool) {
	t, bits, ok := op.Attr(kind.Attr).NumberBits()
	w, wok := Width(t)
	if !ok || !wok {
		return term.Term{}, false
	}
	return p.ConstInt(w, term.UintOf(bits)), true
}

// fnTerm returns the term for an elementwise function. Integers of widths without a
// format, such as i24, are not executed, so their results are unknown.
func fnTerm(p *term.Pool, op *ir.Op, fn *scalar.Fn, operands []term.Term) term.Term {
	f, ok := ir.FormatOf(op.Operand(0).Type())
	if !ok || len(operands) != fn.Arity {
		return unknownTerm(p, op, op.Operand(0).Type(), fn.Name, operands)
	}
	return p.Fn(fn, f, operands...)
}

func comparisonTerm(p *term.Pool, op *ir.Op, operands []term.Term) (term.Term, bool) {
	rel, ok := arith.RelationOf(op)
	if !ok {
		return term.Term{}, false
	}
	a, b := operands[0], operands[1]
	f, known := ir.FormatOf(op.Operand(0).Type())
	switch {
	case !known:
		return unknownTerm(p, op, ir.I1, fmt.Sprint(rel), operands), true
	case f.IsFloat():
		return p.CmpF(f, rel.On, a, b), true
	case rel.Sign.Reading(f).Signed():
		rel.Sign = scalar.Signed
	default:
		rel.Sign = scalar.Unsigned
	}
	return p.Compare(rel, a, b), true
}

// castTerm returns the term for a conversion. Conversions of floats are computed only for
// constants.
func castTerm(p *term.Pool, op *ir.Op, x term.Term) term.Term {
	c, r, _ := arith.CastOf(op)
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	w, _ := Width(to)
	f, ok1 := ir.FormatOf(from)
	g, ok2 := ir.FormatOf(to)
	v, constant := x.Const()
	switch {
	case c.Bits:
		return x
	case isAnyInt(from) && isAnyInt(to) && !c.Sat && ok1:
		return p.Resize(x, w, c.From.Reading(f).Signed())
	case constant && ok1 && ok2 && !(f.IsFloat() && g.IsInt() && !arith.InRange(f, c.To.Reading(g), v.Uint64())):
		return p.ConstInt(w, term.UintOf(c.EvalRounded(f, g, v.Uint64(), r)))
	}
	return unknownTerm(p, op, to, r.String(), []term.Term{x})
}
