// This file translates terms into clauses over their bits.

package term

// blaster translates the terms of a query. A term becomes a slice of literals, the lowest
// bit first.
type blaster struct {
	q     *query
	s     *solver
	yes   lit // always true
	bits  [][]lit
	gates map[[4]lit]lit
	max   int // number of clauses at which it gives up
}

// blast translates the facts of q. The bool result is false if this needs more than the
// given number of clauses.
func blast(q *query, clauses int) (*blaster, bool) {
	b := &blaster{q: q, s: newSolver(), gates: map[[4]lit]lit{}, max: clauses}
	b.yes = b.s.variable()
	b.s.add(b.yes)
	b.bits = make([][]lit, len(q.order))
	var apps []int
	for i, n := range q.order {
		x := b.translate(n)
		b.bits[i] = b.restrict(n, x, &q.vals[i])
		if n.op == opOpaque || n.op == opOrder {
			apps = append(apps, i)
			for _, k := range apps[:len(apps)-1] {
				b.congruence(n, q.order[k])
			}
		}
		if b.s.clauses > b.max {
			return b, false
		}
	}
	for _, f := range q.facts {
		b.s.add(b.at(f)[0])
	}
	return b, true
}

func (b *blaster) at(n *node) []lit { return b.bits[b.q.index[n]] }

func (b *blaster) no() lit { return b.yes.not() }

func (b *blaster) constant(w int, v Int) []lit {
	x := make([]lit, w)
	for i := range x {
		x[i] = b.no()
		if v.bit(i) {
			x[i] = b.yes
		}
	}
	return x
}

// restrict asserts what the facts imply for the term n with the bits x, and returns bits
// in which the known ones are constants.
func (b *blaster) restrict(n *node, x []lit, a *abs) []lit {
	w := int(n.w)
	out := make([]lit, w)
	for i, l := range x {
		out[i] = l
		switch {
		case a.ones.bit(i):
			b.s.add(l)
			out[i] = b.yes
		case a.zeros.bit(i):
			b.s.add(l.not())
			out[i] = b.no()
		}
	}
	if n.op != opVar {
		return out
	}
	if full := fullSigned(w); a.slo != full.lo || a.shi != full.hi {
		b.s.add(b.less(b.flip(out), b.flip(b.constant(w, a.slo))).not())
		b.s.add(b.less(b.flip(b.constant(w, a.shi)), b.flip(out)).not())
	}
	if a.ulo != zero || a.uhi != mask(w) {
		b.s.add(b.less(out, b.constant(w, a.ulo)).not())
		b.s.add(b.less(b.constant(w, a.uhi), out).not())
	}
	if m := n.decl.multiple; m.Sign() > 0 && m != one && a.slo.Sign() >= 0 {
		_, r := b.divideConst(out, m)
		for _, l := range r {
			b.s.add(l.not())
		}
	}
	return out
}

// congruence asserts that two applications of one unknown function have equal values if
// their arguments are equal.
func (b *blaster) congruence(n, m *node) {
	if !n.sameFunction(m) {
		return
	}
	equal := b.yes
	for i, a := range n.args {
		equal = b.and(equal, b.equal(b.at(a), b.at(m.args[i])))
	}
	x, y := b.at(n), b.at(m)
	for i := range x {
		b.s.add(equal.not(), x[i].not(), y[i])
		b.s.add(equal.not(), x[i], y[i].not())
	}
}

func (b *blaster) fresh(w int) []lit {
	x := make([]lit, w)
	for i := range x {
		x[i] = b.s.variable()
	}
	return x
}

func (b *blaster) translate(n *node) []lit {
	w := int(n.w)
	var args [][]lit
	for _, a := range n.args {
		args = append(args, b.at(a))
	}
	switch n.op {
	case opConst:
		return b.constant(w, n.val)
	case opVar, opOpaque, opOrder:
		return b.fresh(w)
	case opSum:
		x := b.constant(w, n.val)
		for i, a := range args {
			x = b.add(x, b.scale(a, n.coefs[i].signed(w)), b.no())
		}
		return x
	case opMul:
		x := args[0]
		for _, a := range args[1:] {
			x = b.multiply(x, a)
		}
		return x
	case opUDiv, opURem:
		q, r := b.divide(args[0], args[1], n.args[1])
		if n.op == opUDiv {
			return q
		}
		return r
	case opSDiv, opSRem:
		return b.signedDivide(n.op, args[0], args[1], n.args[1])
	case opAnd, opOr, opXor:
		x := args[0]
		for _, a := range args[1:] {
			switch n.op {
			case opAnd:
				x = zip(x, a, b.and)
			case opOr:
				x = zip(x, a, b.or)
			default:
				x = zip(x, a, b.xor)
			}
		}
		return x
	case opNot:
		return []lit{args[0][0].not()}
	case opShl, opLShr, opAShr:
		return b.shift(n.op, args[0], args[1])
	case opTrunc:
		return args[0][:w]
	case opZExt, opSExt:
		x := append([]lit{}, args[0]...)
		top := b.no()
		if n.op == opSExt {
			top = x[len(x)-1]
		}
		for len(x) < w {
			x = append(x, top)
		}
		return x
	case opIte:
		return b.choose(args[0][0], args[1], args[2])
	case opEq:
		return []lit{b.equal(args[0], args[1])}
	case opUlt:
		return []lit{b.less(args[0], args[1])}
	case opSlt:
		return []lit{b.less(b.flip(args[0]), b.flip(args[1]))}
	}
	panic("term: operation without bits")
}

// model returns the values of the terms that the solver found.
func (b *blaster) model() []Int {
	vals := make([]Int, len(b.bits))
	for i, x := range b.bits {
		for k, l := range x {
			if b.s.value[l] > 0 {
				vals[i] = vals[i].setBit(k)
			}
		}
	}
	return vals
}
