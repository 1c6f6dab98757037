//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/limit"
)

// withMemory gives the machine a number of available bytes during a test.
func withMemory(t *testing.T, n limit.Bytes) {
	t.Helper()
	before := limit.AvailableMemory
	limit.AvailableMemory = func() limit.Bytes { return n }
	t.Cleanup(func() { limit.AvailableMemory = before })
}

// sparse makes a file that has many bytes and no blocks.
func sparse(t *testing.T, name string, size int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err == nil {
		err = f.Truncate(size)
	}
	if err != nil {
		t.Skipf("no sparse file: %v", err)
	}
	f.Close()
	return path
}

// runCode runs pto-run and returns its exit code and its messages.
func runCode(args ...string) (int, string) {
	var out, errs bytes.Buffer
	code := Run(args, strings.NewReader(""), &out, &errs)
	return code, errs.String()
}

// TestLargeFiles gives the tool files that are larger than its limit, or than the memory
// of the machine. Each is an error, and memory is not allocated.
func TestLargeFiles(t *testing.T) {
	program := clitest.Written(t, "k.pto", budgetKernel)
	raw, npy := sparse(t, "big.bin", 1<<40), sparse(t, "big.npy", 1<<40)
	run := func(more ...string) []string {
		return append([]string{program, "--arg", "zeros=8xi64", "--arg", "1"}, more...)
	}
	for _, args := range [][]string{
		{program, "--arg", "window=1000000000xf32", "--arg", "1", "--ranks=64"}, run("--expect", "0="+raw), run("--expect", "0="+npy), run("--diff-ref", "%x="+npy),
		{"--graph", raw}, {raw}, {"--batch", raw}, {program, "--arg", "in=" + npy, "--arg", "1"},
	} {
		for flag, want := range map[string]string{"--max-memory=1GiB": "1GiB", "--max-memory=100GiB": "which is all that this machine has available"} {
			if flag == "--max-memory=100GiB" {
				withMemory(t, 10<<30)
			}
			if code, text := runCode(append(args, flag)...); code != exit.Diag || !strings.Contains(text, want) {
				t.Errorf("%v %s: exit code %d\n%s", args, flag, code, text)
			}
		}
	}
}

// TestMachineMemory runs a tool whose limit is above the memory of the machine.
func TestMachineMemory(t *testing.T) {
	withMemory(t, 1<<20)
	program := clitest.Written(t, "k.pto", budgetKernel)
	code, text := runCode(program, "--arg", "zeros=200000xi64", "--arg", "1")
	if want := "--arg 0 (%p): the arguments need more than 1MiB of memory, which is all that this machine has available"; code != exit.Diag || !strings.Contains(text, want) {
		t.Errorf("exit code %d\n%s", code, text)
	}
}

// TestTwoOutputsOfOneFile names a file twice, also by a link and by another path.
func TestTwoOutputsOfOneFile(t *testing.T) {
	program := clitest.Written(t, "k.pto", "func.func @k(%p: !pto.ptr<f32>, %q: !pto.ptr<f32>) {\n  return\n}\n")
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.bin"), filepath.Join(dir, "b.bin")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ first, second, third, want string }{
		{"out=" + file + ":4", "out=" + file + ":8", "", "argument %p and argument %q must not both write the file " + file},
		{"out=" + link + ":4", "out=" + dir + "/./a.bin:8", "", "argument %p and argument %q must not both write"},
		{"out=" + file + ":4", "zeros=8xf32", "--trace=" + file, "--trace and argument %p must not both write"},
		{"out=" + program + ":4", "zeros=8xf32", "", "the output file of argument %p must not replace the input program"},
		{"zeros=8xf32", "zeros=8xf32", "--trace=" + program, "the output file of --trace must not replace the input program"},
		{"out=" + file + ":4", "zeros=8xf32", "--stats-json=" + file, "--stats-json and argument %p must not both write"},
		{"out=" + file + ":4", "out=" + dir + "/c.bin:8", "--trace=" + dir + "/d.json", ""},
		{"out=/dev/null:4", "out=/dev/null:8", "", ""},
	} {
		args := []string{program, "--arg", c.first, "--arg", c.second}
		if c.third != "" {
			args = append(args, c.third)
		}
		code, text := runCode(args...)
		if c.want == "" && code != exit.OK || c.want != "" && (code != exit.Diag || !strings.Contains(text, c.want)) {
			t.Errorf("%v: exit code %d\n%s", args, code, text)
		}
		if _, err := os.Stat(file); err == nil && c.want != "" {
			t.Errorf("%v wrote the file", args)
		}
	}
	var errs bytes.Buffer
	if code := Opt([]string{program, "--cse", "--log-actions-to=" + file, "-o", file}, strings.NewReader(""), io.Discard, &errs); code != exit.Diag || !strings.Contains(errs.String(), "--output and --log-actions-to must not both write") {
		t.Errorf("pto-opt: exit code %d\n%s", code, &errs)
	}
}

// TestBatchSharesMemory runs cases side by side whose arguments exceed the memory of the
// machine together, and one whose arguments do by themselves.
func TestBatchSharesMemory(t *testing.T) {
	withMemory(t, 8<<20)
	var in bytes.Buffer
	for i := range 8 {
		fmt.Fprintf(&in, "{\"id\": \"%d\", \"text\": %q, \"args\": [\"zeros=1000000xf32\"]}\n", i, shortKernel)
	}
	fmt.Fprintf(&in, "{\"id\": \"large\", \"text\": %q, \"args\": [\"zeros=4000000xf32\"]}\n", shortKernel)
	var out, errs bytes.Buffer
	code := Run([]string{"--batch=-", "--jobs=4"}, &in, &out, &errs)
	if ok := strings.Count(out.String(), `"exit":0`); code != exit.Diag || ok != 8 || !strings.Contains(out.String(), "the arguments need more than 8MiB of memory, which is all") {
		t.Errorf("exit code %d\n%s%s", code, &out, &errs)
	}
}

const shortKernel = "func.func @k(%p: !pto.ptr<f32>) {\n  return\n}\n"
