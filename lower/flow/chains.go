// Package flow numbers the points of a function so that straight runs of control
// flow are intervals, in which live ranges are kept.
package flow

// Interval is points in a row, to not included.
type Interval struct{ From, To int }

// Segment is points in a row that control goes through from the first to the
// last: it comes in at the first only and branches at the last only.
type Segment struct {
	Interval
	Preds, Succs []int // the segments that control comes from and goes to
}

// Chains are the points of a function, numbered so that those of a segment
// stand in a row.
type Chains struct {
	List  []Segment
	Of    []int // the segment of each point, by its new number
	Order []int // the old number of each point
}

// NewChains puts n points into segments. Points keep their order as far as
// segments allow.
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

// link notes how control goes from segment to segment.
func (s *Chains) link(number []int, succs func(p int) []int) {
	for i := range s.List {
		for _, next := range succs(s.Order[s.List[i].To-1]) {
			to := s.Of[number[next]]
			s.List[i].Succs = append(s.List[i].Succs, to)
			s.List[to].Preds = append(s.List[to].Preds, i)
		}
	}
}
