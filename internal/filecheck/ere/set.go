// This file implements sets of characters.

package ere

import (
	"fmt"
	"strings"
)

// set is a set of byte values, with one bit for each of the 256 values. In this package,
// each character of an expression or a text represents one byte.
type set [4]uint64

// add adds the character c to the set. Bit c of the set is bit c%64 of word c/64.
func (s *set) add(c rune)      { s[c>>6&3] |= 1 << (c & 63) }
func (s *set) remove(c rune)   { s[c>>6&3] &^= 1 << (c & 63) }
func (s *set) has(c rune) bool { return uint32(c) < 256 && s[c>>6]>>(c&63)&1 != 0 }
func (s *set) addRange(lo, hi rune) {
	for c := lo; c <= hi; c++ {
		s.add(c)
	}
}

// negate replaces the set by its complement, but without the newline: in FileCheck, a
// negated class such as [^a] does not match the end of a line.
func (s *set) negate() {
	for i := range s {
		s[i] = ^s[i]
	}
	s.remove('\n')
}

// fold adds, for every ASCII letter in the set, the same letter in the other case.
func (s *set) fold() {
	for c := 'a'; c <= 'z'; c++ {
		upper := c - 'a' + 'A'
		if s.has(c) {
			s.add(upper)
		} else if s.has(upper) {
			s.add(c)
		}
	}
}

// addClass adds the members of the named POSIX class in the C locale. It returns false
// for an unknown name.
func (s *set) addClass(name string) bool {
	switch name {
	case "alnum":
		s.addClass("alpha")
		s.addClass("digit")
	case "alpha":
		s.addClass("upper")
		s.addClass("lower")
	case "blank":
		s.add(' ')
		s.add('\t')
	case "cntrl":
		s.addRange(0, 31)
		s.add(127)
	case "digit":
		s.addRange('0', '9')
	case "graph":
		s.addRange('!', '~')
	case "lower":
		s.addRange('a', 'z')
	case "print":
		s.addRange(' ', '~')
	case "punct":
		s.addRange('!', '/')
		s.addRange(':', '@')
		s.addRange('[', '`')
		s.addRange('{', '~')
	case "space":
		s.addRange('\t', '\r')
		s.add(' ')
	case "upper":
		s.addRange('A', 'Z')
	case "xdigit":
		s.addRange('0', '9')
		s.addRange('a', 'f')
		s.addRange('A', 'F')
	default:
		return false
	}
	return true
}

// goClass writes the set as a character class of Go's regexp syntax.
func (s *set) goClass() string {
	var b strings.Builder
	b.WriteByte('[')
	for lo := rune(0); lo < 256; lo++ {
		if !s.has(lo) {
			continue
		}
		hi := lo
		for hi < 255 && s.has(hi+1) {
			hi++
		}
		fmt.Fprintf(&b, `\x{%x}`, lo)
		if hi > lo {
			fmt.Fprintf(&b, `-\x{%x}`, hi)
		}
		lo = hi
	}
	if b.Len() == 1 {
		return `[^\x{0}-\x{10FFFF}]` // nothing matches
	}
	b.WriteByte(']')
	return b.String()
}

// isWord reports whether c is a word character for the boundaries [[:<:]] and [[:>:]].
func isWord(c rune) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
