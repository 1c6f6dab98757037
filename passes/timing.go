// This file measures and prints the execution time of passes.

package passes

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Timing measures the run time of passes and of other parts of a tool. A nil Timing
// measures nothing.
type Timing struct {
	// mu guards cells and rows.
	mu sync.Mutex
	// began is the time when the Timing was created, from which the total time is
	// measured.
	began time.Time
	// cells holds the time of each step.
	cells map[*Step]*cell
	// rows are the rows in the order of the report.
	rows []row
	// now returns the current time. Tests replace it.
	now func() time.Time
}

// cell is the run time of one step, separately for each goroutine that ran it.
type cell struct{ workers map[int]time.Duration }

// row is an entry of the report: a named part of the tool with its time, or a pipeline.
type row struct {
	name     string
	time     *cell
	pipeline *Pipeline
}

// NewTiming returns a Timing whose clock has started.
func NewTiming() *Timing {
	t := &Timing{cells: map[*Step]*cell{}, now: time.Now}
	t.began = t.now()
	return t
}

// Part starts to measure a part of the tool, such as reading the input, and adds it to
// the report under the given name. The measurement ends when the caller calls stop.
func (t *Timing) Part(name string) (stop func()) {
	if t == nil {
		return func() {}
	}
	c := &cell{workers: map[int]time.Duration{}}
	t.mu.Lock()
	t.rows = append(t.rows, row{name: name, time: c})
	t.mu.Unlock()
	return t.measure(c, 0)
}

// begin adds a pipeline to the report, with a cell for each step. Later calls of start
// only read the map of cells, so they need no lock.
func (t *Timing) begin(p *Pipeline) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = append(t.rows, row{pipeline: p})
	p.walk(func(s *Step) { t.cells[s] = &cell{workers: map[int]time.Duration{}} })
}

// start starts to measure a step on one worker goroutine. The measurement ends when the
// caller calls stop.
func (t *Timing) start(s *Step, worker int) (stop func()) {
	if t == nil {
		return func() {}
	}
	return t.measure(t.cells[s], worker)
}

// measure starts a measurement of time. The returned function adds the time that has
// elapsed since the start to the cell c, under the number worker of the calling
// goroutine.
func (t *Timing) measure(c *cell, worker int) func() {
	from := t.now()
	return func() {
		d := t.now().Sub(from)
		t.mu.Lock()
		defer t.mu.Unlock()
		c.workers[worker] += d
	}
}

// user returns the sum of the times that all goroutines have spent in the step.
func (c *cell) user() (d time.Duration) {
	for w := range maps.Values(c.workers) {
		d += w
	}
	return d
}

// wall returns the time of the goroutine that has spent the longest time in the step.
func (c *cell) wall() (d time.Duration) {
	for w := range maps.Values(c.workers) {
		d = max(d, w)
	}
	return d
}

// line is one row of the printed report.
type line struct {
	depth      int
	name       string
	user, wall time.Duration
}

// Report writes the times as a tree of pipelines, or as a list of passes, the
// slowest one first.
func (t *Timing) Report(w io.Writer, list bool) {
	total := t.now().Sub(t.began)
	lines := t.lines()
	user, wall := time.Duration(0), time.Duration(0)
	for _, l := range lines {
		if l.depth == 0 {
			user, wall = user+l.user, wall+l.wall
		}
	}
	if list {
		lines = merge(lines)
	}
	rest := max(0, total-wall)
	lines = append(lines, line{0, "Rest", rest, rest}, line{0, "Total", user + rest, total})
	banner(w, "Execution time report")
	fmt.Fprintf(w, "  Total Execution Time: %.4f seconds\n\n", total.Seconds())
	fmt.Fprintf(w, "  ----User Time----  ----Wall Time----  ----Name----\n")
	for _, l := range lines {
		fmt.Fprintf(w, "  %s  %s  %s%s\n", column(l.user, user+rest), column(l.wall, total), strings.Repeat("  ", l.depth), l.name)
	}
}

// lines returns the rows of the report. The rows of a pipeline's passes follow the row of
// the pipeline, so the rows form a tree.
func (t *Timing) lines() []line {
	var ls []line
	for _, r := range t.rows {
		if r.pipeline == nil {
			ls = append(ls, line{0, r.name, r.time.user(), r.time.wall()})
			continue
		}
		ls = t.steps(ls, r.pipeline, 0)
	}
	return ls
}

// steps appends a report row for each step of the pipeline p to ls and returns the
// extended slice. depth is the nesting depth of the pipeline. The user time of a nested
// pipeline is computed as the sum of the user times of its steps. It cannot be measured
// directly, because a measurement of the pipeline covers only one goroutine.
func (t *Timing) steps(ls []line, p *Pipeline, depth int) []line {
	for _, s := range p.Steps {
		c := t.cells[s]
		if s.Nested == nil {
			ls = append(ls, line{depth, s.Pass.title(), c.user(), c.wall()})
			continue
		}
		at := len(ls)
		ls = append(ls, line{depth, "'" + s.Nested.Anchor + "' Pipeline", 0, c.wall()})
		ls = t.steps(ls, s.Nested, depth+1)
		for _, l := range ls[at+1:] {
			if l.depth == depth+1 {
				ls[at].user += l.user
			}
		}
		ls[at].user = max(ls[at].user, ls[at].wall)
	}
	return ls
}

// merge adds up the times of rows with equal names, so that each pass has one row. It
// omits the rows of pipelines.
func merge(ls []line) []line {
	byName := map[string]*line{}
	var out []*line
	for _, l := range ls {
		if strings.HasSuffix(l.name, "' Pipeline") {
			continue
		}
		if m := byName[l.name]; m != nil {
			m.user, m.wall = m.user+l.user, m.wall+l.wall
			continue
		}
		l.depth = 0
		byName[l.name] = &l
		out = append(out, &l)
	}
	slices.SortStableFunc(out, func(a, b *line) int { return cmp.Compare(b.wall, a.wall) })
	flat := make([]line, len(out))
	for i, l := range out {
		flat[i] = *l
	}
	return flat
}

// column returns a time and its percentage of the total as text.
func column(d, total time.Duration) string {
	share := 0.0
	if total > 0 {
		share = 100 * d.Seconds() / total.Seconds()
	}
	return fmt.Sprintf("%8.4f (%5.1f%%)", d.Seconds(), share)
}

// banner writes the heading of a report, with the text title, to w. The heading has the
// width that MLIR uses.
func banner(w io.Writer, title string) {
	rule := "===" + strings.Repeat("-", 73) + "==="
	title = "... " + title + " ..."
	fmt.Fprintf(w, "%s\n%*s\n%s\n", rule, (80+len(title))/2, title, rule)
}
