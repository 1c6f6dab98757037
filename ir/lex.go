// This file splits a text into tokens.

package ir

import "strings"

// token is the kind of a lexical token. A punctuation character is its own kind.
type token uint8

const (
	// The kinds of tokens. A punctuation character is a token of its own, whose kind is
	// the character.
	tokEOF    token = 0
	tokBad    token = 1 + iota // unterminated string or stray byte
	tokIdent                   // bare identifier or keyword
	tokInt                     // 12, 0x1F
	tokFloat                   // 1.0, 2.5e-3
	tokString                  // "..."
	tokValue                   // %name, %3
	tokBlock                   // ^name
	tokSymbol                  // @name, @"name"
	tokHash                    // #name
	tokBang                    // !name
	tokArrow                   // ->
	tokColon2                  // ::
	tokDots                    // ...
	tokBegin                   // {-#
	tokEnd                     // #-}
)

// describe returns the name of a token kind for diagnostics.
func (t token) describe() string {
	switch t {
	case tokEOF:
		return "end of input"
	case tokBad:
		return "invalid text"
	case tokIdent:
		return "identifier"
	case tokInt:
		return "integer"
	case tokFloat:
		return "number"
	case tokString:
		return "string"
	case tokValue:
		return "SSA value"
	case tokBlock:
		return "block name"
	case tokSymbol:
		return "symbol name"
	case tokHash:
		return "attribute"
	case tokBang:
		return "dialect type"
	case tokArrow:
		return "'->'"
	case tokColon2:
		return "'::'"
	case tokDots:
		return "'...'"
	case tokBegin:
		return "'{-#'"
	case tokEnd:
		return "'#-}'"
	}
	return "'" + string(rune(t)) + "'"
}

// Classes of bytes. The lexer classifies a byte with one table lookup.
const (
	clsNameStart = 1 << iota // letters and _
	clsDigit
	clsNameMore // $ and . inside bare identifiers
	clsSuffix   // - inside value, block and alias names
	clsSpace
	clsPunct
	clsNest // braces, and the bytes that start strings and comments, which may hide braces
)

// class contains, for each byte, the set of its character classes as bits. For example, a
// letter can start a name, and a digit can be part of a number. The lexer uses these
// classes to find the ends of tokens.
var class = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-32] = clsNameStart, clsNameStart
	}
	t['_'] |= clsNameStart
	for c := '0'; c <= '9'; c++ {
		t[c] |= clsDigit
	}
	t['$'] |= clsNameMore
	t['.'] |= clsNameMore
	t['-'] |= clsSuffix
	for _, c := range " \t\r\n" {
		t[c] |= clsSpace
	}
	for _, c := range "()[]{}<>,:=?*+-/|;." {
		t[c] |= clsPunct
	}
	for _, c := range "{}\"/" {
		t[c] |= clsNest
	}
	return
}()

// isNameStart reports whether a bare name can begin with c.
func isNameStart(c byte) bool { return class[c]&clsNameStart != 0 }

// isNameByte reports whether a bare name can contain c.
func isNameByte(c byte) bool { return class[c]&(clsNameStart|clsDigit|clsNameMore) != 0 }

// isSuffixByte reports whether c can occur in a name after %, ^, # or !. A name of this
// kind may also contain a hyphen, which bare identifiers cannot.
func isSuffixByte(c byte) bool {
	return class[c]&(clsNameStart|clsDigit|clsNameMore|clsSuffix) != 0
}

// isDigit reports whether c is a decimal digit.
func isDigit(c byte) bool { return class[c]&clsDigit != 0 }

// lexer splits a text into tokens. It scans the text once from left to right and holds
// only the current token. Copying a lexer is a cheap way to look ahead without moving the
// original.
type lexer struct {
	// text is the whole text; offsets refer to it.
	text string
	// kind is the kind of the current token.
	kind token
	// start and end are the offsets of the current token.
	start, end int
	// prevEnd is the offset of the end of the previous token.
	prevEnd int
}

// next moves to the next token.
func (l *lexer) next() {
	l.prevEnd = l.end
	i := skipSpace(l.text, l.end)
	l.start = i
	if i >= len(l.text) {
		l.kind, l.end = tokEOF, i
		return
	}
	c := l.text[i]
	switch {
	case isNameStart(c):
		for i++; i < len(l.text) && isNameByte(l.text[i]); i++ {
		}
		l.kind, l.end = tokIdent, i
	case c == '%' || c == '^' || c == '#' || c == '!':
		l.sigil(c)
	case isDigit(c):
		l.number()
	case c == '"':
		l.end = skipString(l.text, i)
		l.kind = tokString
		if l.end < 0 {
			l.kind, l.end = tokBad, len(l.text)
		}
	case c == '@':
		l.symbol()
	case c == '-' && l.at(i+1) == '>':
		l.kind, l.end = tokArrow, i+2
	case c == ':' && l.at(i+1) == ':':
		l.kind, l.end = tokColon2, i+2
	case c == '.' && strings.HasPrefix(l.text[i:], "..."):
		l.kind, l.end = tokDots, i+3
	case c == '{' && strings.HasPrefix(l.text[i:], "{-#"):
		l.kind, l.end = tokBegin, i+3
	case class[c]&clsPunct != 0:
		l.kind, l.end = token(c), i+1
	default:
		l.kind, l.end = tokBad, i+1
	}
}

// skipSpace returns the offset of the first byte at or after i that is
// neither white space nor part of a comment.
func skipSpace(s string, i int) int {
	for i < len(s) {
		switch c := s[i]; {
		case class[c]&clsSpace != 0:
			i++
		case c == '/' && i+1 < len(s) && s[i+1] == '/':
			n := strings.IndexByte(s[i:], '\n')
			if n < 0 {
				return len(s)
			}
			i += n + 1
		default:
			return i
		}
	}
	return i
}

// skipString returns the offset after the closing quote of the string that starts at
// offset i. It returns -1 if the string does not end on the same line.
func skipString(s string, i int) int {
	plain := 0
	for i++; i < len(s); i++ {
		switch s[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		case '\n':
			return -1
		}
		if plain++; plain == 64 { // a long string
			i += plainBytes(s[min(i+1, len(s)):]) // the text can end with a backslash
			plain = 0
		}
	}
	return -1
}

// plainBytes returns how many bytes at the start of s are plain characters of a string
// literal: they neither end the literal nor begin an escape. It searches for each special
// byte separately, and such a search continues to the end of s if the byte does not
// occur. The function therefore examines at most 4 KiB of s; otherwise each short literal
// would cost time proportional to the rest of the program.
func plainBytes(s string) int {
	s = s[:min(len(s), 1<<12)]
	for _, c := range []byte("\"\\\n") {
		if at := strings.IndexByte(s, c); at >= 0 {
			s = s[:at]
		}
	}
	return len(s)
}

// at returns byte i of the text, or 0 after its end.
func (l *lexer) at(i int) byte {
	if i < len(l.text) {
		return l.text[i]
	}
	return 0
}

// sigil scans a token that starts with the character c: %name, ^name, #name, !name, or
// the token #-}.
func (l *lexer) sigil(c byte) {
	i := l.start + 1
	switch first := l.at(i); {
	case c == '#' && first == '-' && l.at(i+1) == '}':
		l.kind, l.end = tokEnd, i+2
		return
	case isDigit(first) && c != '!':
		for i++; isDigit(l.at(i)); i++ {
		}
	case isNameStart(first) || class[first]&(clsNameMore|clsSuffix) != 0 && c != '#' && c != '!':
		for i++; i < len(l.text) && isSuffixByte(l.text[i]); i++ {
			// In "#a->" and "!a->" the arrow is not part of the name.
			if l.text[i] == '-' && l.at(i+1) == '>' {
				break
			}
		}
	default:
		l.kind, l.end = tokBad, i
		return
	}
	l.end = i
	switch c {
	case '%':
		l.kind = tokValue
	case '^':
		l.kind = tokBlock
	case '#':
		l.kind = tokHash
	default:
		l.kind = tokBang
	}
}

// symbol scans the token @name or @"name".
func (l *lexer) symbol() {
	i := l.start + 1
	l.kind = tokSymbol
	switch {
	case l.at(i) == '"':
		if i = skipString(l.text, i); i < 0 {
			l.kind, i = tokBad, len(l.text)
		}
	case isNameStart(l.at(i)):
		for i++; i < len(l.text) && isNameByte(l.text[i]); i++ {
		}
	default:
		l.kind = tokBad
	}
	l.end = i
}

// number scans a decimal or hexadecimal integer, or a floating-point number.
func (l *lexer) number() {
	s, i := l.text, l.start
	l.kind = tokInt
	if s[i] == '0' && l.at(i+1) == 'x' && isHex(l.at(i+2)) {
		for i += 2; isHex(l.at(i)); i++ {
		}
		l.end = i
		return
	}
	for isDigit(l.at(i)) {
		i++
	}
	if l.at(i) == '.' {
		l.kind = tokFloat
		for i++; isDigit(l.at(i)); i++ {
		}
		if e := l.at(i); e == 'e' || e == 'E' {
			k := i + 1
			if c := l.at(k); c == '+' || c == '-' {
				k++
			}
			if isDigit(l.at(k)) {
				for i = k; isDigit(l.at(i)); i++ {
				}
			}
		}
	}
	l.end = i
}

// isHex reports whether c is a hexadecimal digit.
func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// unquote returns the content of the string token s: without the quotes and with escapes
// resolved. The second result is false if an escape is invalid.
func unquote(s string) (string, bool) {
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b = append(b, s[i])
			continue
		}
		if i++; i >= len(s) {
			return "", false
		}
		switch c := s[i]; {
		case c == 'n':
			b = append(b, '\n')
		case c == 't':
			b = append(b, '\t')
		case c == '\\' || c == '"':
			b = append(b, c)
		case i+1 < len(s) && isHex(c) && isHex(s[i+1]):
			b = append(b, unhex(c)<<4|unhex(s[i+1]))
			i++
		default:
			return "", false
		}
	}
	return string(b), true
}

// unhex returns the value of the hexadecimal digit c, which the caller has checked with
// isHex.
func unhex(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}

// skipHidden skips the string or comment that starts at offset i, whose brackets must not
// be counted, and returns the offset after it. If neither starts at i, it returns i+1. It
// returns -1 for an unterminated string.
func skipHidden(s string, i int) int {
	switch {
	case s[i] == '"':
		return skipString(s, i)
	case strings.HasPrefix(s[i:], "//"):
		return skipSpace(s, i)
	}
	return i + 1
}

// skipBalanced returns the offset after the bracket that closes the one at offset i. It
// returns -1 if that bracket is missing or the nesting exceeds 64. It skips strings,
// comments and the > of an arrow ->.
func skipBalanced(s string, i int) int {
	var stack [64]byte
	depth := 0
	for i < len(s) {
		switch c := s[i]; c {
		case '(', '[', '{', '<':
			if depth == len(stack) {
				return -1
			}
			stack[depth] = closer(c)
			depth++
		case ')', ']', '}', '>':
			if c == '>' && i > 0 && s[i-1] == '-' {
				break
			}
			depth--
			if stack[depth] != c {
				return -1
			}
			if depth == 0 {
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
	return -1
}

// closer returns the closing bracket for the opening bracket c.
func closer(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return '>'
}
