package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// vecRearrange writes a move of lanes.
func (f *function) vecRearrange(op *ir.Op, kind sem.VecRearrange) {
	from, ok := elementOfType(ir.ElementType(op.Operand(0).Type()))
	ts, _ := partsOf(op.Result(0).Type())
	if !ok {
		f.unsupported(op)
		return
	}
	x, n := f.val(op.Operand(0)), pto.VectorBytes/from.size
	result := func(y value.Value) { f.set(op.Result(0), f.bitcast(y, ts[0])) }
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
		result(f.narrow(f.bits(x), n, op))
	case sem.WidenSigned, sem.WidenZero:
		result(f.widen(f.bits(x), f.val(op.Operand(1)), n, kind.Kind == sem.WidenSigned))
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

// interleave numbers the lanes of two registers that follow each other so
// that they take turns: first the lower halves, then the upper ones.
func interleave(n int) [2][]int {
	var out [2][]int
	for half := range out {
		for i := range n / 2 {
			out[half] = append(out[half], half*n/2+i, n+half*n/2+i)
		}
	}
	return out
}

// pair sets two results to lanes of two registers; an instruction with one
// result names it.
func (f *function) pair(op *ir.Op, x, y value.Value, pick [2][]int) {
	if op.NumResults() == 2 {
		f.set(op.Result(0), f.shuffle(x, y, pick[0]))
		f.set(op.Result(1), f.shuffle(x, y, pick[1]))
		return
	}
	f.set(op.Result(0), f.shuffle(x, y, pick[upperHalf(op)]))
}

// upperHalf is 1 if attribute part names the upper half, else 0.
func upperHalf(op *ir.Op) int {
	if part, _ := op.Attr("part").AsString(); part == "HIGHER" {
		return 1
	}
	return 0
}

// spill puts a vector into memory, where its lanes can be found by number.
func (f *function) spill(x value.Value) value.Value {
	p := f.slot(x.Type())
	f.store(x, p, 1)
	return p
}

// compact moves the lanes that are on to the front. It writes every lane to
// the place behind those kept so far, as zero if it is off.
func (f *function) compact(x, on value.Value, e element) value.Value {
	n := lanes(x.Type())
	t := x.Type()
	p := f.slot(t)
	f.store(zero(t), p, 1)
	from := f.spill(x)
	kept := f.reduce("lane", index(int64(n)), []value.Value{index(0)}, func(i value.Value, acc []value.Value) []value.Value {
		keep := f.extract(on, i)
		v := f.load(e.t, f.at(e.t, from, i), e.size)
		f.store(f.sel(keep, v, zero(e.t)), f.at(e.t, p, acc[0]), e.size)
		return []value.Value{f.add(acc[0], f.zext(keep, i64))}
	})[0]
	f.setState("compacted", f.mul(kept, index(int64(e.size))))
	return f.load(t, p, 1)
}

// countBefore sets each lane to the number of lanes before it that are on.
func (f *function) countBefore(on value.Value, e element) value.Value {
	n := lanes(on.Type())
	t := intType(8 * e.size)
	p := f.slot(vectorOf(n, t))
	f.reduce("lane", index(int64(n)), []value.Value{word{t, 0}}, func(i value.Value, acc []value.Value) []value.Value {
		f.store(acc[0], f.at(t, p, i), e.size)
		return []value.Value{f.add(acc[0], f.resize(f.extract(on, i), t, false))}
	})
	return f.load(vectorOf(n, t), p, 1)
}

// narrow cuts lanes to half their width, into one half of the result.
func (f *function) narrow(x value.Value, n int, op *ir.Op) value.Value {
	cut := f.trunc(x, intType(widthOf(x.Type())/2))
	pick := sequence(2*n, n, 0)
	for i := range n {
		pick[upperHalf(op)*n+i] = i
	}
	return f.shuffle(cut, zero(cut.Type()), pick)
}

// widen extends the lanes of one half to twice their width.
func (f *function) widen(x, part value.Value, n int, signed bool) value.Value {
	upper := f.icmp(enum.IPredNE, part, f.int(part, 0))
	half := f.sel(upper, f.pickOf(x, sequence(n/2, n/2, 1)), f.pickOf(x, sequence(n/2, 0, 1)))
	return f.resize(half, intType(2*widthOf(x.Type())), signed)
}

// permute sets each lane to the lane that index names, modulo their number,
// which is a power of two.
func (f *function) permute(x, at value.Value, n int) value.Value {
	e := elementOf(x.Type())
	size := widthOf(e) / 8
	from := f.spill(x)
	to := f.slot(x.Type())
	f.loop("lane", index(int64(n)), func(i value.Value) {
		k := f.and(f.resize(f.extract(at, i), i64, false), index(int64(n-1)))
		f.store(f.load(e, f.at(e, from, k), size), f.at(e, to, i), size)
	})
	return f.load(x.Type(), to, 1)
}

// window takes a register from the middle of two, the lower one last among the
// operands, or of one and zeros.
func (f *function) window(op *ir.Op, e element) value.Value {
	last := op.NumOperands() - 1
	by := f.sext(f.resize(f.val(op.Operand(last)), i16, true), i64)
	lower := f.val(op.Operand(last - 1))
	upper := zero(lower.Type())
	if last == 2 {
		upper = f.val(op.Operand(0))
	}
	n := int64(lanes(lower.Type()))
	both := f.slot(types.NewArray(2, lower.Type()))
	f.store(lower, both, 1)
	f.store(upper, f.at(lower.Type(), both, index(1)), 1)
	to := f.slot(lower.Type())
	f.loop("lane", index(n), func(i value.Value) {
		k := f.add(i, by)
		inside := f.icmp(enum.IPredULT, k, index(2*n))
		v := f.load(e.t, f.at(e.t, both, f.sel(inside, k, index(0))), e.size)
		f.store(f.sel(inside, v, zero(e.t)), f.at(e.t, to, i), e.size)
	})
	return f.load(lower.Type(), to, 1)
}
