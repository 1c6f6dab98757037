// This file implements commands that control other commands.

package lit

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// runNot is the command not. It runs a command, and succeeds if the command fails without
// a crash. With the option --crash, it succeeds only if the command crashes.
func runNot(c *command, args []string) int {
	wantCrash := len(args) > 0 && args[0] == "--crash"
	if wantCrash {
		args = args[1:]
	}
	if len(args) == 0 {
		return c.fail("not", 1, "no command given")
	}
	status := c.run(args)
	switch {
	case wantCrash && status != crashed:
		return c.fail("not", 1, "%s did not crash", args[0])
	case wantCrash:
		return 0
	case status == crashed:
		return c.fail("not", 1, "%s crashed", args[0])
	case status == 0:
		return 1
	}
	return 0
}

// runUntil runs a command repeatedly until the command prints the text args[0]. It
// returns the exit status of the last run, and forwards the output of that run. Tests
// need it for commands whose output depends on the load of the machine, for example for a
// command that a time limit interrupts.
func runUntil(c *command, args []string) int {
	if len(args) < 2 {
		return c.fail("until", 1, "expected two arguments: the text to wait for in the output, and the command that prints it")
	}
	for {
		var out, errs bytes.Buffer
		inner := &command{shell: c.shell, env: c.env, streams: streams{in: c.in, out: &out, err: &errs}}
		if c.out == c.err {
			inner.err = &out
		}
		status := inner.run(args[1:])
		if text := []byte(args[0]); bytes.Contains(out.Bytes(), text) || bytes.Contains(errs.Bytes(), text) || c.shell.run.stopped() {
			_, _ = c.out.Write(out.Bytes())
			_, _ = c.err.Write(errs.Bytes())
			return status
		}
	}
}

// runEnv executes the command env and returns the exit code. It runs a command with
// additional environment variables, with -u without some variables, or with -i without
// any.
func runEnv(c *command, args []string) int {
	env := c.env
	for len(args) > 0 {
		name, value, isAssignment := strings.Cut(args[0], "=")
		switch {
		case args[0] == "-i":
			env, args = nil, args[1:]
		case args[0] == "-u" && len(args) > 1:
			env, args = unsetEnv(env, args[1]), args[2:]
		case strings.HasPrefix(args[0], "-"):
			return c.fail("env", 125, "unknown option %s", args[0])
		case isAssignment:
			env, args = setEnv(env, name, value), args[1:]
		default:
			inner := &command{shell: c.shell, env: env, streams: c.streams}
			return inner.run(args)
		}
	}
	for _, pair := range env {
		c.print(pair + "\n")
	}
	return 0
}

// runCd executes the command cd, whose only argument is a directory. The directory
// becomes the working directory of the following commands. runCd returns the exit code,
// which is not 0 if the directory does not exist.
func runCd(c *command, args []string) int {
	if len(args) != 1 {
		return c.fail("cd", 1, "expected one directory")
	}
	dir := c.path(args[0])
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return c.fail("cd", 1, "%s: no such directory", args[0])
	}
	c.shell.dir = dir
	c.shell.env = setEnv(c.shell.env, "PWD", dir)
	return 0
}

// runExport is the command export. It sets environment variables for the following
// commands.
func runExport(c *command, args []string) int {
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok {
			value = Getenv(c.env, name)
		}
		c.shell.env = setEnv(c.shell.env, name, value)
	}
	return 0
}

// runBracket is the command "[". It evaluates a condition like the command test, and
// requires "]" as its last argument.
func runBracket(c *command, args []string) int {
	if len(args) == 0 || args[len(args)-1] != "]" {
		return c.fail("[", 2, "missing ]")
	}
	return runTest(c, args[:len(args)-1])
}

// runTest is the command test, which evaluates a condition on files, strings or numbers.
func runTest(c *command, args []string) int {
	negated := false
	for len(args) > 1 && args[0] == "!" {
		negated, args = !negated, args[1:]
	}
	var value bool
	switch len(args) {
	case 0:
	case 1:
		value = args[0] != ""
	case 2:
		known := false
		if value, known = c.testFile(args[0], args[1]); !known {
			return c.fail("test", 2, "unknown condition %s", args[0])
		}
	case 3:
		known := false
		if value, known = compareWords(args[0], args[1], args[2]); !known {
			return c.fail("test", 2, "unknown condition %s", strings.Join(args, " "))
		}
	default:
		return c.fail("test", 2, "too many arguments")
	}
	if value == negated {
		return 1
	}
	return 0
}

// testFile evaluates a condition of the command test with one operand. The result known
// is false if the operator does not exist.
func (c *command) testFile(op, operand string) (value, known bool) {
	switch op {
	case "-n":
		return operand != "", true
	case "-z":
		return operand == "", true
	}
	info, err := os.Stat(c.path(operand))
	switch op {
	case "-e", "-r", "-w":
		return err == nil, true
	case "-f":
		return err == nil && info.Mode().IsRegular(), true
	case "-d":
		return err == nil && info.IsDir(), true
	case "-s":
		return err == nil && info.Size() > 0, true
	case "-x":
		return err == nil && info.Mode()&0o111 != 0, true
	}
	return false, false
}

// compareWords evaluates the condition "left op right" of the command test, such as "2
// -lt 3". The result value is the value of the condition. The result known is false if
// the operator op does not exist.
func compareWords(left, op, right string) (value, known bool) {
	switch op {
	case "=", "==":
		return left == right, true
	case "!=":
		return left != right, true
	}
	a, errA := strconv.Atoi(left)
	b, errB := strconv.Atoi(right)
	if errA != nil || errB != nil {
		return false, false
	}
	switch op {
	case "-eq":
		return a == b, true
	case "-ne":
		return a != b, true
	case "-lt":
		return a < b, true
	case "-le":
		return a <= b, true
	case "-gt":
		return a > b, true
	case "-ge":
		return a >= b, true
	}
	return false, false
}
