// This file evaluates conditions of features.

package lit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// condition evaluates a boolean expression of features with !, &&, || and
// parentheses. A feature name may contain {{regex}} parts.
type condition struct {
	// text is the expression, and pos is the byte offset of the next token.
	text string
	pos  int
	// features are the features that are set.
	features map[string]bool
	// names are the feature names in the expression, for messages.
	names []string
}

// evaluate returns the value of text, a boolean expression of features, and the feature
// names in it. A feature that is true in the map features is set.
func evaluate(text string, features map[string]bool) (value bool, names []string, err error) {
	c := &condition{text: text, features: features}
	value, err = c.or(0)
	if err == nil && c.token() != "" {
		err = fmt.Errorf("unexpected %q in the condition %q", c.token(), text)
	}
	return value, c.names, err
}

// maxConditionDepth bounds the nesting of parentheses and negations.
const maxConditionDepth = 100

// token returns the next token without consuming it.
func (c *condition) token() string {
	for c.pos < len(c.text) && (c.text[c.pos] == ' ' || c.text[c.pos] == '\t') {
		c.pos++
	}
	rest := c.text[c.pos:]
	for _, op := range []string{"&&", "||", "!", "(", ")"} {
		if strings.HasPrefix(rest, op) {
			return op
		}
	}
	return rest[:identifierLength(rest)]
}

// identifierLength returns the length of the feature name at the start of text. Any
// character is allowed inside {{ }}.
func identifierLength(text string) int {
	n := 0
	for n < len(text) {
		if strings.HasPrefix(text[n:], "{{") {
			end := strings.Index(text[n:], "}}")
			if end < 0 {
				return len(text)
			}
			n += end + 2
			continue
		}
		if !isWordByte(text[n]) && !strings.ContainsRune("+=./:*%", rune(text[n])) {
			break
		}
		n++
	}
	// An unknown character is a token by itself, so that the error message can name
	// it.
	if n == 0 && text != "" {
		return 1
	}
	return n
}

// accept consumes the next token if it equals the parameter token. It reports whether the
// token was equal.
func (c *condition) accept(token string) bool {
	if c.token() != token {
		return false
	}
	c.pos += len(token)
	return true
}

// The method named or parses conditions that are joined by ||, and returns the value of
// the disjunction. It parses all operands, even if the first one is true. In this way, it
// also records their feature names and reports their errors.
func (c *condition) or(nesting int) (bool, error) {
	value, err := c.and(nesting)
	for err == nil && c.accept("||") {
		var right bool
		right, err = c.and(nesting)
		value = value || right
	}
	return value, err
}

// The method and parses and evaluates conditions that are joined by &&, and returns their
// value.
func (c *condition) and(nesting int) (bool, error) {
	value, err := c.not(nesting)
	for err == nil && c.accept("&&") {
		var right bool
		right, err = c.not(nesting)
		value = value && right
	}
	return value, err
}

// The method not parses and evaluates a negation, a condition in parentheses or a feature
// name, and returns its value.
func (c *condition) not(nesting int) (bool, error) {
	if nesting > maxConditionDepth {
		return false, fmt.Errorf("condition nested too deeply")
	}
	switch {
	case c.accept("!"):
		value, err := c.not(nesting + 1)
		return !value, err
	case c.accept("("):
		value, err := c.or(nesting + 1)
		if err == nil && !c.accept(")") {
			err = fmt.Errorf("missing ) in condition %q", c.text)
		}
		return value, err
	}
	return c.feature()
}

// feature parses a feature name in a condition and returns whether the feature is set.
func (c *condition) feature() (bool, error) {
	name := c.token()
	if name == "" || !isWordByte(name[0]) && !strings.HasPrefix(name, "{{") && name != "*" {
		return false, fmt.Errorf("expected a feature name in condition %[2]q, found %[1]q", name, c.text)
	}
	c.pos += len(name)
	switch {
	case name == "true" || name == "*":
		return true, nil
	case name == "false":
		return false, nil
	}
	c.names = append(c.names, name)
	if !strings.Contains(name, "{{") {
		return c.features[name], nil
	}
	re, err := featurePattern(name)
	if err != nil {
		return false, fmt.Errorf("in condition %q: %w", c.text, err)
	}
	for feature, on := range c.features {
		if on && re.MatchString(feature) {
			return true, nil
		}
	}
	return false, nil
}

// featurePattern returns a regular expression for a feature name with {{regex}} sections.
func featurePattern(name string) (*regexp.Regexp, error) {
	var b strings.Builder
	for name != "" {
		literal, rest, found := strings.Cut(name, "{{")
		b.WriteString(regexp.QuoteMeta(literal))
		if !found {
			break
		}
		expr, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, fmt.Errorf("expected }} after {{")
		}
		b.WriteString("(?:" + expr + ")")
		name = after
	}
	return regexp.Compile("^(?:" + b.String() + ")$")
}

// all evaluates the conditions in the directives ds for the given set of features. A
// directive contains conditions separated by commas. The result held lists the conditions
// that are true, and failed lists the others.
func all(ds []directive, features map[string]bool) (held, failed []string, err error) {
	for _, d := range ds {
		for text := range strings.SplitSeq(d.text, ",") {
			if text = strings.TrimSpace(text); text == "" {
				continue
			}
			value, names, err := evaluate(text, features)
			if err != nil {
				return nil, nil, fmt.Errorf("line %d: %s %w", d.line, d.keyword, err)
			}
			if value {
				held = append(held, text)
				continue
			}
			for _, name := range names {
				if !features[name] && !slices.Contains(failed, name) {
					failed = append(failed, name)
				}
			}
			if len(names) == 0 {
				failed = append(failed, text)
			}
		}
	}
	return held, failed, nil
}
