// This file defines comparisons of floats.

package term

import (
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Order returns the outcome of comparing the floats a and b of format f, whose bits are
// the terms. The result has 2 bits: 0 for less, 1 for equal, 2 for greater and 3 for
// unordered. Nothing is known about the outcome unless both are constants, except that a
// number is never less or greater than itself.
func (p *Pool) Order(f num.Format, a, b Term) Term { return p.order(f.String(), a, b) }

// order returns the outcome of a comparison, where name identifies the format.
func (p *Pool) order(name string, a, b Term) Term {
	same(a.n, b.n)
	if a == b { // equal, or unordered for NaN
		nan := p.Opaque("isnan "+name, 1, a)
		return p.Ite(nan, p.Const(2, 3), p.Const(2, 1))
	}
	if f, ok := num.ParseFormat(name); ok && a.n.op == opConst && b.n.op == opConst {
		for i := range 4 {
			if (scalar.Relation{On: 1 << i}).Holds(f, a.n.val.lo, b.n.val.lo) {
				return p.Const(2, int64(i))
			}
		}
	}
	if b.n.id < a.n.id {
		o := p.order(name, b, a)
		return p.Ite(p.Eq(o, p.Const(2, 0)), p.Const(2, 2), p.Ite(p.Eq(o, p.Const(2, 2)), p.Const(2, 0), o))
	}
	return Term{p.intern(node{op: opOrder, w: 2, name: name, args: []*node{a.n, b.n}})}
}

// CmpF returns the condition that the outcome of comparing the floats a and b of format f
// is in the set on. Conditions on the same two floats depend on one unknown outcome, so
// that for example olt and uge exclude each other.
func (p *Pool) CmpF(f num.Format, on scalar.Order, a, b Term) Term {
	same(a.n, b.n)
	if b.n.id < a.n.id {
		a, b, on = b, a, scalar.Relation{On: on}.Swap().On
	}
	o := p.Order(f, a, b)
	// A set and its complement are one condition and its negation.
	if on&scalar.Unordered != 0 {
		return p.Not(p.oneOf(o, ^on&15))
	}
	return p.oneOf(o, on)
}

// oneOf returns the condition that the outcome o is in the set on.
func (p *Pool) oneOf(o Term, on scalar.Order) Term {
	var conds []Term
	for i := range 4 {
		if on&(1<<i) != 0 {
			conds = append(conds, p.Eq(o, p.Const(2, int64(i))))
		}
	}
	return p.Any(conds...)
}
