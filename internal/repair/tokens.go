// This file proposes other names of operations, and punctuation and keywords that the text
// lacks.

package repair

import (
	"strings"

	"ptogo/internal/pattern"
	"ptogo/ir"
)

var (
	// expected matches the parser's message about a token that is missing.
	expected = pattern.Of(`^expected '([^']+)'(?: or the end of the operation)?, found`)
	// bare matches that about a value, or an argument of a function, without its percent sign.
	bare = pattern.Of(`^expected (?:an SSA value|a type), found '\w+'`)
	// unknownName matches that about a name that no operation has.
	unknownName = pattern.Of(`^unknown operation '([\w.]+)'$`)
)

// tokens returns the attempts that add the token that the parser expected at off. Where the
// parser expects the end of a list, the comma of another element can be missing instead.
func tokens(a *attempt, e *ir.Diag, off int) []*attempt {
	if bare().MatchString(e.Text) {
		return []*attempt{inserted(a, off, "%")}
	}
	m := expected().FindStringSubmatch(e.Text)
	if m == nil {
		return nil
	}
	token := m[1]
	end := len(strings.TrimRight(a.text[:off], " \t\r\n")) // of the text before
	switch token {
	case ")", "]", ">":
		return []*attempt{inserted(a, end, token), inserted(a, end, ",")}
	case ",":
		return []*attempt{inserted(a, end, token)}
	case ":":
		return []*attempt{inserted(a, end, " :"), inserted(a, end, ",")}
	case "step": // no number is a better guess than another
		return nil
	}
	return []*attempt{inserted(a, end, " "+token)}
}

// mostNames is the number of similar names that are tried for an operation.
const mostNames = 6

// renamed returns the attempts that replace the name of the operation at off, which does not
// exist, by a similar one.
func renamed(a *attempt, e *ir.Diag, off int) []*attempt {
	m := unknownName().FindStringSubmatch(e.Text)
	if m == nil || !strings.HasPrefix(a.text[off:], m[1]) {
		return nil
	}
	var all []*attempt
	for _, name := range ir.SimilarOps(m[1], mostNames) {
		all = append(all, a.edit(span{off, off + len(m[1])}, name, costType).called("with the name "+name))
	}
	return all
}

// inserted returns the attempt with text at the offset at.
func inserted(a *attempt, at int, text string) *attempt {
	return a.edit(span{at, at}, text, costType).called("with '" + strings.TrimSpace(text) + "' here")
}
