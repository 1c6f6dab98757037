// This file emits reductions and histograms of vector registers.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// neutralOf returns the function of a reduction, and the bits of its neutral element in
// format f.
func neutralOf(op sem.ReduceOp, f num.Format) (*scalar.Fn, uint64) {
	switch op {
	case sem.ReduceMax:
		return scalar.Max, num.Extreme(f, true)
	case sem.ReduceMin:
		return scalar.Min, num.Extreme(f, false)
	}
	return scalar.Add, 0
}

// vecReduce emits an instruction that reduces the selected lanes of a register to one
// value, or to one value per group.
func (f *function) vecReduce(op *ir.Op, kind sem.VecReduce) {
	from, ok := f.register(op, op.Operand(0).Type())
	to, ok2 := f.register(op, op.Result(0).Type())
	if !ok || !ok2 {
		return
	}
	fn, neutral := neutralOf(kind.Op, to.f)
	if !f.supports(op, fn, to) {
		return
	}
	x := f.val(op.Operand(0))
	on := f.laneMask(f.val(maskArg(op)), from.size)
	n := ll.Lanes(x.Type())
	r := &reduction{f: f, op: op, fn: fn, e: to, on: on, start: ll.ConstantOf(to.f, neutral)}
	r.x = x
	if from.f != to.f {
		r.x = f.Convert(from.f, to.f, x, num.NearestEven, false)
	}
	switch kind.Into {
	case sem.PerBlock:
		f.set(op.Result(0), r.groups(blockBytes/from.size))
	case sem.PerPair:
		f.set(op.Result(0), r.groups(2))
	case sem.IntoFirst:
		f.set(op.Result(0), r.inFirst(r.all(n)))
	case sem.IntoIndexed:
		best := r.all(n)
		first := f.firstOf(f.And(on, f.sameAs(from, x, best)))
		none := f.ICmp(enum.IPredEQ, first, ll.Index(int64(n)))
		lane := f.Bitcast(f.Resize(f.Select(none, ll.Index(0), first), ll.IntType(8*to.size), false), to.t)
		f.set(op.Result(0), f.Insert(r.inFirst(best), lane, ll.Index(1)))
	case sem.IntoMasked:
		best := r.all(n)
		f.set(op.Result(0), r.inFirst(best))
		f.set(op.Result(1), f.maskOf(f.And(on, f.sameAs(from, x, best)), from.size))
	default:
		f.unsupported(op)
	}
}

// reduction emits a reduction of lanes. Sums of floats add neighbors pairwise in f32 and
// are rounded once; all other reductions combine the lanes in order.
type reduction struct {
	f  *function
	op *ir.Op
	// fn is the function that combines two values, and e is the type of the values.
	fn *scalar.Fn
	e  element
	// x is the vector of lanes to reduce, and on is a vector of i1 that selects lanes.
	x, on value.Value
	// start is the neutral element of fn, with which the reduction starts.
	start value.Value
}

// step emits one step of a reduction: the combination of the accumulated value acc with
// the lane x. The parameter on is an i1; if it is false, the result is acc.
func (r *reduction) step(acc, x, on value.Value) value.Value {
	return r.f.Select(on, r.f.applyTo(r.op, r.fn, r.e, acc, x), acc)
}

// The method all emits code that reduces the first n lanes of the operand to a single
// number.
func (r *reduction) all(n int) value.Value {
	f := r.f
	if r.sums() {
		return r.f.Extract(r.tree(1), ll.Index(0))
	}
	return f.Reduce("lane", ll.Index(int64(n)), []value.Value{r.start}, func(i value.Value, acc []value.Value) []value.Value {
		return []value.Value{r.step(acc[0], f.Extract(r.x, i), f.Extract(r.on, i))}
	})[0]
}

// groups emits the reduction of each group of lanes to one result. The parameter per is
// the number of lanes in a group. The results are in the first lanes of the returned
// register.
func (r *reduction) groups(per int) value.Value {
	f := r.f
	n := ll.Lanes(r.x.Type()) / per
	acc := f.Splat(r.start, n)
	if r.sums() {
		acc = r.tree(n)
	} else {
		for k := range per {
			indices := sequence(n, k, per)
			acc = r.step(acc, f.ShuffleOne(r.x, indices), f.ShuffleOne(r.on, indices))
		}
	}
	indices := sequence(pto.VectorBytes/r.e.size, n, 0)
	for i := range min(n, len(indices)) {
		indices[i] = i
	}
	return f.Shuffle(acc, ll.Zero(acc.Type()), indices)
}

// sums reports whether the reduction is a sum of floats.
func (r *reduction) sums() bool { return r.fn == scalar.Add && r.e.f.IsFloat() }

// tree emits repeated additions of neighboring lanes in a register. Each repetition
// halves the number of sums. The repetitions end when the number of sums is equal to the
// parameter left. Lanes that the mask does not select count as zero. Elements that are
// not f32 are added in f32.
func (r *reduction) tree(left int) value.Value {
	f := r.f
	x := f.onlyWhere(r.on, r.x, ll.Zero(r.x.Type()))
	if r.e.f != num.F32 {
		x = f.Convert(r.e.f, num.F32, x, num.NearestEven, false)
	}
	x = f.treeOf(x, left)
	if r.e.f != num.F32 {
		x = f.Convert(num.F32, r.e.f, x, num.NearestEven, false)
	}
	return x
}

// inFirst emits a register with x in lane 0 and zeros in the other lanes.
func (r *reduction) inFirst(x value.Value) value.Value {
	return r.f.Insert(ll.Zero(ll.VectorOf(pto.VectorBytes/r.e.size, r.e.t)), x, ll.Index(0))
}

// sameAs emits a mask of the lanes of x that equal the scalar in the parameter best. A
// lane and the scalar are equal if they have the same bits or if they are both NaN.
func (f *function) sameAs(e element, x, best value.Value) value.Value {
	same := f.ICmp(enum.IPredEQ, f.Bits(x), f.Bits(best))
	if !e.f.IsFloat() {
		return same
	}
	both := f.And(f.IsNaN(f.Decode(e.f, x)), f.Like(f.IsNaN(f.Decode(e.f, best)), x))
	return f.Or(same, both)
}

// firstOf emits the index of the first lane that a mask selects; the parameter on is this
// mask. If the mask selects no lane, the result is the number of lanes.
func (c *code) firstOf(on value.Value) value.Value {
	n := ll.Lanes(on.Type())
	return c.Resize(c.Cttz(c.Bitcast(on, ll.IntType(n))), ll.I64, false)
}

// vecHistogram emits an instruction that counts how often each byte value occurs. The 256
// counters are on the stack. The instruction adds either the lower or the upper 128
// counters to a register.
func (f *function) vecHistogram(op *ir.Op, kind sem.VecHistogram) {
	const bytes, bins = 256, 128
	o := sem.LaneCountsOf(op)
	bin := f.ZExt(f.val(o.Bin.Value), ll.I64)
	f.TrapIf(f.ICmp(enum.IPredUGT, bin, ll.Index(1)))
	counters := types.NewArray(bytes, ll.I16)
	t := f.Slot(counters)
	f.Store(ll.Zero(counters), t, 2)
	x, on := f.val(o.Source.Value), f.val(o.Mask.Value)
	f.Loop("byte", ll.Index(pto.VectorBytes), func(i value.Value) {
		at := f.At(ll.I16, t, f.ZExt(f.Extract(x, i), ll.I64))
		f.Store(f.Add(f.Load(ll.I16, at, 2), f.ZExt(f.Extract(on, i), ll.I16)), at, 2)
	})
	if kind.Cumulative {
		f.Loop("sum", ll.Index(bytes-1), func(i value.Value) {
			at := f.At(ll.I16, t, f.Add(i, ll.Index(1)))
			f.Store(f.Add(f.Load(ll.I16, at, 2), f.Load(ll.I16, f.At(ll.I16, t, i), 2)), at, 2)
		})
	}
	half := f.Load(ll.VectorOf(bins, ll.I16), f.At(ll.I16, t, f.Mul(bin, ll.Index(bins))), 2)
	f.set(op.Result(0), f.Add(f.val(o.Counts.Value), half))
}
