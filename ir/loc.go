// This file defines source locations of operations.

package ir

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Loc is the location of an operation: a position in the source text, or the explicit
// loc(...) that the program contains, or both.
type Loc struct {
	src  *Source
	off  int
	said *explicitLoc
}

// explicitLoc is the content of a loc(...) in the text. Frontends print one after every
// operation, and nearly all have the form loc("file":line:col). That form is stored as
// three fields, because an interned attribute would need more memory than the operation
// itself.
type explicitLoc struct {
	// file is the file name with quotes, as it is printed.
	file string
	// line and col are the position in the file, both from 1.
	line, col uint32
	// attr holds a location of any other form; it is zero for file:line:col.
	attr Attr
}

// LocAt returns the location of the byte offset off in the text of src.
func LocAt(src *Source, off int) Loc { return Loc{src: src, off: off} }

// LocOf returns the explicit location that the attribute a describes. For the zero Attr
// the location is unknown.
func LocOf(a Attr) Loc {
	if a.IsZero() {
		return Loc{}
	}
	return Loc{said: &explicitLoc{attr: a}}
}

// Known reports whether the location is known.
func (l Loc) Known() bool { return l.src != nil || l.said != nil }

// Source returns the source text and the byte offset of the location in it. The text is
// nil if the location is not in a source.
func (l Loc) Source() (*Source, int) { return l.src, l.off }

// Line returns the line of the location as text, such as "line 12". If the source text is
// unknown, it returns the whole location.
func (l Loc) Line() string {
	if l.src == nil {
		return l.String()
	}
	n, _ := l.src.Position(l.off)
	return fmt.Sprintf("line %d", n)
}

// Compare compares the positions of two locations in one source text, for sorting. The
// result is 0 if the texts differ or are unknown.
func (l Loc) Compare(other Loc) int {
	if l.src != other.src || l.src == nil {
		return 0
	}
	return cmp.Compare(l.off, other.off)
}

// Attr returns the explicit location as an attribute, or the zero Attr if the location
// has none.
func (l Loc) Attr() Attr {
	switch {
	case l.said == nil:
		return Attr{}
	case !l.said.attr.IsZero():
		return l.said.attr
	}
	return AttrOf(LocAttr{string(l.said.appendTo(nil))})
}

// withSource returns a copy of l that also records a position in the source text: the
// offset off, in bytes, in src. A diagnostic about an operation with an explicit location
// can then also show the source line.
func (l Loc) withSource(src *Source, off int) Loc { l.src, l.off = src, off; return l }

// appendTo appends the location as loc(...) to b.
func (p *explicitLoc) appendTo(b []byte) []byte {
	if !p.attr.IsZero() {
		return p.attr.AppendTo(b)
	}
	return appendFilePlace(b, p.file, int(p.line), int(p.col))
}

// appendFilePlace appends loc("file":line:col) to b. quoted is the file name with its
// quotes.
func appendFilePlace(b []byte, quoted string, line, col int) []byte {
	b = append(append(b, "loc("...), quoted...)
	b = strconv.AppendInt(append(b, ':'), int64(line), 10)
	b = strconv.AppendInt(append(b, ':'), int64(col), 10)
	return append(b, ')')
}

// filePlace is a position in a file, with line and column from 1.
type filePlace struct {
	file      string
	line, col int
}

// places returns the source positions that an explicit location contains. If calls or
// fusions list several positions, the innermost one comes first.
func (l Loc) places() []filePlace {
	if l.said == nil {
		return nil
	}
	if p := l.said; p.attr.IsZero() {
		file, _ := unquote(p.file)
		return []filePlace{{file, int(p.line), int(p.col)}}
	}
	return placesIn(string(l.said.appendTo(nil)))
}

// placesIn returns each "file":line:column in the text of a location attribute.
func placesIn(text string) (places []filePlace) {
	for {
		start := strings.IndexByte(text, '"')
		if start < 0 {
			return places
		}
		end := start + 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(text) {
			return places
		}
		quoted := text[start : end+1]
		text = text[end+1:]
		line, rest, ok := numberAfterColon(text)
		col, _, ok2 := numberAfterColon(rest)
		if file, ok3 := unquote(quoted); ok && ok2 && ok3 {
			places = append(places, filePlace{file, line, col})
		}
	}
}

// numberAfterColon reads a colon and a decimal number at the start of text. It returns the
// number and the text that follows it.
func numberAfterColon(text string) (n int, rest string, ok bool) {
	digits, ok := strings.CutPrefix(text, ":")
	rest = strings.TrimLeft(digits, "0123456789")
	digits = digits[:len(digits)-len(rest)]
	n, _ = strconv.Atoi(digits)
	return n, rest, ok && digits != ""
}

// Origins returns the source positions, as file:line:col, that an explicit location
// contains. They refer to the program from which a frontend generated the operation. If
// calls or fusions list several positions, the innermost one comes first. Control
// characters in file names are escaped by Visible.
func (l Loc) Origins() []string {
	var origins []string
	for _, p := range l.places() {
		origins = append(origins, fmt.Sprintf("%s:%d:%d", Visible(p.file), p.line, p.col))
	}
	return origins
}

// String returns file:line:col, or "unknown". Control characters in the file name are
// escaped by Visible.
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

// AppendTo appends the location in MLIR syntax: loc(...).
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

// Relocate replaces explicit locations in a source by positions in its text, for all
// operations in module: a program that passes printed is then reported with the lines of the
// original. original is the source, under the name that the locations have.
func Relocate(module *Op, original *Source) {
	for op := range module.Walk() {
		if from := op.Loc().places(); len(from) > 0 && from[0].file == original.Name {
			op.SetLoc(LocAt(original, original.Offset(from[0].line, from[0].col)))
		}
	}
}
