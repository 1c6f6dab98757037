package runtime

import (
	"slices"
	"testing"

	"ptogo/ir/num"
)

// TestTileRows checks that gather and scatter find each element where the
// layout says it is, for every way to lay out a tile.
func TestTileRows(t *testing.T) {
	for _, l := range []layout{
		{f: num.U8, size: 1, rows: 32, cols: 64},
		{f: num.U16, size: 2, rows: 32, cols: 64, byCols: true},
		{f: num.U16, size: 2, rows: 32, cols: 64, boxed: true, boxRows: 16, boxCols: 16},
		{f: num.U32, size: 4, rows: 32, cols: 64, byCols: true, boxed: true, boxRows: 16, boxCols: 8},
		{f: num.U32, size: 4, rows: 32, cols: 64, boxed: true, boxByCols: true, boxRows: 8, boxCols: 16},
		{f: num.U64, size: 8, rows: 32, cols: 64, byCols: true, boxed: true, boxByCols: true, boxRows: 4, boxCols: 16},
	} {
		data := bytesOf(make([]uint64, l.rows*l.cols*l.size/8))
		for i := range data {
			data[i] = byte(i * 37 >> 3)
		}
		whole := &tile{data: data, pitch: l.pitch()}
		for _, s := range [][2]int{{32, 64}, {17, 33}, {1, 5}, {0, 4}} {
			rows, cols := s[0], s[1]
			flat := bytesOf(make([]uint64, rows*cols))[:rows*cols*l.size]
			l.gather(flat, whole, rows, cols)
			for r := range rows {
				for c := range cols {
					if got, want := num.Load(l.f, flat[(r*cols+c)*l.size:]), l.get(whole, r, c); got != want {
						t.Fatalf("%+v: element %d, %d is %#x, want %#x", l, r, c, got, want)
					}
				}
			}
			other := &tile{data: make([]byte, len(data)), pitch: l.pitch()}
			want := &tile{data: make([]byte, len(data)), pitch: l.pitch()}
			l.scatter(other, flat, rows, cols)
			for r := range rows {
				for c := range cols {
					l.set(want, r, c, l.get(whole, r, c))
				}
			}
			if !slices.Equal(other.data, want.data) {
				t.Fatalf("%+v: scatter of %dx%d differs", l, rows, cols)
			}
		}
	}
}
