// This file defines constraints for attributes.

package pto

import (
	"strings"

	"ptogo/ir"
)

// IntIn returns a constraint on an attribute that accepts integers of type t from lo to
// hi, inclusive.
func IntIn(t ir.Type, lo, hi int64) ir.AttrConstraint {
	return &intRange{ir.IntOf(t), lo, hi}
}

// intRange is an attribute constraint that accepts integers from lo to hi, inclusive. The
// embedded constraint checks the type.
type intRange struct {
	ir.AttrConstraint
	lo, hi int64
}

// CheckAttr implements ir.AttrConstraint. It reports whether a is an integer of the
// required type within the range.
func (r *intRange) CheckAttr(a ir.Attr) bool {
	n, ok := a.AsInt()
	return ok && r.AttrConstraint.CheckAttr(a) && n >= r.lo && n <= r.hi
}

// WantAttr implements ir.AttrConstraint. It describes the accepted integers for error
// messages.
func (r *intRange) WantAttr() string {
	if r.hi == 1<<31-1 {
		return r.AttrConstraint.WantAttr() + ", at least " + Itoa(r.lo)
	}
	return r.AttrConstraint.WantAttr() + " between " + Itoa(r.lo) + " and " + Itoa(r.hi)
}

// Unwrap returns the constraint on the integer's type, so that the parser can infer a
// type that the program omits.
func (r *intRange) Unwrap() ir.AttrConstraint { return r.AttrConstraint }

// Words returns a constraint on a string attribute that accepts the given words. The
// program text may also contain two alternatives for a word, which the parser replaces by
// the word. The first alternative is the word with the given prefix. The second
// alternative is a key of the map whose value is the word.
func Words(prefix string, others map[string]string, words ...string) ir.AttrConstraint {
	return &wordSet{ir.StrIn(words...), prefix, others}
}

// wordSet is an attribute constraint that accepts the given keywords. The map others
// contains alternative keywords, each with the accepted keyword that it means.
type wordSet struct {
	ir.AttrConstraint
	prefix string
	others map[string]string
}

// Canonical implements ir.Speller. It returns the canonical keyword for an attribute that
// is an alternative keyword, or that is the canonical keyword with the additional prefix
// s.prefix. It returns all other attributes unchanged.
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
