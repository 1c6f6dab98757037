// This file implements --timing.

package run

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/offers"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/timing"
)

// timingMode predicts the run time of kernels on a chip (--timing).
type timingMode struct {
	// on requests a prediction, and chip is the name of the chip.
	on   bool
	chip string
	// json and csv are files for the prediction. compare is the file of a second kernel, and
	// measured a file with the measured times of the tasks of a graph.
	json     string
	csv      string
	compare  string
	measured string
	// whatIf are changes of constants of the timing model.
	whatIf []string
	// warm means that the L2 cache contains the data of the kernel at its start.
	warm bool
	// skip means that no data is computed, which makes the prediction faster.
	skip bool
}

// define declares in fs the command-line options about the prediction of the run time of
// kernels.
func (f *timingMode) define(fs *pflag.FlagSet) {
	fs.BoolVar(&f.on, "timing", false, "predict the run time of the kernel on the chip of --chip. Report the expected error of the prediction, what limits the speed of the kernel, and why pipes wait")
	fs.StringVar(&f.chip, "chip", "", "with --timing, predict the time on the chip `NAME`, which is one of "+strings.Join(timing.ChipNames(), ", ")+" (default: 910B1, or 950 for a5)")
	fs.StringVar(&f.json, "timing-json", "", "also write the prediction of --timing to `FILE`, as JSON")
	fs.StringVar(&f.csv, "timing-csv", "", "with --timing, write the predicted timeline of each pipe to `FILE`, as CSV")
	fs.StringVar(&f.compare, "timing-compare", "", "also predict the time of the kernel in `FILE` for the same arguments, and print both predictions side by side")
	fs.StringVar(&f.measured, "timing-measured", "", "with --graph, compare the predicted times of tasks with those in `FILE`, a file chip_swimlane_records.json of the public runtime; {rank} in FILE is the number of the rank")
	fs.StringSliceVar(&f.whatIf, "what-if", nil, "also predict the time with changed constants of the timing model. `CHANGES` is a list such as gm.miss*1.1+cube.head=0; --what-if=list prints the constants")
	fs.BoolVar(&f.warm, "timing-warm", false, "with --timing, assume that L2 already contains the data of the kernel when the kernel starts, as in repeated launches")
	fs.BoolVar(&f.skip, "skip-arithmetic", false, "with --timing, do not compute data, which speeds up the prediction of large kernels. Branches and addresses of the kernel must not depend on data")
}

// used reports whether any option requests a prediction of the run time.
func (f *timingMode) used() bool {
	return f.on || f.json != "" || f.csv != "" || f.compare != "" || f.measured != "" || len(f.whatIf) > 0
}

// check returns an error if an option for predictions contradicts another option.
func (f *timingMode) check(all *runFlags) error {
	graph, report, advise, check := all.graph.used(), all.report.used(), all.advise.on, all.check.used()
	switch {
	case f.measured != "" && !graph:
		return errors.New("--timing-measured needs --graph")
	case !f.used() && (f.chip != "" && !report && !advise && !check || f.warm && !advise || f.skip && !graph):
		return errors.New("--timing-warm and --skip-arithmetic need --timing, and --chip needs --timing or --check")
	case f.skip && report:
		return errors.New("--report needs the data that --skip-arithmetic does not compute")
	case f.used() && !graph && all.beside("--timing") != "":
		return errors.New("--timing needs --engine=go")
	}
	return nil
}

// execute runs kernels, predicts their run time on a chip, and prints the
// prediction. The parameter run is a function that executes the kernels with the given
// options and returns an exit code. execute returns the exit code of the tool.
func (f *timingMode) execute(l *launch, o runtime.Options, run way) int {
	if slices.Contains(f.whatIf, "list") {
		return f.list(l.host, l.prog)
	}
	rec, res, code := f.predict(l, l.prog, o, run)
	if res == nil {
		return code
	}
	whatIf, err := timing.WhatIfs(rec, res, timing.Options{Warm: f.warm}, f.whatIf, offers.Of(l.prog)...)
	if err != nil {
		return l.Usage("--what-if: %v", err)
	}
	if f.compare != "" {
		return f.compareTimes(l, res, o)
	}
	fmt.Fprint(l.Out, res.Text(), timing.WhatIfText("kernel", whatIf))
	if slices.ContainsFunc(whatIf, func(w timing.WhatIf) bool { return w.Change == timing.LargerCopies }) {
		fmt.Fprint(l.Out, offers.LargerTiles(l.prog))
	}
	if 2*res.Blocks <= res.Cores && l.flags.ranks <= 1 && !l.flags.graph.used() {
		fmt.Fprintf(l.Out, "more blocks: the launch uses %d of %d places; --advise instead of --timing tries more blocks and passes, and verifies the results\n", res.Blocks, res.Cores)
	}
	if l.flags.trace.file != "" {
		if err := l.flags.trace.write(res, l.Out); err != nil {
			return l.Fail("%v", err)
		}
	}
	for _, out := range []struct {
		path string
		text []byte
	}{{f.json, res.JSON(whatIf)}, {f.csv, res.CSV()}} {
		if out.path == "" {
			continue
		}
		if err := files.WriteFile(out.path, out.text, l.Out); err != nil {
			return l.Fail("%v", err)
		}
	}
	return code
}

// list prints the constants of the chip on which the kernel runs (--what-if=list), and returns
// the exit code.
func (f *timingMode) list(h *host, prog *kernel.Program) int {
	chip, err := timing.ChipFor(f.chip, prog.Profile())
	if err != nil {
		return h.Usage("%v", err)
	}
	fmt.Fprint(h.Out, chip.Constants())
	return exit.OK
}

// predict runs kernels once, by a call of run, and predicts their run time. It returns
// the recorded events, the prediction and the exit code. The prediction is nil if the run
// fails.
func (f *timingMode) predict(l *launch, prog *kernel.Program, o runtime.Options, run way) (*timing.Recorder, *timing.Result, int) {
	chip, err := timing.ChipFor(f.chip, prog.Profile())
	if err != nil {
		return nil, nil, l.Usage("%v", err)
	}
	if f.skip {
		if d := runtime.DataDependence(prog.Module); d != nil {
			io.WriteString(l.Err, d.Format())
			return nil, nil, exit.Diag
		}
		o.SkipArithmetic, o.KeepAccesses = true, l.flags.check.used()
		if o.Workers == 0 { // blocks cannot see each other's data: it is not there
			o.Workers = goruntime.GOMAXPROCS(0)
		}
	}
	rec := timing.NewRecorder()
	o.Listeners = append(slices.Clone(o.Listeners), rec)
	if code := run(o); code != exit.OK {
		return nil, nil, code
	}
	res, err := timing.Replay(rec, chip, timing.Options{Warm: f.warm})
	if err != nil {
		return nil, nil, l.Fail("--timing: %v", err)
	}
	return rec, res, exit.OK
}

// compareTimes predicts the run time of a second kernel, which an option names, with the
// same arguments. It prints a comparison with res, the prediction for the first kernel,
// and returns the exit code.
func (f *timingMode) compareTimes(l *launch, res *timing.Result, o runtime.Options) int {
	path := f.compare
	src, err := l.ReadSource(path)
	if err != nil {
		return l.Fail("%v", err)
	}
	options := l.flags.loading()
	options.PublicIR = ""
	prog, err := kernel.Load(src, options)
	if err != nil {
		return l.Failed(err)
	}
	args, err := l.arguments(prog)
	if err != nil {
		return l.Usage("--timing-compare %s: %v", path, err)
	}
	_, other, code := f.predict(l, prog, o, func(o runtime.Options) int { return l.runPlan(prog, args, o) })
	if other == nil {
		return code
	}
	fmt.Fprint(l.Out, timing.Compare(filepath.Base(l.path), filepath.Base(path), res, other))
	return exit.OK
}
