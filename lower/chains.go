package lower

// interval is points in a row, to not included.
type interval struct{ from, to int }

// segment is points in a row that control goes through from the first to the
// last: it comes in at the first only and branches at the last only.
type segment struct {
	interval
	preds, succs []int // the segments that control comes from and goes to
}

// chains are the points of a function, numbered so that those of a segment
// stand in a row.
type chains struct {
	list  []segment
	of    []int // the segment of each point, by its new number
	order []int // the old number of each point
}

// newChains puts n points into segments. Points keep their order as far as
// segments allow.
func newChains(n int, succs func(p int) []int) *chains {
	s := &chains{of: make([]int, n)}
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
		from := len(s.order)
		for !placed[p] {
			placed[p] = true
			number[p] = len(s.order)
			s.order = append(s.order, p)
			if next := succs(p); len(next) == 1 && !isHead(next[0]) {
				p = next[0]
			}
		}
		for i := from; i < len(s.order); i++ {
			s.of[i] = len(s.list)
		}
		s.list = append(s.list, segment{interval: interval{from, len(s.order)}})
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
func (s *chains) link(number []int, succs func(p int) []int) {
	for i := range s.list {
		for _, next := range succs(s.order[s.list[i].to-1]) {
			to := s.of[number[next]]
			s.list[i].succs = append(s.list[i].succs, to)
			s.list[to].preds = append(s.list[to].preds, i)
		}
	}
}
