package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// neutralOf returns the function of a reduction, and the value that changes
// nothing.
func neutralOf(op sem.ReduceOp, f num.Format) (*scalar.Fn, uint64) {
	switch op {
	case sem.ReduceMax:
		return scalar.Max, extremeBits(f, true)
	case sem.ReduceMin:
		return scalar.Min, extremeBits(f, false)
	}
	return scalar.Add, 0
}

// vecReduce writes a reduction of the selected lanes.
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
	n := lanes(x.Type())
	r := &reduction{f: f, op: op, fn: fn, e: to, on: on, start: constantOf(to.f, neutral)}
	r.x = x
	if from.f != to.f {
		r.x = f.convert(from.f, to.f, x, num.NearestEven, false)
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
		first := f.firstOf(f.and(on, f.sameAs(from, x, best)))
		none := f.icmp(enum.IPredEQ, first, index(int64(n)))
		lane := f.bitcast(f.resize(f.sel(none, index(0), first), intType(8*to.size), false), to.t)
		f.set(op.Result(0), f.insert(r.inFirst(best), lane, index(1)))
	case sem.IntoMasked:
		best := r.all(n)
		f.set(op.Result(0), r.inFirst(best))
		f.set(op.Result(1), f.maskOf(f.and(on, f.sameAs(from, x, best)), from.size))
	default:
		f.unsupported(op)
	}
}

// reduction combines lanes in their order, each step rounded to the format.
type reduction struct {
	f     *function
	op    *ir.Op
	fn    *scalar.Fn
	e     element
	x, on value.Value
	start value.Value
}

// step combines what there is with one more lane, if it is selected.
func (r *reduction) step(acc, x, on value.Value) value.Value {
	return r.f.sel(on, r.f.applyTo(r.op, r.fn, r.e, acc, x), acc)
}

// all combines all n lanes in a loop.
func (r *reduction) all(n int) value.Value {
	f := r.f
	return f.reduce("lane", index(int64(n)), []value.Value{r.start}, func(i value.Value, acc []value.Value) []value.Value {
		return []value.Value{r.step(acc[0], f.extract(r.x, i), f.extract(r.on, i))}
	})[0]
}

// groups combines each group of lanes; the results stand at the front. The
// groups are the lanes of shorter vectors here.
func (r *reduction) groups(per int) value.Value {
	f := r.f
	n := lanes(r.x.Type()) / per
	acc := f.splat(r.start, n)
	for k := range per {
		pick := sequence(n, k, per)
		acc = r.step(acc, f.pickOf(r.x, pick), f.pickOf(r.on, pick))
	}
	pick := sequence(pto.VectorBytes/r.e.size, n, 0)
	for i := range min(n, len(pick)) {
		pick[i] = i
	}
	return f.shuffle(acc, zero(acc.Type()), pick)
}

// inFirst is a register with x in lane 0 and zeros behind.
func (r *reduction) inFirst(x value.Value) value.Value {
	return r.f.insert(zero(vectorOf(pto.VectorBytes/r.e.size, r.e.t)), x, index(0))
}

// sameAs tells in which lanes x is best: the same bits, or NaN as well.
func (f *function) sameAs(e element, x, best value.Value) value.Value {
	same := f.icmp(enum.IPredEQ, f.bits(x), f.bits(best))
	if !e.f.IsFloat() {
		return same
	}
	both := f.and(f.isNaN(f.decode(e.f, x)), f.like(f.isNaN(f.decode(e.f, best)), x))
	return f.or(same, both)
}

// firstOf is the number of the first lane that is on, or that of lanes if none
// is.
func (c *code) firstOf(on value.Value) value.Value {
	n := lanes(on.Type())
	return c.resize(c.cttz(c.bitcast(on, intType(n))), i64, false)
}

// vecHistogram writes counting bytes, in a table of 256 counters on the stack.
func (f *function) vecHistogram(op *ir.Op, kind sem.VecHistogram) {
	const bytes, bins = 256, 128
	bin := f.zext(f.arg(op, "bin"), i64)
	f.trapIf(f.icmp(enum.IPredUGT, bin, index(1)))
	counters := types.NewArray(bytes, i16)
	t := f.slot(counters)
	f.store(zero(counters), t, 2)
	x, on := f.arg(op, "source"), f.arg(op, "mask")
	f.loop("byte", index(pto.VectorBytes), func(i value.Value) {
		at := f.at(i16, t, f.zext(f.extract(x, i), i64))
		f.store(f.add(f.load(i16, at, 2), f.zext(f.extract(on, i), i16)), at, 2)
	})
	if kind.Cumulative {
		f.loop("sum", index(bytes-1), func(i value.Value) {
			at := f.at(i16, t, f.add(i, index(1)))
			f.store(f.add(f.load(i16, at, 2), f.load(i16, f.at(i16, t, i), 2)), at, 2)
		})
	}
	half := f.load(vectorOf(bins, i16), f.at(i16, t, f.mul(bin, index(bins))), 2)
	f.set(op.Result(0), f.add(f.arg(op, "acc"), half))
}

// extremeBits is the largest or the smallest element: an infinity if there is
// one.
func extremeBits(f num.Format, smallest bool) uint64 {
	if inf, ok := num.Inf(f, smallest); ok {
		return inf
	}
	if smallest {
		return num.Lowest(f)
	}
	return num.Max(f)
}
