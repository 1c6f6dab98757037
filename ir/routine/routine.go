// Package routine maps operations to the routines of an engine by their kind of
// meaning (ir.Def.Sem). The Go runtime, the LLVM writer and the C++ writer each
// build a Table; this package is the common form of these tables.
package routine

import (
	"reflect"
	"sync"

	"ptogo/ir"
)

// Table maps each kind of meaning, a Go type that describes what operations compute, to a
// routine. A routine receives a worker of type W, such as the planner of the runtime, and
// an operation. It returns an R, such as a Go function that executes the operation.
type Table[W, R any] struct {
	kinds func() map[reflect.Type]run[W, R]
}

// run is the type of the functions that a Table stores. A routine accepts only meanings
// of its own kind (Go type). The function Makes therefore wraps each routine in a
// function of type run, which accepts every ir.Meaning. The wrapper passes the meaning on
// to the routine.
type run[W, R any] func(w W, op *ir.Op, kind ir.Meaning) R

// Row is one entry of a Table: the routine for one kind of meaning (a Go type that
// describes what instructions compute). The functions Makes and Does create rows.
type Row[W, R any] struct {
	kind reflect.Type
	run  run[W, R]
}

// Done is the result type of routines that return nothing and only change their worker.
type Done struct{}

// New returns a table that maps kinds of meaning to routines. Each argument is a function
// that returns some rows of the table. If several rows have the same kind, the last one
// wins. The table is built on first use: a tool contains the tables of several engines,
// but a run uses only some of them.
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

// Has reports whether the table has a routine for the given kind of meaning, a Go type
// that describes what instructions compute.
func (t Table[W, R]) Has(kind ir.Meaning) bool { return t.kinds()[reflect.TypeOf(kind)] != nil }

// Run looks up the routine for the meaning of op and calls it with w, op and the meaning.
// It returns the result of the routine. The bool result is false if the table has no
// routine for this meaning.
func (t Table[W, R]) Run(w W, op *ir.Op) (result R, ok bool) {
	kind := op.Def().Sem
	run := t.kinds()[reflect.TypeOf(kind)]
	if run == nil {
		return result, false
	}
	return run(w, op, kind), true
}

// Makes returns a table entry that maps the kind S to the function f. The function f also
// receives the kind of the operation as a value of type S. The fields of this value are
// the parameters of the kind, for example which function an elementwise instruction
// computes. Makes is not inlined, because the Go compiler would translate its function
// literal twice for each of several hundred rows.
//
//go:noinline
func Makes[W, R any, S ir.Meaning](f func(W, *ir.Op, S) R) Row[W, R] {
	return Row[W, R]{reflect.TypeFor[S](), func(w W, op *ir.Op, kind ir.Meaning) R { return f(w, op, kind.(S)) }}
}

// Does returns a row of a table of routines. It maps the kind of meaning S to the function
// f, which processes instructions of this kind and has no result.
//
//go:noinline
func Does[W any, S ir.Meaning](f func(W, *ir.Op, S)) Row[W, Done] {
	return Row[W, Done]{reflect.TypeFor[S](), func(w W, op *ir.Op, kind ir.Meaning) Done { f(w, op, kind.(S)); return Done{} }}
}
