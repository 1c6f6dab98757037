package lit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"ptogo/internal/filecheck/ere"
)

// sedCommand is one command of a sed script: s, d, p or q with addresses.
type sedCommand struct {
	from, to *sedAddress // nil: every line; to nil: only from
	negated  bool
	inside   bool // between from and to
	name     byte

	re          *ere.Regexp // of s
	startsLine  bool        // its expression begins with ^
	replacement []sedPart
	global      bool
	nth         int
	print       bool
}

// sedAddress is a line number, $ or a pattern.
type sedAddress struct {
	line int
	last bool
	re   *ere.Regexp
}

// sedPart is a piece of a replacement: text, or the text of a group.
type sedPart struct {
	text  string
	group int // -1 for text
}

// runSed edits lines. Known are -n, -E, -r, -e and the commands s, d, p, q.
func runSed(c *command, args []string) int {
	var scripts, names []string
	quiet, isExtended := false, false
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-e" && i+1 < len(args):
			i++
			scripts = append(scripts, args[i])
		case len(arg) > 1 && arg[0] == '-' && strings.Trim(arg[1:], "nEr") == "":
			quiet = quiet || strings.Contains(arg, "n")
			isExtended = isExtended || strings.ContainsAny(arg, "Er")
		case len(arg) > 1 && arg[0] == '-':
			return c.fail("sed", 1, "unknown option %s", arg)
		default:
			names = append(names, arg)
		}
	}
	if len(scripts) == 0 {
		if len(names) == 0 {
			return c.fail("sed", 1, "a script is wanted")
		}
		scripts, names = names[:1], names[1:]
	}
	commands, err := parseSed(strings.Join(scripts, "\n"), isExtended)
	if err != nil {
		return c.fail("sed", 1, "%v", err)
	}
	text, err := c.readAll(names)
	if err != nil {
		return c.fail("sed", 1, "%v", err)
	}
	if err := c.sed(commands, lines(text), quiet); err != nil {
		return c.fail("sed", 1, "%v", err)
	}
	return 0
}

// sed runs the commands on each line.
func (c *command) sed(commands []*sedCommand, all []string, quiet bool) error {
	for i, line := range all {
		wide := ere.Widen(line)
		show, quit := !quiet, false
		for _, cmd := range commands {
			selected, err := cmd.selects(wide, i+1, i+1 == len(all))
			if err != nil {
				return err
			}
			if !selected {
				continue
			}
			switch cmd.name {
			case 'd':
				show = false
			case 'q':
				quit = true
			case 'p':
				c.print(ere.Narrow(wide) + "\n")
			case 's':
				changed, ok, err := cmd.substitute(wide)
				if err != nil {
					return err
				}
				if wide = changed; ok && cmd.print {
					c.print(ere.Narrow(wide) + "\n")
				}
			}
			if cmd.name == 'd' || quit {
				break
			}
		}
		if show {
			c.print(ere.Narrow(wide) + "\n")
		}
		if quit {
			break
		}
	}
	return nil
}

// selects reports whether the command applies to the line.
func (s *sedCommand) selects(line string, n int, last bool) (bool, error) {
	selected, err := s.inRange(line, n, last)
	return selected != s.negated, err
}

// inRange follows a range from line to line: it begins where the first
// address matches and ends with the line that matches the second.
func (s *sedCommand) inRange(line string, n int, last bool) (bool, error) {
	if s.from == nil {
		return true, nil
	}
	if s.inside {
		end, err := s.to.matches(line, n, last)
		s.inside = !end && (s.to.line == 0 || n < s.to.line)
		return true, err
	}
	begin, err := s.from.matches(line, n, last)
	if begin && s.to != nil {
		s.inside = s.to.line == 0 || n < s.to.line
	}
	return begin, err
}

// matches reports whether the address names this line.
func (a *sedAddress) matches(line string, n int, last bool) (bool, error) {
	if a.re == nil {
		return a.last && last || a.line == n, nil
	}
	loc, err := a.re.Find(line)
	return loc != nil, err
}

// substitute replaces the first, the nth or all matches.
func (s *sedCommand) substitute(line string) (string, bool, error) {
	var b strings.Builder
	changed := false
	rest := line
	for count := 1; ; count++ {
		// Behind the beginning of a line ^ must not match again.
		if rest != line && s.startsLine {
			break
		}
		loc, err := s.re.Find(rest)
		if err != nil {
			return line, false, err
		}
		if loc == nil {
			break
		}
		b.WriteString(rest[:loc[0]])
		if count >= s.nth {
			s.replace(&b, rest, loc)
			changed = true
		} else {
			b.WriteString(rest[loc[0]:loc[1]])
		}
		end := loc[1]
		if loc[0] == loc[1] { // step over one character
			_, size := utf8.DecodeRuneInString(rest[end:])
			b.WriteString(rest[end : end+size])
			end += size
		}
		done := end == len(rest) || count >= s.nth && !s.global
		rest = rest[end:]
		if done {
			break
		}
	}
	b.WriteString(rest)
	return b.String(), changed, nil
}

// replace writes the replacement for one match.
func (s *sedCommand) replace(b *strings.Builder, text string, loc []int) {
	for _, part := range s.replacement {
		if part.group < 0 {
			b.WriteString(part.text)
		} else if lo := loc[2*part.group]; lo >= 0 {
			b.WriteString(text[lo:loc[2*part.group+1]])
		}
	}
}

var errSed = errors.New("only the commands s, d, p and q are known")

// parseSed reads a script: commands with a newline or a semicolon between
// them.
func parseSed(script string, isExtended bool) ([]*sedCommand, error) {
	p := &sedParser{rest: script, extended: isExtended}
	var commands []*sedCommand
	for {
		p.rest = strings.TrimLeft(p.rest, " \t\n;")
		if p.rest == "" {
			return commands, nil
		}
		cmd, err := p.command()
		if err != nil {
			return nil, fmt.Errorf("script %q: %w", script, err)
		}
		commands = append(commands, cmd)
	}
}

// sedParser reads a script.
type sedParser struct {
	rest     string
	extended bool
}

// command reads addresses, an optional ! and a command.
func (p *sedParser) command() (cmd *sedCommand, err error) {
	cmd = &sedCommand{nth: 1}
	if cmd.from, err = p.address(); err != nil {
		return nil, err
	}
	if cmd.from != nil && strings.HasPrefix(p.rest, ",") {
		p.rest = p.rest[1:]
		if cmd.to, err = p.address(); err != nil || cmd.to == nil {
			return nil, orUsage(err, "an address is wanted after the comma")
		}
	}
	p.rest = strings.TrimLeft(p.rest, " ")
	if strings.HasPrefix(p.rest, "!") {
		cmd.negated, p.rest = true, p.rest[1:]
	}
	if p.rest == "" || !strings.Contains("sdpq", p.rest[:1]) {
		return nil, errSed
	}
	cmd.name, p.rest = p.rest[0], p.rest[1:]
	if cmd.name == 's' {
		err = p.substitution(cmd)
	}
	if err == nil && p.rest != "" && !strings.Contains(" \t\n;", p.rest[:1]) {
		err = fmt.Errorf("unexpected %q after a command", p.rest)
	}
	return cmd, err
}

// address reads a line number, $ or /regex/; nil if there is none.
func (p *sedParser) address() (*sedAddress, error) {
	switch {
	case strings.HasPrefix(p.rest, "$"):
		p.rest = p.rest[1:]
		return &sedAddress{last: true}, nil
	case strings.HasPrefix(p.rest, "/"):
		p.rest = p.rest[1:]
		expr, err := p.until('/')
		if err != nil {
			return nil, err
		}
		re, err := p.compile(expr, false)
		return &sedAddress{re: re}, err
	}
	n := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
	if n == 0 {
		return nil, nil
	}
	line, err := strconv.Atoi(p.rest[:n])
	p.rest = p.rest[n:]
	return &sedAddress{line: line}, err
}

// until returns the text up to the delimiter and consumes both. A backslash
// before the delimiter makes it an ordinary character.
func (p *sedParser) until(delimiter byte) (string, error) {
	var b strings.Builder
	for i := 0; i < len(p.rest); i++ {
		switch {
		case p.rest[i] == delimiter:
			p.rest = p.rest[i+1:]
			return b.String(), nil
		case p.rest[i] == '\\' && i+1 < len(p.rest):
			i++
			if p.rest[i] != delimiter {
				b.WriteByte('\\')
			}
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(p.rest[i])
		}
	}
	return "", fmt.Errorf("missing %c", delimiter)
}

// compile reads an expression in the syntax the options ask for.
func (p *sedParser) compile(expr string, fold bool) (*ere.Regexp, error) {
	expr = ere.Widen(expr)
	if !p.extended {
		expr = extended(expr)
	}
	return ere.Compile(expr, fold)
}

// substitution reads /regex/replacement/flags.
func (p *sedParser) substitution(cmd *sedCommand) error {
	if p.rest == "" || p.rest[0] == '\\' || p.rest[0] == '\n' {
		return errors.New("s wants a delimiter")
	}
	delimiter := p.rest[0]
	p.rest = p.rest[1:]
	expr, err := p.until(delimiter)
	if err != nil {
		return err
	}
	replacement, err := p.until(delimiter)
	if err != nil {
		return err
	}
	fold := false
	for p.rest != "" && !strings.Contains(" \t\n;", p.rest[:1]) {
		switch c := p.rest[0]; {
		case c == 'g':
			cmd.global = true
		case c == 'p':
			cmd.print = true
		case c == 'i' || c == 'I':
			fold = true
		case '1' <= c && c <= '9':
			cmd.nth = int(c - '0')
		default:
			return fmt.Errorf("unknown flag %c of s", c)
		}
		p.rest = p.rest[1:]
	}
	if cmd.re, err = p.compile(expr, fold); err != nil {
		return err
	}
	cmd.startsLine = strings.HasPrefix(expr, "^")
	cmd.replacement, err = parseReplacement(ere.Widen(replacement), cmd.re.Groups())
	return err
}

// parseReplacement reads & and \1 in a replacement.
func parseReplacement(text string, groups int) ([]sedPart, error) {
	var parts []sedPart
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			parts = append(parts, sedPart{b.String(), -1})
			b.Reset()
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '&':
			flush()
			parts = append(parts, sedPart{group: 0})
		case c == '\\' && i+1 < len(text):
			i++
			switch d := text[i]; {
			case '0' <= d && d <= '9':
				if int(d-'0') > groups {
					return nil, fmt.Errorf("\\%c refers to no group", d)
				}
				flush()
				parts = append(parts, sedPart{group: int(d - '0')})
			case d == 'n':
				b.WriteByte('\n')
			case d == 't':
				b.WriteByte('\t')
			default:
				b.WriteByte(d)
			}
		default:
			b.WriteByte(c)
		}
	}
	flush()
	return parts, nil
}
