// This file defines exact integers as linear forms, such as addresses.

package term

import (
	"fmt"
	"strings"
)

// Linear is an exact integer: a sum of constants times values of terms, plus a constant.
// A Linear never wraps. The zero Linear is the integer 0. If a coefficient leaves 128
// bits, the Linear becomes unknown (Known).
type Linear struct {
	list    []linTerm // sorted by term
	c       Int
	unknown bool
}

// linTerm is coef times the value of a term, read as signed or as unsigned.
type linTerm struct {
	coef   Int
	n      *node
	signed bool
}

// Whole returns the integer v.
func Whole(v int64) Linear { return Linear{c: IntOf(v)} }

// Unknown returns an integer about which nothing is known. Every comparison with it is an
// unknown condition.
func Unknown() Linear { return Linear{unknown: true} }

// Signed returns the value of t, read as signed, as an exact integer.
func Signed(t Term) Linear { return valueOf(t, true, maxDepth) }

// Unsigned returns the value of t, read as unsigned, as an exact integer.
func Unsigned(t Term) Linear { return valueOf(t, false, maxDepth) }

// maxDepth limits the nesting of terms that are expanded into sums.
const maxDepth = 3

// valueOf returns the value of t, expanded into the parts of sums that cannot wrap.
func valueOf(t Term, signed bool, depth int) Linear {
	n := t.n
	w := int(n.w)
	if n.abs.nonNegative() {
		signed = true // both readings are equal
	}
	switch n.op {
	case opConst:
		if signed {
			return Linear{c: n.val.signed(w)}
		}
		return Linear{c: n.val}
	case opZExt:
		return valueOf(Term{n.args[0]}, false, depth)
	case opSExt:
		if signed {
			return valueOf(Term{n.args[0]}, true, depth)
		}
	case opTrunc:
		if in := &n.args[0].abs; signed && in.fitsSigned(w) || !signed && !mask(w).less(in.uhi) {
			return valueOf(Term{n.args[0]}, signed, depth)
		}
	case opSum:
		if depth > 0 {
			if l, ok := n.parts(signed, false, depth-1); ok {
				return l
			}
		}
	}
	return Linear{list: []linTerm{{one, n, signed}}}
}

// parts returns the exact sum of the parts of a sum. ok is false if the sum can wrap, unless
// wraps is set, or if it has too many parts.
func (n *node) parts(signed, wraps bool, depth int) (l Linear, ok bool) {
	w := int(n.w)
	full := fullSigned(w)
	if !signed {
		full = bounds{zero, mask(w)}
	}
	k := n.val.signed(w)
	b := bounds{k, k}
	l = Linear{c: k}
	for i, a := range n.args {
		v := bounds{a.abs.slo, a.abs.shi}
		if !signed {
			v = bounds{a.abs.ulo, a.abs.uhi}
		}
		c := n.coefs[i].signed(w)
		if !wraps && !b.addScaled(c, v) || len(l.list) > 2*maxParts {
			return Unknown(), false
		}
		l = l.plus(c, valueOf(Term{a}, signed, depth))
	}
	return l, !l.unknown && (wraps || !b.lo.less(full.lo) && !full.hi.less(b.hi))
}

// Known reports whether l is a known combination of terms.
func (l Linear) Known() bool { return !l.unknown }

// Const returns the value of l if l is a constant that fits an int64.
func (l Linear) Const() (int64, bool) {
	v, ok := l.c.Int64()
	return v, ok && !l.unknown && len(l.list) == 0
}

// Add returns l + m.
func (l Linear) Add(m Linear) Linear { return l.plus(one, m) }

// Sub returns l - m.
func (l Linear) Sub(m Linear) Linear { return l.plus(IntOf(-1), m) }

// AddConst returns l + v.
func (l Linear) AddConst(v int64) Linear { return l.plus(one, Whole(v)) }

// Scale returns l * k.
func (l Linear) Scale(k int64) Linear { return Linear{}.plus(IntOf(k), l) }

// plus returns l + k*m.
func (l Linear) plus(k Int, m Linear) Linear {
	if l.unknown || m.unknown {
		return Unknown()
	}
	ok := true
	mulAdd := func(a, b Int) Int {
		q, ok1 := k.mulOK(b)
		s, ok2 := a.addOK(q)
		ok = ok && ok1 && ok2
		return s
	}
	r := Linear{c: mulAdd(l.c, m.c), list: make([]linTerm, 0, len(l.list)+len(m.list))}
	i, j := 0, 0
	for i < len(l.list) || j < len(m.list) {
		switch {
		case j == len(m.list) || i < len(l.list) && l.list[i].before(m.list[j]):
			r.list = append(r.list, l.list[i])
			i++
		case i == len(l.list) || m.list[j].before(l.list[i]):
			t := m.list[j]
			t.coef = mulAdd(zero, t.coef)
			if t.coef != zero {
				r.list = append(r.list, t)
			}
			j++
		default:
			t := l.list[i]
			t.coef = mulAdd(t.coef, m.list[j].coef)
			if t.coef != zero {
				r.list = append(r.list, t)
			}
			i, j = i+1, j+1
		}
	}
	if !ok {
		return Unknown()
	}
	return r
}

// before defines the order of the terms of a Linear.
func (t linTerm) before(u linTerm) bool {
	if t.n != u.n {
		return t.n.id < u.n.id
	}
	return t.signed && !u.signed
}

// Le returns the condition a <= b. If the integers are too large for a term, the result is
// an unknown condition.
func (p *Pool) Le(a, b Linear) Term {
	d := b.Sub(a)
	if g := d.divisor(); g != one { // the constant is rounded, because the sum is whole
		d = d.divide(g)
	}
	if d.Known() && len(d.list) == 0 {
		return p.Bool(d.c.Sign() >= 0)
	}
	t, ok := p.exact(d)
	if !ok {
		return p.Var("unknown", 1)
	}
	return p.Not(p.Slt(t, p.Const(t.Width(), 0)))
}

// divisor returns the greatest common divisor of the coefficients of l, and 1 if there are
// none.
func (l Linear) divisor() Int {
	g := zero
	for _, t := range l.list {
		g = gcd(g, t.coef)
	}
	if g.Sign() <= 0 {
		return one
	}
	return g
}

// divide returns l divided by a divisor of its coefficients. The constant is rounded down.
func (l Linear) divide(g Int) Linear {
	list := make([]linTerm, len(l.list))
	for i, t := range l.list {
		list[i] = linTerm{first(t.coef.quoRem(g)), t.n, t.signed}
	}
	return Linear{list: list, c: l.c.floorDiv(g)}
}

// Column returns the part of l within rows of the given positive length: l without multiples
// of the length. It expands sums as if they could not wrap. ok is false if l does not
// separate rows and columns: a coefficient of the rest is not shorter than a row.
func (l Linear) Column(row int64) (col Linear, ok bool) {
	n := IntOf(row)
	for range maxDepth {
		next := Linear{c: l.c, unknown: l.unknown}
		for _, t := range l.list {
			part := Linear{list: []linTerm{{one, t.n, t.signed}}}
			if t.n.op == opSum && t.coef.mod(n) != zero {
				part, _ = t.n.parts(t.signed, true, 0)
			}
			next = next.plus(t.coef, part)
		}
		l = next
	}
	col = Linear{c: l.c.mod(n), unknown: l.unknown}
	for _, t := range l.list {
		switch {
		case t.coef.mod(n) == zero:
		case !t.coef.abs().less(n) || t.n.op == opSum:
			return Unknown(), false
		default:
			col.list = append(col.list, t)
		}
	}
	return col, !col.unknown
}

// Lt returns the condition a < b.
func (p *Pool) Lt(a, b Linear) Term { return p.Le(a.AddConst(1), b) }

// Same returns the condition a == b.
func (p *Pool) Same(a, b Linear) Term {
	d := b.Sub(a)
	if g := d.divisor(); d.c.mod(g) != zero && d.Known() {
		return p.Bool(false)
	} else if g != one {
		d = d.divide(g)
	}
	if d.Known() && len(d.list) == 0 {
		return p.Bool(d.c == zero)
	}
	t, ok := p.exact(d)
	if !ok {
		return p.Var("unknown", 1)
	}
	return p.Eq(t, p.Const(t.Width(), 0))
}

// Meet returns the condition that the half-open ranges [a, a+n) and [b, b+m) have a common
// integer. A range with a length of 0 or less is empty.
func (p *Pool) Meet(a, n, b, m Linear) Term {
	return p.All(p.Lt(a, b.Add(m)), p.Lt(b, a.Add(n)), p.Lt(Whole(0), n), p.Lt(Whole(0), m))
}

// exact returns l as a term that is wide enough that no sum of its parts wraps.
func (p *Pool) exact(l Linear) (Term, bool) {
	if l.unknown {
		return Term{}, false
	}
	// The width must hold the sum of the magnitudes.
	size := l.c.abs()
	for _, t := range l.list {
		m := maxOf(t.n.abs.slo.abs(), t.n.abs.shi.abs())
		if !t.signed {
			m = t.n.abs.uhi
		}
		s, ok := m.mulOK(t.coef.abs())
		if ok {
			size, ok = size.addOK(s)
		}
		if !ok || t.coef.abs().Sign() < 0 {
			return Term{}, false
		}
	}
	if size.Sign() < 0 {
		return Term{}, false
	}
	w := max(size.bitLen()+1, 2)
	if w > MaxWidth {
		return Term{}, false
	}
	list := make([]summand, len(l.list))
	for i, t := range l.list {
		// A truncated value keeps its value, because w holds it.
		list[i] = summand{t.coef, p.Resize(Term{t.n}, w, t.signed).n}
	}
	return Term{p.addAll(w, list, l.c)}, true
}

// addAll returns the sum of a list whose terms can be sums themselves.
func (p *Pool) addAll(w int, list []summand, c Int) *node {
	flat := make([]summand, 0, len(list))
	for _, s := range list {
		c = c.add(s.coef.mul(s.n.summands(func(k Int, m *node) { flat = append(flat, summand{s.coef.mul(k), m}) })))
	}
	return p.sum(w, flat, c)
}

// String returns l as text.
func (l Linear) String() string {
	if l.unknown {
		return "?"
	}
	s := ""
	for _, t := range l.list {
		sign := ""
		if !t.signed && !t.n.abs.nonNegative() {
			sign = "u"
		}
		s += t.coef.String() + "*" + sign + Term{t.n}.String() + " + "
	}
	return s + l.c.String()
}

// Key returns a text that identifies l among the integers of a pool.
func (l Linear) Key() string {
	if l.unknown {
		return "?"
	}
	var b strings.Builder
	for _, t := range l.list {
		fmt.Fprintf(&b, "%s*%d%t+", t.coef, Term{t.n}.ID(), t.signed)
	}
	b.WriteString(l.c.String())
	return b.String()
}

// Map returns l with each of its terms t replaced by f(t), read as signed or unsigned like
// t.
func (l Linear) Map(f func(Term) Term) Linear {
	if l.unknown {
		return l
	}
	r := Linear{c: l.c}
	for _, t := range l.list {
		r = r.plus(t.coef, valueOf(f(Term{t.n}), t.signed, maxDepth))
	}
	return r
}
