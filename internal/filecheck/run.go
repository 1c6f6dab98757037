// This file is the main program.

package filecheck

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"ptogo/internal/version"
)

const dumpHelp = `After a mismatch the input lines around each diagnostic are printed, with
their numbers; a > marks a line a diagnostic is about. --dump-input=always
prints all lines whatever the result, --dump-input=never none;
--dump-input-context=N sets how many lines are shown around a marked one.
`

// Run is the command filecheck. It returns the exit status: 0 if the input matches, 1 if
// it does not, and 2 if the check file or the command line is wrong.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return RunIn("", args, stdin, stdout, stderr)
}

// RunIn executes the command filecheck and returns its exit status, as Run does. In
// contrast to Run, it resolves relative file names in the folder dir.
func RunIn(dir string, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c, err := parseFlags(args, stdout)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "filecheck: %v\n", err)
		return 2
	case c.version:
		fmt.Fprintln(stdout, "filecheck, compatible with LLVM FileCheck 19, of", version.Text())
		return 0
	case c.dump == "help":
		fmt.Fprint(stdout, dumpHelp)
		return 0
	}
	check, err := os.ReadFile(inDir(dir, c.checkFile))
	if err != nil {
		fmt.Fprintf(stderr, "filecheck: could not open check file: %v\n", err)
		return 2
	}
	input, err := c.readInput(dir, stdin)
	if err != nil {
		fmt.Fprintf(stderr, "filecheck: could not read input: %v\n", err)
		return 2
	}
	matches, err := Check(source{c.checkFile, check}, input, c.Options)
	return c.report(stderr, input, matches, err)
}

// inDir returns the path of the file with the given name. If the name is a relative path,
// it is relative to the folder dir.
func inDir(dir, name string) string {
	if dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

func (c *command) readInput(dir string, stdin io.Reader) ([]byte, error) {
	if c.inputFile == "-" {
		if stdin == nil {
			return nil, nil
		}
		return io.ReadAll(stdin)
	}
	c.InputName = c.inputFile
	return os.ReadFile(inDir(dir, c.inputFile))
}

// report prints the matches or the diagnostics in err, together with the input lines
// around them, and returns the exit status.
func (c *command) report(stderr io.Writer, input []byte, matches []Match, err error) int {
	if c.verbose {
		for _, m := range matches {
			fmt.Fprintf(stderr, "%s:%d:%d: %s: %s of line %d matched %q\n",
				c.inputName(), m.Line, m.Column, SeverityRemark, m.Directive, m.CheckLine, m.Text)
		}
	}
	var e *Error
	switch {
	case err == nil:
		if c.dump == "always" {
			c.dumpInput(stderr, input, nil)
		}
		return 0
	case !errors.As(err, &e):
		fmt.Fprintf(stderr, "filecheck: %v\n", err)
		return 2
	}
	fmt.Fprintln(stderr, e.Error())
	if !e.Setup && c.dump != "never" {
		c.dumpInput(stderr, input, e.Diagnostics)
	}
	return e.ExitStatus()
}
