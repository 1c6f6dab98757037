// This file creates the function for one kind of core.

package splitcores

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// halfFunc is the new function for one kind of core (cube or vector) during its
// construction.
type halfFunc struct {
	w    *work
	core sem.Unit
	f    *ir.Op
	// ops and vals map operations and values of the original function to their copies.
	ops  map[*ir.Op]*ir.Op
	vals map[*ir.Value]*ir.Value
	// pops are the queue entries that the new function pops.
	pops []popped
	// sub is the number of the vector core as a value, or nil if it is not needed yet.
	sub *ir.Value
	// shares are the shares of this vector core that are computed already.
	shares map[shareKey]rowsOf
}

// copyFor copies the original function for one kind of core. symbol is the name of the
// copy, which is inserted after the original.
func (w *work) copyFor(core sem.Unit, symbol string) *halfFunc {
	h := &halfFunc{w: w, core: core, ops: map[*ir.Op]*ir.Op{}, vals: map[*ir.Value]*ir.Value{}, shares: map[shareKey]rowsOf{}}
	h.f = w.f.Clone(h.vals)
	h.f.SetAttr("sym_name", ir.Str(symbol))
	h.f.SetAttr("pto.kernel_kind", pto.KernelKindEnum.Attr(name(core)))
	w.f.Block().InsertBefore(h.f, w.f)
	copies := slices.Collect(h.f.Walk())
	i := 0
	for op := range w.f.Walk() {
		h.ops[op] = copies[i]
		i++
	}
	return h
}

// prune removes the work of the other kind of core from the copied function. It first
// removes the tiles of that core from the operands of terminators, that is, from the
// values that loops and branches carry. It then removes the operations that only the
// other kind of core executes, users before definitions. Finally it removes operations
// without uses and effects.
func (h *halfFunc) prune() {
	for op := range h.f.Walk() {
		if op.HasTrait(ir.Terminator) && op.Parent() != h.f {
			op.SetOperands(h.kept(op.Operands()), nil)
		}
	}
	all := slices.Collect(h.w.f.Walk())
	for _, op := range slices.Backward(all) {
		mine := h.ops[op]
		switch {
		case mine == nil || op == h.w.f || op.HasTrait(ir.Terminator):
		case len(op.Regions()) > 0:
			h.narrow(op)
		case h.w.unit[op]&h.core == 0:
			mine.Erase()
			delete(h.ops, op)
		}
	}
	h.sweep()
}

// kept returns the values vs without those tiles that the core of h cannot access,
// because they are in memories of the other core type.
func (h *halfFunc) kept(vs []*ir.Value) []*ir.Value {
	return slices.DeleteFunc(slices.Clone(vs), func(v *ir.Value) bool { return coreOf(v.Type())&h.core == 0 })
}

// narrow replaces the copy of a loop or branch in this half of a function. The
// replacement carries only the values that this kind of core needs, and not the tiles of
// the other kind of core.
func (h *halfFunc) narrow(original *ir.Op) {
	op := h.ops[original]
	s := ir.State{Def: op.Def(), Form: op.Form(), Loc: op.Loc(), Operands: h.kept(op.Operands())}
	var results []*ir.Value
	for _, v := range h.kept(op.Results()) {
		s.Results = append(s.Results, v.Type())
		results = append(results, v)
	}
	if len(results) == op.NumResults() {
		return
	}
	for range op.Regions() {
		s.Regions = append(s.Regions, ir.NewRegion())
	}
	n := ir.Before(op).Create(s)
	for i, r := range op.Regions() {
		n.Region(i).Take(r)
		b := n.Region(i).Entry()
		for _, a := range slices.Backward(slices.Clone(b.Args())) {
			if coreOf(a.Type())&h.core == 0 {
				b.RemoveArg(a.Index())
			}
		}
	}
	for _, a := range op.ExtraAttrs() {
		n.SetAttr(a.Name, a.Attr)
	}
	for i, v := range results {
		v.ReplaceAllUses(n.Result(i))
	}
	for i, v := range original.Results() {
		if k := slices.Index(results, op.Result(i)); k >= 0 {
			h.vals[v] = n.Result(k)
		}
	}
	op.Erase()
	h.ops[original] = n
}

// copyOf returns the value of the split function that was copied from the value v of the
// original function. It returns v itself if v has no copy.
func (h *halfFunc) copyOf(v *ir.Value) *ir.Value {
	if own := h.vals[v]; own != nil {
		return own
	}
	return v
}

// sweep removes operations without uses and effects, including loops and branches that
// have become empty.
func (h *halfFunc) sweep() {
	for _, op := range slices.Backward(slices.Collect(h.f.Walk())) {
		if op != h.f && passes.IsDead(op) {
			op.Erase()
		}
	}
}

// entry returns a builder that inserts at the start of the new function.
func (h *halfFunc) entry() *ir.Builder { return ir.Before(fn.Body(h.f).First()) }
