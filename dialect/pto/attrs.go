// This file defines constraints for attributes.

package pto

import (
	"strings"

	"ptogo/ir"
)

// IntIn accepts integers of type t between lo and hi.
func IntIn(t ir.Type, lo, hi int64) ir.AttrConstraint {
	return &intRange{ir.IntOf(t), lo, hi}
}

// intRange accepts integers from lo to hi.
type intRange struct {
	ir.AttrConstraint
	lo, hi int64
}

// CheckAttr implements ir.AttrConstraint.
func (r *intRange) CheckAttr(a ir.Attr) bool {
	n, ok := a.AsInt()
	return ok && r.AttrConstraint.CheckAttr(a) && n >= r.lo && n <= r.hi
}

// WantAttr implements ir.AttrConstraint.
func (r *intRange) WantAttr() string {
	if r.hi == 1<<31-1 {
		return r.AttrConstraint.WantAttr() + ", at least " + Itoa(r.lo)
	}
	return r.AttrConstraint.WantAttr() + " between " + Itoa(r.lo) + " and " + Itoa(r.hi)
}

// Unwrap returns the wrapped constraint, so that the type of the integer may be omitted
// in the text.
func (r *intRange) Unwrap() ir.AttrConstraint { return r.AttrConstraint }

// Words accepts the given words. It also reads each with a prefix before it, and
// the words that others maps to them.
func Words(prefix string, others map[string]string, words ...string) ir.AttrConstraint {
	return &wordSet{ir.StrIn(words...), prefix, others}
}

// wordSet accepts the given keywords. others maps alternative forms to them.
type wordSet struct {
	ir.AttrConstraint
	prefix string
	others map[string]string
}

// Canonical implements ir.Speller.
func (s *wordSet) Canonical(a ir.Attr) ir.Attr {
	word, ok := a.AsString()
	if !ok {
		return a
	}
	if w, ok := s.others[word]; ok {
		return ir.Str(w)
	}
	if w := strings.TrimPrefix(word, s.prefix); s.CheckAttr(ir.Str(w)) {
		return ir.Str(w)
	}
	return a
}
