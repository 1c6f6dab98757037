// This file computes in which allocations a value may be stored.

package plan

import (
	"cmp"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/flow"
)

// storage is a set of allocations in which a value may be stored. The storage of a value
// that control flow chooses from others has their storages as parts, so that n choices in
// a row need n small sets. What happens to a value is recorded in its storage; settle
// then passes it on to the allocations.
type storage struct {
	// number is the index of the storage in the list of all.
	number int
	// own are the allocations of this set that are in none of its parts.
	own   []*allocation
	parts []*storage
	// used are the points at which a value in this storage is used, in order. Of several
	// uses in a row in one block, only the first and the last are listed: the contents
	// are live between them.
	used []int
	// escapes reports that the analysis cannot follow all uses, and passed that control
	// flow carries a value in this storage.
	escapes, passed bool
}

// sole returns the only allocation of the set, or nil if there are several or none.
func (s *storage) sole() *allocation {
	if s == nil || len(s.parts) > 0 || len(s.own) != 1 {
		return nil
	}
	return s.own[0]
}

// any returns an allocation of the set.
func (s *storage) any() *allocation {
	for len(s.own) == 0 {
		s = s.parts[0]
	}
	return s.own[0]
}

// mostParts is the number of sets that mayHold compares.
const mostParts = 64

// mayHold reports whether the set may contain r. It assumes so of sets with more parts
// than mostParts.
func (s *storage) mayHold(r *allocation) bool {
	if s == nil {
		return false
	}
	sets := []*storage{s}
	for i := 0; i < len(sets); i++ { // the list grows during the loop
		if sets[i] == r.in || len(sets)+len(sets[i].parts) > mostParts {
			return true
		}
		sets = append(sets, sets[i].parts...)
	}
	return false
}

// store computes the storage of each value, from the results of the allocations along
// the map to, which lists the values to which a value is passed. Values that are passed in
// a circle, as by a loop that rotates buffers, have the same storage.
func (p *memoryPlan) store(to map[*ir.Value][]*ir.Value) {
	p.held, p.allocated = map[*ir.Value]*storage{}, map[*ir.Value]*allocation{}
	var roots []*ir.Value
	for _, r := range p.allocations {
		if _, tile := r.op.Def().Sem.(sem.AllocTile); tile {
			roots = append(roots, r.op.Result(0))
			p.allocated[r.op.Result(0)] = r
		}
	}
	received := map[*ir.Value][]*storage{}
	circles := flow.Components(roots, func(v *ir.Value) []*ir.Value { return to[v] })
	for _, circle := range slices.Backward(circles) { // each one after those that pass to it
		s := p.storageOf(circle, received)
		for _, v := range circle {
			p.held[v] = s
			s.passed = s.passed || v.IsBlockArg() || len(v.Op().Regions()) > 0
			for _, next := range to[v] {
				received[next] = append(received[next], s)
			}
		}
	}
	for _, s := range slices.Backward(p.storages) {
		for _, part := range s.parts {
			part.passed = part.passed || s.passed
		}
		for _, r := range s.own {
			r.in, r.passed = s, s.passed
		}
	}
}

// storageOf returns the storage of values that are passed in a circle. received are the
// storages that are passed to each value.
func (p *memoryPlan) storageOf(circle []*ir.Value, received map[*ir.Value][]*storage) *storage {
	s := &storage{number: len(p.storages)}
	for _, v := range circle {
		if r := p.allocated[v]; r != nil {
			s.own = append(s.own, r)
		}
		s.parts = append(s.parts, received[v]...)
	}
	slices.SortFunc(s.parts, func(a, b *storage) int { return cmp.Compare(a.number, b.number) })
	s.parts = slices.Compact(s.parts)
	if len(s.own) == 0 && len(s.parts) == 1 {
		return s.parts[0]
	}
	p.storages = append(p.storages, s)
	return s
}

// settle passes what was recorded about storages on to their parts and allocations.
func (p *memoryPlan) settle() {
	for _, s := range slices.Backward(p.storages) {
		for _, part := range s.parts {
			part.escapes = part.escapes || s.escapes
			part.used = p.mergeUses(part.used, s.used)
		}
		for _, r := range s.own {
			r.always = r.always || s.escapes
			for _, n := range s.used {
				r.events = append(r.events, event{n, uses})
			}
		}
	}
}

// mergeUses merges two ordered lists of uses.
func (p *memoryPlan) mergeUses(a, b []int) []int {
	if len(b) == 0 {
		return a
	}
	var all []int
	for len(a) > 0 && len(b) > 0 {
		from := &a
		if b[0] < a[0] {
			from = &b
		}
		all = p.appendUse(all, (*from)[0])
		*from = (*from)[1:]
	}
	for _, n := range slices.Concat(a, b) {
		all = p.appendUse(all, n)
	}
	return all
}

// appendUse appends a use at point n to an ordered list. Of several uses in a row in one
// block, it keeps the first and the last.
func (p *memoryPlan) appendUse(used []int, n int) []int {
	block := func(i int) *ir.Block { return p.points[i].op.Block() }
	switch k := len(used); {
	case k > 0 && used[k-1] == n:
	case k > 1 && block(used[k-2]) == block(n) && block(used[k-1]) == block(n):
		used[k-1] = n
	default:
		used = append(used, n)
	}
	return used
}
