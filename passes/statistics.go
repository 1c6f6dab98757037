// This file adds up and prints the counters of passes.

package passes

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// Statistics adds up the counts of passes over a run. A nil Statistics counts nothing.
// Several goroutines may use it, because functions are processed in parallel.
type Statistics struct {
	mu sync.Mutex
	// counts holds, for each step of a pipeline, the sums of its statistics, in the order
	// of Pass.Stats.
	counts map[*Step][]int64
}

// add adds the counts of one run of a step.
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

// Count returns the sum of one statistic over all runs of a pass.
func (st *Statistics) Count(p *Pass, name string) (sum int64) {
	i := slices.IndexFunc(p.Stats, func(s Stat) bool { return s.Name == name })
	for s, counts := range st.counts {
		if s.Pass == p && i >= 0 {
			sum += counts[i]
		}
	}
	return sum
}

// Summary returns the sums over all runs of a pass as text, such as "buffers allocated:
// 2", or "" if all sums are zero.
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

// Report writes the counts to w, as a list or as a tree. If the parameter list is true,
// it writes a list of passes with the sums over all runs. Otherwise it writes a tree of
// pipelines. The formats are those of mlir-opt's --mlir-pass-statistics-display, for
// tools that parse them.
func (st *Statistics) Report(w io.Writer, p *Pipeline, list bool) {
	banner(w, "Pass statistics report")
	if list {
		st.list(w, p)
		return
	}
	st.tree(w, p, 0)
}

// tree writes the steps of the pipeline p with their counts, indented by their nesting
// depth.
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

// list writes the statistics of each pass, sorted by pass title. If a pass occurs several
// times in the pipeline p, it writes the sums over these occurrences.
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

// writeCounts writes the title of the pass p and its statistics to w. Each statistic has
// one row with its number, from counts, and its name. depth is the indentation level.
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
