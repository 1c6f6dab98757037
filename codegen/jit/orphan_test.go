package jit_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"ptogo/codegen/jit"
)

// endlessKernel is a kernel in LLVM IR that never returns.
const endlessKernel = `target triple = "x86_64-unknown-linux-gnu"
define void @spin(i64 %block, i64 %blocks) {
entry:
  br label %loop
loop:
  call void asm sideeffect "", ""()
  br label %loop
}
`

// TestEndlessParent is not a test of its own: TestOrphan runs it in a separate process.
func TestEndlessParent(t *testing.T) {
	cache := os.Getenv("PTO_TEST_ENDLESS")
	if cache == "" {
		t.Skip("is run by TestOrphan")
	}
	p, err := jit.Build(endlessKernel, []jit.Func{{Name: "spin"}}, jit.Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(jit.Launch{Kernel: "spin"})
	t.Error(err)
}

// TestOrphan kills a process whose kernel is running, and checks that the process of the
// kernel also ends.
func TestOrphan(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("looks for processes as Linux shows them")
	}
	cache := t.TempDir()
	if p, err := jit.Build(endlessKernel, []jit.Func{{Name: "spin"}}, jit.Options{Cache: cache}); errors.Is(err, jit.ErrNoLLVM) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	} else {
		p.Close()
	}
	parent := exec.Command(os.Args[0], "-test.run=^TestEndlessParent$")
	parent.Env = append(os.Environ(), "PTO_TEST_ENDLESS="+cache)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the kernel to start", func() bool { return runsFrom(cache) })
	_ = parent.Process.Kill()
	_ = parent.Wait()
	waitFor(t, "the kernel to end", func() bool { return !runsFrom(cache) })
}

// runsFrom reports whether any process runs a program in the folder dir.
func runsFrom(dir string) bool {
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		if exe, err := os.Readlink(link); err == nil && strings.HasPrefix(exe, dir+"/") {
			return true
		}
	}
	return false
}

// waitFor waits until done returns true, with a timeout that is sufficient for a busy
// machine.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 6000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("waited in vain for " + what)
}
