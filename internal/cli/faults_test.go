//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/limit"
)

// Faults that the system causes: a full disk, a full stream, a limit of memory, a process
// that is killed, a tool that ends early. Each is an error with exit code 1, and files
// stay as they were.

// TestToolProcess is not a test: tests run it as a process that is a tool.
func TestToolProcess(t *testing.T) {
	tool := os.Getenv("PTOGO_TEST_TOOL")
	if tool == "" {
		t.Skip("other tests run it")
	}
	args := os.Args
	for args[0] != "--" {
		args = args[1:]
	}
	limit.TuneCollector()
	if tool == "pto-opt" {
		os.Exit(Opt(args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(Run(args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// toolProcess returns a process of a tool. Shell text such as "ulimit -f 8; " comes first.
func toolProcess(shell, tool string, args ...string) *exec.Cmd {
	own := []string{os.Args[0], "-test.run=^TestToolProcess$", "--"}
	cmd := exec.Command("/bin/sh", append([]string{"-c", shell + `exec "$@"`, "sh"}, append(own, args...)...)...)
	cmd.Env = append(os.Environ(), "PTOGO_TEST_TOOL="+tool)
	return cmd
}

// manyLines is a program that is written as more than a MiB.
func manyLines() string {
	return "func.func @f(%n: i32) {\n" + clitest.Lines(40000, "%%v%d = arith.addi %%n, %%n : i32") + "return\n}\n"
}

// printsMany is budgetKernel for an array of floats.
var printsMany = strings.Replace(budgetKernel, "i64", "f32", 1)

// TestFullStream writes to a stream that accepts nothing.
func TestFullStream(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	large, prints := clitest.Written(t, "large.pto", manyLines()), clitest.Written(t, "prints.pto", printsMany)
	cases := clitest.Written(t, "cases.jsonl", fmt.Sprintf("{\"file\": %q, \"args\": [\"zeros=8xf32\", \"1\"]}\n", prints))
	for _, c := range []struct {
		tool string
		args []string
	}{
		{"pto-opt", []string{large}},
		{"pto-opt", []string{large, "-o", "/dev/full"}},
		{"pto-opt", []string{large, "--emit=llvm"}},
		{"pto-opt", []string{"--list-passes"}},
		{"pto-opt", []string{"--explain=list"}},
		{"pto-opt", []string{large, "--memory-map"}},
		{"pto-run", []string{prints, "--arg", "zeros=8xf32", "--arg", "1"}},
		{"pto-run", []string{prints, "--arg", "zeros=8xf32", "--arg", "1", "--engine=llvm"}},
		{"pto-run", []string{prints, "--arg", "out=/dev/full:8xf32", "--arg", "1"}},
		{"pto-run", []string{prints, "--arg", "zeros=8xf32", "--arg", "1", "--trace=/dev/full"}},
		{"pto-run", []string{prints, "--arg", "zeros=8xf32", "--arg", "1", "--timing-json=/dev/full"}},
		{"pto-run", []string{"--batch", cases}},
		{"pto-run", []string{"--batch", cases, "--results=/dev/full"}},
		{"pto-run", []string{"--help"}},
	} {
		cmd := toolProcess("", c.tool, c.args...)
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &errs
		err := cmd.Run()
		if cmd.ProcessState.ExitCode() != exit.Diag || !strings.Contains(errs.String(), "no space left on device") {
			t.Errorf("%s %v: %v\n%s", c.tool, c.args, err, errs.String())
		}
	}
}

// TestSmallDisk writes files on a disk with room for 4 KiB: the shell limits the size of
// files. What was there before stays, and no other file is left.
func TestSmallDisk(t *testing.T) {
	large, prints := clitest.Written(t, "large.pto", manyLines()), clitest.Written(t, "prints.pto", printsMany)
	for _, c := range []struct {
		name, tool string
		args       []string // OUT is the output
	}{
		{"program", "pto-opt", []string{large, "-o", "OUT"}},
		{"LLVM IR", "pto-opt", []string{large, "--emit=llvm", "-o", "OUT"}},
		{"array", "pto-run", []string{prints, "--arg", "out=OUT:100000xf32", "--arg", "1"}},
		{"array in place", "pto-run", []string{prints, "--arg", "inout=OUT", "--arg", "1"}},
		{"trace", "pto-run", []string{prints, "--arg", "zeros=8xf32", "--arg", "1", "--trace=OUT"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := bytes.Repeat([]byte{1}, 400000)
			out := clitest.Written(t, "out", string(before))
			args := strings.Split(strings.ReplaceAll(strings.Join(c.args, "\n"), "OUT", out), "\n")
			text, err := toolProcess("ulimit -f 4; ", c.tool, args...).CombinedOutput()
			ended := (*exec.ExitError)(nil)
			if !errors.As(err, &ended) || ended.ExitCode() != exit.Diag || !strings.Contains(string(text), out+": file too large") {
				t.Errorf("%v\n%s", err, last(text))
			}
			if got, _ := os.ReadFile(out); !bytes.Equal(got, before) {
				t.Errorf("the file changed, it has %d bytes", len(got))
			}
			if left, _ := os.ReadDir(filepath.Dir(out)); len(left) != 1 {
				t.Errorf("%d files are left", len(left)-1)
			}
		})
	}
}

// last returns the end of a long text.
func last(text []byte) []byte { return text[max(0, len(text)-400):] }

// TestResultsOnSmallDisk appends results to a file until the disk is full. Another batch
// goes on after the last whole line.
func TestResultsOnSmallDisk(t *testing.T) {
	program := clitest.Written(t, "k.pto", clitest.LongText(64))
	var cases strings.Builder
	for i := range 200 {
		fmt.Fprintf(&cases, "{\"id\": \"a rather long name of a case %d\", \"file\": %q}\n", i, program)
	}
	batch := clitest.Written(t, "cases.jsonl", cases.String())
	results := filepath.Join(t.TempDir(), "results.jsonl")
	out, err := toolProcess("ulimit -f 4; ", "pto-run", "--batch", batch, "--results", results, "--jobs=1").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "file too large") {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := toolProcess("", "pto-run", "--batch", batch, "--results", results, "--jobs=1").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, _ := os.ReadFile(results)
	seen := map[string]bool{}
	for line := range bytes.Lines(text) {
		var r struct {
			ID   string
			Seed uint64
			Exit int
		}
		if err := json.Unmarshal(line, &r); err != nil || seen[r.ID] {
			t.Errorf("line %q: %v", line, err)
		}
		seen[r.ID] = true
	}
	if len(seen) != 200 {
		t.Errorf("%d results", len(seen))
	}
}

// TestLimitedMemory gives a tool less address space than it wants for itself, or less
// --max-memory than the program needs. It leaves no file. A build that cannot even start
// with so little address space, as one with the race detector, is tried without that limit.
func TestLimitedMemory(t *testing.T) {
	large := clitest.Written(t, "large.pto", manyLines())
	for _, c := range []struct{ shell, flag string }{{"", "--max-memory=4MiB"}, {"ulimit -d 200000; ", "--max-memory=8MiB"}} {
		if c.shell != "" && toolProcess(c.shell, "pto-opt", "--version").Run() != nil {
			t.Logf("this build does not start after %q", c.shell)
			continue
		}
		out := filepath.Join(t.TempDir(), "out")
		text, err := toolProcess(c.shell, "pto-opt", large, "-o", out, c.flag).CombinedOutput()
		ended := (*exec.ExitError)(nil)
		if !errors.As(err, &ended) || ended.ExitCode() != exit.Diag || !strings.Contains(string(text), "of memory; --max-memory raises the limit") {
			t.Errorf("%s%s: %v\n%s", c.shell, c.flag, err, last(text))
		}
		if left, _ := os.ReadDir(filepath.Dir(out)); len(left) != 0 {
			t.Errorf("%d files are left", len(left))
		}
	}
}

// TestKilled kills a batch while it writes results, and a run with an output. The results
// have whole lines but for the last, the output is not there, and both run again.
func TestKilled(t *testing.T) {
	program := clitest.Written(t, "k.pto", clitest.EndlessLoads)
	quick := clitest.Written(t, "quick.pto", clitest.LongText(64))
	results := filepath.Join(t.TempDir(), "results.jsonl")
	batch := clitest.Written(t, "cases.jsonl", fmt.Sprintf("{\"id\": \"a\", \"file\": %q}\n{\"id\": \"b\", \"file\": %q, \"args\": [\"zeros=8xf32\"]}\n", quick, program))
	cmd := toolProcess("", "pto-run", "--batch", batch, "--results", results, "--jobs=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, func() bool { text, _ := os.ReadFile(results); return bytes.HasSuffix(text, []byte("\n")) })
	cmd.Process.Kill()
	cmd.Wait()
	// A line that a crash has cut off is written again.
	f, err := os.OpenFile(results, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, `{"id": "b", "se`)
	f.Close()
	batch = clitest.Written(t, "cases.jsonl", fmt.Sprintf("{\"id\": \"a\", \"file\": %[1]q}\n{\"id\": \"b\", \"file\": %[1]q}\n", quick))
	out, err := toolProcess("", "pto-run", "--batch", batch, "--results", results).CombinedOutput()
	if text, _ := os.ReadFile(results); err != nil || bytes.Count(text, []byte("\n")) != 2 || !strings.Contains(string(out), "1 now") {
		t.Errorf("%v\n%s%s", err, out, text)
	}

	dir := t.TempDir()
	cmd = toolProcess("", "pto-run", program, "--arg", "out="+filepath.Join(dir, "y.npy")+":8xf32", "--trace="+filepath.Join(dir, "trace.json"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, func() bool { files, _ := os.ReadDir(dir); return len(files) > 0 })
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("after SIGTERM %d files are left, the first is %s", len(left), left[0].Name())
	}
}

// waitUntil waits for a process of the test, at most for a minute.
func waitUntil(t *testing.T, holds func() bool) {
	t.Helper()
	for range 6000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it did not happen")
}

// TestReaderGone closes the pipe that a tool writes to.
func TestReaderGone(t *testing.T) {
	large := clitest.Written(t, "large.pto", manyLines())
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := toolProcess("", "pto-opt", large)
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	io.ReadFull(r, make([]byte, 100))
	r.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("the tool reports no error")
		}
	case <-time.After(time.Minute):
		cmd.Process.Kill()
		t.Error("the tool goes on")
	}
}

// shortWriter accepts only a few bytes of each write.
type shortWriter struct{ n int }

func (w *shortWriter) Write(p []byte) (int, error) {
	if len(p) > 7 {
		w.n += 7
		return 7, io.ErrShortWrite
	}
	w.n += len(p)
	return len(p), nil
}

// TestShortWrites ends with an error when a stream accepts a part only.
func TestShortWrites(t *testing.T) {
	for name, run := range map[string]func(out, errs io.Writer) int{
		"program": func(out, errs io.Writer) int { return Opt(nil, strings.NewReader(manyLines()), out, errs) },
		"print": func(out, errs io.Writer) int {
			return Run([]string{"-", "--arg", "zeros=8xf32", "--arg", "1"}, strings.NewReader(printsMany), out, errs)
		},
		"list": func(out, errs io.Writer) int { return Opt([]string{"--list-passes"}, nil, out, errs) },
	} {
		var errs bytes.Buffer
		if code := run(&shortWriter{}, &errs); code != exit.Diag || !strings.Contains(errs.String(), io.ErrShortWrite.Error()) {
			t.Errorf("%s: exit code %d\n%s", name, code, last(errs.Bytes()))
		}
	}
}
