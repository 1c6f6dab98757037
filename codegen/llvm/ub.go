// This file emits the vector instructions of A2/A3.

package llvm

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// setUbMask emits an instruction that sets the mask register for vector instructions on
// the unified buffer. The emitted code stores the complement of the mask: registers start
// as zero, but initially all lanes must be on.
func (f *function) setUbMask(op *ir.Op) {
	for i, o := range sem.UbMaskOf(op) {
		f.setState(partName(sem.RegUbMask, i), f.Not(f.number(o)))
	}
}

// ubMaskMode emits an instruction that selects whether the mask register contains a count
// of lanes or one bit per lane.
func (f *function) ubMaskMode(_ *ir.Op, kind sem.UbMask) {
	on := int64(0)
	if kind.Set == sem.UbCountOn {
		on = 1
	}
	f.setState(partName(sem.RegUbCount, 0), ll.Index(on))
}

// ubMap describes an elementwise function on rows of the unified buffer.
type ubMap struct {
	c *code
	// fn is the function to apply to each element. If it is nil, the instruction copies
	// elements.
	fn *scalar.Fn
	e  element
	// srcs is the number of source operands in the unified buffer.
	srcs int
	// scalar means that the last argument of fn is a scalar operand.
	scalar bool
}

// ubMap emits an instruction that applies an elementwise function to rows of the unified
// buffer (targets a2 and a3).
func (f *function) ubMap(op *ir.Op, _ sem.UbMap) {
	o := sem.UbRowsOf(op)
	e, ok := elementOfType(ir.ElementType(o.Dst.Start.Type()))
	if !ok || e.packed || o.Fn != nil && !o.Fn.Supports(e.f) {
		f.unsupported(op)
		return
	}
	u := &ubMap{c: f.code, fn: o.Fn, e: e, srcs: len(o.Src), scalar: o.Scalar.Given()}
	args := []value.Value{f.number(o.Repeat), ll.Index(0)}
	if u.scalar {
		args[1] = f.number(o.Scalar)
	}
	for _, r := range append([]sem.UbRow{o.Dst}, o.Src...) {
		row := cubeArg{e, sem.UB, f.val(r.Start.Value)}
		f.alignedOrTrap(row, blockBytes)
		args = append(args, row.p, f.number(r.Block), f.number(r.Step))
	}
	f.Call(u.routine(), args...)
}

// routine returns the helper function that computes the instruction. Its first parameters
// are the number of steps and the scalar operand. Three parameters follow for the
// destination and for each source: the address, the distance between blocks, and the
// distance between steps. The distances are in blocks of 32 bytes.
func (u *ubMap) routine() *llir.Func {
	name := fmt.Sprintf("ub.copy.%s", u.e.f)
	if u.fn != nil {
		name = fmt.Sprintf("ub.%s.%s.%d", u.fn, u.e.f, u.srcs)
	}
	params := []types.Type{ll.I64, ll.I64}
	for range u.srcs + 1 {
		params = append(params, ll.Ptr, ll.I64, ll.I64)
	}
	return u.c.private(name, ll.Void, params, func(c *code, p []value.Value) value.Value {
		in := *u
		in.c = c
		in.steps(p)
		return nil
	})
}

// lanes returns the number of elements that one step of the instruction processes.
func (u *ubMap) lanes() int { return sem.UbBlocks * blockBytes / u.e.size }

func (u *ubMap) steps(p []value.Value) {
	n := int64(u.lanes())
	repeat := p[0]
	u.c.AtMostOrTrap(repeat, sem.UbSteps)
	count := u.c.Not(u.c.regValue(sem.RegUbMask, 0))
	counts := u.c.ICmp(enum.IPredNE, u.c.regValue(sem.RegUbCount, 0), ll.Index(0))
	repeat = u.c.Select(counts, u.c.CeilQuo(count, n), repeat)
	buffers := make([]value.Value, u.srcs+1)
	for i := range buffers {
		buffers[i] = u.c.Slot(types.NewArray(uint64(n), u.e.mem))
	}
	u.c.Loop("step", repeat, func(step value.Value) {
		left := u.c.Sub(count, u.c.Mul(step, ll.Index(n)))
		on := u.c.Select(counts, u.c.ICmp(enum.IPredULT, counted(ll.I64, int(n)), left), u.maskBits())
		u.step(p, step, on, buffers)
	})
}

// maskBits emits a vector with one i1 for each lane of a step, which is one iteration of
// the instruction over its lanes. An element is true if the mask register selects the
// lane.
func (u *ubMap) maskBits() value.Value {
	n := u.lanes()
	wide := ll.IntType(max(n, sem.UbMaskLanes))
	half := func(part int) value.Value {
		return u.c.ZExt(u.c.Not(u.c.regValue(sem.RegUbMask, part)), wide)
	}
	bits := u.c.Or(half(0), u.c.Shl(half(1), ll.Integer(wide, sem.UbMaskLanes/2)))
	return u.c.Bitcast(u.c.Trunc(bits, ll.IntType(n)), ll.VectorOf(n, ll.I1))
}

// step emits the code for one repetition of the instruction; the LLVM value step is its
// number. The code loads all sources into buffers before it writes, because the
// destination may overlap a source. The parameter on is the mask: lanes outside of it are
// not written. The parameter p contains the parameters of the emitted helper function.
// The parameter buffers contains the addresses of the buffers: first that for the
// destination, then those for the sources.
func (u *ubMap) step(p []value.Value, step, on value.Value, buffers []value.Value) {
	n := u.lanes()
	var args []value.Value
	for i := range u.srcs {
		row := p[2+3*(i+1):]
		u.blocks(row, step, on, buffers[i+1], u.readBlock)
		args = append(args, u.c.Load(ll.VectorOf(n, u.e.mem), buffers[i+1], u.e.size))
	}
	if u.scalar {
		x := u.c.Resize(p[1], ll.IntType(8*u.e.size), false)
		args = append(args, u.c.Splat(u.c.Bitcast(x, u.e.mem), n))
	}
	result := args[0]
	if u.fn != nil {
		u.c.Active = on
		result, _ = u.c.Apply(u.fn, u.e.f, args...)
		u.c.Active = nil
	}
	u.c.Store(result, buffers[0], u.e.size)
	u.blocks(p[2:], step, on, buffers[0], u.writeBlock)
}

// blocks emits a loop over the blocks of 32 bytes of a vector register. The instruction
// processes one register in each iteration (step), and the parameter step is the number
// of the current iteration. The list row describes a memory operand by three values: the
// address of its first block, the distance between the blocks of one iteration, and the
// distance between iterations. The distances are counted in blocks.
//
// The parameter buffer is the address of a buffer that holds the register, and the
// parameter on is the mask of all lanes. For each block, the function move emits a copy
// between memory and the buffer. Its arguments are the address of the block in memory,
// the address of the block in the buffer, and the mask bits of its lanes.
func (u *ubMap) blocks(row []value.Value, step, on, buffer value.Value, move func(at, buffer, on value.Value)) {
	start, block, next := row[0], row[1], row[2]
	per := u.lanes() / sem.UbBlocks
	bits := u.c.Bitcast(on, ll.IntType(u.lanes()))
	u.c.Loop("block", ll.Index(sem.UbBlocks), func(b value.Value) {
		blocks := u.c.Add(u.c.Mul(step, next), u.c.Mul(b, block))
		at := u.c.offset(start, u.c.Mul(blocks, ll.Index(blockBytes)))
		shift := u.c.Resize(u.c.Mul(b, ll.Index(int64(per))), ll.IntType(u.lanes()), false)
		here := u.c.Bitcast(u.c.Trunc(u.c.LShr(bits, shift), ll.IntType(per)), ll.VectorOf(per, ll.I1))
		move(at, u.c.offset(buffer, u.c.Mul(b, ll.Index(blockBytes))), here)
	})
}

func (u *ubMap) readBlock(at, buffer, on value.Value) {
	t := ll.VectorOf(u.lanes()/sem.UbBlocks, u.e.mem)
	fn := u.c.Intrinsic("llvm.masked.load."+ll.Suffix(t)+".p0", t, ll.Ptr, ll.I32, on.Type(), t)
	u.c.Store(u.c.Call(fn, at, ll.Integer(ll.I32, int64(u.e.size)), on, ll.Zero(t)), buffer, u.e.size)
}

func (u *ubMap) writeBlock(at, buffer, on value.Value) {
	t := ll.VectorOf(u.lanes()/sem.UbBlocks, u.e.mem)
	fn := u.c.Intrinsic("llvm.masked.store."+ll.Suffix(t)+".p0", ll.Void, t, ll.Ptr, ll.I32, on.Type())
	u.c.Call(fn, u.c.Load(t, buffer, u.e.size), at, ll.Integer(ll.I32, int64(u.e.size)), on)
}

// ubMask emits an instruction that sets the mask register or its mode.
func (f *function) ubMask(op *ir.Op, kind sem.UbMask) {
	if kind.Set == sem.UbMaskBits {
		f.setUbMask(op)
	} else {
		f.ubMaskMode(op, kind)
	}
}
