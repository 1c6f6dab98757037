package definitions

import (
	"testing"

	"ptogo/dialect/pto"
	"ptogo/internal/example"
	"ptogo/ir"
)

// TestNamed reads examples again whose values have the names of operands.
func TestNamed(t *testing.T) {
	renamed := 0
	for _, d := range pto.Dialect.All() {
		plain := example.Spellings(d)
		for i, s := range example.Named(d)[:len(plain)] { // what follows is no PTO
			if s.Text != plain[i].Text {
				renamed++
			}
			if s.Level == "PTO-AS" || s.Text == plain[i].Text {
				continue
			}
			if m, msg := example.Read(d, s.Text); m == nil {
				t.Errorf("%s: %s\n%s", d.Name, s.Text, msg)
			}
		}
	}
	if renamed < len(pto.Dialect.All())/2 {
		t.Errorf("only %d examples are renamed", renamed)
	}
	if got := example.Named(ir.Lookup("pto.tadds"))[0].Text; got != "%dst = pto.tadds %src, %scalar : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>" {
		t.Error(got)
	}
}
