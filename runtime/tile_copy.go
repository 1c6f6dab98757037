package runtime

import "unsafe"

// corner is the place in a tile where a window begins.
type corner struct {
	l    *layout
	t    *tile
	r, c int
}

// copyWindow copies rows x cols elements between tiles by lines, boxes or
// transposition. It reports whether it did: tiles that share storage, numbers
// that share bytes and windows that begin inside a box are for loops over
// elements, in the order of the instruction.
func (co *core) copyWindow(to, from corner, rows, cols int) bool {
	size := to.l.size
	switch {
	case rows == 0 || cols == 0:
		return true
	case to.l.half || from.l.half || size != from.l.size || !to.onBox() || !from.onBox() || overlap(to.t.data, from.t.data):
		return false
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

// convertWindow is copyWindow for elements that are converted on their way.
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

// copyLines copies between tiles whose lines have the same direction.
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

// rest is the storage from the corner on.
func (k *corner) rest() []byte { return k.t.data[k.l.offset(k.t, k.r, k.c):] }

// onBox reports whether the window begins where a box does.
func (k *corner) onBox() bool { return !k.l.boxed || k.r%k.l.boxRows == 0 && k.c%k.l.boxCols == 0 }

// transposed is the tile with rows and columns exchanged, in the same storage.
func (l *layout) transposed() *layout {
	t := *l
	t.rows, t.cols, t.byCols = l.cols, l.rows, !l.byCols
	t.boxRows, t.boxCols, t.boxByCols = l.boxCols, l.boxRows, !l.boxByCols
	return &t
}

// overlap reports whether two pieces of memory share bytes.
func overlap(a, b []byte) bool {
	x, y := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return x < y+uintptr(len(b)) && y < x+uintptr(len(a))
}
