package ir_test

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/ir"
)

// TestBodyEnds parses function bodies that are large enough for a parser on another
// goroutine, and whose closing brace does not have the expected indentation.
func TestBodyEnds(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "    %%c%s = arith.constant 1 : index // }\n", strings.Repeat("x", i))
	}
	long := b.String()
	loop := "  scf.for %i = %c to %c step %c {\n  }\n"
	cases := []struct{ name, text, want string }{
		{"as indented", "func.func @f() {\n" + long + "  return\n}\nfunc.func @g() {\n  return\n}\n", ""},
		{"inner brace first", "  func.func @f() {\n" + long + loop + "  return\n  }\nfunc.func @g() {\n  return\n}\n", ""},
		{"error behind an inner brace", "  func.func @f() {\n" + long + loop + "  return %none : index\n  }\n", "undeclared SSA value name '%none'"},
		{"indented further", "func.func @f() {\n" + long + "  return\n }\nfunc.func @g() {\n  return\n}\n", ""},
		{"never closed", "func.func @f() {\n" + long + "  return\n", "expected '}', found end of input"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var diags ir.Diags
			m, _ := ir.Parse(&ir.Source{Name: "in", Text: c.text}, ir.ParseOptions{}, &diags)
			if m != nil {
				ir.Verify(m, ir.VerifyOptions{}, &diags)
			}
			got := diags.All()
			switch {
			case c.want == "" && len(got) > 0:
				t.Fatalf("rejected: %s", got[0].Format())
			case c.want == "":
				if s := m.String(); strings.Count(s, "arith.constant") != 200 || strings.Contains(c.text, "@g") != strings.Contains(s, "@g") {
					t.Errorf("parsed as:\n%s", s)
				}
			case len(got) != 1 || !strings.Contains(got[0].Format(), c.want):
				t.Errorf("got %d diagnostics, want one with %q", len(got), c.want)
				for _, d := range got {
					t.Log(d.Format())
				}
			}
		})
	}
}

// TestParseWithBudgetElsewhere parses large bodies on several goroutines while another
// program has a budget. The parser must not ask it: the text belongs to another program,
// and reading the operations around a body would race with their insertion.
func TestParseWithBudgetElsewhere(t *testing.T) {
	var other ir.Diags
	root, _ := ir.Parse(&ir.Source{Name: "other", Text: "module {\n}\n"}, ir.ParseOptions{}, &other)
	budget := &ir.Budget{}
	defer budget.Begin(root)()
	var b strings.Builder
	for f := range 16 {
		fmt.Fprintf(&b, "func.func @f%d() {\n", f)
		for i := range 1000 {
			fmt.Fprintf(&b, "  %%c%d = arith.constant %d : index\n", i, i)
		}
		b.WriteString("  return\n}\n")
	}
	var diags ir.Diags
	if m, _ := ir.Parse(&ir.Source{Name: "in", Text: b.String()}, ir.ParseOptions{}, &diags); m == nil {
		t.Fatal(diags.Err())
	}
	if n := budget.Asked.Load(); n != 0 {
		t.Errorf("the parser asked the budget of another program %d times", n)
	}
}
