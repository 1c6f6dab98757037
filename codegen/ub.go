package codegen

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// What one step of an instruction on rows of the unified buffer works on, in
// blocks of 32 bytes, and how many steps there can be.
const (
	ubBlocks    = 8
	mostRepeats = 255
	maskLanes   = 128 // lanes beyond are never in a mask
)

// The registers that select elements. They start as zero, which must select
// all: the mask is kept inverted.
const (
	ubMaskRegister  = "UB_MASK"
	ubCountRegister = "UB_COUNT"
)

// setUbMask writes setting the mask.
func (f *function) setUbMask(op *ir.Op) {
	for i, name := range []string{"mask0", "mask1"} {
		f.setState(partName(ubMaskRegister, i), f.not(f.countArg(op, name)))
	}
}

// ubMaskMode writes making the mask a count, or bits again.
func (f *function) ubMaskMode(_ *ir.Op, kind sem.UbMaskMode) {
	on := int64(0)
	if kind.Count {
		on = 1
	}
	f.setState(partName(ubCountRegister, 0), index(on))
}

// ubMap is an elementwise function on rows of the unified buffer.
type ubMap struct {
	*code
	fn     *scalar.Fn // nil copies
	e      element
	srcs   int
	scalar bool // the last argument
}

// ubMap writes an elementwise function on rows.
func (f *function) ubMap(op *ir.Op, kind sem.UbMap) {
	e, ok := elementOfType(ir.ElementType(op.Arg("dst").Type()))
	if !ok || e.packed || kind.Fn != nil && !kind.Fn.Supports(e.f) {
		f.unsupported(op)
		return
	}
	u := &ubMap{code: f.code, fn: kind.Fn, e: e, scalar: kind.Scalar != ""}
	args := []value.Value{f.countArg(op, "repeat"), index(0)}
	if u.scalar {
		args[1] = f.countArg(op, kind.Scalar)
	}
	for _, name := range []string{"dst", "src", "src0", "src1"} {
		if op.Arg(name) == nil {
			continue
		}
		row := cubeArg{e, sem.UB, f.arg(op, name)}
		f.alignedOrTrap(row, blockBytes)
		args = append(args, row.p, f.countArg(op, name+"BlockStride"), f.countArg(op, name+"RepeatStride"))
		u.srcs++
	}
	u.srcs-- // one of them is the destination
	f.call(u.routine(), args...)
}

// routine is what computes the function. Its parameters are the number of
// steps, the scalar, and for the destination and each source where it starts
// and how many blocks lie from block to block and from step to step.
func (u *ubMap) routine() *llir.Func {
	name := fmt.Sprintf("ub.copy.%s", u.e.f)
	if u.fn != nil {
		name = fmt.Sprintf("ub.%s.%s.%d", u.fn, u.e.f, u.srcs)
	}
	params := []types.Type{i64, i64}
	for range u.srcs + 1 {
		params = append(params, ptr, i64, i64)
	}
	return u.private(name, void, params, func(c *code, p []value.Value) value.Value {
		in := *u
		in.code = c
		in.steps(p)
		return nil
	})
}

// lanes is how many elements a step works on.
func (u *ubMap) lanes() int { return ubBlocks * blockBytes / u.e.size }

func (u *ubMap) steps(p []value.Value) {
	n := int64(u.lanes())
	repeat := p[0]
	u.atMostOrTrap(repeat, mostRepeats)
	count := u.not(u.regValue(ubMaskRegister, 0))
	counts := u.icmp(enum.IPredNE, u.regValue(ubCountRegister, 0), index(0))
	repeat = u.sel(counts, u.ceilQuo(count, n), repeat)
	buffers := make([]value.Value, u.srcs+1)
	for i := range buffers {
		buffers[i] = u.slot(types.NewArray(uint64(n), u.e.mem))
	}
	u.loop("step", repeat, func(step value.Value) {
		left := u.sub(count, u.mul(step, index(n)))
		on := u.sel(counts, u.icmp(enum.IPredULT, counted(i64, int(n)), left), u.maskBits())
		u.step(p, step, on, buffers)
	})
}

// maskBits is which lanes of a step the mask selects.
func (u *ubMap) maskBits() value.Value {
	n := u.lanes()
	wide := intType(max(n, maskLanes))
	half := func(part int) value.Value {
		return u.zext(u.not(u.regValue(ubMaskRegister, part)), wide)
	}
	bits := u.or(half(0), u.shl(half(1), constant.NewInt(wide, maskLanes/2)))
	return u.bitcast(u.trunc(bits, intType(n)), vectorOf(n, i1))
}

// step computes one step as a whole: what it writes, it does not read. Lanes
// that are off are not touched.
func (u *ubMap) step(p []value.Value, step, on value.Value, buffers []value.Value) {
	n := u.lanes()
	var args []value.Value
	for i := range u.srcs {
		row := p[2+3*(i+1):]
		u.blocks(row, step, on, buffers[i+1], u.readBlock)
		args = append(args, u.load(vectorOf(n, u.e.mem), buffers[i+1], u.e.size))
	}
	if u.scalar {
		x := u.resize(p[1], intType(8*u.e.size), false)
		args = append(args, u.splat(u.bitcast(x, u.e.mem), n))
	}
	result := args[0]
	if u.fn != nil {
		u.active = on
		result, _ = u.apply(u.fn, u.e.f, args...)
		u.active = nil
	}
	u.store(result, buffers[0], u.e.size)
	u.blocks(p[2:], step, on, buffers[0], u.writeBlock)
}

// blocks moves the blocks of a step between memory and a buffer.
func (u *ubMap) blocks(row []value.Value, step, on, buffer value.Value, move func(at, buffer, on value.Value)) {
	start, block, next := row[0], row[1], row[2]
	per := u.lanes() / ubBlocks
	bits := u.bitcast(on, intType(u.lanes()))
	u.loop("block", index(ubBlocks), func(b value.Value) {
		blocks := u.add(u.mul(step, next), u.mul(b, block))
		at := u.offset(start, u.mul(blocks, index(blockBytes)))
		shift := u.resize(u.mul(b, index(int64(per))), intType(u.lanes()), false)
		here := u.bitcast(u.trunc(u.lshr(bits, shift), intType(per)), vectorOf(per, i1))
		move(at, u.offset(buffer, u.mul(b, index(blockBytes))), here)
	})
}

func (u *ubMap) readBlock(at, buffer, on value.Value) {
	t := vectorOf(u.lanes()/ubBlocks, u.e.mem)
	fn := u.intrinsic("llvm.masked.load."+suffix(t)+".p0", t, ptr, i32, on.Type(), t)
	u.store(u.call(fn, at, integer(i32, int64(u.e.size)), on, zero(t)), buffer, u.e.size)
}

func (u *ubMap) writeBlock(at, buffer, on value.Value) {
	t := vectorOf(u.lanes()/ubBlocks, u.e.mem)
	fn := u.intrinsic("llvm.masked.store."+suffix(t)+".p0", void, t, ptr, i32, on.Type())
	u.call(fn, u.load(t, buffer, u.e.size), at, integer(i32, int64(u.e.size)), on)
}
