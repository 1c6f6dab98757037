package jit_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"ptogo/codegen/jit"
)

// hostile is LLVM IR that the emitter never produces: it calls the C library directly.
// Word 0 of the buffer selects the call: 0 opens a file for writing, 1 executes a shell,
// 2 opens a socket, 3 starts a process, 4 makes memory executable. The result of the call
// is stored in the same word.
const hostile = `
@path = private constant [5 x i8] c"PATH\00"
@shell = private constant [8 x i8] c"/bin/sh\00"
declare i32 @open(ptr, i32, ...)
declare i32 @execl(ptr, ptr, ...)
declare i32 @socket(i32, i32, i32)
declare i32 @fork()
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)
define void @attack(ptr %x, i64 %block, i64 %blocks) {
  %what = load i64, ptr %x
  switch i64 %what, label %map [ i64 0, label %open i64 1, label %exec i64 2, label %socket i64 3, label %fork ]
open:
  %a = call i32 (ptr, i32, ...) @open(ptr @path, i32 577, i32 384)
  br label %end
exec:
  %b = call i32 (ptr, ptr, ...) @execl(ptr @shell, ptr @shell, ptr null)
  br label %end
socket:
  %c = call i32 @socket(i32 1, i32 1, i32 0)
  br label %end
fork:
  %d = call i32 @fork()
  br label %end
map:
  %m = call ptr @mmap(ptr null, i64 4096, i32 7, i32 34, i32 -1, i64 0)
  %n = ptrtoint ptr %m to i64
  %e = trunc i64 %n to i32
  br label %end
end:
  %r = phi i32 [ %a, %open ], [ %b, %exec ], [ %c, %socket ], [ %d, %fork ], [ %e, %map ]
  %s = sext i32 %r to i64
  store i64 %s, ptr %x
  ret void
}
`

// TestSandbox runs system calls in the process of a kernel that the sandbox must prevent.
// Each call must fail. The first one must succeed without a sandbox.
func TestSandbox(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no sandbox")
	}
	file := filepath.Join(t.TempDir(), "opened")
	text := strings.ReplaceAll(hostile, `[5 x i8] c"PATH\00"`, "["+strconv.Itoa(len(file)+1)+` x i8] c"`+file+`\00"`)
	for _, mode := range []jit.Sandbox{jit.SandboxRequired, jit.SandboxOff} {
		p, err := jit.Build(text, []jit.Func{{Name: "attack", Params: []string{"void *"}}}, jit.Options{Cache: t.TempDir(), Level: "1", Sandbox: mode})
		if errors.Is(err, jit.ErrNoLLVM) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		calls := []string{"open", "exec", "socket", "fork", "executable memory"}
		if mode == jit.SandboxOff {
			calls = calls[:1]
		}
		for i, name := range calls {
			x := make([]byte, 8)
			x[0] = byte(i)
			_, err := p.Run(jit.Launch{Kernel: "attack", Args: []any{x}})
			if errors.Is(err, jit.ErrNoSandbox) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if failed := x[7] == 0xFF; failed != (mode == jit.SandboxRequired) {
				t.Errorf("%s in sandbox %q: the call returned % x", name, mode, x)
			}
		}
		if _, err := os.Stat(file); (err == nil) != (mode == jit.SandboxOff) {
			t.Errorf("in sandbox %q: the file: %v", mode, err)
		}
	}
}
