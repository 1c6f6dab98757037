// This file compiles conversions between tile element types.

package runtime

import (
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

// tileConvert compiles pto.tcvt into a step, a function that converts the elements of a
// tile to another number format.
func (p *planner) tileConvert(op *ir.Op, kind sem.TileConvert) step {
	o := sem.TileEndsOf(op)
	src, dst := p.tileOperand(op, o.Src), p.tileOperand(op, o.Dst)
	if src.l == nil || dst.l == nil {
		return nil
	}
	r, sat := isatile.ConvertRounding(op), isatile.ConvertSaturates(op)
	if src.l.f.Bits() == 4 || dst.l.f.Bits() == 4 {
		return p.checked(op, convertNibbles(src, dst, r, sat))
	}
	convert := converterBothWays(kernels.Best, src.l.f, dst.l.f, r, sat, isatile.ConvertZeroesNaN(op))
	if src.l.f == dst.l.f && src.l.f.IsFloat() {
		row := loopOf(scalar.Integral[r], src.l.f)
		convert = func(d, a []byte, back bool) { _ = row.run(d, a[:len(d)], nil, nil, back) } // rounding has no errors
	}
	return p.checked(op, func(fr *frame) *Fault {
		c, s, d := fr.core, fr.t[src.at], fr.t[dst.at]
		if f := src.covers(op, d); f != nil {
			return f
		}
		byCols := dst.l.byCols
		lines, n := d.lines(byCols)
		from, to := src.l.over(s, byCols, c.scratch[0]), dst.l.over(d, byCols, c.scratch[1])
		if from.dense(n) && to.dense(n) {
			lines, n = 1, lines*n
		}
		apart, longest := !overlap(s.data, d.data), chunkBytes/8
		if apart && from.direct && to.direct {
			longest = n
		}
		for line := range lines {
			for at := 0; at < n; at += longest {
				k := min(longest, n-at)
				out := to.destination(line, at, k)
				if apart {
					convert(out, from.read(line, at, k), c.turn())
				} else { // what is written may not have been read
					row := c.scratch[2][:k*dst.l.size]
					convert(row, from.read(line, at, k), false)
					copy(out, row)
				}
				to.write(line, at, k, out)
			}
		}
		return nil
	})
}

// convertNibbles returns a step that converts tile elements from or to a 4-bit format. It
// rounds in mode r and saturates if sat is set. A byte contains two 4-bit elements, the
// first one in its lower half. A conversion to packed floats writes complete pairs only: a
// device leaves the byte of an odd last number as it is.
func convertNibbles(src, dst tileOperand, r num.Rounding, sat bool) step {
	widening, packed := src.l.f.Bits() == 4, dst.l
	if widening {
		packed = src.l
	}
	per := int(isatile.Packs(packed.info.Elem))
	return func(fr *frame) *Fault {
		s, d := fr.t[src.at], fr.t[dst.at]
		wide, narrow := s, d
		if widening {
			wide, narrow = d, s
		}
		cols := min(wide.cols, per*narrow.cols)
		if !widening {
			cols -= cols % per
		}
		for row := range min(wide.rows, narrow.rows) {
			for col := range cols {
				if widening {
					bits := num.Nibble(src.l.elem(s, row, col/2), col%2)
					dst.l.set(d, row, col, num.Convert(src.l.f, dst.l.f, bits, r, sat))
				} else {
					bits := num.Convert(src.l.f, dst.l.f, src.l.get(s, row, col), r, sat)
					num.SetNibble(dst.l.elem(d, row, col/2), col%2, bits)
				}
			}
		}
		return nil
	}
}
