package reduce

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/ir"
	"ptogo/kernel"
)

// large returns a program of two thousand lines. One operation, in a loop, is the one
// that the test keeps.
func large() string {
	var b strings.Builder
	for f := range 10 {
		fmt.Fprintf(&b, "func.func @f%d(%%x: !pto.ptr<f32>, %%y: !pto.ptr<f32>, %%n: i32) attributes {pto.kernel} {\n", f)
		b.WriteString("  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c4 = arith.constant 4 : index\n")
		for i := range 190 {
			fmt.Fprintf(&b, "  %%v%d = arith.addi %%n, %%n : i32\n", i)
		}
		b.WriteString("  scf.for %i = %c0 to %c4 step %c1 {\n    %a = pto.load_scalar %x[%i] : !pto.ptr<f32> -> f32\n    pto.store_scalar %a, %y[%i] : !pto.ptr<f32>, f32\n")
		if f == 7 {
			b.WriteString("    %m = arith.mulf %a, %a : f32\n    %d = arith.divf %m, %a : f32\n")
		}
		b.WriteString("  }\n  return\n}\n")
	}
	return b.String()
}

func TestReduce(t *testing.T) {
	text := large()
	if n := strings.Count(text, "\n"); n < 2000 {
		t.Fatalf("the program has %d lines", n)
	}
	interesting := func(text []byte) bool {
		_, err := kernel.Load(&ir.Source{Name: "x.pto", Text: string(text)}, kernel.Options{Kernel: "f7"})
		return err == nil && bytes.Contains(text, []byte("arith.divf"))
	}
	got, err := Reduce(&ir.Source{Name: "large.pto", Text: text}, Options{Interesting: interesting, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !interesting(got) || bytes.Count(got, []byte("\n")) >= 15 || bytes.Contains(got, []byte("%n")) || bytes.Contains(got, []byte("store")) {
		t.Errorf("reduced to\n%s", got)
	}
}

func TestReduceNothing(t *testing.T) {
	_, err := Reduce(&ir.Source{Name: "x.pto", Text: "func.func @f() {\n return\n}\n"}, Options{Interesting: func([]byte) bool { return false }})
	if !errors.Is(err, errNotInteresting) {
		t.Errorf("error %v", err)
	}
}

// TestReduceCuts checks the result of reducing programs in which one operation must be
// kept.
func TestReduceCuts(t *testing.T) {
	for _, c := range []struct{ name, text, keep, want string }{
		{"loop", `func.func @f(%x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> (i32) {
    %d = arith.divsi %a, %y : i32
    scf.yield %d : i32
  }
  return %r : i32
}`, "arith.divsi", "func.func @f(%x: i32, %y: i32) -> i32 {\n  %d = arith.divsi %x, %y : i32\n  return %d : i32\n}"},
		{"branch", `func.func @f(%c: i1, %x: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    scf.yield %x : i32
  } else {
    %d = arith.divsi %x, %x : i32
    scf.yield %d : i32
  }
  return %r : i32
}`, "arith.divsi", "func.func @f(%x: i32) -> i32 {\n  %d = arith.divsi %x, %x : i32\n  return %d : i32\n}"},
		{"blocks", `func.func @f(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^b
^a(%p: i32):
  %e = arith.addi %p, %p : i32
  cf.br ^c(%e : i32)
^b:
  %d = arith.divsi %x, %x : i32
  cf.br ^c(%d : i32)
^c(%q: i32):
  return %q : i32
}`, "arith.divsi", "func.func @f(%x: i32) -> i32 {\n  %d = arith.divsi %x, %x : i32\n  return %d : i32\n}"},
		{"values", `func.func @f(%x: i32) -> i32 {
  %a = arith.addi %x, %x : i32
  %b = arith.muli %a, %x : i32
  %d = arith.divsi %b, %a : i32
  return %d : i32
}`, "arith.divsi", "func.func @f(%x: i32) -> i32 {\n  %d = arith.divsi %x, %x : i32\n  return %d : i32\n}"},
		{"earlier", `func.func @f(%p: !pto.ptr<i32>) {
  %c0 = arith.constant 0 : index
  %a = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> i32
  %i = arith.index_cast %a : i32 to index
  %true = arith.constant true
  scf.if %true {
    %b = pto.load_scalar %p[%i] : !pto.ptr<i32> -> i32
    pto.store_scalar %b, %p[%i] : !pto.ptr<i32>, i32
  }
  return
}`, "pto.store_scalar", "func.func @f(%p: !pto.ptr<i32>) {\n  %c0 = arith.constant 0 : index\n  %a = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> i32\n  pto.store_scalar %a, %p[%c0] : !pto.ptr<i32>, i32\n  return\n}"},
		{"attributes", `func.func @f(%x: i32) attributes {pto.kernel, other = 4 : i32} {
  %d = arith.addi %x, %x overflow<nsw> {note = "n"} : i32
  return
}`, "arith.addi", "func.func @f(%x: i32) {\n  %d = arith.addi %x, %x : i32\n  return\n}"},
		{"sizes", `func.func @f(%t: !pto.tile_buf<vec, 32x64xf32, valid=3x64>, %u: !pto.tile_buf<vec, 32x64xf32, valid=3x64>) {
  pto.tabs ins(%t : !pto.tile_buf<vec, 32x64xf32, valid=3x64>) outs(%u : !pto.tile_buf<vec, 32x64xf32, valid=3x64>)
  return
}`, "pto.tabs", ""},
	} {
		interesting := func(text []byte) bool {
			m := (&reducer{}).parse(text)
			var diags ir.Diags
			return ir.Verify(m, ir.VerifyOptions{Sequential: true}, &diags) && bytes.Contains(text, []byte(c.keep))
		}
		got, err := Reduce(&ir.Source{Name: c.name, Text: c.text}, Options{Interesting: interesting, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		small := strings.TrimSpace(string(got))
		small = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(small, "module {\n  "), "\n}"), "\n  ", "\n")
		if c.want != "" && small != c.want || c.name == "sizes" && !strings.Contains(small, "<vec, 1x1xf32, valid=1x1>") {
			t.Errorf("%s: reduced to\n%s", c.name, small)
		}
	}
}

// TestFailing checks that Failing preserves how a program fails, and returns a program
// that does not fail unchanged.
func TestFailing(t *testing.T) {
	text := "func.func @f(%x: i32) {\n  %a = arith.addi %x, %x : i32\n  %d = arith.divsi %a, %a : i32\n  return\n}\n"
	fails := func(text string) string {
		if strings.Contains(text, "divsi") {
			return "divides"
		}
		return ""
	}
	if got := Failing(text, fails); strings.Contains(got, "addi") || !strings.Contains(got, "divsi") {
		t.Errorf("reduced to\n%s", got)
	}
	if got := Failing(text, func(string) string { return "" }); got != text {
		t.Errorf("changed to\n%s", got)
	}
}
