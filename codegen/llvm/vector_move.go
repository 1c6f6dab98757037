// This file emits rearrangements of vector registers.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// vecRearrange emits an instruction that moves lanes within or between vector registers.
func (f *function) vecRearrange(op *ir.Op, kind sem.VecRearrange) {
	from, ok := elementOfType(ir.ElementType(op.Operand(0).Type()))
	ts, _ := partsOf(op.Result(0).Type())
	if !ok {
		f.unsupported(op)
		return
	}
	x, n := f.val(op.Operand(0)), pto.VectorBytes/from.size
	result := func(y value.Value) { f.set(op.Result(0), f.Bitcast(y, ts[0])) }
	switch kind.Kind {
	case sem.Interleave:
		f.pair(op, x, f.val(op.Operand(1)), interleave(n))
	case sem.Deinterleave:
		f.pair(op, x, f.val(op.Operand(1)), [2][]int{sequence(n, 0, 2), sequence(n, 1, 2)})
	case sem.Compact:
		result(f.compact(x, f.laneMask(f.val(maskArg(op)), from.size), from))
	case sem.CountBefore:
		result(f.countBefore(f.laneMask(f.val(maskArg(op)), from.size), from))
	case sem.Narrow:
		result(f.narrow(f.Bits(x), n, op))
	case sem.WidenSigned, sem.WidenZero:
		result(f.widen(f.Bits(x), f.val(op.Operand(1)), n, kind.Kind == sem.WidenSigned))
	case sem.Permute:
		result(f.permute(x, f.val(op.Operand(1)), n))
	case sem.Window, sem.ShiftLanes:
		result(f.window(op, from))
	case sem.Reinterpret:
		result(x)
	default:
		f.unsupported(op)
	}
}

// interleave returns the lane indices for interleaving two registers of n lanes. In the
// result, lanes of the first and of the second register alternate. The first list uses
// the lower halves of the registers, and the second list uses the upper halves.
func interleave(n int) [2][]int {
	var out [2][]int
	for half := range out {
		for i := range n / 2 {
			out[half] = append(out[half], half*n/2+i, n+half*n/2+i)
		}
	}
	return out
}

// pair emits shuffles of two registers, the parameters x and y, as the results of op. The
// parameter indices contains the lane indices of two shuffles. If op has two results,
// pair emits both shuffles. If op has one result, pair emits only the shuffle that an
// attribute of op selects.
func (f *function) pair(op *ir.Op, x, y value.Value, indices [2][]int) {
	if op.NumResults() == 2 {
		f.set(op.Result(0), f.Shuffle(x, y, indices[0]))
		f.set(op.Result(1), f.Shuffle(x, y, indices[1]))
		return
	}
	f.set(op.Result(0), f.Shuffle(x, y, indices[upperHalf(op)]))
}

// upperHalf returns 1 if the attribute "part" of op selects the upper half of a register,
// and 0 if it selects the lower half.
func upperHalf(op *ir.Op) int {
	if sem.UpperHalf(op) {
		return 1
	}
	return 0
}

// spill emits a store of a vector to the stack and returns its address, so that code can
// access lanes by index.
func (f *function) spill(x value.Value) value.Value {
	p := f.Slot(x.Type())
	f.Store(x, p, 1)
	return p
}

// compact emits a vector in which the selected lanes of x are moved to the front; the
// remaining lanes are zero. The parameter on is the mask that selects lanes. The emitted
// loop writes every lane after the lanes kept so far, and writes zero for a lane that is
// not selected.
func (f *function) compact(x, on value.Value, e element) value.Value {
	n := ll.Lanes(x.Type())
	t := x.Type()
	p := f.Slot(t)
	f.Store(ll.Zero(t), p, 1)
	from := f.spill(x)
	kept := f.Reduce("lane", ll.Index(int64(n)), []value.Value{ll.Index(0)}, func(i value.Value, acc []value.Value) []value.Value {
		keep := f.Extract(on, i)
		v := f.Load(e.t, f.At(e.t, from, i), e.size)
		f.Store(f.Select(keep, v, ll.Zero(e.t)), f.At(e.t, p, acc[0]), e.size)
		return []value.Value{f.Add(acc[0], f.ZExt(keep, ll.I64))}
	})[0]
	f.setState("compacted", f.Mul(kept, ll.Index(int64(e.size))))
	return f.Load(t, p, 1)
}

// countBefore emits a vector of counts with element type e. The count in a lane is the
// number of preceding lanes that a mask selects. The parameter on is this mask.
func (f *function) countBefore(on value.Value, e element) value.Value {
	n := ll.Lanes(on.Type())
	t := ll.IntType(8 * e.size)
	p := f.Slot(ll.VectorOf(n, t))
	f.Reduce("lane", ll.Index(int64(n)), []value.Value{ll.Integer(t, 0)}, func(i value.Value, acc []value.Value) []value.Value {
		f.Store(acc[0], f.At(t, p, i), e.size)
		return []value.Value{f.Add(acc[0], f.Resize(f.Extract(on, i), t, false))}
	})
	return f.Load(ll.VectorOf(n, t), p, 1)
}

// narrow emits code that truncates n lanes of x to half their width. The attribute "part"
// of op selects the half of the result that receives these lanes. The other half is zero.
func (f *function) narrow(x value.Value, n int, op *ir.Op) value.Value {
	cut := f.Trunc(x, ll.IntType(ll.WidthOf(x.Type())/2))
	indices := sequence(2*n, n, 0)
	for i := range n {
		indices[upperHalf(op)*n+i] = i
	}
	return f.Shuffle(cut, ll.Zero(cut.Type()), indices)
}

// widen emits the lanes of one half of x, extended to twice their width; x has n lanes.
// The parameter part selects the half: 0 for the lower half, and any other value for the
// upper half. If signed is set, the extension copies the sign bit.
func (f *function) widen(x, part value.Value, n int, signed bool) value.Value {
	upper := f.ICmp(enum.IPredNE, part, f.Int(part, 0))
	half := f.Select(upper, f.ShuffleOne(x, sequence(n/2, n/2, 1)), f.ShuffleOne(x, sequence(n/2, 0, 1)))
	return f.Resize(half, ll.IntType(2*ll.WidthOf(x.Type())), signed)
}

// permute emits a vector whose lanes are lanes of x in another order. The vector in the
// parameter at contains, for each lane of the result, the index of a lane of x. Indices
// are used modulo the number n of lanes, which is a power of two.
func (f *function) permute(x, at value.Value, n int) value.Value {
	e := ll.ElementOf(x.Type())
	size := ll.WidthOf(e) / 8
	from := f.spill(x)
	to := f.Slot(x.Type())
	f.Loop("lane", ll.Index(int64(n)), func(i value.Value) {
		k := f.And(f.Resize(f.Extract(at, i), ll.I64, false), ll.Index(int64(n-1)))
		f.Store(f.Load(e, f.At(e, from, k), size), f.At(e, to, i), size)
	})
	return f.Load(x.Type(), to, 1)
}

// window emits a shift of lanes across two registers. It concatenates two registers and
// returns as many consecutive lanes as one register has, starting at a lane index. The
// lane index is the last operand, and the register operand before it holds the lower
// lanes. If the instruction has a second register operand, it holds the upper lanes;
// otherwise these are zero.
func (f *function) window(op *ir.Op, e element) value.Value {
	last := op.NumOperands() - 1
	by := f.SExt(f.Resize(f.val(op.Operand(last)), ll.I16, true), ll.I64)
	lower := f.val(op.Operand(last - 1))
	upper := ll.Zero(lower.Type())
	if last == 2 {
		upper = f.val(op.Operand(0))
	}
	n := int64(ll.Lanes(lower.Type()))
	both := f.Slot(types.NewArray(2, lower.Type()))
	f.Store(lower, both, 1)
	f.Store(upper, f.At(lower.Type(), both, ll.Index(1)), 1)
	to := f.Slot(lower.Type())
	f.Loop("lane", ll.Index(n), func(i value.Value) {
		k := f.Add(i, by)
		inside := f.ICmp(enum.IPredULT, k, ll.Index(2*n))
		v := f.Load(e.t, f.At(e.t, both, f.Select(inside, k, ll.Index(0))), e.size)
		f.Store(f.Select(inside, v, ll.Zero(e.t)), f.At(e.t, to, i), e.size)
	})
	return f.Load(lower.Type(), to, 1)
}
