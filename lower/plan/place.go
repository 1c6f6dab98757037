// This file assigns addresses to allocations.

package plan

import (
	"cmp"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// usable returns the number of bytes of a space in which tiles are planned.
// According to reports (pto-isa issue 170, pypto issue 1804), some devices silently
// corrupt the last 8 KiB of vec that tiles may use. Plans therefore end below them,
// at 184 KiB on A2/A3 and 240 KiB on A5.
func usable(s sem.Space, t ir.Target) int64 {
	if s == sem.UB {
		return capacity(s, t) - topOfVec
	}
	return capacity(s, t)
}

// topOfVec is the number of bytes at the end of vec memory in which pto-plan-memory
// places no tiles. The function usable subtracts it from the size of the memory.
const topOfVec = 8 << 10

// capacity returns the number of bytes of a space that tiles may use. On A5 the
// system reserves the last 8 KiB of vec.
func capacity(s sem.Space, t ir.Target) int64 {
	n := int64(s.Size(t))
	if s == sem.UB && t == sem.A5 {
		n -= 8 << 10
	}
	return n
}

// alignment returns the alignment in bytes of planned addresses in a memory space: the
// size of a vector register, or of a box in the memories of the cube unit.
func alignment(s sem.Space) int64 {
	switch s {
	case sem.L0A, sem.L0B, sem.L0C:
		return 4096
	}
	return 256
}

// Crowded reports whether a memory space is too small for separate addresses of all
// tiles. It computes this for a placement in which no two tiles share bytes. Tiles with
// addresses keep these addresses, and all other tiles are placed in the remaining memory.
func Crowded(module *ir.Op, target ir.Target) bool {
	var used [numSpaces]int64
	occupied := analysis.OccupiedBy([]*ir.Op{module})
	for op := range module.Walk() {
		if _, alloc := op.Def().Sem.(sem.AllocTile); !alloc || op.Arg("addr") != nil {
			continue
		}
		t := target
		if t == 0 {
			t = ir.TargetOf(op)
		}
		s := pto.SpaceOf(op.Result(0).Type())
		size := pto.StorageOf(op.Result(0).Type())
		if used[s] = occupied.Beside(s, used[s], size) + size; used[s] > int64(s.Size(t)) {
			return true
		}
	}
	return false
}

// limit returns the address, in bytes, at which the planned part of memory space s ends;
// the plan places all tiles below it. The limit is the size of the memory without the
// last bytes of vec memory, which some devices corrupt (see usable). With the option
// whole-vec, the plan uses these bytes as well.
func (p *memoryPlan) limit(s sem.Space) int64 {
	if p.c.Bool("whole-vec") {
		return capacity(s, p.target)
	}
	return usable(s, p.target)
}

// alignUp returns the smallest multiple of an alignment that is at least n. The parameter
// to is the alignment in bytes.
func alignUp(n, to int64) int64 { return (n + to - 1) / to * to }

// place assigns addresses to all allocations, one memory space after the other. It
// returns true if everything fits.
func (p *memoryPlan) place() bool {
	var bySpace [numSpaces][]*allocation
	for _, r := range p.allocations {
		if !r.unused() || r.fixed {
			bySpace[r.space] = append(bySpace[r.space], r)
		}
	}
	ok := p.unusedFit()
	for s, allocations := range bySpace {
		if slices.ContainsFunc(allocations, func(r *allocation) bool { return !r.fixed }) {
			ok = p.placeSpace(sem.Space(s), allocations) && ok
		}
	}
	for _, r := range p.allocations {
		if r.host != nil {
			r.at = r.host.at
		}
	}
	return ok
}

// unusedFit checks whether each unused tile fits into its memory by itself. If a tile
// does not fit, unusedFit reports an error and returns false. An unused tile has address
// 0 and shares bytes with other tiles, but a tile that is larger than the memory is an
// error even if it is unused.
func (p *memoryPlan) unusedFit() bool {
	ok := true
	for _, r := range p.allocations {
		if g := (&ground{align: alignment(r.space), base: p.base[r.space], limit: p.limit(r.space)}); r.unused() && !r.fixed && g.base+r.size > g.limit {
			p.overflow(r.space, []*allocation{{op: r.op, space: r.space, size: r.size}}, g)
			ok = false
		}
	}
	return ok
}

// placeSpace assigns addresses in one memory space and returns true if everything fits.
// It first places the allocations in the order of their live ranges, which is fast and
// packs loops well. In this attempt, rings of buffers share no bytes with other tiles of
// their loops if there is enough memory. If an allocation does not fit, placeSpace tries
// again and places large tiles first. If this fails too, it repeats both attempts, but
// stores results of instructions in the bytes of operands that are no longer needed.
func (p *memoryPlan) placeSpace(s sem.Space, allocations []*allocation) bool {
	orders := []func([]*allocation, *ground) bool{placeByLife, placeBySize}
	if p.c.Bool("order-by-size") {
		slices.Reverse(orders)
	}
	g := &ground{align: alignment(s), base: p.base[s], limit: p.limit(s)}
	if narrow := p.widenRings(allocations); narrow != nil {
		for _, order := range orders {
			if order(allocations, g) {
				return true
			}
		}
		narrow()
	}
	for _, inPlace := range []bool{false, true} {
		if inPlace {
			allocations = p.moveIn(s, allocations)
		} else if p.c.Bool("in-place") {
			continue
		}
		for _, order := range orders {
			if order(allocations, g) {
				return true
			}
		}
	}
	p.overflow(s, allocations, g)
	return false
}

// ground is the memory of a space that is available: the alignment, the first address and
// the end, in bytes.
type ground struct{ align, base, limit int64 }

// gap returns the lowest address at which size bytes are free between the allocations in
// the list taken. The list is sorted by address. The second result is false if the memory
// has no gap of this size.
func (g *ground) gap(taken []*allocation, size int64) (int64, bool) {
	at := alignUp(g.base, g.align)
	for _, t := range taken {
		if at+size <= t.at {
			break
		}
		at = max(at, alignUp(t.at+t.size, g.align))
	}
	return at, at+size <= g.limit
}

// insert inserts r into the list taken, which is sorted by address, and returns the
// extended list.
func insert(taken []*allocation, r *allocation) []*allocation {
	i, _ := slices.BinarySearchFunc(taken, r.at, func(t *allocation, at int64) int { return cmp.Compare(t.at, at) })
	return slices.Insert(taken, i, r)
}

// placeByLife assigns addresses in the order in which live ranges start, and returns
// false if an allocation does not fit. For each allocation, it only examines the
// allocations that are live at its start. These are few, because they must fit into a
// small memory together.
func placeByLife(allocations []*allocation, g *ground) bool {
	allocations = slices.Clone(allocations)
	slices.SortStableFunc(allocations, func(a, b *allocation) int { return cmp.Compare(a.from, b.from) })
	// Fixed allocations are in the list from the beginning and at their addresses,
	// so the others are placed around them.
	var living []*allocation
	for _, r := range allocations {
		if r.fixed {
			living = insert(living, r)
		}
	}
	for _, r := range allocations {
		if r.fixed {
			continue
		}
		living = slices.DeleteFunc(living, func(l *allocation) bool { return l.to < r.from })
		at, ok := g.gap(living, r.size)
		if !ok {
			return false
		}
		r.at = at
		living = insert(living, r)
	}
	return true
}

// placeBySize assigns addresses to large allocations first, because they are the hardest
// to fit. It returns false if an allocation does not fit.
func placeBySize(allocations []*allocation, g *ground) bool {
	allocations = slices.Clone(allocations)
	slices.SortStableFunc(allocations, func(a, b *allocation) int {
		switch {
		// Fixed allocations come first, because they cannot give way.
		case a.fixed != b.fixed && a.fixed:
			return -1
		case a.fixed != b.fixed:
			return 1
		case a.size != b.size:
			return cmp.Compare(b.size, a.size)
		}
		return cmp.Compare(a.from, b.from)
	})
	c := calendar{}
	for _, r := range allocations {
		if !r.fixed {
			at, ok := g.gap(c.during(r), r.size)
			if !ok {
				return false
			}
			r.at = at
		}
		c.add(r)
	}
	return true
}

// calendar is an index that finds the allocations whose live ranges overlap that of a
// given one.
type calendar struct {
	// pages divides the points of the function into groups, each of the size of the
	// constant page. For each group it lists the allocations that are live at one of its
	// points.
	pages [][]*allocation
}

// page is a number of consecutive program points. The calendar is an index that finds the
// allocations that are live at a given point. Each entry of calendar.pages lists the
// allocations that are live at one or more of the points in one page.
const page = 64

// add records an allocation in every page (group of consecutive points) that overlaps its
// live range.
func (c *calendar) add(r *allocation) {
	for i := r.from / page; i <= r.to/page; i++ {
		for i >= len(c.pages) {
			c.pages = append(c.pages, nil)
		}
		c.pages[i] = append(c.pages[i], r)
	}
}

// during returns the allocations whose live ranges overlap that of r, sorted by address.
func (c *calendar) during(r *allocation) []*allocation {
	var found []*allocation
	for i := r.from / page; i <= r.to/page && i < len(c.pages); i++ {
		for _, o := range c.pages[i] {
			// Two live ranges can share several pages. Only the first of them counts.
			if o.from <= r.to && r.from <= o.to && max(o.from, r.from)/page == i {
				found = append(found, o)
			}
		}
	}
	slices.SortFunc(found, func(a, b *allocation) int { return cmp.Compare(a.at, b.at) })
	return found
}
