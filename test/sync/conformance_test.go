package sync

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/tools/conformance"
)

var conformanceWrite = flag.Int("conformance-write", 0, "write so many cases of each class and verdict to the conformance suite")

// TestWriteConformance writes the cases about synchronization of the conformance suite:
// programs about which the proof and the checkers of the runs agree.
func TestWriteConformance(t *testing.T) {
	if *conformanceWrite == 0 {
		t.Skip("writes files: -conformance-write")
	}
	of := map[string][]*conformance.Case{}
	for i := range *adversaries {
		sd := *seed + uint64(i)/2
		g := newAdversary(sd, 0, false)
		text := g.program()
		if i%2 == 1 && g.points > 0 {
			g = newAdversary(sd, 1+int(rand.New(rand.NewPCG(sd, 3)).Uint64()%uint64(g.points)), false)
			text = g.program()
		}
		m, err := parseAdversary(text)
		if err != nil {
			t.Fatal(err)
		}
		proved, report := proves(m, g), judged(m, g)
		c := &conformance.Case{
			Profile: sem.ProfileName(g.target), Program: text, Verdict: conformance.Synchronized,
			Source:    []string{"docs/synchronization.md"},
			Requires:  "Flags and barriers order all accesses to the same bytes, for all arguments.",
			Witnesses: []string{"the proof of synchronization", fmt.Sprintf("the checkers, in %d launches", launchesOf)},
		}
		switch {
		case proved && report == "":
		case !proved && strings.HasPrefix(report, "race R"), !proved && strings.HasPrefix(report, "race W"):
			c.Verdict = conformance.Hazard
			c.Requires = "Nothing orders two accesses to the same bytes, of which one is a write, for some arguments."
		default:
			continue
		}
		class := "sync-" + strings.ReplaceAll(g.class, " ", "-")
		file := filepath.Join("../../conformance/synchronization", c.Profile, class+".jsonl")
		if same(of[file], c.Verdict) < *conformanceWrite {
			c.ID = fmt.Sprintf("%s/%s/%d", c.Profile, class, len(of[file])+1)
			of[file] = append(of[file], c)
		}
	}
	for file, cases := range of {
		if err := conformance.Write(file, cases); err != nil {
			t.Fatal(err)
		}
	}
}

// same returns the number of cases with a verdict.
func same(cases []*conformance.Case, verdict string) (n int) {
	for _, c := range cases {
		if c.Verdict == verdict {
			n++
		}
	}
	return n
}

// TestConformance compares the proof with the verdicts of the conformance suite.
func TestConformance(t *testing.T) {
	cases, err := conformance.Read("../../conformance/synchronization")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		m, err := parseAdversary(c.Program)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		target, _ := sem.ParseProfile(c.Profile)
		if got := proves(m, &adversary{target: target}); got != (c.Verdict == conformance.Synchronized) {
			t.Errorf("%s is %s, but proved: %v", c.ID, c.Verdict, got)
		}
	}
}
