// This file finds braces without a counterpart, so that a syntax error can name the
// missing one.

package ir

import "strings"

// braces lists the braces of a program text that have no matching brace. With this list
// the parser reports the line at which a brace is missing. Without it, the parser could
// only report an error at the end of the file. Where the nesting is ambiguous, the
// indentation decides: printers and people indent the closing brace of a region like the
// line that contains the opening brace.
type braces struct {
	// missing maps the byte offset of a token in the program text to the number of
	// closing braces that are missing before this token.
	missing map[int]int
	// stray lists the closing braces without an opening brace, in the order of the text.
	stray []strayBrace
}

// strayBrace is a closing brace for which the text has no opening brace.
type strayBrace struct {
	// off is the offset of the closing brace in the text, in bytes.
	off int
	// head and next are byte offsets of lines. The line at head looks like the first line
	// of a region whose opening brace is missing, and the region extends up to the line
	// at next. next is 0 if no line looks like that.
	head, next int
}

// openBrace is an opening brace whose closing brace has not been found yet.
type openBrace struct {
	// line is the offset of the start of the line that contains the brace, in bytes from
	// the start of the text.
	line int
	// indent is the indentation of that line in bytes.
	indent int
	// inner is the indentation in bytes of the first line after the brace, or -1 before
	// that line has been read.
	inner int
	// last reports whether the brace is the last token of its line. Then its region
	// extends over the following lines.
	last bool
}

// headLine is a line of the program text that starts a statement. If the statement has a
// region, the line normally contains the opening brace of the region.
type headLine struct {
	// start is the offset of the first token of the line, in bytes from the start of the
	// text.
	start int
	// opens reports whether the line contains an opening brace.
	opens bool
}

// closes reports whether a line that is indented by n bytes ends the region of the
// opening brace o. It uses only the indentation. This is reliable only if o is the last
// token of its line and the region is indented more deeply than this line. If it is not
// reliable, the result is false.
func (o *openBrace) closes(n int) bool { return o.last && n <= o.indent && o.inner > o.indent }

// findBraces searches for braces that have no matching brace, to locate errors. It uses
// the indentation of lines only for a text whose braces are not balanced. For a balanced
// text the result is empty, so unusual indentation never makes a correct text an error.
func findBraces(src *Source) braces {
	text := src.Text
	b := braces{missing: map[int]int{}}
	if balanced(text) {
		return b
	}
	l := lexer{text: text}
	var open []openBrace
	lines := map[int]headLine{} // by indentation: the last line that had it
	line, margin := -1, 0       // offset and indentation of the current line
	for l.next(); l.kind != tokEOF; l.next() {
		if at := src.lineStart(l.start); at != line {
			line, margin = at, indent(text, at)
		}
		// An unterminated string or symbol hides the rest of its line. The scan
		// goes on with the next line and forgets the inline braces, whose closing
		// ones may be hidden.
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
		// A closing brace and the start of a statement are the two tokens whose
		// indentation shows where regions end.
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

// indent returns the number of blanks and tabs at the start of a line of the text. The
// parameter line is the offset of this line.
func indent(text string, line int) int {
	n := line
	for n < len(text) && (text[n] == ' ' || text[n] == '\t') {
		n++
	}
	return n - line
}

// dropInline removes opening braces from the end of the list open. It removes the last
// brace as long as two conditions hold for it: further text follows the brace on its
// line, and the operation that contains the brace has ended. The callback over reports
// the second condition. The removed braces have no closing braces, but the parser does
// not report them as unclosed, because it reports a more precise error about the
// operation.
func dropInline(open []openBrace, over func(o *openBrace) bool) []openBrace {
	for k := len(open) - 1; k >= 0 && !open[k].last && over(&open[k]); k-- {
		open = open[:k]
	}
	return open
}

// opensLine reports whether a token of kind k, as the first token of a line, starts a
// statement. findBraces compares the indentation of such lines with the nesting of
// braces. It ignores lines with block labels (^bb0), because people indent them in
// several ways.
func opensLine(k token) bool {
	return k == tokIdent || k == tokString || k == tokValue || k == tokHash || k == tokBang
}

// close processes the current token of the lexer l, a closing brace. open contains the
// opening braces without a closing brace so far, and the result contains those that
// remain. first states whether the brace is the first token of its line, and n is the
// indentation of this line in bytes. The map lines describes, for each indentation, the
// last line that has it. close uses it to guess which region a superfluous brace should
// have closed.
func (b *braces) close(open []openBrace, l *lexer, first bool, n int, lines map[int]headLine) []openBrace {
	// A brace that is indented less than the line of an open region belongs to an
	// outer region, so the closing brace of the inner region is missing.
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
	// The brace closes nothing. The last line with the same indentation is probably
	// the head of its region if the text after that line is indented more deeply or
	// is the brace itself.
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

// balanced reports whether every brace of text has a matching brace. Braces in strings
// and comments are ignored.
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

// without returns text with each stray closing brace replaced by a blank. Byte offsets
// stay the same, so the parser can continue after the brace and report positions in the
// original text.
func (b *braces) without(text string) string {
	t := []byte(text)
	for _, s := range b.stray {
		t[s.off] = ' '
	}
	return string(t)
}
