package cpptest

import "testing"

// What is let pass as a known difference is that difference alone.
func TestHolds(t *testing.T) {
	sorted := []byte{9, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0}
	swapped := []byte{9, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0}
	index := []byte{9, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0}
	score := []byte{9, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0}
	const compare = "pto.tcmps src, scalar : (!pto.tile<2x16xf32>, f32) -> !pto.tile<2x4xui8>#1"
	rows := []byte{1, 2, 0, 0, 3, 4, 0, 0}
	for _, c := range []struct {
		name      string
		holds     func(*Result) bool
		want, got []byte
		ok        bool
	}{
		{"", otherOfEqual, sorted, swapped, true},
		{"", otherOfEqual, sorted, index, false},
		{"", otherOfEqual, sorted, score, false},
		{compare, runOn, rows, []byte{1, 2, 3, 4, 0, 0, 0, 0}, true},
		{compare, runOn, rows, []byte{1, 2, 3, 5, 0, 0, 0, 0}, false},
		{compare, runOn, rows, []byte{1, 2, 0, 0, 3, 5, 0, 0}, false},
		{"pto.tcmps src, scalar", runOn, rows, []byte{1, 2, 3, 4, 0, 0, 0, 0}, false},
	} {
		r := &Result{Case: &Case{Name: c.name}, want: [][]byte{c.want}, got: [][]byte{c.got}}
		if got := c.holds(r); got != c.ok {
			t.Errorf("%s %v instead of %v: %v", c.name, c.got, c.want, got)
		}
	}
}
