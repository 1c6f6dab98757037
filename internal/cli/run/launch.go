// This file defines a launch.

package run

import (
	"fmt"
	"strings"
	"sync"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/limit"
	"ptogo/internal/data"
	"ptogo/internal/notes"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// launchMode is the mode without an option of its own: it launches the kernel of a file.
type launchMode struct{}

func (launchMode) used() bool { return true }

// start launches the kernel and returns the exit code.
func (launchMode) start(h *host) int {
	return h.withProgram(func(path string) int {
		if code := h.check(); code != exit.OK {
			return code
		}
		loaded := h.watchAlone()
		src, err := h.ReadSource(path)
		if err != nil {
			return h.Fail("%v", err)
		}
		prog, err := loadOrRepair(src, h.flags.loading())
		if err != nil {
			return h.Failed(err)
		}
		loaded()
		h.ReportAll(h.flags.check.unchecked(prog.Warnings))
		return (&launch{host: h, path: path, src: src, prog: prog}).run()
	})
}

// launch is one launch of kernels: a program, its arguments, and what is found out about them.
type launch struct {
	*host
	// path is the path of the program file, and src its text. src is nil if the program was
	// loaded by another request.
	path string
	src  *ir.Source
	// prog is the program. It is nil for a graph, which has several.
	prog *kernel.Program
	// params are the parameters of the kernels, args the arguments for all ranks, and ranks
	// the number of ranks.
	params []kernel.Param
	args   []*data.Arg
	ranks  int
	// loaded is the program if it is cached for several runs, or nil.
	loaded *Loaded
	// quiet reports that notes about the program were already printed in an earlier
	// run.
	quiet bool

	// warning guards warned, because several blocks may report warnings in parallel.
	warning sync.Mutex
	// warned are the source positions for which a warning has been printed.
	warned map[ir.Loc]bool
	// checking is the state of the checkers of the run, or nil.
	checking *checking
	// expect has the contents that arguments must have after the run.
	expect expectations
	// document is the state of --report, or nil.
	document *document
	// differs reports that results differ from another program or from reference
	// arrays.
	differs bool
	// found reports that checkers found errors or warnings.
	found bool
}

// prepare creates the arguments. The caller calls release after the launch. If the result code
// is not exit.OK, prepare has reported an error.
func (l *launch) prepare() (release func(), code int) {
	release, err := l.reserve(l.prog)
	if err != nil {
		return nil, l.Fail("%v", err)
	}
	l.params, l.ranks = l.prog.Params(), l.flags.ranks
	if l.args, err = l.arguments(l.prog); err != nil {
		release()
		return nil, l.Usage("%v", err)
	}
	return release, exit.OK
}

// run loads the arguments, runs the kernels, and compares or writes the results. All
// kernels receive the same list of arguments. Its length is the smallest number of
// parameters of a kernel. run returns the exit code of the tool.
func (l *launch) run() int {
	release, code := l.prepare()
	if code != exit.OK {
		return code
	}
	defer release()
	if l.flags.equivalent.used() {
		return l.flags.equivalent.execute(l)
	}
	l.note(notes.Arrays(l.prog, l.args[:len(l.params)]))
	l.note(notes.UnusedTiles(l.prog))
	if code := l.flags.expect.read(l, fmt.Sprintf("a pointer argument of kernel '%s'", l.prog.Name())); code != exit.OK {
		return code
	}
	if err := l.checkOutputs(); err != nil {
		return l.Fail("%v", err)
	}
	if len(l.expect.list) > 0 {
		l.expect.repeat(l)
	}
	execute := l.flags.engine.execute
	if l.flags.numerics.used() {
		execute = l.flags.numerics.execute
	}
	if code = execute(l); code == exit.OK {
		code = l.finish()
	}
	return l.document.write(l, l.verdict(code))
}

// verdict returns the exit code of the process. The parameter code is the exit code so
// far, after the comparisons of results and the writing of files. verdict replaces it if
// a result differs from the expected one or if a checker has found a mistake.
func (l *launch) verdict(code int) int {
	if l.differs && code == exit.OK {
		code = exit.Compare
	}
	if l.found && (code == exit.OK || code == exit.Compare) {
		return exit.Check
	}
	return code
}

// runPlan prepares kernels for execution (as a plan), runs them, and returns the exit
// code.
func (l *launch) runPlan(prog *kernel.Program, args []*data.Arg, o runtime.Options) int {
	plan, release, err := l.plan(prog, o)
	if err != nil {
		return l.Failed(err)
	}
	defer release()
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	if err := plan.Run(values...); err != nil {
		return l.fault(err)
	}
	return exit.OK
}

// plan returns a plan (kernels prepared for execution), from the cache if possible. The
// caller calls release after the run.
func (l *launch) plan(prog *kernel.Program, o runtime.Options) (plan *kernel.Plan, release func(), err error) {
	if l.loaded == nil || len(o.Listeners) > 0 || o.Seed != 0 {
		release = func() {}
		if l.Serving && len(o.Listeners) > 0 {
			o, release = limit.Listening.Watch(o, l.MaxMemory)
		}
		plan, err = prog.Plan(o)
		return plan, release, err
	}
	r, err := l.loaded.take(o)
	if err != nil {
		return nil, nil, err
	}
	return r.plan, func() { l.loaded.give(r) }, nil
}

// finish prints the arguments of the kernel after a run, compares them with the expected
// contents, and writes them to files, as the options request. It returns the exit code.
func (l *launch) finish() int {
	if l.flags.print {
		for i, a := range l.args {
			if a.Array != nil {
				a.Array.Print(l.Out, data.ParamName(l.params, i%len(l.params))+l.rankSuffix(i))
			}
		}
	}
	if err := l.writeTargets(); err != nil {
		return l.Fail("%v", err)
	}
	return l.expect.compare(l)
}

// writeTargets writes arguments to files: those for which the option --arg names an
// output file. After an error it writes no file.
func (l *launch) writeTargets() (err error) {
	var outs []*files.Output
	for _, a := range l.args {
		if a.Target == "" {
			continue
		}
		o, err := files.NewOutput(a.Target, l.Out)
		if err == nil {
			outs = append(outs, o)
			data := a.Array.Data
			if strings.HasSuffix(a.Target, ".npy") {
				data = a.Array.Npy()
			}
			_, err = o.Write(data)
		}
		if err != nil {
			for _, o := range outs {
				o.Discard()
			}
			return err
		}
	}
	return files.CommitAll(outs)
}

// checkOutputs returns an error, before the run starts, if the output files conflict:
// two outputs must not name the same file, and no output may replace the program.
func (l *launch) checkOutputs() error {
	f := &l.flags
	outs := []files.NamedOutput{
		{Name: "--trace", Path: f.trace.file}, {Name: "--check-json", Path: f.check.json}, {Name: "--timing-json", Path: f.timing.json}, {Name: "--timing-csv", Path: f.timing.csv},
		{Name: "--stats-json", Path: f.stats.file}, {Name: "--expect-plot", Path: f.expect.plot}, {Name: "--report", Path: f.report.file},
		{Name: "--numerics-json", Path: f.numerics.json}, {Name: "--numerics-plot", Path: f.numerics.plot},
	}
	for i, a := range l.args {
		outs = append(outs, files.NamedOutput{Name: "argument " + data.ParamName(l.params, i%len(l.params)) + l.rankSuffix(i), Path: a.Target})
	}
	for _, o := range outs {
		if err := files.CheckWritable(o.Path); err != nil {
			return err
		}
	}
	return files.Apart(l.path, outs)
}

// rankSuffix returns the text that identifies the rank (simulated device) of argument i
// in messages, or "" if there is a single rank.
func (l *launch) rankSuffix(i int) string {
	if l.ranks <= 1 {
		return ""
	}
	return fmt.Sprintf("@%d", i/(len(l.args)/l.ranks))
}
