// Package routine finds what an engine does for an operation by its kind of
// meaning (ir.Def.Sem). The Go runtime, the LLVM writer and the C++ writer each
// have one table; this package is the form of the tables.
package routine

import (
	"reflect"
	"sync"

	"ptogo/ir"
)

// Table has the routines of a worker W, such as the planner of the runtime,
// which make an R of an operation. It finds them by the Go type of the kind.
type Table[W, R any] struct {
	kinds func() map[reflect.Type]run[W, R]
}

type run[W, R any] func(w W, op *ir.Op, kind ir.Meaning) R

// Row is one routine of a table.
type Row[W, R any] struct {
	kind reflect.Type
	run  run[W, R]
}

// Done is what routines give that only have an effect on their worker.
type Done struct{}

// New returns the table of some groups of rows; later rows for a kind replace
// earlier ones. It is made when it is first asked, since a tool has tables for
// engines that a run of it does not use.
func New[W, R any](groups ...func() []Row[W, R]) Table[W, R] {
	return Table[W, R]{sync.OnceValue(func() map[reflect.Type]run[W, R] {
		kinds := map[reflect.Type]run[W, R]{}
		for _, rows := range groups {
			for _, r := range rows() {
				kinds[r.kind] = r.run
			}
		}
		return kinds
	})}
}

// Has reports whether there is a routine for a kind of meaning.
func (t Table[W, R]) Has(kind ir.Meaning) bool { return t.kinds()[reflect.TypeOf(kind)] != nil }

// Run calls the routine for the meaning of op, if there is one.
func (t Table[W, R]) Run(w W, op *ir.Op) (result R, ok bool) {
	kind := op.Def().Sem
	run := t.kinds()[reflect.TypeOf(kind)]
	if run == nil {
		return result, false
	}
	return run(w, op, kind), true
}

// Makes is the row of a routine for a kind S, which it receives with its
// parameters.
func Makes[W, R any, S ir.Meaning](f func(W, *ir.Op, S) R) Row[W, R] {
	return Row[W, R]{reflect.TypeFor[S](), func(w W, op *ir.Op, kind ir.Meaning) R { return f(w, op, kind.(S)) }}
}

// Does is Makes for a routine without a result.
func Does[W any, S ir.Meaning](f func(W, *ir.Op, S)) Row[W, Done] {
	return Makes(func(w W, op *ir.Op, kind S) Done { f(w, op, kind); return Done{} })
}
