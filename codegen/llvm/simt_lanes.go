// This file emits the instructions with which work items exchange values, and atomic
// memory operations.

package llvm

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// toWord emits the bits of a scalar or short vector as an i64.
func (c *code) toWord(x value.Value) value.Value {
	return c.ZExt(c.Bitcast(x, ll.IntType(sizeOf(x.Type()))), ll.I64)
}

// fromWord emits the value of type t whose bits are in the i64 x. It is the reverse of
// the conversion that toWord emits.
func (c *code) fromWord(x value.Value, t types.Type) value.Value {
	return c.Bitcast(c.Trunc(x, ll.IntType(sizeOf(t))), t)
}

// sizeOf returns the width of a type in bits, including all its elements.
func sizeOf(t types.Type) int { return ll.WidthOf(t) * max(ll.Lanes(t), 1) }

// lanesBeside emits a bit mask of lanes of the subgroup. Depending on the instruction,
// the mask contains the lanes whose index is lower than, equal to or higher than the
// index of the current work item.
func (f *function) lanesBeside(op *ir.Op, kind sem.LaneMask) {
	same := f.Shl(ll.Index(1), f.lane())
	below := f.Sub(same, ll.Index(1))
	m := value.Value(ll.Index(0))
	if kind.Below {
		m = f.Or(m, below)
	}
	if kind.Same {
		m = f.Or(m, same)
	}
	if kind.Above {
		m = f.Or(m, f.Not(f.Or(same, below)))
	}
	f.set(op.Result(0), f.Resize(m, intTypeOf(op.Result(0).Type()), false))
}

// syncThreads emits a barrier at which all work items of the launch wait for each other.
func (f *function) syncThreads(op *ir.Op, _ sem.SyncThreads) {
	f.meet(op, ll.Index(0), ll.Index(0), nil)
}

// combiner returns a helper function with the given name. The helper computes the results
// of an exchange of values between the lanes of a subgroup. The parameter body is a
// function that emits the code of the helper. The argument lanes of body gives access to
// the states of the lanes, and the argument mask is the bit mask of the participating
// lanes.
func (c *code) combiner(name string, body func(lanes tasks, mask value.Value)) *llir.Func {
	combine := c.private("lanes."+name, ll.Void, []types.Type{ll.Ptr, ll.I64}, func(c *code, args []value.Value) value.Value {
		body(tasks{c, args[0]}, args[1])
		return nil
	})
	// It accesses words of lanes below subgroup only: loops end there, the lowest lane of
	// a set that is not empty is below it, and laneShuffle reads another lane only if
	// its number is. A lane's values never become an address.
	c.Trust(combine)
	return combine
}

// combineLanes emits op, an instruction that exchanges values between the work items of a
// subgroup. Each work item contributes the first operand of op. The parameter control is
// a second value that each work item contributes, such as the index of the lane to read.
// The parameter combine is the helper function that computes the results.
func (f *function) combineLanes(op *ir.Op, control value.Value, combine *llir.Func) {
	out := f.meet(op, f.toWord(f.val(op.Operand(0))), control, combine)
	f.set(op.Result(0), f.fromWord(out, intTypeOf(op.Result(0).Type())))
}

// vote emits an instruction that combines one bit of each work item of a subgroup, such
// as "all" or "any".
func (f *function) vote(op *ir.Op, kind sem.Vote) {
	f.combineLanes(op, ll.Index(0), f.combiner(fmt.Sprintf("vote.%d", kind.Kind), func(lanes tasks, mask value.Value) {
		set := lanes.reduce(mask, ll.Index(0), func(i, acc value.Value) value.Value {
			yes := lanes.c.ICmp(enum.IPredNE, lanes.read(i, taskBits), ll.Index(0))
			return lanes.c.Or(acc, lanes.c.Shl(lanes.c.ZExt(yes, ll.I64), i))
		})
		all, none := lanes.c.ICmp(enum.IPredEQ, set, mask), lanes.c.ICmp(enum.IPredEQ, set, ll.Index(0))
		out := set
		switch kind.Kind {
		case sem.VoteAll:
			out = lanes.c.ZExt(all, ll.I64)
		case sem.VoteAny:
			out = lanes.c.ZExt(lanes.c.Not(none), ll.I64)
		case sem.VoteUniform:
			out = lanes.c.ZExt(lanes.c.Or(all, none), ll.I64)
		}
		lanes.each(mask, func(i value.Value) { lanes.write(i, taskOut, out) })
	}))
}

// reduce emits a loop over the lanes whose bits in mask are set, in increasing order of
// lanes. The loop computes one value, which starts as init. For lane i, the parameter
// body emits the code that combines lane i with the accumulated value acc, and returns
// the new value.
func (t tasks) reduce(mask, init value.Value, body func(i, acc value.Value) value.Value) value.Value {
	return t.c.Reduce("lane", ll.Index(subgroup), []value.Value{init}, func(i value.Value, acc []value.Value) []value.Value {
		next := t.c.Choose("takes_part", t.c.has(mask, i), func() value.Value { return body(i, acc[0]) }, func() value.Value { return acc[0] })
		return []value.Value{next}
	})[0]
}

// laneShuffle emits an instruction that reads the value of another work item of the
// subgroup. If that work item does not exist, the result is the value of the reading work
// item itself.
func (f *function) laneShuffle(op *ir.Op, kind sem.LaneShuffle) {
	if msg := analysis.CheckShuffle(op); msg != "" {
		f.errorf(op, "%s", msg)
		return
	}
	width := sem.ShuffleWidth(op)
	control := f.SExt(f.Resize(f.val(op.Operand(1)), ll.I32, true), ll.I64)
	f.combineLanes(op, control, f.combiner(fmt.Sprintf("shuffle.%d.%d", kind.Kind, width), func(lanes tasks, mask value.Value) {
		lanes.each(mask, func(lane value.Value) {
			i, x := lanes.c.Rem(lane, width), lanes.read(lane, taskControl)
			j := x
			switch kind.Kind {
			case sem.ShuffleUp:
				j = lanes.c.Sub(i, x)
			case sem.ShuffleDown:
				j = lanes.c.Add(i, x)
			case sem.ShuffleXor:
				j = lanes.c.Xor(i, x)
			}
			from := lanes.c.Add(lanes.c.Sub(lane, i), lanes.c.And(j, ll.Index(subgroup-1)))
			there := lanes.c.And(lanes.c.ICmp(enum.IPredULT, j, ll.Index(width)), lanes.c.has(mask, lanes.c.And(from, ll.Index(63))))
			lanes.write(lane, taskOut, lanes.read(lanes.c.Select(there, from, lane), taskBits))
		})
	}))
}

// laneReduce emits an instruction that combines the values of all work items of a
// subgroup, for example their sum.
func (f *function) laneReduce(op *ir.Op, kind sem.LaneReduce) {
	format, ok := f.formatOf(op, op.Operand(0).Type())
	how := kind.For(op)
	if !ok {
		return
	}
	if !ll.Has(how) || !how.Supports(format) {
		f.errorf(op, "applies the function %s to elements of type %s, which the LLVM IR emitter does not support", how, format)
		return
	}
	t := intTypeOf(op.Operand(0).Type())
	f.combineLanes(op, ll.Index(0), f.combiner(fmt.Sprintf("reduce.%s.%s", how, format), func(lanes tasks, mask value.Value) {
		first := lanes.c.lowest(mask)
		others := lanes.c.And(mask, lanes.c.Sub(mask, ll.Index(1)))
		out := lanes.reduce(others, lanes.read(first, taskBits), func(i, acc value.Value) value.Value {
			x, _ := lanes.c.Apply(how, format, lanes.c.fromWord(acc, t), lanes.c.fromWord(lanes.read(i, taskBits), t))
			return lanes.c.toWord(x)
		})
		lanes.each(mask, func(i value.Value) { lanes.write(i, taskOut, out) })
	}))
}

// signedMap emits an elementwise instruction on scalars. An attribute of op selects
// whether the instruction treats integers as signed or unsigned.
func (f *function) signedMap(op *ir.Op, kind sem.SignedMap) {
	f.elementwise(op, scalar.Elementwise{Fn: kind.For(op)})
}

// wideProduct emits the multiplication of two i32 values to an i64 product.
func (f *function) wideProduct(op *ir.Op, _ sem.WideProduct) {
	signed := !sem.Unsigned(op)
	f.set(op.Result(0), f.Mul(f.Resize(f.val(op.Operand(0)), ll.I64, signed), f.Resize(f.val(op.Operand(1)), ll.I64, signed)))
}

// permuteBytes emits an instruction that selects each byte of a 32-bit word from the
// eight bytes of two other words.
func (f *function) permuteBytes(op *ir.Op, _ sem.PermuteBytes) {
	o := sem.ByteChoiceOf(op)
	both := f.Or(f.Shl(f.ZExt(f.val(o.Lhs.Value), ll.I64), ll.Index(32)), f.ZExt(f.val(o.Rhs.Value), ll.I64))
	selector, out := f.ZExt(f.val(o.Selector.Value), ll.I64), value.Value(ll.Index(0))
	for i := range int64(4) {
		which := f.And(f.LShr(selector, ll.Index(4*i)), ll.Index(7))
		b := f.And(f.LShr(both, f.Mul(which, ll.Index(8))), ll.Index(0xFF))
		out = f.Or(out, f.Shl(b, ll.Index(8*i)))
	}
	f.set(op.Result(0), f.Trunc(out, ll.I32))
}

// simtConvert emits the conversion of a number, or of several numbers that are packed in
// one value, to another format.
func (f *function) simtConvert(op *ir.Op, _ sem.SimtConvert) {
	how := sem.ConversionOf(op)
	from, ok := f.formatOf(op, op.Operand(0).Type())
	to, ok2 := f.formatOf(op, op.Result(0).Type())
	if !ok || !ok2 {
		return
	}
	x, t := f.val(op.Operand(0)), intTypeOf(op.Result(0).Type())
	n := max(packedIn(op.Operand(0).Type()), packedIn(op.Result(0).Type()))
	if n < 2 {
		f.set(op.Result(0), f.CastTo(how, from, to, x, how.Rounding))
		return
	}
	bits, out := f.toWord(x), value.Value(ll.Index(0))
	for i := range int64(n) {
		lane := f.fromWord(f.LShr(bits, ll.Index(i*int64(from.Bits()))), ll.ElementType(from))
		y := f.toWord(f.CastTo(how, from, to, lane, how.Rounding))
		out = f.Or(out, f.Shl(y, ll.Index(i*int64(to.Bits()))))
	}
	f.set(op.Result(0), f.fromWord(out, t))
}

// packedIn returns how many numbers one element of type t contains. The result is more
// than 1 for packed types, such as pairs of 4-bit numbers.
func packedIn(t ir.Type) int {
	d, ok := ir.As[pto.ElemType](t)
	if !ok {
		return 1
	}
	return 8 * pto.ByteSize(t) / d.Format().Bits()
}

// Atomics. What is in memory is replaced only if it still is what was read.

// atomicUpdate emits an atomic instruction that combines the old contents of memory with
// an operand.
func (f *function) atomicUpdate(op *ir.Op, kind sem.AtomicChange) {
	o := sem.AtomicAccessOf(op)
	e, ok := elementOfType(ir.ElementType(o.Value.Type()))
	if ok && f.supports(op, kind.For(op), e) {
		x := f.val(o.Value.Value)
		f.atomic(op, func(old value.Value) value.Value { return f.applyTo(op, kind.For(op), e, old, x) })
	}
}

// atomicExchange emits an instruction that atomically stores an operand to memory and
// returns the old contents.
func (f *function) atomicExchange(op *ir.Op) {
	x := f.val(sem.AtomicAccessOf(op).Value.Value)
	f.atomic(op, func(value.Value) value.Value { return x })
}

// atomicCompare emits an atomic compare-and-swap instruction.
func (f *function) atomicCompare(op *ir.Op) {
	o := sem.AtomicAccessOf(op)
	x, compare := f.val(o.Value.Value), f.toWord(f.val(o.Compare.Value))
	f.atomic(op, func(old value.Value) value.Value {
		return f.Select(f.ICmp(enum.IPredEQ, f.toWord(old), compare), x, old)
	})
}

// atomic emits an atomic update of memory as a compare-and-swap loop. The function update
// emits the computation of the new value.
func (f *function) atomic(op *ir.Op, update func(old value.Value) value.Value) {
	o := sem.AtomicAccessOf(op)
	t := intTypeOf(o.Value.Type())
	words, at := ll.IntType(sizeOf(t)), f.val(o.Pointer.Value)
	before, again, done := f.Block, f.NewBlock("again"), f.NewBlock("replaced")
	first := f.Load(words, at, sizeOf(t)/8)
	f.Jump(again)
	f.Enter(again)
	old := f.Phi(words, first, before)
	next := f.Bitcast(update(f.Bitcast(old, t)), words)
	swap := &llir.InstCmpXchg{
		Ptr: at, Cmp: old, New: next, Typ: types.NewStruct(words, ll.I1),
		SuccessOrdering: enum.AtomicOrderingSequentiallyConsistent, FailureOrdering: enum.AtomicOrderingSequentiallyConsistent,
	}
	f.Do(swap)
	ll.AddIncoming(old, f.Emit(llir.NewExtractValue(swap, 0)), f.Block)
	f.Branch(f.Emit(llir.NewExtractValue(swap, 1)), done, again)
	f.Enter(done)
	f.set(op.Result(0), f.Bitcast(old, t))
}

// atomicAccess emits the atomic memory operation that kind selects: an exchange, a
// compare-and-swap, or an update that combines memory with an operand.
func (f *function) atomicAccess(op *ir.Op, kind sem.AtomicChange) {
	switch kind.Act {
	case sem.AtomicExchange:
		f.atomicExchange(op)
	case sem.AtomicCompare:
		f.atomicCompare(op)
	case sem.AtomicUpdate:
		f.atomicUpdate(op, kind)
	}
}
