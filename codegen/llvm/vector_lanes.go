// This file emits selections of lanes by masks and patterns.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// vecExtended emits a vector instruction with two results per lane, such as the low and
// the high half of a product.
func (f *function) vecExtended(op *ir.Op, kind sem.VecExtended) {
	e, ok := f.register(op, op.Result(0).Type())
	if !ok || !f.supports(op, kind.Low, e) || !f.supports(op, kind.High, e) {
		return
	}
	x, y := f.val(op.Operand(0)), f.val(op.Operand(1))
	for i, fn := range []*scalar.Fn{kind.Low, kind.High} {
		f.set(op.Result(i), f.under(op, e.size, func() value.Value { return f.applyTo(op, fn, e, x, y) }))
	}
}

// vecCarry emits an addition or subtraction with a carry in each lane. A subtraction adds
// the complement of the second operand, so that a carry of 1 means that no borrow is
// needed.
func (f *function) vecCarry(op *ir.Op, kind sem.VecCarry) {
	e, ok := f.register(op, op.Result(0).Type())
	if !ok || e.size != 4 {
		f.unsupported(op)
		return
	}
	x, y := f.ZExt(f.val(op.Operand(0)), ll.I64), f.val(op.Operand(1))
	if kind.Sub {
		y = f.Not(y)
	}
	sum := f.Add(x, f.ZExt(y, ll.I64))
	switch {
	case kind.CarryIn:
		sum = f.Add(sum, f.ZExt(f.laneMask(f.val(op.Operand(2)), e.size), ll.I64))
	case kind.Sub:
		sum = f.Add(sum, f.Like(ll.Index(1), sum))
	}
	on := f.laneMask(f.val(maskArg(op)), e.size)
	low := f.Trunc(sum, ll.I32)
	f.set(op.Result(0), f.onlyWhere(on, low, ll.Zero(low.Type())))
	carry := f.ICmp(enum.IPredUGE, sum, ll.Index(1<<32))
	f.set(op.Result(1), f.maskOf(f.And(carry, on), e.size))
}

// vecRound emits an instruction that rounds floats to integral values in the same format.
func (f *function) vecRound(op *ir.Op, _ sem.VecRound) {
	fn, name := sem.IntegralOf(op)
	if fn == nil {
		f.errorf(op, "uses the rounding mode %q, which the LLVM IR emitter does not support yet", name)
		return
	}
	f.vecMap(op, sem.VecMap{Fn: fn})
}

// vecCompare emits an instruction that returns the mask of the lanes in which a
// comparison holds.
func (f *function) vecCompare(op *ir.Op, _ sem.VecCompare) {
	e, ok := f.register(op, op.Operand(0).Type())
	pred, name, known := sem.LanePredicate(op)
	switch {
	case !ok:
		return
	case !known:
		f.errorf(op, "uses the comparison predicate %q, which the LLVM IR emitter does not support yet", name)
		return
	}
	x, y := f.val(op.Operand(0)), f.lanesOf(op.Operand(1), e)
	on := f.And(f.Relation(pred.Relation(), e.f, x, y), f.laneMask(f.val(maskArg(op)), e.size))
	f.set(op.Result(0), f.maskOf(on, e.size))
}

// vecSelect emits an instruction that selects each lane from one of two registers,
// depending on a mask.
func (f *function) vecSelect(op *ir.Op, _ sem.VecSelect) {
	if e, ok := f.register(op, op.Result(0).Type()); ok {
		o := sem.LaneChoiceOf(op)
		on := f.laneMask(f.val(o.Mask.Value), e.size)
		f.set(op.Result(0), f.Select(on, f.val(o.First.Value), f.val(o.Second.Value)))
	}
}

// vecBroadcast emits an instruction that sets all lanes to a scalar, or to the first or
// the last lane of a register.
func (f *function) vecBroadcast(op *ir.Op, _ sem.VecBroadcast) {
	e, ok := f.register(op, op.Result(0).Type())
	if !ok {
		return
	}
	f.set(op.Result(0), f.under(op, e.size, func() value.Value {
		from := op.Operand(0)
		if !ir.Is[pto.VReg](from.Type()) {
			return f.lanesOf(from, e)
		}
		lane := 0
		if sem.LastLane(op) {
			lane = pto.VectorBytes/e.size - 1
		}
		indices := sequence(pto.VectorBytes/e.size, lane, 0)
		return f.ShuffleOne(f.val(from), indices)
	}))
}

// vecIndex emits an instruction that sets the lanes to ascending or descending numbers,
// starting at a scalar.
func (f *function) vecIndex(op *ir.Op, _ sem.VecIndex) {
	e, ok := f.register(op, op.Result(0).Type())
	if !ok {
		return
	}
	n := pto.VectorBytes / e.size
	elems := make([]value.Value, n)
	for i := range elems {
		elems[i] = ll.ConstantOf(e.f, num.Convert(num.I32, e.f, uint64(i), num.NearestEven, false))
	}
	steps := ll.VectorConstant(elems)
	fn := scalar.Add
	if sem.CountsDown(op) {
		fn = scalar.Sub
	}
	f.set(op.Result(0), f.applyTo(op, fn, e, f.lanesOf(op.Operand(0), e), steps))
}
