// This file defines what all modes share.

package run

import (
	"errors"
	"slices"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/cpp"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/flags"
	"ptogo/internal/cli/limit"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/runtime"
	"ptogo/runtime/timing"
)

// host is what all modes share: the console of the tool, its options, and what the caller of
// the tool provides.
type host struct {
	files.Console
	flags runFlags
	// serve implements --serve.
	serve Server
	// given are the arguments of a request. They replace those of the command line.
	given []ArgSource
	// attach connects the stepper with a debugger before the run starts. It is nil
	// without a debugger.
	attach func(s *debug.Stepper, module *ir.Op)
}

// command runs the tool with command-line arguments and returns its exit code.
func (h *host) command(args []string) int { return h.Done(h.Guarded(h.main, args)) }

// main parses the command line and runs the tool. Method command handles errors of
// writing to standard output.
func (h *host) main(args []string) int {
	fs := h.flags.define()
	if err := fs.Parse(flags.Long(fs, args)); err != nil {
		return h.Usage("%s", flags.Error(fs, err))
	}
	if h.attach != nil {
		h.flags.dap.on = false // the debugger is attached already
	}
	if err := h.flags.diag.Check(); err != nil {
		return h.Usage("%v", err)
	}
	h.SetDiagnostics(h.flags.diag)
	f := &h.flags
	if code := h.checkModes(f.batch.check, f.tune.check, f.advise.check); code != exit.OK {
		return code
	}
	return f.start().start(h)
}

// withProgram calls run with the program file of the command line, within the memory limit, and
// returns its exit code.
func (h *host) withProgram(run func(path string) int) int {
	f := &h.flags
	switch files := f.set.Args(); {
	case len(files) == 0:
		return h.Usage("expected one file: write pto-run FILE --arg SPEC ...")
	case len(files) > 1 && strings.Contains(files[1], "="):
		return h.Usage("only one file is allowed, found '%s': for an argument of the kernel write --arg %s", files[1], files[1])
	case len(files) > 1:
		return h.Usage("expected one file, found %s", strings.Join(files, " and "))
	}
	h.Cpp = func(src *ir.Source) {
		name, blocks := cpp.Launched(src.Text)
		if name != "" && f.kernel == "" && !f.list.on {
			f.kernel = name
		}
		if blocks > 0 && !f.set.Changed("blocks") && f.kernel == name {
			f.blocks = blocks
		}
		f.cpp.ReadCpp(src, f.arch, f.kernel)
	}
	return h.withMemory(func() int { return run(f.set.Arg(0)) })
}

// withMemory executes a request of the server by calling the function run, and returns
// its exit code. The request consists of a complete command line, so the memory that it
// needs is not known in advance. withMemory therefore reserves the maximum that the
// command line permits, before it calls run. If the reservation fails, it returns an
// error code and does not call run.
func (h *host) withMemory(run func() int) int {
	most := limit.MemoryOf(h.flags.budget.Memory)
	release, err := h.Pool.Reserve(h.Pool.Whole(most.Bytes), h.Cancelled)
	if err != nil {
		return h.Fail("%v", err)
	}
	defer release()
	h.Pool = nil // the reservation covers everything that follows
	return run()
}

// watchAlone limits the resources of a process that executes a single run. The memory
// limit holds for the whole run. The time limit holds only while the process loads the
// program. The caller must call the returned function when the program is loaded, which
// removes the time limit. For a run that shares its process with others, watchAlone does
// nothing.
func (h *host) watchAlone() (loaded func()) {
	if h.Cancelled != nil {
		return func() {}
	}
	return h.Watch(limit.Budget{Memory: h.flags.budget.Memory, Time: h.flags.timeout})
}

// check reports errors in the options of a launch. It returns exit.OK, or the exit code for a
// wrong command line.
func (h *host) check() int {
	h.MaxMemory = limit.MemoryOf(h.flags.budget.Memory)
	_, ok := sem.ParseProfile(h.flags.arch)
	switch {
	case h.flags.arch != "" && !ok:
		return h.Usage("unknown profile '%s' for --pto-arch: expected a2, a3 or a5", h.flags.arch)
	case !slices.Contains(sandboxModes, h.flags.engine.sandbox):
		return h.Usage("unknown mode '%s' for --sandbox: expected %s", h.flags.engine.sandbox, strings.Join(sandboxModes, ", "))
	case !slices.Contains(engines, h.flags.engine.name):
		return h.Usage("unknown engine '%s' for --engine: expected %s", h.flags.engine.name, strings.Join(engines, " or "))
	case h.flags.gmSlack < 0 || h.flags.gmSlack > maxSlack:
		return h.Usage("--gm-slack must be between 0 and %d", maxSlack)
	case h.flags.timeout <= 0 || h.flags.engine.compiling <= 0:
		return h.Usage("--timeout and --compile-timeout must be more than 0, such as 90s")
	case h.flags.maxSteps < 0:
		return h.Usage("--max-steps must not be negative")
	case h.flags.workers < 0:
		return h.Usage("--workers must not be negative")
	case h.flags.ranks < 1 || h.flags.ranks > runtime.MostRanks:
		return h.Usage("--ranks must be between 1 and %d", runtime.MostRanks)
	case h.flags.blocks < 1 || h.flags.blocks > 1<<16:
		return h.Usage("--blocks must be between 1 and %d", 1<<16)
	}
	f := &h.flags
	return h.checkModes(f.schedule.check, f.expect.checkPlot, f.diff.check, f.dump.check, f.equivalent.check, f.numerics.check, f.check.check, f.report.check, f.timing.check, f.expect.check)
}

// checkModes reports the first error that a mode finds in the options. It returns exit.OK, or
// the exit code for a wrong command line.
func (h *host) checkModes(checks ...func(f *runFlags) error) int {
	for _, check := range checks {
		if err := check(&h.flags); err != nil {
			return h.Usage("%v", err)
		}
	}
	return exit.OK
}

// Failed reports the errors because of which a program cannot run, and returns the exit
// code.
func (h *host) Failed(err error) int {
	if list, ok := errors.AsType[ir.Errors](err); ok {
		h.ReportAll(list)
		return exit.Diag
	}
	return h.Fail("%v", err)
}

// runOptions returns the options of a run on the Go engine. The function stop returns a reason
// to end the run, or "".
func (h *host) runOptions(stop func() string) runtime.Options {
	f := &h.flags
	return runtime.Options{
		Blocks: f.blocks, Ranks: f.ranks, Workers: f.workers, MaxSteps: f.maxSteps, MaxMemory: int64(h.MaxMemory.Bytes), Stop: stop,
		FlushDenormals: f.flush, ScratchFill: f.fill, Out: h.Out, MaxOutput: int64(f.maxOutput),
	}
}

// cores returns the cores of the chip on which prog runs, which is that of --chip or the usual
// one of the target. If the chip does not fit the target, there are enough cores. So there
// are for one block, for which reading the table of chips would take a tenth of the time of
// a small kernel.
func (h *host) cores(prog *kernel.Program) runtime.Cores {
	if h.flags.blocks <= 1 && !h.flags.graph.used() {
		return runtime.Cores{}
	}
	chip, err := timing.ChipFor(h.flags.timing.chip, prog.Profile())
	if err != nil {
		return runtime.Cores{}
	}
	return chip.Cores()
}

// stopper starts the time limit of a run. The caller calls its method End after the run.
func (h *host) stopper() *limit.Stopper { return limit.NewStopper(h.flags.timeout, h.Cancelled) }
