package llvmtest

import (
	"strings"
	"sync"
	"testing"

	"ptogo/codegen/jit"
	"ptogo/tools/outside"
)

// opt is the path of LLVM's optimizer, empty without one. Asking a tool for its
// version takes as long as verifying a kernel, so that is done once.
var opt = sync.OnceValue(func() string {
	path, _ := jit.Find("opt")
	return path
})

// runOpt feeds text to opt and returns what it writes. It skips the test without
// opt, and fails it if opt refuses the text.
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

// numbered is a text with line numbers, cut where it becomes long.
func numbered(text string) string {
	lines := strings.Split(text, "\n")
	const most = 400
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	return strings.Join(lines, "\n")
}

// Verify fails the test if opt does not accept the text.
func Verify(t testing.TB, text string) {
	t.Helper()
	runOpt(t, text, "-passes=verify", "-disable-output", "-")
}

// Optimize returns the text that opt -O3 makes.
func Optimize(t testing.TB, text string) string {
	t.Helper()
	return runOpt(t, text, "-O3", "-S", "-")
}
