// This file lists the modes of pto-run.

package run

import (
	"slices"
	"strings"

	"ptogo/runtime/check"
)

// mode is what pto-run does on a command line.
type mode interface {
	// used reports whether the command line selects the mode.
	used() bool
	// start does what the mode is for, and returns the exit code.
	start(h *host) int
}

// observing are the options that observe single instructions of a run.
var observing = []string{"--dump", "--step", "--print-where", "--stats", "--stats-json", "--diff", "--diff-ref"}

// modeRow is a row of the table of modes.
type modeRow struct {
	// option selects the mode.
	option string
	// start returns the mode if it is a command.
	start func(f *runFlags) mode
	// own are the options that only this mode has, if a case of a batch or a request must
	// not set them. If each is true, they apply to all cases of a batch.
	own  string
	each bool
	// excludes are the options that cannot be combined with the mode, in the order in which
	// they are reported. A name that ends in = is excluded even if its value is the default.
	// With --engine=llvm, an excluded option lets the Go engine execute the kernel.
	excludes []string
}

// modes lists the modes. The first command that the command line selects starts; the last one
// is a plain launch. A mode without the function start belongs to a launch.
var modes = []modeRow{
	{option: "--help", start: func(f *runFlags) mode { return &f.help }, own: "help"},
	{option: "--version", start: func(f *runFlags) mode { return &f.version }, own: "version"},
	{option: "--completion", start: func(f *runFlags) mode { return &f.completion }, own: "completion"},
	{option: "--dap", start: func(f *runFlags) mode { return &f.dap }, own: "dap"},
	{option: "--batch", start: func(f *runFlags) mode { return &f.batch }, own: "batch shard results jobs", each: true,
		excludes: []string{"FILE", "--arg=", "--expect="}},
	{option: "--tune", start: func(f *runFlags) mode { return &f.tune }, own: "tune tune-json tune-plot", each: true,
		excludes: []string{"FILE", "--arg=", "--expect=", "--batch="}},
	{option: "--graph", start: func(f *runFlags) mode { return &f.graph }, own: "graph",
		excludes: slices.Concat([]string{"--arg", "--kernel", "--blocks", "--ranks", "--schedule", "--trace without --timing", "--check=redundant"},
			observing, []string{"--timing-csv", "--timing-compare"})},
	{option: "--serve", start: func(f *runFlags) mode { return &f.serve }, own: "serve"}, // excludes all other options
	{option: "--list-kernels", start: func(f *runFlags) mode { return &f.list }},
	{option: "--advise", start: func(f *runFlags) mode { return &f.advise }, own: "advise advise-json advise-tries output", each: true,
		excludes: slices.Concat([]string{"--list-kernels=", "--dap=", "--serve=", "--graph=", "--batch=", "--skip-arithmetic=", "--what-if=", "--timing-compare=", "--timing-csv=", "--timing-json=",
			"--check", "--expect", "--numerics", "--trace", "--report", "--schedule", "--equivalent", "--print"}, observing)},
	{option: "--fix", start: func(f *runFlags) mode { return &f.fix }, own: "fix fix-dry-run",
		excludes: slices.Concat([]string{"--engine=llvm", "--schedule", "--timing"}, observing)},
	// The modes of a launch. Those without excludes can be combined.
	{option: "--equivalent"},
	{option: "--numerics", excludes: slices.Concat([]string{"--check", "--timing", "--trace", "--report", "--schedule", "--equivalent"}, observing)},
	{option: "--timing", excludes: []string{"--engine=llvm"}},
	{option: "--report", excludes: []string{"--engine=llvm", "--step"}},
	{option: "--check"},
	{option: "--step"}, // in place of --check
	{option: "--dump"},
	{option: "--diff"},
	{option: "--print-where"},
	{option: "--stats"},
	{option: "--trace"},
	{option: "--schedule"},
	{option: "--expect"},
	{option: "--engine=llvm", excludes: slices.Concat([]string{"--check"}, observing, []string{"--trace", "--flush-denormals", "--scratch-fill"})},
	{option: "FILE", start: func(f *runFlags) mode { return launchMode{} }, own: "arg"},
}

// uses has, for options that modes exclude, whether the command line uses them.
var uses = map[string]func(f *runFlags) bool{
	"FILE":                     func(f *runFlags) bool { return f.set.NArg() > 0 },
	"--arg":                    func(f *runFlags) bool { return len(f.args) > 0 },
	"--blocks":                 func(f *runFlags) bool { return f.blocks != 1 },
	"--check":                  func(f *runFlags) bool { return f.check.used() },
	"--check=redundant":        func(f *runFlags) bool { return slices.Contains(f.check.kinds, string(check.Redundant)) },
	"--diff":                   func(f *runFlags) bool { return f.diff.other != "" },
	"--diff-ref":               func(f *runFlags) bool { return len(f.diff.refs) > 0 },
	"--dump":                   func(f *runFlags) bool { return len(f.dump.specs) > 0 },
	"--engine=llvm":            func(f *runFlags) bool { return f.engine.name != engineGo },
	"--equivalent":             func(f *runFlags) bool { return f.equivalent.used() },
	"--expect":                 func(f *runFlags) bool { return len(f.expect.specs) > 0 },
	"--flush-denormals":        func(f *runFlags) bool { return f.flush },
	"--kernel":                 func(f *runFlags) bool { return f.kernel != "" },
	"--numerics":               func(f *runFlags) bool { return f.numerics.used() },
	"--print":                  func(f *runFlags) bool { return f.print },
	"--print-where":            func(f *runFlags) bool { return f.where.on },
	"--ranks":                  func(f *runFlags) bool { return f.ranks != 1 },
	"--report":                 func(f *runFlags) bool { return f.report.file != "" },
	"--schedule":               func(f *runFlags) bool { return f.schedule.text != "" },
	"--scratch-fill":           func(f *runFlags) bool { return f.fill != 0 },
	"--stats":                  func(f *runFlags) bool { return f.stats.tables },
	"--stats-json":             func(f *runFlags) bool { return f.stats.file != "" },
	"--step":                   func(f *runFlags) bool { return f.step.used() },
	"--timing":                 func(f *runFlags) bool { return f.timing.used() },
	"--timing-compare":         func(f *runFlags) bool { return f.timing.compare != "" },
	"--timing-csv":             func(f *runFlags) bool { return f.timing.csv != "" },
	"--timing-json":            func(f *runFlags) bool { return f.timing.json != "" },
	"--trace":                  func(f *runFlags) bool { return f.trace.file != "" },
	"--trace without --timing": func(f *runFlags) bool { return f.trace.file != "" && !f.timing.on },
	"--what-if":                func(f *runFlags) bool { return len(f.timing.whatIf) > 0 },
}

// first returns the first of the options that the command line uses, or "".
func (f *runFlags) first(options []string) string {
	for _, o := range options {
		if name, given := strings.CutSuffix(o, "="); given && f.set.Changed(strings.TrimPrefix(name, "--")) {
			return name
		} else if !given && uses[o](f) {
			return o
		}
	}
	return ""
}

// beside returns the first option of the command line that the mode excludes, or "". The
// parameter option selects the mode.
func (f *runFlags) beside(option string) string {
	i := slices.IndexFunc(modes, func(m modeRow) bool { return m.option == option })
	return f.first(modes[i].excludes)
}

// start returns the command that the options select.
func (f *runFlags) start() mode {
	for _, m := range modes {
		if m.start != nil && m.start(f).used() {
			return m.start(f)
		}
	}
	return launchMode{}
}

// ofProgram are the options for reading a program. They apply to all cases of a batch, and a
// request to launch must not set them, because its program is loaded already.
const ofProgram = "kernel pto-arch enable-soft-lib strict read-ptoas-ir"

// ofDiagnostics are the options for the messages of the process.
const ofDiagnostics = "diagnostics color"

// notForRuns are options that a case of a batch or a request to launch must not set: those of
// other modes, of the program and of the process.
var notForRuns = optionSet(func(m modeRow) bool { return true }, ofProgram, ofDiagnostics)

// notForCases are options of the command line that apply to the whole batch.
var notForCases = optionSet(func(m modeRow) bool { return m.each }, ofProgram, ofDiagnostics, "max-errors")

// optionSet returns the own options of the selected modes, and more options.
func optionSet(selected func(m modeRow) bool, more ...string) map[string]bool {
	set := map[string]bool{}
	for _, m := range modes {
		if selected(m) {
			more = append(more, m.own)
		}
	}
	for name := range strings.FieldsSeq(strings.Join(more, " ")) {
		set[name] = true
	}
	return set
}
