// This file copies blocks of bytes.

package kernels

import "unsafe"

// Grid describes blocks of bytes at regular distances in memory: block (r, c) starts r*Down
// + c*Across bytes after the start of Data.
type Grid struct {
	Data         []byte
	Down, Across int
}

// reach returns the part of the memory that rows x cols blocks of size bytes occupy. The
// distances must not be negative.
func (g *Grid) reach(rows, cols, size int) []byte {
	return g.Data[:(rows-1)*g.Down+(cols-1)*g.Across+size]
}

// CopyBlocks copies rows x cols blocks of size bytes from one grid to another, one row of
// blocks after the other. The grids must not overlap, and their distances must not be
// negative. Blocks of 32 and 64 bytes are copied by vector instructions, if the given level
// includes them.
func CopyBlocks(level Level, to, from Grid, rows, cols, size int) {
	if rows <= 0 || cols <= 0 || size <= 0 {
		return
	}
	d, a := to.reach(rows, cols, size), from.reach(rows, cols, size)
	if run := blockRuns[min(size/32, 3)]; run != nil && size%32 == 0 && level != None {
		run(&d[0], &a[0], rows, cols, to.Down, to.Across, from.Down, from.Across)
		return
	}
	for r := range rows {
		for c := range cols {
			x, y := d[r*to.Down+c*to.Across:][:size], a[r*from.Down+c*from.Across:][:size]
			if size != 32 {
				copy(x, y)
				continue
			}
			p, q := (*[4]uint64)(unsafe.Pointer(&x[0])), (*[4]uint64)(unsafe.Pointer(&y[0]))
			e, f, g, h := q[0], q[1], q[2], q[3] // words are faster than a call of copy
			p[0], p[1], p[2], p[3] = e, f, g, h
		}
	}
}
