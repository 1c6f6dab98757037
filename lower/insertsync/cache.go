// This file inserts the cache operations that scalar loads and stores of global memory
// need.

package insertsync

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// The scalar unit reads and writes global memory through a data cache, which
// neither flags nor barriers empty: it has to read anew what others have written
// (dcci before the load), and to write back what others will access (dcci,
// then dsb, after the store). So what the cache needs does not follow from the
// edges, which may reach the scalar unit by way of another pipe: each of its
// accesses is held against those of others before or after it.

// cache collects the accesses of a function that involve the data cache of the scalar
// unit. The hardware keeps this cache coherent neither with the pipes nor with other
// cores. The pass therefore inserts the cache operations dcci (write back and invalidate)
// and dsb (wait for stores).
type cache struct {
	f *ir.Op
	// loads and stores are accesses to global memory by the scalar unit.
	loads, stores []*touch
	// others are accesses to global memory by pipes and by callers. fences are cache
	// operations that the program already contains.
	others, fences []*touch
}

// cache inserts the cache operations that the scalar loads and stores in the node top need: an
// invalidation before a load of data that a pipe has written, and a write-back after a store
// that a pipe reads. others means that unknown code runs before top and after it, which reads
// and writes global memory.
func (i *insertion) cache(top *node, others bool) {
	c := &cache{f: i.f}
	c.collect(top)
	if len(c.loads)+len(c.stores) == 0 {
		return
	}
	if others {
		whole := location{space: sem.GM}
		c.others = append(c.others,
			&touch{location: whole, write: true, op: i.f, pos: 0}, &touch{location: whole, write: true, op: i.f, pos: top.last + 1})
	}
	for _, x := range c.loads {
		if slices.ContainsFunc(c.others, func(o *touch) bool { return o.write && c.stale(o, x) }) {
			i.refresh(x.op)
		}
	}
	for _, x := range c.stores {
		if slices.ContainsFunc(c.others, func(o *touch) bool { return c.stale(x, o) }) {
			i.writeBack(x.op)
		}
	}
}

// collect adds the accesses of node n to global memory to the lists in c, for example the
// loads of the scalar unit to c.loads and the accesses by pipes to c.others. A node is an
// instruction, a loop or a branch; collect includes the accesses in its nested blocks.
func (c *cache) collect(n *node) {
	if n.stop && len(n.touches) == 0 {
		c.others = append(c.others, &touch{location: location{space: sem.GM}, write: true, op: n.op, pos: n.first})
	}
	for _, k := range n.bodies {
		for _, inner := range k.nodes {
			c.collect(inner)
		}
	}
	if len(n.bodies) > 0 {
		return
	}
	for _, x := range n.touches {
		if x.space != sem.GM {
			continue
		}
		def := x.op.Def()
		_, load := def.Sem.(sem.LoadElement)
		_, store := def.Sem.(sem.StoreElement)
		_, fence := def.Sem.(sem.MemoryFence)
		switch {
		case fence:
			c.fences = append(c.fences, x)
		case x.pipe != order.Scalar:
			c.others = append(c.others, x)
		case load && def != isabase.LdDev:
			c.loads = append(c.loads, x)
		case store && def != isabase.StDev:
			c.stores = append(c.stores, x)
		}
	}
}

// stale reports whether access b may follow access a to the same byte without a cache
// operation between them. The scalar unit then reads or writes an outdated cache line.
func (c *cache) stale(a, b *touch) bool {
	again := c.again(a.op, b.op)
	if b.pos < a.pos && again == nil {
		return false
	}
	p, q := c.everyRound(a), c.everyRound(b)
	if !(when{}).overlaps(&p, &q) {
		return false
	}
	return !slices.ContainsFunc(c.fences, func(f *touch) bool {
		between := a.pos < f.pos && f.pos < b.pos || a.pos > b.pos && (a.pos < f.pos || f.pos < b.pos) && inside(f.op, again)
		return between && f.op.Is(isasync.Dcci) && (alwaysBefore(f.op, b.op) || alwaysBefore(a.op, f.op)) && (when{}).overlaps(&f.location, &q)
	})
}

// The method again returns the innermost operation around both a and b in which their
// order in the text does not determine their order of execution. Such an operation is a
// loop, which executes both several times, or has a region with several blocks. The
// result is nil if there is no such operation in the function.
func (c *cache) again(a, b *ir.Op) *ir.Op {
	for at := a.Parent(); at != nil; at = at.Parent() {
		if inside(b, at) && (at.HasTrait(ir.LoopLike) || severalBlocks(at)) {
			return at
		}
		if at == c.f {
			break
		}
	}
	return nil
}

// severalBlocks reports whether op has a region with more than one block. Branches
// determine the order in which such blocks run, so text order does not apply to them.
func severalBlocks(op *ir.Op) bool {
	return slices.ContainsFunc(op.Regions(), func(r *ir.Region) bool { return !r.Empty() && r.Entry() != r.Last() })
}

// inside reports whether op is the operation in the second argument, or is in one of the
// regions of that operation.
func inside(op, around *ir.Op) bool {
	for ; op != nil; op = op.Parent() {
		if op == around {
			return true
		}
	}
	return false
}

// alwaysBefore reports whether operation a precedes operation b in the program text, with
// one more condition. Either a is directly in a block that contains b (possibly nested),
// or b is directly in a block that contains a. If the condition holds, two executions are
// related. In the first case, a has been executed whenever b is executed. In the second
// case, b will be executed whenever a is executed.
func alwaysBefore(a, b *ir.Op) bool {
	for at := b; at != nil; at = at.Parent() {
		if at.Block() == a.Block() {
			return a.Before(at)
		}
	}
	for at := a; at != nil; at = at.Parent() {
		if at.Block() == b.Block() {
			return at.Before(b)
		}
	}
	return false
}

// everyRound returns the location of the access x, widened to all bytes that it touches
// in any iteration of the loops around it.
func (c *cache) everyRound(x *touch) location {
	p := x.location
	for at := x.op.Parent(); at != nil && at != c.f; at = at.Parent() {
		if at.HasTrait(ir.LoopLike) || severalBlocks(at) {
			p = loopOf(at).outside(p)
		}
	}
	if severalBlocks(c.f) && !ofArguments(p.from, fn.Body(c.f)) {
		p = location{space: p.space, root: p.root}
	}
	return p
}

// ofArguments reports whether the sum s depends only on arguments of the function with
// the given entry block. Such a sum has the same value everywhere in the function.
func ofArguments(s sum, entry *ir.Block) bool {
	return !slices.ContainsFunc(s.terms, func(t summand) bool { return !t.v.IsBlockArg() || t.v.Block() != entry })
}

// refresh inserts an invalidation of the cache line before a load of the scalar unit, so
// that the load reads memory instead of old cached data.
func (w *writer) refresh(load *ir.Op) {
	if !w.cached[load] {
		w.cached[load] = true
		w.fresh = append(w.fresh, load)
	}
}

// writeBack inserts a cache write-back (dcci and dsb) after a store of the scalar unit,
// so that the data reaches memory.
func (w *writer) writeBack(store *ir.Op) {
	if !w.cached[store] {
		w.cached[store] = true
		w.first(store, func(b *ir.Builder) {
			dcci(b, store)
			b.Create(ir.State{Def: isasync.Dsb, Attrs: []ir.NamedAttr{{Name: "mem", Attr: pto.DsbMemEnum.Attr("DDR")}}})
		})
	}
}

// dcci inserts the instruction that writes back and invalidates the cache line of the
// address that op accesses.
func dcci(b *ir.Builder, op *ir.Op) {
	b.Create(ir.State{Def: isasync.Dcci, Operands: []*ir.Value{op.Arg("ptr")}, Attrs: []ir.NamedAttr{
		{Name: "cache", Attr: pto.DcciCacheLineEnum.Attr("ENTIRE_DATA_CACHE")}, {Name: "dst", Attr: pto.DcciDstEnum.Attr("CACHELINE_OUT")},
	}})
}
