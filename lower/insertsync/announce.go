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

// release is what a signal needs before it.
type release struct {
	store  *ir.Op // that a pipe may still be at, or nil
	scalar *ir.Op // whose data may still be in the cache, or nil
	// drained reports that the program has a barrier of all pipes after the store.
	drained bool
}

// announce inserts, before each signal through memory, the fences that complete the
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

// releaseFor looks for stores on the way back from a signal, up to a fence of
// global memory. The round before of a loop around the signal comes before it,
// too, and so do the callers of a function.
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

// storeIn returns an instruction in op whose pipe writes global memory, and one by
// which the scalar unit does; nil for none.
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
