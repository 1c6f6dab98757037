// This file copies rectangles between tiles: extract, insert, and moves whose source and
// destination have different extents, element types or layouts.

package runtime

import (
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// tileMove executes a copy of a rectangle between tiles. If the instruction extracts a
// rectangle, row and col are its position in the source. If the instruction inserts one,
// they are its position in the destination. Other copies do not use them.
type tileMove struct {
	op       *ir.Op
	kind     sem.TileMove
	src, dst tileOperand
	convert  func(fr *frame, cols int) (fixpipe, *Fault)
	row, col func(fr *frame) int
	// split is the number of rows and columns of dst that correspond to one element of
	// src. It differs from 1 x 1 if an element of src packs two 4-bit numbers.
	split [2]int
	// numbers is the layout of src in which each packed number counts as an element.
	numbers *layout
	// parts assigns rectangles of the source to vector cores; nil means that the
	// destination is on this core. copied returns how many rows and columns of the source
	// they are taken from.
	parts  []isatile.MovePart
	copied func(s *tile) (rows, cols int)
}

// exec executes the move. An insert copies the complete source; other moves fill the
// complete destination. A move out of L0C can go to both vector cores: each of them
// receives its half, at the same address of its own unified buffer.
func (m *tileMove) exec(fr *frame) *Fault {
	from, d := fr.t[m.src.at].inNumbers(m.numbers, m.split), fr.t[m.dst.at]
	s := &from
	rows, cols := d.rows, d.cols
	if m.kind.Dst {
		rows, cols = s.rows, s.cols
	}
	if m.parts == nil {
		return m.window(fr, s, d, sourcePart{rows: rows, cols: cols})
	}
	s.rows, s.cols = m.copied(s)
	for _, part := range m.parts {
		// The destination is as large as one share of the source, or as large as the
		// complete source.
		h, w := min(rows, s.rows/part.Rows), min(cols, s.cols/part.Cols)
		if s.rows%part.Rows != 0 || s.cols%part.Cols != 0 {
			return faultAt(m.op, "splits %dx%d elements into two halves, but the number of rows or columns to split is odd", s.rows, s.cols)
		}
		to := *d
		to.data = fr.core.unifiedBuffer(part.Sub).part(d.addr, len(d.data))
		if f := m.window(fr, s, &to, sourcePart{(part.Rows - 1) * part.Sub * h, (part.Cols - 1) * part.Sub * w, h, w}); f != nil {
			return f
		}
	}
	return nil
}

// copiedFromAcc returns a function that determines, at run time, how many rows and columns of
// the accumulator s the move op copies. The accumulator has storage for the given number of
// columns.
func copiedFromAcc(op *ir.Op, stored int) func(s *tile) (rows, cols int) {
	all, unit, whole := isatile.WholeBoxes(op)
	return func(s *tile) (rows, cols int) {
		if whole {
			return int(all), min(roundUp(s.cols, int(unit)), stored)
		}
		return s.rows, s.cols
	}
}

// sourcePart is a rectangle of the source of a tile move: rows x cols elements. It starts
// r rows and c columns after the position that the operands select.
type sourcePart struct{ r, c, rows, cols int }

// window copies a rectangle of tile s to tile d with the fastest possible method. The
// parameter part is the rectangle. There are three methods: copying bytes, converting
// complete rows, and converting one element at a time. Copying bytes is impossible out of
// L0C, because elements of L0C are converted. All methods produce the same bits.
func (m *tileMove) window(fr *frame, s, d *tile, part sourcePart) *Fault {
	rows, cols := part.rows, part.cols
	r0, c0 := m.row(fr), m.col(fr)
	var sr, sc, dr, dc int
	if m.kind.Src {
		sr, sc = r0, c0
	}
	if m.kind.Dst {
		dr, dc = r0, c0
	}
	sr, sc = sr+part.r, sc+part.c
	if f := window(m.op, &m.src, sr, sc, roundUp(rows, m.split[0])/m.split[0], roundUp(cols, m.split[1])/m.split[1]); f != nil {
		return f
	}
	if f := window(m.op, &m.dst, dr, dc, rows, cols); f != nil {
		return f
	}
	from, to := corner{m.numbers, s, sr * m.split[0], sc * m.split[1]}, corner{m.dst.l, d, dr, dc}
	if m.src.l.info.Space != sem.L0C && m.src.l.size == m.dst.l.size && fr.core.copyWindow(to, from, rows, cols) {
		return nil
	}
	conv, f := m.convert(fr, sc+cols)
	if f != nil {
		return f
	}
	if conv.rows != nil && fr.core.convertWindow(to, from, rows, cols, conv.rows) {
		return nil
	}
	for i := range rows {
		for j := range cols {
			to.l.set(d, dr+i, dc+j, conv.each(from.l.get(s, from.r+i, from.c+j), sc+j))
		}
	}
	return nil
}
