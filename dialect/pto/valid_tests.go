// This file defines conditions on valid regions.

package pto

import (
	"fmt"

	"ptogo/ir"
)

// ValidTest is a condition on the valid regions (the parts that hold data) of one or two
// tiles. It is data instead of a function, because the verifier and the runtime evaluate
// it, and compiled code contains instructions for it.
type ValidTest struct {
	Kind TestKind
	// Axis is 0 for rows and 1 for columns.
	Axis int
	// N is the number with which TestIs and TestAtLeast compare.
	N int64
}

// TestKind is the comparison that a ValidTest makes. In the
// comments of its constants, A and B are the two tiles whose valid regions are compared.
type TestKind uint8

// The kinds of comparisons between the valid regions of tiles A and B. A comparison
// applies to one axis: to the number of valid rows (axis 0), or to the number of valid
// columns (axis 1).
const (
	// TestEqual requires that tile A has as many valid rows (or columns) as tile B.
	TestEqual TestKind = iota
	// TestPackedEqual requires that tiles A and B have equal numbers of valid rows (or
	// columns), or that one has twice as many as the other, or one less than that. In these
	// cases, the tile with fewer stores two numbers in each element.
	TestPackedEqual
	// TestWithin requires that tile A has at most as many valid rows (or columns) as tile
	// B.
	TestWithin
	// TestCovers requires that tile A has at least as many valid rows (or columns) as
	// tile B.
	TestCovers
	// TestIs requires that tile A has exactly N valid rows (or columns), where N is the
	// field of ValidTest.
	TestIs
	// TestAtLeast requires that tile A has at least N valid rows (or columns), where N is
	// the field of ValidTest.
	TestAtLeast
	// TestEven requires that tile A has an even number of valid rows (or columns).
	TestEven
	// TestSome requires that tile A has at least one valid row (or column).
	TestSome
	// TestNonEmpty requires that tile A has at least one valid row and at least one valid
	// column.
	TestNonEmpty
	// TestNotHalfEmpty requires that tile A has both valid rows and valid columns, or
	// neither of them.
	TestNotHalfEmpty
)

// axisNames are the names of the axes in messages, indexed by axis.
var axisNames = [2]string{"rows", "columns"}

// along returns the number of rows for axis 0, and the number of columns for axis 1.
func (e Extent) along(axis int) int64 { return [2]int64{e.Rows, e.Cols}[axis] }

// broken returns a message if the valid regions a of r.A and b of r.B violate the
// condition, and "" otherwise.
func (t ValidTest) broken(r ValidRule, a, b Extent) string {
	x, y, what := a.along(t.Axis), b.along(t.Axis), axisNames[t.Axis]
	if t.holds(a, x, y) {
		return ""
	}
	switch t.Kind {
	case TestEqual, TestPackedEqual:
		return fmt.Sprintf("valid %s of \"%s\" and \"%s\" must be equal, but are %d and %d", what, r.A, r.B, x, y)
	case TestWithin:
		return fmt.Sprintf("\"%s\" has %d valid %s, but \"%s\" has only %d", r.A, x, what, r.B, y)
	case TestCovers:
		return fmt.Sprintf("\"%s\" has %d valid %s, but \"%s\" has only %d", r.B, y, what, r.A, x)
	case TestIs:
		return fmt.Sprintf("\"%s\" must have %d valid %s, but has %d", r.A, t.N, what, x)
	case TestAtLeast:
		return fmt.Sprintf("\"%s\" must have at least %d valid %s, but has %d", r.A, t.N, what, x)
	case TestEven:
		return fmt.Sprintf("\"%s\" must have an even number of valid %s, but has %d", r.A, what, x)
	case TestSome:
		return fmt.Sprintf("\"%s\" must have a valid column", r.A)
	}
	return fmt.Sprintf("valid region of \"%s\" must not be empty, but is %dx%d", r.A, a.Rows, a.Cols)
}

// holds reports whether the condition t is true. The parameter a is the valid region of
// the rule's operand A, and x and y are the extents of A and B along t.Axis. A condition
// on an unknown extent counts as true.
func (t ValidTest) holds(a Extent, x, y int64) bool {
	switch t.Kind {
	case TestNonEmpty:
		return a.Rows != 0 && a.Cols != 0
	case TestNotHalfEmpty:
		return !halfEmpty(a)
	}
	if x == ir.Dynamic || t.Kind.compares() && y == ir.Dynamic {
		return true
	}
	switch t.Kind {
	case TestEqual:
		return x == y
	case TestPackedEqual: // the rule on types sees to it that one side is packed
		return x == y || x == 2*y || y == 2*x || x == 2*y-1 || y == 2*x-1
	case TestWithin:
		return x <= y
	case TestCovers:
		return x >= y
	case TestIs:
		return x == t.N
	case TestAtLeast:
		return x >= t.N
	case TestEven:
		return x%2 == 0
	}
	return x != 0
}

// compares reports whether a condition of kind k compares the valid regions of two tiles.
// Conditions of the other kinds test the valid region of one tile.
func (k TestKind) compares() bool { return k <= TestCovers }

// halfEmpty reports whether the valid region e is known to have zero rows but not zero
// columns, or zero columns but not zero rows. Such a region is a mistake. A region with
// zero rows and zero columns is legal, because programs use it to represent missing data.
func halfEmpty(e Extent) bool {
	return (e.Rows == 0) != (e.Cols == 0) && e.Rows != ir.Dynamic && e.Cols != ir.Dynamic
}
