// This file emits checks of valid regions that are only known at run time.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/ir"
)

// checkExtents emits checks of the rules on valid regions that depend on values at run
// time. If a rule is violated, the emitted code traps. The runtime then executes the
// kernel once more in Go and reports which rule was violated.
func (f *function) checkExtents(op *ir.Op) {
	for _, r := range pto.OpenRules(op, f.opts.Target) {
		if r.Lax.Has(f.opts.Target) {
			continue
		}
		a, ok := f.tileArg(op, r.A)
		b := a
		if ok && r.B != "" {
			b, ok = f.tileArg(op, r.B)
		}
		if !ok {
			return
		}
		for _, t := range r.Tests {
			f.demand(f.holds(t, &a, &b))
		}
	}
}

// demand emits a trap for a condition that must hold: the trap is executed if the i1 in
// the parameter fine is false.
func (f *function) demand(fine value.Value) {
	if n, known := ll.ConstantInt(fine); !known || n == 0 {
		f.TrapIf(f.Not(fine))
	}
}

// holds emits an i1 that is true if the condition t on valid regions is satisfied. An
// example of a condition is that the tiles a and b have equally many valid rows.
func (f *function) holds(t pto.ValidTest, a, b *tile) value.Value {
	x, y := a.along(t.Axis), b.along(t.Axis)
	n := ll.Index(t.N)
	switch t.Kind {
	case pto.TestEqual:
		return f.ICmp(enum.IPredEQ, x, y)
	case pto.TestPackedEqual:
		twice := f.Or(f.ICmp(enum.IPredEQ, x, f.Add(y, y)), f.ICmp(enum.IPredEQ, y, f.Add(x, x)))
		return f.Or(f.ICmp(enum.IPredEQ, x, y), twice)
	case pto.TestWithin:
		return f.ICmp(enum.IPredSLE, x, y)
	case pto.TestCovers:
		return f.ICmp(enum.IPredSGE, x, y)
	case pto.TestIs:
		return f.ICmp(enum.IPredEQ, x, n)
	case pto.TestAtLeast:
		return f.ICmp(enum.IPredSGE, x, n)
	case pto.TestEven:
		return f.ICmp(enum.IPredEQ, f.URem(x, ll.Index(2)), ll.Index(0))
	case pto.TestSome:
		return f.ICmp(enum.IPredNE, x, ll.Index(0))
	}
	noRows, noCols := f.ICmp(enum.IPredEQ, a.rows, ll.Index(0)), f.ICmp(enum.IPredEQ, a.cols, ll.Index(0))
	if t.Kind == pto.TestNotHalfEmpty {
		return f.ICmp(enum.IPredEQ, noRows, noCols)
	}
	return f.Not(f.Or(noRows, noCols))
}

// along returns the number of valid rows (axis 0) or of valid columns (axis 1).
func (t *tile) along(axis int) value.Value {
	if axis == 0 {
		return t.rows
	}
	return t.cols
}
