// This file lists the predicates of comparisons.

package scalar

import "ptogo/ir/num"

// Predicate is a comparison of two elements.
type Predicate uint8

const (
	// The predicates: equal, not equal, less than, less than or equal, greater than,
	// greater than or equal.
	EQ Predicate = iota
	NE
	LT
	LE
	GT
	GE
)

// predicateNames holds the names of the predicates as instructions write them.
var predicateNames = [...]string{"eq", "ne", "lt", "le", "gt", "ge"}

// String returns the lower-case name, such as "lt".
func (p Predicate) String() string {
	if int(p) < len(predicateNames) {
		return predicateNames[p]
	}
	return "?"
}

// ParsePredicate returns the predicate with the given lower-case name, such as "lt". The
// bool result is false if the name is unknown.
func ParsePredicate(name string) (Predicate, bool) {
	for i, s := range predicateNames {
		if s == name {
			return Predicate(i), true
		}
	}
	return 0, false
}

// Swap returns the predicate q for which q(b, a) == p(a, b).
func (p Predicate) Swap() Predicate {
	switch p {
	case LT:
		return GT
	case GT:
		return LT
	case LE:
		return GE
	case GE:
		return LE
	}
	return p
}

// Compare reports whether the predicate p holds for a and b, the bits of two elements of
// format f. Floats are compared as numbers: both zeros are equal, and every comparison
// with NaN except NE is false.
func Compare(p Predicate, f num.Format, a, b uint64) bool {
	switch {
	case f.IsFloat():
		return compare(p, num.Decode(f, a), num.Decode(f, b))
	case f.Signed():
		return compare(p, num.Int(f, a), num.Int(f, b))
	}
	return compare(p, num.Uint(f, a), num.Uint(f, b))
}

// compare reports whether the predicate p holds for the decoded numbers a and b. Go's
// comparison operators have the required results for NaN.
func compare[T float64 | int64 | uint64](p Predicate, a, b T) bool {
	switch p {
	case EQ:
		return a == b
	case NE:
		return a != b
	case LT:
		return a < b
	case LE:
		return a <= b
	case GT:
		return a > b
	case GE:
		return a >= b
	}
	return false
}
