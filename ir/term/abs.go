// This file computes which values a term can have: a range of unsigned values, a range of
// signed values, and the bits that are known.

package term

// abs is a set of values of a term, given by three conditions that all hold.
type abs struct {
	ulo, uhi    Int // bounds of the unsigned value
	slo, shi    Int // bounds of the signed value
	zeros, ones Int // the bits that are known to be 0, and to be 1
}

// bounds is a range of integers.
type bounds struct{ lo, hi Int }

func fullSigned(w int) bounds { return bounds{pow2(w - 1).neg(), mask(w - 1)} }

// top returns the set of all values of w bits.
func top(w int) abs {
	s := fullSigned(w)
	return abs{ulo: zero, uhi: mask(w), slo: s.lo, shi: s.hi}
}

// exactly returns the set that contains only the unsigned value v.
func exactly(w int, v Int) abs {
	s := v.signed(w)
	return abs{ulo: v, uhi: v, slo: s, shi: s, zeros: mask(w).and(v.not()), ones: v}
}

func (a *abs) nonNegative() bool { return a.slo.Sign() >= 0 }

// fitsSigned reports whether all values, read as signed, fit w bits.
func (a *abs) fitsSigned(w int) bool {
	s := fullSigned(w)
	return !a.slo.less(s.lo) && !s.hi.less(a.shi)
}

// sameSign reports whether all values of a and b are negative, or none is.
func (a *abs) sameSign(b *abs) bool {
	return a.slo.Sign() >= 0 && b.slo.Sign() >= 0 || a.shi.Sign() < 0 && b.shi.Sign() < 0
}

// disjoint reports whether a and b have no common value.
func (a *abs) disjoint(b *abs) bool {
	return a.uhi.less(b.ulo) || b.uhi.less(a.ulo) || a.shi.less(b.slo) || b.shi.less(a.slo) ||
		a.ones.and(b.zeros) != zero || a.zeros.and(b.ones) != zero
}

// empty reports whether a has no value.
func (a *abs) empty() bool {
	return a.uhi.less(a.ulo) || a.shi.less(a.slo) || a.zeros.and(a.ones) != zero
}

// single returns the value of a if it has only one.
func (a *abs) single() (Int, bool) { return a.ulo, a.ulo == a.uhi }

// unsigned intersects a with a range of unsigned values.
func (a *abs) unsigned(lo, hi Int) { a.ulo, a.uhi = maxOf(a.ulo, lo), minOf(a.uhi, hi) }

// meetSigned intersects a with a range of signed values.
func (a *abs) meetSigned(lo, hi Int) { a.slo, a.shi = maxOf(a.slo, lo), minOf(a.shi, hi) }

// meet intersects a with b.
func (a *abs) meet(b *abs) {
	a.unsigned(b.ulo, b.uhi)
	a.meetSigned(b.slo, b.shi)
	a.zeros, a.ones = a.zeros.or(b.zeros), a.ones.or(b.ones)
}

// join makes a the smallest set that contains a and b.
func (a *abs) join(b *abs) {
	a.ulo, a.uhi = minOf(a.ulo, b.ulo), maxOf(a.uhi, b.uhi)
	a.slo, a.shi = minOf(a.slo, b.slo), maxOf(a.shi, b.shi)
	a.zeros, a.ones = a.zeros.and(b.zeros), a.ones.and(b.ones)
}

// tighten derives from each of the three conditions what it implies for the others. The
// parameter w is the width.
func (a *abs) tighten(w int) {
	for range 2 {
		if a.empty() {
			return
		}
		// bits -> unsigned
		a.unsigned(a.ones, mask(w).and(a.zeros.not()))
		// The low bits that are known to be zero round the bounds.
		if n := a.zeros.not().trailingZeros(); n > 0 && n < w {
			a.ulo = a.ulo.add(mask(n)).shr(n).shl(n)
			a.uhi = a.uhi.shr(n).shl(n)
		}
		// unsigned -> signed
		half := pow2(w - 1)
		switch {
		case a.uhi.less(half):
			a.meetSigned(a.ulo, a.uhi)
		case !a.ulo.less(half):
			a.meetSigned(a.ulo.sub(pow2(w)), a.uhi.sub(pow2(w)))
		}
		// signed -> unsigned
		switch {
		case a.slo.Sign() >= 0:
			a.unsigned(a.slo, a.shi)
		case a.shi.Sign() < 0:
			a.unsigned(a.slo.add(pow2(w)), a.shi.add(pow2(w)))
		}
		if a.empty() {
			return
		}
		// unsigned -> bits: the common upper bits of the bounds
		n := a.ulo.xor(a.uhi).bitLen()
		upper := mask(w).and(mask(n).not())
		a.ones = a.ones.or(a.ulo.and(upper))
		a.zeros = a.zeros.or(a.ulo.not().and(upper))
	}
}

// fromSigned returns the values of w bits whose mathematical value is in the range b. If
// the range leaves the signed and the unsigned values, the value wraps.
func fromSigned(w int, b bounds) abs {
	a := top(w)
	s := fullSigned(w)
	switch {
	case !b.lo.less(s.lo) && !s.hi.less(b.hi):
		a.meetSigned(b.lo, b.hi)
	case b.lo.Sign() >= 0 && !mask(w).less(b.hi):
		a.unsigned(b.lo, b.hi)
	default: // the range can be in one period of the wrapped values
		size, ok := b.hi.subOK(b.lo)
		if !ok || size.Sign() < 0 || !size.less(pow2(w)) {
			return a
		}
		if lo, hi := b.lo.wrap(w), b.hi.wrap(w); !hi.less(lo) {
			a.unsigned(lo, hi)
		} else if lo, hi := lo.signed(w), hi.signed(w); !hi.less(lo) {
			a.meetSigned(lo, hi)
		}
	}
	return a
}

// both returns the set for a result whose mathematical value, modulo 2^w, is in the range
// s and in the range u. A range with ok false says nothing.
func both(w int, s bounds, sok bool, u bounds, uok bool) abs {
	a := top(w)
	if sok {
		a = fromSigned(w, s)
	}
	if uok {
		b := fromSigned(w, u)
		a.meet(&b)
	}
	return a
}

// compute returns the values of n, from the values of its arguments.
func (n *node) compute(get func(*node) *abs) abs {
	w := int(n.w)
	a := n.computed(w, get)
	a.tighten(w)
	return a
}

func (n *node) computed(w int, get func(*node) *abs) abs {
	switch n.op {
	case opConst:
		return exactly(w, n.val)
	case opVar:
		a := top(w)
		switch n.decl.kind {
		case declSigned:
			a.meetSigned(n.decl.lo, n.decl.hi)
		case declUnsigned:
			a.unsigned(n.decl.lo, n.decl.hi)
		}
		if n.decl.kind != declNone {
			a.zeros = mask(min(n.decl.multiple.trailingZeros(), w))
		}
		return a
	case opSum:
		return n.sumValues(w, get)
	case opMul:
		return n.productValues(w, get)
	case opUDiv, opURem, opSDiv, opSRem:
		return divValues(n.op, w, get(n.args[0]), get(n.args[1]))
	case opAnd, opOr, opXor, opNot:
		return n.bitValues(w, get)
	case opShl, opLShr, opAShr:
		return shiftValues(n.op, w, get(n.args[0]), get(n.args[1]))
	case opTrunc, opZExt, opSExt:
		return castValues(n.op, w, int(n.args[0].w), get(n.args[0]))
	case opIte:
		c := get(n.args[0])
		switch {
		case c.ulo == one:
			return *get(n.args[1])
		case c.uhi == zero:
			return *get(n.args[2])
		}
		a := *get(n.args[1])
		a.join(get(n.args[2]))
		return a
	case opEq, opUlt, opSlt:
		return compareValues(n.op, get(n.args[0]), get(n.args[1]))
	}
	return top(w)
}

func (n *node) sumValues(w int, get func(*node) *abs) abs {
	u, s := bounds{n.val, n.val}, bounds{n.val.signed(w), n.val.signed(w)}
	m := u // all coefficients signed, all values unsigned
	m.lo, m.hi = s.lo, s.lo
	uok, sok, mok := true, true, true
	zeros := n.val.trailingZeros()
	for i, x := range n.args {
		v, c := get(x), n.coefs[i]
		sc := c.signed(w)
		uok = uok && u.addScaled(c, bounds{v.ulo, v.uhi})
		sok = sok && s.addScaled(sc, bounds{v.slo, v.shi})
		mok = mok && m.addScaled(sc, bounds{v.ulo, v.uhi})
		zeros = min(zeros, c.trailingZeros()+v.zeros.not().trailingZeros())
	}
	a := both(w, s, sok, u, uok)
	if mok {
		b := fromSigned(w, m)
		a.meet(&b)
	}
	if zeros = min(zeros, w); zeros > 0 {
		a.zeros = a.zeros.or(mask(zeros))
	} else {
		zeros = 0
	}
	// The low bits of a constant above common zeros are known.
	low := w
	for i, x := range n.args {
		low = min(low, n.coefs[i].trailingZeros()+get(x).zeros.not().trailingZeros())
	}
	if low > 0 {
		a.ones = a.ones.or(n.val.wrap(low))
		a.zeros = a.zeros.or(mask(low).and(n.val.not()))
	}
	return a
}

// addScaled adds c times a value in the range v. It returns false if the result does not
// fit an Int.
func (b *bounds) addScaled(c Int, v bounds) bool {
	lo, ok1 := c.mulOK(v.lo)
	hi, ok2 := c.mulOK(v.hi)
	if c.Sign() < 0 {
		lo, hi = hi, lo
	}
	var ok3, ok4 bool
	b.lo, ok3 = b.lo.addOK(lo)
	b.hi, ok4 = b.hi.addOK(hi)
	return ok1 && ok2 && ok3 && ok4
}

// timesBounds returns the range of the products of values in two ranges.
func timesBounds(a, b bounds) (bounds, bool) {
	var r bounds
	for i, x := range [4][2]Int{{a.lo, b.lo}, {a.lo, b.hi}, {a.hi, b.lo}, {a.hi, b.hi}} {
		v, ok := x[0].mulOK(x[1])
		if !ok {
			return r, false
		}
		if i == 0 {
			r = bounds{v, v}
		}
		r.lo, r.hi = minOf(r.lo, v), maxOf(r.hi, v)
	}
	return r, true
}

func (n *node) productValues(w int, get func(*node) *abs) abs {
	u, s := bounds{one, one}, bounds{one, one}
	uok, sok := true, true
	zeros := 0
	for _, x := range n.args {
		v := get(x)
		if uok {
			u, uok = timesBounds(u, bounds{v.ulo, v.uhi})
		}
		if sok {
			s, sok = timesBounds(s, bounds{v.slo, v.shi})
		}
		zeros += v.zeros.not().trailingZeros()
	}
	a := both(w, s, sok, u, uok)
	a.zeros = a.zeros.or(mask(min(zeros, w)))
	return a
}

// divValues returns the values of a quotient or remainder as SMT-LIB defines them.
func divValues(o op, w int, x, y *abs) abs {
	a := top(w)
	switch o {
	case opUDiv:
		if y.ulo.Sign() > 0 {
			lo, _ := x.ulo.quoRem(y.uhi)
			hi, _ := x.uhi.quoRem(y.ulo)
			a.unsigned(lo, hi)
		}
	case opURem: // also x for a zero divisor
		hi := x.uhi
		if y.ulo.Sign() > 0 {
			hi = minOf(hi, y.uhi.sub(one))
		}
		if v, ok := y.single(); ok && v.Sign() > 0 {
			if k := v.trailingZeros(); k > 0 { // the low bits stay
				a.zeros = x.zeros.and(mask(k))
				a.ones = x.ones.and(mask(k))
			}
			if q1, _ := x.ulo.quoRem(v); q1 == first(x.uhi.quoRem(v)) {
				a.unsigned(x.ulo.sub(q1.mul(v)), x.uhi.sub(q1.mul(v)))
			}
		}
		a.unsigned(zero, hi)
	case opSDiv:
		if y.slo.Sign() > 0 || y.shi.Sign() < 0 {
			lo, hi := maxInt, minInt
			for _, p := range [4][2]Int{{x.slo, y.slo}, {x.slo, y.shi}, {x.shi, y.slo}, {x.shi, y.shi}} {
				q, _ := p[0].quoRem(p[1])
				lo, hi = minOf(lo, q), maxOf(hi, q)
			}
			if x.slo.Sign() < 0 && x.shi.Sign() > 0 {
				lo, hi = minOf(lo, zero), maxOf(hi, zero)
			}
			return fromSigned(w, bounds{lo, hi})
		}
	case opSRem: // the sign of x, and no larger than x
		lo, hi := minOf(x.slo, zero), maxOf(x.shi, zero)
		if y.slo.Sign() > 0 || y.shi.Sign() < 0 {
			m := maxOf(y.slo.abs(), y.shi.abs()).sub(one)
			lo, hi = maxOf(lo, m.neg()), minOf(hi, m)
		}
		a.meetSigned(lo, hi)
	}
	return a
}

func first(a, _ Int) Int { return a }

func (n *node) bitValues(w int, get func(*node) *abs) abs {
	x := get(n.args[0])
	a := top(w)
	if n.op == opNot {
		a.zeros, a.ones = x.ones, x.zeros
		return a
	}
	zeros, ones, lo, hi := x.zeros, x.ones, x.ulo, x.uhi
	for _, m := range n.args[1:] {
		y := get(m)
		switch n.op {
		case opAnd:
			zeros, ones = zeros.or(y.zeros), ones.and(y.ones)
			hi = minOf(hi, y.uhi)
			lo = zero
		case opOr:
			zeros, ones = zeros.and(y.zeros), ones.or(y.ones)
			lo = maxOf(lo, y.ulo)
			hi = mask(max(hi.bitLen(), y.uhi.bitLen()))
		default:
			zeros, ones = zeros.and(y.zeros).or(ones.and(y.ones)), zeros.and(y.ones).or(ones.and(y.zeros))
			lo, hi = zero, mask(max(hi.bitLen(), y.uhi.bitLen()))
		}
	}
	a.zeros, a.ones = zeros, ones
	a.unsigned(lo, hi)
	return a
}

// shiftValues returns the values of a shift; the count y is below the width.
func shiftValues(o op, w int, x, y *abs) abs {
	a := top(w)
	lo, hi := int(y.ulo.lo), int(y.uhi.lo)
	if hi >= w {
		return a
	}
	switch o {
	case opShl:
		if v, ok := timesBounds(bounds{x.ulo, x.uhi}, bounds{pow2(lo), pow2(hi)}); ok {
			a = fromSigned(w, v)
		}
		if v, ok := timesBounds(bounds{x.slo, x.shi}, bounds{pow2(lo), pow2(hi)}); ok {
			b := fromSigned(w, v)
			a.meet(&b)
		}
		a.zeros = a.zeros.or(mask(min(w, lo+x.zeros.not().trailingZeros())))
	case opLShr:
		a.unsigned(x.ulo.shr(hi), x.uhi.shr(lo))
	case opAShr:
		a.meetSigned(minOf(x.slo.shr(lo), x.slo.shr(hi)), maxOf(x.shi.shr(lo), x.shi.shr(hi)))
	}
	return a
}

// castValues returns the values of a conversion from `from` bits to w bits.
func castValues(o op, w, from int, x *abs) abs {
	switch o {
	case opZExt:
		a := top(w)
		a.unsigned(x.ulo, x.uhi)
		a.zeros, a.ones = x.zeros.or(mask(w).xor(mask(from))), x.ones
		return a
	case opSExt:
		a := top(w)
		a.meetSigned(x.slo, x.shi)
		low := mask(from - 1)
		a.zeros, a.ones = x.zeros.and(low), x.ones.and(low)
		return a
	}
	a := both(w, bounds{x.slo, x.shi}, true, bounds{x.ulo, x.uhi}, true)
	a.zeros, a.ones = a.zeros.or(x.zeros.wrap(w)), a.ones.or(x.ones.wrap(w))
	return a
}

func compareValues(o op, x, y *abs) abs {
	a := top(1)
	always, never := false, false
	switch o {
	case opEq:
		v, ok := x.single()
		u, ok2 := y.single()
		always, never = ok && ok2 && u == v, x.disjoint(y)
	case opUlt:
		always, never = x.uhi.less(y.ulo), !x.ulo.less(y.uhi)
	case opSlt:
		always, never = x.shi.less(y.slo), !x.slo.less(y.shi)
	}
	switch {
	case always:
		return exactly(1, one)
	case never:
		return exactly(1, zero)
	}
	return a
}
