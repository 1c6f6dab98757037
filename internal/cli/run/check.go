// This file runs kernels under the checkers (--check).

package run

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
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

// checkMode runs kernels under checkers, which detect races, uninitialized
// memory and other mistakes during a run (--check).
type checkMode struct {
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
}

// define declares in fs the command-line options for checkers.
func (f *checkMode) define(fs *pflag.FlagSet) {
	fs.StringSliceVar(&f.kinds, "check", nil, "check the run. `KINDS` is a list of race (unordered accesses), sync (flags, barriers, queues), init (uninitialized reads), mem (accesses to wrong addresses, overlapping buffers) and redundant (synchronization without effect). all means the first four. The exit code is 5 if the check reports an error or a warning")
	adds, drops := order.DescribeAssumptions()
	fs.StringSliceVar(&f.assume, "check-assume", nil, "let --check make more or fewer assumptions about the hardware than the rules of the target do (docs/checking.md). `NAMES` is a list of names. These add an assumption: "+adds+". These drop assumptions: "+drops)
	fs.BoolVar(&f.strict, "check-strict", false, "let --check assume no hardware order on which public sources disagree, and treat warnings as errors")
	fs.StringVar(&f.json, "check-json", "", "also write the reports of --check to `FILE`, as JSON")
	fs.StringVar(&f.suppress, "check-suppress", "", "suppress the reports that the text file `FILE` lists. Each of its lines contains the name of a check, or * for all, and a source position such as kernel.pto or kernel.pto:12. The comment // pto-check: allow(race) in a kernel has the same effect")
	fs.BoolVar(&f.ignoreComments, "ignore-suppressions", false, "also show reports that comments in the kernel suppress, such as // pto-check: allow(race). Use this option in CI, so that authors of kernels cannot hide reports")
}

// used reports whether the command line requests a checker.
func (f *checkMode) used() bool { return len(f.kinds) > 0 }

// check returns an error if the options of checkers contradict each other or other options.
func (f *checkMode) check(all *runFlags) error {
	_, err := f.options(all.timing.skip)
	return err
}

// allChecks is the value of --check that selects all checkers.
const allChecks = "all"

// options parses the options of checkers. If --check is not given, it returns an
// error for any other checker option. The parameter skips reports that the run computes no data.
func (f *checkMode) options(skips bool) (o check.Options, err error) {
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
	if skips && slices.Contains(o.Kinds, check.Init) {
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

// joinKinds returns the names of all checkers, separated by commas.
func joinKinds() string {
	var names []string
	for _, k := range check.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// unchecked returns the warnings of the verifier that --check does not report again. The
// checker for the device library reports each violation of its rules.
func (f *checkMode) unchecked(warnings []*ir.Diag) []*ir.Diag {
	if o, err := f.options(false); err != nil || !slices.Contains(o.Kinds, check.Device) {
		return warnings
	}
	return slices.DeleteFunc(slices.Clone(warnings), func(d *ir.Diag) bool { return d.Code == ir.CodeDevice })
}

// execute runs kernels with the selected checkers and reports their findings
// after the run, even if a kernel faulted. It returns the exit code.
func (f *checkMode) execute(l *launch, o runtime.Options) int {
	opts, _ := f.options(false) // check has read them
	c, _ := check.New(opts)
	l.checking = &checking{checker: c}
	again := repeat(l.prog, l.args, o)
	o.Listeners = append(o.Listeners, c)
	o.Warn = l.checking.warnings(o.Warn)
	code := l.runPlan(l.prog, l.args, o)
	if code == exit.OK {
		c.Confirm(again)
		if slices.Contains(opts.Kinds, check.Redundant) {
			if err := c.Redundant(func(l runtime.Listener) error { return again(&check.Run{Fill: o.ScratchFill, Listener: l}) }); err != nil {
				return l.Fail("%v", err)
			}
		}
	}
	if code == exit.Diag {
		return code
	}
	if err := l.checking.tell(l, l.prog.LaunchName(), l.flags.schedule.orders(), notTried(l), true); err != nil {
		return l.Fail("%v", err)
	}
	return code
}

// repeat returns a function that runs the kernels once more, without output, on a copy of
// the current arguments, as its parameter describes.
func repeat(prog *kernel.Program, args []*data.Arg, o runtime.Options) func(r *check.Run) error {
	start := data.Take(args, prog.Kernels, o.Ranks)
	return func(r *check.Run) error {
		o := o
		r.Apply(&o)
		plan, err := prog.Plan(o)
		if err != nil {
			return fmt.Errorf("failed to prepare the kernel for a second run: %w", err)
		}
		values := make([]any, len(args))
		for i, v := range start.Fresh() {
			values[i] = v
		}
		return plan.Run(values...)
	}
}

// checking is the state of the checkers of a launch.
type checking struct {
	checker *check.Checker
	// fault is the checker's report about the fault that ended the run, or nil.
	fault *check.Report
}

// warnings returns a function that passes warnings of a run to the checkers, or to warn if the
// checkers do not cover them.
func (k *checking) warnings(warn func(*runtime.Fault)) func(*runtime.Fault) {
	return func(f *runtime.Fault) {
		if !k.checker.Warned(f) {
			warn(f)
		}
	}
}

// explain returns the report of the checkers about a fault, or nil.
func (k *checking) explain(f *runtime.Fault) *check.Report {
	k.fault = k.checker.FromFault(f)
	return k.fault
}

// tell prints the reports of the checkers, records them in the launch, and writes them to the
// file of --check-json, with the names of the kernels. The parameter orders describes the orders
// in which the run has executed instructions, and more what it has not tried. If the parameter
// unwritten is true, tell also names memory that is never written. It returns an error if the
// file cannot be written.
func (k *checking) tell(l *launch, kernels, orders string, more []string, unwritten bool) error {
	reports := k.checker.Reports()
	for _, r := range reports {
		l.TellFinding(report.Finding{Diag: r.Diag(), Report: r})
	}
	if k.fault != nil {
		reports = append(reports, k.fault) // its text is written already
	}
	k.tellTests(l, reports)
	l.found = check.Fails(reports)
	fmt.Fprintf(l.Err, "%s: check: %s\n", l.Tool, check.Summary(reports))
	coverage := k.checker.Coverage(orders, more...)
	for _, u := range coverage.Unwritten {
		if unwritten {
			fmt.Fprintf(l.Err, "%s: check: %s\n", l.Tool, u)
		}
	}
	fmt.Fprintf(l.Err, "%s: check: %s\n", l.Tool, coverage)
	if l.flags.check.json == "" {
		return nil
	}
	return files.WriteFile(l.flags.check.json, jsonform.Reports(reports, coverage, kernels, sem.ProfileName(k.checker.Target())), l.Out)
}

// tellTests records each checker as a test, for formats such as JUnit. A checker that
// found an error is a failed test.
func (k *checking) tellTests(l *launch, rs []*check.Report) {
	opts, _ := l.flags.check.options(false) // check has read them
	for _, kind := range opts.Kinds {
		result := report.TestResult{Kind: "check", Name: string(kind)}
		for _, r := range rs {
			if r.Check == kind && r.Severity == ir.Error {
				result.Failure = r.Text
			}
		}
		l.TellResult(result)
	}
}

// notTried returns phrases for the report. Each phrase names arguments or schedules that
// the run has not tried and that could lead to other results.
func notTried(l *launch) []string {
	list := []string{data.OtherArguments(l.args)}
	if l.flags.schedule.used() && len(l.prog.Kernels) == 1 && analysis.Mixed(l.prog.Kernels[0]) {
		if op := analysis.Inseparable(l.prog.Kernels[0]); op != nil {
			list = append(list, fmt.Sprintf("random orders of the cube core and the vector core, because of '%s'", op.Name()))
		}
	}
	return list
}
