package refpage_test

import (
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/internal/refpage"
	"ptogo/ir"
)

// TestTypePages parses the examples of every type, and checks that the printer writes
// them unchanged.
func TestTypePages(t *testing.T) {
	for _, page := range refpage.TypePages {
		for _, text := range page.Examples {
			var diags ir.Diags
			p := ir.NewParser(&ir.Source{Name: page.Name, Text: text}, ir.ParseOptions{}, &diags)
			typ := p.Type()
			if p.Failed() || !p.AtEOF() || typ.String() != text || !strings.HasPrefix(text, "!pto."+page.Name) {
				t.Errorf("%s is read as %s", text, typ)
				for _, d := range diags.All() {
					t.Error(d.Format())
				}
			}
		}
	}
}

// TestTypesHavePages checks that every type has a reference page, except handles and
// alternative names.
func TestTypesHavePages(t *testing.T) {
	plain := []string{"memref", "tile_view", "align", "pipe", "async_session", "async_event", "prefetch_async_context", "fmatrix_config"}
	for name := range pto.Dialect.Types {
		if _, ok := refpage.TypePageOf("!pto." + name); ok == slices.Contains(plain, name) {
			t.Errorf("!pto.%s: has a page: %v", name, ok)
		}
	}
}
