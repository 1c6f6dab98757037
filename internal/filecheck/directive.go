// This file finds directives in the check file.

package filecheck

import (
	"slices"
	"strings"
)

// directive is one directive of the check file, such as CHECK-NEXT: with its pattern.
type directive struct {
	suffix
	// prefix is the check prefix, such as CHECK.
	prefix string
	// pos is the offset of the prefix in the check file.
	pos     int
	pattern *pattern
}

// scanner finds the directives of a check file.
type scanner struct {
	file *file
	o    *Options
	// check lists the check prefixes, with the longest first.
	check []string
	// comment lists the prefixes of comments.
	comment []string
	// vars are the variables that have been defined so far.
	vars *declarations
	// found are the directives in the order of the file.
	found []*directive
	// used is the set of prefixes with at least one directive.
	used map[string]bool
	// problems are the errors in the check file.
	problems []Diagnostic
}

// scan parses the entire check file. After an incorrect directive it continues with the
// next line, so that all errors are reported together.
func (s *scanner) scan() {
	text := s.file.text
	for pos := 0; pos < len(text); {
		prefix, isComment := s.prefixAt(pos)
		switch {
		case prefix == "":
			pos++
		case isComment:
			pos += len(prefix)
			if strings.HasPrefix(text[pos:], ":") {
				pos = s.lineEnd(pos)
			}
		default:
			pos = s.directive(prefix, pos)
		}
	}
}

// prefixAt returns the longest check or comment prefix that starts at offset pos, unless
// it is the end of a longer word. The result isComment is true for a comment prefix. The
// result prefix is "" if there is none.
func (s *scanner) prefixAt(pos int) (prefix string, isComment bool) {
	text := s.file.text
	if pos > 0 && isPrefixByte(text[pos-1]) || !isPrefixByte(text[pos]) {
		return "", false
	}
	for _, p := range s.check {
		if strings.HasPrefix(text[pos:], p) {
			prefix = p
			break
		}
	}
	for _, p := range s.comment {
		if len(p) > len(prefix) && strings.HasPrefix(text[pos:], p) {
			return p, true
		}
	}
	return prefix, false
}

// longestFirst returns the prefixes sorted by length for prefixAt, the longest
// first.
func longestFirst(prefixes []string) []string {
	return slices.SortedStableFunc(slices.Values(prefixes), func(a, b string) int { return len(b) - len(a) })
}

// lineEnd returns the offset of the end of the line that contains pos.
func (s *scanner) lineEnd(pos int) int {
	if n := strings.IndexAny(s.file.text[pos:], "\n\r"); n >= 0 {
		return pos + n
	}
	return len(s.file.text)
}

// directive parses a directive. Its check prefix is at offset pos of the file. The result
// is the offset at which the caller continues to scan.
func (s *scanner) directive(prefix string, pos int) int {
	after := pos + len(prefix)
	suf, ok, err := parseSuffix(s.file.text[after:s.lineEnd(after)], after, prefix)
	if err != nil {
		s.problem(err)
		return s.lineEnd(after)
	}
	if !ok {
		return after
	}
	d := &directive{suffix: suf, prefix: prefix, pos: pos}
	begin, end := after+suf.length, s.lineEnd(after)
	if !s.o.literalSpace() {
		body := s.file.text[begin:end]
		begin += len(body) - len(strings.TrimLeft(body, " \t"))
		end = begin + len(strings.TrimRight(s.file.text[begin:end], " \t"))
	}
	s.add(d, s.file.text[begin:end], begin)
	return s.lineEnd(after)
}

// add parses the pattern of the directive d from the text body, and records d if the
// pattern is correct. at is the offset of the text in the check file.
func (s *scanner) add(d *directive, body string, at int) {
	line := s.file.lineOf(d.pos) + 1
	p, err := parsePattern(d, body, at, line, s.o, s.vars)
	if err == nil && d.kind == kindLabel && p.usesVariables() {
		err = errorAt(d.pos, "found '%s:' with variable definition or use", d.spelling())
	}
	if err == nil && (d.kind == kindNext || d.kind == kindSame || d.kind == kindEmpty) && !s.anchored() {
		err = errorAt(d.pos, "found '%s' without previous '%s: line", d.spelling(), d.prefix)
	}
	if err != nil {
		s.problem(err)
		return
	}
	d.pattern = p
	s.used[d.prefix] = true
	s.found = append(s.found, d)
}

// anchored reports whether the check file contains a preceding directive to which -NEXT
// can refer. After an incorrect directive it returns true, so that this mistake does not
// cause further errors.
func (s *scanner) anchored() bool {
	return len(s.problems) > 0 || slices.ContainsFunc(s.found, func(d *directive) bool {
		return d.kind != kindNot && d.kind != kindDag
	})
}

// problem records the error err. The scan continues.
func (s *scanner) problem(err *patternError) {
	s.problems = append(s.problems, s.file.at(err.pos, SeverityError, "%s", err.message))
}
