// This file assigns local memory to tiles without an address.

package llvm

import (
	"fmt"
	"maps"
	"slices"

	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// extents holds one size or address in bytes for each memory space.
type extents map[sem.Space]int64

// storage assigns local memory to tiles without an address, in the same order as the
// runtime. The address ranges of these tiles do not overlap, and they do not overlap
// tiles that have an address. The tiles of a called function come after the tiles of all
// functions that call it. Functions of kernels that run together share memory, so each
// function has a separate address range.
type storage struct {
	fns []*ir.Op
	// needs lists, for each function, the tiles and buffers without an address.
	needs map[*ir.Op][]need
	// spots contains the byte offsets at which tiles and buffers without an address are
	// placed.
	spots   map[*ir.Op]int64
	callers map[*ir.Op][]*ir.Op
	// occupied lists, for each function, the memory at constant addresses that code
	// running at the same time uses.
	occupied map[*ir.Op]analysis.Occupied
	// end is the end of the address range of each function, per memory space.
	end map[*ir.Op]extents
}

// need describes a tile or a buffer for which an address is still missing.
type need struct {
	op    *ir.Op
	space sem.Space
	size  int64
}

// newStorage returns the assignment of local memory to the functions fns. The parameter
// together lists groups of kernels that run at the same time, so their memory must not
// overlap.
func newStorage(fns []*ir.Op, together [][]*ir.Op) storage {
	s := storage{
		fns: fns, needs: map[*ir.Op][]need{}, spots: map[*ir.Op]int64{},
		callers: map[*ir.Op][]*ir.Op{}, end: map[*ir.Op]extents{},
	}
	for _, f := range fns {
		for op := range f.Walk() {
			s.add(f, op)
		}
	}
	groups := launchGroups(together)
	s.occupied = occupiedBeside(fns, groups, s.callers)
	for _, group := range groups {
		s.placeApart(group)
	}
	for _, f := range fns {
		s.place(f)
	}
	return s
}

// occupiedBeside returns, for each function in fns, the memory at constant addresses that
// must not be assigned to it. This memory belongs to its callers, to kernels launched
// together with it, and to all functions that these call. Each group in groups lists
// functions of one launch. The map callers contains the callers of each function.
func occupiedBeside(fns []*ir.Op, groups [][]*ir.Op, callers map[*ir.Op][]*ir.Op) map[*ir.Op]analysis.Occupied {
	groups = append(groups, reachedByAll(fns, callers)...)
	in := map[*ir.Op][]int{} // the groups of each function
	for i, group := range groups {
		for _, f := range group {
			in[f] = append(in[f], i)
		}
	}
	occupied := map[*ir.Op]analysis.Occupied{}
	same := map[string]analysis.Occupied{} // by the groups: functions often share them
	for f, its := range in {
		key := fmt.Sprint(its)
		o, known := same[key]
		if !known {
			o = analysis.OccupiedBy(union(groups, its))
			same[key] = o
		}
		occupied[f] = o
	}
	return occupied
}

// reachedByAll returns groups of functions. For each function in fns, the group consists
// of the function itself and of all functions that it calls directly or indirectly. It
// omits the group of a function that has a caller in callers, because the group of the
// caller contains it.
func reachedByAll(fns []*ir.Op, callers map[*ir.Op][]*ir.Op) (groups [][]*ir.Op) {
	covered := map[*ir.Op]bool{}
	reach := func(f *ir.Op) {
		group := analysis.Reached([]*ir.Op{f})
		for _, g := range group {
			covered[g] = true
		}
		groups = append(groups, group)
	}
	for _, f := range fns {
		if len(callers[f]) == 0 {
			reach(f)
		}
	}
	for _, f := range fns { // functions that call each other, and have no other callers
		if !covered[f] {
			reach(f)
		}
	}
	return groups
}

// union returns the functions that are in at least one of the selected groups, each
// function once. The parameter its contains the indices of these groups.
func union(groups [][]*ir.Op, its []int) (all []*ir.Op) {
	seen := map[*ir.Op]bool{}
	for _, i := range its {
		for _, f := range groups[i] {
			if !seen[f] {
				seen[f] = true
				all = append(all, f)
			}
		}
	}
	return all
}

// launchGroups returns groups of functions that can run at the same time. The parameter
// together lists sets of kernels that are launched together. A group contains these
// kernels and all functions that they call. Groups with a common function are merged.
func launchGroups(together [][]*ir.Op) (groups [][]*ir.Op) {
	for _, kernels := range together {
		fns := analysis.Reached(kernels)
		groups = slices.DeleteFunc(groups, func(other []*ir.Op) bool {
			shared := slices.ContainsFunc(other, func(f *ir.Op) bool { return slices.Contains(fns, f) })
			if shared {
				fns = append(slices.DeleteFunc(fns, func(f *ir.Op) bool { return slices.Contains(other, f) }), other...)
			}
			return shared
		})
		groups = append(groups, fns)
	}
	return groups
}

// placeApart assigns a separate address range to each function of a group. These ranges
// come after the address ranges of all functions outside the group that call a function
// of the group.
func (s *storage) placeApart(group []*ir.Op) {
	next := extents{}
	for _, f := range group {
		for _, c := range s.callers[f] {
			if !slices.Contains(group, c) {
				s.clearOf(next, c)
			}
		}
	}
	for _, f := range group {
		next = s.lay(f, next)
	}
}

// lay assigns memory to the tiles of function f. The parameter start contains the first
// available address in each memory space. The result contains the first address after the
// tiles of f in each memory space.
func (s *storage) lay(f *ir.Op, start extents) extents {
	end := maps.Clone(start)
	for _, n := range s.needs[f] {
		s.spots[n.op] = s.occupied[f].Beside(n.space, end[n.space], n.size)
		end[n.space] = s.spots[n.op] + n.size
	}
	s.end[f] = end
	return end
}

// add records an operation of function f that needs memory, such as the allocation of a
// tile, or that calls another function. If op imports the local buffer of a queue, add
// records the operation that reserves the buffer instead, unless the module emits code
// for the function of that operation.
func (s *storage) add(f, op *ir.Op) {
	callee := analysis.CalleeOf(op)
	switch {
	case callee != nil:
		s.callers[callee] = append(s.callers[callee], f)
	case isUnplaced(op):
		t, slots := slotsOf(op.Result(0).Type())
		s.needs[f] = append(s.needs[f], need{op, t.Space, slots * t.Footprint()})
		return
	}
	kind, ok := op.Def().Sem.(sem.LocalBuffer)
	if !ok {
		return
	}
	reserves := isasync.ReservedBuffer(op)
	if kind.Imported && (reserves == nil || slices.Contains(s.fns, isasync.FunctionOf(reserves))) {
		return
	}
	if r := analysis.ReservedOf(reserves); !r.Placed {
		s.needs[f] = append(s.needs[f], need{reserves, r.Space, r.Size})
	}
}

// isUnplaced reports whether op allocates a tile without an address. The result is false
// for scratch tiles, because the emitted code does not use them.
func isUnplaced(op *ir.Op) bool {
	_, ok := op.Def().Sem.(sem.AllocTile)
	return ok && !sem.PlacingOf(op).Address.Given() && !onlyScratch(op.Result(0))
}

// onlyScratch reports whether every use of the tile v is as a scratch operand, in which
// an instruction stores intermediate values.
func onlyScratch(v *ir.Value) bool {
	for u := range v.Uses() {
		if !isScratch(u) {
			return false
		}
	}
	return true
}

// isScratch reports whether u is a scratch operand: memory in which the instruction
// stores intermediate values.
func isScratch(u *ir.Use) bool {
	op := u.Owner()
	for i, a := range op.Form().Operands {
		if from, to := op.ArgRange(i); from <= u.Index() && u.Index() < to {
			return a.Role == ir.Scratch
		}
	}
	return false
}

// place assigns memory to the tiles of f and returns the end of its address range in each
// memory space. A recursive function has one range for all its calls, because each of its
// tiles has one address.
func (s *storage) place(f *ir.Op) extents {
	if end, ok := s.end[f]; ok {
		return end
	}
	s.lay(f, extents{}) // what f ends up after, if it calls itself
	start := extents{}
	for _, c := range s.callers[f] {
		s.clearOf(start, c)
	}
	return s.lay(f, start)
}

// clearOf raises addresses so that a buffer placed there does not overlap the memory of
// the function f. The parameter e holds an address in bytes for each memory space. An
// address that is below the end of the memory that f uses in this space is raised to this
// end.
func (s *storage) clearOf(e extents, f *ir.Op) {
	for space, n := range s.place(f) {
		e[space] = max(e[space], n)
	}
}

// at returns the address of the tile or buffer that op defines, as a byte offset in the
// memory space of this tile or buffer.
func (s *storage) at(op *ir.Op) int64 { return s.spots[op] }

// check reports an error for each function whose tiles do not fit into a memory space.
func (s *storage) check(m *module) {
	for _, f := range s.fns {
		for _, space := range spacesOf(s.needs[f]) {
			if end := s.end[f][space]; end > int64(space.Size(m.opts.Target)) {
				op, others := s.largest(f, space)
				m.errorf(op, "%s", s.occupied[f].TooLarge(space, others, end, m.opts.Target)).
					Note(ir.Loc{}, analysis.PlanMemoryHint)
			}
		}
	}
}

// spacesOf returns the memory spaces that occur in needs, in increasing order.
func spacesOf(needs []need) []sem.Space {
	var all []sem.Space
	for _, n := range needs {
		all = append(all, n.space)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// largest returns the operation that defines the largest tile or buffer of f in a memory
// space. The result others is the number of the remaining tiles and buffers in f and its
// callers.
func (s *storage) largest(f *ir.Op, space sem.Space) (found *ir.Op, others int) {
	most := int64(-1)
	for _, n := range s.needs[f] {
		if n.space == space && n.size > most {
			found, most = n.op, n.size
		}
	}
	for g, needs := range s.needs {
		for _, n := range needs {
			if n.space == space && n.op != found && s.spots[n.op] < s.end[f][space] && (g == f || slices.Contains(analysis.Reached([]*ir.Op{g}), f)) {
				others++
			}
		}
	}
	return found, others
}
