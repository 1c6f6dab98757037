// This file puts the rooms together to tools.

package cli

import (
	"io"

	"ptogo/internal/cli/opt"
	"ptogo/internal/cli/reduce"
	"ptogo/internal/cli/run"
	"ptogo/internal/cli/serve"
)

// Opt runs pto-opt with the given arguments and streams, and returns its exit code.
func Opt(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return opt.Main(args, stdin, stdout, stderr)
}

// OptAs is pto-opt under another executable name, such as ptoas.
func OptAs(name string, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return opt.MainAs(name, args, stdin, stdout, stderr)
}

// Run runs pto-run with the given arguments and streams, and returns its exit code.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run.Main(serve.Requests, args, stdin, stdout, stderr)
}

// Reduce runs pto-reduce with the given arguments and streams, and returns its exit code.
func Reduce(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return reduce.Main(args, stdin, stdout, stderr)
}
