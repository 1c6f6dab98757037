// This file writes reports of runs as documents (--report).

package run

import (
	"errors"
	"fmt"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/data"
	"ptogo/internal/playground"
	"ptogo/internal/version"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/runtime"
	"ptogo/web"
)

// runReport is the state of --report, which writes an HTML document about a run.
type runReport struct {
	src      *ir.Source
	observer *playground.Observer
	// ran means that the kernel has started, so that the document has contents.
	ran bool
}

// checkReport returns an error if --report is combined with an option that it does not
// support.
func (t *runTool) checkReport() error {
	f := &t.flags
	switch {
	case f.report == "":
		return nil
	case f.engine != engineGo:
		return errors.New("--report needs --engine=go")
	case f.observe.step || f.observe.script != "":
		return errors.New("--report and --step cannot be used together")
	}
	return nil
}

// executeReported runs the kernels and records what the document of --report shows. The
// function run executes the kernels with the given options. executeReported returns the
// exit code.
func (t *runTool) executeReported(prog *kernel.Program, args []*data.Arg, o runtime.Options, run func(o runtime.Options) int) int {
	again := t.repeat(prog, args, o)
	observer := playground.NewObserver()
	o.Listeners = append(o.Listeners, observer)
	code := run(o)
	if code == exit.Diag {
		return code
	}
	t.report.observer, t.report.ran = observer, true
	if observer.Fault == nil {
		observer.Checker.Confirm(again)
	}
	return code
}

// writeReport writes the document of --report about a run. The parameter code is the exit
// code of the run, which may have ended with a fault. The result is the exit code of the
// process: code, or another code if the document cannot be written.
func (t *runTool) writeReport(prog *kernel.Program, args []*data.Arg, expect []comparison, code int) int {
	if !t.report.ran {
		return code
	}
	r := playground.NewReport(t.report.src, prog, t.flags.blocks, t.flags.ranks)
	r.Tool = version.Text()
	if err := r.Add(t.report.src, t.report.observer, prog, t.flags.timing.chip, t.notTried(prog, args)...); err != nil {
		return t.Fail("--report: %v", err)
	}
	if t.report.observer.Fault == nil {
		for i := range expect {
			r.Comparisons = append(r.Comparisons, expect[i].forReport(args[expect[i].n].Array))
		}
	}
	text, err := web.Report(r)
	if err == nil {
		err = files.WriteFile(t.flags.report, text, t.Out)
	}
	if err != nil {
		return t.Fail("--report: %v", err)
	}
	return code
}

// forReport compares an array with its expected contents and returns the result for the
// document of --report.
func (c *comparison) forReport(a *kernel.Array) playground.Comparison {
	d := debug.Compare(a, c.want, c.tolerance, false)
	r := playground.Comparison{Against: fmt.Sprintf("%s, against %s", c.name, ir.Visible(c.path)), Array: -1, Elements: d.Elements, Count: d.Count, Outcome: "equal"}
	if d.Abs.At >= 0 && d.Abs.Value != 0 {
		r.Abs, r.Outcome = fmt.Sprintf("%.4g", d.Abs.Value), "within"
	}
	if d.Count > 0 {
		r.Outcome = "differs"
	}
	for _, e := range d.Worst {
		r.Worst = append(r.Worst, playground.Element{At: debug.Position(a, e.At), Got: e.Got, Want: e.Want})
	}
	return r
}
