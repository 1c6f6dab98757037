// This file is the main program of pto-run.

package run

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"ptogo/codegen/jit"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/frontend/cpp"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/flags"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/internal/data"
	"ptogo/internal/version"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/runtime"
	"ptogo/runtime/check"
	"ptogo/runtime/timing"
)

// runTool is the state of one run of pto-run, which executes kernels.
type runTool struct {
	files.Console
	// serve implements --serve.
	serve Server
	flags runFlags
	// path is the path of the program file.
	path string
	// warning guards warned, because several blocks may report warnings in parallel.
	warning sync.Mutex
	// warned are the source positions for which a warning has been printed.
	warned map[ir.Loc]bool
	// quiet reports that notes about the program were already printed in an earlier
	// run.
	quiet bool

	// given are the arguments of a request. They replace those of the command line.
	given []ArgSource
	// loaded is the program if it is cached for several runs, or nil.
	loaded *Loaded
	// launched are the arguments of the current launch.
	launched []*data.Arg
	// kernel is the kernel whose parameters correspond to the arguments.
	kernel *ir.Op

	// again runs the kernels once more on the initial contents of the arguments, as its
	// parameter describes. The run is stopped at the time in the field until.
	again func(r *check.Run) error
	// until is the time at which a run that the field again starts is stopped.
	until time.Time

	// differs reports that results differ from another program or from reference
	// arrays.
	differs bool
	checker *check.Checker
	report  runReport
	// faultReport is the checker's report about the fault that ended the run, or nil.
	faultReport *check.Report
	// found reports that checkers found errors or warnings.
	found bool

	// attach connects the stepper with a debugger before the run starts. It is nil
	// without a debugger.
	attach func(s *debug.Stepper, module *ir.Op)
}

type runFlags struct {
	kernel     string
	gmSlack    int
	arch       string
	engine     string
	sandbox    string
	blocks     int
	ranks      int
	graph      string
	workers    int
	args       []string
	expect     []string
	print      bool
	list       bool
	softLib    bool
	strict     bool
	publicIR   string
	flush      bool
	fill       uint8
	maxSteps   int64
	trace      string
	report     string
	schedule   string
	timeout    time.Duration
	budget     limit.Budget
	maxOutput  limit.Bytes
	compiling  time.Duration
	completion string
	version    bool
	help       bool
	check      checkFlags
	diag       report.DiagFlags
	observe    observeFlags
	serve      bool
	dap        bool
	batch      batchFlags
	timing     timingFlags
	equivalent equivalentFlags
	numerics   numericsFlags
	tune       tuneFlags
	advise     adviseFlags
	cpp        flags.CppFlags
}

// Server answers the requests of --serve on the streams of a console until its input ends,
// and returns the exit code. Package serve implements it. It is a parameter, because the
// requests themselves run pto-run.
type Server func(c *files.Console) int

// Main runs pto-run with the given arguments and streams, and returns its exit code. The
// function serve implements --serve.
func Main(serve Server, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return Command(files.NewConsole(stdin, stdout, stderr, "pto-run"), serve, args)
}

// Command runs pto-run on a console and returns its exit code.
func Command(c files.Console, serve Server, args []string) int {
	return (&runTool{Console: c, serve: serve}).command(args)
}

func (t *runTool) command(args []string) int { return t.Done(t.Guarded(t.main, args)) }

// main parses the command line and runs the tool. Method command handles errors of
// writing to standard output.
func (t *runTool) main(args []string) int {
	fs := t.define()
	if err := fs.Parse(flags.Long(fs, args)); err != nil {
		return t.Usage("%s", flags.Error(fs, err))
	}
	if err := t.flags.diag.Check(); err != nil {
		return t.Usage("%v", err)
	}
	t.SetDiagnostics(t.flags.diag)
	if err := t.flags.batch.check(fs); err != nil {
		return t.Usage("%v", err)
	}
	if err := t.flags.tune.check(fs); err != nil {
		return t.Usage("%v", err)
	}
	if err := t.flags.advise.check(fs, &t.flags); err != nil {
		return t.Usage("%v", err)
	}
	switch {
	case t.flags.help:
		fmt.Fprintf(t.Out, runHelp, flags.Usages(fs))
		return exit.OK
	case t.flags.version:
		fmt.Fprintln(t.Out, version.Text())
		return exit.OK
	case t.flags.completion != "":
		return flags.PrintCompletion(&t.Streams, t.flags.completion, fs, completionWords())
	case t.flags.dap && t.attach == nil:
		return t.debugAdapter(fs)
	case t.flags.batch.file != "":
		return t.batch(fs)
	case t.flags.tune.file != "":
		return t.withMemory(func() int { return t.tune(fs) })
	case t.flags.graph != "" && fs.NArg() > 0:
		return t.Usage("with --graph, only the graph file names kernel files: unexpected file %s", fs.Arg(0))
	case t.flags.graph != "":
		return t.withMemory(t.graph)
	case t.flags.serve:
		return t.serveAlone(fs)
	case fs.NArg() == 0:
		return t.Usage("expected one file: write pto-run FILE --arg SPEC ...")
	case fs.NArg() > 1 && strings.Contains(fs.Arg(1), "="):
		return t.Usage("only one file is allowed, found '%s': for an argument of the kernel write --arg %s", fs.Arg(1), fs.Arg(1))
	case fs.NArg() > 1:
		return t.Usage("expected one file, found %s", strings.Join(fs.Args(), " and "))
	}
	t.Cpp = func(src *ir.Source) {
		name, blocks := cpp.Launched(src.Text)
		if name != "" && t.flags.kernel == "" && !t.flags.list {
			t.flags.kernel = name
		}
		if blocks > 0 && !fs.Changed("blocks") && t.flags.kernel == name {
			t.flags.blocks = blocks
		}
		t.flags.cpp.ReadCpp(src, t.flags.arch, t.flags.kernel)
	}
	if t.flags.list {
		return t.withMemory(func() int { return t.listKernels(fs.Arg(0)) })
	}
	if t.flags.advise.on {
		return t.withMemory(func() int { return t.advise(fs.Arg(0)) })
	}
	return t.withMemory(func() int { return t.run(fs.Arg(0)) })
}

const runHelp = `pto-run executes a PTO kernel on your data.

Usage: pto-run FILE [--kernel NAME] [--pto-arch=a5] [--blocks N] --arg SPEC ...

Give one --arg for each kernel parameter, in the order of the signature.
SPEC of a pointer:
  in=PATH              elements of a raw or .npy file
  inout=PATH           elements of the file PATH, which is overwritten with the results after the run
  out=PATH:BYTES       zeros, written to PATH after the run
  out=PATH:32x64xf32   like out=PATH:BYTES, with a shape and an element type instead of a size
  rand=32x64xf32       random floats between -1 and 1, or random bytes for other types; rand=SHAPE,seed=N
  zeros=SHAPE, ones=SHAPE, iota=SHAPE (0, 1, 2, ...), fill=VALUE,SHAPE
  per-block:SPEC       divide the array of another SPEC into equal chunks, one for each block
  window=SHAPE         zeros in memory that all ranks share (--ranks)
  comm                 the communication context of the rank, which has the addresses of the windows
SPEC of a scalar: 3.0, -1, true, raw bits such as 0x4200, rank (the index of the
rank that executes the kernel) or ranks (the number of ranks).
With --ranks, {rank} in a SPEC is replaced by the index of the rank: in=x{rank}.npy

Examples:

  pto-run examples/divide.pto --arg iota=32x64xf32 --arg zeros=32x64xf32 --arg 2.0 --print
  pto-run examples/divide.pto --arg in=x.npy --arg out=y.npy:32x64xf32 --arg 2.0 --expect y=want.npy,rtol=1e-5

%s
Exit code: 0 done, 1 the program is wrong, 2 the command line is wrong,
3 a comparison failed, 4 the kernel faulted, 5 a checker (--check) reported an error or a warning.
`

func (t *runTool) define() *pflag.FlagSet {
	f, fs := &t.flags, flags.New("pto-run")
	fs.StringVar(&f.kernel, "kernel", "", "run the kernel `NAME` (default: the only kernel). Two names with a comma, A,B, launch both kernels together, each on the kind of core that its attribute pto.kernel_kind names")
	fs.BoolVar(&f.list, "list-kernels", false, "list the kernels of the file and exit")
	fs.IntVar(&f.gmSlack, "gm-slack", 0, "let kernels access up to `BYTES` bytes past the end of each buffer in global memory (gm), with a warning instead of a fault (default: 0 bytes)")
	fs.StringVar(&f.arch, "pto-arch", "", "run for the hardware generation `PROFILE`, which is a2, a3 or a5 (default: the module's pto.target_arch, else a3)")
	fs.StringVar(&f.engine, "engine", engineGo, "execute the kernel with `ENGINE`, which is go or llvm. go is an interpreter. llvm compiles the kernel with the LLVM that is installed on this machine")
	fs.StringVar(&f.sandbox, "sandbox", sandboxAuto, "with --engine=llvm, prevent compiled code from opening files, executing programs and using the network. `MODE` is auto (only if the system supports a sandbox), require (do not run the kernel if the system does not support a sandbox) or off (never)")
	fs.IntVar(&f.blocks, "blocks", 1, "launch the kernel on `N` blocks")
	fs.IntVar(&f.ranks, "ranks", 1, "launch on `N` ranks (devices). Each rank has its own arguments and launches --blocks blocks; all ranks share the arguments that are windows (--arg window=SHAPE)")
	fs.StringVar(&f.graph, "graph", "", "launch the kernels that `FILE` lists as a graph of tasks, in the order that the edges of the graph and the signals between ranks require (docs/ranks.md)")
	fs.StringArrayVar(&f.args, "arg", nil, "use `SPEC` as the next kernel argument, such as rand=32x64xf32 or 2.0; the start of this help text lists all forms of SPEC")
	fs.BoolVar(&f.print, "print", false, "after the run, print the contents of all pointer arguments")
	fs.StringArrayVar(&f.expect, "expect", nil, "after the run, compare the argument N with the file PATH: `N=PATH`[,rtol=X,atol=Y]. N is the name or the 0-based index of the argument; N@RANK selects one rank. An element is accepted if it differs from its expected value e by at most Y + X * |e| (default: 0). A .npy file can contain floats of another type than the argument. If elements differ, the exit code is 3")
	flags.DefinePublicIR(fs, &f.publicIR)
	fs.BoolVar(&f.strict, "strict", false, flags.StrictHelp)
	fs.BoolVar(&f.softLib, "enable-soft-lib", false, "accept operations that the hardware has no instruction for, and that a software library computes on a device (default: reject them)")
	fs.BoolVar(&f.flush, "flush-denormals", false, "treat denormal floating-point numbers as zero, as the hardware does (default: compute with them)")
	fs.Uint8Var(&f.fill, "scratch-fill", 0, "fill local memory with `BYTE`, such as 0xA5, before the kernel starts (default 0). If results depend on BYTE, the kernel reads uninitialized memory")
	fs.Int64Var(&f.maxSteps, "max-steps", 0, "with --engine=go, stop with a fault when a block has executed `N` operations (default 0: no limit)")
	fs.DurationVar(&f.timeout, "timeout", limit.DefaultTimeout, "stop with a fault if a launch runs longer than `TIME`, such as 90s or 5m. Reading and checking the program have the same limit")
	f.budget.DefineMemory(fs)
	f.maxOutput = limit.DefaultMaxOutput
	fs.Var(&f.maxOutput, "max-output", "stop with a fault if the kernel prints more than `SIZE`, such as 1MiB")
	fs.DurationVar(&f.compiling, "compile-timeout", jit.DefaultLimit, "with --engine=llvm, limit the compilation of a kernel to `TIME` of CPU time, such as 90s, and to ten times TIME of real time. If the compilation exceeds a limit, --engine=go executes the kernel")
	fs.IntVar(&f.workers, "workers", 0, "execute up to `N` blocks at a time, each on a thread of its own (default: one block after the other). Blocks that update global memory atomically always run one after the other")
	fs.StringVar(&f.trace, "trace", "", "write the executed instructions to `FILE`, one track per core and pipe, for Perfetto or chrome://tracing. The time axis counts instructions; with --timing it shows predicted time")
	fs.StringVar(&f.report, "report", "", "write a report of the run to `FILE`, as one HTML document with predicted time, local memory, checks, instruction counts and the program")
	fs.StringVar(&f.schedule, "schedule", "", "choose the order in which pipes execute. `ORDER` is program (the default) or random:N[:SEED]. random runs the kernel N more times, each time in another order that flags and barriers allow. If results differ, the exit code is 5. Only for --engine=go")
	f.observe.define(fs)
	fs.StringSliceVar(&f.check.kinds, "check", nil, "check the run. `KINDS` is a list of race (unordered accesses), sync (flags, barriers, queues), init (uninitialized reads), mem (accesses to wrong addresses, overlapping buffers) and redundant (synchronization without effect). all means the first four. The exit code is 5 if the check reports an error or a warning")
	adds, drops := order.DescribeAssumptions()
	fs.StringSliceVar(&f.check.assume, "check-assume", nil, "let --check make more or fewer assumptions about the hardware than the rules of the target do (docs/checking.md). `NAMES` is a list of names. These add an assumption: "+adds+". These drop assumptions: "+drops)
	fs.BoolVar(&f.check.strict, "check-strict", false, "let --check assume no hardware order on which public sources disagree, and treat warnings as errors")
	fs.StringVar(&f.check.json, "check-json", "", "also write the reports of --check to `FILE`, as JSON")
	fs.StringVar(&f.check.suppress, "check-suppress", "", "suppress the reports that the text file `FILE` lists. Each of its lines contains the name of a check, or * for all, and a source position such as kernel.pto or kernel.pto:12. The comment // pto-check: allow(race) in a kernel has the same effect")
	fs.BoolVar(&f.check.ignoreComments, "ignore-suppressions", false, "also show reports that comments in the kernel suppress, such as // pto-check: allow(race). Use this option in CI, so that authors of kernels cannot hide reports")
	fs.BoolVar(&f.check.fix, "fix", false, "with --check, insert the flags and barriers that the reports suggest, until no report suggests one, and write the changed program to its file. With --fix, pto-run does not write the output files of the kernel (out=, inout=)")
	fs.BoolVar(&f.check.fixDryRun, "fix-dry-run", false, "like --fix, but print the edits as a diff and do not change the file")
	f.batch.define(fs)
	fs.BoolVar(&f.dap, "dap", false, "act as a debug adapter on standard input and output, for editors that speak the Debug Adapter Protocol")
	fs.BoolVar(&f.serve, "serve", false, "answer JSON-RPC requests on standard input until the input ends. The Python package ptogo uses this mode; the documentation of the Go package internal/serve describes the requests")
	f.diag.Define(fs)
	f.timing.define(fs)
	f.equivalent.define(fs)
	f.numerics.define(fs)
	f.tune.define(fs)
	f.advise.define(fs)
	f.cpp.Define(fs)
	fs.StringVar(&f.completion, "completion", "", "print a completion script for `SHELL`, which is bash, zsh or fish, and exit. man prints a manual page instead")
	fs.BoolVar(&f.version, "version", false, "print the version and exit")
	fs.BoolVarP(&f.help, "help", "h", false, "print this text and exit")
	return fs
}

func (t *runTool) run(path string) int {
	expect, code := t.checkFlags()
	if code != exit.OK {
		return code
	}
	t.path = path
	loaded := t.watchAlone()
	if t.flags.check.fix || t.flags.check.fixDryRun {
		loaded()
		return t.fixChecked(path)
	}
	src, err := t.ReadSource(path)
	if err != nil {
		return t.Fail("%v", err)
	}
	prog, err := kernel.Load(src, t.flags.loading())
	if err != nil {
		return t.Failed(err)
	}
	loaded()
	t.ReportAll(t.unchecked(prog.Warnings))
	t.report.src = src
	return t.launch(prog, expect)
}

// watchAlone limits the resources of a process that executes a single run. The memory
// limit holds for the whole run. The time limit holds only while the process loads the
// program. The caller must call the returned function when the program is loaded, which
// removes the time limit. For a run that shares its process with others, watchAlone does
// nothing.
func (t *runTool) watchAlone() (loaded func()) {
	if t.Cancelled != nil {
		return func() {}
	}
	return t.Watch(limit.Budget{Memory: t.flags.budget.Memory, Time: t.flags.timeout})
}

// checkFlags reports errors in the command line. It returns the comparisons that --expect
// requests. The result code is OK, or the exit code for a wrong command line.
func (t *runTool) checkFlags() (expect []comparison, code int) {
	t.MaxMemory = limit.MemoryOf(t.flags.budget.Memory)
	_, ok := sem.ParseProfile(t.flags.arch)
	switch {
	case t.flags.arch != "" && !ok:
		return nil, t.Usage("unknown profile '%s' for --pto-arch: expected a2, a3 or a5", t.flags.arch)
	case !slices.Contains(sandboxModes, t.flags.sandbox):
		return nil, t.Usage("unknown mode '%s' for --sandbox: expected %s", t.flags.sandbox, strings.Join(sandboxModes, ", "))
	case !slices.Contains(engines, t.flags.engine):
		return nil, t.Usage("unknown engine '%s' for --engine: expected %s", t.flags.engine, strings.Join(engines, " or "))
	case t.flags.gmSlack < 0 || t.flags.gmSlack > maxSlack:
		return nil, t.Usage("--gm-slack must be between 0 and %d", maxSlack)
	case t.flags.timeout <= 0 || t.flags.compiling <= 0:
		return nil, t.Usage("--timeout and --compile-timeout must be more than 0, such as 90s")
	case t.flags.maxSteps < 0:
		return nil, t.Usage("--max-steps must not be negative")
	case t.flags.workers < 0:
		return nil, t.Usage("--workers must not be negative")
	case t.flags.ranks < 1 || t.flags.ranks > runtime.MostRanks:
		return nil, t.Usage("--ranks must be between 1 and %d", runtime.MostRanks)
	case t.flags.blocks < 1 || t.flags.blocks > 1<<16:
		return nil, t.Usage("--blocks must be between 1 and %d", 1<<16)
	}
	if _, err := parseSchedule(t.flags.schedule); err != nil {
		return nil, t.Usage("%v", err)
	}
	if err := t.flags.observe.check(len(t.flags.expect)); err != nil {
		return nil, t.Usage("%v", err)
	}
	if err := t.flags.equivalent.check(); err != nil {
		return nil, t.Usage("%v", err)
	}
	if err := t.flags.numerics.check(&t.flags); err != nil {
		return nil, t.Usage("%v", err)
	}
	if _, err := t.checkOptions(); err != nil {
		return nil, t.Usage("%v", err)
	}
	if err := t.checkReport(); err != nil {
		return nil, t.Usage("%v", err)
	}
	if err := t.flags.timing.check(t.flags.engine, t.flags.graph != "", t.flags.report != "", t.flags.advise.on); err != nil {
		return nil, t.Usage("%v", err)
	}
	expect = make([]comparison, len(t.flags.expect))
	for i, e := range t.flags.expect {
		var err error
		if expect[i], err = parseExpect(e); err != nil {
			return nil, t.Usage("%v", err)
		}
	}
	return expect, exit.OK
}

// Failed reports the errors because of which a program cannot run, and returns the exit
// code.
func (t *runTool) Failed(err error) int {
	if list, ok := errors.AsType[ir.Errors](err); ok {
		t.ReportAll(list)
		return exit.Diag
	}
	return t.Fail("%v", err)
}

// launch loads the arguments, runs the kernels, and compares or writes the results. All
// kernels receive the same list of arguments. Its length is the smallest number of
// parameters of a kernel. launch returns the exit code of the tool.
func (t *runTool) launch(prog *kernel.Program, expect []comparison) int {
	release, err := t.reserveLaunch(prog)
	if err != nil {
		return t.Fail("%v", err)
	}
	defer release()
	args, err := t.arguments(prog)
	if err != nil {
		return t.Usage("%v", err)
	}
	t.launched, t.kernel = args, prog.Entry()
	if t.flags.equivalent.path != "" {
		return t.compareEquivalent(prog, args)
	}
	t.noteArrays(prog, args[:len(prog.Params())])
	t.noteUnusedTiles(prog)
	if expect, err = ofRanks(expect, prog.Params(), t.flags.ranks); err != nil {
		return t.Usage("%v", err)
	}
	for i := range expect {
		c := &expect[i]
		if c.n >= len(args) || args[c.n].Array == nil {
			return t.Usage("--expect %s must name a pointer argument of kernel '%s'", c.arg, prog.Name())
		}
		if err := c.read(args[c.n].Array, t.MaxMemory); err != nil {
			return t.Fail("%v", err)
		}
	}
	if err := t.checkOutputs(prog.Params(), args); err != nil {
		return t.Fail("%v", err)
	}
	if len(expect) > 0 {
		t.again = t.repeat(prog, args, runtime.Options{Blocks: t.flags.blocks, Ranks: t.flags.ranks, FlushDenormals: t.flags.flush, Stop: t.tooLate})
	}
	execute := t.execute
	if t.flags.numerics.used() {
		execute = t.executeNumerics
	}
	code := execute(prog, args)
	if code == exit.OK {
		code = t.finish(prog.Params(), args, expect)
	}
	return t.writeReport(prog, args, expect, t.verdict(code))
}

// verdict returns the exit code of the process. The parameter code is the exit code so
// far, after the comparisons of results and the writing of files. verdict replaces it if
// a result differs from the expected one or if a checker has found a mistake.
func (t *runTool) verdict(code int) int {
	if t.differs && code == exit.OK {
		code = exit.Compare
	}
	if t.found && (code == exit.OK || code == exit.Compare) {
		return exit.Check
	}
	return code
}

// executeGo runs kernels on the Go engine with the options of the command line, and
// returns the exit code.
func (t *runTool) executeGo(prog *kernel.Program, args []*data.Arg) int {
	stop := limit.NewStopper(t.flags.timeout, t.Cancelled)
	defer stop.End()
	opts := runtime.Options{
		Blocks: t.flags.blocks, Ranks: t.flags.ranks, Workers: t.flags.workers, MaxSteps: t.flags.maxSteps, MaxMemory: int64(t.MaxMemory.Bytes), Stop: stop.Why,
		FlushDenormals: t.flags.flush, ScratchFill: t.flags.fill, Out: t.Out, MaxOutput: int64(t.flags.maxOutput), Warn: t.warn,
	}
	listened := func(o runtime.Options) int { return t.runListened(prog, args, o) }
	if t.flags.observe.option() != "" {
		plain := listened
		listened = func(o runtime.Options) int { return t.executeObserved(prog, args, o, plain) }
	}
	if t.flags.report != "" {
		if t.report.src == nil {
			return t.Usage("--report needs a command of its own: it cannot be an option of a case of --batch or of a request of --serve")
		}
		plain := listened
		listened = func(o runtime.Options) int { return t.executeReported(prog, args, o, plain) }
	}
	traced := listened
	if t.flags.trace != "" && !t.flags.timing.used() { // the trace of a prediction has its own time
		traced = func(o runtime.Options) int { return t.executeTraced(o, listened) }
	}
	run := func() int { return traced(opts) }
	if t.flags.timing.used() {
		run = func() int { return t.executeTimed(prog, opts, traced) }
	}
	if s, _ := parseSchedule(t.flags.schedule); s.runs > 0 {
		return t.onSchedules(s, prog, args, opts, run)
	}
	return run()
}

// runListened runs kernels with the debugger or the checkers if the command line
// requests them, and returns the exit code.
func (t *runTool) runListened(prog *kernel.Program, args []*data.Arg, o runtime.Options) int {
	if t.flags.observe.step || t.flags.observe.script != "" {
		return t.executeStepped(prog, args, o)
	}
	if len(t.flags.check.kinds) > 0 {
		return t.executeChecked(prog, args, o)
	}
	t.hintCheck(prog.Kernels)
	return t.executePlain(prog, args, o)
}

// runPlan prepares kernels for execution (as a plan), runs them, and returns the exit
// code.
func (t *runTool) runPlan(prog *kernel.Program, args []*data.Arg, o runtime.Options) int {
	plan, release, err := t.plan(prog, o)
	if err != nil {
		return t.Failed(err)
	}
	defer release()
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	if err := plan.Run(values...); err != nil {
		return t.fault(err)
	}
	return exit.OK
}

// arguments creates the kernel arguments from the --arg options, for all ranks
// (simulated devices). It returns an error if their number is wrong.
func (t *runTool) arguments(prog *kernel.Program) ([]*data.Arg, error) {
	params := prog.Params()
	sources := t.argSources()
	if len(params) != len(sources) {
		return nil, fmt.Errorf("kernel '%s' has %s, but %d --arg options were given; its signature is (%s)%s",
			ir.Visible(prog.Name()), ir.Count(len(params), "parameter"), len(sources), signature(params), sampleArgs(params))
	}
	ranks := max(t.flags.ranks, 1)
	args := make([]*data.Arg, 0, ranks*len(params))
	for rank := range ranks {
		for i, source := range sources {
			a, err := t.argument(source, params[i], data.Place{Slack: t.flags.gmSlack, Rank: rank, Ranks: ranks, Read: t.MaxMemory.Read})
			if err != nil {
				return nil, fmt.Errorf("--arg %d (%s)%s: %w", i, data.ParamName(params, i), onRank(rank, ranks), err)
			}
			args = append(args, a)
		}
	}
	return args, nil
}

// argument creates the argument for parameter p on one rank (simulated device) from its
// description in source. The parameter at identifies the rank.
func (t *runTool) argument(source ArgSource, p kernel.Param, at data.Place) (*data.Arg, error) {
	a, err := source.Make(p, at)
	if err == nil && a.PerBlock {
		err = a.Divide(t.flags.blocks, ir.ElementType(p.Type))
	}
	return a, err
}

// onRank returns a text such as " of rank 1" for messages about one rank (simulated
// device). It returns "" if the launch has only one rank. The parameter ranks is the
// number of ranks.
func onRank(rank, ranks int) string {
	if ranks <= 1 {
		return ""
	}
	return fmt.Sprintf(" of rank %d", rank)
}

// rankSuffix returns the text that identifies the rank (simulated device) of argument i
// in messages, or "" if there is a single rank.
func (t *runTool) rankSuffix(i int) string {
	if t.flags.ranks <= 1 {
		return ""
	}
	return fmt.Sprintf("@%d", i/(len(t.launched)/t.flags.ranks))
}

func signature(params []kernel.Param) string {
	parts := make([]string, len(params))
	for i, p := range params {
		parts[i] = data.ParamName(params, i) + ": " + p.Type.String()
	}
	return strings.Join(parts, ", ")
}

// sampleArgs returns an example of --arg options that match the parameters of a kernel,
// for error messages.
func sampleArgs(params []kernel.Param) string {
	if len(params) == 0 {
		return ""
	}
	text := "\nsuch as"
	for _, p := range params {
		f, _ := ir.FormatOf(p.Type)
		switch {
		case p.IsPointer():
			text += " --arg rand=32x64x" + ir.ElementType(p.Type).String()
		case f.IsInt():
			text += " --arg 1"
		default:
			text += " --arg 1.0"
		}
	}
	return text + ", with the shapes that the kernel expects"
}

// maxSlack is the largest accepted value of --gm-slack, the padding after each array in
// bytes.
const maxSlack = 1 << 30

// warn prints a suspicious event of a run as a warning, only once for each source
// position, even if several blocks report it.
func (t *runTool) warn(f *runtime.Fault) {
	d := f.Diag()
	d.Severity = ir.Warning
	t.warning.Lock()
	defer t.warning.Unlock()
	if t.warned[f.Loc] {
		return
	}
	if t.warned == nil {
		t.warned = map[ir.Loc]bool{}
	}
	t.warned[f.Loc] = true
	t.TellFinding(report.Finding{Diag: d, Fault: f})
}

// fault reports the error that stopped the kernel as a diagnostic, and returns the exit
// code.
func (t *runTool) fault(err error) int {
	var f *runtime.Fault
	if !errors.As(err, &f) {
		t.Fail("%v", err)
		return exit.Fault
	}
	d := f.Diag()
	if t.checker != nil {
		if t.faultReport = t.checker.FromFault(f); t.faultReport != nil {
			d = t.faultReport.Diag()
		}
	}
	if f.Behind > 0 && f.Range != nil {
		t.noteFault(d, f.Range.Buffer, f.Behind)
	}
	t.TellFinding(report.Finding{Diag: d, Fault: f, Report: t.faultReport})
	return exit.Fault
}

// finish prints the arguments of the kernel after a run, compares them with the expected
// contents in the list expect, and writes them to files, as the options request. It
// returns the exit code.
func (t *runTool) finish(params []kernel.Param, args []*data.Arg, expect []comparison) int {
	if t.flags.print {
		for i, a := range args {
			if a.Array != nil {
				a.Array.Print(t.Out, data.ParamName(params, i%len(params))+t.rankSuffix(i))
			}
		}
	}
	if err := t.writeTargets(args); err != nil {
		return t.Fail("%v", err)
	}
	return t.compareAll(args, expect)
}

// writeTargets writes arguments to files: those for which the option --arg names an
// output file. After an error it writes no file.
func (t *runTool) writeTargets(args []*data.Arg) (err error) {
	var outs []*files.Output
	for _, a := range args {
		if a.Target == "" {
			continue
		}
		o, err := files.NewOutput(a.Target, t.Out)
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
func (t *runTool) checkOutputs(params []kernel.Param, args []*data.Arg) error {
	f := &t.flags
	outs := []files.NamedOutput{
		{Name: "--trace", Path: f.trace}, {Name: "--check-json", Path: f.check.json}, {Name: "--timing-json", Path: f.timing.json}, {Name: "--timing-csv", Path: f.timing.csv},
		{Name: "--stats-json", Path: f.observe.counts}, {Name: "--expect-plot", Path: f.observe.plot}, {Name: "--report", Path: f.report},
		{Name: "--numerics-json", Path: f.numerics.json}, {Name: "--numerics-plot", Path: f.numerics.plot},
	}
	for i, a := range args {
		outs = append(outs, files.NamedOutput{Name: "argument " + data.ParamName(params, i%len(params)) + t.rankSuffix(i), Path: a.Target})
	}
	for _, o := range outs {
		if err := files.CheckWritable(o.Path); err != nil {
			return err
		}
	}
	return files.Apart(t.path, outs)
}

// completionWords returns the words with which shells complete options of pto-run, by
// option.
func completionWords() map[string][]string {
	return map[string][]string{"engine": engines, "sandbox": sandboxModes, "chip": timing.ChipNames(), "dump-as": dumpFormats}
}

// loading returns the options with which pto-run reads the program of the command line.
func (f *runFlags) loading() kernel.Options {
	return kernel.Options{Arch: f.arch, Kernel: f.kernel, SoftLib: f.softLib, Strict: f.strict, PublicIR: f.publicIR, Arguments: len(f.args)}
}

// serveAlone runs --serve and returns the exit code. If the command line contains any
// other option, it reports an error instead.
func (t *runTool) serveAlone(fs *pflag.FlagSet) int {
	alone := fs.NArg() == 0
	fs.Visit(func(f *pflag.Flag) { alone = alone && f.Name == "serve" })
	if !alone {
		return t.Usage("--serve accepts no other options: each request contains the options of its run")
	}
	return t.serve(&t.Console)
}
