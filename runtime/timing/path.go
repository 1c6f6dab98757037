// This file computes the critical path.

package timing

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// segment is an interval of the critical path, from one time to another, with its cause.
// A segment without an item (recorded instruction) is a wait, such as the latency of a
// flag or the issue of instructions.
type segment struct {
	item     int32
	from, to float64
	what     string
}

// criticalPath returns which causes determine the duration of the kernel. A cause is for
// example the work of one pipe, or one kind of wait. criticalPath follows the predicted
// execution backwards, starting with the item that ends last, the parameter last. From
// each item, it continues with the item that this one waited for. Each entry of the
// result contains the time of one cause; these times add up to the duration of the
// kernel.
func (p *replay) criticalPath(res *Result, last int32) []PathPart {
	p.path = nil
	t := res.Cycles
	for n := last; n >= 0 && t > 0; {
		from := min(p.start[n], t)
		p.segment(res, n, from, t)
		t = from
		by := p.by[n]
		if by < 0 {
			break
		}
		if p.why[n] != PipeBusy && p.done[by] < t {
			name := "flags"
			switch why := p.why[n]; {
			case why == Issued || why == Launched:
				name = "issue"
			case why == RankSignal:
				name = "signals between ranks"
			case why >= CrossCore:
				name = "signals between cores"
			case why == BarrierMet:
				name = "barriers"
			}
			p.path = append(p.path, segment{-1, p.done[by], t, name})
			res.Classes[Assumed] += t - p.done[by]
			t = p.done[by]
		}
		n = by
	}
	if t > 0 {
		p.path = append(p.path, segment{-1, 0, t, "issue"})
		res.Classes[Assumed] += t
	}
	slices.Reverse(p.path)
	sums := map[string]float64{}
	for _, s := range p.path {
		sums[s.what] += s.to - s.from
	}
	var parts []PathPart
	for _, what := range slices.Sorted(maps.Keys(sums)) {
		parts = append(parts, PathPart{what, sums[what], share(sums[what], res.Cycles)})
	}
	slices.SortStableFunc(parts, func(a, b PathPart) int { return cmp.Compare(b.Cycles, a.Cycles) })
	return parts
}

// segment adds an interval of item n to the critical path. The interval starts at the
// time given by the parameter from and ends at the time given by the parameter to.
func (p *replay) segment(res *Result, n int32, from, to float64) {
	if to <= from {
		return
	}
	it := &p.r.items[n]
	s := segment{n, from, to, PipeName(it.pipe)}
	class := Assumed
	switch {
	case it.kind != workItem:
		s.item, s.what = -1, "flags"
	case it.move >= 0 && p.r.moves[it.move].far:
		s.what = "link"
		_, class = p.chip.linkRate(p.r.moves[it.move].bytes, p.r.works[it.work].op)
	case it.move >= 0:
		class = p.chip.must("gm.hit").Class
		if p.gm[0].caches[it.move] < 0.5 {
			class = p.chip.must("gm.miss").Class
		}
	default:
		class = p.costs[it.work].class
	}
	res.Classes[class] += to - from
	p.path = append(p.path, s)
}

// itoa returns the integer n in decimal notation as text.
func itoa(n int) string { return strconv.Itoa(n) }
