package lower

import (
	"cmp"
	"slices"
)

// liveness computes where each tile is needed. It numbers the points so that
// those of a segment stand in a row: a tile then costs one interval for each
// segment it lives in, however long that is.
func (g *graph) liveness() {
	segs := newChains(len(g.points), func(p int) []int { return g.points[p].succs })
	g.renumber(segs.order)
	w := &walk{segs: segs.list, of: segs.of, seen: make([]int, len(segs.list))}
	uses, defs := make([][]int, len(g.values)), make([]int, len(g.values))
	for p := range g.points {
		for _, n := range g.points[p].uses {
			uses[n] = append(uses[n], p)
		}
		for _, n := range g.points[p].defs {
			defs[n] = p
		}
	}
	g.live, g.usedAt = make([][]interval, len(g.values)), uses
	for n := range g.values {
		g.live[n] = w.tile(n, defs[n], uses[n])
	}
}

// walk goes from the uses of a tile backwards to its definition.
type walk struct {
	segs []segment
	of   []int // the segment of each point
	seen []int // the last tile that was found to live at the end of a segment
	work []int
}

// tile returns the intervals of a tile, in order.
func (w *walk) tile(n, def int, uses []int) []interval {
	var live []interval
	for _, u := range uses {
		live = w.before(live, w.of[u], u, def, n)
	}
	for len(w.work) > 0 {
		i := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		live = w.before(live, i, w.segs[i].to, def, n)
	}
	return joined(live)
}

// before notes that a tile is needed in segment i in front of point end.
func (w *walk) before(live []interval, i, end, def, n int) []interval {
	if def < end && w.of[def] == i {
		return append(live, interval{def, end})
	}
	for _, p := range w.segs[i].preds {
		if w.seen[p] != n+1 {
			w.seen[p] = n + 1
			w.work = append(w.work, p)
		}
	}
	return append(live, interval{w.segs[i].from, end})
}

// joined sorts intervals and joins those that overlap.
func joined(live []interval) []interval {
	slices.SortFunc(live, func(a, b interval) int { return cmp.Compare(a.from, b.from) })
	out := live[:0]
	for _, l := range live {
		switch n := len(out); {
		case l.from == l.to:
		case n > 0 && l.from <= out[n-1].to:
			out[n-1].to = max(out[n-1].to, l.to)
		default:
			out = append(out, l)
		}
	}
	return out
}

// renumber puts the points into an order.
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
