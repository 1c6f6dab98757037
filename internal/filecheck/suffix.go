// This file parses directive suffixes such as -NEXT.

package filecheck

import (
	"math"
	"strconv"
	"strings"
)

// kind is the kind of a directive.
type kind uint8

const (
	// kindPlain is CHECK, which requires a match anywhere after the previous one.
	kindPlain kind = iota
	// kindNext requires a match on the next line.
	kindNext
	// kindSame requires a match on the same line.
	kindSame
	// kindEmpty requires that the next line is empty.
	kindEmpty
	// kindLabel requires a match that starts a new block of the input.
	kindLabel
	// kindCount requires several matches.
	kindCount
	// kindNot requires that no match exists.
	kindNot
	// kindDag requires a match, but adjacent directives of this kind can match in any
	// order.
	kindDag
	// kindImplicitNot is a NOT directive from --implicit-check-not.
	kindImplicitNot
	// kindEOF is the end of the input, for NOT and DAG directives at the end.
	kindEOF
)

// suffixes maps the suffix of a check directive to the kind of the directive. For
// example, CHECK-NEXT has the suffix NEXT. The map omits suffixes with a parameter, such
// as COUNT-3.
var suffixes = map[string]kind{
	"": kindPlain, "NEXT": kindNext, "SAME": kindSame, "EMPTY": kindEmpty,
	"LABEL": kindLabel, "NOT": kindNot, "DAG": kindDag,
}

// noCombination lists directive suffixes that look plausible but do not exist:
// combinations of NOT with another suffix, such as CHECK-NOT-NEXT. The parser reports an
// error for them.
var noCombination = []string{
	"NOT-NEXT", "NEXT-NOT", "NOT-SAME", "SAME-NOT", "NOT-EMPTY", "EMPTY-NOT",
	"NOT-DAG", "DAG-NOT",
}

// suffix is the part of a check directive between its prefix and its pattern, such as
// -NEXT:. It includes the colon.
type suffix struct {
	kind kind
	// count is the number of repetitions; it is 1 except for -COUNT.
	count int
	// literal means that the pattern is literal text (the modifier {LITERAL}).
	literal bool
	// length is the length of the suffix in bytes.
	length int
}

// parseSuffix parses the suffix of a directive, such as -NEXT:, at the start of text. The
// parameter pos is the offset of the text in the check file, and prefix is the word that
// precedes the text. If the text does not start with a suffix, the word is not a
// directive; then ok is false and err is nil.
func parseSuffix(text string, pos int, prefix string) (s suffix, ok bool, err *patternError) {
	s.count = 1
	rest := text
	misspelled := false
	if rest != "" && (rest[0] == '-' || rest[0] == '_') {
		misspelled = rest[0] == '_'
		for _, c := range noCombination {
			if strings.HasPrefix(rest[1:], c+":") {
				if misspelled {
					return s, false, errorAt(pos-len(prefix), "misspelled directive '%s_'", prefix)
				}
				return s, false, errorAt(pos+1, "unsupported -NOT combo on prefix '%s'", prefix)
			}
		}
		if strings.HasPrefix(rest[1:], "COUNT-") {
			s.kind = kindCount
			rest, err = s.parseCount(rest[len("-COUNT-"):], pos+len("-COUNT-"), prefix)
			if err != nil {
				return s, false, err
			}
		} else {
			name := rest[1 : 1+wordLength(rest[1:])]
			known := name != ""
			if s.kind, ok = suffixes[name]; !ok || !known {
				return s, false, nil
			}
			rest = rest[1+len(name):]
		}
	}
	if rest, ok = s.parseModifiers(rest); !ok || !strings.HasPrefix(rest, ":") {
		return s, false, nil
	}
	s.length = len(text) - len(rest) + 1
	if misspelled {
		return s, false, errorAt(pos-len(prefix), "misspelled directive '%s%s'", prefix, text[:s.length])
	}
	return s, true, nil
}

func wordLength(text string) int {
	n := 0
	for n < len(text) && 'A' <= text[n] && text[n] <= 'Z' {
		n++
	}
	return n
}

// parseCount parses the number of a -COUNT- suffix at the start of the text and stores it
// in the field count. It returns the text that follows. It returns an error if the number
// is missing, is not positive, or does not fit. pos is the offset of the text in the
// check file, and prefix is the check prefix; both are for the error.
func (s *suffix) parseCount(text string, pos int, prefix string) (rest string, err *patternError) {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	count, bad := strconv.Atoi(text[:n])
	rest = text[n:]
	if bad != nil || count <= 0 || count > math.MaxInt32 || rest == "" || rest[0] != ':' && rest[0] != '{' {
		return "", errorAt(pos, "invalid count in -COUNT specification on prefix '%s'", prefix)
	}
	s.count = count
	return rest, nil
}

// parseModifiers parses an optional list of modifiers in braces at the start of the text,
// and returns the text that follows. The only legal modifier is LITERAL, which may occur
// several times, separated by commas. If the list contains another word, the result ok is
// false.
func (s *suffix) parseModifiers(text string) (rest string, ok bool) {
	if !strings.HasPrefix(text, "{") {
		return text, true
	}
	list, rest, found := strings.Cut(text[1:], "}")
	if !found {
		return "", false
	}
	for name := range strings.SplitSeq(list, ",") {
		if strings.Trim(name, " \t") != "LITERAL" {
			return "", false
		}
		s.literal = true
	}
	return rest, true
}

// spelling returns the directive in the syntax of a check file.
func (d *directive) spelling() string {
	name := d.prefix
	switch d.kind {
	case kindImplicitNot:
		return "IMPLICIT-CHECK-NOT"
	case kindEOF:
		return "end of input"
	case kindCount:
		name += "-COUNT"
	default:
		for word, k := range suffixes {
			if k == d.kind && word != "" {
				name += "-" + word
			}
		}
	}
	if d.literal {
		name += "{LITERAL}"
	}
	return name
}
