package report

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/limit"
	"ptogo/internal/temporary"
)

// TestWatch runs this test again as a process that exceeds its budget, in memory and
// in time, and leaves no temporary file.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	if kind := os.Getenv("PTOGO_TEST_EXCEED"); kind != "" {
		limit.OwnProcess = true
		s := New(os.Stdout, os.Stderr, "tool")
		b := limit.Budget{Memory: 64 << 20, Time: limit.DefaultTimeout}
		if kind == "time" {
			b = limit.Budget{Memory: limit.DefaultMaxMemory, Time: 1}
		}
		temporary.File(os.Getenv("PTOGO_TEST_DIR"), "out.*")
		s.Watch(b)
		var kept [][]byte
		for {
			kept = append(kept, bytes.Repeat([]byte{1}, 1<<16))
			if len(kept) > 1<<13 && kind == "time" {
				kept = nil
			}
		}
	}
	for kind, want := range map[string]string{"memory": "more than 64MiB of memory", "time": "did not finish within 1ns"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestWatch$")
		cmd.Env = append(os.Environ(), "PTOGO_TEST_EXCEED="+kind, "PTOGO_TEST_DIR="+dir)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != exit.Diag || !strings.Contains(string(out), "tool: error: ") || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s", kind, err, out)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}
