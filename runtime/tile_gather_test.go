package runtime

import (
	"fmt"
	"slices"
	"testing"

	"ptogo/ir/num"
)

func TestTileGatherByIndex(t *testing.T) {
	s := tileOf("s", 2, 8, "f32", "", "", counted(100, 115)...)
	x := tileOf("x", 2, 8, "i32", "", "", 15, 0, 3, 8, 8, 8, 8, 8, 1, 2, 14)
	d := tileOf("d", 2, 8, "f32", "", "2x3")
	body := "  pto.tgather ins(%s, %x : T(s), T(x)) outs(%d : T(d))"
	runTiles(t, body, s, x, d)
	if got := valuesOf(num.F32, d.buf); !slices.Equal(got[:3], []float64{115, 100, 103}) || !slices.Equal(got[8:12], []float64{101, 102, 114, 0}) {
		t.Errorf("got %v", got)
	}
	for _, bad := range []float64{16, -1} {
		x.buf = numbersOf(num.I32, append([]float64{bad}, make([]float64, 15)...)...)
		faultOfTiles(t, "of \"src\", which has only 16", body, s, x, d)
	}
}

// Rows longer than vectors are gathered in one piece where they follow each
// other, and line by line where they do not; the first index that is too large
// is named.
func TestTileGatherManyElements(t *testing.T) {
	const rows, cols = 6, 48
	for _, valid := range []string{"", "6x43"} {
		s := tileOf("s", rows, cols, "f32", "", "", counted(0, rows*cols-1)...)
		places := counted(0, rows*cols-1)
		for i := range places {
			places[i] = float64(i * 31 % len(places))
		}
		x := tileOf("x", rows, cols, "i32", "", valid, places...)
		d := tileOf("d", rows, cols, "f32", "", valid)
		body := "  pto.tgather ins(%s, %x : T(s), T(x)) outs(%d : T(d))"
		runTiles(t, body, s, x, d)
		got := valuesOf(num.F32, d.buf)
		for i, want := range places {
			if valid != "" && i%cols >= 43 {
				want = 0
			}
			if got[i] != want {
				t.Fatalf("element %d is %v, want %v", i, got[i], want)
			}
		}
		places[2*cols+40], places[3*cols] = 300, 400
		x.buf = numbersOf(num.I32, places...)
		faultOfTiles(t, "300", body, s, x, d)
	}
}

// Indices of 16 bits have no sign, so that they reach every element.
func TestTileGatherWideIndex(t *testing.T) {
	const n = 40000
	s := tileOf("s", 1, n, "i8", "", "")
	s.buf.Data[39999] = 5
	x := tileOf("x", 1, 32, "i16", "", "", 39999-65536)
	d := tileOf("d", 1, 32, "i8", "", "1x1")
	runTiles(t, "  pto.tgather ins(%s, %x : T(s), T(x)) outs(%d : T(d))", s, x, d)
	if d.buf.Data[0] != 5 {
		t.Errorf("got %d", d.buf.Data[0])
	}
}

func TestTileGatherByValue(t *testing.T) {
	s := tileOf("s", 2, 8, "f32", "", "2x6", 1, 5, 2, 5, 7, 5, 5, 5, 5, 0, 0, 6)
	d, n := tileOf("d", 2, 8, "i32", "", ""), tileOf("n", 1, 8, "i32", "", "")
	tmp := tileOf("tmp", 8, 32, "i8", "", "")
	body := "  %k = arith.constant 5.0 : f32\n  pto.tgather ins(%s, %k, %tmp : T(s), f32, T(tmp)) outs(%d, %n : T(d), T(n)) "
	for _, c := range []struct {
		attr         string
		rows, counts []float64 // of each row, the first two numbers
	}{
		{"{cmpMode = #pto.cmp<eq>, offset = 10 : i32}", []float64{11, 13, 18, 0}, []float64{3, 1}},
		{"{cmpMode = #pto.cmp<gt>}", []float64{4, 0, 11, 0}, []float64{1, 1}},
	} {
		d.buf, n.buf = numbersOf(num.I32, make([]float64, 16)...), numbersOf(num.I32, make([]float64, 8)...)
		runTiles(t, body+c.attr, s, d, n, tmp)
		all := valuesOf(num.I32, d.buf)
		got, counts := slices.Concat(all[:2], all[8:10]), valuesOf(num.I32, n.buf)[:2]
		if !slices.Equal(got, c.rows) || !slices.Equal(counts, c.counts) {
			t.Errorf("%s: %v, %v, want %v, %v", c.attr, got, counts, c.rows, c.counts)
		}
	}
}

func TestTileGatherByPattern(t *testing.T) {
	s := tileOf("s", 2, 32, "f32", "", "", counted(0, 63)...)
	for pattern, want := range map[string][]float64{
		"P0101": {0, 2, 4, 6, 32}, "P1010": {1, 3, 5, 7, 33}, "P0001": {0, 4, 8, 12, 32},
		"P0100": {2, 6, 10, 14, 34}, "P1000": {3, 7, 11, 15, 35}, "P1111": {0, 1, 2, 3, 32},
	} {
		d := tileOf("d", 2, 8, "f32", "", "")
		runTiles(t, "  pto.tgather ins(%s, {maskPattern = #pto.mask_pattern<"+pattern+">} : T(s)) outs(%d : T(d))", s, d)
		got := valuesOf(num.F32, d.buf)
		if !slices.Equal(got[:4], want[:4]) || got[8] != want[4] {
			t.Errorf("%s: %v, want %v", pattern, got, want)
		}
	}
}

func TestTileGatherBlocks(t *testing.T) {
	s := tileOf("s", 2, 16, "f32", "", "", counted(0, 31)...)
	x := tileOf("x", 2, 8, "i32", "", "", 96, 32, 0, 0, 0, 0, 0, 0, 4, 64)
	d := tileOf("d", 2, 16, "f32", "", "2x12")
	body := "  pto.tgatherb ins(%s, %x : T(s), T(x)) outs(%d : T(d))"
	runTiles(t, body, s, x, d)
	want := append(append(append(counted(24, 31), counted(8, 11)...), 0, 0, 0, 0), append(counted(1, 8), counted(16, 19)...)...)
	if got := valuesOf(num.F32, d.buf)[:28]; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	x.buf = numbersOf(num.I32, append([]float64{100}, make([]float64, 15)...)...)
	faultOfTiles(t, "reads the 32-byte block at byte 100 of \"src\", but \"src\" has only 128 bytes", body, s, x, d)
}

func TestTileScatterByIndex(t *testing.T) {
	s := tileOf("s", 2, 8, "f32", "", "2x3", counted(1, 16)...)
	x := tileOf("x", 2, 8, "i32", "", "2x3", 31, 0, 9, 9, 9, 9, 9, 9, 31, 16, 2)
	d := tileOf("d", 4, 8, "f32", "", "3x5", slices.Repeat([]float64{-1}, 32)...)
	body := "  pto.tscatter ins(%s, %x : T(s), T(x)) outs(%d : T(d))"
	runTiles(t, body, s, x, d)
	want := make([]float64, 32)
	want[0], want[9], want[31], want[16], want[2] = 2, 3, 9, 10, 11 // the later 9 wins over 1
	if got := valuesOf(num.F32, d.buf); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, beyond := range []float64{32, -1} {
		x.buf = numbersOf(num.I32, append([]float64{beyond}, make([]float64, 15)...)...)
		faultOfTiles(t, fmt.Sprintf("accesses element %v of \"dst\", which has only 32", beyond), body, s, x, d)
	}
}

func TestTileScatterByPattern(t *testing.T) {
	s := tileOf("s", 2, 16, "f16", "", "", counted(1, 32)...)
	for _, c := range []struct {
		pattern, axis string
		rows, cols    int
		at, next      int // where the first two elements go
	}{
		{"P0101", "row", 2, 32, 0, 2}, {"P1010", "row", 2, 32, 1, 3}, {"P0010", "row", 2, 64, 1, 5},
		{"P1010", "col", 4, 16, 16, 17}, {"P1111", "row", 2, 16, 0, 1},
	} {
		d := tileOf("d", c.rows, c.cols, "f16", "", "", slices.Repeat([]float64{7}, c.rows*c.cols)...)
		runTiles(t, "  pto.tscatter ins(%s, {maskPattern = #pto.mask_pattern<"+c.pattern+">} : T(s), \""+c.axis+"\") outs(%d : T(d))", s, d)
		got, sum := valuesOf(num.F16, d.buf), 0.0
		for _, x := range got {
			sum += x
		}
		if got[c.at] != 1 || got[c.next] != 2 || sum != 32*33/2 {
			t.Errorf("%s %s: %v", c.pattern, c.axis, got)
		}
	}
}
