package headercheck

import (
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/tools/testsize"
)

// settled are the routes on which the verifier refuses all that the headers refuse,
// with how many tuples of the route the headers accept.
var settled = []struct {
	target    ir.Target
	op, route string
}{
	{sem.A3, "pto.tmov", "acc to vec"},
	{sem.A3, "pto.tmov", "acc to vec scaled"},
	{sem.A3, "pto.tmov", "acc to mat"},
	{sem.A3, "pto.tmov", "acc to mat cut"},
	{sem.A3, "pto.tmov", "acc to mat scaled"},
	{sem.A3, "pto.tmov", "vec to vec"},
	{sem.A3, "pto.textract", "vec to vec"},
	{sem.A3, "pto.textract", "acc to mat scaled"},
	{sem.A5, "pto.tmov", "acc to mat"},
	{sem.A5, "pto.tmov", "acc to vec"},
	{sem.A5, "pto.tmov", "mat to left"},
	{sem.A5, "pto.tmov", "vec to vec"},
	{sem.A5, "pto.tmov", "vec to mat"},
	{sem.A3, "pto.tmatmul", "types"},
	{sem.A5, "pto.tmatmul", "types"},
}

// TestSettled asks the headers about the settled routes: every seventh tuple by
// default, and all of them with PTO_TESTS=all.
func TestSettled(t *testing.T) {
	h, err := NewHeaders(t.TempDir())
	if err == errNone {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	step := 7
	if testsize.All() {
		step = 1
	}
	for _, target := range []ir.Target{sem.A3, sem.A5} {
		byRoute := map[string][]Tuple{}
		for _, tuple := range Tuples(target) {
			byRoute[tuple.Op+tuple.Route] = append(byRoute[tuple.Op+tuple.Route], tuple)
		}
		var some []Tuple
		for _, s := range settled {
			of := byRoute[s.op+s.route]
			if s.target == target && len(of) == 0 {
				t.Errorf("no tuples of %s, %s", s.op, s.route)
			}
			for i := 0; s.target == target && i < len(of); i += step {
				some = append(some, of[i])
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
			if r.Ours == "" {
				t.Errorf("%s: accepted here, but refused at %s: %s", r.Tuple, r.Header.At, r.Header.Text)
			}
		}
		if refused == 0 || refused == len(results) {
			t.Errorf("the headers of %s refuse %d of %d tuples", sem.ProfileName(target), refused, len(results))
		}
		t.Logf("%s: %d tuples, %d refused by the headers", sem.ProfileName(target), len(results), refused)
	}
}
