package headercheck

import (
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/tools/testsize"
)

// TestDecided compares the verifier with the NPU headers for every 61st tuple, or for all
// with PTO_TESTS=all. The verifier must reject what the headers reject, unless decisions
// lists a reason.
func TestDecided(t *testing.T) {
	h, err := NewHeaders(t.TempDir())
	if err == errNone {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	step := 61
	if testsize.All() {
		step = 1
	}
	for _, target := range []ir.Target{sem.A3, sem.A5} {
		var some []Tuple
		for i, tuple := range Tuples(target) {
			if i%step == 0 {
				some = append(some, tuple)
			}
		}
		results, err := h.Compare(some)
		if err != nil {
			t.Fatal(err)
		}
		refused := 0
		for _, r := range results {
			if r.Header == nil {
				continue
			}
			refused++
			if r.Ours == "" && reasonFor(r) == "" {
				t.Errorf("%s: accepted here, but refused at %s: %s", r.Tuple, r.Header.At, r.Header.Text)
			}
		}
		if refused == 0 || refused == len(results) {
			t.Errorf("the headers of %s refuse %d of %d tuples", sem.ProfileName(target), refused, len(results))
		}
		t.Logf("%s: %d tuples, %d refused by the headers", sem.ProfileName(target), len(results), refused)
	}
}
