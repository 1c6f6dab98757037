// This file builds circuits of clauses: gates, adders, dividers and shifters.

package term

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

// divide returns quotient and remainder of an unsigned division. d is the node of the
// divisor y.
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
