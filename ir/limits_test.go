package ir_test

import (
	"strings"
	"testing"

	"ptogo/ir"
)

// nest returns middle enclosed in n repetitions of open and end.
func nest(open, middle, end string, n int) string {
	return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
}

// TestNesting checks that the parser accepts deep nesting, but reports an error and does
// not crash if the nesting exceeds the limit.
func TestNesting(t *testing.T) {
	attr := func(a string) string { return "\"my.op\"() {a = " + a + "} : () -> ()" }
	typ := func(t string) string { return "func.func private @f(" + t + ")" }
	for _, c := range []struct {
		name string
		text func(n int) string
	}{
		{"tuples", func(n int) string { return typ(nest("tuple<", "i32", ">", n)) }},
		{"functions", func(n int) string { return typ(nest("() -> (", "i32", ")", n)) }},
		{"parameters", func(n int) string { return typ(nest("(", "() -> ()", ") -> ()", n)) }},
		{"structs", func(n int) string { return typ("!llvm." + nest("struct<(", "i32", ")>", n)) }},
		{"arrays", func(n int) string { return attr(nest("[", "1", "]", n)) }},
		{"dictionaries", func(n int) string { return attr(nest("{x = ", "1", "}", n)) }},
		{"dense", func(n int) string {
			return attr("dense<" + nest("[", "1", "]", n) + "> : tensor<" + strings.Repeat("1x", n) + "xi8>")
		}},
		{"locations", func(n int) string { return "\"my.op\"() : () -> () loc(" + nest("\"a\"(", "unknown", ")", n) + ")" }},
		{"foreign types", func(n int) string { return typ("!foo.bar" + nest("<", "x", ">", min(n, 60))) }},
		{"regions", func(n int) string { return nest("\"my.op\"() ({\n", "", "}) : () -> ()\n", n) }},
		{"modules", func(n int) string { return nest("module {\n", "", "}\n", n) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			read := func(n int) (*ir.Op, *ir.Diags) {
				var diags ir.Diags
				src := &ir.Source{Name: "in", Text: strings.ReplaceAll(c.text(n), "1xxi8", "1xi8")}
				m, _ := ir.Parse(src, ir.ParseOptions{AllowUnregistered: true}, &diags)
				return m, &diags
			}
			m, diags := read(50)
			if m == nil {
				t.Fatalf("50 levels: %s", diags.All()[0].Format())
			}
			if !ir.Verify(m, ir.VerifyOptions{}, diags) {
				t.Errorf("50 levels: %s", diags.All()[0].Format())
			}
			ir.Bytes(m, ir.PrintOptions{})
			if m, diags = read(100_000); m == nil && !strings.Contains(diags.All()[0].Text, "is nested deeper than") {
				t.Errorf("100000 levels: %s", diags.All()[0].Text)
			}
		})
	}
}

// TestLength checks that the parser accepts long lists and long names.
func TestLength(t *testing.T) {
	const n = 100_000
	for _, c := range []struct{ name, text, want string }{
		{"digits", "\"my.op\"() {a = " + strings.Repeat("9", n) + "} : () -> ()", "does not fit type i64"},
		{"digits of a wide integer", "\"my.op\"() {a = 1" + strings.Repeat("0", 4000) + " : i16777215} : () -> ()", ""},
		{"digits of a float", "\"my.op\"() {a = 0." + strings.Repeat("3", n) + "} : () -> ()", ""},
		{"exponent", "\"my.op\"() {a = 1.0e" + strings.Repeat("9", n) + "} : () -> ()", ""},
		{"small exponent", "\"my.op\"() {a = 1.0e-99999 : f16} : () -> ()", ""},
		{"name", "%" + strings.Repeat("x", n) + " = \"my.op\"() : () -> i32", ""},
		{"string", "\"my.op\"() {a = \"" + strings.Repeat("\\22", n) + "\"} : () -> ()", ""},
		{"dimensions", "func.func private @f(tensor<" + strings.Repeat("1x", n) + "i32>)", ""},
		{"elements in the type", "\"my.op\"() {a = dense<1> : tensor<4611686018427387904x9223372036854775807xi8>} : () -> ()", ""},
		{"elements of a splat", "\"my.op\"() {a = dense<1> : tensor<4294967296x4294967296x4294967296xi8>} : () -> ()", ""},
		{"no elements of many", "\"my.op\"() {a = dense<> : tensor<4294967296x4294967296x4294967296xi8>} : () -> ()", "has no elements"},
		{"results", "%x:65536 = \"my.op\"() : () -> (" + strings.Repeat("i1, ", 65535) + "i1)", ""},
		{"operations", "func.func @f() {\n" + strings.Repeat("\"my.op\"() : () -> ()\n", n) + "return\n}", ""},
		{"comments", strings.Repeat("// nothing\n", n), ""},
		{"line", strings.Repeat("\"my.op\"() : () -> () ", n/10) + "&", "unexpected character '&'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var diags ir.Diags
			m, _ := ir.Parse(&ir.Source{Name: "in", Text: c.text}, ir.ParseOptions{AllowUnregistered: true}, &diags)
			switch {
			case c.want == "" && m == nil:
				t.Fatalf("rejected: %.200s", diags.All()[0].Text)
			case c.want == "":
				ir.Verify(m, ir.VerifyOptions{}, &diags)
				ir.Bytes(m, ir.PrintOptions{})
			case m != nil:
				t.Fatal("accepted")
			default:
				if got := diags.All()[0].Format(); !strings.Contains(got, c.want) || len(got) > 1000 {
					t.Errorf("got %.300s, want %s", got, c.want)
				}
			}
		})
	}
}
