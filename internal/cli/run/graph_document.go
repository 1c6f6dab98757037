// This file writes the document of --report about a graph.

package run

import (
	"errors"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/internal/cli/files"
	"ptogo/internal/playground"
	"ptogo/internal/version"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/timing"
	"ptogo/web"
)

// report writes the document of --report about the run, if the command line requests it. The
// parameters are the predicted schedule or nil, the error that ended the run or nil, and the
// exit code so far. report returns the exit code of the process.
func (g *graph) report(s *timing.Schedule, ended error, code int) int {
	if !g.flags.report.used() {
		return code
	}
	fault, _ := errors.AsType[*runtime.Fault](ended)
	r := playground.NewGraphReport(g.src, g.files(), sem.ProfileName(g.checking.checker.Target()), g.run.Ranks)
	r.Tool = version.Text()
	reports := g.checking.checker.Reports()
	if g.checking.fault != nil {
		reports = append(reports, g.checking.fault)
	}
	r.AddReports(g.src, fault, reports, g.checking.checker.Coverage(graphOrders, graphNotTried...), g.kernelNames())
	views := make([]playground.TaskView, len(g.tasks))
	for i := range g.tasks {
		l := &g.tasks[i]
		views[i] = playground.TaskView{Name: ir.Visible(l.Task), Rank: l.Rank, Kernel: ir.Visible(l.Kernel), Blocks: l.Blocks, At: ir.Visible(g.run.Tasks[i].Loc.String())}
	}
	err := r.AddTasks(views, s)
	if ended == nil {
		for i := range g.expect.list {
			r.Comparisons = append(r.Comparisons, g.expect.list[i].forReport(g.args[g.expect.list[i].n].Array))
		}
	}
	var text []byte
	if err == nil {
		text, err = web.Report(r)
	}
	if err == nil {
		err = files.WriteFile(g.flags.report.file, text, g.Out)
	}
	if err != nil {
		return g.Fail("--report: %v", err)
	}
	return code
}

// files returns the files of the kernels, in the order of their first tasks.
func (g *graph) files() []*ir.Source {
	var list []*ir.Source
	for i := range g.tasks {
		src := g.planOf(i).src
		if !slices.ContainsFunc(list, func(have *ir.Source) bool { return have.Name == src.Name }) {
			list = append(list, src)
		}
	}
	return list
}
