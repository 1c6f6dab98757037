package runtime

import (
	"fmt"
	"slices"
	"testing"

	"ptogo/ir/num"
)

// TestCopyWindow copies windows between every two ways to lay out a tile, and
// compares with a copy element by element.
func TestCopyWindow(t *testing.T) {
	type shape struct{ byCols, boxed, boxByCols bool }
	var shapes []shape
	for i := range 8 {
		shapes = append(shapes, shape{i&1 != 0, i&2 != 0, i&4 != 0})
	}
	for _, f := range []num.Format{num.U8, num.U16, num.U32, num.U64} {
		tileOf := func(s shape, rows, cols, seed int) (*layout, *tile) {
			l := &layout{f: f, size: f.Bytes(), rows: rows, cols: cols, byCols: s.byCols, boxed: s.boxed, boxRows: 16, boxCols: 8, boxByCols: s.boxByCols}
			data := bytesOf(make([]uint64, rows*cols*l.size/8))
			for i := range data {
				data[i] = byte((i + seed) * 37 >> 3)
			}
			return l, &tile{data: data, pitch: l.pitch()}
		}
		for _, from := range shapes {
			for _, to := range shapes {
				for _, w := range []struct{ dr, dc, sr, sc, rows, cols int }{
					{0, 0, 0, 0, 48, 64}, {16, 8, 32, 16, 16, 40}, {0, 16, 16, 0, 19, 21}, {0, 0, 0, 0, 1, 5}, {0, 0, 0, 0, 0, 4}, {5, 3, 0, 9, 17, 33},
				} {
					for _, transposed := range []bool{false, true} {
						sl, s := tileOf(from, 64, 64, 0)
						dl, d := tileOf(to, 64, 64, 99)
						_, want := tileOf(to, 64, 64, 99)
						for r := range w.rows {
							for c := range w.cols {
								x := sl.get(s, w.sr+r, w.sc+c)
								if transposed {
									x = sl.get(s, w.sc+c, w.sr+r)
								}
								dl.set(want, w.dr+r, w.dc+c, x)
							}
						}
						view := sl
						if transposed {
							view = sl.transposed()
						}
						name := fmt.Sprintf("%s %+v to %+v %+v transposed %t", f, from, to, w, transposed)
						done := new(core).copyWindow(corner{dl, d, w.dr, w.dc}, corner{view, s, w.sr, w.sc}, w.rows, w.cols)
						if whole := w.dr%16 == 0; done != (whole || !from.boxed && !to.boxed) {
							t.Fatalf("%s: done is %t", name, done)
						}
						if done && !slices.Equal(d.data, want.data) {
							t.Fatalf("%s differs", name)
						}
					}
				}
			}
		}
	}
}

// TestCopyWindowLeavesOverlaps checks that windows of one storage are left to
// loops over elements.
func TestCopyWindowLeavesOverlaps(t *testing.T) {
	l := &layout{f: num.U32, size: 4, rows: 8, cols: 8}
	data := bytesOf(make([]uint64, 64))
	upper, lower := &tile{data: data[:256], pitch: 8}, &tile{data: data[128:384], pitch: 8}
	if new(core).copyWindow(corner{l, lower, 0, 0}, corner{l, upper, 0, 0}, 8, 8) {
		t.Fatal("copies between tiles that overlap")
	}
	if beside := (&tile{data: data[256:], pitch: 8}); !new(core).copyWindow(corner{l, beside, 0, 0}, corner{l, upper, 0, 0}, 8, 8) {
		t.Fatal("does not copy to a tile beside")
	}
}
