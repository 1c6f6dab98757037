package ir

import (
	"regexp"
	"strconv"
	"sync"
)

// Loc is where an operation comes from: a place in a source text, unless the
// program says otherwise with loc(...).
type Loc struct {
	src  *Source
	off  int
	said *explicitLoc
}

// explicitLoc is an explicit location. Frontends print one after every operation,
// and nearly all are loc("file":line:col). They are kept in parts, because an
// interned attribute for each would cost more than its operation.
type explicitLoc struct {
	file      string // quoted, as it is printed
	line, col uint32
	attr      Attr // any other location
}

// LocAt returns the location of a byte offset in a source.
func LocAt(src *Source, off int) Loc { return Loc{src: src, off: off} }

// LocOf returns the location that an attribute spells.
func LocOf(a Attr) Loc {
	if a.IsZero() {
		return Loc{}
	}
	return Loc{said: &explicitLoc{attr: a}}
}

// Known reports whether the location says anything.
func (l Loc) Known() bool { return l.src != nil || l.said != nil }

// Source returns the text the location points into, if any, and the offset.
func (l Loc) Source() (*Source, int) { return l.src, l.off }

// Attr returns the explicit location as an attribute, if there is one.
func (l Loc) Attr() Attr {
	switch {
	case l.said == nil:
		return Attr{}
	case !l.said.attr.IsZero():
		return l.said.attr
	}
	return AttrOf(LocAttr{string(l.said.appendTo(nil))})
}

// withSource adds the place in the text, so that a diagnostic on an
// operation with an explicit location can still show its source line.
func (l Loc) withSource(src *Source, off int) Loc { l.src, l.off = src, off; return l }

// appendTo appends loc(...).
func (p *explicitLoc) appendTo(b []byte) []byte {
	if !p.attr.IsZero() {
		return p.attr.AppendTo(b)
	}
	return appendFilePlace(b, p.file, int(p.line), int(p.col))
}

// appendFilePlace appends loc("file":line:col).
func appendFilePlace(b []byte, quoted string, line, col int) []byte {
	b = append(append(b, "loc("...), quoted...)
	b = strconv.AppendInt(append(b, ':'), int64(line), 10)
	b = strconv.AppendInt(append(b, ':'), int64(col), 10)
	return append(b, ')')
}

// filePlaces finds "file":line:column in the text of a location attribute.
var filePlaces = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`("(?:[^"\\]|\\.)*"):(\d+:\d+)`)
})

// Origins returns the places, as file:line:col, that an explicit location
// names: lines of the program that a frontend has translated, the innermost
// first where calls or fusions leave several. Names are as Visible returns them.
func (l Loc) Origins() []string {
	if l.said == nil {
		return nil
	}
	if p := l.said; p.attr.IsZero() {
		file, _ := unquote(p.file)
		return []string{Visible(file) + ":" + strconv.Itoa(int(p.line)) + ":" + strconv.Itoa(int(p.col))}
	}
	var places []string
	for _, m := range filePlaces().FindAllStringSubmatch(string(l.said.appendTo(nil)), -1) {
		if file, ok := unquote(m[1]); ok {
			places = append(places, Visible(file)+":"+m[2])
		}
	}
	return places
}

// String returns file:line:col, or "unknown", as Visible does.
func (l Loc) String() string {
	if l.src == nil {
		if l.said == nil {
			return "unknown"
		}
		if from := l.Origins(); len(from) > 0 {
			return from[0]
		}
		return string(l.said.appendTo(nil))
	}
	line, col := l.src.Position(l.off)
	return Visible(l.src.Name) + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(col)
}

// AppendTo appends the location in MLIR's spelling: loc(...).
func (l Loc) AppendTo(b []byte) []byte {
	switch {
	case l.said != nil:
		return l.said.appendTo(b)
	case l.src == nil:
		return append(b, "loc(unknown)"...)
	}
	line, col := l.src.Position(l.off)
	return appendFilePlace(b, string(AppendQuoted(nil, l.src.Name)), line, col)
}
