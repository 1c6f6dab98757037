package cpptest

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"
)

// filterVariable is the environment variable that selects the compared cases, as a
// regular expression on file paths and instruction names.
const filterVariable = "PTO_CPP_FILTER"

// Filter returns the regular expression in the environment variable PTO_CPP_FILTER. If
// it is not set, it matches every case.
func Filter() *regexp.Regexp { return regexp.MustCompile(os.Getenv(filterVariable)) }

// Check compares the results of cases with those of the simulator and returns the
// comparisons. A case passes if the results are equal, or if they differ for a known
// reason. The last argument is a percentage: the test fails if a smaller share of the
// cases passes.
//
// With the option -v, Check logs each case that does not pass. If an environment variable
// selects certain cases, Check also logs the cases that differ for a known reason, and
// the texts of the programs. Without a simulator the test is skipped.
func Check(t *testing.T, cases []*Case, least int) []*Result {
	t.Helper()
	c, err := NewToolchain(t.TempDir())
	if err == errNone {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	counts, fine := map[string]int{}, 0
	results, err := c.Compare(cases, func(r *Result) {
		counts[r.verdict()]++
		known := Explain(Known, r) != nil
		if r.Outcome == Equal || known {
			fine++
		}
		filtered := os.Getenv(filterVariable) != ""
		if r.Outcome != Equal && (!known || filtered) {
			t.Logf("%s on %s %v: %s", r.Name, r.Source.Arch, r.Outcome, r.Detail)
			if filtered {
				t.Log(r.Source.Text)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d of %d %s", counts[text], len(results), text)
	}
	if fine*100 < least*len(results) || counts[Equal.String()] == 0 {
		t.Errorf("only %d of %d cases are equal or differ for a known reason: expected at least %d%%", fine, len(results), least)
	}
	return results
}

// verdict returns the outcome of a case and, if it is known, the reason.
func (r *Result) verdict() string {
	if k := Explain(Known, r); k != nil {
		return fmt.Sprintf("%v, as known: %s (%s)", r.Outcome, k.Reason, k.Source)
	}
	return r.Outcome.String()
}
