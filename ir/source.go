package ir

import (
	"sort"
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

// lineStart returns the offset of the first byte of the line that contains an
// offset.
func (s *Source) lineStart(off int) int {
	s.index()
	return s.lines[sort.SearchInts(s.lines, off+1)-1]
}

// column returns how many bytes precede an offset on its line.
func (s *Source) column(off int) int { return off - s.lineStart(off) }

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
