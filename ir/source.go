// This file maps byte offsets of a text to lines and columns.

package ir

import (
	"sort"
	"strings"
	"sync"
)

// Source is a program text together with its file name.
type Source struct {
	// Name is the file name as diagnostics show it.
	Name string
	// Text is the whole text. It must not change while a program or a diagnostic refers
	// to it.
	Text string

	once sync.Once
	// lines are the byte offsets of the starts of the lines; index computes them.
	lines []int
	// Line0 is the number of lines that precede this text in its file. Diagnostics add it
	// to line numbers.
	Line0 int
	// Passed, if not nil, is called repeatedly with the offset up to which the parser has
	// read. The text before that offset is needed only for diagnostics and by unfinished
	// parsers of function bodies. Passed may be called from any goroutine.
	Passed func(off int)
	// Program, if not nil, returns the program for a text that is not in the syntax of
	// this package, such as C++. It reports errors to diags and then returns nil.
	Program func(diags *Diags) *Op
}

// passed calls the function s.Passed with the offset off. It does nothing if s.Passed is
// nil.
func (s *Source) passed(off int) {
	if s.Passed != nil {
		s.Passed(off)
	}
}

// lineStart returns the offset of the first byte of the line that contains off.
func (s *Source) lineStart(off int) int {
	s.index()
	return s.lines[sort.SearchInts(s.lines, off+1)-1]
}

// column returns the number of bytes that precede the offset off on its line.
func (s *Source) column(off int) int { return off - s.lineStart(off) }

// Position returns the line and the column of a byte offset, both counted from 1.
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

// index computes the offsets of the lines once. It runs on the first query for a line,
// because a program without diagnostics needs no line numbers.
func (s *Source) index() {
	s.once.Do(func() {
		s.lines = make([]int, 1, 2+strings.Count(s.Text, "\n"))
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

// Offset returns the byte offset of a line and a column, both counted from 1. Positions
// outside of the text are moved into it.
func (s *Source) Offset(line, col int) int {
	s.index()
	line = min(max(line-s.Line0, 1), len(s.lines))
	start, end := s.lines[line-1], len(s.Text)
	if line < len(s.lines) {
		end = s.lines[line] - 1
	}
	return min(start+max(col, 1)-1, end)
}
