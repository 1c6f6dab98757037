package vmi

import (
	"testing"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// TestTable checks that the lowering table has a row for each VMI instruction.
func TestTable(t *testing.T) {
	if err := checkTable(); err != nil {
		t.Error(err)
	}
}

// TestRamps checks that a ramp describes exactly the lane values for which rampOf found
// it.
func TestRamps(t *testing.T) {
	for _, test := range []struct {
		name string
		at   func(i int64) int64
		want ramp
	}{
		{"rising", func(i int64) int64 { return i + 5 }, ramp{base: 5}},
		{"falling", func(i int64) int64 { return 63 - i }, ramp{base: 63, descends: true}},
		{"every second", func(i int64) int64 { return 2 * i }, ramp{scale: 1}},
		{"twice each", func(i int64) int64 { return i / 2 }, ramp{drop: 1}},
		{"repeating", func(i int64) int64 { return i % 8 }, ramp{wrap: 3}},
		{"columns", func(i int64) int64 { return i / 4 % 4 * 8 }, ramp{drop: 2, wrap: 2, scale: 3}},
	} {
		ns := make([]int64, 64)
		for i := range ns {
			ns[i] = test.at(int64(i))
		}
		if got, ok := rampOf(ns); !ok || got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	if r, ok := rampOf([]int64{0, 1, 3, 2, 7, 5, 4, 6}); ok {
		t.Errorf("numbers in no order are %+v", r)
	}
}

// TestPlaces checks that each layout maps every lane of a value to a different register
// lane.
func TestPlaces(t *testing.T) {
	for _, n := range []int64{1, 8, 64, 100, 256} {
		for _, elem := range []ir.Type{pto.UintType(8), ir.F16, ir.F32} {
			plain := ir.TypeOf(pto.VMIVReg{Lanes: n, Elem: elem, Layout: contiguous})
			for _, l := range []pto.VMILayout{contiguous, split2, split4, blocks2, blocks4, stride2, stride4, slots(n, 8, 1), slots(n, 1, 1)} {
				typ := withLayout(plain, l)
				if !representable(typ) {
					continue
				}
				count, _ := parts(typ)
				seen := map[ref]bool{}
				for i, at := range placesOf(typ) {
					if at.reg < 0 || at.reg >= count || at.lane < 0 || at.lane >= registerLanes(typ) || seen[at] {
						t.Errorf("%s: lane %d is at %+v of %d registers", typ, i, at, count)
					}
					seen[at] = true
				}
			}
		}
	}
}
