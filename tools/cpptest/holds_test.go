package cpptest

import (
	"encoding/binary"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// TestHolds checks that a known difference accepts exactly this difference and no other
// one.
func TestHolds(t *testing.T) {
	sorted := []byte{9, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0}
	swapped := []byte{9, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0}
	index := []byte{9, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0}
	score := []byte{9, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0}
	rows := []byte{1, 2, 0, 0, 3, 4, 0, 0}
	compared, mask := pto.TileInfo{Rows: 2, Cols: 16, VRows: 2, VCols: 16, Elem: ir.F32}, pto.TileInfo{Rows: 2, Cols: 4, VRows: 2, VCols: 4, Elem: ir.Int(8)}
	runs := func(r *Result) bool { return runsOn(compared, mask, r.want[0], r.got[0]) }
	half := func(r *Result) bool { return overlaps(1, 64, r.want[0], r.got[0]) }
	groups, moved := make([]byte, 64*8), make([]byte, 64*8)
	for i := range 64 {
		groups[i*8] = byte(i)
	}
	copy(moved, groups[:32*8])
	copy(moved[16*8:], groups[32*8:])
	for _, c := range []struct {
		name      string
		holds     func(*Result) bool
		want, got []byte
		ok        bool
	}{
		{"other of equal", otherOfEqual, sorted, swapped, true},
		{"other index", otherOfEqual, sorted, index, false},
		{"other score", otherOfEqual, sorted, score, false},
		{"rows run on", runs, rows, []byte{1, 2, 3, 4, 0, 0, 0, 0}, true},
		{"another bit", runs, rows, []byte{1, 2, 3, 5, 0, 0, 0, 0}, false},
		{"another bit in its row", runs, rows, []byte{1, 2, 0, 0, 3, 5, 0, 0}, false},
		{"groups overlap", half, groups, moved, true},
		{"groups follow", half, groups, groups, false},
		{"extremes", zeroForExtreme, []byte{0x80, 0x80, 7}, []byte{0, 0, 7}, true},
		{"several numbers", zeroForExtreme, []byte{0x80, 7, 7}, []byte{0, 0, 7}, false},
		{"another number", zeroForExtreme, []byte{0x80, 0x80, 7}, []byte{0, 0x80, 8}, false},
		{"nothing", nothingWritten, []byte{1, 2, 3}, []byte{0, 0, 3}, true},
		{"integers", onlyIntegers, []byte{1, 2}, []byte{1, 3}, true},
		{"something", nothingWritten, []byte{1, 2, 3}, []byte{0, 1, 3}, false},
	} {
		r := &Result{Case: &Case{Args: []Arg{{Elem: ir.Int(8), Data: c.want}}}, want: [][]byte{c.want}, got: [][]byte{c.got}}
		if got := c.holds(r); got != c.ok {
			t.Errorf("%s, %v instead of %v: %v", c.name, c.got, c.want, got)
		}
	}
}

// TestHoldsNumbers checks the known differences of floats by their bits, for f16: 0x7bff
// is the largest number, 0x7c00 infinity and 0x7e00 NaN.
func TestHoldsNumbers(t *testing.T) {
	for _, c := range []struct {
		name      string
		holds     func(*Result) bool
		want, got uint16
		ok        bool
	}{
		{"NaN lost", nanOrZeroSign, 0x7e00, 0x3c00, true},
		{"NaN made", nanOrZeroSign, 0x3c00, 0x7e00, true},
		{"another number", nanOrZeroSign, 0x3c00, 0x3c01, false},
		{"zeros", zeroSigns, 0, 0x8000, true},
		{"NaN", zeroSigns, 0x7e00, 0x8000, false},
		{"no zero", zeroSigns, 0, 0x8001, false},
		{"a bound", clamped, 0x7bff, 0x7c00, true},
		{"the lower bound", clamped, 0xfbff, 0x8000, true},
		{"within", clamped, 0x7bfe, 0x7c00, false},
	} {
		want, got := binary.LittleEndian.AppendUint16(nil, c.want), binary.LittleEndian.AppendUint16(nil, c.got)
		r := &Result{Case: &Case{Args: []Arg{{Elem: ir.F16, Data: want}}}, want: [][]byte{want}, got: [][]byte{got}}
		if ok := c.holds(r); ok != c.ok {
			t.Errorf("%s, %#x instead of %#x: %v", c.name, c.got, c.want, ok)
		}
	}
}

// TestUndefinedArithmetic checks which sanitizer messages count as a known difference:
// only those about arithmetic in the simulator's own headers.
func TestUndefinedArithmetic(t *testing.T) {
	for detail, want := range map[string]bool{
		"exit status 1: x/include/pto/cpu/TSub.hpp:25:56: runtime error: signed integer overflow: -2147483647 - 2":                  true,
		"exit status 1: x/include/pto/cpu/TCvt.hpp:183:31: runtime error: nan is outside the range of representable values of type": true,
		"exit status 1: x/kernel.cpp:25:56: runtime error: signed integer overflow: 1 + 2":                                          false,
		"exit status 1: x/include/pto/cpu/TSub.hpp:25:56: runtime error: load of misaligned address":                                false,
		"==1==ERROR: AddressSanitizer: heap-buffer-overflow in x/include/pto/cpu/TLoad.hpp":                                         false,
	} {
		if got := undefinedArithmetic(&Result{Detail: detail}); got != want {
			t.Errorf("%q: %v", detail, got)
		}
	}
}

// TestOnlyInput checks the known difference in which a core adds zeros instead of an entry
// of a queue: the result is the other summand, an input.
func TestOnlyInput(t *testing.T) {
	summand, sum := []byte{1, 2, 3}, []byte{5, 6, 7}
	for _, c := range []struct {
		got, input []byte
		ok         bool
	}{
		{[]byte{5, 2, 3}, summand, true},
		{[]byte{1, 2, 3}, summand, true},
		{[]byte{5, 3, 2}, summand, false},
		{[]byte{0, 0, 0}, summand, false},
		{[]byte{5, 2, 3}, []byte{9, 2, 3}, false}, // the simulator changes the input
	} {
		out, in := Arg{Elem: ir.Int(8), Data: make([]byte, 3)}, Arg{Elem: ir.Int(8), Data: summand}
		r := &Result{Case: &Case{Args: []Arg{out, in}}, want: [][]byte{sum, summand}, got: [][]byte{c.got, c.input}}
		if got := onlyInput(r); got != c.ok {
			t.Errorf("%v with the input %v: %v", c.got, c.input, got)
		}
	}
}
