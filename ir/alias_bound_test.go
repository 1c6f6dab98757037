package ir_test

import (
	"fmt"
	"strings"
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/ir"
)

// TestAliasesAreBounded reads aliases that double with each line: types, attributes and
// locations. A file of a kilobyte must end in an error, not in gigabytes.
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
		if err == nil || !strings.Contains(err.Error(), "aliases stand for more than") {
			t.Errorf("%s: %.300v", kind, err)
		}
	}
}
