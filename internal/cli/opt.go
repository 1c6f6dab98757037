package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/plan"
	"ptogo/lower/ptoas"
	"ptogo/passes"
)

// optTool is one run of pto-opt.
type optTool struct {
	streams
	flags optFlags
	out   *output
	spare *ir.Spare  // what earlier programs leave to the parser
	proof *syncProof // of the last program, if --verify-sync came to it
	// unnamed means that the program names no profile, and --pto-arch chose one.
	unnamed bool
	// cancelled closes when nobody waits for the result any more; it may be nil.
	cancelled <-chan struct{}
}

// optFlags are the options of pto-opt.
type optFlags struct {
	output    string
	emit      string
	cppLaunch bool
	// inventsScratch says that nobody asked for the pass that allocates scratch
	// tiles, which C++ needs.
	inventsScratch bool
	arch           string
	level          string
	scratch        string
	split          string // the line between programs; "": the file is one
	outputSplit    string
	diagnostics    string // which ones are compared with comments; "" for none
	roundTrip      bool
	fix, fixDryRun bool
	verifySync     string // one of verifySyncWords
	users          bool
	unique         bool // names of values in the whole text
	opOnDiagnostic bool
	elideLarger    int64
	listPasses     bool
	unregistered   bool
	generic        bool
	debugInfo      bool
	localScope     bool
	verify         bool
	softLib        bool
	wholeVec       bool
	emitPTO        bool
	asPtoas        bool
	ownBackend     bool // the program says whether it wants C++ or an object
	showDialects   bool
	explain        string
	memoryMap      string
	completion     string
	version, help  bool
	passes         passFlags
	diag           diagFlags
	budget         budget
	maxOutput      byteSize
	sync           syncFlags
}

// Opt is pto-opt.
func Opt(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return (&optTool{streams: newStreams(stdin, stdout, stderr, "pto-opt")}).command(args)
}

func (t *optTool) command(args []string) int {
	if asksForPtoas(args) {
		t.tool = ptoasName
	}
	code := t.done(t.guarded(t.main, args))
	if t.tool == ptoasName {
		code = min(code, exitDiag) // the only one that it has
	}
	return code
}

// main is pto-opt but for what cannot be written to standard output.
func (t *optTool) main(args []string) int {
	fs := t.define()
	if err := fs.Parse(longFlags(fs, args)); err != nil {
		return t.usage("%s", flagError(fs, err))
	}
	if err := t.flags.diag.check(); err != nil {
		return t.usage("%v", err)
	}
	if t.flags.budget.time <= 0 {
		return t.usage("--timeout must be more than nothing, such as 90s")
	}
	t.setDiagnostics(t.flags.diag)
	t.maxMemory = t.flags.budget.memory
	switch {
	case t.flags.help:
		fmt.Fprintf(t.streams.out, optHelp, usages(fs), registry.Help())
		return exitOK
	case t.flags.version && t.flags.asPtoas:
		t.printPtoasVersion()
		return exitOK
	case t.flags.version:
		fmt.Fprintln(t.streams.out, Version())
		return exitOK
	case t.flags.listPasses:
		return t.listPasses()
	case t.flags.showDialects:
		return t.showDialects()
	case t.flags.completion != "":
		return t.printCompletion(t.flags.completion, fs)
	case fs.Changed("explain"):
		return t.explain(t.flags.explain)
	}
	t.flags.sync.refused = fs.Changed("enable-insert-sync") && !t.flags.sync.insert
	if err := t.checkPtoas(fs); err != nil {
		return t.usage("%v", err)
	}
	if t.flags.asPtoas {
		t.bePtoas(fs)
	}
	if t.cancelled == nil { // else it shares its process
		t.watch(t.flags.budget)
	}
	return t.run(fs.Args())
}

const optHelp = `pto-opt reads PTO programs, checks them, runs passes over them and writes them.

Usage: pto-opt [options] [file ...]

Programs are read in MLIR syntax (Level 1, Level 2, vector instructions) or in
PTO-AS; without a file, or for "-", from standard input. A folder stands for the
.pto and .mlir files in it.

%s
Passes run in the order in which they are written. Options follow the name of
a pass, as in --pto-bufferize='reuse=true remarks=true':
%s
pto-opt accepts other options of ptoas: with a warning if they choose how to make
code, with an error if they ask for other output.

Exit code: 0 done, 1 the program is wrong, 2 the command line is wrong, 5 --verify-sync reported a hazard.
`

func (t *optTool) define() *pflag.FlagSet {
	f, fs := &t.flags, newFlags("pto-opt")
	fs.StringVarP(&f.output, "output", "o", "-", "write to `FILE`; - is standard output")
	fs.StringVar(&f.emit, "emit", "mlir", "write `KIND` of text: mlir, pto-as, llvm, or cpp for the C++ tile library (pto-isa)")
	fs.BoolVar(&f.cppLaunch, "cpp-launch", false, "with --emit=cpp, add host functions that launch the kernels")
	fs.StringVar(&f.arch, "pto-arch", "", "target `PROFILE`: a2, a3 or a5 (default: the module's pto.target_arch, else a3)")
	fs.StringVar(&f.level, "pto-level", "", "check the rules of a build `LEVEL`: at level1 and level2 the compiler assigns memory, at level3 the program does")
	fs.StringVar(&f.scratch, "pto-scratch", "auto", "`HOW` to judge scratch tiles that are missing, small or of another type: warning, error, or auto, an error only in programs without addresses while no --pto-level is given")
	fs.BoolVar(&f.wholeVec, "whole-vec", false, "do not warn of tiles in the last 8 KiB of vec, which some devices overwrite")
	fs.BoolVar(&f.softLib, "enable-soft-lib", false, "accept operations that a software library computes")
	fs.BoolVar(&f.emitPTO, "emit-pto-ir", false, "write PTO IR (the default)")
	fs.BoolVar(&f.asPtoas, asPtoas, false, "accept command lines of the public assembler ptoas: write C++ by default, for --pto-level=level2; pto-opt does the same under the name ptoas")
	fs.StringVar(&f.split, "split-input-file", "", "treat the parts of the input between lines with `MARKER` as programs of their own")
	fs.Lookup("split-input-file").NoOptDefVal = defaultMarker
	fs.StringVar(&f.outputSplit, "output-split-marker", defaultMarker, "write `MARKER` between the programs of the output")
	fs.StringVar(&f.diagnostics, "verify-diagnostics", "", "compare diagnostics with expected-error and similar comments: `WHICH` is all, or only-expected, which lets those pass that no comment is about")
	fs.Lookup("verify-diagnostics").NoOptDefVal = verifiedDiagnostics[0]
	fs.BoolVar(&f.roundTrip, "verify-roundtrip", false, "check that the program stays the same when it is written and read again, in custom and in generic form")
	fs.BoolVar(&f.fix, "fix", false, "apply the edits that notes offer to the files, and report the errors that remain")
	fs.BoolVar(&f.fixDryRun, "fix-dry-run", false, "like --fix, but write the differences instead of the files")
	fs.StringVar(&f.verifySync, "verify-sync", "false", "prove, without running it, that flags, barriers and buffers order all accesses of the program as it is after the passes: each function is proved, has a hazard, which ends with exit code 5, or is not checked, for reasons that remarks give; with `WORD` strict, not checked ends with exit code 5 too")
	fs.Lookup("verify-sync").NoOptDefVal = verifySyncWords[0]
	fs.BoolVar(&f.unregistered, "allow-unregistered-dialect", false, "accept operations of unknown dialects in generic form")
	fs.BoolVar(&f.generic, "mlir-print-op-generic", false, "write every operation in generic form")
	fs.BoolVar(&f.debugInfo, "mlir-print-debuginfo", false, "write locations")
	fs.BoolVar(&f.users, "mlir-print-value-users", false, "write comments that name who uses each value")
	fs.BoolVar(&f.unique, "mlir-print-unique-ssa-ids", false, "give no two values of the program the same name")
	fs.BoolVar(&f.opOnDiagnostic, "mlir-print-op-on-diagnostic", false, "add the operation in generic form to an error of the verifier or a pass")
	fs.Int64Var(&f.elideLarger, "mlir-elide-elementsattrs-if-larger", 0, "write dense elements with more than `N` elements as dense_resource<__elided__>; 0 writes all")
	fs.Int64("mlir-elide-resource-strings-if-larger", 0, "leave out resources whose text is longer than `N` (always so: resources are not written)")
	fs.BoolVar(&f.localScope, "mlir-print-local-scope", false, "write types and attributes without aliases (always so)")
	fs.BoolVar(&f.verify, "verify", true, "check the program after reading it")
	f.passes.define(fs)
	f.sync.define(fs)
	definePtoas(fs)
	fs.BoolVar(&f.listPasses, "list-passes", false, "list the passes and exit")
	fs.BoolVar(&f.showDialects, "show-dialects", false, "list the dialects and exit")
	f.diag.define(fs)
	f.budget.defineMemory(fs)
	f.maxOutput = defaultMaxMemory
	fs.Var(&f.maxOutput, "max-output", "end with an error when the output has more than `SIZE`")
	fs.DurationVar(&f.budget.time, "timeout", defaultTimeout, "end with an error when the run has lasted `TIME`")
	fs.StringVar(&f.memoryMap, "memory-map", "", "instead of the program, write where its tiles are in local memory and when each is in use, as `FORM`: text (the default), json or svg; tiles without addresses are placed first, as --pto-plan-memory does")
	fs.Lookup("memory-map").NoOptDefVal = "text"
	fs.StringVar(&f.explain, "explain", "", "print the reference page of an `INSTRUCTION`, such as pto.tdivs, of a type, such as tile_buf, or of the code of a diagnostic, such as PTO1004; list the instructions that a word such as transpose or sigmoid is about, those of a group such as cube, or, with list, all")
	fs.StringVar(&f.completion, "completion", "", "print a completion script for `SHELL`, bash, zsh or fish, or with man a manual page, and exit")
	fs.BoolVar(&f.version, "version", false, "print the version and exit")
	fs.BoolVarP(&f.help, "help", "h", false, "print this text and exit")
	fs.BoolVar(&f.help, "help-hidden", false, "the same, as tools of LLVM call it")
	return fs
}

func (t *optTool) run(files []string) int {
	if code := t.checkFlags(); code != exitOK {
		return code
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	files, err := programsIn(files)
	if err != nil {
		return t.fail("%v", err)
	}
	if t.flags.fix || t.flags.fixDryRun {
		return t.fixFiles(files)
	}
	if t.out, err = newOutput(t.flags.output, t.streams.out); err != nil {
		return t.fail("%v", err)
	}
	t.out.bound(t.flags.maxOutput)
	if code := t.files(files); code != exitOK {
		t.out.discard()
		return code
	}
	if err := t.out.commit(); err != nil {
		return t.fail("%v", err)
	}
	return exitOK
}

// emitKinds are what pto-opt writes.
var emitKinds = []string{"mlir", "pto-as", "llvm", "cpp"}

func (t *optTool) checkFlags() int {
	f := &t.flags
	if f.arch != "" {
		if _, ok := sem.ParseProfile(f.arch); !ok {
			return t.usage("unknown profile '%s' for --pto-arch: expected a2, a3 or a5", f.arch)
		}
	}
	if f.memoryMap != "" && !slices.Contains(memoryMapForms, f.memoryMap) {
		return t.usage("unknown form '%s' for --memory-map: expected text, json or svg", f.memoryMap)
	}
	if !slices.Contains(emitKinds, f.emit) {
		return t.usage("unknown kind of output '%s' for --emit: expected mlir, pto-as, llvm or cpp", f.emit)
	}
	if !slices.Contains(scratchKinds, f.scratch) {
		return t.usage("unknown word '%s' for --pto-scratch: expected auto, warning or error", f.scratch)
	}
	if f.level != "" && !plan.IsLevel(f.level) {
		return t.usage("unknown level '%s' for --pto-level: expected level1, level2 or level3", f.level)
	}
	if !slices.Contains(verifySyncWords, f.verifySync) {
		return t.usage("unknown word '%s' for --verify-sync: expected strict, or nothing", f.verifySync)
	}
	if f.diagnostics != "" && !slices.Contains(verifiedDiagnostics, f.diagnostics) {
		return t.usage("unknown word '%s' for --verify-diagnostics: expected all or only-expected", f.diagnostics)
	}
	if err := f.sync.check(f.passes.pipeline); err != nil {
		return t.usage("%v", err)
	}
	if wrong := t.checkFix(); wrong != "" {
		return t.usage("%s", wrong)
	}
	if f.emit == "cpp" && f.passes.pipeline == "" {
		f.inventsScratch = !f.passes.materialize()
		f.passes.steps = deviceSteps(f.passes.steps, f.level, "--emit=cpp")
		f.sync.implied = !f.asPtoas && !f.sync.refused
	}
	if f.memoryMap != "" && f.passes.pipeline == "" {
		f.passes.steps = memoryMapSteps(f.passes.steps)
	}
	f.passes.steps = f.sync.steps(f.passes.steps, f.level)
	if err := f.passes.check(); err != nil {
		return t.usage("%v", err)
	}
	if !t.checkPipeline() {
		return exitUsage
	}
	return exitOK
}

func (t *optTool) target(module *ir.Op) ir.Target {
	return pto.ChosenTarget(module, t.flags.arch)
}

// targetArch is the attribute of a module that names its profile.
const targetArch = "pto.target_arch"

// choose makes a module one for the profile of --pto-arch, because rules and passes
// ask operations for their target. A program that names no profile is still printed
// without one.
func (t *optTool) choose(module *ir.Op) {
	t.unnamed = t.flags.arch != "" && !module.HasAttr(targetArch)
	if err := kernel.SetTarget(module, t.flags.arch); err != nil {
		t.fail("%v", err)
	}
}

// scratchKinds are the ways to judge scratch tiles.
var scratchKinds = []string{"auto", "warning", "error"}

// features returns what widens the rules for a program. Scratch tiles are
// judged as the public assembler of today does, unless a level is named or the
// program assigns addresses itself: kernels for older versions do.
func (t *optTool) features(module *ir.Op) ir.Features {
	var f ir.Features
	if t.flags.softLib {
		f |= pto.SoftLib
	}
	if s := t.flags.scratch; s == "warning" || s == "auto" && (t.flags.level != "" || plan.HasAddresses(module)) {
		f |= pto.LooseScratch
	}
	return f
}

// process reads, checks, transforms and writes one program.
func (t *optTool) process(src *ir.Source, diags *ir.Diags) bool {
	f := &t.flags
	var timing *passes.Timing
	if f.passes.timing {
		timing = passes.NewTiming()
		defer func() { timing.Report(t.err, f.passes.timingDisplay == "list") }()
	}
	stop := timing.Part("Parser")
	module := kernel.Parse(src, ir.ParseOptions{AllowUnregistered: f.unregistered, Sequential: f.passes.sequential, Spare: t.spare}, diags)
	stop()
	if module == nil {
		return false
	}
	t.choose(module)
	if f.verify && !t.check(module, timing, diags) {
		return false
	}
	if f.roundTrip && !t.roundTrip(src, module, diags) {
		return false
	}
	if !f.passes.run(t, src, module, timing, diags) {
		return false
	}
	t.warnPlanned(module, diags)
	if f.verifySync != "false" && !t.verifySync(module, diags) {
		return false
	}
	defer timing.Part("Output")()
	return t.write(module, diags)
}

func (t *optTool) check(module *ir.Op, timing *passes.Timing, diags *ir.Diags) bool {
	defer timing.Part("Verifier")()
	ok := ir.Verify(module, ir.VerifyOptions{Target: t.target(module), Features: t.features(module), Sequential: t.flags.passes.sequential}, diags)
	if ok && !t.flags.wholeVec {
		plan.WarnTop(module, t.target(module), diags)
	}
	return ok && (t.flags.level == "" || plan.CheckLevel(module, t.flags.level, diags)) && t.checkObject(module, diags) && t.checkSignals(module, diags) && t.checkMoved(module, diags) && t.checkScratch(module, diags)
}

// checkScratch asks for scratch tiles where the program assigns memory, unless
// the passes that are asked for allocate them. Of those that are made up for C++
// it tells.
func (t *optTool) checkScratch(module *ir.Op, diags *ir.Diags) bool {
	if t.flags.level != "level3" && !plan.HasAddresses(module) || t.flags.passes.materialize() && !t.flags.inventsScratch {
		return true
	}
	return plan.CheckScratch(module, t.target(module), t.features(module), diags)
}

func (t *optTool) printOptions() ir.PrintOptions {
	return ir.PrintOptions{Generic: t.flags.generic, DebugInfo: t.flags.debugInfo, Users: t.flags.users, Unique: t.flags.unique, Sequential: t.flags.passes.sequential}
}

// write renders the program in the chosen spelling.
func (t *optTool) write(module *ir.Op, diags *ir.Diags) bool {
	if t.flags.memoryMap != "" {
		return t.writeMemoryMap(module)
	}
	switch t.flags.emit {
	case "pto-as":
		return ptoas.WriteAS(t.out, module, diags)
	case "cpp":
		return t.writeCpp(t.out, module, diags)
	case "llvm":
		return writeLLVM(t.out, module, t.target(module), t.features(module), diags)
	}
	if t.unnamed {
		module.SetAttr(targetArch, ir.Attr{})
	}
	if n := t.flags.elideLarger; n > 0 {
		elideLarge(module, n)
	}
	ir.Print(t.out, module, t.printOptions())
	return true
}

func (t *optTool) showDialects() int {
	fmt.Fprintln(t.streams.out, "Available dialects:")
	for _, d := range ir.Dialects() {
		fmt.Fprintf(t.streams.out, "%-10s %4d operations  %s\n", d.Name, len(d.All()), d.Doc)
	}
	return exitOK
}
