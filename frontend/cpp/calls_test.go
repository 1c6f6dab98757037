package cpp

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// TestCalls reads the kernels in testdata/calls.cpp, and compares lines of the program and
// diagnostics.
func TestCalls(t *testing.T) {
	needClang(t)
	text, err := os.ReadFile("testdata/calls.cpp")
	if err != nil {
		t.Fatal(err)
	}
	for _, profile := range []struct {
		target ir.Target
		stored string // the stride of rows of a store with fewer columns than its view
	}{{sem.A3, "strides = [%c8, %c1]"}, {sem.A5, "strides = [%c32, %c1]"}} {
		var diags ir.Diags
		m := Read(&ir.Source{Name: "testdata/calls.cpp", Text: string(text)}, Options{Target: profile.target}, &diags)
		if m == nil {
			t.Fatal(diags.Err())
		}
		var b bytes.Buffer
		if err := ir.Print(&b, m, ir.PrintOptions{}); err != nil {
			t.Fatal(err)
		}
		for kernel, lines := range map[string][]string{
			"prints":    {`pto.print ins("%d", %n : i32)`, `pto.print ins("%% of %f", %x : f32)`, `pto.print ins(", %x\0A"`},
			"asserts":   {"scf.if", "pto.trap"},
			"modes":     {"pto.set_atomic_none", "pto.set_atomic_add"},
			"window":    {"addr = %c800_i64 : !pto.tile_buf<vec, 16x64xf32, valid=4x8>"},
			"reduction": {"pto.trowmax ins", "pto.trowargmax ins"},
			"columns":   {`pto.mask_pattern<P0101>`, `"col"`},
			"narrow":    {"16x8xf32", profile.stored},
			"filled":    {"arith.constant 3 : i32", "pto.texpands"},
			"scattered": {"coalesce = #pto<coalesce row>", "scatterAtomicOp = #pto<scatter_atomic_op add>", "scatterOob = #pto<scatter_oob skip>"},
			"gathered":  {"4x32xf32, valid=4x16", `"col"`},
			"optional":  {"pto.tstore"},
			"raw":       {"pto.copy_cbuf_to_ubuf", "pto.create_cbuf_matrix"},
		} {
			_, body, ok := strings.Cut(b.String(), "@"+kernel+"(")
			body, _, _ = strings.Cut(body, "func.func")
			for _, l := range lines {
				if !ok || !strings.Contains(body, l) {
					t.Errorf("kernel %s lacks %q:\n%s", kernel, l, body)
				}
			}
		}
		var all []string
		for _, d := range diags.All() {
			all = append(all, d.Text)
		}
		for _, want := range []string{
			"'set_mask_norm' has no effect", "'preload' has no effect", "inline assembly (MOV $0, PC) is left out",
			"the clock is read as 0 here", "a pointer argument is compared with null",
			"kernel 'outer' cannot be read: a kernel calls the kernel 'inner'",
			"kernel 'aligned' cannot be read: 'SetKAligned(true)' has no counterpart in PTO yet",
		} {
			if !strings.Contains(strings.Join(all, "\n"), want) {
				t.Errorf("no diagnostic %q in %q", want, all)
			}
		}
		if len(all) != 7 {
			t.Errorf("%d diagnostics: %q", len(all), all)
		}
	}
}
