// This file translates expressions to Go's syntax.

package ere

import (
	"regexp"
	"strconv"
	"strings"
)

// translate returns the tree in Go's regexp syntax. The tree must not contain back
// references or word boundaries, which this syntax cannot express.
func translate(n node) string {
	var b strings.Builder
	writeGo(&b, n)
	return b.String()
}

// writeGo writes one node of a POSIX expression in Go's regexp syntax. The result may
// need more parentheses than the POSIX expression. The additional ones are non-capturing,
// so that group numbers stay the same.
func writeGo(b *strings.Builder, n node) {
	switch n := n.(type) {
	case char:
		b.WriteString(regexp.QuoteMeta(string(rune(n))))
	case class:
		b.WriteString(n.goClass())
	case anchor:
		// Every line of the text is a line of its own for ^ and $.
		b.WriteString("(?m:" + string(rune(n)) + ")")
	case sequence:
		for _, part := range n {
			writeGo(b, part)
		}
	case choice:
		b.WriteString("(?:")
		for i, alternative := range n {
			if i > 0 {
				b.WriteByte('|')
			}
			writeGo(b, alternative)
		}
		b.WriteByte(')')
	case group:
		b.WriteByte('(')
		writeGo(b, n.body)
		b.WriteByte(')')
	case repeat:
		b.WriteString("(?:")
		writeGo(b, n.body)
		b.WriteByte(')')
		writeCount(b, n.min, n.max)
		if n.lazy {
			b.WriteByte('?')
		}
	default:
		panic("BUG: expression not expressible in Go's syntax")
	}
}

// writeCount writes a repetition operator in Go's regexp syntax for lo to hi repetitions;
// a negative hi means no limit.
func writeCount(b *strings.Builder, lo, hi int) {
	switch {
	case lo == 0 && hi < 0:
		b.WriteByte('*')
	case lo == 1 && hi < 0:
		b.WriteByte('+')
	case lo == 0 && hi == 1:
		b.WriteByte('?')
	default:
		b.WriteString("{" + strconv.Itoa(lo))
		if hi != lo {
			b.WriteByte(',')
			if hi >= 0 {
				b.WriteString(strconv.Itoa(hi))
			}
		}
		b.WriteByte('}')
	}
}
