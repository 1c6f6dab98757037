package llvmtest

import (
	"strings"
	"sync"
	"testing"

	"ptogo/codegen/jit"
	"ptogo/tools/outside"
)

// opt returns the path of LLVM's optimizer, or "" if it is not installed. The search runs
// only once, because starting a tool to ask for its version takes as long as verifying a
// kernel.
var opt = sync.OnceValue(func() string {
	path, _ := jit.Find("opt")
	return path
})

// Available reports whether this machine has what tests of compiled kernels need.
var Available = sync.OnceValue(func() bool { return opt() != "" && jit.Available() })

// runOpt passes the text to LLVM's optimizer as standard input and returns its output. It
// skips the test if the optimizer is not installed, and fails the test if the optimizer
// rejects the text.
func runOpt(t testing.TB, text string, args ...string) string {
	t.Helper()
	path := opt()
	if path == "" {
		t.Skip("needs opt of LLVM 15 or newer on the path")
	}
	a, err := outside.Ask(outside.Question{Tool: path, Args: args, Stdin: text})
	if err != nil || a.Status != 0 {
		t.Fatalf("opt %s: status %d, %v\n%s\n%s", strings.Join(args, " "), a.Status, err, a.Stderr, numbered(text))
	}
	return a.Stdout
}

// numbered shortens a text for messages. If it has more than 400 lines, numbered returns
// the first 400 lines and a line "...".
func numbered(text string) string {
	lines := strings.Split(text, "\n")
	const most = 400
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	return strings.Join(lines, "\n")
}

// Verify fails the test if LLVM's optimizer rejects the text, which is LLVM IR.
func Verify(t testing.TB, text string) {
	t.Helper()
	runOpt(t, text, "-passes=verify", "-disable-output", "-")
}

// Optimize returns the LLVM IR text after the optimizations of opt -O3.
func Optimize(t testing.TB, text string) string {
	t.Helper()
	return runOpt(t, text, "-O3", "-S", "-")
}
