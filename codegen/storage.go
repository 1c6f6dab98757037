package codegen

import (
	"cmp"
	"maps"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// tileAlign is the alignment of tiles that have no address of their own.
const tileAlign = 32

// extents is a number of bytes for each memory space.
type extents map[sem.Space]int64

// storage gives local memory to tiles without an address, one after the other
// as the runtime does. A function that is called has its tiles behind those of
// all its callers; functions of kernels that run together, which share memory,
// have theirs one behind the other.
type storage struct {
	fns     []*ir.Op
	spots   map[*ir.Op]spot    // of tiles and buffers
	used    map[*ir.Op]extents // by each function itself
	callers map[*ir.Op][]*ir.Op
	base    map[*ir.Op]extents // where the part of each function starts
}

// spot is where a tile or a buffer lies: in the part of a function.
type spot struct {
	f        *ir.Op
	space    sem.Space
	at, size int64
}

func newStorage(fns []*ir.Op, together [][]*ir.Op) storage {
	s := storage{
		fns: fns, spots: map[*ir.Op]spot{}, used: map[*ir.Op]extents{},
		callers: map[*ir.Op][]*ir.Op{}, base: map[*ir.Op]extents{},
	}
	for _, f := range fns {
		s.used[f] = extents{}
		for op := range f.Walk() {
			s.add(f, op)
		}
	}
	for _, group := range launchGroups(together) {
		s.placeApart(group)
	}
	for _, f := range fns {
		s.place(f)
	}
	return s
}

// launchGroups returns the functions of kernels that run together. Groups that have
// a function in common are one.
func launchGroups(together [][]*ir.Op) (groups [][]*ir.Op) {
	for _, kernels := range together {
		fns := pto.Reached(kernels)
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

// placeApart gives each function of a group a part of its own, behind those of
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
		s.base[f] = maps.Clone(next)
		for space, n := range s.used[f] {
			next[space] += n
		}
	}
}

// add takes note of an operation of f: a tile, a buffer or a call. Where only
// one end of a queue is written, who imports a buffer reserves it.
func (s *storage) add(f, op *ir.Op) {
	callee := pto.CalleeOf(op)
	switch {
	case callee != nil:
		s.callers[callee] = append(s.callers[callee], f)
	case isUnplaced(op):
		t, slots := slotsOf(op.Result(0).Type())
		s.take(f, op, t.Space, slots*t.Footprint())
		return
	}
	reserves := op
	switch op.Def().Sem.(type) {
	case sem.ImportBuffer:
		if reserves = pto.ReservedBuffer(op); reserves == nil || slices.Contains(s.fns, pto.FunctionOf(reserves)) {
			return
		}
	case sem.ReserveBuffer:
	default:
		return
	}
	if !reserves.HasAttr("base") {
		size, _ := reserves.Attr("size").AsInt()
		s.take(f, reserves, pto.SpaceOfAttr(reserves.Attr("location")), size)
	}
}

// take reserves memory for what an operation makes.
func (s *storage) take(f, op *ir.Op, space sem.Space, size int64) {
	at := s.used[f][space]
	s.spots[op] = spot{f, space, at, size}
	s.used[f][space] = (at + size + tileAlign - 1) &^ (tileAlign - 1)
}

// isUnplaced reports whether op makes a tile without saying where. Scratch
// tiles need no place: nothing here uses them.
func isUnplaced(op *ir.Op) bool {
	_, ok := op.Def().Sem.(sem.AllocTile)
	return ok && op.Arg("addr") == nil && !onlyScratch(op.Result(0))
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

// place finds where the part of f starts. A function that calls itself has one
// part for all its calls, as its tiles have one place each.
func (s *storage) place(f *ir.Op) extents {
	if e, ok := s.base[f]; ok {
		return e
	}
	e := extents{}
	s.base[f] = e
	for _, c := range s.callers[f] {
		s.behind(e, c)
	}
	return e
}

// behind moves what starts at e behind the part of f.
func (s *storage) behind(e extents, f *ir.Op) {
	start := s.place(f)
	for _, space := range spacesOf(start, s.used[f]) {
		e[space] = max(e[space], start[space]+s.used[f][space])
	}
}

func spacesOf(es ...extents) []sem.Space {
	var all []sem.Space
	for _, e := range es {
		for space := range e {
			all = append(all, space)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// at is where a tile or a buffer starts in its space.
func (s *storage) at(op *ir.Op) int64 {
	x := s.spots[op]
	return s.base[x.f][x.space] + x.at
}

// check reports functions whose tiles do not fit their spaces.
func (s *storage) check(m *module) {
	for _, f := range s.fns {
		for _, space := range spacesOf(s.used[f]) {
			need, limit := s.base[f][space]+s.used[f][space], int64(space.Size(m.opts.Target))
			if need <= limit {
				continue
			}
			m.errorf(s.largest(f, space), "and other tiles need %d bytes of %s, which has %d on %s",
				need, space.Loc(), limit, sem.ProfileName(m.opts.Target)).
				Note(ir.Loc{}, "pto-opt --pto-plan-memory tells which of them are needed at the same time")
		}
	}
}

// largest is the first of the largest tiles and buffers of f in a space.
func (s *storage) largest(f *ir.Op, space sem.Space) (found *ir.Op) {
	for op, x := range s.spots {
		if x.f != f || x.space != space {
			continue
		}
		if y := s.spots[found]; found == nil || cmp.Or(cmp.Compare(x.size, y.size), cmp.Compare(y.at, x.at)) > 0 {
			found = op
		}
	}
	return found
}
