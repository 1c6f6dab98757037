package ir

import "strings"

// braces are the braces of a text that have no counterpart. Indentation shows
// which ones: the brace that closes a region is indented like the line with the
// one that opens it.
type braces struct {
	// missing counts the closing braces that are missing before the token at an
	// offset.
	missing map[int]int
	stray   []strayBrace
}

// strayBrace is a closing brace that closes nothing.
type strayBrace struct {
	off int
	// The lines from head up to next look like the head of a region whose opening
	// brace is missing. next is 0 where no such line is found.
	head, next int
}

// openBrace is a brace that has not been closed yet.
type openBrace struct {
	line   int  // where its line starts
	indent int  // of its line
	inner  int  // the indentation of the first line after it, or -1
	last   bool // it is the last token on its line
}

// headLine is a line that may be the head of a region.
type headLine struct {
	start int  // of its first token
	opens bool // it has an opening brace
}

// closes reports whether a line that is indented by n and follows the brace is
// outside the region that it opens.
func (o *openBrace) closes(n int) bool { return o.last && n <= o.indent && o.inner > o.indent }

// findBraces returns the braces without a counterpart. A text whose braces are
// balanced has none, however it is indented.
func findBraces(src *Source) braces {
	text := src.Text
	b := braces{missing: map[int]int{}}
	if balanced(text) {
		return b
	}
	l := lexer{text: text}
	var open []openBrace
	lines := map[int]headLine{} // the line that was met last with an indentation
	line, margin := -1, 0       // the present line, and its indentation
	for l.next(); l.kind != tokEOF; l.next() {
		if at := src.lineStart(l.start); at != line {
			line, margin = at, indent(text, at)
		}
		if l.kind == tokBad {
			if n := strings.IndexByte(text[l.start:], '\n'); n >= 0 && (text[l.start] == '"' || text[l.start] == '@') {
				l.end = l.start + n
				open = dropInline(open, func(o *openBrace) bool { return o.line == line })
			}
			continue
		}
		first := firstOnLine(text, l.start)
		n := 0
		if first {
			n = l.start - line
			if k := len(open) - 1; k >= 0 && open[k].inner < 0 {
				open[k].inner = n
			}
		}
		switch {
		case l.kind == '}':
			open = b.close(open, &l, first, n, lines)
		case first && opensLine(l.kind):
			open = dropInline(open, func(o *openBrace) bool { return n <= o.indent })
			for len(open) > 0 && open[len(open)-1].closes(n) {
				open = open[:len(open)-1]
				b.missing[l.start]++
			}
			lines[n] = headLine{start: l.start}
		}
		if l.kind == '{' {
			if h, ok := lines[margin]; ok && h.start >= line {
				lines[margin] = headLine{h.start, true}
			}
			after := skipSpace(text, l.end)
			open = append(open, openBrace{line, margin, -1, strings.Contains(text[l.end:after], "\n")})
		}
	}
	return b
}

// indent returns how many bytes of white space the line that starts at an offset
// begins with.
func indent(text string, line int) int {
	n := line
	for n < len(text) && (text[n] == ' ' || text[n] == '\t') {
		n++
	}
	return n - line
}

// dropInline drops the innermost braces inside lines for which over holds: they
// belong to an operation that has ended, and whose error says so.
func dropInline(open []openBrace, over func(o *openBrace) bool) []openBrace {
	for k := len(open) - 1; k >= 0 && !open[k].last && over(&open[k]); k-- {
		open = open[:k]
	}
	return open
}

// opensLine reports whether a token may be the first one of a statement that
// shows by its indentation which region it is in. Labels are indented in many
// ways.
func opensLine(k token) bool {
	return k == tokIdent || k == tokString || k == tokValue || k == tokHash || k == tokBang
}

// close handles the closing brace at which l is and returns the braces that
// stay open. n is its column if it is the first token on its line.
func (b *braces) close(open []openBrace, l *lexer, first bool, n int, lines map[int]headLine) []openBrace {
	if first {
		open = dropInline(open, func(o *openBrace) bool { return n < o.indent })
		for len(open) > 0 && open[len(open)-1].closes(n) && n < open[len(open)-1].indent {
			open = open[:len(open)-1]
			b.missing[l.start]++
		}
	}
	if k := len(open) - 1; k >= 0 && !(first && open[k].last && n > open[k].indent) {
		return open[:k]
	}
	s := strayBrace{off: l.start}
	if head, ok := lines[n]; ok && first && !head.opens {
		end := head.start + strings.IndexByte(l.text[head.start:], '\n')
		if next := skipSpace(l.text, end); next == l.start || next-strings.LastIndexByte(l.text[:next], '\n')-1 > n {
			s.head, s.next = head.start, next
		}
	}
	b.stray = append(b.stray, s)
	return open
}

// balanced reports whether every brace of a text has a counterpart.
func balanced(text string) bool {
	depth := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return false
			}
		case '"', '/':
			end := skipHidden(text, i)
			if end < 0 { // a string that is not closed ends with its line
				n := strings.IndexByte(text[i:], '\n')
				if n < 0 {
					return depth == 0
				}
				end = i + n
			}
			i = end
			continue
		}
		i++
	}
	return depth == 0
}

// without returns the text with blanks in place of the stray braces.
func (b *braces) without(text string) string {
	t := []byte(text)
	for _, s := range b.stray {
		t[s.off] = ' '
	}
	return string(t)
}
