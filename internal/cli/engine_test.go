package cli

import (
	"bytes"
	"strings"
	"testing"
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
		code = Run(args, strings.NewReader(engineKernel), &out, &err)
		return code, out.String(), err.String()
	}
	code, want, msg := run("--arg", "3")
	if code != exitOK || !strings.Contains(want, "6") {
		t.Fatalf("go: exit %d, %s%s", code, want, msg)
	}
	for _, llvm := range []bool{true, false} {
		if !llvm {
			t.Setenv("PATH", "none")
		}
		code, out, msg := run("--arg", "3", "--engine=llvm")
		if code != exitOK || out != want {
			t.Errorf("llvm: exit %d, %s%s", code, out, msg)
		}
		if !llvm && !strings.Contains(msg, "note: --engine=llvm gives way to --engine=go: no LLVM was found") {
			t.Errorf("without LLVM there is no note: %q", msg)
		}
		code, _, msg = run("--arg", "8", "--engine=llvm")
		if code != exitFault || !strings.Contains(msg, "'pto.load_scalar' op reads bytes 32..35") {
			t.Errorf("fault: exit %d, %s", code, msg)
		}
	}
	if code, _, msg := run("--arg", "3", "--engine=jvm"); code != exitUsage || !strings.Contains(msg, "expected go or llvm") {
		t.Errorf("unknown engine: exit %d, %s", code, msg)
	}
}
