// This file defines the options of pto-run.

package run

import (
	"time"

	"github.com/spf13/pflag"

	"ptogo/codegen/jit"
	"ptogo/internal/cli/flags"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/kernel"
)

// runFlags are the options of pto-run: those of every launch, and the modes, each of which has
// the options that only it has.
type runFlags struct {
	// set has the options under their names.
	set *pflag.FlagSet

	kernel    string
	gmSlack   int
	arch      string
	blocks    int
	ranks     int
	workers   int
	args      []string
	print     bool
	softLib   bool
	strict    bool
	publicIR  string
	flush     bool
	fill      uint8
	maxSteps  int64
	timeout   time.Duration
	budget    limit.Budget
	maxOutput limit.Bytes
	diag      report.DiagFlags
	cpp       flags.CppFlags

	// The modes that start from the command line.
	help       helpMode
	version    versionMode
	completion completionMode
	dap        dapMode
	batch      batchMode
	tune       tuneMode
	graph      graphMode
	serve      serveMode
	list       listMode
	advise     adviseMode
	fix        fixMode

	// The modes of a launch.
	engine     engineMode
	expect     expectMode
	check      checkMode
	step       stepMode
	dump       dumpMode
	diff       diffMode
	where      whereMode
	stats      statsMode
	trace      traceMode
	report     reportMode
	schedule   scheduleMode
	timing     timingMode
	equivalent equivalentMode
	numerics   numericsMode
}

// define declares all options of pto-run, in the order in which --help lists them.
func (f *runFlags) define() *pflag.FlagSet {
	fs := flags.New("pto-run")
	f.set = fs
	fs.StringVar(&f.kernel, "kernel", "", "run the kernel `NAME` (default: the only kernel). Two names with a comma, A,B, launch both kernels together, each on the kind of core that its attribute pto.kernel_kind names")
	fs.BoolVar(&f.list.on, "list-kernels", false, "list the kernels of the file and exit")
	fs.IntVar(&f.gmSlack, "gm-slack", 0, "let kernels access up to `BYTES` bytes past the end of each buffer in global memory (gm), with a warning instead of a fault (default: 0 bytes)")
	fs.StringVar(&f.arch, "pto-arch", "", "run for the hardware generation `PROFILE`, which is a2, a3 or a5 (default: the module's pto.target_arch, else a3)")
	fs.StringVar(&f.engine.name, "engine", engineGo, "execute the kernel with `ENGINE`, which is go or llvm. go is an interpreter. llvm compiles the kernel with the LLVM that is installed on this machine")
	fs.StringVar(&f.engine.sandbox, "sandbox", sandboxAuto, "with --engine=llvm, prevent compiled code from opening files, executing programs and using the network. `MODE` is auto (only if the system supports a sandbox), require (do not run the kernel if the system does not support a sandbox) or off (never)")
	fs.IntVar(&f.blocks, "blocks", 1, "launch the kernel on `N` blocks")
	fs.IntVar(&f.ranks, "ranks", 1, "launch on `N` ranks (devices). Each rank has its own arguments and launches --blocks blocks; all ranks share the arguments that are windows (--arg window=SHAPE)")
	fs.StringVar(&f.graph.file, "graph", "", "launch the kernels that `FILE` lists as a graph of tasks, in the order that the edges of the graph and the signals between ranks require (docs/ranks.md)")
	fs.StringArrayVar(&f.args, "arg", nil, "use `SPEC` as the next kernel argument, such as rand=32x64xf32 or 2.0; the start of this help text lists all forms of SPEC")
	fs.BoolVar(&f.print, "print", false, "after the run, print the contents of all pointer arguments")
	fs.StringArrayVar(&f.expect.specs, "expect", nil, "after the run, compare the argument N with the file PATH: `N=PATH`[,rtol=X,atol=Y]. N is the name or the 0-based index of the argument; N@RANK selects one rank. An element is accepted if it differs from its expected value e by at most Y + X * |e| (default: 0). A .npy file can contain floats of another type than the argument. If elements differ, the exit code is 3")
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
	fs.DurationVar(&f.engine.compiling, "compile-timeout", jit.DefaultLimit, "with --engine=llvm, limit the compilation of a kernel to `TIME` of CPU time, such as 90s, and to ten times TIME of real time. If the compilation exceeds a limit, --engine=go executes the kernel")
	fs.IntVar(&f.workers, "workers", 0, "execute up to `N` blocks at a time, each on a thread of its own (default: one block after the other). Blocks that update global memory atomically always run one after the other. With --graph, N tasks at a time (default: as many as there are processors), unless they are checked, timed or traced; the results do not depend on N")
	fs.StringVar(&f.trace.file, "trace", "", "write the executed instructions to `FILE`, one track per core and pipe, for Perfetto or chrome://tracing. The time axis counts instructions; with --timing it shows predicted time")
	fs.StringVar(&f.report.file, "report", "", "write a report of the run to `FILE`, as one HTML document with predicted time, local memory, checks, instruction counts and the program")
	fs.StringVar(&f.schedule.text, "schedule", "", "choose the order in which pipes execute. `ORDER` is program (the default) or random:N[:SEED]. random runs the kernel N more times, each time in another order that flags and barriers allow. If results differ, the exit code is 5. Only for --engine=go")
	f.expect.define(fs)
	f.dump.define(fs)
	f.diff.define(fs)
	f.where.define(fs)
	f.step.define(fs)
	f.stats.define(fs)
	f.check.define(fs)
	fs.BoolVar(&f.fix.on, "fix", false, "with --check, insert the flags and barriers that the reports suggest, until no report suggests one, and write the changed program to its file. With --fix, pto-run does not write the output files of the kernel (out=, inout=)")
	fs.BoolVar(&f.fix.dryRun, "fix-dry-run", false, "like --fix, but print the edits as a diff and do not change the file")
	f.batch.define(fs)
	fs.BoolVar(&f.dap.on, "dap", false, "act as a debug adapter on standard input and output, for editors that speak the Debug Adapter Protocol")
	fs.BoolVar(&f.serve.on, "serve", false, "answer JSON-RPC requests on standard input until the input ends. The Python package ptogo uses this mode; the documentation of the Go package internal/serve describes the requests")
	f.diag.Define(fs)
	f.timing.define(fs)
	f.equivalent.define(fs)
	f.numerics.define(fs)
	f.tune.define(fs)
	f.advise.define(fs)
	f.cpp.Define(fs)
	fs.StringVar(&f.completion.shell, "completion", "", "print a completion script for `SHELL`, which is bash, zsh or fish, and exit. man prints a manual page instead")
	fs.BoolVar(&f.version.on, "version", false, "print the version and exit")
	fs.BoolVarP(&f.help.on, "help", "h", false, "print this text and exit")
	return fs
}

// maxSlack is the largest accepted value of --gm-slack, the padding after each array in
// bytes.
const maxSlack = 1 << 30

// loading returns the options with which pto-run reads the program of the command line.
func (f *runFlags) loading() kernel.Options {
	return kernel.Options{Arch: f.arch, Kernel: f.kernel, SoftLib: f.softLib, Strict: f.strict, PublicIR: f.publicIR, Arguments: len(f.args)}
}
