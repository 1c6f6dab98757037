package lit

import (
	"fmt"
	"strconv"
	"strings"

	"ptogo/internal/filecheck/ere"
)

// lineMatcher finds a pattern in one line of widened text.
type lineMatcher func(line string) (loc []int, err error)

// runGrep prints lines that match. Known are -c -v -q -E -F -i -n -o -w -x
// -h and -e.
func runGrep(c *command, args []string) int {
	given, rest, err := flags(args, "cvqEFinowxhe:")
	if err != nil {
		return c.fail("grep", 2, "%v", err)
	}
	pattern, ok := given['e']
	if !ok {
		if len(rest) == 0 {
			return c.fail("grep", 2, "a pattern is wanted")
		}
		pattern, rest = rest[0], rest[1:]
	}
	match, err := grepMatcher(pattern, given)
	if err != nil {
		return c.fail("grep", 2, "%v", err)
	}
	if len(rest) == 0 {
		rest = []string{"-"}
	}
	total := 0
	for _, name := range rest {
		text, err := c.read(name)
		if err != nil {
			return c.fail("grep", 2, "%v", err)
		}
		prefix := ""
		if len(rest) > 1 && !has(given, "h") {
			prefix = name + ":"
		}
		n, err := c.grepText(lines(text), match, given, prefix)
		if err != nil {
			return c.fail("grep", 2, "%v", err)
		}
		total += n
	}
	if total == 0 {
		return 1
	}
	return 0
}

// grepText goes through the lines of one file and returns how many match.
func (c *command) grepText(all []string, match lineMatcher, given map[byte]string, prefix string) (int, error) {
	n := 0
	for i, line := range all {
		wide := ere.Widen(line)
		loc, err := match(wide)
		if err != nil {
			return n, err
		}
		if (loc != nil) == has(given, "v") {
			continue
		}
		n++
		if has(given, "cq") {
			continue
		}
		head := prefix
		if has(given, "n") {
			head += strconv.Itoa(i+1) + ":"
		}
		if !has(given, "o") {
			c.print(head + line + "\n")
			continue
		}
		if loc == nil {
			continue // -o with -v prints nothing
		}
		if err := c.grepParts(wide, match, head); err != nil {
			return n, err
		}
	}
	if has(given, "c") && !has(given, "q") {
		c.print(prefix + strconv.Itoa(n) + "\n")
	}
	return n, nil
}

// grepParts prints each match in a line on a line of its own.
func (c *command) grepParts(wide string, match lineMatcher, head string) error {
	for wide != "" {
		loc, err := match(wide)
		if err != nil || loc == nil {
			return err
		}
		if loc[1] == loc[0] {
			loc[1]++ // an empty match prints nothing
		} else {
			c.print(head + ere.Narrow(wide[loc[0]:loc[1]]) + "\n")
		}
		wide = wide[min(loc[1], len(wide)):]
	}
	return nil
}

// grepMatcher compiles the pattern as the options say.
func grepMatcher(pattern string, given map[byte]string) (lineMatcher, error) {
	expr := ere.Widen(pattern)
	switch {
	case has(given, "F"):
		expr = ere.Quote(expr)
	case !has(given, "E"):
		expr = extended(expr)
	}
	if expr == "" {
		expr = "()"
	}
	switch {
	case has(given, "x"):
		expr = "^(" + expr + ")$"
	case has(given, "w"):
		expr = "[[:<:]](" + expr + ")[[:>:]]"
	}
	re, err := ere.Compile(expr, has(given, "i"))
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	return re.Find, nil
}

// extended turns a basic regular expression, with the GNU extensions, into an
// extended one: the operators with and without backslash change places.
func extended(basic string) string {
	const special = "(){}|+?"
	var b strings.Builder
	for i := 0; i < len(basic); i++ {
		switch c := basic[i]; {
		case c == '[':
			n := bracketLength(basic[i:])
			b.WriteString(basic[i : i+n])
			i += n - 1
		case c == '\\' && i+1 < len(basic):
			i++
			if strings.IndexByte(special, basic[i]) < 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(basic[i])
		case strings.IndexByte(special, c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '*' && startsExpression(basic[:i]):
			b.WriteString(`\*`)
		case c == '^' && i > 0 && !startsExpression(basic[:i]):
			b.WriteString(`\^`)
		case c == '$' && i+1 < len(basic) && !strings.HasPrefix(basic[i+1:], `\)`) && !strings.HasPrefix(basic[i+1:], `\|`):
			b.WriteString(`\$`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// startsExpression reports whether what follows begins an expression, where
// * is an ordinary character and ^ an anchor.
func startsExpression(before string) bool {
	return before == "" || before == "^" || strings.HasSuffix(before, `\(`) || strings.HasSuffix(before, `\|`)
}

// bracketLength returns the length of the bracket expression text begins
// with.
func bracketLength(text string) int {
	i := 1
	if strings.HasPrefix(text[i:], "^") {
		i++
	}
	if strings.HasPrefix(text[i:], "]") {
		i++
	}
	for i < len(text) && text[i] != ']' {
		if text[i] == '[' && i+1 < len(text) && strings.IndexByte(":.=", text[i+1]) >= 0 {
			if end := strings.Index(text[i+2:], text[i+1:i+2]+"]"); end >= 0 {
				i += 2 + end + 1
			}
		}
		i++
	}
	return min(i+1, len(text))
}
