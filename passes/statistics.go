package passes

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// Statistics adds up what passes count. A nil Statistics counts nothing. Functions
// may be worked on side by side, so that several runs of a step add at a time.
type Statistics struct {
	mu     sync.Mutex
	counts map[*Step][]int64 // in the order of the Stats of the pass
}

// add is called when a pass has run on one operation.
func (st *Statistics) add(s *Step, counts []int64) {
	if st == nil {
		return
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.counts == nil {
		st.counts = map[*Step][]int64{}
	}
	if st.counts[s] == nil {
		st.counts[s] = make([]int64, len(counts))
	}
	for i, n := range counts {
		st.counts[s][i] += n
	}
}

// Summary lists what all runs of a pass have counted, in words, such as "buffers
// allocated: 2"; it is "" if they counted nothing.
func (st *Statistics) Summary(p *Pass) string {
	sums := make([]int64, len(p.Stats))
	for s, counts := range st.counts {
		for i, n := range counts {
			if s.Pass == p {
				sums[i] += n
			}
		}
	}
	var parts []string
	for i, n := range sums {
		if n != 0 {
			parts = append(parts, fmt.Sprintf("%s: %d", p.Stats[i].Doc, n))
		}
	}
	return strings.Join(parts, ", ")
}

// Report writes the counts in the shape of the pipeline, or as a list of
// passes by name, each with the sum of all its runs. Both look as mlir-opt's
// --mlir-pass-statistics-display does, for tools that read them.
func (st *Statistics) Report(w io.Writer, p *Pipeline, list bool) {
	banner(w, "Pass statistics report")
	if list {
		st.list(w, p)
		return
	}
	st.tree(w, p, 0)
}

func (st *Statistics) tree(w io.Writer, p *Pipeline, depth int) {
	for _, s := range p.Steps {
		if s.Nested != nil {
			fmt.Fprintf(w, "%s'%s' Pipeline\n", strings.Repeat("  ", depth), s.Nested.Anchor)
			st.tree(w, s.Nested, depth+1)
			continue
		}
		writeCounts(w, s.Pass, st.counts[s], depth)
	}
}

func (st *Statistics) list(w io.Writer, p *Pipeline) {
	sums := map[*Pass][]int64{}
	var order []*Pass
	p.walk(func(s *Step) {
		if s.Pass == nil {
			return
		}
		if sums[s.Pass] == nil {
			sums[s.Pass] = make([]int64, len(s.Pass.Stats))
			order = append(order, s.Pass)
		}
		for i, n := range st.counts[s] {
			sums[s.Pass][i] += n
		}
	})
	slices.SortFunc(order, func(a, b *Pass) int { return cmp.Compare(a.title(), b.title()) })
	for _, pass := range order {
		if len(pass.Stats) > 0 {
			writeCounts(w, pass, sums[pass], 0)
		}
	}
}

// writeCounts lines up numbers on the right and names on the left.
func writeCounts(w io.Writer, p *Pass, counts []int64, depth int) {
	indent := strings.Repeat("  ", depth)
	fmt.Fprintf(w, "%s%s\n", indent, p.title())
	width, digits := 0, 1
	for i, s := range p.Stats {
		width = max(width, len(s.Name))
		if i < len(counts) {
			digits = max(digits, len(fmt.Sprint(counts[i])))
		}
	}
	for i, s := range p.Stats {
		n := int64(0)
		if i < len(counts) {
			n = counts[i]
		}
		fmt.Fprintf(w, "%s  (S) %*d %-*s - %s\n", indent, digits, n, width, s.Name, s.Doc)
	}
}
