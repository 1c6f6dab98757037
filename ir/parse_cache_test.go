package ir_test

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/ir"
)

// TestTextsAgain parses nested operations whose types and attributes occur once, twice
// and often, because the parser caches these three cases differently.
func TestTextsAgain(t *testing.T) {
	var text, want strings.Builder
	want.WriteString("\"builtin.module\"() ({\n")
	for i, n := range []int{1, 2, 1, 1, 3, 2, 4} {
		inner := fmt.Sprintf(`%%r%d = "a.b"() {order = [1, %d], which = "w%d"} : () -> !a.t<t%d>`, i, n, n, n)
		fmt.Fprintf(&text, "\"a.around\"() <{p = \"p%d\"}> ({\n%s\n}) {q = \"q%d\"} : () -> ()\n", n, inner, n)
		fmt.Fprintf(&want, "  \"a.around\"() ({\n    %s\n  }) {p = \"p%d\", q = \"q%d\"} : () -> ()\n", inner, n, n)
	}
	want.WriteString("}) : () -> ()\n")
	var diags ir.Diags
	m, _ := ir.Parse(&ir.Source{Name: "text", Text: text.String()}, ir.ParseOptions{AllowUnregistered: true}, &diags)
	if m == nil {
		t.Fatal(diags.All()[0].Format())
	}
	if got := string(ir.Bytes(m, ir.PrintOptions{Generic: true})); got != want.String() {
		t.Errorf("got\n%s\nwant\n%s", got, want.String())
	}
}
