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
}

// newMapper returns a mapper for a text. If inBytes is true, columns are counted in
// bytes, and in UTF-16 units if it is false.
func newMapper(text string, inBytes bool) *mapper {
	m := &mapper{text: text, lines: []int{0}, utf8: inBytes}
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
	units := 0
	for i, r := range line {
		if units >= int(p.Character) {
			return start + i
		}
		units += utf16Units(r)
	}
	return start + len(line)
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
	before := m.text[m.lines[i]:off]
	column := len(before)
	if !m.utf8 {
		column = 0
		for _, r := range before {
			column += utf16Units(r)
		}
	}
	return protocol.Position{Line: uint32(i), Character: uint32(column)}
}

// span returns the range of positions that corresponds to a range of byte offsets. The
// parameter from is the first offset of this range, and the parameter to is the offset
// after it.
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
