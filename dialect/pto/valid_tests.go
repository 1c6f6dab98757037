// This file defines conditions on valid regions.

package pto

import (
	"fmt"

	"ptogo/ir"
)

// ValidTest is one condition on valid regions. The verifier and the runtime ask
// whether it holds, compiled code has instructions for it: so it is data.
type ValidTest struct {
	Kind TestKind
	Axis int   // 0: rows, 1: columns
	N    int64 // of kinds that have a number
}

// TestKind is what a condition asks for. A and B are the arguments of the rule.
type TestKind uint8

// The kinds of conditions.
const (
	TestEqual        TestKind = iota // A has as many as B
	TestPackedEqual                  // or one has twice as many as the other, which packs two in an element
	TestWithin                       // A has no more than B
	TestCovers                       // A has no fewer than B
	TestIs                           // A has N
	TestAtLeast                      // A has N or more
	TestEven                         // A has an even number
	TestSome                         // A has one
	TestNonEmpty                     // A has rows and columns
	TestNotHalfEmpty                 // A has rows and columns, or neither
)

var axisNames = [2]string{"rows", "columns"}

func (e Extent) along(axis int) int64 { return [2]int64{e.Rows, e.Cols}[axis] }

// broken returns what is wrong with the valid regions a and b, or "".
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

// holds reports whether the condition holds for a region a and the sizes x of A and
// y of B along the axis, as far as they are known.
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
		return x == y || x == 2*y || y == 2*x
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

// compares reports whether the condition is one on two regions.
func (k TestKind) compares() bool { return k <= TestCovers }

// halfEmpty reports whether a valid region is known to have rows or columns
// without elements. With neither it is the mark of a part that is not there.
func halfEmpty(e Extent) bool {
	return (e.Rows == 0) != (e.Cols == 0) && e.Rows != ir.Dynamic && e.Cols != ir.Dynamic
}
