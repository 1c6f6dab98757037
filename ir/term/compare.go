// This file defines comparisons, if-then-else, minima and maxima.

package term

// Eq returns the condition a == b.
func (p *Pool) Eq(a, b Term) Term {
	same(a.n, b.n)
	return Term{p.eq(a.n, b.n)}
}

// Ne returns the condition a != b.
func (p *Pool) Ne(a, b Term) Term { return p.Not(p.Eq(a, b)) }

func (p *Pool) eq(a, b *node) *node {
	w := int(a.w)
	switch {
	case a == b:
		return p.constant(1, one)
	case a.abs.disjoint(&b.abs):
		return p.constant(1, zero)
	case w == 1:
		return p.Not(p.Xor(Term{a}, Term{b})).n
	}
	if a.op == opSum || b.op == opSum {
		if a, b = p.balance(a, b); a.abs.disjoint(&b.abs) {
			return p.constant(1, zero)
		}
	}
	if n := p.eqIte(a, b); n != nil {
		return n
	}
	if n := p.eqIte(b, a); n != nil {
		return n
	}
	if n := p.eqExt(a, b); n != nil {
		return n
	}
	if n := p.eqExt(b, a); n != nil {
		return n
	}
	if a == b {
		return p.constant(1, one)
	}
	if b.id < a.id {
		a, b = b, a
	}
	return p.node(opEq, 1, a, b)
}

// eqIte simplifies ite(c, k1, k2) == k3 for constants, and returns nil if a and b have
// another form.
func (p *Pool) eqIte(a, b *node) *node {
	if a.op != opIte || b.op != opConst {
		return nil
	}
	x, y := a.args[1], a.args[2]
	if x.op != opConst && y.op != opConst {
		return nil
	}
	c := Term{a.args[0]}
	return p.Any(p.All(c, Term{p.eq(x, b)}), p.All(p.Not(c), Term{p.eq(y, b)})).n
}

// eqExt simplifies the equality of an extension with a constant or with an extension of
// the same kind, and returns nil if a and b have another form.
func (p *Pool) eqExt(a, b *node) *node {
	if a.op != opZExt && a.op != opSExt {
		return nil
	}
	in := a.args[0]
	switch {
	case b.op == opConst:
		k := p.constant(int(in.w), b.val)
		if back := p.extend(a.op, k, int(a.w)); back.val != b.val {
			return p.constant(1, zero)
		}
		return p.eq(in, k)
	case b.op == a.op && b.args[0].w == in.w:
		return p.eq(in, b.args[0])
	}
	return nil
}

func (p *Pool) extend(o op, n *node, w int) *node {
	if o == opZExt {
		return p.zext(n, w)
	}
	return p.sext(n, w)
}

// balance rewrites a == b as an equation in which each term is on one side only, with the
// smaller coefficient. An equation of one term with an odd coefficient is solved.
func (p *Pool) balance(a, b *node) (l, r *node) {
	w := int(a.w)
	d := p.combine(w, one, a, IntOf(-1), b)
	if d.op == opConst {
		return p.constant(w, zero), d
	}
	var left, right []summand
	k := d.summands(func(c Int, m *node) {
		if s := c.signed(w); s.Sign() > 0 {
			left = append(left, summand{s, m})
		} else {
			right = append(right, summand{s.neg(), m})
		}
	})
	if len(left)+len(right) == 1 {
		s := append(left, right...)[0]
		if len(left) == 1 {
			k = k.neg()
		}
		if s.coef.lo&1 == 1 {
			return s.n, p.constant(w, k.mul(inverse(s.coef)))
		}
		return p.sum(w, []summand{s}, zero), p.constant(w, k)
	}
	if len(left) == 0 || len(right) > 0 && right[0].n.id < left[0].n.id {
		left, right, k = right, left, k.neg()
	}
	if s := k.signed(w); s.Sign() >= 0 {
		return p.sum(w, left, s), p.sum(w, right, zero)
	} else {
		return p.sum(w, left, zero), p.sum(w, right, s.neg())
	}
}

// inverse returns the inverse of the odd number c modulo 2^128.
func inverse(c Int) Int {
	x := c // correct for 3 bits; each step doubles the number of correct bits
	for range 6 {
		x = x.mul(IntOf(2).sub(c.mul(x)))
	}
	return x
}

// Ult returns the condition a < b of unsigned integers.
func (p *Pool) Ult(a, b Term) Term {
	same(a.n, b.n)
	return Term{p.ult(a.n, b.n)}
}

func (p *Pool) ult(a, b *node) *node {
	x, y := &a.abs, &b.abs
	switch {
	case a == b, !x.ulo.less(y.uhi):
		return p.constant(1, zero)
	case x.uhi.less(y.ulo):
		return p.constant(1, one)
	case a.w == 1:
		return p.All(p.Not(Term{a}), Term{b}).n
	case b.op == opConst && b.val == one:
		return p.eq(a, p.constant(int(a.w), zero))
	case a.op == opConst && a.val == zero:
		return p.Not(Term{p.eq(b, p.constant(int(b.w), zero))}).n
	case a.op == opZExt && b.op == opZExt && a.args[0].w == b.args[0].w:
		return p.ult(a.args[0], b.args[0])
	case a.op == opSExt && b.op == opSExt && a.args[0].w == b.args[0].w:
		return p.ult(a.args[0], b.args[0])
	}
	return p.node(opUlt, 1, a, b)
}

// Ule returns the condition a <= b of unsigned integers.
func (p *Pool) Ule(a, b Term) Term { return p.Not(p.Ult(b, a)) }

// Slt returns the condition a < b of signed integers.
func (p *Pool) Slt(a, b Term) Term {
	same(a.n, b.n)
	return Term{p.slt(a.n, b.n)}
}

func (p *Pool) slt(a, b *node) *node {
	x, y := &a.abs, &b.abs
	switch {
	case a == b, !x.slo.less(y.shi):
		return p.constant(1, zero)
	case x.shi.less(y.slo):
		return p.constant(1, one)
	case a.w == 1: // -1 < 0
		return p.All(Term{a}, p.Not(Term{b})).n
	case x.sameSign(y):
		return p.ult(a, b)
	case a.op == opSExt && b.op == opSExt && a.args[0].w == b.args[0].w:
		return p.slt(a.args[0], b.args[0])
	}
	return p.node(opSlt, 1, a, b)
}

// Sle returns the condition a <= b of signed integers.
func (p *Pool) Sle(a, b Term) Term { return p.Not(p.Slt(b, a)) }

// Ite returns a if the condition c holds, and b otherwise.
func (p *Pool) Ite(c, a, b Term) Term {
	same(a.n, b.n)
	switch {
	case c.n.w != 1:
		panic("term: a condition must have 1 bit")
	case c.IsTrue(), a == b:
		return a
	case c.IsFalse():
		return b
	case c.n.op == opNot:
		return p.Ite(Term{c.n.args[0]}, b, a)
	case a.n.w == 1:
		return p.Not(p.All(p.Not(p.All(c, a)), p.Not(p.All(p.Not(c), b))))
	}
	for a.n.op == opIte && a.n.args[0] == c.n {
		a = Term{a.n.args[1]}
	}
	for b.n.op == opIte && b.n.args[0] == c.n {
		b = Term{b.n.args[2]}
	}
	if a == b {
		return a
	}
	return Term{p.node(opIte, a.Width(), c.n, a.n, b.n)}
}

// MinS returns the smaller of two signed integers.
func (p *Pool) MinS(a, b Term) Term { return p.Ite(p.Slt(b, a), b, a) }

// MaxS returns the larger of two signed integers.
func (p *Pool) MaxS(a, b Term) Term { return p.Ite(p.Slt(a, b), b, a) }

// MinU returns the smaller of two unsigned integers.
func (p *Pool) MinU(a, b Term) Term { return p.Ite(p.Ult(b, a), b, a) }

// MaxU returns the larger of two unsigned integers.
func (p *Pool) MaxU(a, b Term) Term { return p.Ite(p.Ult(a, b), b, a) }
