package codegen

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// scaleGroup is how many elements along k share a scale.
const scaleGroup = 32

// tileMatmul writes a product of matrices.
func (f *function) tileMatmul(op *ir.Op, sem pto.TileMatmul) {
	m := &matmul{f: f, bias: sem.Bias}
	ok := true
	operand := func(name string) *tile {
		if !ok {
			return nil
		}
		var t tile
		t, ok = f.tileArg(op, name)
		return &t
	}
	m.lhs, m.rhs = operand(sem.Lhs), operand(sem.Rhs)
	if sem.Acc || sem.Bias {
		m.in = operand(sem.In)
	}
	if sem.Scaled {
		m.lscale, m.rscale = operand(sem.LhsScale), operand(sem.RhsScale)
	}
	dst, ok2 := f.destinationTile(op)
	if !ok || !ok2 {
		return
	}
	if m.lhs.e.packed || m.rhs.e.packed || dst.e.packed {
		f.unsupported(op)
		return
	}
	m.dst = &dst
	m.integers = dst.e.f.IsInt()
	m.write()
}

// matmul computes row by row: the sums of a row stand side by side, so that
// the inner loop runs over neighbours. Each sum still runs in the order of k.
type matmul struct {
	f              *function
	lhs, rhs, dst  *tile
	in             *tile // what the sums start with, or nil
	bias           bool  // in is one row for all
	lscale, rscale *tile // shared exponents, or nil
	integers       bool
}

func (m *matmul) write() {
	f := m.f
	t := types.Type(f32)
	if m.integers {
		t = i32
	}
	cols := m.rhs.cols
	sums := f.slot(types.NewArray(uint64(m.rhs.info.Cols), t))
	sum := func(c value.Value) value.Value { return f.at(t, sums, c) }
	k := f.atMost(m.lhs.cols, m.rhs.rows)
	f.loop("row", m.lhs.rows, func(r value.Value) {
		f.loop("start", cols, func(c value.Value) { f.store(m.start(r, c), sum(c), 4) })
		f.loop("k", k, func(i value.Value) {
			x := m.left(r, i)
			f.loop("col", cols, func(c value.Value) {
				f.store(m.step(f.load(t, sum(c), 4), x, m.right(i, c)), sum(c), 4)
			})
		})
		f.loop("end", cols, func(c value.Value) {
			x := f.load(t, sum(c), 4)
			if !m.integers {
				x = f.encode(m.dst.e.f, x, num.NearestEven, false)
			}
			f.put(m.dst, r, c, x)
		})
	})
}

// start is what the sum for (r, c) begins with.
func (m *matmul) start(r, c value.Value) value.Value {
	f := m.f
	switch {
	case m.in == nil && m.integers:
		return word{i32, 0}
	case m.in == nil:
		return float(f32, 0)
	case m.bias:
		r = index(0)
	}
	x := f.get(m.in, r, c)
	if m.integers {
		return f.resize(x, i32, m.in.e.f.Signed())
	}
	return f.fptrunc(f.toDouble(m.in.e.f, x), f32)
}

// step adds a product to a sum, rounded once. Products of short formats are
// exact in float; else the sum is that of a fused multiply-add. Integers are
// computed modulo 2^32.
func (m *matmul) step(sum, x, y value.Value) value.Value {
	f := m.f
	switch {
	case m.integers:
		return f.add(sum, f.mul(x, y))
	case m.lhs.e.f.Bits() < 32 && m.rhs.e.f.Bits() < 32:
		return f.fadd(sum, f.fmul(x, y))
	}
	r, _ := f.apply(scalar.Fma, num.F32, x, y, sum)
	return r
}

func (m *matmul) left(r, k value.Value) value.Value {
	return m.scaled(m.lhs, m.lscale, r, k, func() (value.Value, value.Value) { return r, m.f.quo(k, scaleGroup) })
}

func (m *matmul) right(k, c value.Value) value.Value {
	return m.scaled(m.rhs, m.rscale, k, c, func() (value.Value, value.Value) { return m.f.quo(k, scaleGroup), c })
}

// scaled is an element of an operand times its shared exponent.
func (m *matmul) scaled(t, scale *tile, r, c value.Value, at func() (value.Value, value.Value)) value.Value {
	f := m.f
	x := f.get(t, r, c)
	if m.integers {
		return f.resize(x, i32, t.e.f.Signed())
	}
	if scale == nil {
		return f.fptrunc(f.toDouble(t.e.f, x), f32)
	}
	sr, sc := at()
	s := f.toDouble(num.F8E8M0, f.get(scale, sr, sc))
	return f.fptrunc(f.fmul(f.toDouble(t.e.f, x), s), f32)
}
