// This file emits elementwise functions of logical vectors.

package llvm

import (
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Functions of the lanes of virtual vectors (vmi), which may have any number of lanes:
// long vectors are computed in a loop over parts, so that the text does not grow with
// them, and LLVM chooses the machine's vectors.

// rowMap emits an instruction that applies a function to each lane of logical vectors
// (VMI).
func (f *function) rowMap(op *ir.Op, kind sem.VecMap) {
	v := op.Result(0)
	r, _ := rowOf(v.Type())
	if r.packed || !f.rowSupports(op, kind.Fn, r) {
		f.unsupported(op)
		return
	}
	var xs []value.Value
	for _, in := range kind.Inputs(op) {
		xs = append(xs, f.rowArg(in, r))
	}
	if len(xs) != kind.Fn.Arity {
		f.unsupported(op)
		return
	}
	f.set(v, f.selected(op, v, f.rowApply(op, kind.Fn, r.numbers(), xs...)))
}

// rowApply emits fn applied to the lanes of the vectors xs, which may have any number of
// lanes. Long vectors are processed in a loop.
func (f *function) rowApply(op *ir.Op, fn *scalar.Fn, e element, xs ...value.Value) value.Value {
	return f.inParts(e.t, xs, func(xs []value.Value) value.Value { return f.applyTo(op, fn, e, xs...) })
}

// rowSupports reports whether the emitter can compute fn on the lanes of a logical
// vector. It returns false for integer divisions, because the emitted code would need the
// mask to decide which lanes fault.
func (f *function) rowSupports(op *ir.Op, fn *scalar.Fn, r row) bool {
	return !(fn.Divisor > 0 && r.f.IsInt()) && (r.f == num.I1 || f.supports(op, fn, r.numbers()))
}

// rowExtended emits an instruction on logical vectors with two results per lane, such as
// both halves of a product. It treats signless integers as signed.
func (f *function) rowExtended(op *ir.Op, kind sem.VecExtended) {
	r, _ := rowOf(op.Result(0).Type())
	x, y := f.rowArg(op.Operand(0), r), f.rowArg(op.Operand(1), r)
	for i, fn := range []*scalar.Fn{kind.Low, kind.High} {
		v := op.Result(i)
		f.set(v, f.selected(op, v, f.rowApply(op, fn, r.element, x, y)))
	}
}

// rowCarry emits an addition of logical vectors with a carry per lane.
func (f *function) rowCarry(op *ir.Op, kind sem.VecCarry) {
	v := op.Result(0)
	if r, _ := rowOf(v.Type()); r.size != 4 || kind.Sub {
		f.unsupported(op)
		return
	}
	sum := f.Add(f.ZExt(f.val(op.Operand(0)), ll.I64), f.ZExt(f.val(op.Operand(1)), ll.I64))
	if kind.CarryIn {
		sum = f.Add(sum, f.ZExt(f.val(sem.CarryOf(op).Value), ll.I64))
	}
	carry := f.Trunc(f.LShr(sum, ll.Index(32)), ll.I1)
	if on := f.rowMask(op, v); on != nil {
		carry = f.And(carry, on)
	}
	f.set(v, f.selected(op, v, f.Trunc(sum, ll.I32)))
	f.set(op.Result(1), carry)
}

// rowWiden emits an elementwise instruction on logical vectors (of any length) whose
// result format is wider than the format of its operands. The emitted code first converts
// the operands to the format of the result.
func (f *function) rowWiden(op *ir.Op, kind sem.VecWiden) {
	v := op.Result(0)
	from, _ := rowOf(op.Operand(0).Type())
	to, _ := rowOf(v.Type())
	if from.packed || to.packed || !f.rowSupports(op, kind.Fn, to) {
		f.unsupported(op)
		return
	}
	xs := []value.Value{f.val(op.Operand(0)), f.val(op.Operand(1))}
	y := f.inParts(to.t, xs, func(xs []value.Value) value.Value {
		var wide [2]value.Value
		for i, x := range xs {
			wide[i] = f.Convert(from.f, to.f, x, num.NearestEven, false)
		}
		return f.applyTo(op, kind.Fn, to.numbers(), wide[:]...)
	})
	f.set(v, f.selected(op, v, y))
}

// rowCompare emits the mask of the lanes in which a comparison of two logical vectors
// holds.
func (f *function) rowCompare(op *ir.Op, _ sem.LaneCompare) {
	rel, ok := lanemap.Relation(op)
	v := op.Result(0)
	r, _ := rowOf(op.Operand(0).Type())
	if !ok || r.packed {
		f.unsupported(op)
		return
	}
	holds := f.Relation(rel, r.f, f.rowArg(op.Operand(0), r), f.rowArg(op.Operand(1), r))
	if on := f.rowMask(op, v); on != nil {
		holds = f.And(holds, on)
	}
	f.set(v, holds)
}

// rowConvert emits a conversion of the lanes of a logical vector to another format.
func (f *function) rowConvert(op *ir.Op, _ sem.LaneConvert) {
	v := op.Result(0)
	from, ok := rowOf(op.Operand(0).Type())
	to, ok2 := rowOf(v.Type())
	if !ok || !ok2 || from.packed != to.packed {
		f.unsupported(op)
		return
	}
	r, sat := lanemap.Rounding(op)
	if from.packed {
		y := f.inParts(to.t, []value.Value{f.val(op.Operand(0))}, func(xs []value.Value) value.Value {
			x := f.fromPairs(from.element, xs[0])
			if from.f.Bits() < 8 || to.f.Bits() < 8 {
				return f.toPairs(to.element, f.Convert(from.f, to.f, x, r, sat))
			}
			return f.toPairs(to.element, f.saturating(from.f, to.f, x, r, sat))
		})
		f.set(v, f.selected(op, v, y))
		return
	}
	y := f.inParts(to.t, []value.Value{f.val(op.Operand(0))}, func(xs []value.Value) value.Value {
		return f.saturatingLanes(from.numbers().f, to.numbers().f, xs[0], r, sat)
	})
	f.set(v, f.selected(op, v, y))
}

// fromPairs emits a vector of single numbers from a vector whose elements contain two
// packed numbers each.
func (c *code) fromPairs(e element, x value.Value) value.Value {
	n := ll.Lanes(x.Type())
	if e.f.Bits() < 8 {
		return c.Trunc(c.LShr(c.ShuffleOne(x, everyTwice(n)), nibbles(2*n)), ll.ElementType(e.f))
	}
	return c.Bitcast(x, ll.VectorOf(2*n, ll.ElementType(e.f)))
}

// toPairs emits a vector with half as many elements as the vector x. Each element of the
// result has the packed type e and contains two neighboring elements of x.
func (c *code) toPairs(e element, x value.Value) value.Value {
	n := ll.Lanes(x.Type()) / 2
	if e.f.Bits() < 8 {
		x = c.Shl(c.ZExt(x, ll.I8), nibbles(2*n))
		return c.Or(c.ShuffleOne(x, sequence(n, 0, 2)), c.ShuffleOne(x, sequence(n, 1, 2)))
	}
	return c.Bitcast(x, ll.VectorOf(n, e.t))
}

// everyTwice returns a list of lane numbers in which each number from 0 to n-1 occurs
// twice: 0, 0, 1, 1, ..., n-1, n-1.
func everyTwice(n int) []int {
	s := make([]int, 2*n)
	for i := range s {
		s[i] = i / 2
	}
	return s
}

// rowReduce emits an instruction that combines the lanes of each group of a logical
// vector in their order.
func (f *function) rowReduce(op *ir.Op, kind sem.GroupReduce) {
	v := op.Result(0)
	from, _ := rowOf(op.Operand(0).Type())
	to, _ := rowOf(v.Type())
	e := from.numbers()
	fn, neutral := neutralOf(kind.Op, e.f)
	if from.packed || !f.supports(op, fn, e) {
		f.unsupported(op)
		return
	}
	per := ll.Index(int64(from.lanes / to.lanes))
	x, out := f.arrayOf(f.val(op.Operand(0))), f.emptyArray(to.t, to.lanes)
	var on *array
	if m := f.rowMask(op, op.Operand(0)); m != nil {
		a := f.arrayOf(m)
		on = &a
	}
	f.Loop("group", ll.Index(int64(to.lanes)), func(g value.Value) {
		first := f.Mul(g, per)
		acc := f.Reduce("lane", per, []value.Value{ll.ConstantOf(e.f, neutral)}, func(k value.Value, acc []value.Value) []value.Value {
			i := f.Add(first, k)
			y := f.applyTo(op, fn, e, acc[0], x.get(i))
			if on != nil {
				y = f.Select(f.Trunc(on.get(i), ll.I1), y, acc[0])
			}
			return []value.Value{y}
		})[0]
		out.put(g, f.Bitcast(f.Resize(f.Bits(acc), ll.IntType(8*to.size), false), to.t))
	})
	f.set(v, out.vector())
}

// rowBroadcast emits an instruction that fills each group of lanes with the lane of the
// source that belongs to the group.
func (f *function) rowBroadcast(op *ir.Op, _ sem.GroupBroadcast) {
	to, _ := rowOf(op.Result(0).Type())
	v := op.Operand(0)
	from, ok := rowOf(v.Type())
	if !ok {
		f.set(op.Result(0), f.rowArg(v, to))
		return
	}
	indices := make([]int, to.lanes)
	for i := range indices {
		indices[i] = i * from.lanes / to.lanes
	}
	f.set(op.Result(0), f.ShuffleOne(f.val(v), indices))
}

// rowIndex emits an instruction that sets the lanes of each group to ascending or
// descending numbers, starting at a scalar.
func (f *function) rowIndex(op *ir.Op, _ sem.GroupIndex) {
	r, _ := rowOf(op.Result(0).Type())
	e, per := r.numbers(), r.lanes/sem.GroupsOf(op)
	fn := scalar.Add
	if sem.CountsDown(op) {
		fn = scalar.Sub
	}
	if r.packed {
		f.unsupported(op)
		return
	}
	counts := laneNumbers(r.lanes, ll.I32, func(i int) int64 { return int64(i % per) })
	k := f.Convert(num.U32, e.f, counts, num.NearestEven, false)
	f.set(op.Result(0), f.applyTo(op, fn, e, f.rowArg(op.Operand(0), r), k))
}

// rowHistogram emits an instruction that counts byte values in a logical vector, and adds
// the counts to another vector.
func (f *function) rowHistogram(op *ir.Op, kind sem.LaneHistogram) {
	counted := sem.LaneCountsOf(op)
	src := counted.Source.Value
	x, counts := f.arrayOf(f.val(src)), f.emptyArray(ll.I16, 256)
	on := f.rowMask(op, src)
	var mask array
	if on != nil {
		mask = f.arrayOf(on)
	}
	f.Loop("byte", ll.Index(int64(x.n)), func(i value.Value) {
		bin, one := f.ZExt(x.get(i), ll.I64), value.Value(ll.Integer(ll.I16, 1))
		if on != nil {
			one = f.ZExt(mask.get(i), ll.I16)
		}
		counts.put(bin, f.Add(counts.get(bin), one))
	})
	r, _ := rowOf(op.Result(0).Type())
	if kind.Cumulative {
		f.Loop("sum", ll.Index(int64(r.lanes-1)), func(i value.Value) {
			next := f.Add(i, ll.Index(1))
			counts.put(next, f.Add(counts.get(next), counts.get(i)))
		})
	}
	f.set(op.Result(0), f.Add(f.val(counted.Counts.Value), f.Load(r.vector(), counts.p, 2)))
}
