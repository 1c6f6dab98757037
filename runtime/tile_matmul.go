// This file executes matrix products of tiles.

package runtime

import (
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime/kernels"
)

// scaleGroup is the number of elements along k that share a scale in MX formats.
const scaleGroup = 32

// tileMatmul executes a matrix product of tiles.
type tileMatmul struct {
	op       *ir.Op
	dst      tileOperand
	lhs, rhs matmulInput
	// in is what the sums start with, if its layout is not nil.
	in matmulInput
	// lscale and rscale are the tiles of MX scales, if any. beside are the memories of
	// the scales instead, if vector or cube instructions load them.
	lscale, rscale tileOperand
	beside         [2]*pointee // where they are instead, if micro instructions load them
	// vector means that lhs is a single row; bias means that in is a single row, used for
	// all rows.
	vector bool
	bias   bool // in is one row for all
	how    kernels.Arithmetic
	// give converts sums to elements of dst.
	give convertFunc
}

// matmulInput is a product operand with the conversion of its elements to 32-bit words.
type matmulInput struct {
	tileOperand
	words convertFunc
}

// tileMatmul returns the step of a matrix product.
func (p *planner) tileMatmul(op *ir.Op, kind sem.TileMatmul) step {
	m := &tileMatmul{op: op, dst: p.tileOut(op), bias: kind.Bias, vector: kind.Vector}
	m.lhs.tileOperand, m.rhs.tileOperand = p.tileArg(op, kind.Lhs), p.tileArg(op, kind.Rhs)
	if kind.Acc || kind.Bias {
		m.in.tileOperand = p.tileArg(op, kind.In)
	}
	if kind.Scaled {
		m.lscale, m.rscale = p.tileArg(op, kind.LhsScale), p.tileArg(op, kind.RhsScale)
		m.beside[0] = scalesBeside(op, kind.LhsScale, kind.Lhs, scalesA)
		m.beside[1] = scalesBeside(op, kind.RhsScale, kind.Rhs, scalesB)
	}
	if m.lhs.l == nil || m.rhs.l == nil || m.dst.l == nil || (kind.Acc || kind.Bias) && m.in.l == nil ||
		kind.Scaled && (m.lscale.l == nil || m.rscale.l == nil) {
		if !p.failed {
			p.errorf(op, "cannot be executed yet")
		}
		return nil
	}
	m.arithmetic()
	return p.checked(op, m.exec)
}

// scalesBeside returns the memory of MX scales that micro-instructions have loaded, or
// nil if a tile contains the scales.
func scalesBeside(op *ir.Op, scales, operand string, space sem.Space) *pointee {
	if !analysis.ScalesBeside(op, op.Arg(scales)) {
		return nil
	}
	return &pointee{op: op, name: operand, how: reads, space: space}
}

// arithmetic selects how the product accumulates, and how elements are converted to words
// and back.
func (m *tileMatmul) arithmetic() {
	m.how = arithmeticOf(m.dst.l.f, m.lhs.l.f, m.rhs.l.f)
	acc := num.F32
	if m.how == kernels.Integers {
		acc = num.S32
	}
	for _, in := range []*matmulInput{&m.lhs, &m.rhs, &m.in} {
		if in.l != nil {
			in.words = converter(in.l.f, acc, num.NearestEven, false)
		}
	}
	m.give = converter(acc, m.dst.l.f, num.NearestEven, false)
}

// exec executes the product.
func (m *tileMatmul) exec(fr *frame) *Fault {
	a, b, d := fr.t[m.lhs.at], fr.t[m.rhs.at], fr.t[m.dst.at]
	rows, cols, k := a.rows, b.cols, min(a.cols, b.rows)
	if high, wide := m.dst.l.info.Packed(); int64(rows) > high || int64(cols) > wide {
		return faultAt(m.op, "computes %dx%d elements, but \"%s\" has room for %dx%d", rows, cols, m.dst.name, high, wide)
	}
	if in := m.in.l; in != nil && (in.cols < cols || !m.bias && in.rows < rows) {
		return faultAt(m.op, "computes %dx%d elements, but the initial value \"%s\" has %dx%d", rows, cols, m.in.name, in.rows, in.cols)
	}
	// Elements on their way, and three matrices by rows.
	store := fr.core.bytes(4*((rows+cols)*k+rows*cols) + 8*max(rows*k, k*cols, rows*cols))
	narrow, store := split(store, 8*max(rows*k, k*cols, rows*cols))
	x, store := split(store, 4*rows*k)
	y, sums := split(store, 4*k*cols)
	m.lhs.unpack(x, narrow, a, rows, k)
	m.rhs.unpack(y, narrow, b, k, cols)
	if m.lscale.l != nil {
		if f := m.scale(fr, as[float32](x), as[float32](y), rows, cols, k); f != nil {
			return f
		}
	}
	fr.core.roundOperands(m.lhs.l.f, m.rhs.l.f, x, y)
	m.begin(fr, sums, narrow, rows, cols)
	kernels.Matmul(m.how, as[float32](sums), as[float32](x), as[float32](y), rows, cols, k)
	out := narrow[:rows*cols*m.dst.l.size]
	m.give(out, sums)
	m.dst.l.scatter(d, out, rows, cols)
	return nil
}

// split returns the first n bytes of b and the rest.
func split(b []byte, n int) (first, rest []byte) { return b[:n], b[n:] }

// unpack converts the elements of a tile to words, row by row. f32 elements are copied:
// NaN results become canonical at the end.
func (in *matmulInput) unpack(words, narrow []byte, t *tile, rows, cols int) {
	if in.l.f == num.F32 {
		in.l.gather(words, t, rows, cols)
		return
	}
	raw := narrow[:rows*cols*in.l.size]
	in.l.gather(raw, t, rows, cols)
	in.words(words, raw)
}

// begin initializes the sums.
func (m *tileMatmul) begin(fr *frame, sums, narrow []byte, rows, cols int) {
	if m.in.l == nil {
		clear(sums)
		return
	}
	if !m.bias {
		m.in.unpack(sums, narrow, fr.t[m.in.at], rows, cols)
		return
	}
	if rows == 0 {
		return
	}
	row := sums[:4*cols]
	m.in.unpack(row, narrow, fr.t[m.in.at], 1, cols)
	for r := 1; r < rows; r++ {
		copy(sums[4*r*cols:], row)
	}
}
