// This file gives operations on scalars their terms.

package arith

import (
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/ir/term"
)

// TermOf returns the term of the first result of op, whose operands have the terms args. ok
// is false if the term is unknown, as for arithmetic on floats.
func TermOf(p *term.Pool, op *ir.Op, args []term.Term) (t term.Term, ok bool) {
	f, scalars := ir.FormatOf(op.Result(0).Type())
	if !scalars {
		return t, false
	}
	switch kind := op.Def().Sem.(type) {
	case scalar.Elementwise:
		if f.IsFloat() || len(args) == 0 {
			return t, false
		}
		return p.Fn(kind.Fn, args...), true
	case scalar.Comparison:
		rel, known := RelationOf(op)
		if !known || len(args) != 2 {
			return t, false
		}
		return compareTerms(p, rel, op.Operand(0).Type(), args[0], args[1]), true
	case scalar.Choice:
		if len(args) != 3 || args[0].Width() != 1 {
			return t, false
		}
		return p.Ite(args[0], args[1], args[2]), true
	case scalar.Cast:
		from, known := ir.FormatOf(op.Operand(0).Type())
		switch {
		case !known || len(args) != 1:
			return t, false
		case kind.Bits && from.Bits() == f.Bits():
			return args[0], true
		case kind.Bits || kind.Sat || from.IsFloat() || f.IsFloat():
			return t, false
		}
		return p.Resize(args[0], f.Bits(), signedIn(kind.From, from)), true
	}
	return t, false
}

// signedIn reports whether an integer of format f is read as signed.
func signedIn(s scalar.Sign, f num.Format) bool {
	switch s {
	case scalar.Signed:
		return true
	case scalar.Unsigned:
		return false
	}
	return f.Signed()
}

// compareTerms returns the condition that a and b, of type t, are related as rel says.
func compareTerms(p *term.Pool, rel scalar.Relation, t ir.Type, a, b term.Term) term.Term {
	f, _ := ir.FormatOf(t)
	if f.IsFloat() {
		return p.CmpF(rel.On, a, b)
	}
	less, greater := p.Ult(a, b), p.Ult(b, a)
	if signedIn(rel.Sign, f) {
		less, greater = p.Slt(a, b), p.Slt(b, a)
	}
	switch rel.On & (scalar.Less | scalar.Equal | scalar.Greater) {
	case scalar.Less:
		return less
	case scalar.Greater:
		return greater
	case scalar.Equal:
		return p.Eq(a, b)
	case scalar.Less | scalar.Equal:
		return p.Not(greater)
	case scalar.Greater | scalar.Equal:
		return p.Not(less)
	case scalar.Less | scalar.Greater:
		return p.Ne(a, b)
	}
	return p.Bool(rel.On&(scalar.Less|scalar.Equal|scalar.Greater) != 0)
}
