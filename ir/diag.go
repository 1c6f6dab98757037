// This file defines diagnostics with notes, and prints them with the source line and a
// caret.

package ir

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Severity is how serious a diagnostic is.
type Severity uint8

// The severities in ascending order. Only an Error makes a tool fail.
const (
	Remark Severity = iota
	Warning
	Error
)

// String returns the word that a printed diagnostic contains, such as "error".
func (s Severity) String() string { return [...]string{"remark", "warning", "error"}[s] }

// Diag is one diagnostic about the program. Notes add details and ways to fix it.
type Diag struct {
	// Loc is the source location that the diagnostic is about.
	Loc Loc
	// Severity decides whether the tool fails: only an Error does.
	Severity Severity
	// Code is the number of the kind of diagnostic, or 0 if it has none.
	Code Code
	// Text is the message without position and severity. It may contain any characters;
	// Format escapes them.
	Text string
	// Notes follow the message in this order.
	Notes []Note
	// Op is the operation that the verifier or the pass reports, or nil.
	Op *Op
}

// Note is an addition to a diagnostic, often a suggestion.
type Note struct {
	// Loc is the source location that the note is about. It is the zero Loc if the note
	// applies to the location of its diagnostic.
	Loc Loc
	// Text is the message of the note.
	Text string
	// Fix is the source edit that the note proposes, or nil if the note only explains.
	Fix *Fix
}

// Note appends a note with the given text to d and returns d. loc may be the zero Loc.
func (d *Diag) Note(loc Loc, text string) *Diag {
	d.Notes = append(d.Notes, Note{Loc: loc, Text: text})
	return d
}

// Diags collects diagnostics. Several goroutines may use it at the same time.
type Diags struct {
	// mu guards list.
	mu sync.Mutex
	// list holds the diagnostics in the order in which Add was called.
	list []*Diag
}

// Add appends a diagnostic of severity sev at location loc with the message text. It
// returns the diagnostic, so that notes can be attached.
func (ds *Diags) Add(sev Severity, loc Loc, text string) *Diag {
	d := &Diag{Loc: loc, Severity: sev, Text: text}
	ds.mu.Lock()
	ds.list = append(ds.list, d)
	ds.mu.Unlock()
	return d
}

// Error appends an error at location loc with the message text. It returns the
// diagnostic, so that notes can be attached.
func (ds *Diags) Error(loc Loc, text string) *Diag { return ds.Add(Error, loc, text) }

// The method take moves all diagnostics of the list given by the parameter from to the
// end of ds. During and after the call, other goroutines must not use the list from. If
// ds is nil, take drops the diagnostics.
func (ds *Diags) take(from *Diags) {
	if ds == nil {
		return
	}
	ds.mu.Lock()
	ds.list = append(ds.list, from.list...)
	ds.mu.Unlock()
}

// HasErrors reports whether any diagnostic is an error.
func (ds *Diags) HasErrors() bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return slices.ContainsFunc(ds.list, func(d *Diag) bool { return d.Severity == Error })
}

// Errors is a list of diagnostics that is a Go error. At least one of the diagnostics has
// severity Error. Callers extract the list from an error with errors.As.
type Errors []*Diag

// Error returns one line per error: its location and its text. It leaves out
// warnings and remarks.
func (e Errors) Error() string {
	var lines []string
	for _, d := range e {
		if d.Severity == Error {
			lines = append(lines, d.String())
		}
	}
	return strings.Join(lines, "\n")
}

// Err returns all diagnostics as an Errors if one of them has severity Error, and nil
// otherwise.
func (ds *Diags) Err() error {
	if !ds.HasErrors() {
		return nil
	}
	return Errors(ds.All())
}

// All returns the diagnostics in the order of their source positions. Diagnostics of
// different source files keep the order in which they were added. All omits repetitions of
// a warning, because the verifier runs after every pass, and a warning that is also an
// error, because a later verification was stricter.
func (ds *Diags) All() []*Diag {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	type warning struct {
		loc  Loc
		text string
	}
	seen := map[warning]bool{}
	for _, d := range ds.list {
		if d.Severity == Error {
			seen[warning{d.Loc, d.Text}] = true
		}
	}
	s := slices.DeleteFunc(slices.Clone(ds.list), func(d *Diag) bool {
		w := warning{d.Loc, d.Text}
		again := d.Severity == Warning && d.Loc.src != nil && seen[w]
		seen[w] = seen[w] || d.Severity == Warning
		return again
	})
	slices.SortStableFunc(s, func(a, b *Diag) int {
		if a.Loc.src != b.Loc.src {
			return 0
		}
		return cmp.Compare(a.Loc.off, b.Loc.off)
	})
	return s
}

// String returns one line: file:line:col: severity: text.
func (d *Diag) String() string { return oneLine(d.Loc, d.Severity.String(), d.Text) }

// String returns one line: file:line:col: note: text.
func (n Note) String() string { return oneLine(n.Loc, "note", n.Text) }

// oneLine returns a message in the format that all tools print: the location, the string
// kind and the message text. The string kind is the severity or "note". oneLine escapes
// control characters, since names and strings of the program are part of the message.
func oneLine(loc Loc, kind, text string) string {
	if len(text) > maxText {
		text = fmt.Sprintf("%s... (%d bytes more)", text[:maxText], len(text)-maxText)
	}
	if loc.Known() {
		return Visible(fmt.Sprintf("%s: %s: %s", loc, kind, text))
	}
	return Visible(kind + ": " + text)
}

// maxText is the number of bytes of a message that are printed. A program can contain
// names of several megabytes, which must not fill a log.
const maxText = 4 << 10

// mostOrigins is the maximal number of origins that a diagnostic lists.
const mostOrigins = 4

// Origins returns the locations in other files from which the operation was generated,
// such as lines of a Python program. It leaves out the location that String prints
// already, and returns at most mostOrigins locations.
func (d *Diag) Origins() []string {
	from := d.Loc.Origins()
	if d.Loc.src == nil && len(from) > 0 {
		from = from[1:]
	}
	return from[:min(len(from), mostOrigins)]
}

// Format renders a diagnostic as file:line:col: severity: text, with the
// source line and a caret, then its notes in the same way.
func (d *Diag) Format() string {
	var b strings.Builder
	formatLine(&b, d.Loc, d.Severity.String(), d.Text)
	for _, at := range d.Origins() {
		b.WriteString(Visible(at+": note: comes from here") + "\n")
	}
	for _, n := range d.Notes {
		formatLine(&b, n.Loc, "note", n.Text)
	}
	return b.String()
}

// quoteMark precedes a quoted source line that looks like a message.
const quoteMark = "| "

// looksLikeMessage reports whether a source line could be taken for a message of a tool,
// because it contains the name of a severity after a colon, as in "a.pto:1:2: error: text".
// The author of a program could otherwise forge messages in the output of a tool.
func looksLikeMessage(line string) bool {
	for _, s := range []string{"error:", "warning:", "note:", "remark:", "fatal:"} {
		if i := strings.Index(line, s); i == 0 || i > 0 && strings.Contains(line[:i], ":") && !strings.HasPrefix(strings.TrimSpace(line), "//") {
			return true
		}
	}
	return false
}

// maxSourceLine is the number of bytes of a source line that a diagnostic shows. Lines of
// generated programs can have megabytes.
const maxSourceLine = 200

// formatLine writes one message to b: the location loc, the string kind (the severity or
// "note") and the text. If loc refers to a source text, it also writes the source line
// and a caret under the column.
func formatLine(b *strings.Builder, loc Loc, kind, text string) {
	b.WriteString(oneLine(loc, kind, text) + "\n")
	if loc.src == nil {
		return
	}
	line := loc.src.Line(loc.off)
	_, col := loc.src.Position(loc.off)
	col = min(col, len(line)+1)
	if len(line) > maxSourceLine { // keep the part around the caret
		from := max(0, col-1-maxSourceLine/2)
		line, col = line[from:min(len(line), from+maxSourceLine)], col-from
	}
	line, at := visibleAt(line, col-1)
	if looksLikeMessage(line) {
		line, at = quoteMark+line, at+len(quoteMark)
	}
	b.WriteString(line + "\n")
	for _, r := range line[:at] {
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	b.WriteString("^\n")
}
