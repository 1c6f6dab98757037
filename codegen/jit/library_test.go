package jit

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sumText is LLVM IR with a loop, which LLVM vectorizes.
const sumText = `
define void @sum(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %q = getelementptr float, ptr %p, i64 2048
  %a = load float, ptr %p
  %b = load float, ptr %q
  %c = fmul float %a, %b
  %d = fadd float %c, %a
  store float %d, ptr %q
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
`

// withLibrary returns the toolchain of clang, the path of its LLVM library, and a folder
// with sumText in the file kernels.ll. Without a library, it skips the test.
func withLibrary(t *testing.T) (tools *toolchain, library, dir string) {
	for _, tools := range toolchains() {
		if library := findLibrary(tools.clang); tools.clang != "" && library != "" {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "kernels.ll"), []byte(sumText), 0o600); err != nil {
				t.Fatal(err)
			}
			return &tools, library, dir
		}
	}
	t.Skip("clang has no LLVM library")
	return nil, "", ""
}

// TestSameCode compares the object files that the library and clang generate.
func TestSameCode(t *testing.T) {
	tools, library, dir := withLibrary(t)
	from, w := filepath.Join(dir, "kernels.ll"), newWatch(DefaultLimit, nil)
	for _, level := range []string{"0", "1", "2", "3"} {
		ours, theirs := filepath.Join(dir, "ours.o"), filepath.Join(dir, "theirs.o")
		if err := tools.compileByLibrary(library, from, ours, Options{Level: level, Cache: dir}, w); err != nil {
			t.Fatal(err)
		}
		if err := tools.compile(dir, from, theirs, level, w); err != nil {
			t.Fatal(err)
		}
		a, errA := os.ReadFile(ours)
		b, errB := os.ReadFile(theirs)
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("-O%s: the library generated other code than clang: %v, %v", level, errA, errB)
		}
	}
}

// TestServiceGone ends the process that waits for work. The next text is compiled by a new
// process.
func TestServiceGone(t *testing.T) {
	tools, library, dir := withLibrary(t)
	from, object := filepath.Join(dir, "kernels.ll"), filepath.Join(dir, "kernels.o")
	o, w := Options{Level: "0", Cache: dir}, newWatch(DefaultLimit, nil)
	for range 2 {
		if err := tools.compileByLibrary(library, from, object, o, w); err != nil {
			t.Fatal(err)
		}
		services.Lock()
		for _, s := range services.idle {
			if err := s.cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
		services.Unlock()
	}
}

// TestServiceError compiles a text with an error, and then a correct text in the same
// process.
func TestServiceError(t *testing.T) {
	tools, library, dir := withLibrary(t)
	wrong, object := filepath.Join(dir, "wrong.ll"), filepath.Join(dir, "kernels.o")
	if err := os.WriteFile(wrong, []byte("define void @f() { ret i32 }"), 0o600); err != nil {
		t.Fatal(err)
	}
	o, w := Options{Level: "0", Cache: dir}, newWatch(DefaultLimit, nil)
	if err := tools.compileByLibrary(library, wrong, object, o, w); err == nil || !strings.Contains(err.Error(), "expected") {
		t.Errorf("got %v, want a syntax error", err)
	}
	path, err := tools.compiler(o, w)
	if err != nil {
		t.Fatal(err)
	}
	s := takeService(path, library)
	if s == nil {
		t.Fatal("no process waits for work after an error in a text")
	}
	if err := s.compile(filepath.Join(dir, "kernels.ll"), object, "0", w); err != nil {
		t.Error(err)
	}
}

// TestServiceStopped interrupts a compilation, and exceeds its limit of wall-clock time.
// The process ends.
func TestServiceStopped(t *testing.T) {
	tools, library, dir := withLibrary(t)
	o := Options{Level: "0", Cache: dir}
	path, err := tools.compiler(o, newWatch(DefaultLimit, nil))
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	close(stop)
	stopped, late := newWatch(DefaultLimit, stop), newWatch(DefaultLimit, nil)
	late.until = time.Now()
	for _, w := range []watch{stopped, late} {
		s, err := startService(path, library)
		if err != nil {
			t.Fatal(err)
		}
		err = s.compile(filepath.Join(dir, "kernels.ll"), filepath.Join(dir, "kernels.o"), "0", w)
		if _, isLate := errors.AsType[*TimeoutError](err); !isLate && !errors.Is(err, ErrStopped) {
			t.Errorf("got %v, want the end of the compilation", err)
		}
		if s.cmd.ProcessState == nil {
			t.Error("the process still runs")
		}
	}
}

// TestLinkWithoutLd links kernels by the C compiler, as on systems without ld.
func TestLinkWithoutLd(t *testing.T) {
	tools, _, dir := withLibrary(t)
	w, object := newWatch(DefaultLimit, nil), filepath.Join(dir, "kernels.o")
	if err := tools.compile(dir, filepath.Join(dir, "kernels.ll"), object, "1", w); err != nil {
		t.Fatal(err)
	}
	tools.ld = ""
	path, err := tools.link(dir, object, w)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || !bytes.Contains(data, []byte("sum")) {
		t.Errorf("the shared object has no function sum: %v", err)
	}
}
