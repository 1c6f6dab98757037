package runtime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/example"
	"ptogo/internal/refpage"
	"ptogo/ir"
)

// TestEveryKindIsPlanned prepares an example of each kind of meaning of the
// dialect. A routine that panics does not count.
func TestEveryKindIsPlanned(t *testing.T) {
	planned := map[string]bool{}
	for _, d := range pto.Dialect.All() {
		if d.Sem == nil {
			continue
		}
		kind := strings.TrimPrefix(fmt.Sprintf("%T", d.Sem), "sem.")
		planned[kind] = planned[kind] || slices.ContainsFunc(example.Spellings(d), func(s refpage.Spelling) bool {
			return isPlanned(t, d, s.Text)
		})
	}
	for _, kind := range slices.Sorted(maps.Keys(planned)) {
		if !planned[kind] {
			t.Errorf("%s has no routine in the runtime", kind)
		}
	}
}

// isPlanned reports whether the planner takes an example of d. It may find
// fault with it, such as a use of something that nothing has set up.
func isPlanned(t *testing.T, d *ir.Def, text string) bool {
	defer func() {
		if e := recover(); e != nil {
			t.Errorf("planning %s panics: %v", text, e)
		}
	}()
	m, _ := example.Read(d, text)
	if m == nil {
		return false
	}
	var diags ir.Diags
	Plan(m, Kernels(m), Options{Target: sem.A5}, &diags)
	return !slices.ContainsFunc(diags.All(), func(e *ir.Diag) bool {
		return strings.HasSuffix(e.Text, "op cannot be executed by pto-run yet") || strings.Contains(e.Text, "is in Level-1 form")
	})
}
