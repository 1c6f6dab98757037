// This file compiles moves inside local memory: padding, transposition, concatenation,
// interleaving and windows.

package runtime

import (
	"bytes"

	"ptogo/dialect/pto/analysis"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// tilePad compiles op into a step, a function that copies a tile to dst. The step fills
// the elements of dst that the copy does not write with padding: all columns and, in vec,
// the rows up to the valid rows of dst (sem.TilePad.Filled).
func (p *planner) tilePad(op *ir.Op, _ sem.TilePad) step {
	o := sem.TileEndsOf(op)
	src, dst := p.tileOperand(op, o.Src), p.tileOperand(op, o.Dst)
	if src.l == nil || dst.l == nil {
		return nil
	}
	pad := padElement(dst.l)
	if pad == nil {
		pad = make([]byte, dst.l.size)
	}
	return p.checked(op, func(fr *frame) *Fault {
		s, d := fr.t[src.at], fr.t[dst.at]
		rows, cols := min(s.rows, dst.l.rows), min(s.cols, dst.l.cols)
		there := &s.data[0] == &d.data[0] || fr.core.copyWindow(corner{dst.l, d, 0, 0}, corner{src.l, s, 0, 0}, rows, cols)
		for r := range filledRows(dst.l, s, d) {
			from := 0
			if there && r < rows {
				from = cols
			}
			for c := from; c < dst.l.cols; c++ {
				if to := dst.l.elem(d, r, c); r < rows && c < cols {
					copy(to, src.l.elem(s, r, c))
				} else {
					copy(to, pad)
				}
			}
		}
		return nil
	})
}

// filledRows returns the number of rows of tile d, with layout l, that a padding
// instruction with source s writes. In vec, it does not write rows past the valid rows of
// both tiles.
func filledRows(l *layout, s, d *tile) int {
	if l.memory() != sem.UB {
		return l.rows
	}
	return min(max(s.rows, d.rows), l.rows)
}

// tileTranspose compiles op into a step, a function that computes dst[j,i] = src[i,j].
// It processes all elements (i, j) in the valid region of src.
func (p *planner) tileTranspose(op *ir.Op, _ sem.TileTranspose) step {
	src, dst := p.tileOperand(op, sem.TileEndsOf(op).Src), p.tileOut(op)
	if src.l == nil || dst.l == nil {
		return nil
	}
	transposed := src.l.transposed()
	return p.checked(op, func(fr *frame) *Fault {
		s, d := fr.t[src.at], fr.t[dst.at]
		if s.rows > dst.l.cols || s.cols > dst.l.rows {
			return faultAt(op, "transposes %dx%d elements, but \"%s\" has room for %dx%d", s.rows, s.cols, dst.name, dst.l.rows, dst.l.cols)
		}
		if fr.core.copyWindow(corner{dst.l, d, 0, 0}, corner{transposed, s, 0, 0}, s.cols, s.rows) {
			return nil
		}
		from := *s
		if &s.data[0] == &d.data[0] {
			from.data = bytes.Clone(s.data)
		}
		for r := range s.rows {
			for c := range s.cols {
				copy(dst.l.elem(d, c, r), src.l.elem(&from, r, c))
			}
		}
		return nil
	})
}

// tileConcat compiles op into a step, a function that concatenates the columns of two
// tiles, row by row.
func (p *planner) tileConcat(op *ir.Op, kind sem.TileConcat) step {
	o := sem.TilePairOf(op)
	a, b, dst := p.tileOperand(op, o.Src[0]), p.tileOperand(op, o.Src[1]), p.tileOut(op)
	if a.l == nil || b.l == nil || dst.l == nil {
		return nil
	}
	var counts [2]tileOperand
	if kind.Counts {
		counts[0], counts[1] = p.tileOperand(op, o.Numbers[0]), p.tileOperand(op, o.Numbers[1])
		if counts[0].l == nil || counts[1].l == nil {
			return nil
		}
	}
	return p.checked(op, func(fr *frame) *Fault {
		d := fr.t[dst.at]
		for r := range d.rows {
			at := 0
			for i, in := range []*tileOperand{&a, &b} {
				s := fr.t[in.at]
				n := s.inRow(r)
				if kind.Counts {
					o := &counts[i]
					n = min(n, int(num.Int(o.l.f, o.l.get(fr.t[o.at], r, 0)))/o.l.size)
				}
				for c := range max(min(n, d.cols-at), 0) {
					copy(dst.l.elem(d, r, at), in.l.elem(s, r, c))
					at++
				}
			}
		}
		return nil
	})
}

// tileInterleave compiles op into a step. If op is an interleave, the step alternates the
// elements of two tiles in each row. If op is the inverse instruction, the step separates
// alternating elements into two tiles.
func (p *planner) tileInterleave(op *ir.Op, kind sem.TileInterleave) step {
	ins := inputNames(op)
	var in [2]tileOperand
	for i, name := range ins[:min(2, len(ins))] {
		in[i] = p.tileArg(op, name)
	}
	two := in[1].l != nil
	o := sem.TilePairOf(op)
	out := [2]tileOperand{p.tileOperand(op, o.Dsts[0]), p.tileOperand(op, o.Dsts[1])}
	if in[0].l == nil || out[0].l == nil || out[1].l == nil {
		if !p.failed {
			p.errorf(op, "cannot be executed by pto-run yet")
		}
		return nil
	}
	return p.checked(op, func(fr *frame) *Fault {
		for i := range out {
			if f := in[0].covers(op, fr.t[out[i].at]); two && f != nil {
				return f
			}
		}
		d := fr.t[out[0].at]
		size, n := out[0].l.size, d.cols
		for r := range d.rows {
			// row contains all elements of a row, in the order in which the result
			// receives them.
			row := fr.core.bytes(2 * n * size)
			for i := range 2 * n {
				src, c := i%2, i/2 // in turns
				if kind.Inverse {
					src, c = interleaved(i, n, two)
				}
				o := &in[src]
				copy(row[i*size:(i+1)*size], o.l.elem(fr.t[o.at], r, c))
			}
			for i := range 2 * n {
				o := &out[i/n]
				copy(o.l.elem(fr.t[o.at], r, i%n), row[i*size:])
			}
		}
		return nil
	})
}

// interleaved returns where element i of a deinterleaved row comes from: the index of the
// source tile and the column in it. The row consists of the even elements of the source
// row, followed by the odd ones. If two is set, the source row is the concatenation of
// two tiles with n columns each; if not, it is a single row of 2n columns.
func interleaved(i, n int, two bool) (src, col int) {
	col = i * 2
	if i >= n {
		col = (i-n)*2 + 1
	}
	if two && col >= n {
		return 1, col - n
	}
	return 0, col
}

// tileMove compiles op into a step, a function that copies a rectangle of one tile to
// another tile. If the source is in the accumulator (L0C), the step also converts its
// elements.
func (p *planner) tileMove(op *ir.Op, kind sem.TileMove) step {
	src, dst := p.tileOperand(op, sem.TileEndsOf(op).Src), p.tileOut(op)
	if src.l == nil || dst.l == nil {
		return nil
	}
	if isatile.ReordersExponents(op) {
		return p.zzMove(op, src, dst)
	}
	rows, cols := src.l.info.Split(dst.l.info)
	split := [2]int{int(rows), int(cols)}
	convert := p.fixpipe(op, &src, dst.l.info.Elem)
	if convert == nil {
		return nil
	}
	m := &tileMove{op: op, kind: kind, src: src, dst: dst, convert: convert, row: p.index(sem.WindowOf(op).Row), col: p.index(sem.WindowOf(op).Col), split: split, numbers: src.l.inNumbers(split)}
	if src.l.info.Space == sem.L0C && dst.l.info.Space == sem.UB {
		m.parts, m.copied = isatile.MoveParts(op), copiedFromAcc(op, src.l.cols)
		// The hardware determines the number of columns of a box.
		cols, problem := analysis.BoxFromAccumulator(op, dst.l.info)
		if problem != "" {
			p.errorf(op, "%s", problem)
		}
		wide := *dst.l
		wide.boxCols = int(cols)
		m.dst.l = &wide
		if p.listening() {
			p.written[op] = m.uses(p)
		}
	}
	return p.checked(op, m.exec)
}

// index returns a function that reads the index operand o at run time. The function
// returns 0 if the operand is missing.
func (p *planner) index(o sem.Operand) func(fr *frame) int {
	if !o.Given() {
		return func(*frame) int { return 0 }
	}
	at := p.slot(o.Value)
	return func(fr *frame) int { return int(int64(fr.x[at])) }
}

// window checks an access to a rectangle of tile o. The rectangle has rows x cols
// elements, and its first element is at row r and column c of the tile. window returns a
// fault if the storage of the tile does not contain the rectangle.
func window(op *ir.Op, o *tileOperand, r, c, rows, cols int) *Fault {
	if r < 0 || c < 0 || r > o.l.rows-rows || c > o.l.cols-cols { // sums of what kernels compute may overflow
		return faultAt(op, "accesses %dx%d elements starting at row %d and column %d of \"%s\", which is %dx%d",
			rows, cols, r, c, o.name, o.l.rows, o.l.cols)
	}
	return nil
}
