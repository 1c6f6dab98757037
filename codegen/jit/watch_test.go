package jit_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ptogo/codegen/jit"
)

// fakeClang replaces the search path by a folder that contains only a clang which
// executes the script body.
func fakeClang(t *testing.T, body string) {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\nif [ \"$1\" = --version ]; then echo clang version 19.1.0; else " + body + "; fi\n"
	if err := os.WriteFile(filepath.Join(dir, "clang"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}

// TestSlowCompiler checks that the wall-clock limit ends a compiler that sleeps.
func TestSlowCompiler(t *testing.T) {
	fakeClang(t, "exec /bin/sleep 1000000")
	_, err := jit.Build("", nil, jit.Options{Cache: t.TempDir(), Limit: 100 * time.Millisecond})
	if _, ok := errors.AsType[*jit.TimeoutError](err); !ok {
		t.Errorf("got %v, want a timeout", err)
	}
}

// TestBusyCompiler checks that a tool ends when it has used its limit of processor time,
// long before the limit of wall-clock time.
func TestBusyCompiler(t *testing.T) {
	fakeClang(t, "while :; do :; done")
	_, err := jit.Build("", nil, jit.Options{Cache: t.TempDir(), Limit: time.Second})
	if _, ok := errors.AsType[*jit.TimeoutError](err); !ok {
		t.Errorf("got %v, want a timeout", err)
	}
}

// TestStoppedWhileAsked interrupts a compiler during the query of its version. The error
// must be the interruption, not a missing compiler.
func TestStoppedWhileAsked(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "clang"), []byte("#!/bin/sh\nexec /bin/sleep 1000000\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	stop := make(chan struct{})
	close(stop)
	if _, err := jit.Build("", nil, jit.Options{Cache: t.TempDir(), Stop: stop}); !errors.Is(err, jit.ErrStopped) {
		t.Errorf("got %v, want %v", err, jit.ErrStopped)
	}
}

// TestTalkativeCompiler checks that an error contains only the first lines of a tool's
// output.
func TestTalkativeCompiler(t *testing.T) {
	fakeClang(t, "for i in 1 2 3 4 5 6 7 8 9; do echo line $i; done; exit 1")
	_, err := jit.Build("", nil, jit.Options{Cache: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "line 5") || strings.Contains(err.Error(), "line 6") {
		t.Errorf("got %v, want the lines up to 5", err)
	}
}

// TestEndless runs a kernel that does not end within its limit, and then a kernel that
// ends.
func TestEndless(t *testing.T) {
	p := compile(t, `module {
  func.func @endless(%x: !pto.ptr<i64>, %turns: i64) attributes {pto.kernel} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i64
    %last = scf.while (%n = %turns) : (i64) -> i64 {
      %more = arith.cmpi ne, %n, %zero : i64
      pto.store_scalar %n, %x[%c0] : !pto.ptr<i64>, i64
      scf.condition(%more) %n : i64
    } do {
    ^bb0(%n: i64):
      %b = pto.load_scalar %x[%c0] : !pto.ptr<i64> -> i64
      %odd = arith.ori %b, %one : i64
      %next = arith.subi %odd, %one : i64
      scf.yield %next : i64
    }
    return
  }
}
`, "1")
	x := make([]byte, 8)
	for _, stops := range []bool{false, true} {
		for limit := 100 * time.Millisecond; ; limit *= 2 { // until the kernel has begun by then
			l := jit.Launch{Kernel: "endless", Args: []any{x, uint64(2)}, Blocks: 5, Limit: limit}
			if stops {
				stop := make(chan struct{})
				time.AfterFunc(limit, func() { close(stop) })
				l.Limit, l.Stop = 0, stop
			}
			_, err := p.Run(l)
			ended, ok := errors.AsType[*jit.Ended](err)
			if !ok || ended.Late == stops {
				t.Fatalf("got %+v, want the end of the kernel", err)
			}
			if len(ended.Words) == 1 && ended.Words[0][1] == 0 {
				break
			}
			if limit > time.Minute {
				t.Fatalf("got %+v, want the place of block 0", err)
			}
		}
	}
	if _, err := p.Run(jit.Launch{Kernel: "endless", Args: []any{x, uint64(1)}}); err != nil {
		t.Error(err)
	}
}
