// This file lists the commands that the runner implements.

package lit

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// builtin is a command that the runner implements. It returns the exit status.
type builtin func(c *command, args []string) int

// builtins maps names to built-in commands.
var builtins map[string]builtin

// systemText lists the system tools that tests may use in addition to the built-in
// commands. A test that uses one of them fails on a system without it.
var systemText = []string{
	"awk", "cp", "cut", "grep", "head", "mv", "printf", "sed", "sort", "tail", "tee", "touch", "tr", "uniq", "wc",
}

// init fills the table builtins. The table is not initialized by a literal, because some
// of its functions, such as runNot, use the table; Go rejects such a cycle.
func init() {
	builtins = map[string]builtin{
		// control
		"true":  func(*command, []string) int { return 0 },
		":":     func(*command, []string) int { return 0 },
		"false": func(*command, []string) int { return 1 },
		"not":   runNot, "until": runUntil, "env": runEnv, "cd": runCd, "export": runExport,
		"test": runTest, "[": runBracket,
		// files
		"mkdir": runMkdir, "rm": runRm, "split-file": runSplitFile, "cmp": runCmp, "diff": runDiff,
		// text
		"echo": runEcho, "cat": runCat, "count": runCount,
	}
}

// input returns the standard input of the command, which is never nil.
func (c *command) input() io.Reader {
	if c.in == nil {
		return strings.NewReader("")
	}
	return c.in
}

// fail prints a message with the name of the command and returns status.
func (c *command) fail(name string, status int, format string, args ...any) int {
	fmt.Fprintf(c.err, "%s: %s\n", name, fmt.Sprintf(format, args...))
	return status
}

// read returns the contents of a file, or of the standard input if name is "-".
func (c *command) read(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(c.input())
	}
	return os.ReadFile(c.path(name))
}

// readAll returns the concatenated contents of the named files, or the standard input if
// names is empty.
func (c *command) readAll(names []string) ([]byte, error) {
	if len(names) == 0 {
		names = []string{"-"}
	}
	var all []byte
	for _, name := range names {
		text, err := c.read(name)
		if err != nil {
			return nil, err
		}
		all = append(all, text...)
	}
	return all, nil
}

// flags parses single-letter options at the start of args. allowed lists the letters; a
// colon after a letter means that the option requires a value. The result given contains
// the value of each option, and rest contains the arguments after the options.
func flags(args []string, allowed string) (given map[byte]string, rest []string, err error) {
	given = map[byte]string{}
	for len(args) > 0 {
		arg := args[0]
		if arg == "--" {
			return given, args[1:], nil
		}
		if len(arg) < 2 || arg[0] != '-' {
			break
		}
		args = args[1:]
		for i := 1; i < len(arg); i++ {
			at := strings.IndexByte(allowed, arg[i])
			if at < 0 || arg[i] == ':' {
				return nil, nil, fmt.Errorf("unknown option -%c", arg[i])
			}
			if at+1 == len(allowed) || allowed[at+1] != ':' {
				given[arg[i]] = ""
				continue
			}
			// As with getopt, the value is the rest of the argument or the next
			// argument.
			value := arg[i+1:]
			if value == "" {
				if len(args) == 0 {
					return nil, nil, fmt.Errorf("option -%c needs a value", arg[i])
				}
				value, args = args[0], args[1:]
			}
			given[arg[i]] = value
			break
		}
	}
	return given, args, nil
}

// has reports whether a command has at least one of several options. The keys of the
// first argument are the letters of the options that were passed to the command. The
// second argument contains the letters to look for.
func has(given map[byte]string, options string) bool {
	for i := range len(options) {
		if _, ok := given[options[i]]; ok {
			return true
		}
	}
	return false
}
