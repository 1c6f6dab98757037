// This file defines comparisons of floats.

package term

import "ptogo/ir/scalar"

// Order returns the outcome of comparing the floats a and b as a term of 2 bits: 0 for
// less, 1 for equal, 2 for greater and 3 for unordered. Nothing is known about the
// outcome, except that a number is never less or greater than itself.
func (p *Pool) Order(a, b Term) Term {
	same(a.n, b.n)
	if a == b { // equal, or unordered for NaN
		nan := p.Opaque("isnan", 1, a)
		return p.Ite(nan, p.Const(2, 3), p.Const(2, 1))
	}
	if b.n.id < a.n.id {
		o := p.Order(b, a)
		return p.Ite(p.Eq(o, p.Const(2, 0)), p.Const(2, 2), p.Ite(p.Eq(o, p.Const(2, 2)), p.Const(2, 0), o))
	}
	return Term{p.node(opOrder, 2, a.n, b.n)}
}

// CmpF returns the condition that the outcome of comparing the floats a and b is in the
// set on. Conditions on the same two floats depend on one unknown outcome, so that for
// example olt and uge exclude each other.
func (p *Pool) CmpF(on scalar.Order, a, b Term) Term {
	same(a.n, b.n)
	if b.n.id < a.n.id {
		a, b, on = b, a, scalar.Relation{On: on}.Swap().On
	}
	o := p.Order(a, b)
	is := func(set scalar.Order) Term {
		var conds []Term
		for i := range 4 {
			if set&(1<<i) != 0 {
				conds = append(conds, p.Eq(o, p.Const(2, int64(i))))
			}
		}
		return p.Any(conds...)
	}
	// A set and its complement are one condition and its negation.
	switch {
	case on&15 == 0:
		return p.Bool(false)
	case on&15 == 15:
		return p.Bool(true)
	case on&scalar.Unordered != 0:
		return p.Not(is(^on & 15))
	}
	return is(on)
}
