//go:build linux

package jit_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"ptogo/codegen/jit"
)

// curious is LLVM IR that calls the C library: word 0 of the buffer selects a write to the
// inherited file 9, the limits of process 1, the status of a file by its name, or a read
// from file 2. The result of the call is stored in the same word.
const curious = `
@path = private constant [5 x i8] c"/tmp\00"
declare i64 @write(i32, ptr, i64)
declare i64 @read(i32, ptr, i64)
declare i32 @prlimit(i32, i32, ptr, ptr)
declare i32 @stat(ptr, ptr)
define void @attack(ptr %x, i64 %block, i64 %blocks) {
  %buf = alloca [512 x i8]
  %what = load i64, ptr %x
  switch i64 %what, label %read [ i64 0, label %write i64 1, label %limit i64 2, label %stat ]
write:
  %a = call i64 @write(i32 9, ptr @path, i64 1)
  br label %end
limit:
  %b = call i32 @prlimit(i32 1, i32 7, ptr null, ptr %buf)
  %c = sext i32 %b to i64
  br label %end
stat:
  %d = call i32 @stat(ptr @path, ptr %buf)
  %e = sext i32 %d to i64
  br label %end
read:
  %f = call i64 @read(i32 2, ptr %buf, i64 1)
  br label %end
end:
  %r = phi i64 [ %a, %write ], [ %c, %limit ], [ %e, %stat ], [ %f, %read ]
  store i64 %r, ptr %x
  ret void
}
`

// TestInheritedFiles starts a kernel in a process that has a file open. The process of the
// kernel must not have it, with and without a sandbox. In a sandbox, calls that are allowed
// for some arguments must fail for others.
func TestInheritedFiles(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "open"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Dup3(int(f.Fd()), 9, 0); err != nil { // without close-on-exec
		t.Fatal(err)
	}
	defer syscall.Close(9)
	for _, mode := range []jit.Sandbox{jit.SandboxRequired, jit.SandboxOff} {
		p, err := jit.Build(curious, []jit.Func{{Name: "attack", Params: []string{"void *"}}}, jit.Options{Cache: t.TempDir(), Level: "1", Sandbox: mode})
		if errors.Is(err, jit.ErrNoLLVM) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		calls := []string{"write to an inherited file", "limits of another process", "status of a file", "read from another file"}
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
			if x[7] != 0xFF {
				t.Errorf("%s in sandbox %q: the call returned % x", name, mode, x)
			}
		}
	}
	if s, err := f.Stat(); err != nil || s.Size() > 0 {
		t.Errorf("the kernel has written to the file: %v", err)
	}
}
