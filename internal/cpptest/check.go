package cpptest

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// Check compares cases and reports those that disagree for no known reason. It
// skips the test where there is no simulator, and returns how many cases there
// were of each kind.
func Check(t *testing.T, cases []*Case) []*Result {
	t.Helper()
	c, err := NewToolchain(t.TempDir())
	if err == ErrNone {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	results, err := c.Compare(cases)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, r := range results {
		counts[r.verdict()]++
		if r.Outcome != Equal && r.explain() == nil {
			t.Errorf("%s on %s %v: %s", r.Name, r.Source.Arch, r.Outcome, r.Detail)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d of %d %s", counts[text], len(results), text)
	}
	if counts[Equal.String()] == 0 {
		t.Error("no case is equal on both engines")
	}
	return results
}

// verdict is the outcome and, where it is known, the reason.
func (r *Result) verdict() string {
	if k := r.explain(); k != nil {
		return fmt.Sprintf("%v, as known: %s (%s)", r.Outcome, k.reason, k.source)
	}
	return r.Outcome.String()
}
