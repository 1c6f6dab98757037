// This file emits quantization and dequantization of tiles.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// parameter returns a function that emits a quantization parameter as f32. The parameter
// is element (r, c) of the tile in the operand o. If op does not have this operand, the
// parameter is the constant in the last argument. The bool result is false after an
// error, and for packed elements.
func (f *function) parameter(op *ir.Op, o sem.Operand, absent float64) (func(r, c value.Value) value.Value, bool) {
	if !o.Given() {
		return func(value.Value, value.Value) value.Value { return ll.Float(ll.F32, absent) }, true
	}
	t, ok := f.tileOperand(op, o)
	return func(r, c value.Value) value.Value {
		return f.FPTrunc(f.ToDouble(t.e.f, f.get(&t, r, c)), ll.F32)
	}, ok && !t.e.packed
}

// tileQuant emits a quantization of a tile to signed or unsigned 8-bit integers.
func (f *function) tileQuant(op *ir.Op, _ sem.TileQuant) {
	o, to := sem.QuantizationOf(op), num.S8
	if o.Unsigned {
		to = num.U8
	}
	f.byRows(op, o, func(src, _ *tile, x, scale, offset value.Value) (value.Value, bool) {
		if src.e.f != num.F32 {
			return nil, false
		}
		return f.Convert(num.F32, to, f.FAdd(f.FMul(x, scale), offset), num.NearestEven, true), true
	})
}

// tileDequant emits a dequantization: a conversion of quantized integers back to floats
// with a scale and an offset.
func (f *function) tileDequant(op *ir.Op, _ sem.TileDequant) {
	o := sem.QuantizationOf(op)
	f.byRows(op, o, func(src, dst *tile, x, scale, offset value.Value) (value.Value, bool) {
		if !src.e.f.IsInt() || dst.e.f != num.F32 {
			return nil, false
		}
		y := f.Convert(src.e.f, num.F32, x, num.NearestEven, false)
		return f.FMul(f.FSub(y, offset), scale), true
	})
}

// byRows emits the computation of all elements of dst in a quantization or
// dequantization. The scale and offset tiles have one row for each row of src. Each
// element of src has a scale and an offset from column 0 of these rows. For each element,
// byRows calls the function each with the element x, its scale and its offset. This
// function returns false if it does not support the types.
func (f *function) byRows(op *ir.Op, o sem.Quantization, each func(src, dst *tile, x, scale, offset value.Value) (value.Value, bool)) {
	src, dst, ok := f.sourceAndDestination(op)
	if !ok {
		return
	}
	a, ok := f.parameter(op, o.Scale, 1)
	b, ok2 := f.parameter(op, o.Offset, 0)
	if !ok || !ok2 || src.e.packed || dst.e.packed {
		f.unsupported(op)
		return
	}
	f.covers(&src, &dst)
	if src.info.Bytes() < dst.info.Bytes() || src.e.size != dst.e.size {
		f.apart(&dst, &src)
	}
	f.Loop("row", dst.rows, func(r value.Value) {
		u, v := a(r, ll.Index(0)), b(r, ll.Index(0))
		f.Loop("col", dst.cols, func(c value.Value) {
			y, ok := each(&src, &dst, f.get(&src, r, c), u, v)
			if !ok {
				f.unsupported(op)
				return
			}
			f.put(&dst, r, c, y)
		})
	})
}

// addReluConvert emits an addition or subtraction of two tiles, followed by ReLU and a
// conversion to another format.
func (f *function) addReluConvert(op *ir.Op, kind sem.TileAddReluConvert) {
	pair := sem.TilePairOf(op).Src
	a, ok := f.tileOperand(op, pair[0])
	b, ok2 := f.tileOperand(op, pair[1])
	dst, ok3 := f.destinationTile(op)
	if !ok || !ok2 || !ok3 {
		return
	}
	if a.e.packed || dst.e.packed || a.e.f != b.e.f || kind.Deq && !a.e.f.IsInt() || !kind.Deq && !f.supports(op, reluFn(kind), a.e) {
		f.unsupported(op)
		return
	}
	f.covers(&a, &dst)
	f.covers(&b, &dst)
	f.apart(&dst, &a, &b)
	f.over(&dst, func(r, c value.Value) {
		s := f.reluSum(op, kind, a.e, f.get(&a, r, c), f.get(&b, r, c))
		s = f.Select(f.FCmp(enum.FPredOLE, s, ll.Float(ll.F64, 0)), ll.Float(ll.F64, 0), s)
		f.put(&dst, r, c, f.Convert(num.F64, dst.e.f, s, num.NearestEven, true))
	})
}

// reluFn returns the function of two elements whose results become zero if negative.
func reluFn(kind sem.TileAddReluConvert) *scalar.Fn {
	if kind.Sub {
		return scalar.Sub
	}
	return scalar.Add
}

// reluSum emits the sum or the difference of x and y, two elements of type e, as a double. The caller then
// applies ReLU to the sum. If kind.Deq is set, the elements are integers, and the sum is
// multiplied by the dequantization scale.
func (f *function) reluSum(op *ir.Op, kind sem.TileAddReluConvert, e element, x, y value.Value) value.Value {
	switch {
	case kind.Deq:
		scale := f.ToDouble(num.F32, f.val(sem.QuantizationOf(op).Scale.Value))
		n := f.SIToFP(f.Add(f.Resize(x, ll.I32, e.f.Signed()), f.Resize(y, ll.I32, e.f.Signed())), ll.F32)
		s := f.FMul(f.FMul(n, ll.Float(ll.F32, 0x1p-17)), f.FPTrunc(scale, ll.F32))
		return f.FPExt(f.FMul(s, ll.Float(ll.F32, 0x1p17)), ll.F64)
	case e.f.IsInt() && !kind.Wraps(f.opts.Target):
		x, y = f.Resize(x, ll.I64, e.f.Signed()), f.Resize(y, ll.I64, e.f.Signed())
		if kind.Sub {
			return f.SIToFP(f.Sub(x, y), ll.F64)
		}
		return f.SIToFP(f.Add(x, y), ll.F64)
	}
	return f.ToDouble(e.f, f.applyTo(op, reluFn(kind), e, x, y))
}

// pairSum emits additions of adjacent elements of each row. It does not write the second
// half of each result row.
func (f *function) pairSum(op *ir.Op, _ sem.TilePairSum) {
	src, dst, ok := f.sourceAndDestination(op)
	if !ok || !f.supports(op, scalar.Add, src.e) {
		return
	}
	if src.e.f != dst.e.f {
		f.unsupported(op)
		return
	}
	f.covers(&src, &dst)
	f.apart(&dst, &src)
	half := dst
	half.cols = f.SDiv(dst.cols, ll.Index(2))
	f.over(&half, func(r, c value.Value) {
		left := f.Mul(c, ll.Index(2))
		f.put(&dst, r, c, f.applyTo(op, scalar.Add, src.e, f.get(&src, r, left), f.get(&src, r, f.Add(left, ll.Index(1)))))
	})
}
