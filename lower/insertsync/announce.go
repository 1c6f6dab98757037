// This file inserts the fences that a signal through memory needs before it (release).

package insertsync

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isabase "ptogo/dialect/pto/isa/base"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A signal through memory (tnotify) is a store of the scalar unit, which waits
// neither for what the pipes still write nor for its own data cache. Who waits
// for the signal may be on another rank, so no access of this function shows
// which stores matter: all that come before a signal must be in memory first.

// release describes the work that must be complete before a core raises a signal in
// global memory. The core that waits for the signal can then rely on this work. This
// corresponds to a release operation in the C++ memory model.
type release struct {
	// store is the last instruction before the signal whose pipe writes global memory, or
	// nil. The pipe may still be writing.
	store *ir.Op
	// scalar is the last store of the scalar unit before the signal, or nil. Its data may
	// still be in the data cache of the core.
	scalar *ir.Op
	// drained reports that the program already has a barrier of all pipes after store.
	drained bool
}

// announce inserts, before each signal in global memory, the fences that complete the
// preceding stores.
func (i *insertion) announce() {
	for op := range i.f.Walk() {
		if _, signal := op.Def().Sem.(sem.CommNotify); !signal {
			continue
		}
		r := i.releaseFor(op)
		if r.store == nil && r.scalar == nil {
			continue
		}
		const why = "a core that waits for the signal, possibly on another rank, expects all earlier stores to be in memory"
		if r.store != nil && !r.drained {
			i.wallBefore(op, why)
			i.c.Count("num-barriers", 1)
		}
		o := i.other(op, "the fence of global memory before it", why)
		i.in(op, func(b *ir.Builder) {
			if r.scalar != nil {
				o.ops = append(o.ops, b.Create(ir.State{Def: isasync.CmoCacheInvalid, Attrs: []ir.NamedAttr{{Name: "space", Attr: pto.AddressSpaceEnum.Attr("gm")}}}))
			}
			o.ops = append(o.ops, b.Create(ir.State{Def: isasync.FenceBarrierAll, Attrs: []ir.NamedAttr{{Name: "scope", Attr: pto.FenceScopeEnum.Attr("gm")}}}))
		})
	}
}

// releaseFor searches for stores to global memory that must be complete before a signal.
// It searches backwards from the signal up to a fence of global memory. If the signal is
// in a loop, it searches the end of the loop body as well, for stores of the previous
// iteration. If other functions call the function that contains the signal, it searches
// these callers, too. The result contains the last of these stores by a pipe and the last
// one by the scalar unit.
func (i *insertion) releaseFor(signal *ir.Op) (r release) {
	barred := false
	look := func(op *ir.Op) {
		store, scalar := i.storeIn(op)
		if store != nil && r.store == nil {
			r.store, r.drained = store, barred
		}
		if scalar != nil && r.scalar == nil {
			r.scalar = scalar
		}
	}
	for at := signal; at != i.f; at = at.Parent() {
		for op := at.Prev(); op != nil; op = op.Prev() {
			switch {
			case op.Is(isasync.FenceBarrierAll):
				return r
			case isBarrier(op) && pto.PipeFor(op, ir.TargetOf(op)) == sem.PipeAll:
				barred = true
			}
			look(op)
		}
		if p := at.Parent(); p.HasTrait(ir.LoopLike) || severalBlocks(p) {
			barred = false
			look(p)
		}
	}
	if i.called && r.store == nil {
		r.store, r.drained = i.f, barred
	}
	return r
}

// storeIn searches op and its regions for stores to global memory. The result store is an
// instruction whose pipe writes global memory, and the result scalar is a store of the
// scalar unit; each is nil if op has none.
func (i *insertion) storeIn(op *ir.Op) (store, scalar *ir.Op) {
	for o := range op.Walk() {
		if o.Is(fn.Call) && i.calls[ptoanalysis.CalleeOf(o)] {
			store = o
			continue
		}
		if _, signal := o.Def().Sem.(sem.CommNotify); signal || pto.InfoOf(o.Def()) == nil || o.Is(isabase.StDev) {
			continue
		}
		for _, e := range pto.Effects(o) {
			t := ir.TargetOf(o)
			switch l := order.LineOf(pto.PipeFor(o, t)); {
			case e.Kind&pto.Writes == 0 || e.Space != sem.GM:
			case ptoanalysis.MacroOf(o, t) != nil, l != order.NoLine && l != order.Scalar:
				store = o
			case l == order.Scalar:
				if _, element := o.Def().Sem.(sem.StoreElement); element {
					scalar = o
				}
			}
		}
	}
	return store, scalar
}
