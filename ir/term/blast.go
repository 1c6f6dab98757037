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

func zip(x, y []lit, f func(x, y lit) lit) []lit {
	r := make([]lit, len(x))
	for i := range x {
		r[i] = f(x[i], y[i])
	}
	return r
}

// gate returns the output of a gate with the given key, which it creates by the function
// clauses on first use.
func (b *blaster) gate(key [4]lit, clauses func(out lit)) lit {
	if l, ok := b.gates[key]; ok {
		return l
	}
	l := b.s.variable()
	b.gates[key] = l
	clauses(l)
	return l
}

func (b *blaster) and(x, y lit) lit {
	switch {
	case x == y, y == b.yes:
		return x
	case x == b.yes:
		return y
	case x == b.no(), y == b.no(), x == y.not():
		return b.no()
	}
	x, y = min(x, y), max(x, y)
	return b.gate([4]lit{1, x, y}, func(o lit) {
		b.s.add(o.not(), x)
		b.s.add(o.not(), y)
		b.s.add(o, x.not(), y.not())
	})
}

func (b *blaster) or(x, y lit) lit { return b.and(x.not(), y.not()).not() }

func (b *blaster) xor(x, y lit) lit {
	switch {
	case x>>1 == b.yes>>1:
		return y ^ x&1 ^ 1
	case y>>1 == b.yes>>1:
		return x ^ y&1 ^ 1
	case x == y:
		return b.no()
	case x == y.not():
		return b.yes
	}
	sign := x&1 ^ y&1
	x, y = min(x&^1, y&^1), max(x&^1, y&^1)
	return sign ^ b.gate([4]lit{2, x, y}, func(o lit) {
		b.s.add(o.not(), x, y)
		b.s.add(o.not(), x.not(), y.not())
		b.s.add(o, x.not(), y)
		b.s.add(o, x, y.not())
	})
}

// mux returns x if c is true, and y otherwise.
func (b *blaster) mux(c, x, y lit) lit {
	switch {
	case c == b.yes, x == y:
		return x
	case c == b.no():
		return y
	case x == b.yes:
		return b.or(c, y)
	case x == b.no():
		return b.and(c.not(), y)
	case y == b.yes:
		return b.or(c.not(), x)
	case y == b.no():
		return b.and(c, x)
	case x == y.not():
		return b.xor(c, y)
	}
	return b.gate([4]lit{3, c, x, y}, func(o lit) {
		b.s.add(c.not(), x.not(), o)
		b.s.add(c.not(), x, o.not())
		b.s.add(c, y.not(), o)
		b.s.add(c, y, o.not())
		b.s.add(x.not(), y.not(), o)
		b.s.add(x, y, o.not())
	})
}

// majority returns the carry of x + y + z.
func (b *blaster) majority(x, y, z lit) lit {
	switch {
	case x>>1 == y>>1:
		if x == y {
			return x
		}
		return z
	case y>>1 == z>>1:
		if y == z {
			return y
		}
		return x
	case x>>1 == z>>1:
		if x == z {
			return x
		}
		return y
	case x == b.yes:
		return b.or(y, z)
	case x == b.no():
		return b.and(y, z)
	case y == b.yes:
		return b.or(x, z)
	case y == b.no():
		return b.and(x, z)
	case z == b.yes:
		return b.or(x, y)
	case z == b.no():
		return b.and(x, y)
	}
	return b.gate([4]lit{4, x, y, z}, func(o lit) {
		b.s.add(x.not(), y.not(), o)
		b.s.add(x.not(), z.not(), o)
		b.s.add(y.not(), z.not(), o)
		b.s.add(x, y, o.not())
		b.s.add(x, z, o.not())
		b.s.add(y, z, o.not())
	})
}

// add returns x + y + carry.
func (b *blaster) add(x, y []lit, carry lit) []lit {
	r := make([]lit, len(x))
	for i := range x {
		r[i] = b.xor(b.xor(x[i], y[i]), carry)
		if i+1 < len(x) {
			carry = b.majority(x[i], y[i], carry)
		}
	}
	return r
}

func invert(x []lit) []lit {
	r := make([]lit, len(x))
	for i, l := range x {
		r[i] = l.not()
	}
	return r
}

// flip inverts the sign bit, so that an unsigned comparison compares signed numbers.
func (b *blaster) flip(x []lit) []lit {
	r := append([]lit{}, x...)
	r[len(r)-1] = r[len(r)-1].not()
	return r
}

// less returns the unsigned comparison x < y.
func (b *blaster) less(x, y []lit) lit {
	r := b.no()
	for i := range x { // the highest different bit decides
		r = b.majority(x[i].not(), y[i], r)
	}
	return r
}

func (b *blaster) equal(x, y []lit) lit {
	r := b.yes
	for i := range x {
		r = b.and(r, b.xor(x[i], y[i]).not())
	}
	return r
}

func (b *blaster) choose(c lit, x, y []lit) []lit {
	r := make([]lit, len(x))
	for i := range x {
		r[i] = b.mux(c, x[i], y[i])
	}
	return r
}

// left returns x << n.
func (b *blaster) left(x []lit, n int) []lit {
	r := make([]lit, len(x))
	for i := range r {
		r[i] = b.no()
		if i >= n {
			r[i] = x[i-n]
		}
	}
	return r
}

// scale returns c*x. Runs of ones in c are subtractions.
func (b *blaster) scale(x []lit, c Int) []lit {
	w := len(x)
	r := b.constant(w, zero)
	for i := 0; i < w && c != zero; i++ {
		if c.lo&1 == 1 {
			if c.lo&2 == 0 {
				r = b.add(r, b.left(x, i), b.no())
				c = c.sub(one)
			} else {
				r = b.add(r, invert(b.left(x, i)), b.yes)
				c = c.add(one)
			}
		}
		c = c.shr(1)
	}
	return r
}

func (b *blaster) multiply(x, y []lit) []lit {
	w := len(x)
	r := b.constant(w, zero)
	for i := 0; i < w && b.s.clauses <= b.max; i++ {
		if y[i] == b.no() {
			continue
		}
		row := make([]lit, w)
		for k := range row {
			row[k] = b.no()
			if k >= i {
				row[k] = b.and(x[k-i], y[i])
			}
		}
		r = b.add(r, row, b.no())
	}
	return r
}

// divideConst returns quotient and remainder of an unsigned division by c > 0.
func (b *blaster) divideConst(x []lit, c Int) (q, r []lit) {
	w := len(x)
	if n, ok := log2(c); ok {
		q, r = b.constant(w, zero), b.constant(w, zero)
		for i, l := range x {
			if i < n {
				r[i] = l
			} else {
				q[i-n] = l
			}
		}
		return q, r
	}
	q, r = b.constant(w, zero), b.constant(w, zero)
	n := c.bitLen()
	copy(q, b.fresh(max(w-n+1, 1)))
	copy(r, b.fresh(min(n, w)))
	// q*c + r must not wrap; one more bit holds it, because q and r are short.
	wide := func(x []lit) []lit { return append(append([]lit{}, x...), b.no()) }
	product := b.scale(wide(q), c)
	sum := b.add(product, wide(r), b.no())
	b.s.add(b.less(product, b.constant(w+1, pow2(w))))
	b.s.add(b.equal(sum, wide(x)))
	b.s.add(b.less(r, b.constant(w, c)))
	return q, r
}

// divide returns quotient and remainder of an unsigned division. The parameter d is the
// node of the divisor y.
func (b *blaster) divide(x, y []lit, d *node) (q, r []lit) {
	w := len(x)
	if d.op == opConst && d.val != zero {
		return b.divideConst(x, d.val)
	}
	// Long division. With y = 0 each bit of q is 1, and r becomes x, as in SMT-LIB.
	q, r = make([]lit, w), b.constant(w+1, zero)
	wide := append(append([]lit{}, y...), b.no())
	for i := w - 1; i >= 0 && b.s.clauses <= b.max; i-- {
		r = b.left(r, 1)
		r[0] = x[i]
		q[i] = b.less(r, wide).not()
		r = b.choose(q[i], b.add(r, invert(wide), b.yes), r)
	}
	return q, r[:w]
}

// signedDivide returns a signed quotient or remainder by division of absolute values.
func (b *blaster) signedDivide(o op, x, y []lit, d *node) []lit {
	w := len(x)
	negate := func(c lit, x []lit) []lit {
		return b.choose(c, b.add(invert(x), b.constant(w, zero), b.yes), x)
	}
	sx, sy := x[w-1], y[w-1]
	ax := negate(sx, x)
	var q, r []lit
	if d.op == opConst && d.val != zero {
		q, r = b.divideConst(ax, d.val.signed(w).abs())
	} else {
		q, r = b.divide(ax, negate(sy, y), d)
	}
	if o == opSDiv {
		return negate(b.xor(sx, sy), q)
	}
	return negate(sx, r)
}

// shift returns x shifted by y, which is below the width.
func (b *blaster) shift(o op, x, y []lit) []lit {
	w := len(x)
	fill := b.no()
	if o == opAShr {
		fill = x[w-1]
	}
	for k := 0; k < len(y) && 1<<k < w; k++ {
		moved := make([]lit, w)
		for i := range moved {
			from := i + 1<<k
			if o == opShl {
				from = i - 1<<k
			}
			moved[i] = fill
			if from >= 0 && from < w {
				moved[i] = x[from]
			}
		}
		x = b.choose(y[k], moved, x)
	}
	return x
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
