// This file inserts mem_bar instructions into vector functions.

package insertsync

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/syncproof"
)

// Inside a vector function, the vector unit does not order accesses to the same bytes
// of the unified buffer. If no register dependency orders two accesses, a mem_bar must.
// The static proof finds the pairs of accesses without such an order. The search then
// visits each loop twice, and places a barrier between the accesses of each pair.

// class is a class of memory accesses in a vector function: load or store, by the vector
// unit or the scalar unit. The instruction mem_bar orders accesses by their classes.
type class = order.AccessClass

// isScalar reports whether accesses of class c are by the scalar unit.
func isScalar(c class) bool { return c == order.ScalarLoad || c == order.ScalarStore }

// writes reports whether accesses of class c are stores.
func writes(c class) bool { return c == order.VectorStore || c == order.ScalarStore }

// scoped is a memory access in a vector function (vecscope).
type scoped struct {
	location
	class class
	op    *ir.Op
	// number is the position of the access in the order of the traversal.
	number int
}

// scopes finds the positions in a vector function that need a mem_bar instruction. Within
// a vector function (vecscope), the hardware does not order loads and stores that access
// the same memory.
type scopes struct {
	t *tree
	// past are the accesses visited so far, by instruction, and number is the position of the
	// next access. visited lists the instructions.
	past    map[*ir.Op][]scoped
	visited []*ir.Op
	number  int
	// last is the position of the last barrier between two classes of accesses.
	last map[[2]class]int
	// bars are the barriers to insert before each operation, and order lists these
	// operations in program order.
	bars  map[*ir.Op][][2]class
	order []*ir.Op
	// meet returns the earlier accesses from which a barrier must separate an access
	// (meetings).
	meet func(op *ir.Op) (earlier []*ir.Op, ok bool)
	// why is the reason for the barriers before each operation, for remarks.
	why map[*ir.Op]string
}

// meetings returns a function that lists the earlier accesses of a vector function from which a
// mem_bar must separate an access: those for which the static proof of f has no argument. ok is
// false if the proof cannot follow f, and has no argument for any access. The first call runs
// the proof. calls are the functions that execute instructions on a pipe.
func meetings(f *ir.Op, target ir.Target, calls map[*ir.Op]bool) func(op *ir.Op) (earlier []*ir.Op, ok bool) {
	found := sync.OnceValues(func() (map[*ir.Op][]*ir.Op, bool) {
		in := proofInput(f, nil, target, calls)
		in.Inside = true
		r := syncproof.Prove(in)
		return r.Meetings, r.Complete()
	})
	return func(op *ir.Op) ([]*ir.Op, bool) {
		pairs, complete := found()
		return pairs[op], complete
	}
}

// memoryBarriers inserts mem_bar instructions into the vector functions of f. It has no
// effect on targets other than A5.
func memoryBarriers(t *tree, f *ir.Op, w *writer) {
	if t.target != sem.A5 {
		return
	}
	meet := meetings(f, t.target, t.calls)
	for op := range f.Walk() {
		s, ok := op.Def().Sem.(sem.Scope)
		if !ok || s.Kind != sem.VectorFunction || op.Region(0).Empty() {
			continue
		}
		sc := &scopes{t: t, meet: meet, past: map[*ir.Op][]scoped{}, last: map[[2]class]int{}, bars: map[*ir.Op][][2]class{}, why: map[*ir.Op]string{}}
		sc.region(op.Region(0))
		for _, at := range sc.order {
			for _, b := range sc.bars[at] {
				w.memBar(at, order.BarrierFor(b[0], b[1]), sc.why[at])
			}
		}
	}
}

// region visits the operations of the region r in program order and records the barriers
// that they need.
func (s *scopes) region(r *ir.Region) {
	for b := range r.Blocks() {
		for op := range b.Ops() {
			s.visit(op)
		}
	}
}

// visit records the barriers that the operation op and the operations in its regions
// need.
func (s *scopes) visit(op *ir.Op) {
	switch {
	case len(op.Regions()) == 0:
		s.access(op)
	case op.HasTrait(ir.LoopLike):
		s.loop(op)
	default:
		s.branches(op)
	}
}

// loop examines the accesses in a loop. It processes the body twice, for two consecutive
// iterations, which suffice to find all conflicts between an iteration and later ones. If the
// loop can run zero times, barriers in it do not order the accesses after it.
func (s *scopes) loop(op *ir.Op) {
	before := maps.Clone(s.last)
	for range 2 {
		for _, r := range op.Regions() {
			s.region(r)
		}
	}
	if !loopOf(op).bounded {
		s.last = before
	}
}

// branches examines the accesses in the regions of a conditional operation. Only one of
// the regions is executed. A barrier therefore orders accesses after the operation only
// if each region contains such a barrier.
func (s *scopes) branches(op *ir.Op) {
	before := s.last
	var behind map[[2]class]int
	for i, r := range op.Regions() {
		s.last = maps.Clone(before)
		s.region(r)
		if i == 0 {
			behind = s.last
			continue
		}
		for k, at := range behind {
			if other, ok := s.last[k]; !ok {
				delete(behind, k)
			} else {
				behind[k] = min(at, other)
			}
		}
	}
	s.last = behind
}

// access compares each memory access of op with the preceding accesses in the vecscope.
// It records in s which barriers must be inserted before op. If op is a barrier of the
// program, access records which orders it ensures.
func (s *scopes) access(op *ir.Op) {
	if op.Is(isasync.MemBar) { // of the program
		before, after := order.BarrierSides(sem.FenceKind(op))
		for _, a := range before {
			for _, b := range after {
				s.last[[2]class{a, b}] = s.number
			}
		}
		return
	}
	leaf := &node{op: op}
	s.t.accesses(leaf)
	if len(leaf.touches) == 0 {
		return
	}
	for _, b := range s.bars[op] {
		s.last[b] = s.number
	}
	var now []scoped
	for _, x := range leaf.touches {
		c := order.VectorLoad
		if x.pipe == order.Scalar {
			c = order.ScalarLoad
		}
		if x.write {
			c++
		}
		now = append(now, scoped{x.location, c, op, s.number})
	}
	earlier, ok := s.meet(op)
	if !ok {
		earlier = s.visited
	}
	earlier = slices.DeleteFunc(slices.Clone(earlier), func(from *ir.Op) bool { return s.past[from] == nil })
	slices.SortFunc(earlier, func(a, b *ir.Op) int { return s.past[a][0].number - s.past[b][0].number })
	for _, from := range earlier {
		for _, a := range s.past[from] {
			for _, b := range now {
				if s.hazard(a, b) {
					s.bar(op, [2]class{a.class, b.class})
					s.why[op] = fmt.Sprintf("it may share a byte with '%s' in %s, and no argument excludes that", a.op.Name(), a.op.Loc().Line())
				}
			}
		}
	}
	s.number++
	if s.past[op] == nil {
		s.visited = append(s.visited, op)
	}
	s.past[op] = append(s.past[op], now...)
}

// bar records that op needs a mem_bar before it. The barrier must order earlier accesses
// of the class b[0] before later accesses of the class b[1].
func (s *scopes) bar(op *ir.Op, b [2]class) {
	if len(s.bars[op]) == 0 {
		s.order = append(s.order, op)
	}
	s.bars[op] = append(s.bars[op], b)
	s.last[b] = s.number
}

// hazard reports whether the accesses a and b may share a byte although no barrier or
// dependence orders them.
func (s *scopes) hazard(a, b scoped) bool {
	if !writes(a.class) && !writes(b.class) || isScalar(a.class) && isScalar(b.class) {
		return false
	}
	if at, ok := s.last[[2]class{a.class, b.class}]; ok && at > a.number {
		return false
	}
	return a.space == b.space && (a.root == b.root || a.root == nil || b.root == nil)
}
