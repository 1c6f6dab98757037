package filecheck

import (
	"fmt"
	"strings"

	"ptogo/internal/filecheck/ere"
)

// Severity says how grave a diagnostic is.
type Severity string

// The severities.
const (
	SeverityError  Severity = "error"
	SeverityNote   Severity = "note"
	SeverityRemark Severity = "remark"
)

// Diagnostic is one message, usually about a place in the check file or in
// the input.
type Diagnostic struct {
	File     string // empty: no place
	Line     int    // from 1; 0: the file as a whole
	Column   int    // in characters, from 1
	Severity Severity
	Message  string
	Source   string // the line the place is on, or the part of it around
	Detail   string // lines shown below it

	caret int // characters of Source before the place
}

// String writes the diagnostic over several lines, the last one with a caret
// below the place.
func (d Diagnostic) String() string {
	var b strings.Builder
	if d.File != "" {
		b.WriteString(d.File + ":")
		if d.Line > 0 {
			fmt.Fprintf(&b, "%d:%d:", d.Line, d.Column)
		}
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "%s: %s\n", d.Severity, d.Message)
	if d.Line > 0 {
		fmt.Fprintf(&b, "%s\n%s^\n", d.Source, caretIndent(d.Source, d.caret))
	}
	b.WriteString(d.Detail)
	return b.String()
}

// caretIndent is blank as wide as the first n characters of the line.
func caretIndent(line string, n int) string {
	var b strings.Builder
	for i := range n {
		if i < len(line) && line[i] == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// at makes a diagnostic about a position of the file.
func (f *file) at(pos int, severity Severity, format string, args ...any) Diagnostic {
	line, column := f.lineOf(pos), f.column(pos)
	shown, caret := around([]rune(f.line(line)), column-1)
	return Diagnostic{
		File: f.name, Line: line + 1, Column: column, Severity: severity,
		Message: ere.Narrow(fmt.Sprintf(format, args...)),
		Source:  ere.Narrow(shown), caret: caret,
	}
}

// maxShown is how many characters of a line are shown before and after the
// place a diagnostic is about.
const maxShown = 300

// around cuts a long line down to what is near the position.
func around(line []rune, at int) (shown string, caret int) {
	before, after := "", ""
	if from := at - maxShown; from > 0 {
		before, line, at = "...", line[from:], maxShown
	}
	if to := at + maxShown; to < len(line) {
		after, line = "...", line[:to]
	}
	return before + string(line) + after, len(before) + at
}

// Error is why a check failed.
type Error struct {
	// Setup tells a faulty check file or option from an input that does not
	// match.
	Setup       bool
	Diagnostics []Diagnostic
}

// Error returns all diagnostics as FileCheck would print them.
func (e *Error) Error() string {
	var b strings.Builder
	for _, d := range e.Diagnostics {
		b.WriteString(d.String())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ExitStatus is the exit status FileCheck has for the error.
func (e *Error) ExitStatus() int {
	if e.Setup {
		return 2
	}
	return 1
}

// setupError is an error about no place in particular.
func setupError(format string, args ...any) *Error {
	return &Error{Setup: true, Diagnostics: []Diagnostic{{
		Severity: SeverityError, Message: fmt.Sprintf(format, args...),
	}}}
}

// patternError is what is wrong with a pattern, and where in the check file.
type patternError struct {
	pos     int
	message string
}

func errorAt(pos int, format string, args ...any) *patternError {
	return &patternError{pos, fmt.Sprintf(format, args...)}
}
