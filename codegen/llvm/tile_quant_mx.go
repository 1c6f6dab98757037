// This file emits quantization to MX formats.

package llvm

import (
	"math"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// quantMX contains the operands and modes of a quantization to an MX format, in which
// each group of 32 elements shares one exponent. Its methods emit the code.
type quantMX struct {
	f                               *function
	src, dst, exp, most, factor, zz tile
	// boxes means that zz is present: a second copy of the exponents is written to it, in
	// boxes of 16x2.
	boxes bool
	// down means that groups run along columns.
	down bool
	// interleave means that the exponents of two groups of rows alternate.
	interleave bool
	// nv means that the shared exponent is that of the smallest scale for which all
	// elements of the group are in range.
	nv bool
	to num.Format
	// top is the exponent of the largest number of format to.
	top int64
	// cols is the number of groups in a row.
	cols value.Value
}

// tileQuantMX emits an instruction that quantizes a tile to an MX format, in which groups
// of 32 elements share an exponent.
func (f *function) tileQuantMX(op *ir.Op, _ sem.TileQuantMX) {
	o := sem.GroupQuantizationOf(op)
	q := &quantMX{
		f: f, to: o.Format, top: int64(o.Top), boxes: o.Boxes.Given(),
		down: o.ByColumns, nv: o.Smallest, interleave: o.Interleaves,
	}
	args := []quantArg{{o.Src, &q.src}, {o.Dst, &q.dst}, {o.Exponents, &q.exp}, {o.Greatest, &q.most}, {o.Factors, &q.factor}}
	if q.boxes {
		args = append(args, quantArg{o.Boxes, &q.zz})
	}
	for _, a := range args {
		var ok bool
		if *a.tile, ok = f.tileOperand(op, a.operand); !ok {
			return
		}
	}
	if s := q.src.e; s.packed || !s.f.IsFloat() || q.most.e.size != s.size || q.factor.e.size != s.size || q.exp.e.size != 1 || q.dst.e.size != 1 {
		f.unsupported(op)
		return
	}
	q.write()
}

// quantArg is an operand of a quantization, together with a pointer to the variable that
// receives the description of its tile.
type quantArg struct {
	operand sem.Operand
	tile    *tile
}

// write emits a loop that computes the scales of all groups, and then a loop that
// quantizes the elements. The loops are separate because dst can share storage with src.
func (q *quantMX) write() {
	s := &q.src
	rows, cols := s.rows, q.f.Quo(s.cols, scaleGroup)
	if q.down {
		rows, cols = q.f.Quo(s.rows, scaleGroup), s.cols
	}
	q.cols = cols
	scales := q.f.workspace("scales", 4*(s.info.Rows*s.info.Cols/scaleGroup+1))
	q.f.Loop("row", rows, func(r value.Value) {
		q.f.Loop("group", cols, func(c value.Value) {
			most := q.greatest(r, c)
			e, scale := q.scale(most)
			q.f.Store(scale, q.f.At(ll.F32, scales, q.f.Add(q.f.Mul(r, cols), c)), 4)
			q.note(r, c, most, e, scale)
		})
	})
	if q.boxes {
		q.f.zzOfRows(&q.zz, rows, cols, func(r, c value.Value) value.Value {
			r, c = q.inOneRow(&q.exp, r, c)
			return q.f.get(&q.exp, r, c)
		})
	}
	q.f.apart(&q.dst, s)
	q.f.each(s, func(r, c value.Value) { q.quantize(scales, r, c) })
}

// greatest emits the largest magnitude of the elements in group (r, c). The result is NaN
// if an element of the group is NaN.
func (q *quantMX) greatest(r, c value.Value) value.Value {
	return q.f.Reduce("element", ll.Index(scaleGroup), []value.Value{ll.Float(ll.F32, 0)}, func(i value.Value, most []value.Value) []value.Value {
		row, col := r, q.f.Add(q.f.Mul(c, ll.Index(scaleGroup)), i)
		if q.down {
			row, col = q.f.Add(q.f.Mul(r, ll.Index(scaleGroup)), i), c
		}
		x := q.f.FAbs(q.f.Decode(q.src.e.f, q.f.get(&q.src, row, col)))
		y, _ := q.f.Apply(scalar.Max, num.F32, most[0], x)
		return []value.Value{y}
	})[0]
}

// scale emits code for the shared scale of a group of elements, a number of the format
// f8E8M0. The argument is the largest magnitude in the group. The first result is the
// code of the scale, a biased exponent. The second result is the factor by which the
// elements must be multiplied. If the largest magnitude is NaN, the code is 255, the NaN
// of f8E8M0.
func (q *quantMX) scale(most value.Value) (e, scale value.Value) {
	e = q.f.Sub(q.exponent(most), ll.Index(q.top))
	if q.nv {
		largest := num.Decode(q.to, num.Max(q.to))
		e = q.roundedUp(q.f.FMul(most, ll.Float(ll.F32, float64(float32(1/largest)))))
	}
	e = q.f.MaxInt(q.f.MinInt(e, ll.Index(254)), ll.Index(0))
	bits := q.f.Shl(q.f.Sub(ll.Index(254), e), ll.Index(23))
	bits = q.f.Select(q.f.ICmp(enum.IPredEQ, e, ll.Index(254)), ll.Index(1<<22), bits) // 2^-127
	scale = q.f.AsFloat(q.f.Trunc(bits, ll.I32))
	nan := q.f.IsNaN(most)
	return q.f.Select(nan, ll.Index(0xff), e), q.f.Select(nan, most, scale)
}

// exponent emits the biased exponent of the non-negative f32 x.
func (q *quantMX) exponent(x value.Value) value.Value {
	return q.f.LShr(q.f.ZExt(q.f.Bits(x), ll.I64), ll.Index(23))
}

// roundedUp emits the biased exponent of the smallest power of two that is at least x.
// The exponent is 0 if x is at most 2^-127.
func (q *quantMX) roundedUp(x value.Value) value.Value {
	fraction := q.f.And(q.f.ZExt(q.f.Bits(x), ll.I64), ll.Index(1<<23-1))
	e := q.exponent(x)
	tiny := q.f.And(q.f.ICmp(enum.IPredEQ, e, ll.Index(0)), q.f.ICmp(enum.IPredULE, fraction, ll.Index(1<<22)))
	up := q.f.And(q.f.ICmp(enum.IPredUGT, fraction, ll.Index(0)), q.f.ICmp(enum.IPredULT, e, ll.Index(254)))
	return q.f.Add(e, q.f.ZExt(q.f.And(up, q.f.Not(tiny)), ll.I64))
}

// note emits the stores of three results of the quantization of a group of elements, each
// to a separate tile. The parameter most is the largest magnitude in the group. The
// parameter scale is the factor by which the elements are multiplied, and e is the
// exponent of the group. The parameters r and c are the row and the column of the
// results.
func (q *quantMX) note(r, c, most, e, scale value.Value) {
	q.tell(&q.most, r, c, q.f.Encode(q.src.e.f, most, num.NearestEven, false))
	q.tell(&q.factor, r, c, q.f.Encode(q.src.e.f, scale, num.NearestEven, false))
	if q.interleave {
		r, c = q.f.Quo(r, 2), q.f.Add(q.f.Mul(c, ll.Index(2)), q.f.Rem(r, 2))
	}
	q.tell(&q.exp, r, c, q.f.Trunc(e, ll.I8))
}

// tell emits a store of x to tile t. The value x was computed for one group of elements;
// r and c are the row and the column of the group in the matrix of all groups. If the
// groups are along rows and t has a single row, this row contains the values of all
// groups. Otherwise element (r, c) of t receives x.
func (q *quantMX) tell(t *tile, r, c, x value.Value) {
	if !q.down {
		r, c = q.inOneRow(t, r, c)
	}
	q.f.within(t, r, c)
	q.f.put(t, r, c, q.f.Bitcast(x, t.e.t))
}

// inOneRow emits the position in the tile t at which the result for a group of elements
// is stored. The results are the row and the column. The group has row r and column c in
// the matrix of all groups. If t has a single row, this row contains the results of all
// groups in row-major order. Otherwise the position is (r, c).
func (q *quantMX) inOneRow(t *tile, r, c value.Value) (value.Value, value.Value) {
	one := q.f.ICmp(enum.IPredEQ, t.rows, ll.Index(1))
	return q.f.Select(one, ll.Index(0), r), q.f.Select(one, q.f.Add(q.f.Mul(r, q.cols), c), c)
}

// quantize emits code that scales element (r, c) of the source tile, converts it to the
// MX format with saturation, and stores the result in the destination tile. The parameter
// scales is the address of an array with the factors of all groups.
func (q *quantMX) quantize(scales, r, c value.Value) {
	group := q.f.Add(q.f.Mul(r, q.cols), q.f.Quo(c, scaleGroup))
	if q.down {
		group = q.f.Add(q.f.Mul(q.f.Quo(r, scaleGroup), q.cols), c)
	}
	x := q.f.FMul(q.f.Decode(q.src.e.f, q.f.get(&q.src, r, c)), q.f.Load(ll.F32, q.f.At(ll.F32, scales, group), 4))
	if q.to.Bits() == 4 {
		x = q.f.Select(q.f.IsNaN(x), ll.Float(ll.F32, math.Inf(1)), x)
	}
	y := q.f.Convert(num.F32, q.to, x, num.NearestEven, true)
	if q.to.Bits() == 8 {
		q.f.within(&q.dst, r, c)
		q.f.storeElement(q.dst.e, y, q.f.addr(&q.dst, r, c))
		return
	}
	pair, shift := q.f.Quo(c, 2), q.f.Shl(q.f.Trunc(q.f.And(c, ll.Index(1)), ll.I8), ll.Integer(ll.I8, 2))
	q.f.within(&q.dst, r, pair)
	at := q.f.addr(&q.dst, r, pair)
	other := q.f.And(q.f.Load(ll.I8, at, 1), q.f.Not(q.f.Shl(ll.Integer(ll.I8, 15), shift)))
	q.f.Store(q.f.Or(other, q.f.Shl(q.f.ZExt(y, ll.I8), shift)), at, 1)
}
