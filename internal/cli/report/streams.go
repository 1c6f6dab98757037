// Package report writes what a tool reports to its user. Streams has the outputs of a tool.
// Diagnostics are written as text, with or without colors, as JSON, SARIF or JUnit, or as
// annotations for GitHub; see Streams.SetDiagnostics. The other formats convert a Finding to a
// JSONDiag first.
package report

import (
	"fmt"
	"io"

	"ptogo/internal/cli/exit"
	"ptogo/ir"
)

// Streams holds the outputs of a tool, together with the format in which the tool writes
// diagnostics.
type Streams struct {
	Out, Err io.Writer
	// Tool is the name of the tool in messages.
	Tool string
	// teller writes diagnostics. It is nil if they are written as plain text.
	teller teller
	// MaxErrors limits the number of printed errors of a program; 0 means no limit.
	MaxErrors int
}

// New returns the outputs of a tool; the parameter tool is its name. The output
// streams replace control characters by visible text, and record the first write error.
func New(out, err io.Writer, tool string) Streams {
	return Streams{Out: &visibleWriter{w: &checkedWriter{w: out}}, Err: &visibleWriter{w: err}, Tool: tool, MaxErrors: defaultMaxErrors}
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

// Done is called at the end of a tool. It writes the end of the list of diagnostics,
// which some output formats need. It returns the parameter code, the exit code of the
// tool so far. If this code means success and the tool could not write its output, Done
// returns an error code instead.
func (s *Streams) Done(code int) int {
	if err := s.endDiagnostics(); err != nil && code == exit.OK {
		return exit.Diag
	}
	if c := Raw(s.Out).(*checkedWriter); code == exit.OK && c.err != nil {
		return s.Fail("%v", c.err)
	}
	return code
}

// Guarded calls main and converts a panic, which is a bug, to an error message with an
// exit code.
func (s *Streams) Guarded(main func(args []string) int, args []string) (code int) {
	defer func() {
		x := recover()
		if e, ok := x.(*ir.Exceeded); ok {
			code = s.Fail("%v", e)
		} else if x != nil {
			code = s.Fail("this is a bug in %s, please report it with the program and the command line: %v", s.Tool, x)
		}
	}()
	return main(args)
}

// Usage prints an error about the command line, formatted as by fmt.Sprintf, and returns
// the exit code for such errors.
func (s *Streams) Usage(format string, args ...any) int {
	s.Fail(format, args...)
	fmt.Fprintf(s.Err, "run %s --help for the options\n", s.Tool)
	return exit.Usage
}

// Fail prints an error that does not concern the program text, such as an unreadable
// file, and returns its exit code. It replaces line breaks in string arguments by
// visible text, because the arguments may be names from a program.
func (s *Streams) Fail(format string, args ...any) int {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = ir.Visible(text)
		}
	}
	fmt.Fprintf(s.Err, "%s: error: %s\n", s.Tool, fmt.Sprintf(format, args...))
	return exit.Diag
}
