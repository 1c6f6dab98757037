// This file defines division and remainder.

package term

// total returns ite(b == 0, unknown, q), where the unknown depends on the operands. It is
// the result of a division, which faults if the divisor is zero.
func (p *Pool) total(name string, a, b *node, q func() *node) Term {
	if b.op == opConst {
		if b.val == zero {
			return p.Opaque(name, int(a.w), Term{a})
		}
		return Term{q()}
	}
	isZero := p.Eq(Term{b}, p.Const(int(b.w), 0))
	if isZero.IsFalse() {
		return Term{q()}
	}
	return p.Ite(isZero, p.Opaque(name, int(a.w), Term{a}), Term{q()})
}

// UDiv returns the quotient of unsigned integers, truncated. A division by zero returns
// an unknown.
func (p *Pool) UDiv(a, b Term) Term {
	same(a.n, b.n)
	return p.total("udiv by zero", a.n, b.n, func() *node { return p.udiv(a.n, b.n) })
}

// URem returns the remainder of unsigned integers, and an unknown if b is zero.
func (p *Pool) URem(a, b Term) Term {
	same(a.n, b.n)
	return p.total("urem by zero", a.n, b.n, func() *node { return p.urem(a.n, b.n) })
}

// SDiv returns the quotient of signed integers, truncated toward zero, and an unknown if b
// is zero. The smallest integer divided by -1 is itself.
func (p *Pool) SDiv(a, b Term) Term {
	same(a.n, b.n)
	return p.total("sdiv by zero", a.n, b.n, func() *node { return p.sdiv(a.n, b.n) })
}

// SRem returns the remainder of signed integers with the sign of a, and an unknown if b is
// zero.
func (p *Pool) SRem(a, b Term) Term {
	same(a.n, b.n)
	return p.total("srem by zero", a.n, b.n, func() *node { return p.srem(a.n, b.n) })
}

// FloorDivS returns the quotient of signed integers, rounded down, and an unknown if b is
// zero.
func (p *Pool) FloorDivS(a, b Term) Term {
	same(a.n, b.n)
	w := a.Width()
	return p.total("floordiv by zero", a.n, b.n, func() *node {
		if a.n.abs.nonNegative() && b.n.abs.nonNegative() {
			return p.udiv(a.n, b.n)
		}
		if b.n.op == opConst {
			if n, ok := log2(b.n.val); ok && n < w-1 {
				return p.AShr(a, p.Const(w, int64(n))).n
			}
		}
		q, r := Term{p.sdiv(a.n, b.n)}, Term{p.srem(a.n, b.n)}
		z := p.Const(w, 0)
		down := p.And(p.Not(p.Eq(r, z)), p.Xor(p.Slt(a, z), p.Slt(b, z)))
		return p.Sub(q, p.ZExt(down, w)).n
	})
}

// CeilDivS returns the quotient of signed integers, rounded up, and an unknown if b is
// zero.
func (p *Pool) CeilDivS(a, b Term) Term {
	same(a.n, b.n)
	w := a.Width()
	return p.total("ceildiv by zero", a.n, b.n, func() *node {
		if a.n.abs.nonNegative() && b.n.abs.nonNegative() {
			return p.ceilDivU(a, b).n
		}
		q, r := Term{p.sdiv(a.n, b.n)}, Term{p.srem(a.n, b.n)}
		z := p.Const(w, 0)
		up := p.And(p.Not(p.Eq(r, z)), p.Not(p.Xor(p.Slt(a, z), p.Slt(b, z))))
		return p.Add(q, p.ZExt(up, w)).n
	})
}

// CeilDivU returns the quotient of unsigned integers, rounded up, and an unknown if b is
// zero.
func (p *Pool) CeilDivU(a, b Term) Term {
	same(a.n, b.n)
	return p.total("ceildivu by zero", a.n, b.n, func() *node { return p.ceilDivU(a, b).n })
}

// ceilDivU returns the rounded up quotient of unsigned integers for b != 0.
func (p *Pool) ceilDivU(a, b Term) Term {
	w := a.Width()
	q, r := Term{p.udiv(a.n, b.n)}, Term{p.urem(a.n, b.n)}
	return p.Add(q, p.ZExt(p.Not(p.Eq(r, p.Const(w, 0))), w))
}

// log2 returns n for v = 2^n.
func log2(v Int) (int, bool) {
	if v.Sign() <= 0 || v.and(v.sub(one)) != zero {
		return 0, false
	}
	return v.trailingZeros(), true
}

// udiv returns the quotient; for a zero divisor it has all bits set.
func (p *Pool) udiv(a, b *node) *node {
	w := int(a.w)
	if b.op == opConst {
		switch {
		case b.val == one:
			return a
		case a.op == opConst && b.val != zero:
			q, _ := a.val.quoRem(b.val)
			return p.constant(w, q)
		case a.op == opUDiv && a.args[1].op == opConst && b.val != zero && a.args[1].val != zero:
			if c, ok := a.args[1].val.mulOK(b.val); ok && c.less(pow2(w)) {
				return p.udiv(a.args[0], p.constant(w, c))
			}
			return p.constant(w, zero)
		case b.val != zero && a.abs.uhi.less(b.val):
			return p.constant(w, zero)
		}
	}
	return p.node(opUDiv, w, a, b)
}

// urem returns the remainder; for a zero divisor it is a.
func (p *Pool) urem(a, b *node) *node {
	w := int(a.w)
	if b.op == opConst && b.val != zero {
		switch {
		case b.val == one:
			return p.constant(w, zero)
		case a.op == opConst:
			return p.constant(w, a.val.mod(b.val))
		case a.abs.uhi.less(b.val):
			return a
		case a.op == opURem && a.args[1].op == opConst && a.args[1].val != zero && a.args[1].val.mod(b.val) == zero:
			return p.urem(a.args[0], b)
		}
		if n, ok := log2(b.val); ok { // the upper bits of summands do not count
			if s := p.lowBits(a, n); s != a {
				return p.urem(s, b)
			}
		}
	}
	if b.abs.ulo.Sign() > 0 && a.abs.uhi.less(b.abs.ulo) {
		return a
	}
	return p.node(opURem, w, a, b)
}

// lowBits returns a simpler term whose low n bits are those of a: coefficients of sums are
// reduced, and nested remainders are removed.
func (p *Pool) lowBits(a *node, n int) *node {
	w := int(a.w)
	low := func(m *node) *node {
		if m.op == opURem && m.args[1].op == opConst {
			if k, ok := log2(m.args[1].val); ok && k >= n {
				return m.args[0]
			}
		}
		return m
	}
	if a.op != opSum {
		return low(a)
	}
	changed := a.val.wrap(n) != a.val
	list := make([]summand, 0, len(a.args))
	for i, m := range a.args {
		c := a.coefs[i].wrap(n)
		l := low(m)
		changed = changed || c != a.coefs[i] || l != m
		list = append(list, summand{c, l})
	}
	if !changed {
		return a
	}
	out := list[:0]
	k := a.val.wrap(n)
	extra := []summand{}
	for _, s := range list { // a summand that became a sum is merged
		if s.n.op == opSum {
			k = k.add(s.coef.mul(s.n.summands(func(c Int, m *node) { extra = append(extra, summand{s.coef.mul(c).wrap(n), m}) })))
			continue
		}
		out = append(out, s)
	}
	r := p.sum(w, append(out, extra...), k.wrap(n))
	if r.op == opSum && len(r.args) > len(a.args) {
		return a
	}
	return r
}

// sdiv returns the signed quotient as SMT-LIB defines it, also for a zero divisor.
func (p *Pool) sdiv(a, b *node) *node {
	w := int(a.w)
	if b.op == opConst && b.val == one && w > 1 {
		return a
	}
	if a.op == opConst && b.op == opConst && b.val != zero {
		q, _ := a.val.signed(w).quoRem(b.val.signed(w))
		return p.constant(w, q)
	}
	if a.abs.nonNegative() && b.abs.nonNegative() && b.abs.ulo.Sign() > 0 {
		return p.udiv(a, b)
	}
	return p.node(opSDiv, w, a, b)
}

// srem returns the signed remainder as SMT-LIB defines it, also for a zero divisor.
func (p *Pool) srem(a, b *node) *node {
	w := int(a.w)
	if b.op == opConst && b.val == one && w > 1 {
		return p.constant(w, zero)
	}
	if a.op == opConst && b.op == opConst && b.val != zero {
		_, r := a.val.signed(w).quoRem(b.val.signed(w))
		return p.constant(w, r)
	}
	if a.abs.nonNegative() && b.abs.nonNegative() {
		return p.urem(a, b)
	}
	return p.node(opSRem, w, a, b)
}

// FloorRemS returns the remainder of signed integers for the quotient that is rounded
// down, so it has the sign of b. It is an unknown if b is zero.
func (p *Pool) FloorRemS(a, b Term) Term {
	same(a.n, b.n)
	return p.total("floorrem by zero", a.n, b.n, func() *node {
		z := p.Const(a.Width(), 0)
		r := Term{p.srem(a.n, b.n)}
		fix := p.And(p.Not(p.Eq(r, z)), p.Xor(p.Slt(r, z), p.Slt(b, z)))
		return p.Ite(fix, p.Add(r, b), r).n
	})
}
