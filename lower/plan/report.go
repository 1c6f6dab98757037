// This file reports tiles that do not fit.

package plan

import (
	"cmp"
	"fmt"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// overflow reports an error: the allocations do not fit into the memory space s. The
// parameter g describes the bytes of this space that are available. overflow determines
// the allocations that are live at the same time and need the most bytes, and lists the
// largest of them.
func (p *memoryPlan) overflow(s sem.Space, allocations []*allocation, g *ground) {
	living, need := fullest(allocations, g)
	slices.SortStableFunc(living, func(a, b *allocation) int { return cmp.Compare(b.size, a.size) })
	target, used := sem.ProfileName(p.target), ""
	if g.base > 0 {
		used = fmt.Sprintf(", %d of them used by callers", g.base)
	}
	var d *ir.Diag
	if len(living) == 1 {
		d = p.errorf(living[0].op, "does not fit into memory: the tile needs %d bytes, but %s has %d bytes on %s%s", need, s.Loc(), g.limit, target, used)
	} else if need > g.limit {
		d = p.errorf(living[0].op, "does not fit into memory: the %d tiles in use at the same time need %d bytes, but %s has %d bytes on %s%s", len(living), need, s.Loc(), g.limit, target, used)
	} else {
		d = p.errorf(living[0].op, "does not fit into memory: the planner found no placement for the %d tiles in use at the same time, although they need only %d bytes, and %s has %d bytes on %s%s",
			len(living), need, s.Loc(), g.limit, target, used)
	}
	d.As(ir.CodeNoRoom)
	if full := capacity(s, p.target); full > g.limit {
		d.Note(ir.Loc{}, fmt.Sprintf("the planner does not use the last %d of %d bytes, because devices are reported to corrupt them; whole-vec=true uses them", full-g.limit, full))
	}
	for _, r := range living[:min(5, len(living))] {
		name := r.op.Name()
		if r.op.Result(0).Name() != "" {
			name = "%" + r.op.Result(0).Name()
		}
		d.Note(r.op.Loc(), fmt.Sprintf("%s needs %d bytes", name, r.size))
	}
	if way := smallerTiles(living, need-g.base, g.limit-g.base); way != "" {
		d.Note(ir.Loc{}, way)
	}
}

// smallerTiles returns the text of a note about the share of the rows, or of the columns,
// with which tiles fit that now need more bytes than room. It is "" if no power of two divides
// the extents so often, or if they need fewer bytes than room.
func smallerTiles(living []*allocation, need, room int64) string {
	if need <= room || room <= 0 {
		return ""
	}
	share := int64(2)
	for need > share*room {
		share *= 2
	}
	for _, axis := range []struct {
		name string
		of   func(t *pto.TileInfo) (all, valid *int64)
	}{
		{"rows", func(t *pto.TileInfo) (all, valid *int64) { return &t.Rows, &t.VRows }},
		{"columns", func(t *pto.TileInfo) (all, valid *int64) { return &t.Cols, &t.VCols }},
	} {
		fits := func(r *allocation) bool {
			t, ok := pto.TileOf(r.op.Result(0).Type())
			all, valid := axis.of(&t)
			if !ok || *all%share != 0 {
				return false
			}
			*all /= share
			*valid = min(*valid, *all)
			return pto.CheckLayout(t) == ""
		}
		if !slices.ContainsFunc(living, func(r *allocation) bool { return !fits(r) }) {
			return fmt.Sprintf("with 1/%d of the %s in each of them, they need %d bytes: process the data in %d parts", share, axis.name, (need+share-1)/share, share)
		}
	}
	return ""
}

// fullest returns the allocations that are live at the point where the program needs the
// most memory. The result need is the end address of these allocations in bytes, and the
// parameter g is the available memory.
func fullest(allocations []*allocation, g *ground) (living []*allocation, need int64) {
	// change is an allocation that starts or ends at a point; bytes is negative at
	// the end.
	type change struct {
		point int
		bytes int64
	}
	var changes []change
	for _, r := range allocations {
		size := alignUp(r.size, g.align)
		changes = append(changes, change{r.from, size}, change{r.to + 1, -size})
	}
	// At one point, frees come before allocations, because their sizes are
	// negative.
	slices.SortFunc(changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.point, b.point), cmp.Compare(a.bytes, b.bytes))
	})
	taken, at := alignUp(g.base, g.align), 0
	for _, c := range changes {
		if taken += c.bytes; taken > need {
			need, at = taken, c.point
		}
	}
	for _, r := range allocations {
		if r.from <= at && at <= r.to {
			living = append(living, r)
		}
	}
	return living, need
}
