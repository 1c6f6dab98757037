package isa_test

import (
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/internal/refpage"
)

// The cycles of an instruction are on its page, those of another are not.
func TestLatency(t *testing.T) {
	for _, c := range []struct {
		name string
		want string // a row of the table, or empty for no table
	}{
		{"pto.vexp", "| f16 | 21 | 13 | 28 | 4 | 18 |"},
		{"pto.tabs", "| all | - | 13 | 26 | 1 | 18 |"},
		{"pto.vlds", "| all | 9 | - | - | - | - |"},
		{"pto.tload", ""},
	} {
		for _, d := range pto.Dialect.All() {
			if d.Name != c.name {
				continue
			}
			page := refpage.Reference(d, nil)
			if c.want == "" && strings.Contains(page, "## Latency") || !strings.Contains(page, c.want) {
				t.Errorf("%s: want %q in\n%s", c.name, c.want, page)
			}
		}
	}
}
