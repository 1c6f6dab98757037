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

// extents is a number of bytes for each memory space.
type extents map[sem.Space]int64

// storage gives local memory to tiles without an address, one after the other
// beside those that have one, as the runtime does. A function that is called has
// its tiles after those of all its callers; functions of kernels that run
// together, which share memory, have theirs one after the other.
type storage struct {
	fns      []*ir.Op
	needs    map[*ir.Op][]need // of each function
	spots    map[*ir.Op]int64  // where tiles and buffers start
	callers  map[*ir.Op][]*ir.Op
	occupied map[*ir.Op]analysis.Occupied // by what runs with a function and has addresses
	end      map[*ir.Op]extents           // where the part of each function ends
}

// need is a tile or a buffer without an address.
type need struct {
	op    *ir.Op
	space sem.Space
	size  int64
}

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

// occupiedBeside returns for each function what the functions that run with it
// place at constant addresses: those that call it or are launched with it, and
// all that these call. callers has the callers of each function.
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

// reachedByAll returns the functions that each function calls, directly or not, and
// itself. The group of a function that has a caller is left out, because it is part of
// the caller's.
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

// union returns the functions of some groups, each once.
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

// launchGroups returns the functions of kernels that run together. Groups that have
// a function in common are one.
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

// placeApart gives each function of a group a part of its own, after those of
// all who call one of them from outside.
func (s *storage) placeApart(group []*ir.Op) {
	next := extents{}
	for _, f := range group {
		for _, c := range s.callers[f] {
			if !slices.Contains(group, c) {
				s.behind(next, c)
			}
		}
	}
	for _, f := range group {
		next = s.lay(f, next)
	}
}

// lay gives memory to what f needs, from start on, and returns where it ends.
func (s *storage) lay(f *ir.Op, start extents) extents {
	end := maps.Clone(start)
	for _, n := range s.needs[f] {
		s.spots[n.op] = s.occupied[f].Beside(n.space, end[n.space], n.size)
		end[n.space] = s.spots[n.op] + n.size
	}
	s.end[f] = end
	return end
}

// add takes note of an operation of f: a tile, a buffer or a call. Where only
// one end of a queue is written, who imports a buffer reserves it.
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

// isUnplaced reports whether op makes a tile without saying where. Scratch
// tiles need no place: nothing here uses them.
func isUnplaced(op *ir.Op) bool {
	_, ok := op.Def().Sem.(sem.AllocTile)
	return ok && !sem.PlacingOf(op).Address.Given() && !onlyScratch(op.Result(0))
}

// onlyScratch reports whether a tile only serves as scratch memory.
func onlyScratch(v *ir.Value) bool {
	for u := range v.Uses() {
		if !isScratch(u) {
			return false
		}
	}
	return true
}

// isScratch reports whether an operand is one that an instruction only works
// in.
func isScratch(u *ir.Use) bool {
	op := u.Owner()
	for i, a := range op.Form().Operands {
		if from, to := op.ArgRange(i); from <= u.Index() && u.Index() < to {
			return a.Role == ir.Scratch
		}
	}
	return false
}

// place gives memory to what f needs, and returns where it ends. A function that
// calls itself has one part for all its calls, as its tiles have one place each.
func (s *storage) place(f *ir.Op) extents {
	if end, ok := s.end[f]; ok {
		return end
	}
	s.lay(f, extents{}) // what f ends up after, if it calls itself
	start := extents{}
	for _, c := range s.callers[f] {
		s.behind(start, c)
	}
	return s.lay(f, start)
}

// after moves what starts at e after the part of f.
func (s *storage) behind(e extents, f *ir.Op) {
	for space, n := range s.place(f) {
		e[space] = max(e[space], n)
	}
}

// at is where a tile or a buffer starts in its space.
func (s *storage) at(op *ir.Op) int64 { return s.spots[op] }

// check reports functions whose tiles do not fit their spaces.
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

// spacesOf returns the spaces that are needed, in order.
func spacesOf(needs []need) []sem.Space {
	var all []sem.Space
	for _, n := range needs {
		all = append(all, n.space)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// largest is the first of the largest tiles and buffers of f in a space, and how
// many others there are in f and in the functions that call it.
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
