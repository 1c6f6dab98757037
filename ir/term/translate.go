// This file translates terms into exact linear forms of integers.

package term

// exact is an integer as a form, with bounds that can be stronger than those of the form.
type exact struct {
	form
	b  bounds
	ok bool // the bounds did not overflow
}

// wrapTo returns the value of w bits to which the integer f wraps, read as signed or as
// unsigned, if this value is in the range r.
func (s *system) wrapTo(f exact, w int, r bounds) form {
	period := pow2(w)
	d, ok := f.b.minus(r)
	if !ok || !f.ok {
		return s.variable(r)
	}
	b, lo, hi := f.b, d.lo, d.hi
	lo, hi = lo.ceilDiv(period), hi.floorDiv(period)
	if hi.less(lo) {
		s.bad = s.bad || !s.full
		return form{c: r.lo}
	}
	v := s.plus(f.form, period.neg(), s.variable(bounds{lo, hi}))
	if lo != hi || b.lo.less(r.lo) || r.hi.less(b.hi) {
		s.between(v, r)
	}
	return v
}

// between adds r.lo <= f <= r.hi.
func (s *system) between(f form, r bounds) {
	s.notNegative(s.plus(f, r.lo.neg(), form{c: one}))
	s.notNegative(s.plus(form{c: r.hi}, IntOf(-1), f))
}

// value returns the exact value of n.
func (s *system) value(n *node, signed bool) form {
	v := s.q.at(n)
	if v.slo.Sign() >= 0 {
		signed = true // both readings are equal
	}
	key := sided{n, signed}
	if f, ok := s.memo[key]; ok {
		return f
	}
	f := s.translate(n, v, signed)
	s.memo[key] = f
	return f
}

func (s *system) translate(n *node, v *abs, signed bool) form {
	w := int(n.w)
	r := bounds{v.slo, v.shi}
	if !signed {
		r = bounds{v.ulo, v.uhi}
	}
	if r.lo == r.hi {
		return form{c: r.lo}
	}
	if s.full {
		return s.variable(r)
	}
	switch n.op {
	case opSum, opMul, opTrunc:
		if f, ok := s.congruent(n, signed); ok {
			return s.wrapTo(f, w, r)
		}
	case opZExt, opSExt:
		return s.wrapTo(s.operand(n.args[0], n.op == opSExt), w, r)
	case opUDiv:
		if q, _, ok := s.divide(n.args[0], n.args[1]); ok && signed == (v.slo.Sign() >= 0) {
			return q
		}
	case opURem:
		if k, ok := log2(n.args[1].val); ok && n.args[1].op == opConst {
			if f, ok := s.congruent(n.args[0], false); ok {
				return s.wrapTo(f, k, r)
			}
		}
		if _, rem, ok := s.divide(n.args[0], n.args[1]); ok && signed == (v.slo.Sign() >= 0) {
			s.between(rem, r)
			return rem
		}
	case opAShr:
		if k, ok := s.q.at(n.args[1]).single(); ok && signed {
			x, q := s.value(n.args[0], true), s.variable(r)
			s.between(s.plus(x, pow2(int(k.lo)).neg(), q), bounds{zero, mask(int(k.lo))})
			return q
		}
	case opSDiv, opSRem:
		if signed {
			if f, ok := s.signedDivide(n, r); ok {
				return f
			}
		}
	case opIte:
		if c, ok := s.q.known(n.args[0]); ok && c {
			return s.value(n.args[1], signed)
		} else if ok {
			return s.value(n.args[2], signed)
		}
		s.split(n.args[0])
		if signed {
			return s.extremum(n, s.variable(r))
		}
	}
	if n.w == 1 { // 0 or 1, and 0 or -1 if it is signed
		if signed {
			return s.plus(form{}, IntOf(-1), s.value(n, false))
		}
		s.split(n)
		return s.variable(r)
	}
	if !signed {
		return s.wrapTo(s.operand(n, true), w, r)
	}
	if m := n.decl.multiple; n.op == opVar && m.Sign() > 0 && m != one && (n.decl.kind == declSigned || v.slo.Sign() >= 0) {
		return s.plus(form{}, m, s.variable(bounds{r.lo.ceilDiv(m), maxOf(r.lo.ceilDiv(m), r.hi.floorDiv(m))}))
	}
	return s.strided(v, r)
}

// extremum adds bounds for v, the value of an if-then-else that is not decided, if this is
// the minimum or the maximum of two signed integers.
func (s *system) extremum(n *node, v form) form {
	c, a, b := n.args[0], n.args[1], n.args[2]
	if c.op != opSlt && (c.op != opUlt || !s.q.at(a).nonNegative() || !s.q.at(b).nonNegative()) {
		return v
	}
	x, y := c.args[0], c.args[1]
	switch {
	case x == a && y == b: // ite(a < b, a, b)
		s.atLeast(s.value(a, true), v, 0)
		s.atLeast(s.value(b, true), v, 0)
	case x == b && y == a: // ite(b < a, a, b)
		s.atLeast(v, s.value(a, true), 0)
		s.atLeast(v, s.value(b, true), 0)
	}
	return v
}

// strided returns a new variable for a value in the range r whose low bits are known.
func (s *system) strided(v *abs, r bounds) form {
	k := v.zeros.or(v.ones).not().trailingZeros()
	if k == 0 || k >= 126 {
		return s.variable(r)
	}
	low := v.ones.and(mask(k))
	b := bounds{r.lo.sub(low).shr(k), r.hi.sub(low).shr(k)}
	if b.hi.less(b.lo) {
		return s.variable(r)
	}
	return s.plus(form{c: low}, pow2(k), s.variable(b))
}

// operand returns the value of n with its bounds.
func (s *system) operand(n *node, signed bool) exact {
	return exact{s.value(n, signed), s.q.reading(n, signed), true}
}

// congruent returns an exact integer that is equal to n modulo 2^width. The bool result is
// false if there is no form simpler than the value of n.
func (s *system) congruent(n *node, signed bool) (exact, bool) {
	w := int(n.w)
	switch n.op {
	case opSum:
		k := n.val.signed(w)
		f := exact{form{c: k}, bounds{k, k}, true}
		for i, a := range n.args {
			x, c := s.operand(a, signed), n.coefs[i].signed(w)
			f.form = s.plus(f.form, c, x.form)
			f.ok = f.ok && f.b.addScaled(c, x.b)
		}
		return f, !s.full
	case opMul:
		f := s.operand(n.args[0], signed)
		for _, a := range n.args[1:] {
			x := s.operand(a, signed)
			var ok bool
			if f.form, ok = s.times(f.form, x.form); !ok {
				return f, false
			}
			if f.ok {
				f.b, f.ok = timesBounds(f.b, x.b)
			}
		}
		return f, !s.full
	case opTrunc:
		f, ok := s.congruent(n.args[0], signed)
		if a := s.q.at(n.args[0]); !ok || a.fitsSigned(w) || !mask(w).less(a.uhi) {
			f = s.operand(n.args[0], a.fitsSigned(w) || mask(w).less(a.uhi))
		}
		return f, !s.full
	}
	return exact{}, false
}

// divide returns quotient and remainder of an unsigned division by a divisor that is not
// zero. The bool result is false if the divisor can be zero.
func (s *system) divide(x, y *node) (q, r form, ok bool) {
	d := s.q.at(y)
	if d.ulo.Sign() <= 0 {
		return q, r, false
	}
	fx, fy := s.value(x, false), s.value(y, false)
	q, done := s.quots[[2]*node{x, y}]
	if !done {
		v := s.q.at(x)
		q = s.variable(bounds{first(v.ulo.quoRem(d.uhi)), first(v.uhi.quoRem(d.ulo))})
	}
	p, ok := s.times(q, fy)
	if !ok {
		return q, r, false
	}
	r = s.plus(fx, IntOf(-1), p)
	if !done {
		s.quots[[2]*node{x, y}] = q
		s.notNegative(r)
		s.atLeast(fy, r, 1)
	}
	return q, r, true
}

// signedDivide returns the quotient or the remainder of a signed division by a positive
// divisor. The sign of the remainder is known only if the sign of the dividend is. The
// parameter b is the range of the result.
func (s *system) signedDivide(n *node, b bounds) (form, bool) {
	x, y := n.args[0], n.args[1]
	v, d := s.q.at(x), s.q.at(y)
	if d.slo.Sign() <= 0 {
		return form{}, false
	}
	fx, fy := s.value(x, true), s.value(y, true)
	q := s.variable(b)
	if n.op == opSRem {
		q = s.variable(bounds{minOf(v.slo, zero), maxOf(v.shi, zero)})
	}
	p, ok := s.times(q, fy)
	if !ok {
		return p, false
	}
	r := s.plus(fx, IntOf(-1), p)
	if v.slo.Sign() >= 0 {
		s.notNegative(r)
	} else {
		s.atLeast(s.plus(r, one, fy), form{}, 1)
	}
	if v.shi.Sign() <= 0 {
		s.notNegative(s.plus(form{}, IntOf(-1), r))
	} else {
		s.atLeast(fy, r, 1)
	}
	if n.op == opSDiv {
		return q, true
	}
	return r, true
}
