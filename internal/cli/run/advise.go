// This file implements pto-run --advise.

package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"ptogo/internal/advise"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/internal/data"
	"ptogo/internal/tune"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// adviseFlags are the options of pto-run that search for a faster program.
type adviseFlags struct {
	on bool
	// output is the file for the faster program, and json the file for the report.
	output, json string
	// tries is the maximum number of variants to predict.
	tries int
}

// define declares in fs the command-line options that search for a faster program.
func (f *adviseFlags) define(fs *pflag.FlagSet) {
	fs.BoolVar(&f.on, "advise", false, "try passes and other numbers of blocks that may make the kernel faster. Keep the steps that reduce the predicted time and that verification confirms, and print a table of the steps (docs/advise.md). --timeout limits the whole search")
	fs.StringVarP(&f.output, "output", "o", "", "with --advise, write the fastest program to `FILE`; - is standard output")
	fs.StringVar(&f.json, "advise-json", "", "write the result of --advise to `FILE`, as JSON")
	fs.IntVar(&f.tries, "advise-tries", advise.DefaultTries, "let --advise predict at most `N` variants")
}

// check returns an error if the options of the search contradict each other or other
// options.
func (f *adviseFlags) check(fs *pflag.FlagSet, t *runFlags) error {
	if !f.on {
		if f.output != "" || f.json != "" || fs.Changed("advise-tries") {
			return errors.New("--output, --advise-json and --advise-tries need --advise")
		}
		return nil
	}
	other := t.observe.option()
	switch {
	case f.tries < 1:
		return errors.New("--advise-tries must be at least 1")
	case f.output == "-" && f.json == "-":
		return errors.New("--output and --advise-json cannot both be standard output")
	case t.tune.file != "" && (f.output == "-" || f.json == "-"):
		return errors.New("with --tune, --output and --advise-json must name files, because the report of --tune is written to standard output")
	case t.engine != engineGo:
		return errors.New("--advise needs --engine=go")
	case t.ranks > 1:
		return errors.New("--advise needs a launch on one rank")
	case len(t.check.kinds) > 0:
		other = "--check"
	case len(t.expect) > 0:
		other = "--expect"
	case t.numerics.used():
		other = "--numerics"
	case t.trace != "":
		other = "--trace"
	case t.report != "":
		other = "--report"
	case t.schedule != "":
		other = "--schedule"
	case t.equivalent.path != "":
		other = "--equivalent"
	case t.print:
		other = "--print"
	}
	for _, name := range []string{"timing-json", "timing-csv", "timing-compare", "what-if", "skip-arithmetic", "batch", "graph", "serve", "dap", "list-kernels"} {
		if fs.Changed(name) {
			other = "--" + name
		}
	}
	if other != "" {
		return fmt.Errorf("--advise and %s cannot be used together: use two commands", other)
	}
	return nil
}

// advise implements pto-run --advise for the program in a file. It returns the exit code.
func (t *runTool) advise(path string) int {
	if _, code := t.checkFlags(); code != exit.OK {
		return code
	}
	t.path = path
	loaded := t.watchAlone()
	src, err := t.ReadSource(path)
	if err != nil {
		return t.Fail("%v", err)
	}
	return t.adviseSource(src, loaded)
}

// adviseTuned improves the best candidate of a search for parameters, whose description is
// in the given folder. It returns the exit code.
func (t *runTool) adviseTuned(r *tune.Result, folder string) int {
	if len(r.Best) == 0 {
		return exit.OK
	}
	l, err := r.Space.Launch(r.Best[0])
	if err != nil {
		return t.Fail("%v", err)
	}
	f := &t.flags
	f.kernel, f.arch, f.timing.chip, f.blocks = l.Kernel, r.Space.Arch, r.Space.Chip, l.Blocks
	f.args = l.Args
	t.given = nil
	for _, spec := range l.Args {
		t.given = append(t.given, folderArg{spec, folder})
	}
	if _, code := t.checkFlags(); code != exit.OK {
		return code
	}
	fmt.Fprintln(t.Out)
	return t.adviseSource(l.Source, func() {})
}

// folderArg is an argument in the syntax of --arg whose files are in a folder.
type folderArg struct{ spec, folder string }

func (a folderArg) Make(p kernel.Param, at data.Place) (*data.Arg, error) {
	read := at.Read
	at.Read = func(path string) ([]byte, error) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(a.folder, path)
		}
		return read(path)
	}
	return data.Parse(a.spec, p, at)
}

func (a folderArg) End() error { return nil }

// adviseSource improves the program src. It calls the function loaded when it has read the
// program, and returns the exit code.
func (t *runTool) adviseSource(src *ir.Source, loaded func()) int {
	options := t.flags.loading()
	prog, err := kernel.Load(src, options)
	if err != nil {
		return t.Failed(err)
	}
	loaded()
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
	if err := files.Apart(t.path, []files.NamedOutput{{Name: "--output", Path: t.flags.advise.output}, {Name: "--advise-json", Path: t.flags.advise.json}}); err != nil {
		return t.Fail("%v", err)
	}
	stop := limit.NewStopper(t.flags.timeout, t.Cancelled)
	defer stop.End()
	lab, err := advise.NewLab(t.adviseLaunch(src, options, prog, args, stop.Why))
	if err != nil {
		return t.Failed(err)
	}
	return t.adviseWith(lab, src.Name, stop)
}

// adviseLaunch describes the launch of the command line for the search. The function stop
// returns a reason to end the search, or "".
func (t *runTool) adviseLaunch(src *ir.Source, options kernel.Options, prog *kernel.Program, args []*data.Arg, stop func() string) advise.Launch {
	l := advise.Launch{
		Source: src, Options: options, Chip: t.flags.timing.chip, Warm: t.flags.timing.warm, Memory: int64(t.MaxMemory.Bytes),
		Run: runtime.Options{
			Blocks: t.flags.blocks, MaxSteps: t.flags.maxSteps, MaxMemory: int64(t.MaxMemory.Bytes), Stop: stop,
			FlushDenormals: t.flags.flush, ScratchFill: t.flags.fill, MaxOutput: int64(t.flags.maxOutput),
		},
		MostExpressions: int(int64(t.MaxMemory.Bytes) / 32),
	}
	l.Take(prog, args)
	return l
}

// adviseWith runs the search for the program in the given file, prints its result, and
// returns the exit code.
func (t *runTool) adviseWith(lab *advise.Lab, file string, stop *limit.Stopper) int {
	f := &t.flags.advise
	line := report.NewLine(t.Err, time.Now())
	base, before, proof, err := lab.Base()
	if err != nil {
		return t.adviseFailed(err, stop)
	}
	r, err := advise.Search(lab, base, before, proof, lab.Steps(), advise.Options{Tries: f.tries, Gain: advise.DefaultGain, Tried: func(n int) { line.Show("[advise: %s]", ir.Count(n, "variant")) }})
	line.Clear()
	if err != nil {
		return t.adviseFailed(err, stop)
	}
	h := advise.Heading{Kernel: "@" + ir.Visible(lab.Name()), File: file, Chip: lab.Chip()}
	h.Commands = t.adviseCommands(r.Best)
	if f.output != "-" && f.json != "-" {
		r.Text(t.Out, h)
	} else {
		r.Text(t.Err, h)
	}
	if f.json != "" {
		text, err := r.JSON(h)
		if err == nil {
			err = files.WriteFile(f.json, append(text, '\n'), t.Out)
		}
		if err != nil {
			return t.Fail("%v", err)
		}
	}
	if f.output == "" {
		return exit.OK
	}
	if err := files.WriteFile(f.output, []byte(r.Best.Text), t.Out); err != nil {
		return t.Fail("%v", err)
	}
	return exit.OK
}

// adviseFailed reports why a program cannot be improved, and returns the exit code.
func (t *runTool) adviseFailed(err error, stop *limit.Stopper) int {
	if why := stop.Why(); why != "" && errors.Is(err, advise.ErrStopped) {
		return t.Fail("--advise: the program before all steps %s", why)
	}
	if u, ok := errors.AsType[*advise.Unsound](err); ok {
		for _, r := range u.Reports {
			if r.Severity == ir.Error {
				t.TellFinding(report.Finding{Diag: r.Diag(), Report: r})
			}
		}
		t.Fail("--advise makes correct kernels faster, but this kernel has errors that --check=all reports: correct them first")
		return exit.Check
	}
	if f, ok := errors.AsType[*runtime.Fault](err); ok {
		return t.fault(f)
	}
	return t.Failed(err)
}

// adviseCommands returns the command lines that create the program b and predict its time.
func (t *runTool) adviseCommands(b *advise.Built) []string {
	program, arch := t.path, ""
	var commands []string
	written := t.flags.advise.output
	if written == "" || written == "-" {
		written = "better.pto"
	}
	if t.flags.arch != "" {
		arch = " --pto-arch=" + t.flags.arch
	}
	if p := b.Pipeline(); t.path == "" { // the program comes from a template
		program = written
		commands = append(commands, "pto-run --tune "+quoted(t.flags.tune.file)+" --advise -o "+quoted(program))
	} else if p != "" {
		program = written
		commands = append(commands, "pto-opt "+quoted(t.path)+arch+" --pass-pipeline="+quoted(p)+" -o "+quoted(program))
	}
	run := "pto-run " + quoted(program) + arch
	if t.flags.kernel != "" || strings.Contains(b.Kernel, ",") {
		run += " --kernel " + quoted(b.Kernel)
	}
	if b.Blocks > 1 {
		run += fmt.Sprintf(" --blocks %d", b.Blocks)
	}
	for _, a := range slices.Concat(t.flags.args, b.Extra) {
		run += " --arg " + quoted(a)
	}
	if c := t.flags.timing.chip; c != "" {
		run += " --chip=" + quoted(c)
	}
	return append(commands, run+" --timing")
}

// quoted returns a word of a shell command, in quotes if it has characters that a shell
// may change.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' || strings.ContainsRune("-_./,=:+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
