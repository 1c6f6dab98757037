package npuheaders

import (
	"slices"
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
)

// TestAssumedRules verifies that rules which rest on an assumption are warnings, and that
// the classes of Assumptions exist.
func TestAssumedRules(t *testing.T) {
	found := map[string]bool{}
	for _, d := range pto.Dialect.All() {
		info := pto.InfoOf(d)
		if info == nil {
			continue
		}
		for _, rule := range info.Rules {
			r, ok := rule.(pto.DeviceRule)
			if !ok {
				continue
			}
			found[r.Class] = true
			for _, a := range Assumptions {
				if slices.Contains(a.Rules, r.Class) && r.On&^r.Warns&sem.OnAll != 0 {
					t.Errorf("%s: rule %q is an error, but rests on the assumption %q", d.Name, r.Class, a.Name)
				}
			}
		}
	}
	for _, a := range Assumptions {
		for _, class := range a.Rules {
			if !found[class] {
				t.Errorf("no rule has the class %q, which the assumption %q names", class, a.Name)
			}
		}
	}
}
