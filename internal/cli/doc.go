// Package cli implements the command-line tools as functions, so that tests can run
// them in process.
//
//	Opt      pto-opt: reads, checks, transforms and writes programs
//	Run      pto-run: executes kernels
//	Reduce   pto-reduce: reduces a failing program to a small one
//
// Each tool is a struct with its options (optTool, runTool, reduceTool) that has a
// method for every step. The steps call the packages kernel, passes, lower, runtime and
// codegen; this package only contains what is specific to a command line.
//
//	opt.go, programs.go      pto-opt: its steps, and parallel processing of files
//	pass_flags.go            passes as options, in the order of the command line
//	opt_checks.go, expect.go, explain*.go
//	                         --verify-*, expected diagnostics, --explain
//	emit*.go, ptoas*.go      LLVM IR and C++; the options of the public assembler
//	run.go, engine.go        pto-run: its steps, and the two engines
//	args.go                  --arg: files; package data has generated data and numbers
//	compare.go, expect_report.go
//	                         --expect: comparing arguments after the run
//	observe.go, dump.go, diff.go, step.go, stats.go, trace.go
//	                         observing a run
//	check*.go, schedule.go, timing.go, verify_sync.go
//	                         checkers, random schedules, prediction, the static proof
//	batch*.go, serve*.go     many runs in one process: a file of them, or requests
//	reduce.go                pto-reduce
//	flags.go, completion.go, options_page.go
//	                         --help, shell completion, and the page of options
//	input.go, output.go, diagnostics*.go, visible.go, color.go, progress.go
//	                         files, messages, the terminal
//	stop.go, collector.go, heap_*.go, map_*.go
//	                         interrupts and limits; memory of the process
//
// The exit codes of all tools are: 0 for success, 1 for an error in the program, and 2
// for an error in the command line. pto-run also returns 3 if a comparison failed, 4 if
// the kernel faulted, and 5 if a checker reported a mistake. Output files are written
// at the very end, so a failed run leaves existing files unchanged.
package cli

import (
	"fmt"
	"io"

	"ptogo/ir"
)

// The exit codes of the tools: success, an error in the program, an error in the
// command line, a failed comparison, a fault of the kernel, and a report of a checker.
const (
	exitOK      = 0
	exitDiag    = 1
	exitUsage   = 2
	exitCompare = 3
	exitFault   = 4
	exitCheck   = 5
)

// streams holds the outputs of a tool, together with the format in which the tool writes
// diagnostics.
type streams struct {
	out, err io.Writer
	// tool is the name of the tool in messages.
	tool string
	// teller writes diagnostics. It is nil if they are written as plain text.
	teller teller
	// maxErrors limits the number of printed errors of a program; 0 means no limit.
	maxErrors int
}

// newStreams returns the outputs of a tool; the parameter tool is its name. The output
// streams replace control characters by visible text, and record the first write error.
func newStreams(out, err io.Writer, tool string) streams {
	return streams{out: &visibleWriter{w: &checkedWriter{w: out}}, err: &visibleWriter{w: err}, tool: tool, maxErrors: defaultMaxErrors}
}

// checkedWriter is a writer that records the first error. Callers print without
// checking each error, and the tool reports it at the end.
type checkedWriter struct {
	w   io.Writer
	err error
}

// Write writes p to the underlying writer, and stores the first error that occurs, so
// that the tool can report it at the end.
func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// done is called at the end of a tool. It writes the end of the list of diagnostics,
// which some output formats need. It returns the parameter code, the exit code of the
// tool so far. If this code means success and the tool could not write its output, done
// returns an error code instead.
func (s *streams) done(code int) int {
	if err := s.endDiagnostics(); err != nil && code == exitOK {
		return exitDiag
	}
	if c := raw(s.out).(*checkedWriter); code == exitOK && c.err != nil {
		return s.fail("%v", c.err)
	}
	return code
}

// guarded calls main and converts a panic, which is a bug, to an error message with an
// exit code.
func (s *streams) guarded(main func(args []string) int, args []string) (code int) {
	defer func() {
		x := recover()
		if e, ok := x.(*ir.Exceeded); ok {
			code = s.fail("%v", e)
		} else if x != nil {
			code = s.fail("this is a bug in %s, please report it with the program and the command line: %v", s.tool, x)
		}
	}()
	return main(args)
}

// usage prints an error about the command line, formatted as by fmt.Sprintf, and returns
// the exit code for such errors.
func (s *streams) usage(format string, args ...any) int {
	s.fail(format, args...)
	fmt.Fprintf(s.err, "run %s --help for the options\n", s.tool)
	return exitUsage
}

// fail prints an error that does not concern the program text, such as an unreadable
// file, and returns its exit code. It replaces line breaks in string arguments by
// visible text, because the arguments may be names from a program.
func (s *streams) fail(format string, args ...any) int {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = ir.Visible(text)
		}
	}
	fmt.Fprintf(s.err, "%s: error: %s\n", s.tool, fmt.Sprintf(format, args...))
	return exitDiag
}
