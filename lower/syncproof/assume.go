// This file records the assumptions under which a proof holds.

package syncproof

import (
	"slices"

	"ptogo/dialect/pto/order"
)

// The names of assumptions about the program and the hardware. A proof names those that it
// needs. docs/synchronization.md describes them.
const (
	// ArgumentsApart is the name of the assumption that different pointer arguments refer
	// to different memory.
	ArgumentsApart = "distinct-arguments"
	// TilesApart is the name of the assumption that tiles without addresses do not share
	// memory.
	TilesApart = "distinct-tiles"
	// viewsInRows is the name of the assumption that a part of a view does not exceed the view,
	// and that a view does not extend beyond the end of a row of its array, whose length is the
	// stride of the rows.
	viewsInRows = "views-in-rows"
	// writeOrder is the name of the assumption that pipe MTE2 completes its writes in
	// program order.
	writeOrder = "mte2-write-order"
	// scopeOrder is the name of the assumption that a vecscope begins only when the
	// previous vecscope of its core has ended.
	scopeOrder = "scope-order"
)

// pipeOrder maps each pipe to the name of the assumption that the pipe executes its
// instructions in order. The option --check-assume uses the same names.
var pipeOrder = map[order.Line]string{
	order.Vector: "v-order", order.Cube: "m-order", order.MTE1: "mte1-order",
	order.MTE2: "mte2-order", order.MTE3: "mte3-order", order.Fix: "fix-order",
}

// assume records an assumption if two accesses that only it orders may share a byte.
func (x *prover) assume(name string, a, b *record, p, q *Touch, m missing) {
	if name == "" || x.assumed[name] && !x.Explain {
		return
	}
	for _, r := range x.relations(a, b, m, 0) {
		if !x.disjoint(a, b, p, q, r) {
			x.assumed[name] = true
			x.reason(a, b, "in order: the pipe executes its instructions one after the other ("+name+")")
			return
		}
	}
}

// assumeApart records the assumption that two accesses to different objects do not touch
// the same memory, if nothing orders them.
func (x *prover) assumeApart(a, b *record) {
	for i := range a.touch {
		for j := range b.touch {
			x.assumeTouchesApart(&a.touch[i], &b.touch[j])
		}
	}
}

// assumeTouchesApart is assumeApart for single accesses.
func (x *prover) assumeTouchesApart(p, q *Touch) {
	switch {
	case p.Root == nil || q.Root == nil || p.Root == q.Root || p.Space != q.Space || !p.Write && !q.Write || p.Atomic && q.Atomic:
	case p.Root.IsBlockArg() && q.Root.IsBlockArg():
		x.assumed[ArgumentsApart] = true
	default:
		x.assumed[TilesApart] = true
	}
}

// assumptions returns the names of the assumptions that the proof needed, sorted.
func (x *prover) assumptions() []string {
	var names []string
	for name := range x.assumed {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
