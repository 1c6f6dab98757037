package ir_test

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/ir"
)

// TestLargeDense prints attributes of more than 100 elements in hexadecimal, as mlir-opt
// does, and reads the same attributes back.
func TestLargeDense(t *testing.T) {
	for _, c := range []struct {
		elem, text, want string
		n                int
	}{
		{"i32", "%d", "0x0000000001000000", 101},
		{"i8", "%d", "0x000102", 101},
		{"f32", "%d.0", "0x000000000000803F", 101},
		{"f16", "%d.5", "0x0038003E", 101},
		{"index", "%d", "0x00000000000000000100000000000000", 101},
		{"i1", "true", "dense<true>", 101}, // a splat
		{"i1", "%t", "0xAD52", 104},
		{"complex<f32>", "(%d.0, 1.0)", "0x000000000000803F0000803F0000803F", 101},
		{"i32", "%d", "[0, 1", 100},
	} {
		elems := make([]string, c.n)
		for i := range elems {
			elems[i] = strings.ReplaceAll(c.text, "%d", fmt.Sprint(i))
			elems[i] = strings.ReplaceAll(elems[i], "%t", fmt.Sprint("10110101"[i%8] == '1' != (i/8%2 == 1)))
		}
		text := fmt.Sprintf("\"my.op\"() {a = dense<[%s]> : tensor<%dx%s>} : () -> ()\n", strings.Join(elems, ", "), c.n, c.elem)
		once := printed(t, text)
		if !strings.Contains(once, c.want) {
			t.Errorf("%s: %.80s does not contain %s", c.elem, once, c.want)
		}
		if again := printed(t, once); again != once {
			t.Errorf("%s: read back as %.80s", c.elem, again)
		}
	}
}

// printed parses a program and returns the text that it is printed as.
func printed(t *testing.T, text string) string {
	t.Helper()
	var diags ir.Diags
	module, _ := ir.Parse(&ir.Source{Name: "in", Text: text}, ir.ParseOptions{AllowUnregistered: true}, &diags)
	if module == nil {
		t.Fatalf("%.200s: %v", text, ir.Errors(diags.All()))
	}
	return module.String()
}
