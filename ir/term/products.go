// This file derives constraints on products of variables.

package term

import "slices"

// products adds products of a constraint and a factor that is not negative: for each
// variable y >= l that is a factor of a monomial and each constraint L >= 0, the
// constraint (y - l)*L >= 0 if it has no new monomial. The products of two bounds are
// among them.
func (s *system) products() {
	var factors []int32
	for _, m := range s.monos {
		if len(m.factors) == 2 {
			for _, f := range m.factors {
				if !slices.Contains(factors, f) {
					factors = append(factors, f)
				}
			}
		}
	}
	if len(factors) == 0 || s.full {
		return
	}
	linear := make([]constraint, 0, len(s.cons)+2*len(factors))
	for _, c := range s.cons {
		if !slices.ContainsFunc(c.list, func(t formTerm) bool { return len(s.monos[t.mono].factors) > 1 }) {
			linear = append(linear, c)
		}
	}
	for _, v := range factors {
		m := s.mono([]int32{v})
		b := s.vars[v]
		linear = append(linear,
			constraint{form: form{[]formTerm{{one, m}}, b.lo.neg()}},
			constraint{form: form{[]formTerm{{IntOf(-1), m}}, b.hi}})
	}
	for _, v := range factors {
		m := s.mono([]int32{v})
		b := s.vars[v]
		for _, c := range linear {
			if !s.productsExist(v, c) {
				continue
			}
			lower := form{[]formTerm{{one, m}}, b.lo.neg()}
			upper := form{[]formTerm{{IntOf(-1), m}}, b.hi}
			for _, f := range []form{lower, upper} {
				if p, ok := s.checked(f, c.form); ok {
					s.add(constraint{p, c.zero})
				}
			}
		}
	}
}

// checked returns the product f*g, unless a coefficient overflows.
func (s *system) checked(f, g form) (form, bool) {
	before := s.full
	p, ok := s.times(f, g)
	if s.full && !before {
		s.full = before
		return p, false
	}
	return p, ok
}

// productsExist reports whether the products of v and the variables of c are monomials of
// the system.
func (s *system) productsExist(v int32, c constraint) bool {
	for _, t := range c.list {
		f := []int32{v, s.monos[t.mono].factors[0]}
		slices.Sort(f)
		key := []byte{byte(f[0]), byte(f[0] >> 8), byte(f[0] >> 16), byte(f[1]), byte(f[1] >> 8), byte(f[1] >> 16)}
		if _, ok := s.byKey[string(key)]; !ok {
			return false
		}
	}
	return true
}
