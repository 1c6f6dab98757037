// This file writes reports of runs as documents (--report).

package run

import (
	"errors"
	"fmt"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/playground"
	"ptogo/internal/version"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/runtime"
	"ptogo/web"
)

// reportMode writes an HTML document about a run (--report).
type reportMode struct{ file string }

func (m *reportMode) used() bool { return m.file != "" }

// check returns an error if --report is combined with an option that it does not
// support.
func (m *reportMode) check(all *runFlags) error {
	other := all.beside("--report")
	switch {
	case !m.used() || other == "":
		return nil
	case other == "--engine=llvm":
		return errors.New("--report needs --engine=go")
	}
	return fmt.Errorf("--report and %s cannot be used together", other)
}

// document has the contents of the document about a run. It is nil if --report is not given, or
// if the kernel has not started.
type document struct{ observer *playground.Observer }

// execute runs the kernels and records what the document of --report shows. The
// function run executes the kernels with the given options. execute returns the
// exit code.
func (m *reportMode) execute(l *launch, o runtime.Options, run way) int {
	again := repeat(l.prog, l.args, o)
	observer := playground.NewObserver()
	o.Listeners = append(o.Listeners, observer)
	code := run(o)
	if code == exit.Diag {
		return code
	}
	l.document = &document{observer}
	if observer.Fault == nil {
		observer.Checker.Confirm(again)
	}
	return code
}

// write writes the document of --report about a run. The parameter code is the exit
// code of the run, which may have ended with a fault. The result is the exit code of the
// process: code, or another code if the document cannot be written.
func (d *document) write(l *launch, code int) int {
	if d == nil {
		return code
	}
	r := playground.NewReport(l.src, l.prog, l.flags.blocks, l.flags.ranks)
	r.Tool = version.Text()
	if err := r.Add(l.src, d.observer, l.prog, l.flags.timing.chip, notTried(l)...); err != nil {
		return l.Fail("--report: %v", err)
	}
	if d.observer.Fault == nil {
		for i := range l.expect.list {
			r.Comparisons = append(r.Comparisons, l.expect.list[i].forReport(l.args[l.expect.list[i].n].Array))
		}
	}
	text, err := web.Report(r)
	if err == nil {
		err = files.WriteFile(l.flags.report.file, text, l.Out)
	}
	if err != nil {
		return l.Fail("--report: %v", err)
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
