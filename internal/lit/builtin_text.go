// This file implements commands on text.

package lit

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// orUsage returns err or, if err is nil, an error with the formatted text.
func orUsage(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	return fmt.Errorf(format, args...)
}

// print writes text to the standard output of the command.
func (c *command) print(text string) {
	// A write error is ignored: the reader may have ended, which is not a failure.
	_, _ = io.WriteString(c.out, text)
}

// runEcho is the command echo. With -n it prints no newline. It does not interpret
// escapes.
func runEcho(c *command, args []string) int {
	end := "\n"
	if len(args) > 0 && args[0] == "-n" {
		end, args = "", args[1:]
	}
	c.print(strings.Join(args, " ") + end)
	return 0
}

// runCat is the command cat, which prints the contents of files.
func runCat(c *command, args []string) int {
	text, err := c.readAll(args)
	if err != nil {
		return c.fail("cat", 1, "%v", err)
	}
	c.print(string(text))
	return 0
}

// runCount is the command count. It succeeds if its input has the given number of lines.
func runCount(c *command, args []string) int {
	if len(args) != 1 {
		return c.fail("count", 2, "expected the number of lines")
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

// lines splits text into lines without line ends. A newline at the end does not
// start another line.
func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}
