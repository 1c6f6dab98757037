package llvmtest

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// versions are the suffixes that tools are looked for with, the best first.
var versions = []string{"-19", "", "-20", "-18", "-17", "-16", "-15"}

// tool returns the path of an LLVM tool, and skips the test without one.
func tool(t testing.TB, name string) string {
	t.Helper()
	for _, v := range versions {
		if path, err := exec.LookPath(name + v); err == nil && opaquePointers(path) {
			return path
		}
	}
	t.Skipf("needs %s of LLVM 15 or newer on the path", name)
	return ""
}

// opaquePointers reports whether a tool is new enough to know opaque pointers.
func opaquePointers(path string) bool {
	out, err := exec.Command(path, "--version").Output()
	if err != nil {
		return false
	}
	for _, old := range []string{" 10.", " 11.", " 12.", " 13.", " 14."} {
		if bytes.Contains(out, []byte("version"+old)) {
			return false
		}
	}
	return true
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
