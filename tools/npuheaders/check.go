package npuheaders

import (
	"maps"
	"os"
	"slices"
	"testing"

	"ptogo/tools/cpptest"
)

// Check compares the results of cases with those of the NPU headers and returns the
// comparisons. The test fails if a difference has no known reason. Without a checkout of
// pto-isa, the test is skipped.
func Check(t *testing.T, cases []*cpptest.Case) []*cpptest.Result {
	t.Helper()
	var all []*cpptest.Result
	counts := map[string]int{}
	for _, profile := range Profiles {
		var own []*cpptest.Case
		for _, c := range cases {
			if c.Source.Arch == profile {
				own = append(own, c)
			}
		}
		if len(own) == 0 {
			continue
		}
		tools, err := New(t.TempDir(), profile)
		if cpptest.Missing(err) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		results, err := tools.Compare(own, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			k := Explain(r)
			text := r.Outcome.String()
			if k != nil {
				text += ", as known: " + k.Reason
			}
			counts[profile+" "+text]++
			if k != nil && os.Getenv("PTO_CPP_FILTER") != "" {
				t.Logf("%s %v: %s", r.Name, r.Outcome, r.Detail)
			}
			if r.Outcome != cpptest.Equal && k == nil {
				t.Errorf("%s %v: %s", r.Name, r.Outcome, r.Detail)
				if os.Getenv("PTO_CPP_FILTER") != "" {
					t.Log(r.Source.Text)
				}
			}
		}
		all = append(all, results...)
	}
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%6d %s", counts[text], text)
	}
	return all
}
