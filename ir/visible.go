package ir

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Visible returns text, of which a program may have chosen any part, as one line
// that terminals, logs and editors show and do not obey. Escapes such as \x1b, \n
// and \u202e replace control characters, line ends, marks that change the direction
// of text, other characters that do not print, and bytes that are not UTF-8. A
// command to a CI system (::error at the start of a line, ##[error] or
// ##vso[...] anywhere) loses its first character in the same way. Tabs stay.
//
// Messages, listings and comments in emitted code pass through here where they
// are written, so that an operation, a rule or a pass can put names into a
// message as they are.
func Visible(text string) string {
	shown, _ := visibleAt(text, 0)
	return shown
}

// VisibleLines is Visible for text of several lines.
func VisibleLines(text string) string {
	if !strings.Contains(text, "\n") {
		return Visible(text)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Visible(line)
	}
	return strings.Join(lines, "\n")
}

// visibleAt is Visible that also returns where the byte at offset at of the text
// begins in the result.
func visibleAt(text string, at int) (shown string, shownAt int) {
	if isVisible(text) {
		return text, at
	}
	var b strings.Builder
	start := len(text) - len(strings.TrimLeft(text, " \t")) // a CI system skips these
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

// isVisible reports whether Visible returns text as it is; texts of plain ASCII
// letters, which nearly all are, cost no copy.
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

// maxCommand bounds the name of a command of a CI system, so that text of many
// letters is read once.
const maxCommand = 32

// isBracketCommand reports whether text begins with ##NAME[ or ##[.
func isBracketCommand(text string) bool {
	name, ok := strings.CutPrefix(text[:min(len(text), maxCommand)], "##")
	if !ok {
		return false
	}
	rest := strings.TrimLeftFunc(name, func(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' })
	return strings.HasPrefix(rest, "[")
}

// escapedRune is a character as Go, JSON and C write it in strings.
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

// VisibleJSON returns a JSON document that means the same and that terminals and
// CI systems show as it is: encoding/json leaves some control characters and the
// marks of direction in strings, and commands of the form ##[error].
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
