// This file defines the pass that moves invariant loads out of loops.

package passes

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// HoistLoads moves loads of tiles out of loops if each iteration loads the same elements.
// Loop-invariant code motion does not move them, because they read memory that the loop
// might write. Like the static proof of synchronization, the pass assumes that different
// pointer arguments do not overlap.
var HoistLoads = &Pass{
	Name:  "pto-hoist-loads",
	Title: "PTOHoistLoads",
	Doc: "Moves pto.tload of Level 1 out of loops if each iteration loads the same elements, which no instruction of the loop writes." +
		" The bounds of the loop must be constants for which it runs. Different pointer arguments must not overlap.",
	Stats: []Stat{{"num-moved", "loads moved out of a loop"}},
	Run: func(c *Context, op *ir.Op) error {
		hoistLoads(c, op)
		return nil
	},
}

// hoistLoads processes the loops in the regions of op, inner loops first, so that a load
// can leave several loops.
func hoistLoads(c *Context, op *ir.Op) {
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				hoistLoads(c, o)
			}
		}
	}
	// A loop that does not run loads nothing, and the elements might not be in memory.
	if !op.Is(scf.For) || !entersFirst(op) || synchronizes(op) {
		return
	}
	for _, load := range slices.Collect(op.Region(0).Entry().Ops()) {
		if _, loads := load.Def().Sem.(sem.TileLoad); !loads || !computesTiles(load) || load.Effects().Has(effect.ReadsState|effect.WritesState) {
			continue
		}
		chain, ok := invariantChain(load, op)
		if !ok || written(pto.BasePointer(load.Operand(0)), op) {
			continue
		}
		for _, o := range chain {
			op.Block().InsertBefore(o, op)
		}
		c.Count("num-moved", 1)
	}
}

// synchronizes reports whether op contains synchronization, exchanges data with another
// core, or calls a function. Loads then stay where they are.
func synchronizes(op *ir.Op) bool {
	for o := range op.Walk() {
		if betweenCores(o) || analysis.CalleeOf(o) != nil || o.Effects().Has(effect.Waits|effect.WaitsAcross|effect.Meets|effect.Signals) {
			return true
		}
	}
	return false
}

// invariantChain returns the operations directly in the loop that compute the operands of
// load, followed by load, in the order of the text. The result ok is false if one of them
// depends on the iteration.
func invariantChain(load, loop *ir.Op) (chain []*ir.Op, ok bool) {
	body := loop.Region(0).Entry()
	seen := map[*ir.Op]bool{load: true}
	for pending := []*ir.Op{load}; len(pending) > 0; pending = pending[1:] {
		for _, v := range pending[0].Operands() {
			at := v.Op()
			switch {
			case at == nil && (v.Block() == body || v.Block().Parent() == nil || loop.Encloses(v.Block().Parent())):
				return nil, false
			case at == nil || !loop.Encloses(at) || seen[at]:
				continue
			case at.Block() != body || !IsPure(at):
				return nil, false
			}
			seen[at] = true
			pending = append(pending, at)
		}
	}
	for o := range body.Ops() {
		if seen[o] {
			chain = append(chain, o)
		}
	}
	return chain, true
}

// written reports whether an instruction of the loop might write global memory to which
// the pointer p refers.
func written(p *ir.Value, loop *ir.Op) bool {
	if p.Op() != nil || loop.Encloses(p.Block().Parent()) {
		return true // it is not a function argument
	}
	for op := range loop.Walk() {
		for _, e := range pto.Effects(op) {
			if e.Kind&pto.Writes == 0 || e.Space != sem.GM {
				continue
			}
			if q := pto.BasePointer(e.Value); q == p || q.Op() != nil {
				return true
			}
		}
	}
	return false
}
