package ir

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Source is a text with the name it is reported under.
type Source struct {
	Name string
	Text string

	once  sync.Once
	lines []int // offset of the first byte of each line
	// Line0 is added to line numbers; pieces of a split file use it.
	Line0 int
	// Passed, if not nil, is told now and then up to which offset the text has
	// been read. What is in front is still needed for diagnostics and by what
	// has not been finished, but seldom. Any goroutine may call it.
	Passed func(off int)
}

// passed tells whoever wants to know.
func (s *Source) passed(off int) {
	if s.Passed != nil {
		s.Passed(off)
	}
}

// Position returns the line and column, both from 1, of a byte offset.
func (s *Source) Position(off int) (line, col int) {
	s.index()
	i := sort.SearchInts(s.lines, off+1) - 1
	return i + 1 + s.Line0, off - s.lines[i] + 1
}

// Line returns the text of the line that contains the offset.
func (s *Source) Line(off int) string {
	s.index()
	i := sort.SearchInts(s.lines, off+1) - 1
	line := s.Text[s.lines[i]:]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	return strings.TrimSuffix(line, "\r")
}

func (s *Source) index() {
	s.once.Do(func() {
		s.lines = []int{0}
		for i := 0; ; {
			n := strings.IndexByte(s.Text[i:], '\n')
			if n < 0 {
				return
			}
			i += n + 1
			s.lines = append(s.lines, i)
		}
	})
}

// Loc is where an operation comes from: a place in a source text, unless the
// program says otherwise with loc(...).
type Loc struct {
	src  *Source
	off  int
	attr Attr // set for an explicit location
}

// LocAt returns the location of a byte offset in a source.
func LocAt(src *Source, off int) Loc { return Loc{src: src, off: off} }

// LocOf returns the location that an attribute spells.
func LocOf(a Attr) Loc { return Loc{attr: a} }

// Known reports whether the location says anything.
func (l Loc) Known() bool { return l.src != nil || !l.attr.IsZero() }

// Source returns the text the location points into, if any, and the offset.
func (l Loc) Source() (*Source, int) { return l.src, l.off }

// Attr returns the explicit location attribute, if there is one.
func (l Loc) Attr() Attr { return l.attr }

// withSource adds the place in the text, so that a diagnostic on an
// operation with an explicit location can still show its source line.
func (l Loc) withSource(src *Source, off int) Loc { l.src, l.off = src, off; return l }

// String returns file:line:col, or "unknown".
func (l Loc) String() string {
	if l.src == nil {
		if l.attr.IsZero() {
			return "unknown"
		}
		return l.attr.String()
	}
	line, col := l.src.Position(l.off)
	return l.src.Name + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(col)
}

// AppendTo appends the location in MLIR's spelling: loc(...).
func (l Loc) AppendTo(b []byte) []byte {
	if !l.attr.IsZero() {
		return l.attr.AppendTo(b)
	}
	if l.src == nil {
		return append(b, "loc(unknown)"...)
	}
	line, col := l.src.Position(l.off)
	b = AppendQuoted(append(b, "loc("...), l.src.Name)
	b = strconv.AppendInt(append(b, ':'), int64(line), 10)
	b = strconv.AppendInt(append(b, ':'), int64(col), 10)
	return append(b, ')')
}

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

// take moves the diagnostics of from, which nobody else uses, to ds.
func (ds *Diags) take(from *Diags) {
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

// Format renders a diagnostic as file:line:col: severity: text, with the
// source line and a caret, then its notes in the same way.
func (d *Diag) Format() string {
	var b strings.Builder
	formatLine(&b, d.Loc, d.Severity.String(), d.Text)
	for _, n := range d.Notes {
		formatLine(&b, n.Loc, "note", n.Text)
	}
	return b.String()
}

// maxSourceLine bounds how much of a source line a message repeats.
const maxSourceLine = 200

func formatLine(b *strings.Builder, loc Loc, kind, text string) {
	if loc.Known() {
		b.WriteString(loc.String() + ": ")
	}
	b.WriteString(kind + ": " + text + "\n")
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
	before, after := visible(line[:col-1]), visible(line[col-1:])
	b.WriteString(before + after + "\n")
	for _, r := range before {
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	b.WriteString("^\n")
}

// visible replaces what would disturb a terminal.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return utf8.RuneError
	}, text)
}
