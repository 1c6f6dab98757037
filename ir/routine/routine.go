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
// which make an R of an operation. A kind is a Go type: its parameters are for
// the routine, unless they choose one.
type Table[W, R any] struct {
	kinds func() map[reflect.Type]entry[W, R]
}

// entry has the routines for a kind.
type entry[W, R any] struct {
	values map[ir.Meaning]run[W, R] // for single values of it
	others run[W, R]                // for the others, or nil
}

type run[W, R any] func(w W, op *ir.Op, kind ir.Meaning) R

// Row is one routine of a table.
type Row[W, R any] struct {
	kind  reflect.Type
	value ir.Meaning // the one value of the kind that it is for, or nil
	run   run[W, R]
}

// Done is what routines give that only have an effect on their worker.
type Done struct{}

// New returns the table of some groups of rows; later rows for a kind replace
// earlier ones. It is made when it is first asked, since a tool has tables for
// engines that a run of it does not use.
func New[W, R any](groups ...func() []Row[W, R]) Table[W, R] {
	return Table[W, R]{sync.OnceValue(func() map[reflect.Type]entry[W, R] { return index(groups) })}
}

func index[W, R any](groups []func() []Row[W, R]) map[reflect.Type]entry[W, R] {
	t := map[reflect.Type]entry[W, R]{}
	for _, rows := range groups {
		for _, r := range rows() {
			e := t[r.kind]
			if r.value == nil {
				e.others = r.run
			} else {
				if e.values == nil {
					e.values = map[ir.Meaning]run[W, R]{}
				}
				e.values[r.value] = r.run
			}
			t[r.kind] = e
		}
	}
	return t
}

// routine is that for a kind of meaning, or nil. Only kinds with routines for
// single values are looked up by value: others may not be comparable.
func (t Table[W, R]) routine(kind ir.Meaning) run[W, R] {
	e := t.kinds()[reflect.TypeOf(kind)]
	if e.values != nil && e.values[kind] != nil {
		return e.values[kind]
	}
	return e.others
}

// Has reports whether there is a routine for a kind of meaning.
func (t Table[W, R]) Has(kind ir.Meaning) bool { return t.routine(kind) != nil }

// Run calls the routine for the meaning of op, if there is one.
func (t Table[W, R]) Run(w W, op *ir.Op) (result R, ok bool) {
	kind := op.Def().Sem
	run := t.routine(kind)
	if run == nil {
		return result, false
	}
	return run(w, op, kind), true
}

// Makes is a routine that looks at the parameters of its kind S.
func Makes[W, R any, S ir.Meaning](f func(W, *ir.Op, S) R) Row[W, R] {
	return Row[W, R]{reflect.TypeFor[S](), nil, func(w W, op *ir.Op, kind ir.Meaning) R { return f(w, op, kind.(S)) }}
}

// MakesFor is a routine for a kind without parameters that matter to it.
func MakesFor[S ir.Meaning, W, R any](f func(W, *ir.Op) R) Row[W, R] {
	return Row[W, R]{reflect.TypeFor[S](), nil, func(w W, op *ir.Op, _ ir.Meaning) R { return f(w, op) }}
}

// Value is a kind of meaning whose values can be told apart.
type Value interface {
	comparable
	ir.Meaning
}

// MakesAt is a routine for one value of a kind.
func MakesAt[W, R any, S Value](value S, f func(W, *ir.Op) R) Row[W, R] {
	return Row[W, R]{reflect.TypeFor[S](), value, func(w W, op *ir.Op, _ ir.Meaning) R { return f(w, op) }}
}

// Does is Makes for a routine without a result.
func Does[W any, S ir.Meaning](f func(W, *ir.Op, S)) Row[W, Done] {
	return Makes(func(w W, op *ir.Op, kind S) Done { f(w, op, kind); return Done{} })
}

// DoesAt is MakesAt for a routine without a result.
func DoesAt[W any, S Value](value S, f func(W, *ir.Op)) Row[W, Done] {
	return MakesAt(value, func(w W, op *ir.Op) Done { f(w, op); return Done{} })
}

// DoesFor is MakesFor for a routine without a result.
func DoesFor[S ir.Meaning, W any](f func(W, *ir.Op)) Row[W, Done] {
	return MakesFor[S](func(w W, op *ir.Op) Done { f(w, op); return Done{} })
}
