// This file defines the outputs of a tool.

package cli

import (
	"fmt"
	"io"

	"ptogo/ir"
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
