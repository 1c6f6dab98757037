// This file copies MX scales from global memory into tiles.

package runtime

// scaleBox is the size in bytes of a box, a block of MX scales in a tile: the scales of
// 16 rows or columns with 2 groups of elements each.
const scaleBox = 32

// scales reports whether a tile of this layout contains MX scales (one for each group of
// matrix elements), arranged in the blocks that the cube unit requires.
func (l *layout) scales() bool { return l.boxed && l.info.Fractal == scaleBox && l.rows > 1 }

// scales loads MX scales (one for each group of matrix elements) into a tile. In global
// memory, they are already arranged in boxes, the blocks that the tile requires, so each
// box is copied as a whole.
func (c *tileCopy) scales(fr *frame) *Fault {
	w, t := &fr.w[c.view], fr.t[c.tile]
	rows, cols, at := c.scaleBoxes(w, t)
	for br := range (rows + c.l.boxRows - 1) / c.l.boxRows {
		for bc := range (cols + c.l.boxCols - 1) / c.l.boxCols {
			gm, f := c.gm.bytes(fr.core, w.addr+uint64(at(br, bc)), scaleBox)
			if f != nil {
				return f
			}
			copy(t.data[c.l.offset(t, br*c.l.boxRows, bc*c.l.boxCols):], gm)
		}
	}
	return nil
}

// scaleBoxes describes the MX scales in a view. It returns the numbers of rows and
// columns of scales, and a function that returns the element offset of each box, a block
// of scales. In a two-dimensional view, the boxes are adjacent. In a five-dimensional
// view, the second and third dimension select the box.
func (c *tileCopy) scaleBoxes(w *view, t *tile) (rows, cols int, at func(br, bc int) int64) {
	turn := func(br, bc int) (outer, inner int) {
		if c.l.byCols {
			return bc, br
		}
		return br, bc
	}
	if w.size[1]*w.size[2] > 1 {
		r, col := turn(int(w.size[1]), int(w.size[2]))
		return min(t.rows, r*c.l.boxRows), min(t.cols, col*c.l.boxCols), func(br, bc int) int64 {
			outer, inner := turn(br, bc)
			return int64(outer)*w.stride[1] + int64(inner)*w.stride[2]
		}
	}
	r, col := c.rows.length(w), c.cols.length(w)
	_, across := turn((r+c.l.boxRows-1)/c.l.boxRows, (col+c.l.boxCols-1)/c.l.boxCols)
	return min(t.rows, r), min(t.cols, col), func(br, bc int) int64 {
		outer, inner := turn(br, bc)
		return int64(outer*across+inner) * scaleBox
	}
}
