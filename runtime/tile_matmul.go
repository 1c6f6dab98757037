package runtime

import (
	"math"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// scaleGroup is how many elements along k share a scale.
const scaleGroup = 32

// tileMatmul executes a product of matrices.
type tileMatmul struct {
	op             *ir.Op
	lhs, rhs, dst  tileOperand
	in             tileOperand // what the sums start with, if any
	lscale, rscale tileOperand // shared exponents, if any
	bias           bool        // in is one row for all
	exact          bool        // products are exact in f32
}

// tileMatmul plans a product of matrices.
func (p *planner) tileMatmul(op *ir.Op, sem pto.TileMatmul) step {
	m := &tileMatmul{op: op, lhs: p.tileArg(op, sem.Lhs), rhs: p.tileArg(op, sem.Rhs), dst: p.tileOut(op), bias: sem.Bias}
	if sem.Acc || sem.Bias {
		m.in = p.tileArg(op, sem.In)
	}
	if sem.Scaled {
		m.lscale, m.rscale = p.tileArg(op, sem.LhsScale), p.tileArg(op, sem.RhsScale)
	}
	if m.lhs.l == nil || m.rhs.l == nil || m.dst.l == nil || (sem.Acc || sem.Bias) && m.in.l == nil ||
		sem.Scaled && (m.lscale.l == nil || m.rscale.l == nil) {
		if !p.failed {
			p.errorf(op, "cannot be executed yet")
		}
		return nil
	}
	m.exact = m.lhs.l.f.Bits() < 32 && m.rhs.l.f.Bits() < 32
	return p.checked(op, m.exec)
}

func (m *tileMatmul) exec(fr *frame) *Fault {
	a, b, d := fr.t[m.lhs.at], fr.t[m.rhs.at], fr.t[m.dst.at]
	k := min(a.cols, b.rows)
	if a.rows > m.dst.l.rows || b.cols > m.dst.l.cols {
		return faultAt(m.op, "computes %dx%d elements, but \"%s\" has room for %dx%d", a.rows, b.cols, m.dst.name, m.dst.l.rows, m.dst.l.cols)
	}
	if m.dst.l.f.IsInt() {
		return m.integers(fr, a, b, d, k)
	}
	// Both operands as f32, the right one by columns, so that sums run over
	// neighbours. Every format up to f32 fits.
	rows, cols := a.rows, b.cols
	store := as[float32](fr.core.bytes(4 * (rows + cols) * k))
	x, y := store[:rows*k], store[rows*k:(rows+cols)*k]
	for r := range rows {
		for i := range k {
			x[r*k+i] = m.scaled(fr, &m.lhs, &m.lscale, a, r, i, i/scaleGroup, true)
		}
	}
	for c := range cols {
		for i := range k {
			y[c*k+i] = m.scaled(fr, &m.rhs, &m.rscale, b, i, c, i/scaleGroup, false)
		}
	}
	for r := range rows {
		for c := range cols {
			sum := float32(0)
			if m.in.l != nil {
				sum = m.start(fr, r, c)
			}
			u, v := x[r*k:(r+1)*k], y[c*k:(c+1)*k]
			if m.exact {
				sum = dotExact(sum, u, v)
			} else {
				sum = dot(sum, u, v)
			}
			m.dst.l.set(d, r, c, num.Encode(m.dst.l.f, float64(sum), num.NearestEven, false))
		}
	}
	return nil
}

// scaled is an element of an operand times its shared exponent.
func (m *tileMatmul) scaled(fr *frame, o, scale *tileOperand, t *tile, r, c, group int, left bool) float32 {
	x := num.Decode(o.l.f, o.l.get(t, r, c))
	if scale.l != nil {
		s := fr.t[scale.at]
		if left {
			x *= num.Decode(num.F8E8M0, scale.l.get(s, r, group))
		} else {
			x *= num.Decode(num.F8E8M0, scale.l.get(s, group, c))
		}
	}
	return float32(x)
}

// start is what the sum for (r, c) begins with.
func (m *tileMatmul) start(fr *frame, r, c int) float32 {
	if m.bias {
		r = 0
	}
	return float32(num.Decode(m.in.l.f, m.in.l.get(fr.t[m.in.at], r, c)))
}

// dotExact sums products that are exact in f32, each sum rounded.
func dotExact(sum float32, u, v []float32) float32 {
	v = v[:len(u)]
	for i, x := range u {
		sum += float32(x * v[i])
	}
	return sum
}

// dot sums exact products, each sum rounded once to f32. The product is exact
// in float64; the sum is rounded to odd there, so that rounding it again is
// like rounding once.
func dot(sum float32, u, v []float32) float32 {
	for i, x := range u {
		p, a := float64(x)*float64(v[i]), float64(sum)
		s := p + a
		t := s - a
		lost := (a - (s - t)) + (p - t)
		if lost != 0 && !math.IsInf(s, 0) && s == s && math.Float64bits(s)&1 == 0 {
			if (lost > 0) == (s > 0) {
				s = math.Float64frombits(math.Float64bits(s) + 1)
			} else {
				s = math.Float64frombits(math.Float64bits(s) - 1)
			}
		}
		sum = float32(s)
	}
	return sum
}

// integers is the product of integer matrices, modulo 2^32.
func (m *tileMatmul) integers(fr *frame, a, b, d *tile, k int) *Fault {
	words := fr.core.words((a.rows + b.cols) * k)
	x, y := words[:a.rows*k], words[a.rows*k:]
	for r := range a.rows {
		for i := range k {
			x[r*k+i] = integerBits(m.lhs.l.f, m.lhs.l.get(a, r, i))
		}
	}
	for c := range b.cols {
		for i := range k {
			y[c*k+i] = integerBits(m.rhs.l.f, m.rhs.l.get(b, i, c))
		}
	}
	for r := range a.rows {
		for c := range b.cols {
			sum := uint64(0)
			if m.in.l != nil {
				from := r
				if m.bias {
					from = 0
				}
				sum = m.in.l.get(fr.t[m.in.at], from, c)
			}
			for i := range k {
				sum += x[r*k+i] * y[c*k+i]
			}
			m.dst.l.set(d, r, c, sum)
		}
	}
	return nil
}

// integerBits extends an integer to 64 bits as its format says.
func integerBits(f num.Format, bits uint64) uint64 {
	if f.Signed() {
		return uint64(num.Int(f, bits))
	}
	return bits
}
