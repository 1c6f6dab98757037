// This file splits a line of LLVM IR into words.

package llir

import "strings"

// lexer splits text into words. A word is a name with its sigil (%x, @f, !3, #1), a
// number, a keyword, a string with its quotes, or one punctuation character.
type lexer struct {
	text string
	pos  int
	// word is the current word, or "" at the end.
	word string
}

// lex returns a lexer at the first word of the text.
func lex(text string) *lexer {
	l := &lexer{text: text}
	l.next()
	return l
}

// next moves to the next word.
func (l *lexer) next() {
	for l.pos < len(l.text) && (l.text[l.pos] == ' ' || l.text[l.pos] == '\t' || l.text[l.pos] == '\r') {
		l.pos++
	}
	start := l.pos
	if start >= len(l.text) || l.text[start] == ';' {
		l.pos, l.word = len(l.text), ""
		return
	}
	c := l.text[start]
	l.pos++
	switch {
	case c == '%' || c == '@' || c == '!' || c == '#' || c == '$':
		if l.pos < len(l.text) && l.text[l.pos] == '"' {
			l.pos++
			l.quoted()
		} else {
			l.name()
		}
	case c == '"':
		l.quoted()
	case c == 'c' && l.pos < len(l.text) && l.text[l.pos] == '"':
		l.pos++
		l.quoted()
	case c == '-' || c == '+' || isName(c):
		l.name()
	}
	l.word = l.text[start:l.pos]
}

// quoted moves past the closing quote of a string.
func (l *lexer) quoted() {
	if end := strings.IndexByte(l.text[l.pos:], '"'); end >= 0 {
		l.pos += end + 1
	} else {
		l.pos = len(l.text)
	}
}

// name moves past the characters of a name or a number.
func (l *lexer) name() {
	for l.pos < len(l.text) && (isName(l.text[l.pos]) || l.text[l.pos] == '-' || l.text[l.pos] == '+' && l.pos > 0 && l.text[l.pos-1] == 'e') {
		l.pos++
	}
}

func isName(c byte) bool {
	return c == '_' || c == '.' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// accept moves to the next word if the current one is the given one.
func (l *lexer) accept(word string) bool {
	if l.word != word {
		return false
	}
	l.next()
	return true
}

// nameOf returns the name in a word that starts with a sigil.
func nameOf(word string) string {
	if len(word) < 2 {
		return ""
	}
	if word[1] == '"' {
		return unescape(strings.Trim(word[1:], `"`))
	}
	return word[1:]
}

// unescape replaces \XX in a string of LLVM IR by the byte with that hexadecimal number.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+2 < len(s) && hex(s[i+1]) >= 0 && hex(s[i+2]) >= 0 {
			b.WriteByte(byte(hex(s[i+1])<<4 | hex(s[i+2])))
			i += 2
		} else if s[i] == '\\' && i+1 < len(s) && s[i+1] == '\\' {
			b.WriteByte('\\')
			i++
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func hex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
