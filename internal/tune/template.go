// This file expands templates.

package tune

import (
	"fmt"
	"strconv"
	"strings"
)

// expand returns the template text with each ${EXPRESSION} replaced by its value. The map
// names contains the values of the names in expressions. Lines between "//@if EXPRESSION"
// and "//@end" remain only if the expression is not 0. Lines after "//@else" remain only
// if it is 0.
func expand(text string, names Values) (string, error) {
	var out strings.Builder
	var kept []bool // of each //@if that encloses the line
	number := 0
	for line := range strings.Lines(text) {
		number++
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "//@if":
			x, err := evaluate(strings.TrimSpace(rest), names)
			if err != nil {
				return "", fmt.Errorf("line %d: %w", number, err)
			}
			kept = append(kept, x != 0)
			line = "\n"
		case "//@else", "//@end":
			if len(kept) == 0 {
				return "", fmt.Errorf("line %d: %s requires an earlier //@if", number, word)
			}
			if word == "//@else" {
				kept[len(kept)-1] = !kept[len(kept)-1]
			} else {
				kept = kept[:len(kept)-1]
			}
			line = "\n"
		}
		if !all(kept) { // the numbers of lines stay those of the template
			out.WriteByte('\n')
			continue
		}
		if err := substitute(&out, line, names); err != nil {
			return "", fmt.Errorf("line %d: %w", number, err)
		}
	}
	if len(kept) > 0 {
		return "", fmt.Errorf("expected //@end after //@if")
	}
	return out.String(), nil
}

// all reports whether every element of the list is true.
func all(list []bool) bool {
	for _, b := range list {
		if !b {
			return false
		}
	}
	return true
}

// substitute writes one line of a template to out. It replaces each ${EXPRESSION} by the
// value of the expression. names are the values of the names in expressions.
func substitute(out *strings.Builder, line string, names Values) error {
	for {
		before, rest, found := strings.Cut(line, "${")
		out.WriteString(before)
		if !found {
			return nil
		}
		text, after, closed := strings.Cut(rest, "}")
		if !closed {
			return fmt.Errorf("expected '}' after '${'")
		}
		x, err := evaluate(text, names)
		if err != nil {
			return err
		}
		out.WriteString(strconv.FormatInt(x, 10))
		line = after
	}
}
