package jit

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestEndlessOutput runs a tool that prints without end. The memory for its output must
// be limited, and the time limit must end the tool.
func TestEndlessOutput(t *testing.T) {
	if _, err := exec.LookPath("/bin/sh"); err != nil {
		t.Skip(err)
	}
	tool := filepath.Join(t.TempDir(), "clang")
	if err := os.WriteFile(tool, []byte("#!/bin/sh\nwhile :; do echo 0123456789012345678901234567890123456789; done\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	w := watch{limit: time.Second, until: time.Now().Add(time.Second), used: new(time.Duration)}
	out, err := w.output(tool)
	if len(out) == 0 || len(out) > mostText || !w.over(err) {
		t.Errorf("%d bytes, %v", len(out), err)
	}
}
