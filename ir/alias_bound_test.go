package ir_test

import (
	"fmt"
	"strings"
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/ir"
)

// TestAliasesAreBounded parses aliases of types, attributes and locations whose text
// doubles with each line. A file of a kilobyte must cause an error instead of using
// gigabytes of memory.
func TestAliasesAreBounded(t *testing.T) {
	for kind, c := range map[string]struct{ first, next, use string }{
		"types":      {"!a0 = tuple<f32, f32>", "!a%d = tuple<!a%d, !a%d>", "func.func private @f(!a%d)"},
		"attributes": {"#a0 = [1, 2]", "#a%d = [#a%d, #a%d]", "func.func private @f() attributes {x = #a%d}"},
		"locations":  {`#a0 = loc("a":1:1)`, "#a%d = loc(fused[#a%d, #a%d])", "func.func private @f() loc(#a%d)"},
	} {
		lines := []string{c.first}
		for i := 1; i < 60; i++ {
			lines = append(lines, fmt.Sprintf(c.next, i, i-1, i-1))
		}
		text := strings.Join(append(lines, fmt.Sprintf(c.use, 59)), "\n")
		_, err := ir.Parse(&ir.Source{Name: "in", Text: text}, ir.ParseOptions{}, nil)
		if err == nil || !strings.Contains(err.Error(), "aliases expand to more than") {
			t.Errorf("%s: %.300v", kind, err)
		}
	}
}

// TestManyAttributes checks that the parser reports a repeated attribute name, in short
// and in long attribute lists.
func TestManyAttributes(t *testing.T) {
	for _, n := range []int{2, 63, 64, 65, 200} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "a%d = %d, ", i, i)
		}
		for last, want := range map[string]bool{"z": true, "a0": false, fmt.Sprintf("a%d", n-1): false} {
			text := "func.func private @f() attributes {" + b.String() + last + "}"
			_, err := ir.Parse(&ir.Source{Name: "in", Text: text}, ir.ParseOptions{}, nil)
			if (err == nil) != want {
				t.Errorf("%d attributes and %s: %v", n, last, err)
			}
			if err != nil && !strings.Contains(err.Error(), "is given twice") {
				t.Error(err)
			}
		}
	}
}
