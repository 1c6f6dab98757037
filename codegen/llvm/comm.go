// This file emits communication through global memory: copies, signals and collective
// instructions.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Communication between ranks. A launch is one rank, as in the runtime: the
// memory of other ranks is here too, so that a copy is done where it stands.

// commView returns the view (address, shape and strides) in the operand v of a
// communication instruction. The instruction treats the view as a flat sequence of
// elements. ok is false after an error.
func (f *function) commView(op *ir.Op, v *ir.Value) (view, bool) {
	w, ok := f.viewOf(v)
	if !ok {
		f.unsupported(op)
	}
	return w, ok
}

// elementCount emits the number of elements of the view w, which is the product of its
// extents.
func (f *function) elementCount(w *view) value.Value { return f.axisLength(w, pto.WholeView) }

// elementPlace emits the address of the element with index i of the view w. The index
// counts the elements of the view in row-major order, from 0.
func (f *function) elementPlace(w *view, i value.Value) value.Value {
	return f.At(w.e.mem, w.base, f.axisOffset(w, pto.WholeView, i))
}

// copyElements emits a loop that copies n elements from the view src to the view dst. The
// parameter from is the number of the first element to read, and the parameter to is the
// number of the first element to write.
func (f *function) copyElements(dst, src *view, to, from, n value.Value) {
	f.Loop("element", n, func(i value.Value) {
		x := f.Load(src.e.mem, f.elementPlace(src, f.Add(from, i)), src.e.size)
		f.Store(x, f.elementPlace(dst, f.Add(to, i)), dst.e.size)
	})
}

// commCopy emits a communication instruction that copies one view to another, or adds one
// view to another element by element.
func (f *function) commCopy(op *ir.Op, _ sem.CommCopy) {
	o := sem.CommMoveOf(op)
	dst, ok := f.commView(op, o.Dst.Value)
	src, ok2 := f.commView(op, o.Src.Value)
	if !ok || !ok2 {
		return
	}
	n := f.elementCount(&src)
	f.TrapIf(f.ICmp(enum.IPredNE, n, f.elementCount(&dst)))
	if !o.Add {
		f.copyElements(&dst, &src, ll.Index(0), ll.Index(0), n)
		return
	}
	if !f.supports(op, scalar.Add, dst.e) {
		return
	}
	f.Loop("element", n, func(i value.Value) {
		at := f.elementPlace(&dst, i)
		x := f.loadElement(src.e, f.elementPlace(&src, i))
		f.storeElement(dst.e, f.applyTo(op, scalar.Add, dst.e, f.loadElement(dst.e, at), x), at)
	})
}

// commNotify emits an instruction that sets or increments a signal, which is a counter in
// global memory that another core waits for.
func (f *function) commNotify(op *ir.Op, _ sem.CommNotify) {
	o := sem.CommNotifyOf(op)
	signal, ok := f.commView(op, o.Signal.Value)
	if !ok {
		return
	}
	f.Loop("signal", f.elementCount(&signal), func(i value.Value) {
		at, x := f.elementPlace(&signal, i), f.Resize(f.val(o.Value.Value), signal.e.t, false)
		if o.Add {
			x = f.Add(f.loadElement(signal.e, at), x)
		}
		f.storeElement(signal.e, x, at)
	})
}

// signalCompares maps the comparison names of the dialect, such as "ge", to the LLVM
// predicates that compare a signal with the expected value.
var signalCompares = map[string]enum.IPred{
	"eq": enum.IPredEQ, "ne": enum.IPredNE, "gt": enum.IPredSGT, "ge": enum.IPredSGE, "lt": enum.IPredSLT, "le": enum.IPredSLE,
}

// commWait emits a wait until every element of a signal in global memory satisfies a
// comparison with an expected value. If kind.Test is set, the emitted code does not wait:
// it compares once, and the result of op is true if the comparison holds.
func (f *function) commWait(op *ir.Op, kind sem.CommWait) {
	o := sem.CommWaitOf(op)
	signal, ok := f.commView(op, o.Signal.Value)
	compare, known := signalCompares[o.Compare]
	if !ok {
		return
	}
	if !known {
		f.unsupported(op)
		return
	}
	up := func() value.Value {
		want := f.Resize(f.val(o.Value.Value), signal.e.t, false)
		return f.Reduce("signal", f.elementCount(&signal), []value.Value{ll.Integer(ll.I1, 1)}, func(i value.Value, acc []value.Value) []value.Value {
			x := f.loadElement(signal.e, f.elementPlace(&signal, i))
			return []value.Value{f.And(acc[0], f.ICmp(compare, x, want))}
		})[0]
	}
	if kind.Test {
		f.set(op.Result(0), up())
		return
	}
	f.until(up)
}

// commEvent emits the test whether an asynchronous copy is complete. The result is always
// true, because the emitted code performs copies immediately.
func (f *function) commEvent(op *ir.Op, _ sem.CommEvent) { f.set(op.Result(0), ll.Integer(ll.I1, 1)) }

// commCollective emits a collective communication instruction, such as a broadcast or a
// reduction, on a group of ranks.
func (f *function) commCollective(op *ir.Op, kind sem.CommCollective) {
	o := sem.CommGroupOf(op)
	data, ok := f.commView(op, o.Data.Value)
	var members []view
	for _, v := range o.Members {
		m, known := f.commView(op, v.Value)
		members, ok = append(members, m), ok && known
	}
	if !ok {
		return
	}
	all := f.elementCount(&data)
	if kind.Kind == sem.Reduce {
		f.reduceMembers(op, o.Reduce, &data, members, all)
		return
	}
	at := value.Value(ll.Index(0))
	for _, m := range members {
		n := f.elementCount(&m)
		if kind.Kind == sem.Broadcast {
			f.TrapIf(f.ICmp(enum.IPredSLT, n, all))
			f.copyElements(&m, &data, ll.Index(0), ll.Index(0), all)
			continue
		}
		f.TrapIf(f.ICmp(enum.IPredSGT, f.Add(at, n), all))
		if kind.Kind == sem.Scatter {
			f.copyElements(&m, &data, ll.Index(0), at, n)
		} else {
			f.copyElements(&data, &m, at, ll.Index(0), n)
		}
		at = f.Add(at, n)
	}
}

// reduceMembers emits a reduction over the members of a group of ranks. Each member is a
// view. For each index i below the parameter all, the emitted code combines element i of
// all members with the function fn, and stores the result as element i of the view data.
// The code traps if a member has fewer than all elements. It combines the members in the
// order of their ranks, so its rounding errors equal those of the interpreter written in
// Go.
func (f *function) reduceMembers(op *ir.Op, fn *scalar.Fn, data *view, members []view, all value.Value) {
	if fn == nil {
		f.unsupported(op)
		return
	}
	if !f.supports(op, fn, data.e) {
		return
	}
	for _, m := range members {
		f.TrapIf(f.ICmp(enum.IPredSLT, f.elementCount(&m), all))
	}
	f.Loop("element", all, func(i value.Value) {
		sum := f.loadElement(members[0].e, f.elementPlace(&members[0], i))
		for _, m := range members[1:] {
			sum = f.applyTo(op, fn, m.e, sum, f.loadElement(m.e, f.elementPlace(&m, i)))
		}
		f.storeElement(data.e, sum, f.elementPlace(data, i))
	})
}
