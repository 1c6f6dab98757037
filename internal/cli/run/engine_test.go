package run

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ptogo/codegen/jit"
	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
)

const engineKernel = `module {
  func.func @f(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %i: index) attributes {pto.kernel} {
    %c0 = arith.constant 0 : index
    %v = pto.load_scalar %x[%i] : !pto.ptr<f32> -> f32
    %w = arith.addf %v, %v : f32
    pto.store_scalar %w, %y[%c0] : !pto.ptr<f32>, f32
    return
  }
}
`

// TestEngines runs a kernel on every engine, also where there is no LLVM.
func TestEngines(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	run := func(args ...string) (code int, stdout, stderr string) {
		args = append([]string{"-", "--arg", "iota=8xf32", "--arg", "zeros=1xf32", "--print"}, args...)
		var out, err bytes.Buffer
		code = ptoRun(args, strings.NewReader(engineKernel), &out, &err)
		return code, out.String(), err.String()
	}
	code, want, msg := run("--arg", "3")
	if code != exit.OK || !strings.Contains(want, "6") {
		t.Fatalf("go: exit %d, %s%s", code, want, msg)
	}
	for _, llvm := range []bool{true, false} {
		if !llvm {
			t.Setenv("PATH", "none")
		}
		code, out, msg := run("--arg", "3", "--engine=llvm")
		if code != exit.OK || out != want {
			t.Errorf("llvm: exit %d, %s%s", code, out, msg)
		}
		if !llvm && !strings.Contains(msg, "note: --engine=llvm falls back to --engine=go: no LLVM was found") {
			t.Errorf("without LLVM there is no note: %q", msg)
		}
		code, _, msg = run("--arg", "8", "--engine=llvm")
		if code != exit.Fault || !strings.Contains(msg, "'pto.load_scalar' op accesses memory out of bounds: it reads bytes 32..35") {
			t.Errorf("fault: exit %d, %s", code, msg)
		}
	}
	clang := "#!/bin/sh\nif [ \"$1\" = --version ]; then echo clang version 19.1.0; else exec /bin/sleep 1000000; fi\n"
	slow := t.TempDir()
	if err := os.WriteFile(filepath.Join(slow, "clang"), []byte(clang), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", slow)
	code, out, msg := run("--arg", "3", "--engine=llvm", "--compile-timeout=100ms")
	if code != exit.OK || out != want || !strings.Contains(msg, "clang did not finish within 100ms") {
		t.Errorf("slow compiler: exit %d, %s%s", code, out, msg)
	}
	if code, _, msg := run("--arg", "3", "--engine=jvm"); code != exit.Usage || !strings.Contains(msg, "expected go or llvm") {
		t.Errorf("unknown engine: exit %d, %s", code, msg)
	}
}

// TestPrintingFaults runs kernels through LLVM that print and do not end well:
// the Go engine prints it all, once.
func TestPrintingFaults(t *testing.T) {
	if _, ok := jit.Find("clang"); !ok {
		t.Skip("needs clang")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	const head, tail = "module {\n  func.func @f(%n: i32) attributes {pto.kernel} {\n    %one = arith.constant 1 : i32\n    %true = arith.constant true\n",
		"    return\n  }\n}\n"
	for _, c := range []struct{ name, body, out, err string }{
		{"fault", `    pto.print ins("before %d\0A", %n : i32)
    %q = arith.divsi %one, %n : i32
    pto.print ins("behind %d\0A", %q : i32)
`, "before 0\n", "falls back to --engine=go: kernel faulted: a check in the kernel failed"},
		{"endless", `    scf.while : () -> () {
      pto.print ins("LINE%d\0A", %n : i32)
      scf.condition(%true)
    } do {
      scf.yield
    }
`, strings.Repeat("-", 10_000) + "0\n", "prints more than 64MiB, the limit of --max-output"},
	} {
		var out, err bytes.Buffer
		text := strings.ReplaceAll(head+c.body+tail, "LINE", strings.Repeat("-", 10_000))
		code := ptoRun([]string{"-", "--arg", "0", "--engine=llvm", "--max-steps=8"}, strings.NewReader(text), &out, &err)
		if code != exit.Fault || !strings.HasPrefix(out.String(), c.out) || out.Len() > 8*len(c.out) || !strings.Contains(err.String(), c.err) {
			t.Errorf("%s: exit %d, %d bytes, beginning %.20q\n%.1000s", c.name, code, out.Len(), out.String(), err.String())
		}
	}
}

// TestTimeout runs a kernel that does not end, until its time is over and until
// somebody wants it to stop.
func TestTimeout(t *testing.T) {
	if _, ok := jit.Find("clang"); !ok {
		t.Skip("needs clang")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	endless := strings.Replace(engineKernel, "    %c0 =", `    pto.print ins("from %d\0A", %i : index)
    %true = arith.constant true
    scf.while : () -> () {
      %z = pto.load_scalar %x[%i] : !pto.ptr<f32> -> f32
      pto.store_scalar %z, %y[%i] : !pto.ptr<f32>, f32
      scf.condition(%true)
    } do {
      scf.yield
    }
    %c0 =`, 1)
	args := []string{"-", "--arg", "iota=8xf32", "--arg", "zeros=1xf32", "--arg", "0", "--engine=llvm"}
	for _, stops := range []bool{false, true} {
		for _, wait := range clitest.Longer { // until the kernel has begun by then
			var out, err bytes.Buffer
			limit, stop, why := wait, make(chan struct{}), "reached its time limit of "+wait.String()+" (--timeout)"
			if stops {
				time.AfterFunc(wait, func() { close(stop) })
				limit, why = time.Hour, "was interrupted"
			}
			console := files.NewConsole(strings.NewReader(endless), &out, &err, "pto-run")
			console.Cancelled = stop
			code := Command(console, nil, append(args, "--timeout="+limit.String()))
			if code != exit.Fault {
				t.Fatalf("exit %d, %s", code, err.String())
			}
			want := "<stdin>:5:5: error: 'scf.while' op was running when the launch " + why
			if out.String() == "from 0\n" && strings.Contains(err.String(), want) {
				break
			}
			if wait == clitest.Longer[len(clitest.Longer)-1] {
				t.Errorf("prints %q, and %s, want %s", out.String(), err.String(), want)
			}
		}
	}
}

// TestInterruptCompiler stops while the code is compiled.
func TestInterruptCompiler(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, stop := t.TempDir(), make(chan struct{})
	clang := "#!/bin/sh\nif [ \"$1\" = --version ]; then echo clang version 19.1.0; else : >" + dir + "/begun; exec /bin/sleep 1000000; fi\n"
	if err := os.WriteFile(filepath.Join(dir, "clang"), []byte(clang), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	var out, err bytes.Buffer
	console := files.NewConsole(strings.NewReader(engineKernel), &out, &err, "pto-run")
	console.Cancelled = stop
	go func() { // when it compiles, and does not only tell its version
		for {
			if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
				close(stop)
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	code := Command(console, nil, []string{"-", "--arg", "iota=8xf32", "--arg", "zeros=1xf32", "--arg", "3", "--engine=llvm"})
	if code != exit.Fault || !strings.Contains(err.String(), "compiling was interrupted") {
		t.Errorf("exit %d, %s", code, err.String())
	}
}
