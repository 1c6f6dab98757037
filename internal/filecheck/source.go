// This file holds texts and their canonical form.

package filecheck

import (
	"sort"
	"strings"
	"unicode/utf8"

	"ptogo/internal/filecheck/ere"
)

// source is a text together with its name in diagnostics.
type source struct {
	Name string
	Text []byte
}

// textRange is a range of byte offsets: from lo up to, but not including, hi.
type textRange struct{ lo, hi int }

// file is a text prepared for matching: white space is canonical, and each byte is one
// rune.
type file struct {
	name string
	text string
	// lines holds the offset of the start of each line.
	lines []int
}

// newFile returns the file with the given name. The bytes are its text as read from disk,
// before any conversion. If keepSpace is set, runs of blanks are preserved; otherwise
// each run becomes a single blank.
func newFile(name string, raw []byte, keepSpace bool) *file {
	return fileOf(name, ere.Widen(canonical(string(raw), keepSpace)))
}

// fileOf returns a file with the given name and text, in the form that patterns are
// matched against. The text must be prepared: runs of blanks have been replaced, and each
// byte is one rune.
func fileOf(name, text string) *file {
	f := &file{name: name, text: text, lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// canonical returns the text with each line end replaced by a newline. It also replaces
// each run of blanks by one space, but only if the parameter keepSpace is not set.
func canonical(text string, keepSpace bool) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\r' && i+1 < len(text) && text[i+1] == '\n':
		case (c == ' ' || c == '\t') && !keepSpace:
			b.WriteByte(' ')
			for i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\t') {
				i++
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// lineOf returns the index of the line that contains offset pos.
func (f *file) lineOf(pos int) int {
	return sort.SearchInts(f.lines, pos+1) - 1
}

// line returns the text of line i without its newline.
func (f *file) line(i int) string {
	lo, hi := f.lines[i], len(f.text)
	if i+1 < len(f.lines) {
		hi = f.lines[i+1] - 1
	}
	return f.text[lo:hi]
}

// lineCount returns the number of lines, without an empty one after the last newline.
func (f *file) lineCount() int {
	n := len(f.lines)
	if f.lines[n-1] == len(f.text) && n > 1 {
		n--
	}
	return n
}

// column returns the column of offset pos in its line, in characters from 1.
func (f *file) column(pos int) int {
	return utf8.RuneCountInString(f.text[f.lines[f.lineOf(pos)]:pos]) + 1
}
