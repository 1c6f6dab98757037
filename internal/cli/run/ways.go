// This file composes how the Go engine executes a launch.

package run

import "ptogo/runtime"

// way executes the kernels of a launch with the given options, and returns the exit code.
type way func(o runtime.Options) int

// around is a mode that wraps another way: it adds listeners to a run, repeats it, or writes
// what it has recorded.
type around interface {
	// used reports whether the command line selects the mode.
	used() bool
	// execute runs the kernels of a launch by a call of run, and returns the exit code.
	execute(l *launch, o runtime.Options, run way) int
}

// arounds returns the modes that wrap a run on the Go engine, the innermost one first.
func (l *launch) arounds() []around {
	f := &l.flags
	return []around{observers{f}, &f.report, untimedTrace{f}, &f.timing, &f.schedule}
}

// executeGo runs kernels on the Go engine with the options of the command line, and
// returns the exit code.
func executeGo(l *launch) int {
	if l.flags.report.used() && l.src == nil {
		return l.Usage("--report needs a command of its own: it cannot be an option of a case of --batch or of a request of --serve")
	}
	stop := l.stopper()
	defer stop.End()
	o := l.runOptions(stop.Why)
	o.Warn, o.Cores = l.warn, l.cores(l.prog)
	run := l.innermost
	for _, a := range l.arounds() {
		if a.used() {
			inner := run
			run = func(o runtime.Options) int { return a.execute(l, o, inner) }
		}
	}
	return run(o)
}

// innermost runs kernels with the debugger or the checkers if the command line requests them,
// and returns the exit code.
func (l *launch) innermost(o runtime.Options) int {
	switch f := &l.flags; {
	case f.step.used():
		return f.step.execute(l, o)
	case f.check.used():
		return f.check.execute(l, o)
	}
	return executePlain(l, o)
}
