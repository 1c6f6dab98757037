// This file substitutes and collects variables.

package term

import "slices"

// Substitute returns t with the terms that are keys of the map with replaced by their
// values. Keys are usually variables, but they can be any terms. The width of a key and
// of its value must be equal.
func (p *Pool) Substitute(t Term, with map[Term]Term) Term {
	return p.Substitution(with)(t)
}

// Substitution returns a function that does what Substitute does. It remembers its
// results, so it is faster if several terms have common parts.
func (p *Pool) Substitution(with map[Term]Term) func(Term) Term {
	done := make(map[*node]*node, len(with))
	for k, v := range with {
		same(k.n, v.n)
		done[k.n] = v.n
	}
	var walk func(n *node) *node
	walk = func(n *node) *node {
		if m, ok := done[n]; ok {
			return m
		}
		if len(n.args) == 0 {
			return n
		}
		changed := false
		args := make([]Term, len(n.args))
		for i, a := range n.args {
			m := walk(a)
			args[i] = Term{m}
			changed = changed || m != a
		}
		m := n
		if changed {
			m = p.rebuild(n, args).n
		}
		done[n] = m
		return m
	}
	return func(t Term) Term { return Term{walk(t.n)} }
}

// rebuild returns the operation of n on other arguments.
func (p *Pool) rebuild(n *node, a []Term) Term {
	w := int(n.w)
	switch n.op {
	case opOpaque:
		return p.Opaque(n.name, w, a...)
	case opSum:
		r := p.ConstInt(w, n.val)
		for i, x := range a {
			r = p.Add(r, Term{p.scale(x.n, n.coefs[i])})
		}
		return r
	case opMul:
		r := a[0]
		for _, x := range a[1:] {
			r = p.Mul(r, x)
		}
		return r
	case opUDiv:
		return Term{p.udiv(a[0].n, a[1].n)}
	case opURem:
		return Term{p.urem(a[0].n, a[1].n)}
	case opSDiv:
		return Term{p.sdiv(a[0].n, a[1].n)}
	case opSRem:
		return Term{p.srem(a[0].n, a[1].n)}
	case opAnd:
		if w == 1 {
			return p.All(a...)
		}
		return p.And(a[0], a[1])
	case opOr:
		return p.Or(a[0], a[1])
	case opXor:
		return p.Xor(a[0], a[1])
	case opNot:
		return p.Not(a[0])
	case opShl:
		return p.Shl(a[0], a[1])
	case opLShr:
		return p.LShr(a[0], a[1])
	case opAShr:
		return p.AShr(a[0], a[1])
	case opTrunc:
		return p.Trunc(a[0], w)
	case opZExt:
		return p.ZExt(a[0], w)
	case opSExt:
		return p.SExt(a[0], w)
	case opIte:
		return p.Ite(a[0], a[1], a[2])
	case opEq:
		return p.Eq(a[0], a[1])
	case opUlt:
		return p.Ult(a[0], a[1])
	case opSlt:
		return p.Slt(a[0], a[1])
	case opOrder:
		return p.order(n.name, a[0], a[1])
	}
	panic("term: operation without arguments")
}

// Vars returns the variables in terms, in the order of their creation.
func Vars(ts ...Term) []Term {
	var out []Term
	seen := map[*node]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if n.op == opVar {
			out = append(out, Term{n})
		}
		for _, a := range n.args {
			walk(a)
		}
	}
	for _, t := range ts {
		walk(t.n)
	}
	slices.SortFunc(out, func(a, b Term) int { return a.ID() - b.ID() })
	return out
}

// Range returns bounds on the value of t, read as signed, that follow from the declared
// ranges of variables.
func (t Term) Range() (lo, hi Int) { return t.n.abs.slo, t.n.abs.shi }
