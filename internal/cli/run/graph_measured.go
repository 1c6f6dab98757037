// This file compares the predicted times of a graph with measured ones (--timing-measured).

package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/runtime/timing"
)

// compareMeasured reads the file of measured times of each rank, and compares them with the
// schedule. Without the option --timing-measured, the result is empty.
func (g *graph) compareMeasured(s *timing.Schedule) ([]*timing.Comparison, error) {
	if g.flags.timing.measured == "" {
		return nil, nil
	}
	var all []*timing.Comparison
	for rank := range g.run.Ranks {
		path := data.Place{Rank: rank}.OfRank(g.flags.timing.measured)
		if rank > 0 && path == g.flags.timing.measured {
			return nil, fmt.Errorf("the graph has %d ranks, so the name of the file must contain {rank}", g.run.Ranks)
		}
		text, err := g.MaxMemory.Read(path)
		if err != nil {
			return nil, err
		}
		m, err := timing.ReadMeasured(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		c := s.Compare(m, rank)
		if len(c.Tasks) == 0 {
			return nil, fmt.Errorf("%s: no task of rank %d is in the file; the name of a task must end in RING.NUMBER, as in graphs of 'python -m ptogo graph import'", path, rank)
		}
		all = append(all, c)
	}
	return all, nil
}

// mostCompared is the maximum number of tasks, and of cores, that a comparison prints.
const mostCompared = 10

// printComparison prints the comparison of predicted and measured times: the time of the
// graph, the kernels, and the tasks and the cores with the largest differences.
func (g *graph) printComparison(c *timing.Comparison) {
	w := g.Out
	of := ""
	if g.run.Ranks > 1 {
		of = fmt.Sprintf(" of rank %d", c.Rank)
	}
	fmt.Fprintf(w, "measured %.1f us%s for %s, from the first start to the last end; predicted %.1f us (%s)\n",
		c.Measured, of, ir.Count(len(c.Tasks), "task"), c.Predicted, apart(c.Measured, c.Predicted))
	fmt.Fprintf(w, "%-32s %8s %12s %12s %9s\n", "kernel, mean of its tasks", "tasks", "measured us", "predicted us", "off")
	for _, k := range g.comparedKernels(c) {
		n := float64(k.tasks)
		fmt.Fprintf(w, "%-32s %8d %12.2f %12.2f %9s\n", k.name, k.tasks, k.measured/n, k.predicted/n, apart(k.measured, k.predicted))
	}
	fmt.Fprintf(w, "%-32s %8s %12s %12s %9s\n", "task, largest difference first", "cores", "measured us", "predicted us", "off")
	for i := range min(len(c.Tasks), mostCompared) {
		t := &c.Tasks[i]
		name := ir.Visible(t.Name) + " " + ir.Visible(g.tasks[t.Number].Kernel)
		fmt.Fprintf(w, "%-32s %8d %12.2f %12.2f %9s\n", name, t.Cores, t.Measured, t.Predicted, apart(t.Measured, t.Predicted))
	}
	fmt.Fprintf(w, "%-32s %8s %12s %12s %9s\n", "core, largest difference first", "", "busy us", "predicted us", "off")
	for i := range min(len(c.Cores), mostCompared) {
		x := &c.Cores[i]
		fmt.Fprintf(w, "%-32s %8s %12.2f %12.2f %9s\n", fmt.Sprintf("%s %d", ir.Visible(x.Kind), x.Number), "", x.Measured, x.Predicted, apart(x.Measured, x.Predicted))
	}
	if c.Noted > 0 {
		fmt.Fprintf(w, "dispatch: measured %.2f us from dispatch to start and %.2f us from end to the notice of the scheduler (mean of %s)\n", c.Sent, c.Noticed, ir.Count(c.Noted, "execution"))
	}
	if n := len(c.Missing); n > 0 {
		shown := slices.Clone(c.Missing[:min(n, mostCompared)])
		for i := range shown {
			shown[i] = ir.Visible(shown[i])
		}
		if n > len(shown) {
			shown = append(shown, "...")
		}
		fmt.Fprintf(w, "not measured: %s: %s\n", ir.Count(n, "task"), strings.Join(shown, ", "))
	}
	if c.Unknown > 0 {
		fmt.Fprintf(w, "not in the graph: %s of the file\n", ir.Count(c.Unknown, "task"))
	}
}

// comparedKernel is the sum of the times of the tasks of a kernel.
type comparedKernel struct {
	name                string
	tasks               int
	measured, predicted float64
}

// comparedKernels returns the times of the tasks by kernel, in the order of decreasing measured
// time.
func (g *graph) comparedKernels(c *timing.Comparison) []comparedKernel {
	var list []comparedKernel
	for i := range c.Tasks {
		t := &c.Tasks[i]
		name := ir.Visible(g.tasks[t.Number].Kernel)
		k := slices.IndexFunc(list, func(x comparedKernel) bool { return x.name == name })
		if k < 0 {
			k, list = len(list), append(list, comparedKernel{name: name})
		}
		list[k].tasks++
		list[k].measured += t.Measured
		list[k].predicted += t.Predicted
	}
	slices.SortStableFunc(list, func(a, b comparedKernel) int { return cmp.Compare(b.measured, a.measured) })
	return list
}

// apart returns by how many percent a predicted time differs from the measured one.
func apart(measured, predicted float64) string {
	if measured == 0 {
		return "-"
	}
	return fmt.Sprintf("%+.1f %%", 100*(predicted/measured-1))
}
