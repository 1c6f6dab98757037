// This file combines accesses at constant distances from each other.

package syncproof

import (
	"slices"

	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir/term"
)

// area is a set of accesses to an object by instructions in the same loops, at constant
// distances from each other. What is proved of a area holds for all its accesses.
type area struct {
	// record is the first of the instructions. Its facts are those that all of them share.
	record *record
	// touch contains all accesses.
	touch Touch
	// parts are the single accesses. A single access has no parts.
	parts []*area
}

// mostAreas is the number of latest areas that an access can join, so that a program
// without accesses at constant distances is not compared in pairs.
const mostAreas = 16

// areas returns the accesses to global memory.
func (x *prover) areas() (list []*area) {
	for _, r := range x.records {
		for i := range r.touch {
			t := &r.touch[i]
			if t.Space != sem.GM || t.Source || t.Frees {
				continue
			}
			part := &area{record: r, touch: *t}
			at := slices.IndexFunc(list[max(0, len(list)-mostAreas):], func(g *area) bool { return g.take(part) })
			if at < 0 {
				whole := *r
				whole.facts = slices.Clone(r.facts)
				list = append(list, &area{&whole, *t, []*area{part}})
			}
		}
	}
	return list
}

// take adds an access to g and returns true, if it is at a constant distance.
func (g *area) take(part *area) bool {
	r, t := part.record, &part.touch
	if g.record.thread != r.thread || !slices.Equal(g.record.frames, r.frames) || t.Line == order.Scalar {
		return false
	}
	union, ok := g.touch.union(t)
	if !ok {
		return false
	}
	g.touch = union
	g.record.facts = slices.DeleteFunc(g.record.facts, func(f term.Term) bool { return !slices.Contains(r.facts, f) })
	g.parts = append(g.parts, part)
	return true
}

// union returns an access that contains both accesses. ok is false if their distance or their
// sizes are not constant, or if they are of different kinds.
func (t Touch) union(o *Touch) (u Touch, ok bool) {
	away, constant := o.From.Sub(t.From).Const()
	if !constant || t.Size <= 0 || o.Size <= 0 || t.Root != o.Root || t.Line != o.Line || t.Write != o.Write || t.Atomic != o.Atomic || t.Vectors != o.Vectors {
		return t, false
	}
	u = t
	u.Op = nil
	u.From, u.Size = hull(t.From, t.Size, away, o.Size)
	if away != 0 || t.Width != o.Width || t.Pitch != o.Pitch {
		u.Width, u.Pitch = 0, 0
	}
	u.View = t.View && o.View && len(t.Dims) == len(o.Dims) && slices.Equal(t.ViewTerms, o.ViewTerms) && equal(t.Base, o.Base)
	u.Dims = slices.Clone(t.Dims)
	for i := range u.Dims {
		u.View = u.View && u.Dims[i].add(o.Dims[i])
	}
	return u, true
}

// add extends a range of indices to another one, and returns whether that is possible.
func (e *Extent) add(o Extent) bool {
	if equal(e.From, o.From) && equal(e.Size, o.Size) {
		return true
	}
	away, constant := o.From.Sub(e.From).Const()
	n, ok := e.Size.Const()
	m, ok2 := o.Size.Const()
	if !constant || !ok || !ok2 {
		return false
	}
	from, size := hull(e.From, n, away, m)
	e.From, e.Size = from, term.Whole(size)
	return true
}

// hull returns the start and the length of a range that contains n elements from a start, and
// m elements at a distance from it.
func hull(from term.Linear, n, away, m int64) (term.Linear, int64) {
	first := min(0, away)
	return from.AddConst(first), max(n, away+m) - first
}

// equal reports whether two values are certainly equal.
func equal(a, b term.Linear) bool {
	away, ok := a.Sub(b).Const()
	return ok && away == 0
}
