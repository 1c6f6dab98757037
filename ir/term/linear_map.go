// This file renames the terms of exact integers.

package term

// Map returns l with each of its terms t replaced by f(t), read as signed or unsigned like
// t.
func (l Linear) Map(f func(Term) Term) Linear {
	if l.unknown {
		return l
	}
	r := Linear{c: l.c}
	for _, t := range l.list {
		r = r.plus(t.coef, valueOf(f(Term{t.n}), t.signed, maxDepth))
	}
	return r
}
