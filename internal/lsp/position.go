// This file converts between byte offsets and protocol positions.

package lsp

import (
	"sort"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// mapper converts between byte offsets and the positions of the protocol, whose
// columns count UTF-16 units, or bytes if the client prefers UTF-8.
type mapper struct {
	// text is the text of the document.
	text string
	// lines is the offset of each line.
	lines []int
	// utf8 reports whether columns count bytes.
	utf8 bool
	// marks are the numbers of UTF-16 units before some characters, about every markEvery
	// bytes, so that positions in a long line need no scan of the line. It is nil if all
	// characters have one byte.
	marks []mark
}

// mark is the number of UTF-16 units of the text before the byte offset at.
type mark struct{ at, units int }

// markEvery is the distance between two marks in bytes.
const markEvery = 512

// newMapper returns a mapper for a text. If inBytes is true, columns are counted in
// bytes, and in UTF-16 units if it is false.
func newMapper(text string, inBytes bool) *mapper {
	m := &mapper{text: text, lines: []int{0}, utf8: inBytes}
	if !inBytes {
		m.mark()
	}
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			return m
		}
		i += n + 1
		m.lines = append(m.lines, i)
	}
}

// offset returns the byte offset of the position p. A position outside the text is
// replaced by the nearest one inside.
func (m *mapper) offset(p protocol.Position) int {
	if int(p.Line) >= len(m.lines) {
		return len(m.text)
	}
	start := m.lines[p.Line]
	line := m.line(int(p.Line))
	if m.utf8 {
		return start + min(int(p.Character), len(line))
	}
	if m.marks == nil {
		return start + min(int(p.Character), len(line))
	}
	want := m.units(start) + int(p.Character)
	k := sort.Search(len(m.marks), func(k int) bool { return m.marks[k].units > want }) - 1
	at, units := max(start, m.marks[k].at), m.marks[k].units
	if at == start {
		units = m.units(start)
	}
	end := start + len(line)
	for i, r := range m.text[min(at, end):end] {
		if units >= want {
			return at + i
		}
		units += utf16Units(r)
	}
	return end
}

// mark computes the marks.
func (m *mapper) mark() {
	units, next := 0, 0
	var marks []mark
	for i, r := range m.text {
		if i >= next {
			marks, next = append(marks, mark{i, units}), i+markEvery
		}
		units += utf16Units(r)
	}
	if units != len(m.text) {
		m.marks = marks
	}
}

// units returns the number of UTF-16 units of the text before the byte offset off.
func (m *mapper) units(off int) int {
	if m.marks == nil {
		return off
	}
	k := sort.Search(len(m.marks), func(k int) bool { return m.marks[k].at > off }) - 1
	units := m.marks[k].units
	for _, r := range m.text[m.marks[k].at:off] {
		units += utf16Units(r)
	}
	return units
}

// line returns the text of line i without its line end.
func (m *mapper) line(i int) string {
	end := len(m.text)
	if i+1 < len(m.lines) {
		end = m.lines[i+1] - 1
	}
	return m.text[m.lines[i]:end]
}

// position converts the byte offset off to a position of the protocol: a line and a
// column. An offset outside the text is moved to its start or end.
func (m *mapper) position(off int) protocol.Position {
	off = max(0, min(off, len(m.text)))
	i := sort.SearchInts(m.lines, off+1) - 1
	column := off - m.lines[i]
	if !m.utf8 {
		column = m.units(off) - m.units(m.lines[i])
	}
	return protocol.Position{Line: uint32(i), Character: uint32(column)}
}

// span returns the range of positions that corresponds to a range of byte offsets. from
// is the first offset of this range, and to is the offset after it.
func (m *mapper) span(from, to int) protocol.Range {
	return protocol.Range{Start: m.position(from), End: m.position(to)}
}

// whole returns the range of the entire text.
func (m *mapper) whole() protocol.Range { return m.span(0, len(m.text)) }

// utf16Units returns the number of UTF-16 units of a character. An invalid byte counts as
// one unit.
func utf16Units(r rune) int {
	if r >= 0x10000 && r != utf8.RuneError {
		return 2
	}
	return 1
}
