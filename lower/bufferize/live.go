// This file computes where tiles are needed.

package bufferize

import (
	"cmp"
	"slices"

	"ptogo/lower/flow"
)

// liveness computes the points at which each tile is needed. It renumbers the points so
// that those of a segment (a sequence without branches) are consecutive. A tile then
// needs at most one interval per segment.
func (g *graph) liveness() {
	segs := flow.NewChains(len(g.points), func(p int) []int { return g.points[p].succs })
	g.renumber(segs.Order)
	w := &walk{segs: segs.List, of: segs.Of, seen: make([]int, len(segs.List))}
	uses, defs := make([][]int, len(g.values)), make([]int, len(g.values))
	for p := range g.points {
		for _, n := range g.points[p].uses {
			uses[n] = append(uses[n], p)
		}
		for _, n := range g.points[p].defs {
			defs[n] = p
		}
	}
	g.live, g.usedAt = make([][]flow.Interval, len(g.values)), uses
	for n := range g.values {
		g.live[n] = w.tile(n, defs[n], uses[n])
	}
}

// walk is a search for the live range of a tile. It follows the control flow backward
// from the uses of the tile to its definition.
type walk struct {
	segs []flow.Segment
	// of is the segment of each point.
	of []int
	// seen is, for each segment, the last tile that was found to be live at its end, plus
	// 1.
	seen []int
	// work lists the segments that the search still has to visit.
	work []int
}

// tile returns the live range of tile n as sorted intervals. def is the point that
// defines the tile, and uses lists the points that read it.
func (w *walk) tile(n, def int, uses []int) []flow.Interval {
	var live []flow.Interval
	for _, u := range uses {
		live = w.before(live, w.of[u], u, def, n)
	}
	for len(w.work) > 0 {
		i := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		live = w.before(live, i, w.segs[i].To, def, n)
	}
	return joined(live)
}

// before computes the live range of tile n in segment i, from the start of the segment to
// the point end, and appends it to live. If the point def, at which an instruction writes
// the tile, is in this part of the segment, the live range starts at def instead. If it
// is not, the tile is also live in the predecessors of the segment, so before adds them
// to the work list.
func (w *walk) before(live []flow.Interval, i, end, def, n int) []flow.Interval {
	// The tile is written in this segment before the use, so its earlier contents
	// do not matter.
	if def < end && w.of[def] == i {
		return append(live, flow.Interval{From: def, To: end})
	}
	for _, p := range w.segs[i].Preds {
		if w.seen[p] != n+1 {
			w.seen[p] = n + 1
			w.work = append(w.work, p)
		}
	}
	return append(live, flow.Interval{From: w.segs[i].From, To: end})
}

// joined sorts intervals and merges overlapping ones.
func joined(live []flow.Interval) []flow.Interval {
	slices.SortFunc(live, func(a, b flow.Interval) int { return cmp.Compare(a.From, b.From) })
	out := live[:0]
	for _, l := range live {
		switch n := len(out); {
		// An empty interval needs no buffer.
		case l.From == l.To:
		case n > 0 && l.From <= out[n-1].To:
			out[n-1].To = max(out[n-1].To, l.To)
		default:
			out = append(out, l)
		}
	}
	return out
}

// renumber gives the program points new numbers. order lists the old numbers: the point
// with the old number order[i] receives the number i.
func (g *graph) renumber(order []int) {
	to := make([]int, len(order))
	points := make([]point, len(order))
	for i, p := range order {
		to[p] = i
		points[i] = g.points[p]
	}
	for i := range points {
		for k, s := range points[i].succs {
			points[i].succs[k] = to[s]
		}
		for k := range points[i].writes {
			points[i].writes[k].point = i
		}
	}
	g.points = points
	for op, p := range g.at {
		g.at[op] = to[p]
	}
	for b, p := range g.entry {
		g.entry[b] = to[p]
	}
}
