// This file writes diagnostics.

package filecheck

import (
	"fmt"
	"strings"

	"ptogo/internal/filecheck/ere"
)

// Severity is the severity of a diagnostic.
type Severity string

// The severities of a diagnostic.
const (
	SeverityError  Severity = "error"
	SeverityNote   Severity = "note"
	SeverityRemark Severity = "remark"
)

// Diagnostic is one message, usually with a position in the check file or in the
// input.
type Diagnostic struct {
	// File is empty if the position is unknown.
	File string
	// Line is the line number from 1; it is 0 if the message concerns the entire file.
	Line int
	// Column is counted in characters, from 1.
	Column   int
	Severity Severity
	Message  string
	// Source is the source line at the position, or an excerpt of a long one.
	Source string
	// Detail contains lines to print after the source line.
	Detail string

	// caret is the number of characters of Source before the position.
	caret int
}

// String returns the diagnostic, with the source line and a caret if it has a
// position.
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

// caretIndent returns white space as wide as the first n characters of a line. It
// preserves tabs, so that the caret is aligned.
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

// at returns a diagnostic at the offset pos of the file.
func (f *file) at(pos int, severity Severity, format string, args ...any) Diagnostic {
	line, column := f.lineOf(pos), f.column(pos)
	shown, caret := around([]rune(f.line(line)), column-1)
	return Diagnostic{
		File: f.name, Line: line + 1, Column: column, Severity: severity,
		Message: ere.Narrow(fmt.Sprintf(format, args...)),
		Source:  ere.Narrow(shown), caret: caret,
	}
}

// maxShown is the number of characters of a long line that are shown on each side
// of the position.
const maxShown = 300

// around shortens a long line to an excerpt near one character; the parameter at is the
// index of this character. It returns the excerpt and the index of the character in the
// excerpt.
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

// Error is the result of a check that failed: the input does not match the check file, or
// the check file or an option is wrong.
type Error struct {
	// Setup reports that the check file or an option is wrong. Otherwise the input
	// does not match.
	Setup       bool
	Diagnostics []Diagnostic
}

// Error returns all diagnostics in the format of FileCheck.
func (e *Error) Error() string {
	var b strings.Builder
	for _, d := range e.Diagnostics {
		b.WriteString(d.String())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ExitStatus returns the exit status that FileCheck uses for the error.
func (e *Error) ExitStatus() int {
	if e.Setup {
		return 2
	}
	return 1
}

// setupError returns an error without a position.
func setupError(format string, args ...any) *Error {
	return &Error{Setup: true, Diagnostics: []Diagnostic{{
		Severity: SeverityError, Message: fmt.Sprintf(format, args...),
	}}}
}

// patternError is an error in a pattern, with its offset in the check file.
type patternError struct {
	pos     int
	message string
}

// errorAt returns an error at the offset pos in the check file, with a message that is
// formatted as by fmt.Sprintf.
func errorAt(pos int, format string, args ...any) *patternError {
	return &patternError{pos, fmt.Sprintf(format, args...)}
}
