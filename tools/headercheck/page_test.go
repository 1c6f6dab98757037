package headercheck

import (
	"os"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/tools/testsize"
)

// TestPage compares the committed page with the current verifier, without the headers.
// The number of tuples that the verifier rejects must be unchanged, and every row must
// have a reason.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/isa/header-legality.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	if !strings.HasPrefix(page, pageHead) || !strings.Contains(page, pageAccepted) || !strings.Contains(page, pageRefused) {
		t.Error("the page has other text than the generator writes")
	}
	for _, line := range strings.Split(page, "\n") {
		if strings.Contains(line, open) {
			t.Errorf("a difference without a reason: %s", line)
		}
	}
	counts, _, _ := strings.Cut(page, pageAccepted)
	for _, target := range []ir.Target{sem.A3, sem.A5}[:testsize.Of(1, 2)] {
		type sum struct{ tuples, refused int }
		sums := map[string]*sum{}
		for _, tuple := range Tuples(target) {
			if sums[tuple.Op] == nil {
				sums[tuple.Op] = &sum{}
			}
			if r, _ := judge(tuple); r.NoCpp == "" {
				s := sums[tuple.Op]
				if s.tuples++; r.Ours != "" {
					s.refused++
				}
			}
		}
		name := profile(Result{Tuple: Tuple{Target: target}})
		for op, s := range sums {
			if got := countsOf(counts, op, name); got != [2]string{grouped(s.tuples), grouped(s.refused)} {
				t.Errorf("%s on %s: the page has %s tuples, of which the verifier refuses %s, but there are %s and %s", op, name, got[0], got[1], grouped(s.tuples), grouped(s.refused))
			}
		}
	}
}

// countsOf returns two cells of the table of counts for an instruction on a target: the
// number of tuples, and the number that the verifier rejects.
func countsOf(table, op, target string) (counts [2]string) {
	for _, line := range strings.Split(table, "\n") {
		if cells := strings.Split(line, " | "); len(cells) == 7 && cells[0] == "| "+op && cells[1] == target {
			return [2]string{cells[2], cells[4]}
		}
	}
	return counts
}
