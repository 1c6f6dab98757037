package ir

import (
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
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

// filePlace finds "file":line:column in the text of a location attribute.
var filePlace = regexp.MustCompile(`("(?:[^"\\]|\\.)*"):(\d+:\d+)`)

// Origins returns the places, as file:line:col, that an explicit location
// names: lines of the program that a frontend has translated, the innermost
// first where calls or fusions leave several.
func (l Loc) Origins() []string {
	if l.attr.IsZero() {
		return nil
	}
	var places []string
	for _, m := range filePlace.FindAllStringSubmatch(l.attr.String(), -1) {
		if file, ok := unquote(m[1]); ok {
			places = append(places, file+":"+m[2])
		}
	}
	return places
}

// String returns file:line:col, or "unknown".
func (l Loc) String() string {
	if l.src == nil {
		if l.attr.IsZero() {
			return "unknown"
		}
		if from := l.Origins(); len(from) > 0 {
			return from[0]
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
