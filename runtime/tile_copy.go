// This file copies windows between tiles of any layout as fast as their layouts
// permit.

package runtime

import "unsafe"

// corner is the position of a rectangle in a tile: the row r and the column c of its
// first element.
type corner struct {
	l    *layout
	t    *tile
	r, c int
}

// copyWindow copies a rectangle of rows x cols elements from one tile to another. The
// parameters from and to are the corners of the rectangle in the source and in the
// destination. It returns false, without copying, for tiles that share storage, for
// elements that share bytes, and for rectangles that start inside a box (an inner block
// of the tile). The caller then copies element by element, in the order of the
// instruction.
func (co *core) copyWindow(to, from corner, rows, cols int) bool {
	size := to.l.size
	switch {
	case rows == 0 || cols == 0:
		return true
	case to.l.half || from.l.half || size != from.l.size || !to.onBox() || !from.onBox() || overlap(to.t.data, from.t.data):
		return false
	case to.l.sameStrips(from.l):
		copyStrips(to, from, rows, cols)
	case to.l.boxed || from.l.boxed:
		flat := co.bytes(rows * cols * size)
		from.exchange(flat, rows, cols, false)
		to.exchange(flat, rows, cols, true)
	case to.l.byCols == from.l.byCols:
		copyLines(to, from, rows, cols)
	default:
		d, s := to.rest(), from.rest()
		if to.l.byCols {
			rows, cols = cols, rows
		}
		columnsOf[size](d, s, cols, rows, to.t.pitch, from.t.pitch)
	}
	return true
}

// sameStrips reports whether tiles of both layouts have boxes of the same shape that
// consist of rows, and whether the boxes of a column follow each other in memory in both.
// Elements of the two layouts must have the same size.
func (l *layout) sameStrips(o *layout) bool {
	return l.boxed && o.boxed && l.byCols && o.byCols && !l.boxByCols && !o.boxByCols && l.boxRows == o.boxRows && l.boxCols == o.boxCols
}

// copyStrips copies a rectangle of rows x cols elements between tiles of two layouts that
// sameStrips compares as equal. In such a tile, all rows of a column of boxes are adjacent.
func copyStrips(to, from corner, rows, cols int) {
	wide, size := to.l.boxCols, to.l.size
	for c := 0; c < cols; c += wide {
		d, s := to.t.data[to.l.offset(to.t, to.r, to.c+c):], from.t.data[from.l.offset(from.t, from.r, from.c+c):]
		if n := min(wide, cols-c); n == wide {
			copy(d[:rows*wide*size], s)
		} else {
			for r := range rows {
				copy(d[r*wide*size:][:n*size], s[r*wide*size:])
			}
		}
	}
}

// convertWindow copies a rectangle of rows x cols elements between two tiles. The
// parameter convert is the function that converts the elements. The parameter from is the
// first element of the rectangle in the source, and the parameter to is the first element
// in the destination. It returns false without copying in three cases: the tiles share
// storage, two elements share a byte, or a rectangle starts inside a box (an inner block
// of the tile).
func (co *core) convertWindow(to, from corner, rows, cols int, convert convertFunc) bool {
	if to.l.half || from.l.half || !to.onBox() || !from.onBox() || overlap(to.t.data, from.t.data) {
		return false
	}
	n := rows * cols
	flat := co.bytes(n * (from.l.size + to.l.size))
	in, out := flat[:n*from.l.size], flat[n*from.l.size:]
	from.exchange(in, rows, cols, false)
	convert(out, in)
	to.exchange(out, rows, cols, true)
	return true
}

// copyLines copies a rectangle of rows x cols elements from one tile to another. The
// parameter from is the corner of the rectangle in the source, and the parameter to is
// its corner in the destination. The tiles are both row-major or both column-major.
func copyLines(to, from corner, rows, cols int) {
	size := to.l.size
	lines, n := rows, cols*size
	if to.l.byCols {
		lines, n = cols, rows*size
	}
	d, s := to.rest(), from.rest()
	across, pitch := to.t.pitch*size, from.t.pitch*size
	if across == n && pitch == n {
		lines, n = 1, lines*n
	}
	for i := range lines {
		copy(d[i*across:][:n], s[i*pitch:])
	}
}

// rest returns a part of the storage of the tile: from the element at the corner k to the
// end of the storage.
func (k *corner) rest() []byte { return k.t.data[k.l.offset(k.t, k.r, k.c):] }

// onBox reports whether the rectangle starts at the boundary of a box, a block of the
// tile's inner layout. It is always true for a tile without boxes.
func (k *corner) onBox() bool { return !k.l.boxed || k.r%k.l.boxRows == 0 && k.c%k.l.boxCols == 0 }

// transposed returns the layout of the transposed tile in the same storage: element (r,
// c) of the result is element (c, r) of l.
func (l *layout) transposed() *layout {
	t := *l
	t.rows, t.cols, t.byCols = l.cols, l.rows, !l.byCols
	t.boxRows, t.boxCols, t.boxByCols = l.boxCols, l.boxRows, !l.boxByCols
	return &t
}

// overlap reports whether the slices a and b share at least one byte of memory.
func overlap(a, b []byte) bool {
	x, y := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return x < y+uintptr(len(b)) && y < x+uintptr(len(a))
}
