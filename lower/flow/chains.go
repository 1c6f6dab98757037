// Package flow numbers the points of a function so that straight runs of control
// flow are intervals, in which live ranges are kept.
package flow

// Interval is a range of consecutive points of a control flow graph, from From up to, but
// not including, To.
type Interval struct{ From, To int }

// Segment is a sequence of consecutive points without branches: control enters it only at
// the first point and leaves it only at the last one.
type Segment struct {
	Interval
	// Preds are the indices of the segments from which control comes, and Succs those of
	// the segments to which it goes.
	Preds, Succs []int
}

// Chains divides the points of the control flow graph of a function into segments. A
// segment is a sequence of points without branches. The points receive new numbers, so
// that the points of a segment have consecutive numbers.
type Chains struct {
	// List contains the segments.
	List []Segment
	// Of is the index of the segment of each point, by the new number of the point.
	Of []int
	// Order is the old number of each point, by its new number.
	Order []int
}

// NewChains divides n points of a program into segments. Within a segment, each point is
// the only successor of the point before it and has no other predecessor. The function
// succs returns the points that can follow a point. NewChains keeps the original order of
// the points as far as the segments permit.
func NewChains(n int, succs func(p int) []int) *Chains {
	s := &Chains{Of: make([]int, n)}
	preds, pred := make([]int, n), make([]int, n)
	for p := range n {
		for _, next := range succs(p) {
			preds[next]++
			pred[next] = p
		}
	}
	isHead := func(p int) bool { return preds[p] != 1 || len(succs(pred[p])) != 1 }
	number := make([]int, n)
	placed := make([]bool, n)
	place := func(p int) {
		from := len(s.Order)
		for !placed[p] {
			placed[p] = true
			number[p] = len(s.Order)
			s.Order = append(s.Order, p)
			if next := succs(p); len(next) == 1 && !isHead(next[0]) {
				p = next[0]
			}
		}
		for i := from; i < len(s.Order); i++ {
			s.Of[i] = len(s.List)
		}
		s.List = append(s.List, Segment{Interval: Interval{from, len(s.Order)}})
	}
	for p := range n {
		if isHead(p) {
			place(p)
		}
	}
	for p := range n { // circles that nothing leads into
		if !placed[p] {
			place(p)
		}
	}
	s.link(number, succs)
	return s
}

// link sets the predecessors and successors of each segment. NewChains has reordered the
// points of the program: number maps the original index of a point to its index in the
// new order. The function succs returns the points that can follow a point, as original
// indices.
func (s *Chains) link(number []int, succs func(p int) []int) {
	for i := range s.List {
		for _, next := range succs(s.Order[s.List[i].To-1]) {
			to := s.Of[number[next]]
			s.List[i].Succs = append(s.List[i].Succs, to)
			s.List[to].Preds = append(s.List[to].Preds, i)
		}
	}
}
