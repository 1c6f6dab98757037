// This file observes the instructions of a run.

package run

import (
	"errors"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/limit"
	"ptogo/ir"
	"ptogo/runtime"
)

// observer is a listener that receives the events of a run and writes output after the
// run.
type observer interface {
	runtime.Listener
	// finish writes the output after the run. It is also called if the run has faulted.
	finish(l *launch) error
}

// observers are the modes that observe the instructions of a run.
type observers struct{ *runFlags }

// used reports whether the command line observes a run.
func (f observers) used() bool {
	return f.first([]string{"--dump", "--print-where", "--stats", "--stats-json", "--diff", "--diff-ref"}) != ""
}

// list returns the listeners that the command-line options request.
func (f observers) list(l *launch) ([]observer, error) {
	list, err := f.dump.observers(l.prog)
	if err != nil {
		return nil, err
	}
	if f.where.on {
		list = append(list, &printWhere{l.Out})
	}
	if f.stats.used() {
		list = append(list, &statsReport{statsMode: f.stats})
	}
	more, err := f.diff.observers(l)
	return append(list, more...), err
}

// execute runs the kernels with the listeners that the command line requests, and
// then lets each listener write its output. The function run executes the kernels with
// the given options. execute returns the exit code.
func (f observers) execute(l *launch, o runtime.Options, run way) int {
	list, err := f.list(l)
	if list, ok := errors.AsType[ir.Errors](err); ok {
		l.ReportAll(list)
		return exit.Diag
	}
	if _, large := errors.AsType[limit.TooLarge](err); large {
		return l.Fail("%v", err)
	}
	if err != nil {
		return l.Usage("%v", err)
	}
	for _, x := range list {
		o.Listeners = append(o.Listeners, x)
	}
	code := run(o)
	if code == exit.Diag {
		return code
	}
	for _, x := range list {
		if err := x.finish(l); err != nil {
			return l.Fail("%v", err)
		}
	}
	return code
}
