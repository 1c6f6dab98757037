// This file escapes text from programs, so that no name or string can control a
// terminal, log or CI system.

package ir

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Visible returns text as one line that terminals, logs and editors display literally.
// Programs contain arbitrary text, which must not be able to control a terminal. Visible
// therefore escapes control characters, line ends, characters that change the text
// direction, other unprintable characters and invalid UTF-8, as \x1b, \n and \u202e. In a
// command to a CI system (::error at the start of a line, ##[error] or ##vso[...]
// anywhere) it escapes the first character. It keeps tabs.
//
// All code that writes messages, listings or comments in generated code calls Visible.
// Operations, rules and passes can therefore put names into messages unchanged.
//
//go:noinline
func Visible(text string) string {
	shown, _ := visibleAt(text, 0)
	return shown
}

// visibleAt returns the result of Visible for the text, in which special characters are
// escaped. The int argument is a byte offset in the text. The int result is the
// corresponding byte offset in the escaped text, which formatLine needs to place the
// caret.
func visibleAt(text string, at int) (shown string, shownAt int) {
	if isVisible(text) {
		return text, at
	}
	var b strings.Builder
	start := len(text) - len(strings.TrimLeft(text, " \t")) // a CI system ignores leading white space
	for i := 0; i < len(text); {
		if i <= at {
			shownAt = b.Len()
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && n == 1,
			i == start && strings.HasPrefix(text[i:], "::"), isBracketCommand(text[i:]):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\t' || unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(escapedRune(r))
		}
		i += n
	}
	if at >= len(text) {
		shownAt = b.Len()
	}
	return b.String(), shownAt
}

// isVisible reports whether the text can be printed unchanged: it has no control
// characters, non-ASCII characters or commands that CI systems execute. Visible then
// needs no copy, which is the case for nearly all texts.
func isVisible(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= utf8.RuneSelf || c < ' ' && c != '\t' || c == 0x7f,
			c == '#' && isBracketCommand(text[i:]):
			return false
		}
	}
	return !strings.HasPrefix(strings.TrimLeft(text, " \t"), "::")
}

// maxCommand is the maximum length in bytes of the text "##NAME[" that isBracketCommand
// recognizes. CI systems execute such commands when they occur in a log. The limit keeps
// the search linear in the length of a log.
const maxCommand = 32

// isBracketCommand reports whether text begins with ##NAME[ or ##[, a command to a CI
// system.
func isBracketCommand(text string) bool {
	name, ok := strings.CutPrefix(text[:min(len(text), maxCommand)], "##")
	if !ok {
		return false
	}
	rest := strings.TrimLeftFunc(name, func(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' })
	return strings.HasPrefix(rest, "[")
}

// escapedRune returns the escape sequence of a character that is valid in strings of Go,
// JSON and C.
func escapedRune(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// VisibleJSON returns an equivalent JSON document that terminals and CI systems
// display literally. encoding/json does not escape some control characters,
// characters that change the direction of text, and commands of the form ##[error]
// in strings.
func VisibleJSON(doc []byte) []byte {
	b := make([]byte, 0, len(doc)+64)
	for i := 0; i < len(doc); {
		r, n := utf8.DecodeRune(doc[i:])
		switch {
		case r == '#' && isBracketCommand(string(doc[i:min(len(doc), i+maxCommand)])):
			b = append(b, `\u0023`...)
		case r == '\n' || r == '\t' || unicode.IsPrint(r):
			b = append(b, doc[i:i+n]...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04x`, hi, lo)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
		i += n
	}
	return b
}
