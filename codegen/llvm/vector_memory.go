// This file emits vector loads and stores with their distribution modes.

package llvm

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// blockBytes is the size in bytes of a block, the unit of local memory.
const blockBytes = 32

// pointee returns the size in bytes of the elements that the pointer v refers to.
func pointee(v *ir.Value) int64 { return int64(pto.ByteSize(ir.ElementType(v.Type()))) }

// vecAddress emits the address at which a vector instruction accesses memory: the pointer
// plus its offset. The parameter scale is the number of bytes that the offset counts in.
// If the instruction also returns the advanced pointer, it accesses memory at the
// original pointer.
func (f *function) vecAddress(o sem.PointerAccess, scale int64) value.Value {
	p := f.val(o.Pointer.Value)
	moved := p
	if o.Offset.Given() {
		moved = f.offset(p, f.Mul(f.signExtended(o.Offset.Value), ll.Index(scale)))
	}
	if o.Updated != nil {
		f.set(o.Updated, moved)
		return p
	}
	return moved
}

// signExtended emits an integer of the program as i64. An integer of a signed or signless
// type is sign-extended, and one of an unsigned type is zero-extended.
func (f *function) signExtended(v *ir.Value) value.Value {
	format, _ := ir.FormatOf(v.Type())
	return f.Resize(f.val(v), ll.I64, format.Signed())
}

// distWidth returns the size in bytes of the memory elements that a vector load or store
// with the distribution mode d accesses. A distribution mode determines which memory
// element belongs to which lane. The parameter lane is the lane size in bytes, which is
// the result if d does not specify a size.
func distWidth(d lanemap.Dist, lane int) int {
	if d.Bits == 0 {
		return lane
	}
	return d.Bits / 8
}

// distribution describes how a load in mode d fills a register. The result elements is
// the number of memory elements that the load reads. The result indices contains, for
// each lane, the index of the memory element that the load puts into the lane. If this
// index is equal to or greater than the number of elements, the lane becomes zero. The
// parameter width is the size of an element in bytes.
func distribution(d lanemap.Dist, width int) (indices []int, elements int) {
	n := pto.VectorBytes / width
	indices = make([]int, n)
	elements = n
	for i := range indices {
		switch d.Pattern {
		case lanemap.OneToAll:
			indices[i], elements = 0, 1
		case lanemap.BlockToAll:
			indices[i], elements = i%(blockBytes/width), blockBytes/width
		case lanemap.Repeat:
			indices[i], elements = i/d.Factor, n/d.Factor
		case lanemap.Every:
			indices[i], elements = i*d.Factor, n*d.Factor
		case lanemap.Spaced:
			if indices[i], elements = i/d.Factor, n/d.Factor; i%d.Factor > 0 {
				indices[i] = n // a zero
			}
		case lanemap.ElementToBlock:
			indices[i], elements = i*width/blockBytes, pto.VectorBytes/blockBytes
		default:
			indices[i] = i
		}
	}
	return indices, elements
}

// vecLoad emits a load of one or two vector registers from memory.
func (f *function) vecLoad(op *ir.Op, _ sem.VecLoad) {
	e, ok := f.movedLanes(op, op.Result(0).Type())
	if !ok {
		return
	}
	d := lanemap.DistOf(op)
	ts, _ := partsOf(op.Result(0).Type())
	width := distWidth(d, e.size)
	o := sem.PointerAccessOf(op)
	from := f.vecAddress(o, pointee(o.Pointer.Value))
	if d.Pair {
		f.pairLoad(op, d, width, from, ts[0])
		return
	}
	if d.Pattern == lanemap.Contiguous {
		f.set(op.Result(0), f.Load(ts[0], from, e.size))
		return
	}
	indices, n := distribution(d, width)
	mem := f.Load(ll.VectorOf(n, ll.IntType(8*width)), from, width)
	for i, k := range indices {
		if k >= n {
			indices[i] = n // of the zeros after
		}
	}
	f.set(op.Result(0), f.Bitcast(f.Shuffle(mem, ll.Zero(mem.Type()), indices), ts[0]))
}

// pairLoad emits a load of two registers of type t whose elements alternate in memory:
// even elements go to the first register and odd elements to the second. The parameter
// from is the address, and width is the size of an element in bytes. The parameter d is
// the distribution mode, which selects whether single elements or larger blocks
// alternate.
func (f *function) pairLoad(op *ir.Op, d lanemap.Dist, width int, from value.Value, t types.Type) {
	if d.Pattern == lanemap.BlockEvery {
		width = blockBytes
	}
	n := pto.VectorBytes / width
	mem := f.Load(ll.VectorOf(2*n, ll.IntType(8*width)), from, 1)
	for i, first := range []int{0, 1} {
		f.set(op.Result(i), f.Bitcast(f.ShuffleOne(mem, sequence(n, first, 2)), t))
	}
}

// vecStore emits a store of one or two vector registers to memory.
func (f *function) vecStore(op *ir.Op, _ sem.VecStore) {
	d := lanemap.DistOf(op)
	o := sem.VectorAccessOf(op)
	v := o.Value.Value
	e, ok := f.movedLanes(op, v.Type())
	if !ok {
		return
	}
	width := distWidth(d, e.size)
	to := f.vecAddress(o.PointerAccess, pointee(o.Pointer.Value))
	n := pto.VectorBytes / width
	x := f.val(v)
	if width != e.size {
		x = f.Bitcast(x, ll.VectorOf(n, ll.IntType(8*width)))
	}
	if d.Pair {
		high := f.Bitcast(f.val(o.High.Value), x.Type())
		turns := interleave(n)
		f.Store(f.Shuffle(x, high, turns[0]), to, 1)
		f.Store(f.Shuffle(x, high, turns[1]), f.offset(to, ll.Index(pto.VectorBytes)), 1)
		return
	}
	on := f.everyLaneOr(op)
	switch d.Pattern {
	case lanemap.OneToAll:
		f.Store(f.Extract(x, ll.Index(0)), to, width)
	case lanemap.Spaced:
		x = f.ShuffleOne(x, sequence(n/d.Factor, 0, d.Factor))
		f.storeWhere(f.maskEvery(on, width*d.Factor), x, to, width)
	case lanemap.Every:
		f.storeInStride(f.maskEvery(on, width), x, to, width, d.Factor)
	case lanemap.Channels:
		f.storeWhere(f.maskOfChannels(on, width, d.Mask/8), f.ShuffleOne(x, channels(width, d.Factor)), to, width)
	default:
		f.storeWhere(f.maskEvery(on, width), x, to, width)
	}
}

// maskEvery emits a vector with one i1 for each lane. The parameter size is the size of a
// lane in bytes. The parameter on is the value of a mask register, whose bits become the
// elements of the vector. If on is nil, all lanes are selected, and maskEvery returns
// nil.
func (f *function) maskEvery(on value.Value, size int) value.Value {
	if on == nil {
		return nil
	}
	return f.laneMask(on, size)
}

// storeWhere emits a store of selected lanes of x to memory. The parameter to is the
// address, which must be a multiple of align bytes. The parameter on is the mask of
// selected lanes; if it is nil, all lanes are stored. The emitted code reads the elements
// that are not selected from memory and writes them back. LLVM compiles this code to
// vector instructions, whereas a masked store would become a branch for every lane.
func (f *function) storeWhere(on, x, to value.Value, align int) {
	if on != nil && !ll.AllOn(on) {
		x = f.Select(on, x, f.Load(x.Type(), to, align))
	}
	f.Store(x, to, align)
}

// storeInStride emits a store of the selected lanes of x. The parameter on is the mask
// that selects lanes. Consecutive lanes go to every step-th element of memory, starting
// at the address in the parameter to. The parameter width is the size of an element in
// bytes.
func (f *function) storeInStride(on, x, to value.Value, width, step int) {
	t := ll.ElementOf(x.Type())
	f.Loop("lane", ll.Index(int64(ll.Lanes(x.Type()))), func(i value.Value) {
		at := f.At(t, to, f.Mul(i, ll.Index(int64(step))))
		v := f.Extract(x, i)
		if on != nil {
			v = f.Select(f.Extract(on, i), v, f.Load(t, at, width))
		}
		f.Store(v, at, width)
	})
}

// channels returns, for each element that a store writes, the index of the register lane
// that it comes from. Each block of 32 bytes of the register contains the elements of
// several channels (the parameter planes is their number), one channel after the other.
// In memory, corresponding elements of the channels are adjacent. The parameter width is
// the size of an element in bytes.
func channels(width, planes int) []int {
	per := blockBytes / width / planes // elements of a plane
	indices := make([]int, pto.VectorBytes/width)
	for at := range indices {
		block, i := at*width/blockBytes*(blockBytes/width), at%(blockBytes/width)
		indices[at] = block + i%planes*per + i/planes
	}
	return indices
}

// maskOfChannels emits a vector with one i1 for each element of width bytes that a store
// writes, in memory order. The i1 is true if the store writes the element. The parameter
// on is the mask register. The parameter masked is the number of adjacent bytes in memory
// that are stored under the same mask bit, the bit of their first byte. The result is nil
// if on is nil.
func (f *function) maskOfChannels(on value.Value, width, masked int) value.Value {
	if on == nil {
		return nil
	}
	indices := make([]int, pto.VectorBytes/width)
	for i := range indices {
		indices[i] = i * width / masked * masked
	}
	return f.ShuffleOne(on, indices)
}

// vecBlocks emits a load or store of 32-byte blocks with a stride between them. Blocks
// that the mask does not select are skipped.
func (f *function) vecBlocks(op *ir.Op, kind sem.VecBlocks) {
	o := sem.VectorAccessOf(op)
	o.Offset = o.Skip
	block := types.NewVector(blockBytes, ll.I8)
	all := types.NewVector(pto.VectorBytes, ll.I8)
	base := f.vecAddress(o.PointerAccess, blockBytes)
	stride := f.signExtended(o.Stride.Value)
	on := f.val(o.Mask.Value)
	local := f.Slot(all)
	if kind.Store {
		f.Store(f.Bitcast(f.val(o.Value.Value), all), local, 1)
	} else {
		f.Store(ll.Zero(all), local, 1)
	}
	f.Loop("block", ll.Index(pto.VectorBytes/blockBytes), func(b value.Value) {
		in := f.Mul(b, ll.Index(blockBytes))
		f.When("touch", f.Extract(on, in), func() {
			there := f.offset(base, f.Mul(f.Mul(b, stride), ll.Index(blockBytes)))
			from, to := there, f.offset(local, in)
			if kind.Store {
				from, to = to, from
			}
			f.Store(f.Load(block, from, 1), to, 1)
		})
	})
	if !kind.Store {
		ts, _ := partsOf(op.Result(0).Type())
		f.set(op.Result(0), f.Load(ts[0], local, 1))
	}
}

// vecGather emits a load of elements, or of blocks, whose indices are in a register.
func (f *function) vecGather(op *ir.Op, kind sem.VecGather) {
	ts, _ := partsOf(op.Result(0).Type())
	e, ok := elementOfType(ir.ElementType(op.Result(0).Type()))
	if !ok {
		f.unsupported(op)
		return
	}
	o := sem.VectorAccessOf(op)
	size := int(pointee(o.Pointer.Value))
	lane, maskLane, unit := e.size, e.size, int64(size)
	if kind.Unit == sem.GatherBlocks {
		lane, maskLane, size, unit = blockBytes, 4, blockBytes, 1
	}
	base, offsets := f.val(o.Pointer.Value), f.val(o.Offsets.Value)
	on := f.laneMask(f.val(o.Mask.Value), maskLane)
	t := ll.IntType(8 * size)
	local := f.Slot(ts[0])
	f.Store(ll.Zero(ts[0]), local, 1)
	f.Loop("lane", ll.Index(int64(pto.VectorBytes/lane)), func(i value.Value) {
		f.When("touch", f.Extract(on, i), func() {
			at := f.Mul(f.ZExt(f.Extract(offsets, i), ll.I64), ll.Index(unit))
			x := f.Load(t, f.offset(base, at), 1)
			f.Store(x, f.offset(local, f.Mul(i, ll.Index(int64(lane)))), 1)
		})
	})
	f.set(op.Result(0), f.Load(ts[0], local, 1))
}

// vecScatter emits stores of the selected lanes of a register to memory. A second
// register holds the offset of each element. If an offset is wider than an element, the
// number of offsets is smaller than the number of lanes. The emitted code then stores
// only the first of the lanes that correspond to each offset.
func (f *function) vecScatter(op *ir.Op, _ sem.VecScatter) {
	o := sem.VectorAccessOf(op)
	e, ok := f.register(op, o.Value.Type())
	if !ok {
		return
	}
	base, offsets := f.val(o.Pointer.Value), f.val(o.Offsets.Value)
	wide := ll.WidthOf(offsets.Type()) / 8
	on := f.laneMask(f.val(o.Mask.Value), wide)
	x := f.takePart(f.val(o.Value.Value), e.size, wide, 0)
	f.Loop("lane", ll.Index(int64(pto.VectorBytes/wide)), func(i value.Value) {
		f.When("touch", f.Extract(on, i), func() {
			at := f.ZExt(f.Extract(offsets, i), ll.I64)
			f.Store(f.Extract(x, i), f.At(e.t, base, at), e.size)
		})
	})
}
