// Package reduce is pto-reduce, which makes a failing program smaller.
package reduce

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/flags"
	"ptogo/internal/cli/opt"
	"ptogo/internal/cli/report"
	"ptogo/internal/reduce"
	"ptogo/internal/temporary"
	"ptogo/internal/version"
	"ptogo/ir"
)

// reduceHelp is the format string of the --help text of pto-reduce.
const reduceHelp = `pto-reduce makes a program that shows a bug smaller, as long as it still shows the bug.

Usage: pto-reduce FILE (--test SCRIPT | --equivalent OPTIONS) [-o FILE]

pto-reduce calls SCRIPT with the name of a smaller program. As for mlir-reduce, an exit
code other than 0 means that this program still shows the bug, so pto-reduce keeps it:

  #!/bin/sh
  pto-opt --pto-bufferize "$1" 2>&1 | grep -q 'a bug in' && exit 1 || exit 0

With --equivalent OPTIONS instead, pto-reduce keeps a program if a pass of pto-opt changes
what a kernel computes (docs/equivalence.md):

  pto-reduce kernel.pto --equivalent '--pto-bufferize --pto-plan-memory' -o small.pto

%s
Exit code: 0 done, 1 the program cannot be read or does not show the bug, 2 the command line is wrong.
`

// reduceTool is the state of one run of pto-reduce, which reduces a program while a
// test keeps failing.
type reduceTool struct {
	files.Console
	test, output string
	// passes are the passes for --equivalent.
	passes  string
	workers int
	limit   time.Duration
	// dir is the folder for candidate programs.
	dir string
}

// Main runs pto-reduce with the given arguments and streams, and returns its exit
// code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	t := &reduceTool{Console: files.NewConsole(stdin, stdout, stderr, "pto-reduce")}
	return t.Done(t.Guarded(t.main, args))
}

// main runs the tool and returns its exit code.
func (t *reduceTool) main(args []string) int {
	fs := flags.New("pto-reduce")
	fs.StringVar(&t.test, "test", "", "run `SCRIPT` with the name of a program to decide whether the program still shows the bug. Any exit code except 0 means that it does")
	fs.StringVar(&t.passes, "equivalent", "", "keep a program if pto-opt with `OPTIONS` and --verify-equivalence finds a pass that changes what a kernel computes")
	fs.StringVarP(&t.output, "output", "o", "-", "write the result to `FILE`; - is standard output")
	fs.IntVar(&t.workers, "workers", 0, "test up to `N` programs at the same time (default 0: one for each processor)")
	fs.DurationVar(&t.limit, "timeout", time.Minute, "stop the script of --test after `TIME`, such as 90s, and assume that the program does not show the bug")
	var maxErrors uint
	report.DefineMaxErrors(fs, &maxErrors)
	showVersion := fs.Bool("version", false, "print the version and exit")
	help := fs.BoolP("help", "h", false, "print this text and exit")
	completion := fs.String("completion", "", "print a completion script for `SHELL`, which is bash, zsh or fish, and exit. man prints a manual page instead")
	if err := fs.Parse(flags.Long(fs, args)); err != nil {
		return t.Usage("%s", flags.Error(fs, err))
	}
	t.MaxErrors = int(min(maxErrors, math.MaxInt32))
	switch {
	case *help:
		fmt.Fprintf(t.Out, reduceHelp, flags.Usages(fs))
		return exit.OK
	case *showVersion:
		fmt.Fprintln(t.Out, version.Text())
		return exit.OK
	case *completion != "":
		return flags.PrintCompletion(&t.Streams, *completion, fs, nil)
	case fs.NArg() != 1 || t.test == "" && t.passes == "":
		return t.Usage("expected one file and a test: write pto-reduce FILE --test SCRIPT")
	case t.test != "" && t.passes != "":
		return t.Usage("--test and --equivalent cannot be used together")
	case t.workers < 0 || t.limit <= 0:
		return t.Usage("--workers must be at least 0, and --timeout more than 0")
	}
	return t.run(fs.Arg(0))
}

// run reads the program from the file at path, reduces it, and writes the smallest
// program that still fails the test. It returns the exit code.
func (t *reduceTool) run(path string) int {
	src, err := t.ReadSource(path)
	if err != nil {
		return t.Fail("%v", err)
	}
	script, err := filepath.Abs(t.test)
	if err == nil && t.passes == "" {
		_, err = os.Stat(script)
	}
	if err != nil {
		return t.Fail("%v", err)
	}
	var remove func()
	if t.dir, remove, err = temporary.Folder("", "pto-reduce"); err != nil {
		return t.Fail("%v", err)
	}
	defer remove()
	o := reduce.Options{Workers: cmp.Or(t.workers, runtime.GOMAXPROCS(0)), Interesting: func(text []byte) bool { return t.interesting(script, text) }}
	if screen := report.Raw(t.Err); report.IsTerminal(screen) {
		o.Progress = func(lines, tried int) {
			fmt.Fprintf(screen, "\r\x1b[K%d lines left, %d programs tried", lines, tried)
		}
		defer fmt.Fprint(screen, "\r\x1b[K")
	}
	text, err := reduce.Reduce(src, o)
	if list, ok := errors.AsType[ir.Errors](err); ok {
		t.ReportAll(list)
		return exit.Diag
	}
	if err != nil {
		return t.Fail("%s: %v", path, err)
	}
	if err := files.WriteFile(t.output, text, t.Out); err != nil {
		return t.Fail("%v", err)
	}
	return exit.OK
}

// interesting runs the test script on a program and reports whether the problem still
// occurs, that is, whether the exit code differs from 0.
func (t *reduceTool) interesting(script string, text []byte) bool {
	f, err := os.CreateTemp(t.dir, "*.pto")
	if err != nil {
		return false
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err2 := f.Close(); err != nil || err2 != nil {
		return false
	}
	if t.passes != "" {
		return changesMeaning(strings.Fields(t.passes), f.Name())
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.limit)
	defer cancel()
	err = exec.CommandContext(ctx, script, f.Name()).Run()
	exit, failed := err.(*exec.ExitError)
	return failed && exit.ExitCode() > 0
}

// changesMeaning runs pto-opt with the given options on the program file at the given
// path. It reports whether pto-opt finds a pass that changes the results of a kernel in
// the program.
func changesMeaning(options []string, path string) bool {
	var messages bytes.Buffer
	args := slices.Concat(options, []string{"--verify-equivalence", "-o", os.DevNull, path})
	code := opt.Main(args, strings.NewReader(""), io.Discard, &messages)
	return code == exit.Diag && strings.Contains(messages.String(), opt.ComputesElse)
}
