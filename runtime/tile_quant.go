// This file compiles quantization and dequantization of tiles, fused additions, and
// histograms.

package runtime

import (
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// parameter is a function that returns the f32 quantization parameter (a scale or an
// offset) for the element in row r and column c, or a fault.
type parameter func(fr *frame, r, c int) (float32, *Fault)

// parameter returns a function that reads a quantization parameter (a scale or an offset)
// from the tile operand d of op. If op does not have this operand, the function always
// returns the number in the parameter absent.
func (p *planner) parameter(op *ir.Op, d sem.Operand, absent float32) parameter {
	o := p.tileOperand(op, d)
	if o.l == nil {
		return func(*frame, int, int) (float32, *Fault) { return absent, nil }
	}
	return func(fr *frame, r, c int) (float32, *Fault) {
		if f := window(op, &o, r, c, 1, 1); f != nil {
			return 0, f
		}
		return float32(num.Decode(o.l.f, o.l.get(fr.t[o.at], r, c))), nil
	}
}

// byRows returns a step for the quantization instruction op. The function each computes
// an element of the destination tile. Its arguments are the element of the source tile in
// the same row and column, and two quantization parameters. The arguments a and b of
// byRows are functions that return these two parameters for a row and a column. All
// elements of a row use the parameters in column 0.
func (p *planner) byRows(op *ir.Op, a, b parameter, each func(x uint64, a, b float32) uint64) step {
	src, dst := p.tileOperand(op, sem.TileEndsOf(op).Src), p.tileOut(op)
	if src.l == nil || dst.l == nil {
		return nil
	}
	return p.checked(op, func(fr *frame) *Fault {
		d := fr.t[dst.at]
		s := apart(fr.t[src.at], d)
		if f := src.covers(op, d); f != nil {
			return f
		}
		for r := range d.rows {
			var u, v float32
			for c := range d.cols {
				if c == 0 {
					var f *Fault
					if u, f = a(fr, r, c); f != nil {
						return f
					}
					if v, f = b(fr, r, c); f != nil {
						return f
					}
				}
				dst.l.set(d, r, c, each(src.l.get(s, r, c), u, v))
			}
		}
		return nil
	})
}

// tileQuant compiles op into a step, a function that quantizes f32 elements to 8-bit
// integers: it multiplies by a scale, adds an offset, rounds to nearest even and
// saturates.
func (p *planner) tileQuant(op *ir.Op, _ sem.TileQuant) step {
	d, to := sem.QuantizationOf(op), num.S8
	if d.Unsigned {
		to = num.U8
	}
	return p.byRows(op, p.parameter(op, d.Scale, 1), p.parameter(op, d.Offset, 0), func(x uint64, scale, offset float32) uint64 {
		product := float32(float32(num.Decode(num.F32, x)) * scale)
		return num.Encode(to, float64(product+offset), num.NearestEven, true)
	})
}

// tileDequant compiles op into a step, a function that converts quantized integers to
// f32: it subtracts an offset and multiplies by a scale.
func (p *planner) tileDequant(op *ir.Op, _ sem.TileDequant) step {
	d := sem.QuantizationOf(op)
	src, scale := p.tileOperand(op, d.Src), p.tileOperand(op, d.Scale)
	if src.l == nil || scale.l == nil {
		return nil
	}
	return p.byRows(op, p.parameter(op, d.Scale, 1), p.parameter(op, d.Offset, 0), func(x uint64, scale, offset float32) uint64 {
		moved := float32(num.Int(src.l.f, x)) - offset
		return num.Encode(num.F32, float64(moved*scale), num.NearestEven, false)
	})
}

// tileAddReluConvert compiles op into a step, a function that adds or subtracts two tiles,
// applies ReLU and converts the result to the format of dst.
func (p *planner) tileAddReluConvert(op *ir.Op, kind sem.TileAddReluConvert) step {
	pair := sem.TilePairOf(op).Src
	a, b, dst := p.tileOperand(op, pair[0]), p.tileOperand(op, pair[1]), p.tileOut(op)
	if a.l == nil || b.l == nil || dst.l == nil {
		return nil
	}
	f := a.l.f
	fn, sign := scalar.Add, int64(1)
	if kind.Sub {
		fn, sign = scalar.Sub, -1
	}
	sum := func(_ *frame, x, y uint64) float64 {
		s, _ := fn.Eval2(f, x, y) // sums have no errors
		return num.Decode(f, s)
	}
	switch {
	case kind.Deq:
		scale := p.slot(sem.QuantizationOf(op).Scale.Value)
		sum = func(fr *frame, x, y uint64) float64 {
			n := float32(int32(x) + int32(y))
			s := float32(num.Decode(num.F32, fr.x[scale]))
			return float64(float32(float32(n*0x1p-17)*s) * 0x1p17)
		}
	case f.IsInt() && !kind.Wraps(p.target):
		sum = func(_ *frame, x, y uint64) float64 { return float64(num.Int(f, x) + sign*num.Int(f, y)) }
	}
	return p.checked(op, func(fr *frame) *Fault {
		d := fr.t[dst.at]
		x, y := apart(fr.t[a.at], d), apart(fr.t[b.at], d)
		for _, o := range []*tileOperand{&a, &b} {
			if f := o.covers(op, d); f != nil {
				return f
			}
		}
		for r := range d.rows {
			for c := range d.cols {
				s := max(sum(fr, a.l.get(x, r, c), b.l.get(y, r, c)), 0)
				dst.l.set(d, r, c, num.Encode(dst.l.f, s, num.NearestEven, true))
			}
		}
		return nil
	})
}

// tilePairSum compiles op into a step, a function that adds pairs of adjacent elements in
// each row: element c of the result is the sum of the elements 2c and 2c+1 of the source.
// The remaining elements of a result row are zero.
func (p *planner) tilePairSum(op *ir.Op, _ sem.TilePairSum) step {
	src, dst := p.tileOperand(op, sem.TileEndsOf(op).Src), p.tileOut(op)
	if src.l == nil || dst.l == nil {
		return nil
	}
	f := src.l.f
	return p.checked(op, func(fr *frame) *Fault {
		d := fr.t[dst.at]
		s := apart(fr.t[src.at], d)
		if f := src.covers(op, d); f != nil {
			return f
		}
		for r := range d.rows {
			for c := range d.cols / 2 {
				x, _ := scalar.Add.Eval2(f, src.l.get(s, r, 2*c), src.l.get(s, r, 2*c+1)) // sums have no errors
				dst.l.set(d, r, c, x)
			}
		}
		return nil
	})
}

// tileHistogram compiles op into a step, a function that computes a cumulative histogram
// of byte values for each row.
func (p *planner) tileHistogram(op *ir.Op, _ sem.TileHistogram) step {
	from, numbers, _ := sem.TileSortOf(op)
	src, idx, dst := p.tileOperand(op, from), p.tileOperand(op, numbers), p.tileOut(op)
	if src.l == nil || idx.l == nil || dst.l == nil {
		return nil
	}
	n, top := isatile.HistogramByte(op), src.l.size-1
	return p.checked(op, func(fr *frame) *Fault {
		s, x, d := fr.t[src.at], fr.t[idx.at], fr.t[dst.at]
		if s.rows > dst.l.rows || dst.l.cols < 256 {
			return faultAt(op, "computes %d rows of histograms with 256 bins, but \"dst\" has room for only %dx%d elements", s.rows, dst.l.rows, dst.l.cols)
		}
		for r := range s.rows {
			high := uint64(0) // the bytes above the one that is counted
			for k := top; k > n; k-- {
				row := top - k
				if top == 1 {
					row = r
				}
				if f := window(op, &idx, row, 0, 1, 1); f != nil {
					return f
				}
				high = high<<8 | idx.l.get(x, row, 0)
			}
			var counts [256]uint64
			for c := range s.cols {
				if v := src.l.get(s, r, c) >> (8 * n); v>>8 == high {
					counts[byte(v)]++
				}
			}
			sum := uint64(0)
			for v, count := range counts {
				sum += count
				dst.l.set(d, r, v, sum)
			}
		}
		return nil
	})
}
