// This file runs kernels under the checkers (--check).

package run

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/report"
	"ptogo/internal/data"
	"ptogo/internal/jsonform"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// checkFlags are the options of pto-run for checkers, which detect races, uninitialized
// memory and other mistakes during a run.
type checkFlags struct {
	// kinds are the selected checkers (--check), and assume the assumed hardware behavior
	// (--check-assume).
	kinds  []string
	assume []string
	// strict means that warnings count as errors (--check-strict).
	strict bool
	// json is the file for the reports in JSON, and suppress the file that lists reports
	// to omit.
	json     string
	suppress string
	// ignoreComments is --ignore-suppressions.
	ignoreComments bool
	// fix and fixDryRun are --fix and --fix-dry-run.
	fix, fixDryRun bool
}

// allChecks is the value of --check that selects all checkers.
const allChecks = "all"

// checkOptions parses the options of checkers. If --check is not given, it returns an
// error for any other checker option.
func (t *runTool) checkOptions() (o check.Options, err error) {
	f := &t.flags.check
	if len(f.kinds) == 0 && (len(f.assume) > 0 || f.strict || f.json != "" || f.suppress != "" || f.ignoreComments) {
		return o, fmt.Errorf("--check-assume, --check-strict, --check-json, --check-suppress and --ignore-suppressions need --check, such as --check=all")
	}
	o.Strict, o.Assume, o.IgnoreComments = f.strict, f.assume, f.ignoreComments
	for _, k := range f.kinds {
		switch {
		case k == allChecks:
			o.Kinds = append(o.Kinds, check.Usual...)
		case slices.Contains(check.Kinds(), check.Kind(k)):
			o.Kinds = append(o.Kinds, check.Kind(k))
		default:
			return o, fmt.Errorf("unknown check '%s': expected %s or all", k, joinKinds())
		}
	}
	if t.flags.timing.skip && slices.Contains(o.Kinds, check.Init) {
		return o, fmt.Errorf("--check=init needs the data that --skip-arithmetic does not compute: write --check=race,sync,mem")
	}
	if f.suppress != "" {
		file, err := os.Open(f.suppress)
		if err != nil {
			return o, err
		}
		defer file.Close()
		if o.Suppress, err = check.ParseSuppressions(file, f.suppress); err != nil {
			return o, err
		}
	}
	_, err = check.New(o)
	return o, err
}

// unchecked returns the warnings of the verifier that --check does not report again. The
// checker for the device library reports each violation of its rules.
func (t *runTool) unchecked(warnings []*ir.Diag) []*ir.Diag {
	if o, err := t.checkOptions(); err != nil || !slices.Contains(o.Kinds, check.Device) {
		return warnings
	}
	return slices.DeleteFunc(slices.Clone(warnings), func(d *ir.Diag) bool { return d.Code == ir.CodeDevice })
}

// joinKinds returns the names of all checkers, separated by commas.
func joinKinds() string {
	var names []string
	for _, k := range check.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// executeChecked runs kernels with the selected checkers and reports their findings
// after the run, even if a kernel faulted. It returns the exit code.
func (t *runTool) executeChecked(prog *kernel.Program, args []*data.Arg, o runtime.Options) int {
	opts, _ := t.checkOptions() // main has read them
	c, _ := check.New(opts)
	t.checker = c
	again := t.repeat(prog, args, o)
	o.Listeners = append(o.Listeners, c)
	warn := o.Warn
	o.Warn = func(f *runtime.Fault) {
		if !c.Warned(f) {
			warn(f)
		}
	}
	code := t.runPlan(prog, args, o)
	if code == exit.OK {
		c.Confirm(again)
		if slices.Contains(opts.Kinds, check.Redundant) {
			if err := c.Redundant(func(l runtime.Listener) error { return again(&check.Run{Fill: o.ScratchFill, Listener: l}) }); err != nil {
				return t.Fail("%v", err)
			}
		}
	}
	if code == exit.Diag {
		return code
	}
	return t.tellReports(c, prog, args, code)
}

// repeat returns a function that runs the kernels once more, without output, on a copy of
// the current arguments, as its parameter describes.
func (t *runTool) repeat(prog *kernel.Program, args []*data.Arg, o runtime.Options) func(r *check.Run) error {
	var at [][]byte
	for _, a := range args {
		var data []byte
		if a.Value.Buf != nil {
			data = slices.Clone(a.Value.Buf.Data)
		}
		at = append(at, data)
	}
	return func(r *check.Run) error {
		o := o
		r.Apply(&o)
		plan, err := prog.Plan(o)
		if err != nil {
			return fmt.Errorf("failed to prepare the kernel for a second run: %w", err)
		}
		values := make([]any, len(args))
		for i, a := range args {
			v := a.Value
			if b := v.Buf; b != nil {
				buf := *b
				buf.Data = slices.Clone(at[i])
				v.Buf = &buf
			}
			values[i] = v
		}
		return plan.Run(values...)
	}
}

// tellReports prints the reports of the checkers and returns the exit code of the
// process. The parameter code is the exit code of the run without the reports.
func (t *runTool) tellReports(c *check.Checker, prog *kernel.Program, args []*data.Arg, code int) int {
	rs := c.Reports()
	for _, r := range rs {
		t.TellFinding(report.Finding{Diag: r.Diag(), Report: r})
	}
	if f := t.faultReport; f != nil {
		rs = append(rs, f) // its text is written already
	}
	t.tellChecks(rs)
	fmt.Fprintf(t.Err, "%s: check: %s\n", t.Tool, check.Summary(rs))
	coverage := c.Coverage(t.schedules(), t.notTried(prog, args)...)
	for _, u := range coverage.Unwritten {
		fmt.Fprintf(t.Err, "%s: check: %s\n", t.Tool, u)
	}
	fmt.Fprintf(t.Err, "%s: check: %s\n", t.Tool, coverage)
	if t.flags.check.json != "" {
		names := make([]string, len(prog.Kernels))
		for i, k := range prog.Kernels {
			names[i] = fn.Name(k)
		}
		text := jsonform.Reports(rs, coverage, strings.Join(names, ","), sem.ProfileName(c.Target()))
		if err := files.WriteFile(t.flags.check.json, text, t.Out); err != nil {
			return t.Fail("%v", err)
		}
	}
	t.found = check.Fails(rs)
	return code
}

// tellChecks records each checker as a test, for formats such as JUnit. A checker that
// found an error is a failed test.
func (t *runTool) tellChecks(rs []*check.Report) {
	opts, _ := t.checkOptions() // main has read them
	for _, k := range opts.Kinds {
		result := report.TestResult{Kind: "check", Name: string(k)}
		for _, r := range rs {
			if r.Check == k && r.Severity == ir.Error {
				result.Failure = r.Text
			}
		}
		t.TellResult(result)
	}
}

// schedules returns a phrase for the report. It describes in which orders the run has
// executed instructions: the order of the text, and possibly random orders in which pipes
// (hardware queues) run ahead of each other.
func (t *runTool) schedules() string {
	if s, _ := parseSchedule(t.flags.schedule); s.runs > 0 {
		return fmt.Sprintf("the order of the text, followed by %d random ones", s.runs)
	}
	return "the order of the text"
}

// notTried returns phrases for the report. Each phrase names arguments or schedules that
// the run has not tried and that could lead to other results.
func (t *runTool) notTried(prog *kernel.Program, args []*data.Arg) []string {
	list := []string{data.OtherArguments(args)}
	if s, _ := parseSchedule(t.flags.schedule); s.runs > 0 && len(prog.Kernels) == 1 && analysis.Mixed(prog.Kernels[0]) {
		if op := analysis.Inseparable(prog.Kernels[0]); op != nil {
			list = append(list, fmt.Sprintf("random orders of the cube core and the vector core, because of '%s'", op.Name()))
		}
	}
	return list
}
