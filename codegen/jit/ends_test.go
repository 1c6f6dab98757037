package jit_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ptogo/codegen/jit"
)

// TestCompilerEndsEarly compiles with a compiler that is killed, that fails after writing
// a part of its output, or that writes no output. No program may be cached, and the real
// compiler must build it afterwards.
func TestCompilerEndsEarly(t *testing.T) {
	cache, path := t.TempDir(), os.Getenv("PATH")
	build := func() error {
		p, err := jit.Build("define void @f(ptr %x, i64 %i, i64 %n) {\n  ret void\n}\n", []jit.Func{{Name: "f", Params: []string{"void *"}}}, jit.Options{Cache: cache, Level: "0"})
		if err != nil {
			return err
		}
		defer p.Close()
		_, err = p.Run(jit.Launch{Kernel: "f", Args: []any{make([]byte, 8)}})
		return err
	}
	for name, body := range map[string]string{
		"killed":       "kill -9 $$",
		"part":         `while [ $# -gt 0 ]; do if [ "$1" = -o ]; then echo part > "$2"; fi; shift; done; exit 1`,
		"part, killed": `while [ $# -gt 0 ]; do if [ "$1" = -o ]; then echo part > "$2"; fi; shift; done; kill -11 $$`,
		"nothing":      ":",
	} {
		t.Setenv("PATH", path)
		fakeClang(t, body)
		if err := build(); err == nil {
			t.Errorf("%s: there is a program", name)
		}
		if left := folders(t, cache); len(left) > 0 {
			t.Errorf("%s: %q are left", name, left)
		}
	}
	t.Setenv("PATH", path)
	if err := build(); err != nil && !errors.Is(err, jit.ErrNoLLVM) {
		t.Error(err)
	}
}

// folders returns the entries of a cache folder other than locks.
func folders(t *testing.T, cache string) []string {
	var names []string
	filepath.WalkDir(cache, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".lock") {
			names = append(names, path)
		}
		return err
	})
	return names
}

// TestKilledKernel kills the process of a kernel. The launch must return an error and
// leave its buffers unchanged, and the next launch must start a new process.
func TestKilledKernel(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a kernel ends its process as Linux does")
	}
	text := `
declare i32 @getpid()
declare i32 @kill(i32, i32)
define void @k(ptr %x, i64 %block, i64 %blocks) {
  %n = load i64, ptr %x
  store i64 7, ptr %x
  %wants = icmp eq i64 %n, 1
  br i1 %wants, label %dies, label %ends
dies:
  %me = call i32 @getpid()
  %r = call i32 @kill(i32 %me, i32 9)
  br label %ends
ends:
  ret void
}
`
	p, err := jit.Build(text, []jit.Func{{Name: "k", Params: []string{"void *"}}}, jit.Options{Cache: t.TempDir(), Level: "0", Sandbox: jit.SandboxOff})
	if errors.Is(err, jit.ErrNoLLVM) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	x := []byte{1, 0, 0, 0, 0, 0, 0, 0}
	if _, err := p.Run(jit.Launch{Kernel: "k", Args: []any{x}}); err == nil || !strings.Contains(err.Error(), "killed") || x[0] != 1 {
		t.Errorf("got %v, the buffer starts with %d", err, x[0])
	}
	x[0] = 0
	if _, err := p.Run(jit.Launch{Kernel: "k", Args: []any{x}}); err != nil || x[0] != 7 {
		t.Errorf("the next launch: %v, the buffer starts with %d", err, x[0])
	}
}

// TestFullDiskOfCache builds a program with a file size limit of 4 KiB. That must be an
// error, and no program may be cached.
func TestFullDiskOfCache(t *testing.T) {
	if cache := os.Getenv("PTO_TEST_SMALL_DISK"); cache != "" {
		_, err := jit.Build(endlessKernel, []jit.Func{{Name: "spin"}}, jit.Options{Cache: cache})
		if err == nil || errors.Is(err, jit.ErrNoLLVM) {
			t.Skip("there is no LLVM")
		}
		t.Fatal("as it must: ", err)
	}
	if runtime.GOOS != "linux" {
		t.Skip("the shell limits files as Linux does")
	}
	cache := t.TempDir()
	cmd := exec.Command("/bin/sh", "-c", `ulimit -f 4; exec "$@"`, "sh", os.Args[0], "-test.run=^TestFullDiskOfCache$", "-test.v")
	cmd.Env = append(os.Environ(), "PTO_TEST_SMALL_DISK="+cache)
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "--- SKIP") {
		t.Skip("there is no LLVM")
	}
	if err == nil || !strings.Contains(string(out), "as it must: ") {
		t.Errorf("%v\n%s", err, out)
	}
	if left := folders(t, cache); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}
