// This file holds a query as constraints on integers.

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
