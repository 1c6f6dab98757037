// This file defines comparisons of elements.

package scalar

import (
	"cmp"

	"ptogo/ir/num"
)

// Order is a set of outcomes of comparing two elements. The outcomes are less, equal,
// greater and unordered.
type Order uint8

// The outcomes of a comparison. Two elements are unordered if at least one is NaN.
const (
	Less Order = 1 << iota
	Equal
	Greater
	Unordered
)

// Relation is a comparison of two elements. It consists of the set of outcomes for which
// the comparison is true, and of the sign with which it interprets integers.
type Relation struct {
	// On is the set of outcomes for which the relation holds.
	On Order
	// Sign determines how integers are read.
	Sign Sign
}

// Relation returns the relation of p: the set of outcomes of a comparison for which the
// predicate is true. Only the predicate NE is true for unordered elements. The relation
// of an invalid predicate is never true.
func (p Predicate) Relation() Relation {
	if int(p) >= len(predicateOrders) {
		return Relation{}
	}
	return Relation{On: predicateOrders[p]}
}

// predicateOrders maps each predicate of a comparison to the set of outcomes for which it
// holds. For example, LE holds for Less and for Equal. Unordered is the outcome if an
// operand is NaN.
var predicateOrders = [...]Order{
	EQ: Equal,
	NE: Less | Greater | Unordered,
	LT: Less,
	LE: Less | Equal,
	GT: Greater,
	GE: Greater | Equal,
}

// Holds reports whether the relation holds between two elements of format f.
func (r Relation) Holds(f num.Format, a, b uint64) bool {
	return r.On&orderOf(r.Sign.Reading(f), a, b) != 0
}

// Swap returns the relation s for which s(b, a) == r(a, b).
func (r Relation) Swap() Relation {
	on := r.On &^ (Less | Greater)
	if r.On&Less != 0 {
		on |= Greater
	}
	if r.On&Greater != 0 {
		on |= Less
	}
	return Relation{on, r.Sign}
}

// orderOf returns the outcome of comparing two elements of format f. Both float zeros are
// equal.
func orderOf(f num.Format, a, b uint64) Order {
	switch {
	case f.IsFloat():
		x, y := num.Decode(f, a), num.Decode(f, b)
		if x != x || y != y {
			return Unordered
		}
		return outcome(cmp.Compare(x, y))
	case f.Signed():
		return outcome(cmp.Compare(num.Int(f, a), num.Int(f, b)))
	}
	return outcome(cmp.Compare(num.Uint(f, a), num.Uint(f, b)))
}

// outcome returns Less, Equal or Greater for a negative, zero or positive c.
func outcome(c int) Order {
	switch {
	case c < 0:
		return Less
	case c > 0:
		return Greater
	}
	return Equal
}
