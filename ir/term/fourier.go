// This file decides systems of linear constraints over integers, by elimination of
// variables (Fourier-Motzkin) with rounding of constants.

package term

// rows is a system of linear constraints. Each monomial counts as a variable. A
// constraint whose numbers overflow is dropped, which can only make a system solvable.
type rows struct {
	ineq []form // each >= 0
	eq   []form // each == 0
	// shapes are those of ineq. Most pairs of rows differ in them, so that add compares
	// few rows term by term.
	shapes []uint64
	bad    bool // a constraint has no solution
}

// The limits of the elimination.
const (
	maxRows    = 160
	maxColumns = 40 // terms of one row
)

// add adds a constraint in lowest terms.
func (r *rows) add(c constraint) {
	f := c.form
	if len(f.list) == 0 {
		r.bad = r.bad || f.c.Sign() < 0 || c.zero && f.c.Sign() > 0
		return
	}
	g := zero
	for _, t := range f.list {
		if g = gcd(g, t.coef); g == one {
			break
		}
	}
	if g.Sign() < 0 {
		return
	}
	if g != one {
		list := make([]formTerm, len(f.list))
		for i, t := range f.list {
			q, _ := t.coef.quoRem(g)
			list[i] = formTerm{q, t.mono}
		}
		if c.zero && f.c.mod(g) != zero {
			r.bad = true
			return
		}
		f = form{list, f.c.floorDiv(g)} // an integer >= -c/g is >= -floor(c/g)
	}
	if c.zero {
		r.eq = append(r.eq, f)
		return
	}
	shape := f.shape()
	for i, other := range r.shapes {
		if other != shape {
			continue
		}
		h := r.ineq[i]
		switch parallel(f, h) {
		case 1: // the stronger one stays
			r.ineq[i].c = minOf(f.c, h.c)
			return
		case -1: // -h.c <= x <= f.c
			switch s, ok := f.c.addOK(h.c); {
			case ok && s.Sign() < 0:
				r.bad = true
				return
			case ok && s == zero:
				last := len(r.ineq) - 1
				r.ineq[i], r.shapes[i] = r.ineq[last], r.shapes[last]
				r.ineq, r.shapes = r.ineq[:last], r.shapes[:last]
				r.eq = append(r.eq, f)
				return
			}
		}
	}
	r.ineq, r.shapes = append(r.ineq, f), append(r.shapes, shape)
}

// shape returns a number that is equal for forms whose coefficients are equal or opposite.
func (f form) shape() uint64 {
	const prime = 0x100000001b3 // of the FNV hash
	h := uint64(len(f.list))
	for _, t := range f.list {
		h = (h ^ uint64(t.mono)) * prime
		h = (h ^ t.coef.abs().lo) * prime
	}
	return h
}

// parallel returns 1 if f and g have equal coefficients, -1 if they have opposite
// coefficients, and 0 otherwise.
func parallel(f, g form) int {
	if len(f.list) != len(g.list) {
		return 0
	}
	same, opposite := true, true
	for i, t := range f.list {
		u := g.list[i]
		if t.mono != u.mono {
			return 0
		}
		same = same && t.coef == u.coef
		opposite = opposite && t.coef == u.coef.neg()
		if !same && !opposite {
			return 0
		}
	}
	if same {
		return 1
	}
	return -1
}

// coef returns the coefficient of variable v in f.
func (f form) coef(v int32) Int {
	for _, t := range f.list {
		if t.mono == v {
			return t.coef
		}
	}
	return zero
}

// mix returns a*f + b*g. The bool result is false if it overflows or is too long.
func mix(a Int, f form, b Int, g form) (form, bool) {
	ok := true
	calc := func(x, y Int) Int {
		p, ok1 := a.mulOK(x)
		q, ok2 := b.mulOK(y)
		r, ok3 := p.addOK(q)
		ok = ok && ok1 && ok2 && ok3
		return r
	}
	r := form{c: calc(f.c, g.c), list: make([]formTerm, 0, len(f.list)+len(g.list))}
	i, j := 0, 0
	for i < len(f.list) || j < len(g.list) {
		var t formTerm
		switch {
		case j == len(g.list) || i < len(f.list) && f.list[i].mono < g.list[j].mono:
			t = formTerm{calc(f.list[i].coef, zero), f.list[i].mono}
			i++
		case i == len(f.list) || g.list[j].mono < f.list[i].mono:
			t = formTerm{calc(zero, g.list[j].coef), g.list[j].mono}
			j++
		default:
			t = formTerm{calc(f.list[i].coef, g.list[j].coef), f.list[i].mono}
			i, j = i+1, j+1
		}
		if t.coef != zero {
			r.list = append(r.list, t)
		}
	}
	return r, ok && len(r.list) <= maxColumns
}

// solvable reports false if the constraints have no solution in integers. If it reports
// true, a solution can exist.
func (r *rows) solvable(vars int) bool {
	for steps := 0; ; steps++ {
		switch {
		case r.bad:
			return false
		case steps > 4*vars+200:
			return true
		case len(r.eq) > 0:
			r.eliminateEq()
		default:
			done, ok := r.eliminate(vars)
			if done || !ok {
				return !r.bad
			}
		}
	}
}

// eliminateEq removes one equation. If a variable x has the coefficient 1 or -1, it is
// replaced everywhere. Otherwise, x is replaced by y - q, where q is chosen such that the
// other coefficients become smaller than that of x, as in Euclid's algorithm.
func (r *rows) eliminateEq() {
	f := r.eq[len(r.eq)-1]
	r.eq = r.eq[:len(r.eq)-1]
	best := 0
	for i, t := range f.list {
		if t.coef.abs().less(f.list[best].coef.abs()) {
			best = i
		}
	}
	x, a := f.list[best].mono, f.list[best].coef
	if a.Sign() < 0 {
		var ok bool
		if f, ok = mix(IntOf(-1), f, zero, form{}); !ok {
			return
		}
		a = a.neg()
	}
	if a == one { // x = x - f
		r.replace(x, f)
		return
	}
	// x = y - q with f = a*x + rest and q = floor(rest / a), term by term. The column of x
	// becomes that of y.
	q := form{c: f.c.floorDiv(a)}
	for _, t := range f.list {
		if t.mono != x {
			if k := t.coef.floorDiv(a); k != zero {
				q.list = append(q.list, formTerm{k, t.mono})
			}
		}
	}
	r.eq = append(r.eq, f)
	r.replace(x, q)
}

// replace replaces x by x - f in all rows. If f contains x with the coefficient 1, x
// disappears.
func (r *rows) replace(x int32, f form) {
	ineq, eq := r.ineq, r.eq
	r.ineq, r.shapes, r.eq = nil, nil, nil
	for i, list := range [][]form{ineq, eq} {
		for _, g := range list {
			k := g.coef(x)
			if k != zero {
				var ok bool
				if g, ok = mix(one, g, k.neg(), f); !ok {
					continue
				}
			}
			r.add(constraint{g, i == 1})
		}
	}
}

// eliminate removes the variable that causes the smallest number of new rows. The result
// done is true if no variable is left, and ok is false if the limits are reached.
func (r *rows) eliminate(vars int) (done, ok bool) {
	pos, neg := make([]int, vars), make([]int, vars)
	for _, f := range r.ineq {
		for _, t := range f.list {
			if t.coef.Sign() > 0 {
				pos[t.mono]++
			} else {
				neg[t.mono]++
			}
		}
	}
	best, cost := -1, 0
	for v := range vars {
		if pos[v]+neg[v] == 0 {
			continue
		}
		if c := pos[v]*neg[v] - pos[v] - neg[v]; best < 0 || c < cost {
			best, cost = v, c
		}
	}
	if best < 0 {
		return true, true
	}
	x := int32(best)
	if len(r.ineq)+cost > maxRows {
		return false, false
	}
	var above, below []form
	ineq := r.ineq
	r.ineq, r.shapes = nil, nil
	for _, f := range ineq {
		switch f.coef(x).Sign() {
		case 1:
			below = append(below, f)
		case -1:
			above = append(above, f)
		default:
			r.add(constraint{form: f})
		}
	}
	for _, f := range below {
		for _, g := range above {
			a, b := f.coef(x), g.coef(x).neg()
			d := gcd(a, b)
			p, _ := b.quoRem(d)
			q, _ := a.quoRem(d)
			if h, ok := mix(p, f, q, g); ok {
				if r.add(constraint{form: h}); r.bad {
					return true, true
				}
			}
		}
	}
	return false, true
}
