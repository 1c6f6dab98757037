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
	// in is the initial value of the sums, if its layout is not nil.
	in matmulInput
	// lscale and rscale are the tiles that contain the MX scales of both operands, if
	// any.
	lscale, rscale tileOperand
	// beside are the memories of the MX scales, if vector or cube instructions have
	// loaded them instead.
	beside [2]*pointee
	// vector means that lhs is a single row.
	vector bool
	// bias means that in is a single row, which initializes all rows of the sums.
	bias bool
	how  kernels.Arithmetic
	// give converts the sums to the element format of dst.
	give convertFunc
}

// matmulInput is a tile operand of a matrix product. Its field words is the function that
// converts the elements to 32-bit words (f32 or integers), in which the product is
// computed.
type matmulInput struct {
	tileOperand
	words convertFunc
}

// tileMatmul compiles op into a step, a function that multiplies two tiles.
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
			p.errorf(op, "cannot be executed by pto-run yet")
		}
		return nil
	}
	m.arithmetic()
	return p.checked(op, m.exec)
}

// scalesBeside returns a description of the memory from which a step reads MX scales (one
// per group of matrix elements), if earlier instructions have loaded the scales into a
// separate memory. It returns nil if the scales are an ordinary tile operand of op. The
// parameters scales and operand are the names of the scale operand and of the matrix
// operand; space is the separate memory.
func scalesBeside(op *ir.Op, scales, operand string, space sem.Space) *pointee {
	if !analysis.ScalesBeside(op, op.Arg(scales)) {
		return nil
	}
	return &pointee{op: op, name: operand, how: reads, space: space}
}

// arithmetic selects the arithmetic of the matrix product: float or integer sums, and the
// conversions of elements to 32-bit words and back. The selection depends on the formats
// of the operands.
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

// exec computes the matrix product. It returns a fault if the result tile is too small.
func (m *tileMatmul) exec(fr *frame) *Fault {
	a, b, d := fr.t[m.lhs.at], fr.t[m.rhs.at], fr.t[m.dst.at]
	rows, cols, k := a.rows, b.cols, min(a.cols, b.rows)
	if high, wide := m.dst.l.info.Packed(); int64(rows) > high || int64(cols) > wide {
		return faultAt(m.op, "computes a product of %dx%d elements, but \"%s\" has room for only %dx%d", rows, cols, m.dst.name, high, wide)
	}
	if in := m.in.l; in != nil && (in.cols < cols || !m.bias && in.rows < rows) {
		return faultAt(m.op, "computes a product of %dx%d elements, but the initial value \"%s\" has %dx%d", rows, cols, m.in.name, in.rows, in.cols)
	}
	if m.inStrips(fr, cols) {
		m.strips(fr, rows, cols, k)
		return nil
	}
	// One buffer contains unconverted elements and the three matrices in row-major order.
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

// inStrips reports whether the product can be computed in the storage of dst, without a
// copy of the sums: dst and the initial value are accumulators that consist of strips of
// 16 columns of 32-bit words, and cols is a multiple of 16. An initial value that shares
// storage with dst must be dst itself.
func (m *tileMatmul) inStrips(fr *frame, cols int) bool {
	if m.lscale.l != nil || cols == 0 || cols%kernels.StripCols != 0 || !m.dst.l.strips() {
		return false
	}
	if r := m.rhs.l; r.half || r.boxed && kernels.StripCols%r.boxCols != 0 {
		return false
	}
	if m.in.l == nil || m.bias {
		return m.in.l == nil || m.in.l.size <= accSize
	}
	in, d := fr.t[m.in.at], fr.t[m.dst.at]
	return m.in.l.strips() && m.in.l.f == m.dst.l.f && (&in.data[0] == &d.data[0] && in.pitch == d.pitch || !overlap(in.data, d.data))
}

// strips reports whether tiles of this layout consist of strips of 16 columns of 32-bit
// words, in each of which the rows follow each other.
func (l *layout) strips() bool {
	return l.boxed && l.byCols && !l.boxByCols && l.boxCols == kernels.StripCols && l.size == accSize && !l.half
}

// strips computes a product whose sums stay in the storage of dst (see inStrips). The right
// operand is unpacked into strips too: a loop over k then reads adjacent elements.
func (m *tileMatmul) strips(fr *frame, rows, cols, k int) {
	const wide = kernels.StripCols
	a, b, d := fr.t[m.lhs.at], fr.t[m.rhs.at], fr.t[m.dst.at]
	store := fr.core.bytes(4*(rows*k+k*cols) + 8*max(rows*k, k*cols, cols))
	narrow, store := split(store, 8*max(rows*k, k*cols, cols))
	x, y := split(store, 4*rows*k)
	m.lhs.unpack(x, narrow, a, rows, k)
	m.rhs.unpackStrips(y, narrow, b, k, cols)
	fr.core.roundOperands(m.lhs.l.f, m.rhs.l.f, x, y)
	strip := func(l *layout, t *tile, c int) []byte { return t.data[l.offset(t, 0, c):][:rows*wide*accSize] }
	if rows > 0 {
		switch {
		case m.in.l == nil:
			for c := 0; c < cols; c += wide {
				clear(strip(m.dst.l, d, c))
			}
		case m.bias:
			row := narrow[4*cols:][:4*cols]
			m.in.unpack(row, narrow, fr.t[m.in.at], 1, cols)
			for c := 0; c < cols; c += wide {
				for s := strip(m.dst.l, d, c); len(s) > 0; s = s[wide*accSize:] {
					copy(s, row[4*c:][:wide*accSize])
				}
			}
		default:
			if in := fr.t[m.in.at]; &in.data[0] != &d.data[0] {
				for c := 0; c < cols; c += wide {
					copy(strip(m.dst.l, d, c), strip(m.in.l, in, c))
				}
			}
		}
		sums := as[float32](d.data)
		kernels.MatmulStrips(kernels.Best, m.how, sums, as[float32](x), as[float32](y), rows, cols, k, d.pitch)
		for c := 0; c < cols; c += wide {
			s := strip(m.dst.l, d, c)
			m.give(s, s)
		}
	}
}

// split divides the buffer b: it returns the first n bytes and the remaining bytes.
// Scratch buffers that hold several arrays are divided in this way.
func split(b []byte, n int) (first, rest []byte) { return b[:n], b[n:] }

// unpack converts rows x cols elements of tile t to 32-bit words in row-major order. The
// parameter narrow is a temporary buffer for elements before conversion. Elements of f32
// are copied without replacing NaN by the canonical NaN: the product does this
// replacement at the end.
func (in *matmulInput) unpack(words, narrow []byte, t *tile, rows, cols int) {
	if in.l.f == num.F32 {
		in.l.gather(words, t, rows, cols)
		return
	}
	raw := narrow[:rows*cols*in.l.size]
	in.l.gather(raw, t, rows, cols)
	in.words(words, raw)
}

// unpackStrips does the same as unpack for a matrix that is stored in strips of columns:
// each strip contains its rows one after the other.
func (in *matmulInput) unpackStrips(words, narrow []byte, t *tile, rows, cols int) {
	raw := words
	if in.l.f != num.F32 {
		raw = narrow[:rows*cols*in.l.size]
	}
	for c := 0; c < cols; c += kernels.StripCols {
		corner{l: in.l, t: t, c: c}.exchange(raw[rows*c*in.l.size:], rows, kernels.StripCols, false)
	}
	if in.l.f != num.F32 {
		in.words(words, raw)
	}
}

// begin initializes the rows x cols sums of a matrix product, in the slice sums. If the
// instruction has an operand with initial values (the field in), the sums start with the
// elements of this tile. If this operand is a bias, its single row contains the initial
// values for every row. If the instruction does not have this operand, the sums start as
// zeros. The parameter narrow is a temporary buffer.
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
