// Package routine finds what an engine does for an operation by its kind of
// meaning (ir.Def.Sem). The Go runtime, the LLVM writer and the C++ writer each
// have one table; this package is the form of the tables.
package routine

import (
	"reflect"

	"ptogo/ir"
)

// Table has the routines of a worker W, such as the planner of the runtime,
// which make an R of an operation. A kind is a Go type: its parameters are for
// the routine.
type Table[W, R any] map[reflect.Type]func(w W, op *ir.Op, kind ir.Meaning) R

// Row is one routine of a table.
type Row[W, R any] struct {
	kind reflect.Type
	run  func(W, *ir.Op, ir.Meaning) R
}

// Done is what routines give that only have an effect on their worker.
type Done struct{}

// New makes a table; later rows for a kind replace earlier ones.
func New[W, R any](groups ...[]Row[W, R]) Table[W, R] {
	t := Table[W, R]{}
	for _, rows := range groups {
		for _, r := range rows {
			t[r.kind] = r.run
		}
	}
	return t
}

// Has reports whether there is a routine for a kind of meaning.
func (t Table[W, R]) Has(kind ir.Meaning) bool { return t[reflect.TypeOf(kind)] != nil }

// Run calls the routine for the meaning of op, if there is one.
func (t Table[W, R]) Run(w W, op *ir.Op) (result R, ok bool) {
	kind := op.Def().Sem
	run := t[reflect.TypeOf(kind)]
	if run == nil {
		return result, false
	}
	return run(w, op, kind), true
}

// Makes is a routine that looks at the parameters of its kind S.
func Makes[W, R any, S ir.Meaning](f func(W, *ir.Op, S) R) Row[W, R] {
	return Row[W, R]{reflect.TypeFor[S](), func(w W, op *ir.Op, kind ir.Meaning) R { return f(w, op, kind.(S)) }}
}

// MakesFor is a routine for a kind without parameters that matter to it.
func MakesFor[S ir.Meaning, W, R any](f func(W, *ir.Op) R) Row[W, R] {
	return Row[W, R]{reflect.TypeFor[S](), func(w W, op *ir.Op, _ ir.Meaning) R { return f(w, op) }}
}

// Does is Makes for a routine without a result.
func Does[W any, S ir.Meaning](f func(W, *ir.Op, S)) Row[W, Done] {
	return Makes(func(w W, op *ir.Op, kind S) Done { f(w, op, kind); return Done{} })
}

// DoesFor is MakesFor for a routine without a result.
func DoesFor[S ir.Meaning, W any](f func(W, *ir.Op)) Row[W, Done] {
	return MakesFor[S](func(w W, op *ir.Op) Done { f(w, op); return Done{} })
}
