// This file copies between tiles of any layout and row-major arrays.

package runtime

import (
	"unsafe"

	"ptogo/runtime/kernels"
)

// gather copies the first rows x cols elements of tile t to a buffer (the parameter to),
// in row-major order.
func (l *layout) gather(to []byte, t *tile, rows, cols int) {
	corner{l: l, t: t}.exchange(to, rows, cols, false)
}

// scatter copies the elements of a buffer (the parameter from), in row-major order, to
// the first rows x cols elements of tile t.
func (l *layout) scatter(t *tile, from []byte, rows, cols int) {
	corner{l: l, t: t}.exchange(from, rows, cols, true)
}

// exchange copies rows x cols elements between the row-major array flat and a rectangle
// of a tile. If toTile is set, the tile is the destination; if not, the array is.
func (w corner) exchange(flat []byte, rows, cols int, toTile bool) {
	w.exchangeApart(flat, cols, rows, cols, toTile)
}

// exchangeApart does the same as exchange for an array whose rows are apart elements from
// each other. It copies one box (inner block of the tile) at a time; a tile without boxes
// counts as a single box. It copies boxes that consist of rows in one call.
func (w corner) exchangeApart(flat []byte, apart, rows, cols int, toTile bool) {
	l, t := w.l, w.t
	if rows == 0 || cols == 0 {
		return
	}
	if l.half {
		w.exchangeHalves(flat, apart, rows, cols, toTile)
		return
	}
	if l.boxed && !l.boxByCols {
		w.exchangeRowBoxes(flat, apart, rows, cols, toTile)
		return
	}
	byCols, pitch := l.byCols, t.pitch
	height, width := rows, cols
	if l.boxed {
		height, width, byCols, pitch = l.boxRows, l.boxCols, true, l.boxRows
	}
	each := exchangeRows
	if byCols {
		each = exchangeColumns
	}
	for r := 0; r < rows; r += height {
		for c := 0; c < cols; c += width {
			each(flat[(r*apart+c)*l.size:], t.data[l.offset(t, w.r+r, w.c+c):], box{
				rows: min(height, rows-r), cols: min(width, cols-c), flat: apart, pitch: pitch, size: l.size, toTile: toTile,
			})
		}
	}
}

// boxesAtOnce is the number of adjacent boxes that exchangeRowBoxes copies at once. Rows of
// a matrix in global memory are often a large power of two apart, and so are columns of
// boxes. The L1 cache holds only eight lines at such distances.
const boxesAtOnce = 8

// exchangeRowBoxes does the same as exchangeApart for a tile with boxes that consist of
// rows. It copies a row of several boxes, and then the next row. If the boxes of a column
// follow each other in memory, so do their rows, and one call copies all of them.
func (w corner) exchangeRowBoxes(flat []byte, apart, rows, cols int, toTile bool) {
	l, t := w.l, w.t
	n, whole := l.boxCols*l.size, cols/l.boxCols
	height, across := l.boxRows, l.boxRows*n
	if l.byCols {
		height, across = rows, t.pitch*n
	}
	for r := 0; r < rows; r += height {
		high := min(height, rows-r)
		if whole > 0 {
			to := kernels.Grid{Data: flat[r*apart*l.size:], Down: apart * l.size, Across: n}
			from := kernels.Grid{Data: t.data[l.offset(t, w.r+r, w.c):], Down: n, Across: across}
			if toTile {
				to, from = from, to
			}
			for first := 0; first < whole; first += boxesAtOnce {
				d, a := to, from
				d.Data, a.Data = to.Data[first*to.Across:], from.Data[first*from.Across:]
				kernels.CopyBlocks(kernels.Best, d, a, high, min(boxesAtOnce, whole-first), n)
			}
		}
		if c := whole * l.boxCols; c < cols {
			exchangeRows(flat[(r*apart+c)*l.size:], t.data[l.offset(t, w.r+r, w.c+c):], box{
				rows: high, cols: cols - c, flat: apart, pitch: l.boxCols, size: l.size, toTile: toTile,
			})
		}
	}
}

// exchangeHalves copies rows x cols elements between a row-major array, the parameter
// flat, and a rectangle of a tile in which two elements share a byte. In the array, each
// element occupies a complete byte, and rows are apart bytes from each other. If toTile is
// set, the tile is the destination.
func (w corner) exchangeHalves(flat []byte, apart, rows, cols int, toTile bool) {
	for r := range rows {
		for c := range cols {
			if toTile {
				w.l.set(w.t, w.r+r, w.c+c, uint64(flat[r*apart+c]))
			} else {
				flat[r*apart+c] = byte(w.l.get(w.t, w.r+r, w.c+c))
			}
		}
	}
}

// box describes a block of elements that is copied in one call, between a row-major array
// and a tile. The field flat is the distance between rows of the array. The field pitch
// is the distance between rows or columns of the block in the tile. Both distances are in
// elements. The field size is the number of bytes of an element.
type box struct {
	rows, cols, flat, pitch, size int
	toTile                        bool
}

// exchangeRows copies a block of elements between two memories: the array flat, and the
// storage of a row-major box (the slice data). If b.toTile is set, it copies from the
// array to the box; otherwise it copies from the box to the array.
func exchangeRows(flat, data []byte, b box) {
	n := b.cols * b.size
	if b.rows == 0 || n == 0 {
		return
	}
	to, from, down, up := flat, data, b.flat*b.size, b.pitch*b.size
	if b.toTile {
		to, from, down, up = data, flat, up, down
	}
	for r := range b.rows {
		copy(to[r*down:][:n], from[r*up:])
	}
}

// exchangeColumns copies a block of elements between the row-major array flat and data,
// the storage of a column-major box. If b.toTile is set, it copies from flat to data, and
// otherwise from data to flat. Because the two arrays have different orders, the copy
// transposes the block.
func exchangeColumns(flat, data []byte, b box) {
	if b.toTile {
		columnsOf[b.size](data, flat, b.rows, b.cols, b.pitch, b.flat)
	} else {
		columnsOf[b.size](flat, data, b.cols, b.rows, b.flat, b.pitch)
	}
}

// columnsOf contains, for each element size in bytes, the instance of the function
// transpose for elements of this size.
var columnsOf = [9]func(d, a []byte, lines, n, across, pitch int){
	1: transpose[uint8], 2: transpose[uint16], 4: transpose[uint32], 8: transpose[uint64],
}

// transpose copies the elements of type T from a to d, and exchanges rows and columns.
// The source has the given number of lines, with n elements each, at a distance of pitch
// elements: line r starts at a[r*pitch]. In the destination, element i of line r is
// d[i*across+r].
func transpose[T word](d, a []byte, lines, n, across, pitch int) {
	size := int(unsafe.Sizeof(T(0)))
	first := kernels.Transpose(kernels.Best, d, a, size, across*size, pitch*size, lines, n*size)
	out := as[T](d)
	for line := first; line < lines; line++ {
		at := line
		for _, x := range as[T](a)[line*pitch:][:n] {
			out[at] = x
			at += across
		}
	}
}
