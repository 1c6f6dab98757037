package jit_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ptogo/codegen/jit"
)

// slowClang puts a clang on the path that takes long, and leaves nothing else.
func slowClang(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\nif [ \"$1\" = --version ]; then echo clang version 19.1.0; else /bin/sleep 20; fi\n"
	if err := os.WriteFile(filepath.Join(dir, "clang"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}

// timedOut fails the test unless err is a *TimeoutError that came in time.
func timedOut(t *testing.T, err error, start time.Time) {
	t.Helper()
	if _, ok := errors.AsType[*jit.TimeoutError](err); !ok {
		t.Errorf("got %v, want a timeout", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %s to notice", took)
	}
}

func TestSlowCompiler(t *testing.T) {
	slowClang(t)
	start := time.Now()
	_, err := jit.Build("", nil, jit.Options{Cache: t.TempDir(), Limit: 100 * time.Millisecond})
	timedOut(t, err, start)
}

// TestEndless runs a kernel that does not end, then one that does.
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
`)
	x, start := make([]byte, 8), time.Now()
	_, err := p.Run(jit.Launch{Kernel: "endless", Args: []any{x, uint64(2)}, Limit: 200 * time.Millisecond})
	timedOut(t, err, start)
	if _, err := p.Run(jit.Launch{Kernel: "endless", Args: []any{x, uint64(1)}, Limit: 10 * time.Second}); err != nil {
		t.Error(err)
	}
}
