package reduce

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/kernel"
)

// large is a program of two thousand lines in which one operation stands that a
// search looks for, in a loop.
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
	if !errors.Is(err, ErrNotInteresting) {
		t.Errorf("error %v", err)
	}
}
