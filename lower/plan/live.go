// This file computes live ranges.

package plan

import (
	"cmp"
	"slices"

	"ptogo/lower/flow"
)

// lifetimes computes the live range of each allocation: the first and the last point at
// which it has contents that may still be read.
func (p *memoryPlan) lifetimes() {
	ch := flow.NewChains(len(p.points), func(n int) []int { return p.points[n].succs })
	number := make([]int, len(p.points))
	points := make([]flowPoint, len(p.points))
	for i, n := range ch.Order {
		number[n], points[i] = i, p.points[n]
	}
	p.points = points // the chains have the successors in new numbers, so those of the points are not updated
	w := &lifeWalk{Chains: ch, last: make([]int, len(ch.List)), stamp: make([]int, len(ch.List)), state: make([]reach, len(ch.List))}
	for i, r := range p.allocations {
		for k := range r.events {
			r.events[k].point = number[r.events[k].point]
		}
		slices.SortFunc(r.events, func(a, b event) int { return cmp.Compare(a.point, b.point) })
		if r.always {
			r.from, r.to = 0, len(p.points)-1
			continue
		}
		w.allocation(r, i+1)
	}
	p.keepInRegions()
}

// lifeWalk computes the live ranges of allocations, one after the other. It works on
// segments, which are sequences of points without branches.
type lifeWalk struct {
	*flow.Chains
	// stamp is, for each segment, the number of the allocation, plus 1, for which state
	// and last of the segment are valid.
	stamp []int
	// state is the state of the allocation at the end of each segment.
	state []reach
	// last is the index of the last event of the allocation in a segment, or -1.
	last []int
	// ends are the segments at whose end the allocation is needed.
	ends []int
}

// reach is a set of bits that describes an allocation at the end of a segment, a sequence
// of program points. The bit needed states that the contents may still be read. The bit
// filled states that the allocation may have contents.
type reach uint8

const (
	// needed means that the contents may be read after the segment.
	needed reach = 1 << iota
	// filled means that the allocation may have contents.
	filled
)

// at returns the state of segment i for the allocation with the given number. If the
// stored state belongs to a different allocation, at clears it before it returns it. This
// is faster than clearing all segments for each allocation.
func (w *lifeWalk) at(i, allocation int) *reach {
	if w.stamp[i] != allocation {
		w.stamp[i], w.state[i], w.last[i] = allocation, 0, -1
	}
	return &w.state[i]
}

// allocation computes the live range of the allocation r with the given number. In a
// first step, it follows the control flow backward from each use until it reaches a write
// of the complete allocation. In a second step, it follows the control flow forward from
// the writes that reach a use, to find the points at which the contents are both written
// and still needed.
func (w *lifeWalk) allocation(r *allocation, number int) {
	r.from, r.to = len(w.Of), -1
	for k, e := range r.events {
		w.at(w.Of[e.point], number)
		w.last[w.Of[e.point]] = k
	}
	w.ends = w.ends[:0]
	for k, e := range r.events {
		if e.kind == starts {
			continue
		}
		r.from, r.to = min(r.from, e.point), max(r.to, e.point)
		i := w.Of[e.point]
		if e.kind == uses && (k == 0 || w.Of[r.events[k-1].point] != i) {
			w.needBefore(i, number)
		}
	}
	for k := 0; k < len(w.ends); k++ { // the list grows during the loop
		if i := w.ends[k]; w.last[i] < 0 {
			w.needBefore(i, number)
		}
	}
	var work []int
	for _, i := range w.ends {
		if k := w.last[i]; k >= 0 && r.events[k].kind != starts {
			*w.at(i, number) |= filled
			work = append(work, i)
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		r.to = max(r.to, w.List[i].To-1)
		if w.last[i] < 0 {
			r.from = min(r.from, w.List[i].From)
		}
		for _, next := range w.List[i].Succs {
			work = w.fill(r, next, number, work)
		}
	}
}

// needBefore handles an allocation whose contents are needed at the start of segment i, a
// sequence of points without branches. It records that they are needed at the end of each
// predecessor of the segment. number identifies the allocation.
func (w *lifeWalk) needBefore(i, number int) {
	for _, prev := range w.List[i].Preds {
		if s := w.at(prev, number); *s&needed == 0 {
			*s |= needed
			w.ends = append(w.ends, prev)
		}
	}
}

// fill records that the allocation r may have contents at the start of segment i of the
// control flow graph. number is the index of r. If the contents may remain until the end
// of the segment, fill appends the segment to the worklist work. It returns the worklist.
func (w *lifeWalk) fill(r *allocation, i, number int, work []int) []int {
	s := w.at(i, number)
	if w.last[i] < 0 {
		if *s&(needed|filled) == needed {
			*s |= filled
			work = append(work, i)
		}
		return work
	}
	first := w.last[i]
	for first > 0 && w.Of[r.events[first-1].point] == i {
		first--
	}
	if r.events[first].kind == uses {
		r.from = min(r.from, w.List[i].From)
	}
	return work
}
