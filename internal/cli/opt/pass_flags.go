// This file defines a flag for each pass and its options.

package opt

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/dialect/fn"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/flags"
	"ptogo/ir"
	"ptogo/lower"
	"ptogo/lower/plan"
	"ptogo/passes"
	"ptogo/runtime/timing"
)

// registry holds the passes that pto-opt can run.
var registry = passes.NewRegistry(
	passes.Table{Passes: lower.List},
	passes.Table{Passes: passes.List, Order: passes.Rules},
)

// clock returns the timing model of the target t, with which passes predict durations.
func clock(t ir.Target) passes.Clock { return timing.NewStatic(t) }

// passFlags are the options of pto-opt about passes. They have the names of mlir-opt's
// options.
type passFlags struct {
	pipeline string
	// steps are the passes of the command line, in order.
	steps        []passStep
	verifyEach   bool
	equivalence  equivalenceFlags
	sequential   bool
	dumpPipeline bool

	before, after           []string
	beforeAll, afterAll     bool
	onlyChange, onlyFailure bool
	moduleScope             bool
	treeDir                 string
	// numbered requests numbers instead of names for values in dumps, as in the output of
	// ptoas.
	numbered bool

	// debugOnly are passes whose log is written to standard error.
	debugOnly []string
	// logActionsTo is the file for the log of all passes.
	logActionsTo string

	timing            bool
	timingDisplay     string
	statistics        bool
	statisticsDisplay string
	reproducer        string
	runReproducer     bool
}

// passNames returns the names of all passes that pto-opt can run.
func passNames() []string {
	var names []string
	for _, p := range registry.Passes() {
		names = append(names, p.Name)
	}
	return names
}

// passStep is a pass of the pipeline with its options.
type passStep struct {
	pass    *passes.Pass
	options string
	// asked is the option that requires the pass, or "" if the user requested the pass
	// itself.
	asked string
}

// define declares the options about passes in fs, including one for each pass.
func (f *passFlags) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.pipeline, "pass-pipeline", "", "run the passes in `PIPELINE`, such as 'builtin.module(pto-bufferize,func.func(cse))'")
	for _, p := range registry.Passes() {
		fs.Var(flags.NewOrdered(p.Name, f.add), p.Name, p.Doc)
		fs.Lookup(p.Name).NoOptDefVal = " " // options are optional
	}
	fs.BoolVar(&f.verifyEach, "verify-each", true, "verify the program after each pass; --verify-each=false omits this verification")
	f.equivalence.define(fs)
	fs.BoolVar(&f.sequential, "mlir-disable-threading", false, "run passes and the verifier on one thread")
	fs.BoolVar(&f.dumpPipeline, "dump-pass-pipeline", false, "print the pass pipeline to standard error before it runs")
	fs.StringSliceVar(&f.before, "mlir-print-ir-before", nil, "print the program to standard error before each pass in the list `PASSES`, such as cse,inline")
	fs.StringSliceVar(&f.after, "mlir-print-ir-after", nil, "print the program to standard error after each pass in the list `PASSES`, such as cse,inline")
	fs.BoolVar(&f.beforeAll, "mlir-print-ir-before-all", false, "print the program to standard error before each pass")
	fs.BoolVar(&f.afterAll, "mlir-print-ir-after-all", false, "print the program to standard error after each pass")
	fs.BoolVar(&f.onlyChange, "mlir-print-ir-after-change", false, "print the program to standard error after each pass that changed it")
	fs.BoolVar(&f.onlyFailure, "mlir-print-ir-after-failure", false, "print the program to standard error after a pass that failed")
	fs.BoolVar(&f.moduleScope, "mlir-print-ir-module-scope", false, "let the --mlir-print-ir options print the complete module, even if the pass runs on one function")
	fs.StringVar(&f.treeDir, "mlir-print-ir-tree-dir", "", "write the programs of the --mlir-print-ir options to files below the directory `DIR`, not to standard error")
	fs.StringSliceVar(&f.debugOnly, "debug-only", nil, "log to standard error each application of a rewrite pattern and each constant fold by the passes in the list `PASSES`, such as cse,inline")
	fs.StringVar(&f.logActionsTo, "log-actions-to", "", "log to `FILE` each application of a rewrite pattern and each constant fold by all passes; - is standard output")
	fs.BoolVar(&f.timing, "mlir-timing", false, "report the duration of each pass on standard error")
	fs.StringVar(&f.timingDisplay, "mlir-timing-display", "tree", "show the times of --mlir-timing in the layout `LAYOUT`, which is tree (nested passes below their pipeline) or list (the slowest pass first)")
	fs.BoolVar(&f.statistics, "mlir-pass-statistics", false, "report the statistics of each pass, such as the number of inserted flags, on standard error")
	fs.StringVar(&f.statisticsDisplay, "mlir-pass-statistics-display", "pipeline", "show the statistics of --mlir-pass-statistics in the layout `LAYOUT`, which is pipeline (passes in their order) or list (alphabetical)")
	fs.StringVar(&f.reproducer, "mlir-pass-pipeline-crash-reproducer", "", "if a pass fails, write the program and the pipeline to `FILE`, for --run-reproducer")
	fs.BoolVar(&f.runReproducer, "run-reproducer", false, "run the pipeline that is recorded in the input file, which --mlir-pass-pipeline-crash-reproducer wrote")
}

// add appends a pass with its options to the steps. pflag calls it in the order of the
// command line.
func (f *passFlags) add(name, options string) error {
	f.steps = append(f.steps, passStep{pass: registry.Lookup(name), options: options})
	return nil
}

// The values of --mlir-timing-display and --mlir-pass-statistics-display.
var (
	timingDisplays     = []string{"tree", "list"}
	statisticsDisplays = []string{"pipeline", "list"}
)

// check returns an error if an option about passes names an unknown pass, or if two
// options cannot be used together.
func (f *passFlags) check() error {
	if f.pipeline != "" && len(f.steps) > 0 {
		return fmt.Errorf("--pass-pipeline and --%s cannot be used together", f.steps[0].pass.Name)
	}
	for _, name := range slices.Concat(f.before, f.after) {
		if registry.Lookup(name) == nil && name != reservedBuffers.Name {
			return fmt.Errorf("unknown pass '%s': the program can only be printed before or after an existing pass%s", name, ir.DidYouMean("", name, passNames()))
		}
	}
	for _, name := range f.debugOnly {
		if registry.Lookup(name) == nil {
			return fmt.Errorf("unknown pass '%s' for --debug-only%s", name, ir.DidYouMean("", name, passNames()))
		}
	}
	if err := f.equivalence.check(); err != nil {
		return err
	}
	if !slices.Contains(timingDisplays, f.timingDisplay) {
		return fmt.Errorf("unknown value '%s' for --mlir-timing-display: expected tree or list", f.timingDisplay)
	}
	if !slices.Contains(statisticsDisplays, f.statisticsDisplay) {
		return fmt.Errorf("unknown value '%s' for --mlir-pass-statistics-display: expected pipeline or list", f.statisticsDisplay)
	}
	return nil
}

// build returns the pipeline that the options request. After an error, which it reports
// to diags, it returns nil.
func (f *passFlags) build(src *ir.Source, diags *ir.Diags) *passes.Pipeline {
	text := f.pipeline
	if f.runReproducer {
		var ok bool
		if text, ok = passes.ReproducerPipeline(src.Text); !ok {
			diags.Error(ir.LocAt(src, 0), "expected a reproducer, a file that names a pass pipeline")
			return nil
		}
	}
	if text != "" {
		return passes.ParsePipeline(registry, text, diags)
	}
	p := passes.NewPipeline()
	for _, s := range f.steps {
		if !p.Add(s.pass, s.options, diags) {
			return nil
		}
	}
	return p
}

// materialize reports whether a requested pass allocates scratch tiles (tiles for
// intermediate values).
func (f *passFlags) materialize() bool {
	name := plan.MaterializeScratch.Name
	return strings.Contains(f.pipeline, name) || slices.ContainsFunc(f.steps, func(s passStep) bool { return s.pass.Name == name })
}

// run builds the requested pipeline and runs it on a program. It returns false if there
// was an error.
func (f *passFlags) run(t *optTool, src *ir.Source, module *ir.Op, timing *passes.Timing, diags *ir.Diags) bool {
	p := f.build(src, diags)
	if p == nil {
		return false
	}
	if f.dumpPipeline {
		fmt.Fprintf(t.Err, "Pass Manager with %d passes:\n%s\n", p.Len(), p)
	}
	if p.Len() == 0 {
		return true
	}
	o := passes.RunOptions{
		Target: t.target, Features: t.features, Diags: diags,
		VerifyEach: f.verifyEach, Sequential: f.sequential, Stop: t.Cancelled, Memory: int64(t.MaxMemory.Bytes),
		Dump: f.dump(t.Err, t.printOptions()), Timing: timing,
		Clock: clock,
	}
	if f.equivalence.verify {
		e := newEquivalence(t, &f.equivalence, module)
		o.After = e.after
		defer e.report(t)
	}
	tells := !t.flags.ptoas.on && slices.ContainsFunc(f.steps, func(s passStep) bool { return s.asked != "" })
	if f.statistics || tells {
		o.Statistics = &passes.Statistics{}
	}
	if f.reproducer != "" {
		o.Reproduce = func(text []byte) {
			if err := files.WriteFile(f.reproducer, text, t.Streams.Out); err != nil {
				t.Fail("%v", err)
			}
		}
	}
	log, endLog, err := f.log(t)
	if err != nil {
		t.Fail("%v", err)
		return false
	}
	o.Log = log
	ok := p.Run(module, o)
	t.unnamed = false // the result is for this target, so the output names it
	if err := endLog(); err != nil {
		t.Fail("%v", err)
		ok = false
	}
	if ok && tells { // ptoas says nothing of its pipeline
		tellSteps(f.steps, o.Statistics, module, diags)
	}
	if o.Dump != nil && o.Dump.Tree != nil {
		if err := o.Dump.Tree.Err(); err != nil {
			t.Fail("%v", err)
			ok = false
		}
	}
	if f.statistics {
		o.Statistics.Report(t.Err, p, f.statisticsDisplay == "list")
	}
	return ok
}

// dump returns the settings for printing programs between passes, as the --mlir-print-ir
// options request. It returns nil if these options request nothing. The parameter w is
// the destination of the output, and the parameter print contains the options of the
// printer.
func (f *passFlags) dump(w io.Writer, print ir.PrintOptions) *passes.Dump {
	d := &passes.Dump{Out: w, OnlyChange: f.onlyChange, OnlyFailure: f.onlyFailure, WholeProgram: f.moduleScope, Print: print, Numbered: f.numbered}
	d.Before = selects(f.beforeAll, f.before)
	d.After = selects(f.afterAll || f.onlyChange || f.onlyFailure, f.after)
	if d.Before == nil && d.After == nil {
		return nil
	}
	if f.treeDir != "" {
		d.Tree = passes.NewDumpTree(f.treeDir)
	}
	return d
}

// selects returns a function that reports whether the user has selected a pass. If all is
// true, every pass is selected; otherwise the passes with the given names are selected.
func selects(all bool, names []string) func(p *passes.Pass) bool {
	switch {
	case all:
		return func(*passes.Pass) bool { return true }
	case len(names) == 0:
		return nil
	}
	return func(p *passes.Pass) bool { return slices.Contains(names, p.Name) }
}

// log returns a function that receives the log messages of passes, or nil if no option
// requests the log. end completes the log file.
func (f *passFlags) log(t *optTool) (log func(p *passes.Pass, text string), end func() error, err error) {
	end = func() error { return nil }
	if len(f.debugOnly) == 0 && f.logActionsTo == "" {
		return nil, end, nil
	}
	var file *files.Output
	if f.logActionsTo != "" {
		if file, err = files.NewOutput(f.logActionsTo, t.Streams.Out); err != nil {
			return nil, nil, err
		}
		end = file.Commit
	}
	return func(p *passes.Pass, text string) {
		line := fmt.Sprintf("[%s] %s\n", p.Name, ir.Visible(text))
		if slices.Contains(f.debugOnly, p.Name) {
			io.WriteString(t.Err, line)
		}
		if file != nil {
			io.WriteString(file, line)
		}
	}, end, nil
}

// tellSteps prints a remark about each pass that the tool has added to the pipeline
// without a request by the user. It omits passes that have not changed the program.
func tellSteps(steps []passStep, counts *passes.Statistics, module *ir.Op, diags *ir.Diags) {
	at := module.Loc()
	if fs := fn.Functions(module); len(fs) > 0 {
		at = fs[0].Loc() // a module that is not written has no place of its own
	}
	for _, s := range steps {
		if s.asked == "" {
			continue
		}
		if done := counts.Summary(s.pass); done != "" {
			diags.Add(ir.Remark, at, s.asked+" ran "+s.pass.Name+": "+done)
		}
	}
}
