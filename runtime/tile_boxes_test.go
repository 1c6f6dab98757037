package runtime

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
)

// TestCopyBoxes compares copies by way of an array with copies of one contiguous range at
// a time, for tiles with boxes in both orders, and for views whose rows or columns are
// contiguous.
func TestCopyBoxes(t *testing.T) {
	for _, typ := range []string{
		"mat, 32x64xf16, blayout=col_major, slayout=row_major",
		"mat, 32x64xf16, valid=9x50, blayout=col_major, slayout=row_major",
		"right, 32x64xf16, slayout=col_major",
		"mat, 64x32xi8, slayout=col_major",
		"acc, 32x48xf32, blayout=col_major, slayout=row_major, fractal=1024",
		"vec, 16x32xf32, blayout=col_major, slayout=row_major, compact=2",
	} {
		l := layoutOfType(t, "!pto.tile_buf<"+typ+">")
		for _, size := range [][2]int{{l.rows, l.cols}, {min(l.rows, 9), l.cols - 3}} {
			for _, byCols := range []bool{false, true} {
				for _, load := range []bool{false, true} {
					t.Run(fmt.Sprint(typ, size, byCols, load), func(t *testing.T) { compareCopies(t, l, size[0], size[1], byCols, load) })
				}
			}
		}
	}
}

// layoutOfType returns the layout of tiles of a type.
func layoutOfType(t *testing.T, typ string) *layout {
	m := parseModule(t, "func.func @k() attributes {pto.kernel} {\n  %t = pto.alloc_tile : "+typ+"\n  return\n}")
	for op := range m.Walk() {
		if op.NumResults() > 0 {
			return valueTypeOf(op.Result(0).Type()).layout
		}
	}
	t.Fatal("no tile")
	return nil
}

// compareCopies copies rows x cols elements between a tile and memory in both ways, and
// compares the tiles and the memories. The columns of the view are contiguous if byCols is
// set, and its rows if not.
func compareCopies(t *testing.T, l *layout, rows, cols int, byCols, load bool) {
	ra, ca := pto.ViewAxes(l.info)
	c := &tileCopy{l: l, flipped: l.transposed(), size: l.size, rows: axis(ra), cols: axis(ca), gm: pointee{space: sem.GM, how: writes}, load: load}
	w := view{addr: globalAddress(0) + uint64(l.size)}
	for i := range w.size {
		w.size[i] = 1
	}
	r, k := c.rows[0], c.cols[0]
	w.size[r], w.size[k] = int64(rows), int64(cols)
	w.stride[r], w.stride[k] = int64(cols+5), 1
	along, across, part := c.cols, c.rows, copiedLines{lines: rows, n: cols}
	if byCols {
		w.stride[r], w.stride[k] = 1, int64(rows+5)
		along, across, part = c.rows, c.cols, copiedLines{byCols: true, lines: cols, n: rows}
	}
	var tiles, memories [2][]byte
	for i := range 2 {
		random := rand.NewChaCha8([32]byte{})
		tiles[i], memories[i] = make([]byte, l.bytes()), make([]byte, (rows+6)*(cols+6)*l.size)
		random.Read(tiles[i])
		random.Read(memories[i])
		co := &core{gm: []*Buffer{{Data: memories[i]}}, own: takeMemories(sem.A3, 0)}
		co.spaces, co.scratch = co.own.spaces, co.own.scratch
		to := &tile{data: tiles[i], pitch: l.pitch(), rows: rows, cols: cols}
		f := c.copyRuns(co, &w, to, part, across, along)
		if i == 1 {
			step, _ := across.step(&w)
			f = c.copyBoxes(co, &w, to, part, step, across, along)
		}
		if f != nil {
			t.Fatal(f)
		}
	}
	if !bytes.Equal(tiles[0], tiles[1]) || !bytes.Equal(memories[0], memories[1]) {
		t.Error("the copies differ")
	}
}
