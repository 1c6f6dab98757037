// Package opt is pto-opt, which reads, checks, transforms and writes programs. The type optTool is
// the state of one run: Main parses the options (opt.go), the queue processes several programs in
// parallel (programs.go), and the method process performs the steps for one program.
//
//	pass_flags.go, device_path.go   passes as options, and the passes that an option implies
//	emit.go, memory_map.go          the formats of the output
//	ptoas*.go                       the command lines of the public assembler
//	verify_*.go, roundtrip.go, expect.go
//	                                proofs, round trips and expected diagnostics
//	fix.go, repairs.go              corrections of the input files
//	explain*.go, topics.go, codes_page.go
//	                                --explain and the pages of the documentation
//
// A mode, such as ptoasMode or fixMode, is a value with the options that only it has.
package opt

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/flags"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/internal/version"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/insertsync"
	"ptogo/lower/plan"
	"ptogo/lower/vector"
	"ptogo/passes"
)

// optTool is the state of one run of pto-opt, which reads, checks, transforms and
// writes programs.
type optTool struct {
	files.Console
	flags optFlags
	out   *files.Output
	// spare is memory that the parser reuses for the next program.
	spare *ir.Spare
	// proof is the result of --verify-sync for the last program, or nil.
	proof *syncProof
	// target is the target (chip family) of the program, or 0 for the target that each
	// function names. features are the relaxations of rules for the program.
	target   ir.Target
	features ir.Features
	// unnamed reports that the program names no target, so that --pto-arch selected it.
	unnamed bool
}

// optFlags are the options of pto-opt.
type optFlags struct {
	output    string
	emit      string
	cppLaunch bool
	// inventsScratch reports that scratch tiles are allocated because generated C++
	// needs them, although the user has not requested this pass.
	inventsScratch bool
	arch           string
	level          string
	scratch        string
	// split is the line between programs; "" means that the file is a single program.
	split       string
	outputSplit string
	// diagnostics selects which diagnostics are compared with comments; "" means none.
	diagnostics string
	roundTrip   bool
	users       bool
	// unique requests that names of values are unique in the whole program.
	unique         bool
	opOnDiagnostic bool
	elideLarger    int64
	listPasses     bool
	unregistered   bool
	generic        bool
	debugInfo      bool
	localScope     bool
	verify         bool
	softLib        bool
	strict         bool
	publicIR       string
	emitPTO        bool
	emitVPTO       bool
	showDialects   bool
	explain        string
	completion     string
	version, help  bool
	passes         passFlags
	diag           report.DiagFlags
	budget         limit.Budget
	maxOutput      limit.Bytes
	sync           syncFlags
	cpp            flags.CppFlags
	public         versionFlags
	// ptoas, fix, syncProof and memoryMap are modes.
	ptoas     ptoasMode
	fix       fixMode
	syncProof syncProofMode
	memoryMap memoryMapMode
}

// Main runs pto-opt with the given arguments and streams, and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return Command(files.NewConsole(stdin, stdout, stderr, "pto-opt"), args)
}

// Command runs pto-opt on a console and returns its exit code.
func Command(c files.Console, args []string) int { return (&optTool{Console: c}).command(args) }

// command runs the tool with command-line arguments and returns its exit code.
func (t *optTool) command(args []string) int {
	if asksForPtoas(args) {
		t.Tool = ptoasName
	}
	code := t.Done(t.Guarded(t.main, args))
	if t.Tool == ptoasName {
		code = min(code, exit.Diag) // the only one that it has
	}
	return code
}

// main parses the command line and runs the tool. Method command handles errors of
// writing to standard output.
func (t *optTool) main(args []string) int {
	fs := t.define()
	if err := fs.Parse(flags.Long(fs, args)); err != nil {
		return t.Usage("%s", flags.Error(fs, err))
	}
	if err := t.flags.diag.Check(); err != nil {
		return t.Usage("%v", err)
	}
	if t.flags.budget.Time <= 0 {
		return t.Usage("--timeout must be more than 0, such as 90s")
	}
	t.SetDiagnostics(t.flags.diag)
	t.MaxMemory = limit.MemoryOf(t.flags.budget.Memory)
	switch {
	case t.flags.help:
		fmt.Fprintf(t.Streams.Out, optHelp, flags.Usages(fs), registry.Help())
		return exit.OK
	case t.flags.version && t.flags.ptoas.on:
		return t.flags.ptoas.printVersion(t)
	case t.flags.version:
		fmt.Fprintln(t.Streams.Out, version.Text())
		return exit.OK
	case t.flags.listPasses:
		return listPasses(t.Streams.Out)
	case t.flags.showDialects:
		return showDialects(t.Streams.Out)
	case t.flags.completion != "":
		return flags.PrintCompletion(&t.Streams, t.flags.completion, fs, completionWords())
	case fs.Changed("explain"):
		return explain(&t.Streams, t.flags.explain)
	}
	t.flags.sync.refused = fs.Changed("enable-insert-sync") && !t.flags.sync.insert
	if err := t.flags.ptoas.check(t, fs); err != nil {
		return t.Usage("%v", err)
	}
	if t.flags.ptoas.on {
		t.flags.ptoas.setDefaults(t, fs)
	}
	if t.Cancelled == nil { // else it shares its process
		t.Watch(t.flags.budget)
	}
	release, err := t.Pool.Reserve(t.Pool.Whole(t.MaxMemory.Bytes), t.Cancelled)
	if err != nil {
		return t.Fail("%v", err)
	}
	defer release()
	return t.run(fs.Args())
}

// optHelp is the format string of the --help text of pto-opt.
const optHelp = `pto-opt reads PTO programs, checks them, runs passes over them and writes them.

Usage: pto-opt [options] [file ...]

pto-opt accepts MLIR syntax (Level 1, Level 2, vector instructions) and PTO-AS.
It reads standard input if no file is given or the file is "-". For a folder it
reads all .pto and .mlir files in it.

%s
Passes run in the order of the command line. Write the options of a pass after
its name, as in --pto-bufferize='reuse=true remarks=true':
%s
pto-opt also knows the other options of ptoas. It warns about those that only
change how ptoas generates code, and rejects those that request another output.

Exit code: 0 done, 1 the program is wrong, 2 the command line is wrong,
5 --verify-sync reported a hazard.
`

// define declares all options of pto-opt and returns them.
func (t *optTool) define() *pflag.FlagSet {
	f, fs := &t.flags, flags.New("pto-opt")
	fs.StringVarP(&f.output, "output", "o", "-", "write the result to `FILE`; - is standard output")
	fs.StringVar(&f.emit, "emit", "mlir", "write the program in the format `KIND`, which is mlir, pto-as, llvm or cpp. cpp is C++ for the public tile library pto-isa")
	fs.BoolVar(&f.cppLaunch, "cpp-launch", false, "with --emit=cpp, also write host functions that launch the kernels")
	fs.StringVar(&f.arch, "pto-arch", "", "check and compile for the hardware generation `PROFILE`, which is a2, a3 or a5 (default: the module's pto.target_arch, else a3)")
	fs.StringVar(&f.level, "pto-level", "", "check the rules of one build level. `LEVEL` is level1, level2 or level3. At level1 and level2 the compiler assigns addresses to tiles. At level3 the program must contain the addresses")
	fs.StringVar(&f.scratch, "pto-scratch", "auto", "report a scratch tile that is missing, too small or of a wrong type. `SEVERITY` is warning, error or auto. auto means error if the tiles have no addresses and --pto-level is not given, and warning otherwise")
	fs.BoolVar(&f.ptoas.wholeVec, "whole-vec", false, "do not print a warning about tiles in the last 8 KiB of vec memory, which some devices overwrite")
	fs.BoolVar(&f.strict, "strict", false, flags.StrictHelp+". The program is checked after the passes")
	fs.BoolVar(&f.softLib, "enable-soft-lib", false, "accept operations that the hardware has no instruction for, and that a software library computes on a device (default: reject them)")
	fs.BoolVar(&f.emitPTO, "emit-pto-ir", false, "write PTO IR in MLIR syntax, as ptoas does with this option. pto-opt does so by default, but not with --as-ptoas")
	fs.BoolVar(&f.emitVPTO, "emit-vpto", false, "assign addresses, replace tile instructions by vector instructions where possible, lower VMI instructions, and write PTO IR (a5 only)")
	flags.DefinePublicIR(fs, &f.publicIR)
	fs.BoolVar(&f.ptoas.on, asPtoas, false, "behave like the public assembler ptoas: write C++ by default and assume --pto-level=level2. An executable with the name ptoas does the same")
	fs.StringVar(&f.split, "split-input-file", "", "split the input at lines that contain `MARKER`, and process the text between such lines as separate programs")
	fs.Lookup("split-input-file").NoOptDefVal = files.DefaultMarker
	fs.StringVar(&f.outputSplit, "output-split-marker", files.DefaultMarker, "write `MARKER` between the output programs")
	fs.StringVar(&f.diagnostics, "verify-diagnostics", "", "compare the diagnostics with comments in the program, such as expected-error, and report each difference as an error. `MODE` is all or only-expected. only-expected accepts diagnostics that no comment expects")
	fs.Lookup("verify-diagnostics").NoOptDefVal = verifiedDiagnostics[0]
	fs.BoolVar(&f.roundTrip, "verify-roundtrip", false, "write the program, read it again and check that it did not change. The check covers the custom and the generic syntax of MLIR")
	fs.BoolVar(&f.fix.on, "fix", false, "change the input files by the edits that notes of error messages suggest, and report the errors that remain")
	fs.BoolVar(&f.fix.dryRun, "fix-dry-run", false, "like --fix, but print the edits as a diff and do not change the files")
	fs.StringVar(&f.syncProof.word, "verify-sync", "false", "after the passes, prove without running the program that flags, barriers and buffers order all memory accesses. Each function is reported as proved, as having a hazard, or as not checked, with the reasons. The exit code is 5 if a function has a hazard. `MODE` is true, strict, certificate or false. With strict, the exit code is also 5 if a function is not checked. With certificate, the output has the arguments of each proof: why pairs of accesses are in order or apart")
	fs.Lookup("verify-sync").NoOptDefVal = verifySyncWords[0]
	fs.BoolVar(&f.unregistered, "allow-unregistered-dialect", false, "accept operations of unknown dialects, written in MLIR's generic syntax")
	fs.BoolVar(&f.generic, "mlir-print-op-generic", false, "write every operation in MLIR's generic syntax")
	fs.BoolVar(&f.debugInfo, "mlir-print-debuginfo", false, "write the source location of each operation into the output")
	fs.BoolVar(&f.users, "mlir-print-value-users", false, "at each operation, write a comment that lists the users of its results")
	fs.BoolVar(&f.unique, "mlir-print-unique-ssa-ids", false, "write value names that are unique in the complete program, not only in a function")
	fs.BoolVar(&f.opOnDiagnostic, "mlir-print-op-on-diagnostic", false, "print the operation in MLIR's generic syntax after each error of the verifier or of a pass")
	fs.Int64Var(&f.elideLarger, "mlir-elide-elementsattrs-if-larger", 0, "replace dense attributes with more than `N` elements by dense_resource<__elided__>; 0, the default, writes all elements")
	fs.Int64("mlir-elide-resource-strings-if-larger", 0, "omit resources whose text is longer than `N`. This has no effect: pto-opt never writes resources")
	fs.BoolVar(&f.localScope, "mlir-print-local-scope", false, "write types and attributes without aliases. This has no effect: pto-opt never writes aliases")
	fs.BoolVar(&f.verify, "verify", true, "verify the program after reading it; --verify=false omits this verification")
	f.passes.define(fs)
	f.sync.define(fs)
	definePtoas(fs)
	fs.BoolVar(&f.listPasses, "list-passes", false, "print the names and descriptions of all passes and exit")
	fs.BoolVar(&f.showDialects, "show-dialects", false, "print the names of all dialects and exit")
	f.diag.Define(fs)
	f.budget.DefineMemory(fs)
	f.cpp.Define(fs)
	f.public.define(fs)
	f.maxOutput = limit.DefaultMaxMemory
	fs.Var(&f.maxOutput, "max-output", "stop with an error if the output is larger than `SIZE`, such as 64MiB")
	fs.DurationVar(&f.budget.Time, "timeout", limit.DefaultTimeout, "stop with an error after `TIME`, such as 90s or 5m")
	fs.StringVar(&f.memoryMap.form, "memory-map", "", "instead of the program, write the address and the live range of each tile in local memory. `FORMAT` is text (the default), json, svg or html. html also shows the program. Tiles without addresses receive addresses first, as by --pto-plan-memory")
	fs.Lookup("memory-map").NoOptDefVal = "text"
	fs.StringVar(&f.explain, "explain", "", "print the reference page of `NAME`: an instruction such as pto.tdivs, a type such as tile_buf, or a diagnostic code such as PTO1004. A subject such as transpose, or a category such as cube, prints a list of instructions. list prints all instructions")
	fs.StringVar(&f.completion, "completion", "", "print a completion script for `SHELL`, which is bash, zsh or fish, and exit. man prints a manual page instead")
	fs.BoolVar(&f.version, "version", false, "print the version and exit")
	fs.BoolVarP(&f.help, "help", "h", false, "print this text and exit")
	fs.BoolVar(&f.help, "help-hidden", false, "the same as --help, for compatibility with LLVM tools")
	return fs
}

// run processes the input files, or standard input if there are none, and returns the
// exit code.
func (t *optTool) run(paths []string) int {
	if code := t.checkFlags(); code != exit.OK {
		return code
	}
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	t.Cpp = func(src *ir.Source) { t.flags.cpp.ReadCpp(src, t.flags.arch, "") }
	paths, err := programsIn(paths)
	if err != nil {
		return t.Fail("%v", err)
	}
	if t.flags.memoryMap.form == "html" && (len(paths) > 1 || t.flags.split != "") {
		return t.Usage("--memory-map=html requires exactly one input file, without --split-input-file")
	}
	if t.flags.fix.used() {
		return t.flags.fix.files(t, paths)
	}
	f := &t.flags.passes
	if err := files.Apart("", []files.NamedOutput{{Name: "--output", Path: t.flags.output}, {Name: "--log-actions-to", Path: f.logActionsTo}, {Name: "--mlir-pass-pipeline-crash-reproducer", Path: f.reproducer}}); err != nil {
		return t.Fail("%v", err)
	}
	if t.out, err = files.NewOutput(t.flags.output, t.Streams.Out); err != nil {
		return t.Fail("%v", err)
	}
	t.out.Bound(t.flags.maxOutput)
	if code := t.files(paths); code != exit.OK {
		t.out.Discard()
		return code
	}
	if err := t.out.Commit(); err != nil {
		return t.Fail("%v", err)
	}
	return exit.OK
}

// checkFlags checks the values and combinations of the options. It reports the first
// error and returns the exit code for wrong usage. Without an error, it returns exit.OK.
func (t *optTool) checkFlags() int {
	f := &t.flags
	if f.arch != "" {
		if _, ok := sem.ParseProfile(f.arch); !ok {
			return t.Usage("unknown profile '%s' for --pto-arch: expected a2, a3 or a5", f.arch)
		}
	}
	if f.memoryMap.form != "" && !slices.Contains(memoryMapForms, f.memoryMap.form) {
		return t.Usage("unknown format '%s' for --memory-map: expected text, json, svg or html", f.memoryMap.form)
	}
	if !slices.Contains(emitKinds, f.emit) {
		return t.Usage("unknown kind of output '%s' for --emit: expected mlir, pto-as, llvm or cpp", f.emit)
	}
	if !slices.Contains(scratchKinds, f.scratch) {
		return t.Usage("unknown value '%s' for --pto-scratch: expected auto, warning or error", f.scratch)
	}
	if f.level != "" && !plan.IsLevel(f.level) {
		return t.Usage("unknown level '%s' for --pto-level: expected level1, level2 or level3", f.level)
	}
	if !slices.Contains(verifySyncWords, f.syncProof.word) {
		return t.Usage("unknown value '%s' for --verify-sync: expected strict, certificate, true or false", f.syncProof.word)
	}
	if f.diagnostics != "" && !slices.Contains(verifiedDiagnostics, f.diagnostics) {
		return t.Usage("unknown value '%s' for --verify-diagnostics: expected all or only-expected", f.diagnostics)
	}
	if err := f.sync.check(f.passes.pipeline); err != nil {
		return t.Usage("%v", err)
	}
	if err := f.public.check(f.passes.pipeline); err != nil {
		return t.Usage("%v", err)
	}
	if wrong := t.flags.fix.check(t); wrong != "" {
		return t.Usage("%s", wrong)
	}
	if f.emit == "cpp" && f.passes.pipeline == "" {
		f.inventsScratch = !f.passes.materialize()
		f.passes.steps = deviceSteps(f.passes.steps, f.level, "--emit=cpp")
		if !hasStep(f.passes.steps, passes.A5NormalizeTMov) {
			f.passes.steps = insertStep(f.passes.steps, []*passes.Pass{insertsync.Pass}, passStep{pass: passes.A5NormalizeTMov, asked: "--emit=cpp"})
		}
		f.sync.implied = !f.ptoas.on && !f.sync.refused
	}
	if f.emitVPTO && f.emit != "mlir" {
		return t.Usage("--emit-vpto writes PTO IR, but --emit=%s asks for another output", f.emit)
	}
	if f.emitVPTO && f.passes.pipeline == "" {
		f.passes.steps = vectorSteps(f.passes.steps, f.level)
		if f.ptoas.on && f.ptoas.postUpdate {
			f.passes.steps = append(f.passes.steps, passStep{pass: vector.PostUpdate}, passStep{pass: passes.CSE})
		}
	}
	if f.memoryMap.form != "" && f.passes.pipeline == "" {
		f.passes.steps = memoryMapSteps(f.passes.steps)
	}
	f.passes.steps = f.public.steps(f.sync.steps(f.passes.steps, f.level), f.level)
	if err := f.passes.check(); err != nil {
		return t.Usage("%v", err)
	}
	if !t.checkPipeline() {
		return exit.Usage
	}
	return exit.OK
}

// targetArch is the attribute with which a module names its target (chip family).
const targetArch = "pto.target_arch"

// choose writes the target of the option --pto-arch into the module, because verifier
// rules and passes read the target there. It also records whether the program itself
// names a target. If the program names none and no pass runs, the printed program names
// none either.
func (t *optTool) choose(module *ir.Op) {
	t.target = pto.ChosenTarget(module, t.flags.arch)
	t.unnamed = t.flags.arch != "" && !module.HasAttr(targetArch)
	if err := kernel.SetTarget(module, t.flags.arch); err != nil {
		t.Fail("%v", err)
	}
}

// scratchKinds are the values of the option that selects how violations of rules about
// scratch tiles are reported.
var scratchKinds = []string{"auto", "warning", "error"}

// featuresOf returns the features (relaxations of rules) for a program. By default,
// violations of rules about scratch tiles are errors, as in the current public assembler.
// In two cases they are warnings: if the command line selects a build level, or if the
// program assigns addresses. Both cases are typical of kernels for older versions of the
// assembler.
func (t *optTool) featuresOf(module *ir.Op) ir.Features {
	var f ir.Features
	if t.flags.softLib {
		f |= pto.SoftLib
	}
	if s := t.flags.scratch; s == "warning" || s == "auto" && (t.flags.level != "" || plan.HasAddresses(module)) {
		f |= pto.LooseScratch
	}
	return f
}

// process reads, checks, transforms and writes one program. It returns false if there
// was an error.
func (t *optTool) process(src *ir.Source, diags *ir.Diags) bool {
	if t.transform(src, diags) {
		return true
	}
	t.suggestRepairs(src, diags)
	return false
}

// transform is process without suggestions of repairs.
func (t *optTool) transform(src *ir.Source, diags *ir.Diags) bool {
	f := &t.flags
	var timing *passes.Timing
	if f.passes.timing {
		timing = passes.NewTiming()
		defer func() { timing.Report(t.Err, f.passes.timingDisplay == "list") }()
	}
	stop := timing.Part("Parser")
	module := kernel.ParsePublic(src, f.publicIR, ir.ParseOptions{AllowUnregistered: f.unregistered, Sequential: f.passes.sequential, Spare: t.spare}, diags)
	stop()
	if module == nil {
		return false
	}
	t.choose(module)
	if !f.public.read(module, diags) {
		return false
	}
	t.features = t.featuresOf(module)
	if f.verify && !t.check(module, timing, diags) {
		return false
	}
	if f.roundTrip && !roundTrip(t, src, module, diags) {
		return false
	}
	if !f.passes.run(t, src, module, timing, diags) {
		return false
	}
	if f.strict && !t.checkStrict(module, diags) {
		return false
	}
	t.flags.ptoas.warnPlanned(t, module, diags)
	if f.syncProof.word != "false" && !f.syncProof.verify(t, module, diags) {
		return false
	}
	defer timing.Part("Output")()
	return t.write(module, diags)
}

// check verifies a module and reports errors to diags. It returns false if there was
// one.
func (t *optTool) check(module *ir.Op, timing *passes.Timing, diags *ir.Diags) bool {
	defer timing.Part("Verifier")()
	ok := ir.Verify(module, ir.VerifyOptions{Target: t.target, Features: t.features, Sequential: t.flags.passes.sequential}, diags)
	if ok && !t.flags.ptoas.wholeVec {
		plan.WarnTop(module, t.target, diags)
	}
	return ok && (t.flags.level == "" || plan.CheckLevel(module, t.flags.level, diags)) && t.flags.ptoas.checkObject(t, module, diags) && t.flags.ptoas.checkSignals(t, module, diags) && t.flags.ptoas.checkMoved(t, module, diags) && t.checkScratch(module, diags)
}

// checkStrict verifies a module after the passes once more, with warnings about what devices
// reject as errors: a pass may have mended what the first verification warned about.
func (t *optTool) checkStrict(module *ir.Op, diags *ir.Diags) bool {
	features := t.features&^pto.LooseScratch | pto.Strict
	return ir.Verify(module, ir.VerifyOptions{Target: t.target, Features: features, Sequential: t.flags.passes.sequential}, diags)
}

// checkScratch reports missing scratch tiles (tiles for intermediate values) and returns
// false if one of them is an error. It only checks a program that assigns its own
// addresses, because the compiler cannot add a tile to such a program. The check is also
// omitted if the user has requested the pass that creates scratch tiles, but not if this
// pass runs only because --emit=cpp needs it.
func (t *optTool) checkScratch(module *ir.Op, diags *ir.Diags) bool {
	if t.flags.level != "level3" && !plan.HasAddresses(module) || t.flags.passes.materialize() && !t.flags.inventsScratch {
		return true
	}
	return plan.CheckScratch(module, t.target, t.features, diags)
}

// showDialects lists the dialects with their number of operations, and returns the exit
// code.
func showDialects(w io.Writer) int {
	fmt.Fprintln(w, "Available dialects:")
	for _, d := range ir.Dialects() {
		fmt.Fprintf(w, "%-10s %4d operations  %s\n", d.Name, len(d.All()), d.Doc)
	}
	return exit.OK
}

// completionWords returns the words with which shells complete options of pto-opt, by
// option.
func completionWords() map[string][]string {
	passes := passNames()
	return map[string][]string{
		"pto-level": plan.Levels, "emit": emitKinds, "memory-map": memoryMapForms, "explain": shortNames(instructionNames()),
		"verify-diagnostics": verifiedDiagnostics, "mlir-print-ir-before": passes, "mlir-print-ir-after": passes,
		"mlir-timing-display": timingDisplays, "mlir-pass-statistics-display": statisticsDisplays,
	}
}

// shortNames returns a list for completion: all names without the prefix "pto.", followed
// by all names with it.
func shortNames(names []string) (list []string) {
	for _, n := range names {
		list = append(list, strings.TrimPrefix(n, "pto."))
	}
	return append(list, names...)
}

// listPasses implements --list-passes: it prints all passes with their descriptions.
func listPasses(out io.Writer) int {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, p := range registry.Passes() {
		fmt.Fprintf(w, "%s\t%s\n", p.Name, p.Doc)
	}
	w.Flush()
	return exit.OK
}

// checkPipeline parses --pass-pipeline before any file is read, and reports errors. It
// returns false if there was one.
func (t *optTool) checkPipeline() bool {
	var diags ir.Diags
	if text := t.flags.passes.pipeline; text != "" && passes.ParsePipeline(registry, text, &diags) == nil {
		t.Report(&diags)
		return false
	}
	return true
}
