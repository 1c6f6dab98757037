// This file executes quantization to MX formats with shared exponents.

package runtime

import (
	"math"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// quantMX quantizes groups of 32 elements to an MX format, in which the elements of a
// group share one exponent (a power-of-two scale).
type quantMX struct {
	op                          *ir.Op
	src, dst, exp, most, factor tileOperand
	// zz receives a second copy of the exponents in boxes of 16 x 2, if its layout is not
	// nil.
	zz tileOperand
	// down means that groups run along columns.
	down bool
	// interleave means that the exponents of two groups of rows alternate.
	interleave bool
	// nv selects the rule for the exponent: that of the smallest power-of-two scale with
	// which the group does not overflow.
	nv bool
	to num.Format
	// top is the exponent of the largest number in the format to.
	top int
}

// tileQuantMX compiles op into a step, a function that quantizes groups of 32 elements to
// an MX format with shared exponents.
func (p *planner) tileQuantMX(op *ir.Op, _ sem.TileQuantMX) step {
	d := sem.GroupQuantizationOf(op)
	q := &quantMX{
		op: op, src: p.tileOperand(op, d.Src), dst: p.tileOperand(op, d.Dst), exp: p.tileOperand(op, d.Exponents),
		most: p.tileOperand(op, d.Greatest), factor: p.tileOperand(op, d.Factors), zz: p.tileOperand(op, d.Boxes),
		down: d.ByColumns, nv: d.Smallest, interleave: d.Interleaves, to: d.Format, top: d.Top,
	}
	if q.src.l == nil || q.dst.l == nil || q.exp.l == nil || q.most.l == nil || q.factor.l == nil {
		return nil
	}
	return p.checked(op, q.exec)
}

// exec computes the exponents of all groups and converts the elements. It returns a fault
// if a result tile is too small.
func (q *quantMX) exec(fr *frame) *Fault {
	s := *fr.t[q.src.at]
	rows, cols := s.rows, s.cols/scaleGroup
	if q.down {
		rows, cols = s.rows/scaleGroup, s.cols
	}
	// dst can share storage with src, so the conversion is the last step.
	scales := fr.core.words(rows * cols)
	for r := range rows {
		for c := range cols {
			most := q.greatest(&s, r, c)
			e, scale := q.scale(most)
			scales[r*cols+c] = uint64(math.Float32bits(scale))
			if f := q.note(fr, r, c, cols, groupScale{most, scale, e}); f != nil {
				return f
			}
		}
	}
	if q.zz.l != nil {
		if f := q.boxes(fr, rows, cols); f != nil {
			return f
		}
	}
	return q.convert(fr, apart(&s, fr.t[q.dst.at]), scales, cols)
}

// greatest returns the largest magnitude in group (r, c) of tile s, or NaN if the group
// contains a NaN.
func (q *quantMX) greatest(s *tile, r, c int) float32 {
	most := float32(0)
	for i := range scaleGroup {
		row, col := r, c*scaleGroup+i
		if q.down {
			row, col = r*scaleGroup+i, c
		}
		most = max(most, float32(math.Abs(num.Decode(q.src.l.f, q.src.l.get(s, row, col)))))
	}
	return most
}

// scale returns the biased shared exponent of a group of elements, and the factor by
// which these elements are multiplied. The parameter most is the largest magnitude in the
// group. If it is NaN, the exponent is the code for NaN.
func (q *quantMX) scale(most float32) (uint64, float32) {
	if most != most {
		return 0xff, most
	}
	e := int(math.Float32bits(most)>>23&0xff) - q.top
	if q.nv {
		e = roundedUp(most * float32(1/num.Decode(q.to, num.Max(q.to))))
	}
	e = min(max(e, 0), 254)
	if e == 254 {
		return 254, 0x1p-127
	}
	return uint64(e), math.Float32frombits(uint32(254-e) << 23)
}

// roundedUp returns the biased f32 exponent of the smallest power of two that is at least
// x. The result is 0 for x up to 2^-127.
func roundedUp(x float32) int {
	bits := math.Float32bits(x)
	e, fraction := int(bits>>23&0xff), bits&(1<<23-1)
	if fraction > 0 && e < 254 && !(e == 0 && fraction <= 1<<22) {
		e++
	}
	return e
}

// groupScale holds the results for one group of elements: its largest magnitude, and the
// scale and biased exponent that follow from it.
type groupScale struct {
	most, scale float32
	exp         uint64
}

// note stores the results g for one group of elements, such as its scale, in the result
// tiles. The group is in row r and column c of the groups, and the parameter cols is the
// number of groups per row. If a result tile has a single row, it contains the groups of
// all rows one after the other. It returns a fault if the position is outside a result
// tile.
func (q *quantMX) note(fr *frame, r, c, cols int, g groupScale) *Fault {
	put := func(o *tileOperand, r, c int, bits uint64) *Fault {
		t := fr.t[o.at]
		if !q.down && t.rows == 1 {
			r, c = 0, r*cols+c
		}
		if f := window(q.op, o, r, c, 1, 1); f != nil {
			return f
		}
		o.l.set(t, r, c, bits)
		return nil
	}
	f := q.src.l.f
	if f := put(&q.most, r, c, num.Encode(f, float64(g.most), num.NearestEven, false)); f != nil {
		return f
	}
	if f := put(&q.factor, r, c, num.Encode(f, float64(g.scale), num.NearestEven, false)); f != nil {
		return f
	}
	if q.interleave {
		r, c = r/2, 2*c+r%2
	}
	return put(&q.exp, r, c, g.exp)
}

// boxes stores the shared exponents a second time, in the operand zz. There they are
// arranged in boxes of 16 x 2 exponents, as the cube unit requires. There are rows x cols
// groups with one exponent each.
func (q *quantMX) boxes(fr *frame, rows, cols int) *Fault {
	e := fr.t[q.exp.at]
	return zzOfRows(q.op, &q.zz, fr.t[q.zz.at], rows, cols, func(r, c int) uint64 {
		if e.rows == 1 {
			r, c = 0, r*cols+c
		}
		return q.exp.l.get(e, r, c)
	})
}

// convert multiplies all elements of the tile s by factors and converts the products to
// the destination format. In MX formats, a group of neighboring elements shares one
// factor. The parameter scales contains the factors of all groups, and the parameter cols
// is the number of groups per row. Products outside the range become the largest finite
// number.
func (q *quantMX) convert(fr *frame, s *tile, scales []uint64, cols int) *Fault {
	d := fr.t[q.dst.at]
	per := 8 * q.dst.l.size / q.to.Bits() // numbers in an element of dst
	if f := window(q.op, &q.dst, 0, 0, s.rows, (s.cols+per-1)/per); f != nil {
		return f
	}
	for r := range s.rows {
		for c := range s.cols {
			group := r*cols + c/scaleGroup
			if q.down {
				group = r/scaleGroup*cols + c
			}
			x := float32(num.Decode(q.src.l.f, q.src.l.get(s, r, c))) * math.Float32frombits(uint32(scales[group]))
			if x != x && q.to.Bits() == 4 {
				x = float32(math.Inf(1))
			}
			bits := num.Encode(q.to, float64(x), num.NearestEven, true)
			if per == 1 {
				q.dst.l.set(d, r, c, bits)
			} else {
				num.SetNibble(q.dst.l.elem(d, r, c/per), c%per, bits)
			}
		}
	}
	return nil
}

// These constants describe the layout in which the cube unit expects the exponents of MX
// quantization (one exponent for each group of elements). The exponents form a matrix
// that is divided into boxes of 16 x 2. Both the boxes and the exponents in a box are in
// row-major order.
const (
	zzRows = 16
	zzCols = 2
)

// zzOfRows stores exponents of MX quantization to tile t, in boxes of 16 x 2. Each
// exponent belongs to a group of elements along a row, and rows x cols is the number of
// groups. The function get returns the exponent of group (r, c). If rows is not a
// multiple of 16, zeros fill the last boxes. zzOfRows returns a fault if tile t is too
// small.
func zzOfRows(op *ir.Op, o *tileOperand, t *tile, rows, cols int, get func(r, c int) uint64) *Fault {
	padded := roundUp(rows, zzRows)
	if room := o.l.elements(t); padded*cols > room {
		return faultAt(op, "writes %d exponents in a boxed layout, but \"%s\" has room for only %d exponents", padded*cols, o.name, room)
	}
	for r := range padded {
		for c := range cols {
			x := uint64(0)
			if r < rows {
				x = get(r, c)
			}
			box := r/zzRows*(cols/zzCols) + c/zzCols
			at := (box*zzRows+r%zzRows)*zzCols + c%zzCols
			num.Store(o.l.f, t.data[at*o.l.size:], x)
		}
	}
	return nil
}

// zzOfColumns stores the shared exponents of groups along columns in tile t, in the order
// in which the cube unit reads them. There are rows x cols groups. The function get
// returns the exponent of the group in row r and column c. The tile consists of boxes
// with two exponents for each of 16 columns: the exponents of two consecutive groups of a
// column are adjacent. zzOfColumns returns a fault if tile t is too small.
func zzOfColumns(op *ir.Op, o *tileOperand, t *tile, rows, cols int, get func(r, c int) uint64) *Fault {
	if room := o.l.elements(t); rows*cols > room {
		return faultAt(op, "writes %d exponents in a boxed layout, but \"%s\" has room for only %d exponents", rows*cols, o.name, room)
	}
	for r := range rows {
		for c := range cols {
			at := ((c/zzRows*(rows/zzCols)+r/zzCols)*zzRows+c%zzRows)*zzCols + r%zzCols
			num.Store(o.l.f, t.data[at*o.l.size:], get(r, c))
		}
	}
	return nil
}

// zzMove compiles op into a step, a function that reorders the shared exponents of an MX
// operand (a matrix with one exponent per group of elements). It arranges them in boxes,
// the blocks of exponents that the cube unit requires.
func (p *planner) zzMove(op *ir.Op, src, dst tileOperand) step {
	down := sem.GroupsByColumns(op)
	return p.checked(op, func(fr *frame) *Fault {
		s, d := fr.t[src.at], fr.t[dst.at]
		from := *apart(s, d)
		if down {
			return zzOfColumns(op, &dst, d, s.rows, s.cols, func(r, c int) uint64 { return src.l.get(&from, r, c) })
		}
		if f := covers(op, &src, d.rows*d.cols, s.rows*s.cols); f != nil {
			return f
		}
		// The rows of src can be concatenated in a single row.
		return zzOfRows(op, &dst, d, d.rows, d.cols, func(r, c int) uint64 {
			n := r*d.cols + c
			return src.l.get(&from, n/s.cols, n%s.cols)
		})
	})
}

// covers returns a fault if op reads more elements of the operand o than are valid. The
// parameter need is the number of elements that op reads, and the parameter have is the
// number of valid elements.
func covers(op *ir.Op, o *tileOperand, need, have int) *Fault {
	if need > have {
		return faultAt(op, "reads %d elements of \"%s\", but only %d of them are valid", need, o.name, have)
	}
	return nil
}
