// This file copies MX scales from global memory into tiles.

package runtime

// scaleBox is the size in bytes of a box, a block of MX scales in a tile: the scales of
// 16 rows or columns with 2 groups of elements each.
const scaleBox = 32

// scales reports whether a tile of this layout contains MX scales (one for each group of
// matrix elements), arranged in the blocks that the cube unit requires.
func (l *layout) scales() bool { return l.boxed && l.info.Fractal == scaleBox && l.rows > 1 }

// scales loads MX scales (one for each group of matrix elements) into a tile. It copies
// boxes, the blocks that the tile requires, as a whole if they are contiguous in global
// memory, and the two scales of a valid row of the matrix at a time otherwise.
func (c *tileCopy) scales(fr *frame) *Fault {
	w, t := &fr.w[c.view], fr.t[c.tile]
	v := c.scaleView(w, t)
	for br := range (v.rows + c.l.boxRows - 1) / c.l.boxRows {
		for bc := range (v.cols + c.l.boxCols - 1) / c.l.boxCols {
			to, from := t.data[c.l.offset(t, br*c.l.boxRows, bc*c.l.boxCols):], w.addr+uint64(v.at(br, bc))
			n, lines := scaleBox, 1
			if !v.whole {
				n, lines = scalePair, min(c.l.boxRows, v.rows-br*c.l.boxRows)
				if c.l.byCols {
					lines = min(c.l.boxCols, v.cols-bc*c.l.boxCols)
				}
			}
			for i := range lines {
				gm, f := c.gm.bytes(fr.core, from+uint64(int64(i)*v.line), n)
				if f != nil {
					return f
				}
				copy(to[i*scalePair:], gm)
			}
		}
	}
	return nil
}

// scalePair is the size in bytes of the scales in one row of a box.
const scalePair = 2

// scaleView describes the MX scales in a view.
type scaleView struct {
	// rows and cols count the scales.
	rows, cols int
	// at returns the offset of a box, a block of scales, in elements.
	at func(br, bc int) int64
	// line is the distance in elements of the pairs of scales in a box.
	line int64
	// whole means that the view consists of contiguous boxes. Where the pairs of a box are
	// contiguous, but boxes are not a multiple of their size apart, the last box of the rows
	// is incomplete, and the scales of other groups follow it.
	whole bool
}

// scaleView returns a description of the view w, from which MX scales are copied to t. In
// a two-dimensional view, boxes are adjacent. In a five-dimensional view, the first three
// dimensions select the box, and the fourth selects a pair of scales in it.
func (c *tileCopy) scaleView(w *view, t *tile) scaleView {
	turn := func(br, bc int) (outer, inner int) {
		if c.l.byCols {
			return bc, br
		}
		return br, bc
	}
	if c.named || w.size[1]*w.size[2] > 1 {
		r, col := turn(int(w.size[0]*w.size[1]), int(w.size[2]))
		return scaleView{min(t.rows, r*c.l.boxRows), min(t.cols, col*c.l.boxCols), func(br, bc int) int64 {
			outer, inner := turn(br, bc)
			n := int(w.size[1])
			return int64(outer/n)*w.stride[0] + int64(outer%n)*w.stride[1] + int64(inner)*w.stride[2]
		}, w.stride[3], w.stride[3] == scalePair && w.stride[1]%scaleBox == 0 && w.stride[2]%scaleBox == 0}
	}
	r, col := c.rows.length(w), c.cols.length(w)
	_, across := turn((r+c.l.boxRows-1)/c.l.boxRows, (col+c.l.boxCols-1)/c.l.boxCols)
	return scaleView{min(t.rows, r), min(t.cols, col), func(br, bc int) int64 {
		outer, inner := turn(br, bc)
		return int64(outer*across+inner) * scaleBox
	}, scalePair, true}
}
