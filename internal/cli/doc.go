// Package cli is the command-line tools as functions, so that tests run them
// in process.
//
//	Opt      pto-opt: read, check, transform, write
//	Run      pto-run: execute a kernel
//	Reduce   pto-reduce: make a failing program small
//
// Each tool is a value of the options (optTool, runTool, reduceTool) with a method
// for every step; what a step does is in packages kernel, passes, lower, runtime and
// codegen, and only what a command line adds is here.
//
//	opt.go, programs.go      pto-opt: its steps, many files at once
//	pass_flags.go            passes as flags, in the order written
//	opt_checks.go, expect.go, explain*.go
//	                         --verify-*, expected diagnostics, --explain
//	emit*.go, ptoas*.go      LLVM IR and C++; the options of the public assembler
//	run.go, engine.go        pto-run: its steps, and the two engines
//	args.go
//	                         --arg: files; package data has generated data and numbers
//	compare.go, expect_report.go
//	                         --expect: what arguments must hold after the run
//	observe.go, dump.go, diff.go, step.go, stats.go, trace.go
//	                         what looks into a run
//	check*.go, schedule.go, timing.go, verify_sync.go
//	                         checkers, random schedules, prediction, the static proof
//	batch*.go, serve*.go     many runs in one process: a file of them, or requests
//	reduce.go                pto-reduce
//	flags.go, completion.go, options_page.go
//	                         what --help, the shell and the docs say of options
//	input.go, output.go, diagnostics*.go, visible.go, color.go, progress.go
//	                         files, messages, the terminal
//	stop.go, collector.go, heap_*.go, map_*.go
//	                         interrupts and limits; memory of the process
//
// Exit codes are the same for all: 0 done, 1 the program is wrong, 2 the command
// line is wrong; pto-run adds 3 for a failed comparison, 4 for a fault of the running
// kernel and 5 for a report of a checker. Output files are written at the very end, so
// a run that fails leaves them as they were.
package cli

import (
	"fmt"
	"io"

	"ptogo/ir"
)

// Exit codes: success, errors in the program, wrong command lines, failed comparisons,
// faults, and reports of checkers.
const (
	exitOK      = 0
	exitDiag    = 1
	exitUsage   = 2
	exitCompare = 3
	exitFault   = 4
	exitCheck   = 5
)

// streams are the input and the outputs of a tool.
type streams struct {
	in       io.Reader
	out, err io.Writer
	tool     string
	// inName is the name of standard input in diagnostics, if it is not <stdin>.
	inName string
	// teller prints diagnostics; nil means as plain text.
	teller teller
	// maxErrors limits the number of printed errors of a program; 0 means no limit.
	maxErrors int
	// maxMemory limits the size of inputs.
	maxMemory memoryLimit
	// shared reports that the process also serves other requests, so that a limit must
	// not end it.
	shared bool
	// memory is the memory that the requests of the process share, or nil.
	memory *sharedMemory
}

// newStreams returns streams that make control characters visible and record errors of
// writing.
func newStreams(in io.Reader, out, err io.Writer, tool string) streams {
	return streams{
		in: in, out: &visibleWriter{w: &checkedWriter{w: out}}, err: &visibleWriter{w: err}, tool: tool, maxErrors: defaultMaxErrors, maxMemory: limitOf(defaultMaxMemory),
	}
}

// checkedWriter remembers the first error of a write. Callers print without checking
// each error, and the tool reports it at the end.
type checkedWriter struct {
	w   io.Writer
	err error
}

// Write writes p and records the first error.
func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// done returns the exit code of a run. A successful run whose output could not be written
// is a failure.
func (s *streams) done(code int) int {
	if err := s.endDiagnostics(); err != nil && code == exitOK {
		return exitDiag
	}
	if c := raw(s.out).(*checkedWriter); code == exitOK && c.err != nil {
		return s.fail("%v", c.err)
	}
	return code
}

// guarded runs a tool and converts a panic, which is a bug, to an error message.
func (s *streams) guarded(main func(args []string) int, args []string) (code int) {
	defer func() {
		if x := recover(); x != nil {
			code = s.fail("this is a bug in %s, please report it with the program and the command line: %v", s.tool, x)
		}
	}()
	return main(args)
}

// usage reports a wrong command line.
func (s *streams) usage(format string, args ...any) int {
	s.fail(format, args...)
	fmt.Fprintf(s.err, "run %s --help for the options\n", s.tool)
	return exitUsage
}

// fail reports an error that is not about the program text, such as an unreadable file.
// It makes line breaks in string arguments visible, because they may be names.
func (s *streams) fail(format string, args ...any) int {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = ir.Visible(text)
		}
	}
	fmt.Fprintf(s.err, "%s: error: %s\n", s.tool, fmt.Sprintf(format, args...))
	return exitDiag
}
