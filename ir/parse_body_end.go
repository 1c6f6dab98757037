package ir

import "strings"

// A body can be handed to another parser only when its end is known. This file finds
// the end without parsing: it guesses first, because looking at each byte of a body
// costs a good part of the time of parsing it. A guess needs no check of its own. The body
// must be read from its first brace to exactly its last byte, so a wrong end is an
// error of the body, and Parse then reads the whole text again without guesses.

// bodyEnd returns the offset after the body that opens here, or -1.
func (p *Parser) bodyEnd() int {
	if p.forked.guess {
		if end := p.guessEnd(); end >= 0 {
			p.forked.guessed.Store(true)
			return end
		}
	}
	return skipBraces(p.text, p.start)
}

// guessEnd returns the offset after the first brace that starts a line with
// the same indentation as the line of the brace at i, or -1. In a program as
// printers write it, that brace closes the one at i. Looking for a line is many
// times faster than looking at each byte. A wrong guess shows when the body has
// been parsed.
//
// Only a brace at the end of a line of usual length is worth a guess. That there is
// no such line from here on is remembered, so that a text is not searched to its end
// for each body in it.
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

// maxHeadLine is the longest line whose indentation is looked for.
const maxHeadLine = 16 << 10

// skipBraces returns the offset after the brace that closes the one at i, or
// -1. Only braces, strings and comments count.
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
