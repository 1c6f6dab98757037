// This file computes the bounds of fenced accesses and replaces the addresses of accesses
// outside of them.

package ll

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// compared emits a comparison of the address p with the bounds of the memory that
// contains another address, the parameter root. The result is p if it is inside or at the
// end of this memory, and Nowhere if it is not. steps are the address computations from
// the last compared address to p.
func (w *fencing) compared(p, root value.Value, steps []*llir.InstGetElementPtr) value.Value {
	e := w.extentOf(root)
	c := w.code()
	d := c.Sub(c.Emit(llir.NewPtrToInt(p, Shaped(I64, p))), e.start)
	in := w.withoutWraps(c, c.ICmp(enum.IPredULE, d, e.size), steps)
	safe := c.Select(in, p, Nowhere())
	w.put(p, c.Block.Insts)
	return safe
}

// stepsTo returns the address computations that lead to p from its root, the address with
// which the computation starts.
func (w *fencing) stepsTo(p value.Value) []*llir.InstGetElementPtr {
	var steps []*llir.InstGetElementPtr
	for {
		step, ok := p.(*llir.InstGetElementPtr)
		if !ok {
			return steps
		}
		steps, p = append(steps, step), step.Src
	}
}

// withoutWraps emits and returns an i1 that is true if two conditions hold. The first is
// the parameter holds, an i1. The second is that the address computations in the list
// steps do not overflow. The new instructions are appended to c.
func (w *fencing) withoutWraps(c *Code, holds value.Value, steps []*llir.InstGetElementPtr) value.Value {
	for _, step := range steps {
		if Lanes(step.Indices[0].Type()) > 0 {
			continue
		}
		if wraps := w.indexWraps(c, step); wraps != nil {
			holds = c.And(holds, c.Not(wraps))
		}
	}
	return holds
}

// indexWraps emits a test (an i1) of one step of an address computation, a GEP
// instruction of LLVM. The test is true if the product of the index and the element size
// may have overflowed. The result is nil if an overflow is impossible.
func (w *fencing) indexWraps(c *Code, step *llir.InstGetElementPtr) value.Value {
	i, size := step.Indices[0], typeBytes(step.ElemType)
	wraps := w.wrapped(i)
	if size == 1 || w.intervals.of(i).times(interval{size, size}).known() {
		return wraps
	}
	const most = mostExact >> 10
	far := c.ICmp(enum.IPredUGT, c.Add(i, Index(most)), Index(2*most))
	if wraps == nil {
		return far
	}
	return c.Or(wraps, far)
}

// wrapped emits an i1 that is true if the sum, difference or product x, or one of its
// operands, overflowed. It returns nil if none of them can overflow.
func (w *fencing) wrapped(x value.Value) value.Value {
	if v, ok := w.wraps[x]; ok {
		return v
	}
	w.wraps[x] = nil // what a cycle of phis sees
	if x.Type() != I64 || w.intervals.of(x).known() {
		return nil
	}
	name, a, b := "", value.Value(nil), value.Value(nil)
	switch x := x.(type) {
	case *llir.InstAdd:
		name, a, b = "llvm.sadd.with.overflow.i64", x.X, x.Y
	case *llir.InstSub:
		name, a, b = "llvm.ssub.with.overflow.i64", x.X, x.Y
	case *llir.InstMul:
		name, a, b = "llvm.smul.with.overflow.i64", x.X, x.Y
	default:
		return nil
	}
	parts := []value.Value{w.wrapped(a), w.wrapped(b)}
	c := w.code()
	both := c.Call(w.m.Intrinsic(name, types.NewStruct(I64, I1), I64, I64), a, b)
	out := c.Emit(llir.NewExtractValue(both, 1))
	for _, p := range parts {
		if p != nil {
			out = c.Or(out, p)
		}
	}
	w.put(x, c.Block.Insts)
	w.wraps[x] = out
	return out
}

// extentOf returns the start and the size of the memory that contains root, an address
// from which other addresses are computed.
func (w *fencing) extentOf(root value.Value) *buffer {
	if e := w.extents[root]; e != nil {
		return e
	}
	c := w.code()
	both := c.Call(w.extent, root)
	e := &buffer{c.Emit(llir.NewExtractValue(both, 0)), c.Emit(llir.NewExtractValue(both, 1))}
	w.extents[root] = e
	w.put(root, c.Block.Insts)
	return e
}

// access returns the address that instruction u must use instead of the unchecked address
// p.
func (w *fencing) access(u value.User, p pointer) value.Value {
	at := *p.at
	a := w.of(at)
	n := w.intervals.of(p.bytes)
	switch {
	case a.kind == trusted, a.kind == guarded && n.lo >= 0 && n.hi <= mostMoved:
		return a.use
	case a.kind == guarded:
		return w.chosen(u, a.use, func(c *Code) value.Value { return c.ICmp(enum.IPredULE, p.bytes, Index(mostMoved)) })
	}
	size := sizeOf(a.root)
	if a.steps.known() && a.steps.lo >= 0 && n.lo >= 0 && n.known() && a.steps.hi+n.hi <= size {
		return at
	}
	return w.chosen(u, at, func(c *Code) value.Value {
		d := c.Sub(c.Emit(llir.NewPtrToInt(at, Shaped(I64, at))), c.Emit(llir.NewPtrToInt(a.root, I64)))
		fits := c.ICmp(enum.IPredULE, d, c.Sub(Index(size), p.bytes))
		fits = c.And(fits, c.Like(c.ICmp(enum.IPredULE, p.bytes, Index(size)), fits))
		if Lanes(fits.Type()) > 0 {
			return fits
		}
		return w.withoutWraps(c, fits, w.stepsTo(at))
	})
}

// chosen emits a selection between two addresses before instruction u, and returns the
// selected address. The function holds emits the condition of the selection. If the
// condition is true, the selected address is p. If it is false, it is Nowhere, an address
// at which every access faults.
func (w *fencing) chosen(u value.User, p value.Value, holds func(c *Code) value.Value) value.Value {
	c := w.code()
	safe := c.Select(holds(c), p, Nowhere())
	w.before[u] = append(w.before[u], c.Block.Insts...)
	w.addresses[safe] = &fenced{root: safe, kind: trusted, use: safe}
	return safe
}

// sizeOf returns the size in bytes of the global or stack variable at the address in the
// parameter root. In some cases unused bytes (a guard) follow the variable; the result
// does not include them. For the address of a function, sizeOf returns 0.
func sizeOf(root value.Value) int64 {
	switch v := root.(address).Value.(type) {
	case *llir.Global:
		return typeBytes(v.ContentType)
	case *llir.InstAlloca:
		return typeBytes(v.ElemType)
	}
	return 0 // a function
}

// code returns an emitter for new instructions. Its instructions are not part of the
// function until insert adds them at the end.
func (w *fencing) code() *Code {
	return &Code{m: w.m, Func: w.f, Block: llir.NewBlock("")}
}

// put schedules the instructions insts for insertion. They are inserted directly after
// the instruction that computes v, or at the start of the function if v is not the result
// of an instruction.
func (w *fencing) put(v value.Value, insts []llir.Instruction) {
	if _, ok := v.(llir.Instruction); ok {
		w.after[v] = append(w.after[v], insts...)
		return
	}
	w.top = append(w.top, insts...)
}

// insert adds the instructions of the bounds checks to the blocks of the function.
// Earlier steps have recorded these instructions, each with its position: at the start of
// the function, before an instruction, or after one.
func (w *fencing) insert() {
	for k, b := range w.f.Blocks {
		var all, afterPhis []llir.Instruction
		if k == 0 {
			all = append(all, w.top...)
		}
		for _, i := range b.Insts {
			_, isPhi := i.(*llir.InstPhi)
			if !isPhi && afterPhis != nil {
				all, afterPhis = append(all, afterPhis...), nil
			}
			if u, ok := i.(value.User); ok {
				all = append(all, w.before[u]...)
			}
			all = append(all, i)
			v, isValue := i.(value.Value)
			switch {
			case isValue && isPhi:
				afterPhis = append(afterPhis, w.after[v]...)
			case isValue:
				all = append(all, w.after[v]...)
			}
		}
		b.Insts = append(all, afterPhis...)
	}
}

// typeBytes returns the size of a type in memory, in bytes.
func typeBytes(t types.Type) int64 {
	switch t := t.(type) {
	case *types.IntType:
		return int64(t.BitSize+7) / 8
	case *types.FloatType:
		return int64(WidthOf(t)) / 8
	case *types.VectorType:
		if n, ok := t.ElemType.(*types.IntType); ok {
			return int64(t.Len*n.BitSize+7) / 8
		}
		return int64(t.Len) * typeBytes(t.ElemType)
	case *types.ArrayType:
		return int64(t.Len) * typeBytes(t.ElemType)
	case *types.StructType:
		n := int64(0)
		for _, f := range t.Fields { // no field is aligned to more than its size or to 8 bytes
			size := typeBytes(f)
			n += (size + 7) / 8 * 8
		}
		return n
	case opaquePtr:
		return 8
	}
	panic("BUG: no size of " + t.String())
}
