package ir

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Severity ranks diagnostics.
type Severity uint8

// From harmless to fatal. Remarks and warnings do not fail a run.
const (
	Remark Severity = iota
	Warning
	Error
)

// String returns the word that stands in the message.
func (s Severity) String() string { return [...]string{"remark", "warning", "error"}[s] }

// Diag is one message about the program, with notes that say more.
type Diag struct {
	Loc      Loc
	Severity Severity
	Text     string
	Notes    []Note
}

// Note adds to a diagnostic, often a way out.
type Note struct {
	Loc  Loc
	Text string
}

// Note appends a note at a location, which may be unknown.
func (d *Diag) Note(loc Loc, text string) *Diag {
	d.Notes = append(d.Notes, Note{loc, text})
	return d
}

// Diags collects diagnostics; it may be used from several goroutines.
type Diags struct {
	mu   sync.Mutex
	list []*Diag
}

// Add appends a diagnostic and returns it, so that notes can be attached.
func (ds *Diags) Add(sev Severity, loc Loc, text string) *Diag {
	d := &Diag{Loc: loc, Severity: sev, Text: text}
	ds.mu.Lock()
	ds.list = append(ds.list, d)
	ds.mu.Unlock()
	return d
}

// Error appends an error.
func (ds *Diags) Error(loc Loc, text string) *Diag { return ds.Add(Error, loc, text) }

// take moves the diagnostics of from, without other users, to ds, which may
// be nil.
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

// Errors is diagnostics, at least one of which is an error, as a Go error. Get
// at them with errors.As.
type Errors []*Diag

// Error returns a line for each error: its place and its text.
func (e Errors) Error() string {
	var lines []string
	for _, d := range e {
		if d.Severity == Error {
			lines = append(lines, d.String())
		}
	}
	return strings.Join(lines, "\n")
}

// Err returns the diagnostics as an Errors if there is an error among them, and
// nil otherwise.
func (ds *Diags) Err() error {
	if !ds.HasErrors() {
		return nil
	}
	return Errors(ds.All())
}

// All returns the diagnostics in the order of their source positions.
func (ds *Diags) All() []*Diag {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	s := slices.Clone(ds.list)
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

// oneLine is a message as all tools write it, whatever the program put into it.
func oneLine(loc Loc, kind, text string) string {
	if loc.Known() {
		return Visible(fmt.Sprintf("%s: %s: %s", loc, kind, text))
	}
	return Visible(kind + ": " + text)
}

// mostOrigins bounds how many places in other files a diagnostic names.
const mostOrigins = 4

// Origins returns the places in other files that the operation comes from, but
// for one that String names already: lines of a Python program, say.
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

// maxSourceLine bounds how much of a source line a message repeats.
const maxSourceLine = 200

func formatLine(b *strings.Builder, loc Loc, kind, text string) {
	b.WriteString(oneLine(loc, kind, text) + "\n")
	if loc.src == nil {
		return
	}
	line := loc.src.Line(loc.off)
	_, col := loc.src.Position(loc.off)
	col = min(col, len(line)+1)
	if len(line) > maxSourceLine { // show the neighbourhood of the caret
		from := max(0, col-1-maxSourceLine/2)
		line, col = line[from:min(len(line), from+maxSourceLine)], col-from
	}
	line, at := visibleAt(line, col-1)
	b.WriteString(line + "\n")
	for _, r := range line[:at] {
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	b.WriteString("^\n")
}
