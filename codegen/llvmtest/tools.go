package llvmtest

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"ptogo/codegen/jit"
)

// tool returns the path of an LLVM tool, and skips the test without one.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, ok := jit.Find(name)
	if !ok {
		t.Skipf("needs %s of LLVM 15 or newer on the path", name)
	}
	return path
}

// run feeds text to a command and returns what it writes.
func run(t testing.TB, text string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdin = strings.NewReader(text)
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s\n%s", name, strings.Join(args, " "), err, diag.String(), numbered(text))
	}
	return out.String()
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
	run(t, text, tool(t, "opt"), "-passes=verify", "-disable-output", "-")
}

// Optimize returns the text that opt -O3 makes.
func Optimize(t testing.TB, text string) string {
	t.Helper()
	return run(t, text, tool(t, "opt"), "-O3", "-S", "-")
}
