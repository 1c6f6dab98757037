// This file applies MX scales to the operands of tile products.

package runtime

import (
	"ptogo/ir/num"
)

// scale multiplies the operands of a matrix product in an MX format by their scales; a
// group of elements shares one scale. The parameter x contains the left operand, with
// rows x k elements. The parameter y contains the right operand, with k x cols elements.
// It returns a fault if a scale is out of bounds.
func (m *tileMatmul) scale(fr *frame, x, y []float32, rows, cols, k int) *Fault {
	groups := roundUp(k, scaleGroup) / scaleGroup
	if pl := m.beside[0]; pl != nil {
		n := scaleSize(rows, groups)
		if m.vector {
			n = groups
		}
		scales, f := pl.bytes(fr.core, uint64(fr.t[m.lhs.at].addr)>>scaleShift, n)
		if f != nil {
			return f
		}
		scaleRows(x, scales, rows, k, m.vector)
	} else {
		for r := range rows {
			for i := range k {
				x[r*k+i] = float32(float64(x[r*k+i]) * m.lscale.exponent(fr, r, i/scaleGroup))
			}
		}
	}
	if pl := m.beside[1]; pl != nil {
		scales, f := pl.bytes(fr.core, uint64(fr.t[m.rhs.at].addr)>>scaleShift, scaleSize(cols, groups))
		if f != nil {
			return f
		}
		scaleColumns(y, scales, cols, k)
	} else {
		for i := range k {
			for c := range cols {
				y[i*cols+c] = float32(float64(y[i*cols+c]) * m.rscale.exponent(fr, i/scaleGroup, c))
			}
		}
	}
	return nil
}

// exponent returns element (r, c) of a tile of MX scales as a number. An MX scale is
// stored as an exponent and represents a power of two.
func (o *tileOperand) exponent(fr *frame, r, c int) float64 {
	return num.Decode(num.F8E8M0, o.l.get(fr.t[o.at], r, c))
}
