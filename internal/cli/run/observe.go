// This file defines the options that observe a run.

package run

import (
	"errors"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/limit"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// observeFlags are the options of pto-run that observe a run: dumps, comparisons,
// statistics and the debugger.
type observeFlags struct {
	dump dumpFlags
	diff diffFlags
	// plot is the file for heat maps of the errors (--expect-plot).
	plot string
	// stats requests statistics about the executed instructions.
	stats bool
	// counts is the file of --stats-json.
	counts string
	// step runs the kernel in the debugger.
	step bool
	// where requests the position of the instruction before each output of the kernel.
	where bool
	// script is the file with commands for the debugger.
	script string
}

// define declares in fs the command-line options that observe a run: dumps, comparisons,
// statistics and the debugger.
func (f *observeFlags) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.plot, "expect-plot", "", "draw the errors of each --expect as a heat map into the SVG file `FILE`")
	f.dump.define(fs)
	f.diff.define(fs)
	fs.BoolVar(&f.where, "print-where", false, "before the output of each print instruction of the kernel, print the line, value, block, core and loop iterations of the instruction")
	fs.BoolVar(&f.step, "step", false, "stop before each operation and read debugger commands from standard input. The debugger command help lists all commands")
	fs.StringVar(&f.script, "step-script", "", "like --step, but read the commands from `FILE`")
	fs.StringVar(&f.counts, "stats-json", "", "write the report of --stats to `FILE`, as JSON")
	fs.BoolVar(&f.stats, "stats", false, "report how often each instruction, pipe and source line executed, and how many bytes moved between memories")
}

// option returns the first option that is given and that only the Go engine supports,
// or "".
func (f *observeFlags) option() string {
	switch {
	case len(f.dump.specs) > 0:
		return "--dump"
	case f.step || f.script != "":
		return "--step"
	case f.where:
		return "--print-where"
	case f.stats:
		return "--stats"
	case f.counts != "":
		return "--stats-json"
	}
	return f.diff.option()
}

// check returns an error if an option lacks another option that it requires. The
// parameter expects is the number of --expect options.
func (f *observeFlags) check(expects int) error {
	if f.plot != "" && expects == 0 {
		return errors.New("--expect-plot needs --expect, such as --expect y=want.npy")
	}
	if err := f.diff.check(); err != nil {
		return err
	}
	return f.dump.check()
}

// observer is a listener that receives the events of a run and writes output after the
// run.
type observer interface {
	runtime.Listener
	// finish writes the output after the run. It is also called if the run has faulted.
	finish(t *runTool) error
}

// observers returns the listeners that the command-line options request.
func (t *runTool) observers(prog *kernel.Program, args []*data.Arg) ([]observer, error) {
	f := &t.flags.observe
	list, err := f.dump.observers(prog)
	if err != nil {
		return nil, err
	}
	if f.where {
		list = append(list, &printWhere{t.Out})
	}
	if f.stats || f.counts != "" {
		list = append(list, &statsReport{tables: f.stats, file: f.counts})
	}
	more, err := f.diff.observers(t, prog, args)
	return append(list, more...), err
}

// executeObserved runs the kernels with the listeners that the command line requests, and
// then lets each listener write its output. The function run executes the kernels with
// the given options. executeObserved returns the exit code.
func (t *runTool) executeObserved(prog *kernel.Program, args []*data.Arg, o runtime.Options, run func(o runtime.Options) int) int {
	list, err := t.observers(prog, args)
	if list, ok := errors.AsType[ir.Errors](err); ok {
		t.ReportAll(list)
		return exit.Diag
	}
	if _, large := errors.AsType[limit.TooLarge](err); large {
		return t.Fail("%v", err)
	}
	if err != nil {
		return t.Usage("%v", err)
	}
	for _, l := range list {
		o.Listeners = append(o.Listeners, l)
	}
	code := run(o)
	if code == exit.Diag {
		return code
	}
	for _, l := range list {
		if err := l.finish(t); err != nil {
			return t.Fail("%v", err)
		}
	}
	return code
}
