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

// adviseMode searches for a faster program (--advise).
type adviseMode struct {
	on bool
	// output is the file for the faster program, and json the file for the report.
	output, json string
	// tries is the maximum number of variants to predict.
	tries int
	// modulo are the names of the differences between results that steps may cause.
	modulo []string
	// fixedBlocks allows steps after which the program needs at least as many blocks.
	fixedBlocks bool
}

// define declares in fs the command-line options that search for a faster program.
func (f *adviseMode) define(fs *pflag.FlagSet) {
	fs.BoolVar(&f.on, "advise", false, "try passes and other numbers of blocks that may make the kernel faster. Keep the steps that reduce the predicted time and that verification confirms, and print a table of the steps (docs/advise.md). --timeout limits the whole search")
	fs.StringVarP(&f.output, "output", "o", "", "with --advise, write the fastest program to `FILE`; - is standard output")
	fs.StringVar(&f.json, "advise-json", "", "write the result of --advise to `FILE`, as JSON")
	fs.StringSliceVar(&f.modulo, "advise-modulo", nil, "let --advise keep steps that cause the differences `NAMES` between results. The only name is reassociation: sums may add their terms in another order")
	fs.BoolVar(&f.fixedBlocks, "advise-fixed-blocks", false, "let --advise keep steps after which the kernel needs at least as many blocks as the launch has")
	fs.IntVar(&f.tries, "advise-tries", advise.DefaultTries, "let --advise predict at most `N` variants")
}

func (f *adviseMode) used() bool { return f.on }

// start improves the program of the command line, and returns the exit code.
func (f *adviseMode) start(h *host) int {
	return h.withProgram(func(path string) int {
		if code := h.check(); code != exit.OK {
			return code
		}
		loaded := h.watchAlone()
		src, err := h.ReadSource(path)
		if err != nil {
			return h.Fail("%v", err)
		}
		return f.improve(&launch{host: h, path: path, src: src}, loaded)
	})
}

// check returns an error if the options of the search contradict each other or other
// options.
func (f *adviseMode) check(all *runFlags) error {
	if !f.on {
		if f.output != "" || f.json != "" || all.set.Changed("advise-tries") || len(f.modulo) > 0 || f.fixedBlocks {
			return errors.New("--output, --advise-json, --advise-tries, --advise-modulo and --advise-fixed-blocks need --advise")
		}
		return nil
	}
	switch {
	case slices.ContainsFunc(f.modulo, func(name string) bool { return name != "reassociation" }):
		return fmt.Errorf("unknown value '%s' for --advise-modulo: expected reassociation", strings.Join(f.modulo, ","))
	case f.tries < 1:
		return errors.New("--advise-tries must be at least 1")
	case f.output == "-" && f.json == "-":
		return errors.New("--output and --advise-json cannot both be standard output")
	case all.tune.used() && (f.output == "-" || f.json == "-"):
		return errors.New("with --tune, --output and --advise-json must name files, because the report of --tune is written to standard output")
	case all.engine.name != engineGo:
		return errors.New("--advise needs --engine=go")
	case all.ranks > 1:
		return errors.New("--advise needs a launch on one rank")
	}
	if other := all.beside("--advise"); other != "" {
		return fmt.Errorf("--advise and %s cannot be used together: use two commands", other)
	}
	return nil
}

// tuned improves the best candidate of a search for parameters, whose description is
// in the given folder. It returns the exit code.
func (f *adviseMode) tuned(h *host, r *tune.Result, folder string) int {
	if len(r.Best) == 0 {
		return exit.OK
	}
	l, err := r.Space.Launch(r.Best[0])
	if err != nil {
		return h.Fail("%v", err)
	}
	all := &h.flags
	all.kernel, all.arch, all.timing.chip, all.blocks, all.args = l.Kernel, r.Space.Arch, r.Space.Chip, l.Blocks, l.Args
	h.given = nil
	for _, spec := range l.Args {
		h.given = append(h.given, folderArg{spec, folder})
	}
	if code := h.check(); code != exit.OK {
		return code
	}
	fmt.Fprintln(h.Out)
	return f.improve(&launch{host: h, src: l.Source}, func() {})
}

// improve improves the program of the launch l. It calls the function loaded when it has read
// the program, and returns the exit code.
func (f *adviseMode) improve(l *launch, loaded func()) int {
	var err error
	if l.prog, err = kernel.Load(l.src, l.flags.loading()); err != nil {
		return l.Failed(err)
	}
	loaded()
	release, code := l.prepare()
	if code != exit.OK {
		return code
	}
	defer release()
	if err := files.Apart(l.path, []files.NamedOutput{{Name: "--output", Path: f.output}, {Name: "--advise-json", Path: f.json}}); err != nil {
		return l.Fail("%v", err)
	}
	stop := l.stopper()
	defer stop.End()
	asked := adviseLaunch(l, stop.Why)
	asked.Reassociate, asked.FixedBlocks = len(f.modulo) > 0, f.fixedBlocks
	lab, err := advise.NewLab(asked)
	if err != nil {
		return l.Failed(err)
	}
	return f.search(l, lab, stop)
}

// adviseLaunch describes a launch for the search. The function stop returns a reason to end the
// search, or "".
func adviseLaunch(l *launch, stop func() string) advise.Launch {
	f := &l.flags
	run := l.runOptions(stop)
	run.Ranks, run.Workers, run.Out = 0, 0, nil
	a := advise.Launch{
		Source: l.src, Options: f.loading(), Chip: f.timing.chip, Warm: f.timing.warm, Memory: int64(l.MaxMemory.Bytes), Run: run,
		MostExpressions: int(int64(l.MaxMemory.Bytes) / 32),
	}
	a.Take(l.prog, l.args)
	return a
}

// search runs the search, prints its result, and
// returns the exit code.
func (f *adviseMode) search(l *launch, lab *advise.Lab, stop *limit.Stopper) int {
	line := report.NewLine(l.Err, time.Now())
	base, before, proof, err := lab.Base()
	if err != nil {
		return adviseFailed(l, err, stop)
	}
	r, err := advise.Search(lab, base, before, proof, lab.Steps(), advise.Options{Tries: f.tries, Gain: advise.DefaultGain, Tried: func(n int) { line.Show("[advise: %s]", ir.Count(n, "variant")) }})
	line.Clear()
	if err != nil {
		return adviseFailed(l, err, stop)
	}
	h := advise.Heading{Kernel: "@" + ir.Visible(lab.Name()), File: l.src.Name, Chip: lab.Chip()}
	h.Commands = f.commands(l, r.Best)
	if f.output != "-" && f.json != "-" {
		r.Text(l.Out, h)
	} else {
		r.Text(l.Err, h)
	}
	if f.json != "" {
		text, err := r.JSON(h)
		if err == nil {
			err = files.WriteFile(f.json, append(text, '\n'), l.Out)
		}
		if err != nil {
			return l.Fail("%v", err)
		}
	}
	if f.output == "" {
		return exit.OK
	}
	if err := files.WriteFile(f.output, []byte(r.Best.Text), l.Out); err != nil {
		return l.Fail("%v", err)
	}
	return exit.OK
}

// adviseFailed reports why a program cannot be improved, and returns the exit code.
func adviseFailed(l *launch, err error, stop *limit.Stopper) int {
	if why := stop.Why(); why != "" && errors.Is(err, advise.ErrStopped) {
		return l.Fail("--advise: the program before all steps %s", why)
	}
	if u, ok := errors.AsType[*advise.Unsound](err); ok {
		for _, r := range u.Reports {
			if r.Severity == ir.Error {
				l.TellFinding(report.Finding{Diag: r.Diag(), Report: r})
			}
		}
		l.Fail("--advise makes correct kernels faster, but this kernel has errors that --check=all reports: correct them first")
		return exit.Check
	}
	if f, ok := errors.AsType[*runtime.Fault](err); ok {
		return l.fault(f)
	}
	return l.Failed(err)
}

// commands returns the command lines that create the program b and predict its time.
func (f *adviseMode) commands(l *launch, b *advise.Built) []string {
	program, arch := l.path, ""
	var commands []string
	written := f.output
	if written == "" || written == "-" {
		written = "better.pto"
	}
	if l.flags.arch != "" {
		arch = " --pto-arch=" + l.flags.arch
	}
	if p := b.Pipeline(); l.path == "" { // the program comes from a template
		program = written
		commands = append(commands, "pto-run --tune "+quoted(l.flags.tune.file)+" --advise -o "+quoted(program))
	} else if p != "" {
		program = written
		commands = append(commands, "pto-opt "+quoted(l.path)+arch+" --pass-pipeline="+quoted(p)+" -o "+quoted(program))
	}
	run := "pto-run " + quoted(program) + arch
	if l.flags.kernel != "" || strings.Contains(b.Kernel, ",") {
		run += " --kernel " + quoted(b.Kernel)
	}
	if b.Blocks > 1 {
		run += fmt.Sprintf(" --blocks %d", b.Blocks)
	}
	for _, a := range slices.Concat(l.flags.args, b.Extra) {
		run += " --arg " + quoted(a)
	}
	if c := l.flags.timing.chip; c != "" {
		run += " --chip=" + quoted(c)
	}
	return append(commands, run+" --timing")
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
