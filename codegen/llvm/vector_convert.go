// This file emits conversions of vector registers.

package llvm

import (
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// saturating emits the conversion of x from the number format in the parameter from to
// the format in the parameter to, rounded in mode r. The parameter sat selects
// saturation. If it is set, NaN becomes zero in 8-bit formats and stays NaN in wider
// floats. Infinity stays infinity if the destination format can represent all numbers of
// the source format.
func (c *code) saturating(from, to num.Format, x value.Value, r num.Rounding, sat bool) value.Value {
	if to == num.F32 && from.IsFloat() && from.Bits() <= 32 {
		sat = false
	}
	y := c.Convert(from, to, x, r, sat)
	if !sat || to.Bits() > 8 || !from.IsFloat() || !to.IsFloat() {
		return y
	}
	return c.Select(c.IsNaN(c.Decode(from, x)), c.Like(ll.Zero(ll.ElementOf(y.Type())), y), y)
}

// saturatingLanes emits the conversion of the vector register x from one number format
// (the parameter from) to another (the parameter to), rounded in mode r. If sat is set,
// numbers beyond the range become the nearest finite number. In conversions to float
// formats of 8 or 16 bits, NaN then becomes zero.
func (c *code) saturatingLanes(from, to num.Format, x value.Value, r num.Rounding, sat bool) value.Value {
	y := c.saturating(from, to, x, r, sat)
	if !sat || to.Bits() != 16 || !from.IsFloat() || !to.IsFloat() {
		return y
	}
	return c.Select(c.IsNaN(c.Decode(from, x)), c.Like(ll.Zero(ll.ElementOf(y.Type())), y), y)
}

// takePart emits one narrow lane of x for each wide lane. A wide lane has the size of
// wide/narrow narrow lanes, and the parameter part selects one of these. The parameters
// narrow and wide are the sizes of the lanes in bytes.
func (c *code) takePart(x value.Value, narrow, wide, part int) value.Value {
	if narrow >= wide {
		return x
	}
	return c.ShuffleOne(x, sequence(pto.VectorBytes/wide, part, wide/narrow))
}

// putPart emits a vector of narrow lanes in which the elements of x fill one narrow lane
// per wide lane. The parameter part selects this lane, and all other narrow lanes are
// zero. The parameters narrow and wide are the sizes of the lanes in bytes.
func (c *code) putPart(x value.Value, narrow, wide, part int) value.Value {
	if narrow >= wide {
		return x
	}
	n := ll.Lanes(x.Type())
	indices := sequence(pto.VectorBytes/narrow, n, 0)
	for i := range n {
		indices[i*wide/narrow+part] = i
	}
	return c.Shuffle(x, ll.Zero(x.Type()), indices)
}

// vecConvert emits a conversion of the lanes of a register to another format. The
// instruction may first apply a function to the lanes.
func (f *function) vecConvert(op *ir.Op, kind sem.VecConvert) {
	from, ok := elementOfType(ir.ElementType(op.Operand(0).Type()))
	to, ok2 := elementOfType(ir.ElementType(op.Result(0).Type()))
	if !ok || !ok2 || from.packed && from.f.Bits() != 4 || to.packed && to.f.Bits() != 4 {
		f.unsupported(op)
		return
	}
	r, sat := sem.LaneRounding(op)
	on := f.everyLaneOr(op)
	if from.f.Bits() == 4 || to.f.Bits() == 4 {
		f.convertPairs(op, from, to, r, on)
		return
	}
	x := f.val(op.Operand(0))
	if kind.Pre != nil {
		if !f.supports(op, kind.Pre, from) {
			return
		}
		var xs []value.Value
		for _, v := range (sem.VecMap{}).Inputs(op) {
			xs = append(xs, f.lanesOf(v, from))
		}
		x = f.applyTo(op, kind.Pre, from, xs...)
	}
	part := sem.PartOf(op)
	x = f.takePart(x, from.size, to.size, part)
	y := f.saturatingLanes(from.f, to.f, x, r, sat)
	if on != nil {
		y = f.onlyWhere(f.takePart(f.laneMask(on, from.size), from.size, to.size, part), y, ll.Zero(y.Type()))
	}
	f.set(op.Result(0), f.putPart(y, to.size, from.size, part))
}

// everyLaneOr returns the mask of op, or nil if the instruction applies to all lanes.
func (f *function) everyLaneOr(op *ir.Op) value.Value {
	if v := maskArg(op); v != nil {
		return f.val(v)
	}
	return nil
}

// convertPairs emits a conversion between vector registers, rounded in mode r. The
// parameter from is the element type of the source, and the parameter to is that of the
// result. One of the two types is a 4-bit format, and two 4-bit numbers share a byte. In
// the register with 4-bit numbers, the pair with index k is in byte 4*k + p, where p is
// the constant 0 to 3 that the attribute "part" of op selects. The parameter on is the
// mask, or nil if all lanes are converted.
func (f *function) convertPairs(op *ir.Op, from, to element, r num.Rounding, on value.Value) {
	wide := max(from.size, to.size)
	n, part := pto.VectorBytes/wide, sem.PartOf(op)
	bytes := make([]int, n) // the byte of each number
	for i := range bytes {
		bytes[i] = i/2*4 + part
	}
	if n/2*4 > pto.VectorBytes {
		f.unsupported(op)
		return
	}
	x := f.val(op.Operand(0))
	if from.f.Bits() == 4 {
		two := f.LShr(f.ShuffleOne(x, bytes), nibbles(n))
		y := f.Convert(from.f, to.f, f.Trunc(two, ll.IntType(4)), r, false)
		if on != nil {
			y = f.Select(f.ShuffleOne(on, bytes), y, ll.Zero(y.Type()))
		}
		f.set(op.Result(0), y)
		return
	}
	y := f.ZExt(f.Convert(from.f, to.f, x, r, false), ll.I8)
	if on != nil {
		y = f.Select(f.laneMask(on, wide), y, ll.Zero(y.Type()))
	}
	y = f.Shl(y, nibbles(n))
	pairs := f.Or(f.ShuffleOne(y, sequence(n/2, 0, 2)), f.ShuffleOne(y, sequence(n/2, 1, 2)))
	indices := sequence(pto.VectorBytes, n/2, 0)
	for k := range n / 2 {
		indices[4*k+part] = k
	}
	f.set(op.Result(0), f.Shuffle(pairs, ll.Zero(pairs.Type()), indices))
}

// nibbles returns a vector with the bit position of each of n 4-bit numbers in its byte:
// 0, 4, 0, 4, ...
func nibbles(n int) value.Value {
	elems := make([]value.Value, n)
	for i := range elems {
		elems[i] = ll.Integer(ll.I8, int64(i%2*4))
	}
	return ll.VectorConstant(elems)
}

// vecWiden emits an elementwise vector instruction whose result format is wider than the
// format of its operands. The emitted code first converts the operand lanes to the format
// of the result.
func (f *function) vecWiden(op *ir.Op, kind sem.VecWiden) {
	from, ok := f.register(op, op.Operand(0).Type())
	to, ok2 := f.register(op, op.Result(0).Type())
	if !ok || !ok2 || !f.supports(op, kind.Fn, to) {
		return
	}
	part := sem.PartOf(op)
	var xs []value.Value
	for _, v := range op.Operands()[:kind.Fn.Arity] {
		x := f.takePart(f.lanesOf(v, from), from.size, to.size, part)
		xs = append(xs, f.toFormat(from.f, to.f, x))
	}
	y := f.applyTo(op, kind.Fn, to, xs...)
	if on := f.everyLaneOr(op); on != nil {
		y = f.onlyWhere(f.takePart(f.laneMask(on, from.size), from.size, to.size, part), y, ll.Zero(y.Type()))
	}
	f.set(op.Result(0), y)
}
