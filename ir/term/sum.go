// This file defines sums, differences and products in linear normal form.

package term

import "sort"

// Add returns a + b.
func (p *Pool) Add(a, b Term) Term {
	same(a.n, b.n)
	if a.n.w == 1 {
		return p.Xor(a, b)
	}
	return Term{p.combine(int(a.n.w), one, a.n, one, b.n)}
}

// Sub returns a - b.
func (p *Pool) Sub(a, b Term) Term {
	same(a.n, b.n)
	if a.n.w == 1 {
		return p.Xor(a, b)
	}
	return Term{p.combine(int(a.n.w), one, a.n, IntOf(-1), b.n)}
}

// Neg returns -a.
func (p *Pool) Neg(a Term) Term {
	if a.n.w == 1 {
		return a
	}
	return Term{p.scale(a.n, IntOf(-1))}
}

// AddConst returns a + v.
func (p *Pool) AddConst(a Term, v int64) Term { return p.Add(a, p.Const(a.Width(), v)) }

// MulConst returns a * v.
func (p *Pool) MulConst(a Term, v int64) Term { return p.Mul(a, p.Const(a.Width(), v)) }

// summand is one product of a linear form.
type summand struct {
	coef Int
	n    *node
}

// summands calls f with the products of n, read as a sum, and returns its constant.
func (n *node) summands(f func(coef Int, m *node)) Int {
	switch n.op {
	case opConst:
		return n.val
	case opSum:
		for i, a := range n.args {
			f(n.coefs[i], a)
		}
		return n.val
	}
	f(one, n)
	return zero
}

// maxParts limits the parts of sums, products and conjunctions that are merged, so that
// long chains of operations need linear memory. Larger ones become parts themselves.
const maxParts = 32

// combine returns ca*a + cb*b.
func (p *Pool) combine(w int, ca Int, a *node, cb Int, b *node) *node {
	if len(a.args)+len(b.args) > maxParts && a.op != opConst && b.op != opConst {
		return p.sum(w, []summand{{ca, a}, {cb, b}}, zero)
	}
	list := make([]summand, 0, len(a.args)+len(b.args)+2)
	c := ca.mul(a.summands(func(k Int, m *node) { list = append(list, summand{ca.mul(k), m}) }))
	c = c.add(cb.mul(b.summands(func(k Int, m *node) { list = append(list, summand{cb.mul(k), m}) })))
	return p.sum(w, list, c)
}

// scale returns c*a.
func (p *Pool) scale(a *node, c Int) *node {
	list := make([]summand, 0, len(a.args)+1)
	k := a.summands(func(k Int, m *node) { list = append(list, summand{c.mul(k), m}) })
	return p.sum(int(a.w), list, c.mul(k))
}

// sum returns the sum of the list and the constant c in normal form: the terms are sorted
// and different, and no coefficient is zero.
func (p *Pool) sum(w int, list []summand, c Int) *node {
	sort.Slice(list, func(i, k int) bool { return list[i].n.id < list[k].n.id })
	out := list[:0]
	for _, s := range list {
		if len(out) > 0 && out[len(out)-1].n == s.n {
			out[len(out)-1].coef = out[len(out)-1].coef.add(s.coef)
			continue
		}
		out = append(out, s)
	}
	args, coefs := make([]*node, 0, len(out)), make([]Int, 0, len(out))
	for _, s := range out {
		if k := s.coef.wrap(w); k != zero {
			args, coefs = append(args, s.n), append(coefs, k)
		}
	}
	c = c.wrap(w)
	switch {
	case len(args) == 0:
		return p.constant(w, c)
	case len(args) == 1 && coefs[0] == one && c == zero:
		return args[0]
	}
	return p.intern(node{op: opSum, w: uint8(w), args: args, coefs: coefs, val: c})
}

// maxExpand limits the number of products into which a product of two sums is expanded.
const maxExpand = 12

// Mul returns a * b. A product of sums is expanded if it stays small.
func (p *Pool) Mul(a, b Term) Term {
	same(a.n, b.n)
	if a.n.w == 1 {
		return p.And(a, b)
	}
	return Term{p.mul(a.n, b.n)}
}

func (p *Pool) mul(a, b *node) *node {
	if a.op == opConst {
		return p.scale(b, a.val)
	}
	if b.op == opConst {
		return p.scale(a, b.val)
	}
	if a.op != opSum && b.op != opSum {
		return p.product(a, b)
	}
	if (len(a.args)+1)*(len(b.args)+1) > maxExpand {
		return p.product(a, b)
	}
	w := int(a.w)
	var list []summand
	times := func(ca Int, x *node, y *node) {
		k := y.summands(func(cb Int, m *node) { list = append(list, summand{ca.mul(cb), p.product(x, m)}) })
		list = append(list, summand{ca.mul(k), x})
	}
	k := a.summands(func(ca Int, x *node) { times(ca, x, b) })
	c := k.mul(b.summands(func(cb Int, m *node) { list = append(list, summand{k.mul(cb), m}) }))
	return p.sum(w, list, c)
}

// product returns the product of two nodes that are not constants. Its factors are sorted.
func (p *Pool) product(a, b *node) *node {
	var args []*node
	for _, n := range []*node{a, b} {
		if n.op == opMul && len(n.args) < maxParts {
			args = append(args, n.args...)
		} else {
			args = append(args, n)
		}
	}
	sort.Slice(args, func(i, k int) bool { return args[i].id < args[k].id })
	return p.node(opMul, int(a.w), args...)
}
