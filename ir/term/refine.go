// This file derives from facts which values terms can have, in both directions: from
// operands to results, and from results to operands.

package term

// query holds the terms of one decision. The slices order and vals are parallel; the
// position of a node in them is index[node].
type query struct {
	p     *Pool
	facts []*node
	order []*node // operands before results
	index map[*node]int32
	vals  []abs
}

// newQuery returns the query for facts, without refinement.
func newQuery(p *Pool, facts []*node) *query {
	q := &query{p: p, facts: facts, index: make(map[*node]int32, 32)}
	for _, f := range facts {
		q.collect(f)
	}
	q.vals = make([]abs, len(q.order))
	for i, n := range q.order {
		q.vals[i] = n.abs
	}
	return q
}

func (q *query) collect(n *node) {
	if _, ok := q.index[n]; ok {
		return
	}
	for _, a := range n.args {
		q.collect(a)
	}
	q.index[n] = int32(len(q.order))
	q.order = append(q.order, n)
}

// at returns the values of n. For a node that is not part of the query, these are the
// values without the facts.
func (q *query) at(n *node) *abs {
	if i, ok := q.index[n]; ok {
		return &q.vals[i]
	}
	return &n.abs
}

// rounds limits the passes over a query. Each pass is sound, and more passes refine more.
const rounds = 4

// refine assumes the facts and derives values of terms. It returns false if the facts
// exclude each other.
func (q *query) refine() bool {
	for _, f := range q.facts {
		if !q.set(f, exactly(1, one)) {
			return false
		}
	}
	for range rounds {
		changed := false
		for i := len(q.order) - 1; i >= 0; i-- {
			n := q.order[i]
			if len(n.args) == 0 {
				continue
			}
			before := q.sizeOfArgs(n)
			if !q.backward(n, q.vals[i]) {
				return false
			}
			changed = changed || q.sizeOfArgs(n) != before
		}
		for i, n := range q.order {
			if len(n.args) == 0 {
				continue
			}
			old := q.vals[i]
			v := n.computed(int(n.w), q.at)
			v.meet(&old)
			v.tighten(int(n.w))
			if v.empty() {
				return false
			}
			if v != old {
				q.vals[i] = v
				changed = true
			}
		}
		if !changed {
			return true
		}
	}
	return true
}

// sizeOfArgs returns a number that changes if the values of an operand of n change.
func (q *query) sizeOfArgs(n *node) uint64 {
	var h uint64
	for _, a := range n.args {
		v := q.at(a)
		h += v.uhi.lo - v.ulo.lo + v.shi.lo - v.slo.lo + v.zeros.lo + v.ones.lo +
			uint64(v.uhi.hi-v.ulo.hi+v.shi.hi-v.slo.hi+v.zeros.hi+v.ones.hi)
	}
	return h
}

// set intersects the values of n with v. It returns false if no value remains.
func (q *query) set(n *node, v abs) bool {
	a := q.at(n)
	old := *a
	v.meet(&old)
	if v == old {
		return true
	}
	v.tighten(int(n.w))
	if i, ok := q.index[n]; ok {
		q.vals[i] = v
	}
	return !v.empty()
}

// known returns the value of a condition, if it is known.
func (q *query) known(n *node) (value, ok bool) {
	v := q.at(n)
	return v.ulo == one, v.ulo == v.uhi
}

func (q *query) setBool(n *node, b bool) bool { return q.set(n, exactly(1, truth(b))) }

// setUnsigned and setSigned intersect the values of n with a range.
func (q *query) setUnsigned(n *node, lo, hi Int) bool {
	a := top(int(n.w))
	a.unsigned(lo, hi)
	return q.set(n, a)
}

func (q *query) setSigned(n *node, lo, hi Int) bool {
	a := top(int(n.w))
	a.meetSigned(lo, hi)
	return q.set(n, a)
}

// backward refines the operands of n, whose values are v. It returns false if an operand
// has no value.
func (q *query) backward(n *node, v abs) bool {
	w := int(n.w)
	switch n.op {
	case opNot:
		a := top(1)
		a.zeros, a.ones = v.ones, v.zeros
		return q.set(n.args[0], a)
	case opAnd:
		if w == 1 {
			return q.backwardAll(n, v)
		}
		return q.backwardBits(n, v)
	case opOr, opXor:
		return q.backwardBits(n, v)
	case opEq, opUlt, opSlt:
		if v.ulo != v.uhi {
			return true
		}
		return q.compare(n.op, n.args[0], n.args[1], v.ulo == one)
	case opZExt, opSExt, opTrunc:
		return q.backwardCast(n, v)
	case opSum:
		return q.backwardSum(n, v)
	case opUDiv, opAShr, opURem:
		return q.backwardDiv(n, v)
	case opIte:
		c, x, y := n.args[0], n.args[1], n.args[2]
		value, ok := q.known(c)
		switch {
		case ok && value:
			return q.set(x, v)
		case ok:
			return q.set(y, v)
		case v.disjoint(q.at(x)):
			return q.setBool(c, false) && q.set(y, v)
		case v.disjoint(q.at(y)):
			return q.setBool(c, true) && q.set(x, v)
		}
	}
	return true
}

func (q *query) backwardAll(n *node, v abs) bool {
	if v.ulo == one {
		for _, a := range n.args {
			if !q.setBool(a, true) {
				return false
			}
		}
		return true
	}
	if v.uhi != zero {
		return true
	}
	var open *node // a conjunction that is false has a false part
	for _, a := range n.args {
		value, ok := q.known(a)
		switch {
		case ok && !value:
			return true
		case ok:
		case open != nil:
			return true
		default:
			open = a
		}
	}
	return open != nil && q.setBool(open, false)
}

func (q *query) backwardBits(n *node, v abs) bool {
	for i := range 2 {
		x, y := n.args[i], q.at(n.args[1-i])
		a := top(int(n.w))
		switch n.op {
		case opAnd:
			a.ones, a.zeros = v.ones, v.zeros.and(y.ones)
		case opOr:
			a.zeros, a.ones = v.zeros, v.ones.and(y.zeros)
		default:
			a.ones = v.ones.and(y.zeros).or(v.zeros.and(y.ones))
			a.zeros = v.zeros.and(y.zeros).or(v.ones.and(y.ones))
		}
		if !q.set(x, a) {
			return false
		}
	}
	return true
}

// compare assumes that the comparison of x and y is true, or that it is false.
func (q *query) compare(o op, x, y *node, holds bool) bool {
	a, b := q.at(x), q.at(y)
	if o == opEq {
		if holds {
			return q.set(x, *b) && q.set(y, *q.at(x))
		}
		return q.differ(x, y) && q.differ(y, x)
	}
	if !holds { // y <= x
		x, y, a, b = y, x, b, a
	}
	d := truth(holds) // x + d <= y
	if o == opUlt {
		return q.setUnsigned(x, zero, b.uhi.sub(d)) && q.setUnsigned(y, a.ulo.add(d), mask(int(y.w)))
	}
	s := fullSigned(int(x.w))
	return q.setSigned(x, s.lo, b.shi.sub(d)) && q.setSigned(y, a.slo.add(d), s.hi)
}

// differ removes the only value of y from the bounds of x.
func (q *query) differ(x, y *node) bool {
	v, ok := q.at(y).single()
	if !ok {
		return true
	}
	a := *q.at(x)
	if a.ulo == v {
		a.ulo = v.add(one)
	}
	if a.uhi == v {
		a.uhi = v.sub(one)
	}
	s := v.signed(int(x.w))
	if a.slo == s {
		a.slo = s.add(one)
	}
	if a.shi == s {
		a.shi = s.sub(one)
	}
	return q.set(x, a)
}

func (q *query) backwardCast(n *node, v abs) bool {
	x := n.args[0]
	from := int(x.w)
	a := top(from)
	switch n.op {
	case opZExt:
		a.unsigned(v.ulo, v.uhi)
		a.zeros, a.ones = v.zeros.wrap(from), v.ones
		if a.ones.wrap(from) != a.ones {
			return false
		}
	case opSExt:
		a.meetSigned(v.slo, v.shi)
		a.zeros, a.ones = v.zeros.wrap(from), v.ones.wrap(from)
	case opTrunc:
		a.zeros, a.ones = v.zeros, v.ones
		w := int(n.w)
		if in := q.at(x); in.fitsSigned(w) {
			a.meetSigned(v.slo, v.shi)
		} else if !mask(w).less(in.uhi) {
			a.unsigned(v.ulo, v.uhi)
		}
	}
	return q.set(x, a)
}

// backwardSum refines each summand c*x of a sum: c*x is the sum minus the others. This is
// exact modulo 2^w for c = 1 and c = -1; for other c, the sum must not wrap.
func (q *query) backwardSum(n *node, v abs) bool {
	w := int(n.w)
	for _, signed := range []bool{true, false} {
		ranges := make([]bounds, len(n.args))
		total, ok := bounds{n.val.signed(w), n.val.signed(w)}, true
		for i, x := range n.args {
			ranges[i] = q.reading(x, signed)
			ok = ok && total.addScaled(n.coefs[i].signed(w), ranges[i])
		}
		if !ok {
			continue
		}
		r := bounds{v.slo, v.shi}
		full := fullSigned(w)
		if !signed {
			r, full = bounds{v.ulo, v.uhi}, bounds{zero, mask(w)}
		}
		exact := !total.lo.less(full.lo) && !full.hi.less(total.hi)
		for i, x := range n.args {
			c := n.coefs[i].signed(w)
			unit := c == one || c == IntOf(-1)
			if !exact && !unit {
				continue
			}
			lo, hi := c.mul(ranges[i].lo), c.mul(ranges[i].hi)
			if c.Sign() < 0 {
				lo, hi = hi, lo
			}
			rest, ok := total.minus(bounds{hi, lo}) // the sum without c*x
			if !ok {
				continue
			}
			cx, ok := r.minus(rest)
			if !ok {
				continue
			}
			if c.Sign() < 0 {
				cx = bounds{cx.hi.neg(), cx.lo.neg()}
			}
			k := c.abs()
			b := bounds{cx.lo.ceilDiv(k), cx.hi.floorDiv(k)}
			if b.hi.less(b.lo) {
				return false
			}
			a := top(w)
			switch {
			case exact && signed:
				a.meetSigned(b.lo, b.hi)
			case exact:
				a.unsigned(b.lo, b.hi)
			default:
				a = fromSigned(w, b)
			}
			if !q.set(x, a) {
				return false
			}
		}
	}
	return true
}

// minus returns the range of differences of values in b and in c. The bool result is false
// if a bound overflows.
func (b bounds) minus(c bounds) (bounds, bool) {
	lo, ok1 := b.lo.subOK(c.hi)
	hi, ok2 := b.hi.subOK(c.lo)
	return bounds{lo, hi}, ok1 && ok2
}

// reading returns the bounds of n, read as signed or as unsigned.
func (q *query) reading(n *node, signed bool) bounds {
	v := q.at(n)
	if signed {
		return bounds{v.slo, v.shi}
	}
	return bounds{v.ulo, v.uhi}
}

func (q *query) backwardDiv(n *node, v abs) bool {
	x := n.args[0]
	k, ok := q.at(n.args[1]).single()
	if !ok {
		return true
	}
	w := int(n.w)
	switch {
	case n.op == opAShr:
		k = pow2(int(k.lo))
		return q.setSigned(x, v.slo.mul(k), v.shi.mul(k).add(k.sub(one)))
	case k == zero:
		return true
	case n.op == opUDiv:
		hi, ok := v.uhi.mulOK(k)
		lo, ok2 := v.ulo.mulOK(k)
		if !ok || !ok2 {
			return true
		}
		return q.setUnsigned(x, lo, minOf(hi.add(k.sub(one)), mask(w)))
	}
	// x urem k with x in one period, and the low bits for k = 2^m * odd
	a := *q.at(x)
	if base := first(a.ulo.quoRem(k)); base == first(a.uhi.quoRem(k)) {
		a.unsigned(base.mul(k).add(v.ulo), base.mul(k).add(v.uhi))
	}
	m := mask(k.trailingZeros())
	a.zeros, a.ones = a.zeros.or(v.zeros.and(m)), a.ones.or(v.ones.and(m))
	return q.set(x, a)
}
