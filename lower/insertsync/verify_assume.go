// This file records the assumptions under which the proof holds.

package insertsync

import (
	"slices"

	"ptogo/dialect/pto/order"
)

// The names of assumptions about the program and the hardware. The proof reports the name
// of an assumption if it needed the assumption to show that some pair of accesses is in
// order. docs/synchronization.md describes the assumptions.
const (
	// argumentsApart is the name of the assumption that different pointer arguments refer
	// to different memory.
	argumentsApart = "distinct-arguments"
	// tilesApart is the name of the assumption that tiles without addresses do not share
	// memory.
	tilesApart = "distinct-tiles"
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

// assume records that the accesses e and x, which can share a byte, are ordered only
// under an assumption. The parameter name identifies this assumption in reports.
func (r *runner) assume(name string, e, x *access) {
	if name != "" && !r.assumed[name] && (when{}).overlaps(&e.location, &x.location) {
		r.assumed[name] = true
	}
}

// assumePipe records the assumption of in-order execution if only that assumption orders
// two accesses of one pipe. If a flag or barrier orders them, it records nothing.
func (r *runner) assumePipe(e, x *access) {
	switch {
	case r.core.Known(x.epoch.Line).Has(e.epoch):
	case e.scope != nil && x.scope != nil:
		r.assume(scopeOrder, e, x)
	default:
		r.assume(pipeOrder[x.epoch.Line], e, x)
	}
}

// assumeApart checks whether the proof needs the assumption that different objects do not
// share memory. Without this assumption, the access x could conflict with an earlier
// access to another object. If there is such a conflict, assumeApart records the name of
// the assumption.
func (r *runner) assumeApart(x *access) {
	for k, list := range r.past {
		if k.space != x.space || k.root == nil || k.root == x.root {
			continue
		}
		name := tilesApart
		if k.root.IsBlockArg() && x.root.IsBlockArg() {
			name = argumentsApart
		}
		if !r.assumed[name] && slices.ContainsFunc(list, func(e *access) bool { return r.apart(e, x) }) {
			r.assumed[name] = true
		}
	}
}

// apart compares two accesses to different objects (allocations or parameters). It
// reports whether the accesses would be a race if both objects were the same memory.
func (r *runner) apart(e, x *access) bool {
	return (e.write || x.write) && !(e.atomic && x.atomic) && e.epoch != x.epoch && r.ordered(e, x) != inOrder
}

// assumptions returns the names of the assumptions that the proof needed, sorted.
func (p *proof) assumptions() []string {
	var names []string
	for name := range p.assumed {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
