package lit

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// orUsage returns err or, when there is none, an error with the text.
func orUsage(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	return fmt.Errorf(format, args...)
}

// print writes to the output of the command.
func (c *command) print(text string) {
	// Whoever reads may have gone; that is no fault of the command.
	_, _ = io.WriteString(c.out, text)
}

// printLines prints lines with a newline after each.
func (c *command) printLines(lines []string) {
	for _, line := range lines {
		c.print(line + "\n")
	}
}

// runEcho prints its arguments; -n leaves the newline out, -e reads escapes.
func runEcho(c *command, args []string) int {
	end, escapes := "\n", false
	for len(args) > 0 && len(args[0]) > 1 && strings.Trim(args[0][1:], "neE") == "" && args[0][0] == '-' {
		for _, option := range args[0][1:] {
			switch option {
			case 'n':
				end = ""
			case 'e':
				escapes = true
			case 'E':
				escapes = false
			}
		}
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if escapes {
		text = unescape(text)
	}
	c.print(text + end)
	return 0
}

// runPrintf knows %s, %d, %% and the usual escapes. As in a shell the format
// is used again while there are arguments left.
func runPrintf(c *command, args []string) int {
	if len(args) == 0 {
		return c.fail("printf", 1, "a format is wanted")
	}
	format, args := unescape(args[0]), args[1:]
	for {
		before := len(args)
		var err error
		if args, err = c.printfOnce(format, args); err != nil {
			return c.fail("printf", 1, "%v", err)
		}
		if len(args) == 0 || len(args) == before {
			return 0
		}
	}
}

// printfOnce goes through the format once and returns the arguments left.
func (c *command) printfOnce(format string, args []string) (rest []string, err error) {
	for format != "" {
		text, after, found := strings.Cut(format, "%")
		c.print(text)
		if !found {
			break
		}
		if after == "" {
			return nil, errors.New("format ends with %")
		}
		verb := after[0]
		format = after[1:]
		if verb == '%' {
			c.print("%")
			continue
		}
		arg := ""
		if len(args) > 0 {
			arg, args = args[0], args[1:]
		}
		switch verb {
		case 's':
			c.print(arg)
		case 'd', 'i':
			if arg == "" {
				arg = "0"
			}
			n, err := strconv.ParseInt(arg, 0, 64)
			if err != nil {
				return nil, fmt.Errorf("not a number: %s", arg)
			}
			c.print(strconv.FormatInt(n, 10))
		default:
			return nil, fmt.Errorf("unknown verb %%%c", verb)
		}
	}
	return args, nil
}

// unescape reads backslash escapes as echo -e and printf do.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		if j := strings.IndexByte(`abfnrtv\`, text[i]); j >= 0 {
			b.WriteByte("\a\b\f\n\r\t\v\\"[j])
			continue
		}
		digits, base, limit := i, 8, 3
		if text[i] == 'x' {
			digits, base, limit = i+1, 16, 2
		}
		n := 0
		for n < limit && digits+n < len(text) && isDigit(text[digits+n], base) {
			n++
		}
		if n == 0 {
			b.WriteString(text[i-1 : i+1])
			continue
		}
		v, _ := strconv.ParseUint(text[digits:digits+n], base, 16)
		b.WriteByte(byte(v))
		i = digits + n - 1
	}
	return b.String()
}

// isDigit reports whether c is a digit of the base.
func isDigit(c byte, base int) bool {
	_, err := strconv.ParseUint(string(rune(c)), base, 8)
	return err == nil
}

// runCat prints files one after the other.
func runCat(c *command, args []string) int {
	text, err := c.readAll(args)
	if err != nil {
		return c.fail("cat", 1, "%v", err)
	}
	c.print(string(text))
	return 0
}

// runTee copies its input to files and to its output.
func runTee(c *command, args []string) int {
	text, err := c.readAll(nil)
	if err != nil {
		return c.fail("tee", 1, "%v", err)
	}
	for _, name := range args {
		if err := os.WriteFile(c.path(name), text, 0o666); err != nil {
			return c.fail("tee", 1, "%v", err)
		}
	}
	c.print(string(text))
	return 0
}

// cutArgs reads the arguments of head and tail and the input.
func (c *command) cutArgs(args []string) (all []string, count string, err error) {
	if len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && args[0][1] >= '0' && args[0][1] <= '9' {
		args = append([]string{"-n", args[0][1:]}, args[1:]...)
	}
	given, names, err := flags(args, "n:")
	if err != nil {
		return nil, "", err
	}
	text, err := c.readAll(names)
	count = "10"
	if n, ok := given['n']; ok {
		count = n
	}
	return lines(text), count, err
}

// runHead prints the first lines; a negative count leaves the last ones out.
func runHead(c *command, args []string) int {
	all, count, err := c.cutArgs(args)
	n, bad := strconv.Atoi(count)
	if err = errors.Join(err, bad); err != nil {
		return c.fail("head", 1, "%v", err)
	}
	if n < 0 {
		n += len(all)
	}
	c.printLines(all[:min(max(n, 0), len(all))])
	return 0
}

// runTail prints the last lines; with +N those from line N on.
func runTail(c *command, args []string) int {
	all, count, err := c.cutArgs(args)
	n, bad := strconv.Atoi(count)
	if err = errors.Join(err, bad); err != nil {
		return c.fail("tail", 1, "%v", err)
	}
	from := len(all) - max(n, -n)
	if strings.HasPrefix(count, "+") {
		from = n - 1
	}
	c.printLines(all[min(max(from, 0), len(all)):])
	return 0
}

// runWc counts lines, words or bytes, one of them at a time.
func runWc(c *command, args []string) int {
	given, names, err := flags(args, "lwc")
	if err != nil || len(given) != 1 {
		return c.fail("wc", 1, "%v", orUsage(err, "one of -l, -w, -c is wanted"))
	}
	text, err := c.readAll(names)
	if err != nil {
		return c.fail("wc", 1, "%v", err)
	}
	n := len(text)
	switch {
	case has(given, "l"):
		n = strings.Count(string(text), "\n")
	case has(given, "w"):
		n = len(strings.Fields(string(text)))
	}
	out := strconv.Itoa(n)
	if len(names) == 1 {
		out += " " + names[0]
	}
	c.print(out + "\n")
	return 0
}

// runSort sorts lines as bytes, or with -n by the number they begin with.
func runSort(c *command, args []string) int {
	given, names, err := flags(args, "nru")
	if err != nil {
		return c.fail("sort", 2, "%v", err)
	}
	text, err := c.readAll(names)
	if err != nil {
		return c.fail("sort", 2, "%v", err)
	}
	all := lines(text)
	slices.SortStableFunc(all, func(a, b string) int {
		order := strings.Compare(a, b)
		if has(given, "n") {
			order = leadingNumber(a) - leadingNumber(b)
		}
		if has(given, "r") {
			order = -order
		}
		return order
	})
	if has(given, "u") {
		all = slices.Compact(all)
	}
	c.printLines(all)
	return 0
}

// leadingNumber is the number a line begins with, 0 without one.
func leadingNumber(line string) int {
	line = strings.TrimLeft(line, " \t")
	n := 0
	for n < len(line) && (line[n] >= '0' && line[n] <= '9' || n == 0 && line[n] == '-') {
		n++
	}
	v, _ := strconv.Atoi(line[:n])
	return v
}

// runCount succeeds when its input has as many lines as it is told.
func runCount(c *command, args []string) int {
	if len(args) != 1 {
		return c.fail("count", 2, "the number of lines is wanted")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		return c.fail("count", 2, "not a number: %s", args[0])
	}
	text, err := io.ReadAll(c.input())
	if err != nil {
		return c.fail("count", 2, "%v", err)
	}
	if got := len(lines(text)); got != want {
		return c.fail("count", 1, "expected %d lines, got %d", want, got)
	}
	return 0
}
