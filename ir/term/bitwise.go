// This file defines bitwise functions and shifts.

package term

import "sort"

// And returns the bitwise a & b, or the conjunction of two conditions.
func (p *Pool) And(a, b Term) Term {
	same(a.n, b.n)
	if a.n.w == 1 {
		return p.All(a, b)
	}
	return Term{p.bitwise(opAnd, a.n, b.n)}
}

// Or returns the bitwise a | b, or the disjunction of two conditions.
func (p *Pool) Or(a, b Term) Term {
	same(a.n, b.n)
	if a.n.w == 1 {
		return p.Not(p.All(p.Not(a), p.Not(b)))
	}
	return Term{p.bitwise(opOr, a.n, b.n)}
}

// Xor returns the bitwise a ^ b.
func (p *Pool) Xor(a, b Term) Term {
	same(a.n, b.n)
	if a.n.w > 1 {
		return Term{p.bitwise(opXor, a.n, b.n)}
	}
	x, y, flip := a.n, b.n, false
	for _, n := range []**node{&x, &y} {
		if (*n).op == opNot {
			*n, flip = (*n).args[0], !flip
		}
	}
	r := p.bitwise(opXor, x, y)
	if flip {
		return p.Not(Term{r})
	}
	return Term{r}
}

// Not returns the bitwise complement of a.
func (p *Pool) Not(a Term) Term {
	w := a.Width()
	if w > 1 {
		return Term{p.combine(w, one, p.constant(w, IntOf(-1)), IntOf(-1), a.n)}
	}
	switch a.n.op {
	case opConst:
		return p.Bool(a.n.val == zero)
	case opNot:
		return Term{a.n.args[0]}
	}
	return Term{p.node(opNot, 1, a.n)}
}

// All returns the conjunction of conditions, which is true if there are none.
func (p *Pool) All(conds ...Term) Term {
	var args []*node
	for _, c := range conds {
		switch {
		case c.n.w != 1:
			panic("term: a condition must have 1 bit")
		case c.IsTrue():
		case c.IsFalse():
			return c
		case c.n.op == opAnd && len(c.n.args) <= 2*maxParts:
			args = append(args, c.n.args...)
		default:
			args = append(args, c.n)
		}
	}
	sort.Slice(args, func(i, k int) bool { return args[i].id < args[k].id })
	out := args[:0]
	for _, n := range args {
		if len(out) == 0 || out[len(out)-1] != n {
			out = append(out, n)
		}
	}
	has := func(m *node) bool {
		i := sort.Search(len(out), func(i int) bool { return out[i].id >= m.id })
		return i < len(out) && out[i] == m
	}
	for _, n := range out {
		if n.op == opNot && has(n.args[0]) {
			return p.Bool(false)
		}
	}
	switch len(out) {
	case 0:
		return p.Bool(true)
	case 1:
		return Term{out[0]}
	}
	return Term{p.node(opAnd, 1, out...)}
}

// Any returns the disjunction of conditions, which is false if there are none.
func (p *Pool) Any(conds ...Term) Term {
	not := make([]Term, len(conds))
	for i, c := range conds {
		not[i] = p.Not(c)
	}
	return p.Not(p.All(not...))
}

// bitwise returns a o b for a commutative bitwise operation.
func (p *Pool) bitwise(o op, a, b *node) *node {
	w := int(a.w)
	if a.op == opConst || b.op != opConst && b.id < a.id {
		a, b = b, a
	}
	ones := mask(w)
	switch {
	case a.op == opConst && b.op == opConst:
		return p.constant(w, bitOp(o, a.val, b.val))
	case a == b && o == opXor:
		return p.constant(w, zero)
	case a == b:
		return a
	case b.op != opConst:
	case b.val == zero && o == opAnd:
		return b
	case b.val == zero:
		return a
	case b.val == ones && o == opAnd:
		return a
	case b.val == ones && o == opOr:
		return b
	case b.val == ones:
		return p.Not(Term{a}).n
	case o == opXor && a.abs.zeros.or(b.val) == ones: // b has all bits that a can have
		return p.combine(w, one, b, IntOf(-1), a)
	case o == opAnd:
		if n, ok := log2(b.val.add(one)); ok {
			return p.urem(a, p.constant(w, pow2(n)))
		}
	}
	switch zeros := a.abs.zeros.or(b.abs.zeros); {
	case o == opAnd && zeros == ones:
		return p.constant(w, zero)
	case o != opAnd && zeros == ones: // no carry, so the sum is the same and is linear
		if w > 1 {
			return p.combine(w, one, a, one, b)
		}
	}
	return p.node(o, w, a, b)
}

func bitOp(o op, a, b Int) Int {
	switch o {
	case opAnd:
		return a.and(b)
	case opOr:
		return a.or(b)
	}
	return a.xor(b)
}

// shiftCount returns the shift count b modulo the width.
func (p *Pool) shiftCount(b *node) *node {
	w := int(b.w)
	if w == 1 {
		return p.constant(1, zero)
	}
	return p.urem(b, p.constant(w, IntOf(int64(w))))
}

// Shl returns a << b. As in package scalar, the count is b modulo the width.
func (p *Pool) Shl(a, b Term) Term {
	same(a.n, b.n)
	n := p.shiftCount(b.n)
	if n.op == opConst {
		if a.n.w == 1 {
			return a
		}
		return Term{p.scale(a.n, pow2(int(n.val.lo)))}
	}
	return Term{p.node(opShl, a.Width(), a.n, n)}
}

// LShr returns the logical a >> b. The count is b modulo the width.
func (p *Pool) LShr(a, b Term) Term {
	same(a.n, b.n)
	n := p.shiftCount(b.n)
	if n.op == opConst {
		if n.val == zero {
			return a
		}
		return Term{p.udiv(a.n, p.constant(a.Width(), pow2(int(n.val.lo))))}
	}
	return Term{p.node(opLShr, a.Width(), a.n, n)}
}

// AShr returns the arithmetic a >> b. The count is b modulo the width.
func (p *Pool) AShr(a, b Term) Term {
	same(a.n, b.n)
	n, w := p.shiftCount(b.n), a.Width()
	switch {
	case a.n.abs.nonNegative():
		return p.LShr(a, Term{n})
	case n.op == opConst && n.val == zero:
		return a
	case n.op == opConst && a.n.op == opConst:
		return Term{p.constant(w, a.n.val.signed(w).shr(int(n.val.lo)))}
	}
	return Term{p.node(opAShr, w, a.n, n)}
}
