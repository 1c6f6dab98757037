// This file emits reductions of rows and columns.

package llvm

import (
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// tileLine emits the reduction of one row or column of n elements with the function fn.
// The field most is an upper bound of n. The function get emits element i of the row or
// column.
type tileLine struct {
	f    *function
	op   *ir.Op
	fn   *scalar.Fn
	e    element
	n    value.Value
	most int64
	get  func(i value.Value) value.Value
}

// reduce emits a reduction of a row or column from left to right, in which the result of
// each step is rounded.
func (l *tileLine) reduce() value.Value {
	f := l.f
	rest := f.Sub(l.n, ll.Index(1))
	return f.Reduce("reduce", rest, []value.Value{l.get(ll.Index(0))}, func(i value.Value, acc []value.Value) []value.Value {
		return []value.Value{f.applyTo(l.op, l.fn, l.e, acc[0], l.get(f.Add(i, ll.Index(1))))}
	})[0]
}

// best emits code that finds the first largest or smallest element of the line. It
// returns the index of this element. NaN counts as more extreme than all numbers.
func (l *tileLine) best() value.Value {
	f := l.f
	init := []value.Value{l.get(ll.Index(0)), ll.Index(0)}
	return f.Reduce("best", f.Sub(l.n, ll.Index(1)), init, func(i value.Value, acc []value.Value) []value.Value {
		at := f.Add(i, ll.Index(1))
		x := l.get(at)
		take := f.beats(l.fn, l.e, x, acc[0])
		return []value.Value{f.Select(take, x, acc[0]), f.Select(take, at, acc[1])}
	})[1]
}

// beats emits a test whether x is a better maximum or minimum than y, depending on fn.
// NaN counts as more extreme than all numbers.
func (f *function) beats(fn *scalar.Fn, e element, x, y value.Value) value.Value {
	first := f.Relation(sem.Beats(fn), e.f, x, y)
	if e.f.IsFloat() {
		first = f.Or(first, f.isNaNOf(e, x))
		first = f.And(first, f.Not(f.isNaNOf(e, y)))
	}
	return first
}
