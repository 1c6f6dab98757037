// This file translates terms into exact linear forms of integers.

package term

import "slices"

// form is an exact integer: c plus products of coefficients and monomials. The zero form
// is 0. Forms are immutable.
type form struct {
	list []formTerm // sorted by monomial
	c    Int
}

type formTerm struct {
	coef Int
	mono int32 // position in system.monos
}

// mono is a product of variables of a system. Most have one factor.
type mono struct {
	factors []int32 // sorted variables
	b       bounds
}

// constraint says that a form is not negative, or that it is zero.
type constraint struct {
	form
	zero bool
}

// The sizes at which a system gives up. A system that gives up is treated as solvable.
const (
	maxMonos       = 80
	maxConstraints = 240
	maxTerms       = 24
	maxDegree      = 3
)

// system holds the integer constraints of a query.
type system struct {
	q      *query
	vars   []bounds // ranges of variables
	monos  []mono
	byKey  map[string]int32
	cons   []constraint
	memo   map[sided]form
	quots  map[[2]*node]form // quotient of unsigned division
	splits []*node           // conditions whose value would make the system more exact
	full   bool              // a limit was reached, so constraints are missing
	bad    bool              // a constraint is never true
}

// sided is a node with the way in which its value is read.
type sided struct {
	n      *node
	signed bool
}

func newSystem(q *query) *system {
	s := &system{q: q, byKey: map[string]int32{}, memo: map[sided]form{}, quots: map[[2]*node]form{}}
	for i, n := range q.order {
		if v := &q.vals[i]; n.w == 1 && v.ulo == v.uhi {
			s.assert(n, v.ulo == one)
		}
	}
	return s
}

// variable returns a new integer variable in the range b.
func (s *system) variable(b bounds) form {
	if b.lo == b.hi {
		return form{c: b.lo}
	}
	s.vars = append(s.vars, b)
	return form{list: []formTerm{{one, s.mono([]int32{int32(len(s.vars) - 1)})}}}
}

// mono returns the position of a product of variables, whose factors are sorted.
func (s *system) mono(factors []int32) int32 {
	key := make([]byte, 0, 4*len(factors))
	for _, f := range factors {
		key = append(key, byte(f), byte(f>>8), byte(f>>16))
	}
	if i, ok := s.byKey[string(key)]; ok {
		return i
	}
	b, ok := s.vars[factors[0]], true
	for i, f := range factors[1:] {
		if ok {
			if b, ok = timesBounds(b, s.vars[f]); ok && i == 0 && f == factors[0] {
				b.lo = maxOf(b.lo, zero) // a square
			}
		}
	}
	if !ok {
		b = bounds{minInt, maxInt}
	}
	i := int32(len(s.monos))
	s.monos = append(s.monos, mono{factors, b})
	s.byKey[string(key)] = i
	s.full = s.full || len(s.monos) > maxMonos
	return i
}

// plus returns f + k*g. If it overflows, s becomes full and the result is meaningless.
func (s *system) plus(f form, k Int, g form) form {
	ok := true
	mulAdd := func(a, b Int) Int {
		p, ok1 := k.mulOK(b)
		r, ok2 := a.addOK(p)
		ok = ok && ok1 && ok2
		return r
	}
	r := form{c: mulAdd(f.c, g.c)}
	if len(g.list) == 0 {
		r.list = f.list
	} else {
		r.list = make([]formTerm, 0, len(f.list)+len(g.list))
		i, j := 0, 0
		for i < len(f.list) || j < len(g.list) {
			var t formTerm
			switch {
			case j == len(g.list) || i < len(f.list) && f.list[i].mono < g.list[j].mono:
				t = f.list[i]
				i++
			case i == len(f.list) || g.list[j].mono < f.list[i].mono:
				t = formTerm{mulAdd(zero, g.list[j].coef), g.list[j].mono}
				j++
			default:
				t = formTerm{mulAdd(f.list[i].coef, g.list[j].coef), f.list[i].mono}
				i, j = i+1, j+1
			}
			if t.coef != zero {
				r.list = append(r.list, t)
			}
		}
	}
	if !ok || len(r.list) > maxTerms {
		s.full = true
	}
	return r
}

// times returns f * g. The bool result is false if the product is too large.
func (s *system) times(f, g form) (form, bool) {
	if len(f.list)*len(g.list) > maxTerms {
		return form{}, false
	}
	r := s.plus(form{}, f.c, g)
	for _, t := range f.list {
		r = s.plus(r, t.coef.mul(g.c), form{list: []formTerm{{one, t.mono}}})
		if _, ok := t.coef.mulOK(g.c); !ok {
			return form{}, false
		}
		for _, u := range g.list {
			factors := slices.Concat(s.monos[t.mono].factors, s.monos[u.mono].factors)
			if len(factors) > maxDegree {
				return form{}, false
			}
			slices.Sort(factors)
			c, ok := t.coef.mulOK(u.coef)
			if !ok {
				return form{}, false
			}
			r = s.plus(r, c, form{list: []formTerm{{one, s.mono(factors)}}})
		}
	}
	return r, true
}

// notNegative adds the constraint f >= 0, and isZero adds f == 0.
func (s *system) notNegative(f form) { s.add(constraint{f, false}) }
func (s *system) isZero(f form)      { s.add(constraint{f, true}) }

func (s *system) add(c constraint) {
	if len(c.list) == 0 {
		s.bad = s.bad || !s.full && (c.c.Sign() < 0 || c.zero && c.c.Sign() != 0)
		return
	}
	if len(s.cons) >= maxConstraints {
		s.full = true
		return
	}
	s.cons = append(s.cons, c)
}

// atLeast adds f >= g + d.
func (s *system) atLeast(f, g form, d int64) {
	r := s.plus(f, IntOf(-1), g)
	s.notNegative(s.plus(r, IntOf(-d), form{c: one}))
}

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

// split records that the value of a condition would make the system more exact.
func (s *system) split(c *node) {
	for c.op == opNot {
		c = c.args[0]
	}
	if _, ok := s.q.known(c); !ok && !slices.Contains(s.splits, c) {
		s.splits = append(s.splits, c)
	}
}

// assert adds constraints for the condition n, whose value is known.
func (s *system) assert(n *node, holds bool) {
	switch n.op {
	case opAnd:
		if holds {
			return // its parts are known
		}
		for _, a := range n.args {
			v, ok := s.q.known(a)
			switch {
			case !ok:
				s.split(a)
				return
			case !v:
				return
			}
		}
	case opXor:
		s.split(n.args[0])
	case opEq:
		s.assertEq(n.args[0], n.args[1], holds)
	case opUlt, opSlt:
		x, y := s.value(n.args[0], n.op == opSlt), s.value(n.args[1], n.op == opSlt)
		if holds {
			s.atLeast(y, x, 1)
		} else {
			s.atLeast(x, y, 0)
		}
	}
}

// assertEq adds x == y or x != y. Two integers of w bits are equal if the difference of
// their exact values is a multiple of 2^w, so sums need not be wrapped.
func (s *system) assertEq(x, y *node, holds bool) {
	if holds {
		f, g := s.congruentOr(x), s.congruentOr(y)
		b, ok := f.b.minus(g.b)
		d := exact{s.plus(f.form, IntOf(-1), g.form), b, ok && f.ok && g.ok}
		s.isZero(s.wrapTo(d, int(x.w), bounds{zero, zero}))
		return
	}
	if s.q.at(x).disjoint(s.q.at(y)) {
		return
	}
	fx, fy := s.value(x, true), s.value(y, true)
	less := s.q.p.slt(x, y)
	v, ok := s.q.known(less)
	switch {
	case !ok:
		s.split(less)
	case v:
		s.atLeast(fy, fx, 1)
	default:
		s.atLeast(fx, fy, 1)
	}
}

// congruentOr returns an integer that is equal to n modulo 2^width.
func (s *system) congruentOr(n *node) exact {
	if f, ok := s.congruent(n, true); ok {
		return f
	}
	return s.operand(n, true)
}

// solvable reports false if no integers fulfil the constraints.
func (s *system) solvable() bool {
	if s.bad {
		return false
	}
	s.products()
	if s.full {
		return true
	}
	var r rows
	used := make([]bool, len(s.monos))
	for _, c := range s.cons {
		r.add(c)
		for _, t := range c.list {
			used[t.mono] = true
		}
	}
	for m, b := range s.monos {
		if used[m] && b.b.lo != minInt {
			r.add(constraint{form: form{[]formTerm{{one, int32(m)}}, b.b.lo.neg()}})
			r.add(constraint{form: form{[]formTerm{{IntOf(-1), int32(m)}}, b.b.hi}})
		}
	}
	return r.solvable(len(s.monos))
}

// products adds products of a constraint and a factor that is not negative: for each
// variable y >= l that is a factor of a monomial and each constraint L >= 0, the
// constraint (y - l)*L >= 0 if it has no new monomial. The products of two bounds are
// among them.
func (s *system) products() {
	var factors []int32
	for _, m := range s.monos {
		if len(m.factors) == 2 {
			for _, f := range m.factors {
				if !slices.Contains(factors, f) {
					factors = append(factors, f)
				}
			}
		}
	}
	if len(factors) == 0 || s.full {
		return
	}
	linear := make([]constraint, 0, len(s.cons)+2*len(factors))
	for _, c := range s.cons {
		if !slices.ContainsFunc(c.list, func(t formTerm) bool { return len(s.monos[t.mono].factors) > 1 }) {
			linear = append(linear, c)
		}
	}
	for _, v := range factors {
		m := s.mono([]int32{v})
		b := s.vars[v]
		linear = append(linear,
			constraint{form: form{[]formTerm{{one, m}}, b.lo.neg()}},
			constraint{form: form{[]formTerm{{IntOf(-1), m}}, b.hi}})
	}
	for _, v := range factors {
		m := s.mono([]int32{v})
		b := s.vars[v]
		for _, c := range linear {
			if !s.productsExist(v, c) {
				continue
			}
			lower := form{[]formTerm{{one, m}}, b.lo.neg()}
			upper := form{[]formTerm{{IntOf(-1), m}}, b.hi}
			for _, f := range []form{lower, upper} {
				if p, ok := s.checked(f, c.form); ok {
					s.add(constraint{p, c.zero})
				}
			}
		}
	}
}

// checked returns the product f*g, unless a coefficient overflows.
func (s *system) checked(f, g form) (form, bool) {
	before := s.full
	p, ok := s.times(f, g)
	if s.full && !before {
		s.full = before
		return p, false
	}
	return p, ok
}

// productsExist reports whether the products of v and the variables of c are monomials of
// the system.
func (s *system) productsExist(v int32, c constraint) bool {
	for _, t := range c.list {
		f := []int32{v, s.monos[t.mono].factors[0]}
		slices.Sort(f)
		key := []byte{byte(f[0]), byte(f[0] >> 8), byte(f[0] >> 16), byte(f[1]), byte(f[1] >> 8), byte(f[1] >> 16)}
		if _, ok := s.byKey[string(key)]; !ok {
			return false
		}
	}
	return true
}
