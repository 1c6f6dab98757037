// This file finds values that fulfil facts, by trying some.

package term

// samples is the number of assignments that are tried.
const samples = 6

// sample reports whether one of a few assignments fulfils all facts. The assignments take
// values from the refined ranges of variables and of unknown functions.
func (q *query) sample() bool {
	vals := make([]Int, len(q.order))
	for k := range samples {
		if q.try(k, vals) {
			return true
		}
	}
	return false
}

func (q *query) try(k int, vals []Int) bool {
	return q.fulfils(vals, func(i int, n *node) Int { return pick(k, i, int(n.w), &q.vals[i]) })
}

// fulfils computes the values of all terms into vals and reports whether they fulfil the
// facts and the declarations of variables. The function free returns the value of a
// variable or of the application of an unknown function.
func (q *query) fulfils(vals []Int, free func(i int, n *node) Int) bool {
	var apps []int32
	for i, n := range q.order {
		var v Int
		switch n.op {
		case opConst:
			v = n.val
		case opVar, opOpaque, opOrder:
			v = free(i, n)
			if n.op != opVar {
				apps = append(apps, int32(i))
			} else if !n.declared(v) {
				return false
			}
		default:
			v = q.result(n, vals)
		}
		if a := &q.vals[i]; v.less(a.ulo) || a.uhi.less(v) {
			return false
		}
		vals[i] = v
	}
	for _, f := range q.facts {
		if vals[q.index[f]] != one {
			return false
		}
	}
	return q.consistent(apps, vals)
}

// result returns the value of an operation, from the values of its operands.
func (q *query) result(n *node, vals []Int) Int {
	w := int(n.w)
	at := func(i int) Int { return vals[q.index[n.args[i]]] }
	var v Int
	switch n.op {
	case opSum:
		v = n.val
		for i := range n.args {
			v = v.add(n.coefs[i].mul(at(i)))
		}
	case opMul:
		v = one
		for i := range n.args {
			v = v.mul(at(i)).wrap(w)
		}
	case opAnd, opOr, opXor:
		v = at(0)
		for i := range n.args[1:] {
			v = bitOp(n.op, v, at(i+1))
		}
	case opIte:
		if at(0) == one {
			v = at(1)
		} else {
			v = at(2)
		}
	default:
		x, y := at(0), zero
		if len(n.args) > 1 {
			y = at(1)
		}
		v = apply(n.op, w, int(n.args[0].w), x, y)
	}
	return v.wrap(w)
}

// pick returns the value of trial k for the variable at position i.
func pick(k, i, w int, a *abs) Int {
	v := a.slo
	size := a.shi.sub(a.slo)
	switch k {
	case 0:
	case 1:
		v = a.shi
	case 2: // small numbers
		if a.slo.Sign() <= 0 && a.shi.Sign() >= 0 {
			v = zero
		}
	case 3:
		v = v.add(size.shr(1))
	default:
		h := (uint64(i)*8 + uint64(k)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
		v = v.add(UintOf(h % 1000003).mod(size.add(one)))
	}
	return v.wrap(w).or(a.ones).and(a.zeros.not())
}

// declared reports whether the variable n can have the value v.
func (n *node) declared(v Int) bool {
	switch n.decl.kind {
	case declNone:
		return true
	case declSigned:
		v = v.signed(int(n.w))
	}
	return !v.less(n.decl.lo) && !n.decl.hi.less(v) && v.mod(n.decl.multiple) == zero
}

// consistent reports whether unknown functions have equal values for equal arguments. The
// slice apps contains the positions of their applications.
func (q *query) consistent(apps []int32, vals []Int) bool {
	for i, a := range apps {
		for _, b := range apps[:i] {
			n, m := q.order[a], q.order[b]
			if vals[a] == vals[b] || !n.sameFunction(m) {
				continue
			}
			equal := true
			for k, x := range n.args {
				equal = equal && vals[q.index[x]] == vals[q.index[m.args[k]]]
			}
			if equal {
				return false
			}
		}
	}
	return true
}

// sameFunction reports whether n and m apply one unknown function.
func (n *node) sameFunction(m *node) bool {
	if n.op != m.op || n.w != m.w || n.name != m.name || len(n.args) != len(m.args) {
		return false
	}
	for i, a := range n.args {
		if a.w != m.args[i].w {
			return false
		}
	}
	return true
}
