package codegen

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// toWord gives the bits of a number, or of a short vector, as an i64.
func (c *code) toWord(x value.Value) value.Value {
	return c.zext(c.bitcast(x, intType(sizeOf(x.Type()))), i64)
}

// fromWord is the reverse.
func (c *code) fromWord(x value.Value, t types.Type) value.Value {
	return c.bitcast(c.trunc(x, intType(sizeOf(t))), t)
}

// sizeOf is the width of a type in bits, of all its elements.
func sizeOf(t types.Type) int { return widthOf(t) * max(lanes(t), 1) }

// lanesBeside writes the set of lanes that stand below, at or above this one.
func (f *function) lanesBeside(op *ir.Op, kind sem.LaneMask) {
	same := f.shl(index(1), f.lane())
	below := f.sub(same, index(1))
	m := value.Value(index(0))
	if kind.Below {
		m = f.or(m, below)
	}
	if kind.Same {
		m = f.or(m, same)
	}
	if kind.Above {
		m = f.or(m, f.not(f.or(same, below)))
	}
	f.set(op.Result(0), f.resize(m, intTypeOf(op.Result(0).Type()), false))
}

// syncThreads writes waiting for all work items of the launch.
func (f *function) syncThreads(op *ir.Op) { f.meet(op, index(0), index(0), nil) }

// combiner is a routine that gives the lanes of a set what they get.
func (c *code) combiner(name string, body func(lanes tasks, mask value.Value)) *llir.Func {
	return c.private("lanes."+name, void, []types.Type{ptr, i64}, func(c *code, args []value.Value) value.Value {
		body(tasks{c, args[0]}, args[1])
		return nil
	})
}

// combineLanes writes an instruction that combines values of lanes.
func (f *function) combineLanes(op *ir.Op, control value.Value, combine *llir.Func) {
	out := f.meet(op, f.toWord(f.val(op.Operand(0))), control, combine)
	f.set(op.Result(0), f.fromWord(out, intTypeOf(op.Result(0).Type())))
}

// vote writes combining one bit per lane.
func (f *function) vote(op *ir.Op, kind sem.Vote) {
	f.combineLanes(op, index(0), f.combiner(fmt.Sprintf("vote.%d", kind.Kind), func(lanes tasks, mask value.Value) {
		set := lanes.fold(mask, index(0), func(i, acc value.Value) value.Value {
			yes := lanes.icmp(enum.IPredNE, lanes.read(i, taskBits), index(0))
			return lanes.or(acc, lanes.shl(lanes.zext(yes, i64), i))
		})
		all, none := lanes.icmp(enum.IPredEQ, set, mask), lanes.icmp(enum.IPredEQ, set, index(0))
		out := set
		switch kind.Kind {
		case sem.VoteAll:
			out = lanes.zext(all, i64)
		case sem.VoteAny:
			out = lanes.zext(lanes.not(none), i64)
		case sem.VoteUniform:
			out = lanes.zext(lanes.or(all, none), i64)
		}
		lanes.each(mask, func(i value.Value) { lanes.write(i, taskOut, out) })
	}))
}

// fold combines a value with every lane of a set, from the lowest up.
func (t tasks) fold(mask, init value.Value, body func(i, acc value.Value) value.Value) value.Value {
	return t.reduce("lane", index(subgroup), []value.Value{init}, func(i value.Value, acc []value.Value) []value.Value {
		next := t.choose("takes_part", t.has(mask, i), func() value.Value { return body(i, acc[0]) }, func() value.Value { return acc[0] })
		return []value.Value{next}
	})[0]
}

// laneShuffle writes reading the value of another lane. Where that lane is not
// there, a lane keeps its own.
func (f *function) laneShuffle(op *ir.Op, kind sem.LaneShuffle) {
	width, _ := op.Attr("width").AsInt()
	if width < 1 || width > subgroup {
		f.errorf(op, "shuffles groups of %d lanes, but a subgroup has %d", width, subgroup)
		return
	}
	control := f.sext(f.resize(f.val(op.Operand(1)), i32, true), i64)
	f.combineLanes(op, control, f.combiner(fmt.Sprintf("shuffle.%d.%d", kind.Kind, width), func(lanes tasks, mask value.Value) {
		lanes.each(mask, func(lane value.Value) {
			i, x := lanes.rest(lane, width), lanes.read(lane, taskControl)
			j := x
			switch kind.Kind {
			case sem.ShuffleUp:
				j = lanes.sub(i, x)
			case sem.ShuffleDown:
				j = lanes.add(i, x)
			case sem.ShuffleXor:
				j = lanes.xor(i, x)
			}
			from := lanes.add(lanes.sub(lane, i), lanes.and(j, index(subgroup-1)))
			there := lanes.and(lanes.icmp(enum.IPredULT, j, index(width)), lanes.has(mask, lanes.and(from, index(63))))
			lanes.write(lane, taskOut, lanes.read(lanes.sel(there, from, lane), taskBits))
		})
	}))
}

// laneReduce writes combining the values of all lanes.
func (f *function) laneReduce(op *ir.Op, kind sem.LaneReduce) {
	format, ok := f.formatOf(op, op.Operand(0).Type())
	how := kind.For(op)
	if !ok {
		return
	}
	if _, known := fnCodes[how]; !known || !how.Supports(format) {
		f.errorf(op, "computes %s on %s, which cannot be written as LLVM IR", how, format)
		return
	}
	t := intTypeOf(op.Operand(0).Type())
	f.combineLanes(op, index(0), f.combiner(fmt.Sprintf("reduce.%s.%s", how, format), func(lanes tasks, mask value.Value) {
		first := lanes.lowest(mask)
		others := lanes.and(mask, lanes.sub(mask, index(1)))
		out := lanes.fold(others, lanes.read(first, taskBits), func(i, acc value.Value) value.Value {
			x, _ := lanes.apply(how, format, lanes.fromWord(acc, t), lanes.fromWord(lanes.read(i, taskBits), t))
			return lanes.toWord(x)
		})
		lanes.each(mask, func(i value.Value) { lanes.write(i, taskOut, out) })
	}))
}

// signedMap writes a function that an attribute selects.
func (f *function) signedMap(op *ir.Op, kind sem.SignedMap) {
	f.elementwise(op, scalar.Elementwise{Fn: kind.For(op)})
}

// wideProduct writes the product of two i32 as an i64.
func (f *function) wideProduct(op *ir.Op) {
	signed := op.Attr("signedness").Keyword() != "unsigned"
	f.set(op.Result(0), f.mul(f.resize(f.val(op.Operand(0)), i64, signed), f.resize(f.val(op.Operand(1)), i64, signed)))
}

// permuteBytes writes building a word of bytes of two others.
func (f *function) permuteBytes(op *ir.Op) {
	both := f.or(f.shl(f.zext(f.arg(op, "lhs"), i64), index(32)), f.zext(f.arg(op, "rhs"), i64))
	selector, out := f.zext(f.arg(op, "selector"), i64), value.Value(index(0))
	for i := range int64(4) {
		which := f.and(f.lshr(selector, index(4*i)), index(7))
		b := f.and(f.lshr(both, f.mul(which, index(8))), index(0xFF))
		out = f.or(out, f.shl(b, index(8*i)))
	}
	f.set(op.Result(0), f.trunc(out, i32))
}

// simtConvert writes converting a number, or each of several.
func (f *function) simtConvert(op *ir.Op) {
	how := sem.ConversionOf(op)
	from, ok := f.formatOf(op, op.Operand(0).Type())
	to, ok2 := f.formatOf(op, op.Result(0).Type())
	if !ok || !ok2 {
		return
	}
	x, t := f.val(op.Operand(0)), intTypeOf(op.Result(0).Type())
	n := max(packedIn(op.Operand(0).Type()), packedIn(op.Result(0).Type()))
	if n < 2 {
		f.set(op.Result(0), f.castTo(how, from, to, x, how.Rounding))
		return
	}
	bits, out := f.toWord(x), value.Value(index(0))
	for i := range int64(n) {
		lane := f.fromWord(f.lshr(bits, index(i*int64(from.Bits()))), elementType(from))
		y := f.toWord(f.castTo(how, from, to, lane, how.Rounding))
		out = f.or(out, f.shl(y, index(i*int64(to.Bits()))))
	}
	f.set(op.Result(0), f.fromWord(out, t))
}

// packedIn is how many numbers a type of the dialect packs into one element.
func packedIn(t ir.Type) int {
	d, ok := ir.As[pto.ElemType](t)
	if !ok {
		return 1
	}
	return 8 * pto.ByteSize(t) / d.Format().Bits()
}

// Atomics. What is in memory is replaced only if it still is what was read.

// atomicUpdate writes replacing a value in memory by a function of it.
func (f *function) atomicUpdate(op *ir.Op, kind sem.AtomicUpdate) {
	e, ok := elementOfType(ir.ElementType(op.Arg("value").Type()))
	if ok && f.supports(op, kind.For(op), e) {
		x := f.arg(op, "value")
		f.atomic(op, func(old value.Value) value.Value { return f.applyTo(op, kind.For(op), e, old, x) })
	}
}

// atomicExchange writes replacing a value in memory.
func (f *function) atomicExchange(op *ir.Op) {
	x := f.arg(op, "value")
	f.atomic(op, func(value.Value) value.Value { return x })
}

// atomicCompare writes replacing a value in memory if it has certain bits.
func (f *function) atomicCompare(op *ir.Op) {
	x, compare := f.arg(op, "value"), f.toWord(f.arg(op, "compare"))
	f.atomic(op, func(old value.Value) value.Value {
		return f.sel(f.icmp(enum.IPredEQ, f.toWord(old), compare), x, old)
	})
}

// atomic writes replacing a value in memory by what update makes of it, again
// if another core was faster.
func (f *function) atomic(op *ir.Op, update func(old value.Value) value.Value) {
	t := intTypeOf(op.Arg("value").Type())
	words, at := intType(sizeOf(t)), f.arg(op, "ptr")
	before, again, done := f.block, f.newBlock("again"), f.newBlock("replaced")
	first := f.load(words, at, sizeOf(t)/8)
	f.jump(again)
	f.enter(again)
	old := f.phi(words, first, before)
	next := f.bitcast(update(f.bitcast(old, t)), words)
	swap := &llir.InstCmpXchg{
		Ptr: at, Cmp: old, New: next, Typ: types.NewStruct(words, i1),
		SuccessOrdering: enum.AtomicOrderingSequentiallyConsistent, FailureOrdering: enum.AtomicOrderingSequentiallyConsistent,
	}
	f.do(swap)
	addIncoming(old, add(f.code, llir.NewExtractValue(swap, 0)), f.block)
	f.branch(add(f.code, llir.NewExtractValue(swap, 1)), done, again)
	f.enter(done)
	f.set(op.Result(0), f.bitcast(old, t))
}
