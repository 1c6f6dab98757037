// This file finds the end of a function body without parsing it, so that bodies can be
// parsed in parallel.

package ir

import "strings"

// The parser can hand a body to another goroutine only if it knows the end of the
// body. This file finds the end without parsing. It first guesses, because looking
// at each byte costs a good part of the time of parsing it. A guess needs no check
// of its own: the other parser must read from the first brace to exactly the last
// byte, so a wrong guess makes it fail. ReadText then reads the whole text again
// without guesses.

// bodyEnd returns the offset after the closing brace of a function body. The opening
// brace is the current token. If the closing brace is not found, it returns -1.
func (p *Parser) bodyEnd() int {
	if p.forked.guess {
		if end := p.guessEnd(); end >= 0 {
			p.forked.guessed.Store(true)
			return end
		}
	}
	return skipBraces(p.text, p.start)
}

// guessEnd guesses the end of the body that starts with the current brace, and returns
// the offset after it. The end is the first brace that starts a line with the same
// indentation as the line of the opening brace, because printers put it there. Searching
// for this line is many times faster than classifying each byte. After a wrong guess the
// parser of the body reports an error, and the text is read again without guesses.
//
// It returns -1 if the current brace does not end its line, if the line is very long, or
// if no closing line follows. The last case is cached in p.unclosed, so that the parser
// does not search the rest of the text for each body.
func (p *Parser) guessEnd() int {
	s, i := p.text, p.start
	if !strings.HasPrefix(s[i+1:], "\n") && !strings.HasPrefix(s[i+1:], "\r\n") {
		return -1
	}
	from := max(0, i-maxHeadLine)
	line := strings.LastIndexByte(s[from:i], '\n') + 1 + from
	if line == from && from > 0 {
		return -1
	}
	indent := line
	for s[indent] == ' ' {
		indent++
	}
	close := "\n" + s[line:indent] + "}"
	if p.unclosed[close] {
		return -1
	}
	n := strings.Index(s[i:], close)
	if n < 0 {
		if p.unclosed == nil {
			p.unclosed = map[string]bool{}
		}
		p.unclosed[close] = true
		return -1
	}
	return i + n + len(close)
}

// maxHeadLine limits the work of guessEnd, which finds the end of a body without parsing
// it. If the line with the opening brace of the body is longer than maxHeadLine bytes,
// guessEnd gives up.
const maxHeadLine = 16 << 10

// skipBraces returns the offset after the brace that closes the opening brace at offset
// i, or -1 if it is missing. It skips strings and comments and ignores all other
// brackets.
func skipBraces(s string, i int) int {
	for depth := 0; ; {
		for i < len(s) && class[s[i]]&clsNest == 0 {
			i++
		}
		if i == len(s) {
			return -1
		}
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '/':
			if i = skipHidden(s, i); i < 0 {
				return -1
			}
			continue
		}
		i++
	}
}
