package npuheaders

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"ptogo/tools/cpptest"
)

// Judged is a comparison with its explanation.
type Judged struct {
	*cpptest.Result
	// Reports are the classes of the rules about the device library (pto.DeviceRule) that
	// the kernel breaks, if it is not equal.
	Reports []string
	// Known is the known reason if no rule explains the difference, or nil.
	Known *cpptest.Reason
	// Assumed are the names of the assumptions (Assumptions) that the run needed.
	Assumed []string
}

// judge explains the result r.
func judge(r *cpptest.Result) *Judged {
	j := &Judged{Result: r, Assumed: assumed(r)}
	if r.Outcome == cpptest.Equal {
		return j
	}
	if r.Outcome != cpptest.Faults {
		j.Reports = r.DeviceReports()
	}
	if r.Outcome == cpptest.Unwritten && len(j.Reports) == 0 && strings.HasPrefix(r.Detail, "'pto.") && strings.Contains(r.Detail, "op on target a") {
		j.Reports = []string{"refused by --emit=cpp"}
	}
	if len(j.Reports) == 0 {
		j.Known = cpptest.Explain(Known, r)
	}
	return j
}

// Explained reports whether the result is equal, or differs for a reason.
func (j *Judged) Explained() bool {
	return j.Outcome == cpptest.Equal || len(j.Reports) > 0 || j.Known != nil
}

// verdict returns a text for counts: the outcome and its reason.
func (j *Judged) verdict() string {
	text := j.Outcome.String()
	switch {
	case len(j.Reports) > 0:
		text += ", reported: " + strings.Join(j.Reports, ", ")
	case j.Known != nil:
		text += ", as known: " + j.Known.Reason
	}
	return text
}

// Check compares the results of cases with those of the NPU headers and returns the
// comparisons. The test fails if a difference has no reason, or if a kernel needs an
// assumption that Assumptions does not list. Without a checkout of pto-isa, the test is
// skipped.
func Check(t *testing.T, cases []*cpptest.Case) []*Judged {
	t.Helper()
	var all []*Judged
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
		all = append(all, Compare(t, own, profile)...)
	}
	Report(t, all)
	return all
}

// Compare compares the results of cases, whose profile is the given one, with those of the
// NPU headers. Without a checkout of pto-isa, the test is skipped.
func Compare(t *testing.T, cases []*cpptest.Case, profile string) (all []*Judged) {
	t.Helper()
	tools, err := New(t.TempDir(), profile)
	if cpptest.Missing(err) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	results, err := tools.Compare(cases, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		all = append(all, judge(r))
	}
	return all
}

// Report logs the differences and the numbers of outcomes. The test fails if a difference
// has no reason, or if a kernel needs an assumption that Assumptions does not list.
func Report(t *testing.T, all []*Judged) {
	t.Helper()
	counts := map[string]int{}
	for _, j := range all {
		counts[j.Source.Arch+" "+j.verdict()]++
		text := fmt.Sprintf("%s %s: %s", j.Name, j.verdict(), j.Detail)
		switch {
		case !j.Explained():
			t.Error(text)
		case j.Outcome != cpptest.Equal:
			t.Log(text)
		}
		if os.Getenv("PTO_CPP_FILTER") != "" && j.Outcome != cpptest.Equal {
			t.Log(j.Source.Text)
		}
		for _, name := range j.Assumed {
			if !slices.ContainsFunc(Assumptions, func(a Assumption) bool { return a.Name == name }) {
				t.Errorf("%s needs the assumption %q, which Assumptions does not list", j.Name, name)
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%6d %s", counts[text], text)
	}
}

// LogUnused logs the known reasons about instructions that explain none of the results.
// Some classes occur once in thousands of kernels.
func LogUnused(t *testing.T, results []*Judged) {
	t.Helper()
	for i := range Known {
		k := &Known[i]
		if !k.Boards && !slices.ContainsFunc(results, func(j *Judged) bool { return j.Known == k }) {
			t.Logf("no kernel differs as known: %q %v %q (%s)", k.Name, k.Outcome, k.Detail, k.Reason)
		}
	}
}
