// This file emits DMA copies.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// burstCopy emits a DMA copy between memory spaces. It copies bursts (contiguous rows of
// bytes) in nested loops.
type burstCopy struct {
	f *function
	// n is the length of a burst in bytes.
	n value.Value
	// levels are the loops around the copy of a burst, innermost first.
	levels []burstLevel
	// pad describes the elements that are added before and after each destination row, or
	// is nil.
	pad *padding
	// toGM means that the destination is in global memory.
	toGM bool
}

// burstLevel is one loop: its iteration count, and the number of bytes by which the
// source and the destination address advance in each iteration.
type burstLevel struct{ count, src, dst value.Value }

// padding describes the elements that a DMA copy adds to destination rows.
type padding struct {
	// bits is the padding element as i64.
	bits value.Value
	// size is the number of bytes of the padding element.
	size int
	// left and right are the numbers of padding bytes before and after each row.
	left, right value.Value
	// on is a value of type i1 that states at run time whether padding is enabled. nil
	// means that padding is always enabled.
	on value.Value
}

// number emits an integer operand as i64, or 0 if the operand is missing.
func (f *function) number(o sem.Operand) value.Value {
	if o.Given() {
		return f.Resize(f.val(o.Value), ll.I64, false)
	}
	return ll.Index(0)
}

// copyBursts emits a DMA copy of bursts between global memory and local memory, or
// between local memories.
func (f *function) copyBursts(op *ir.Op, _ sem.CopyBursts) {
	d := sem.BurstsOf(op)
	b := &burstCopy{f: f, n: f.number(d.Length), toGM: pto.SpaceOf(d.Destination.Type()) == sem.GM}
	scale := int64(1)
	if d.Blocks {
		scale = blockBytes
	}
	b.n = f.Mul(b.n, ll.Index(scale))
	if _, ok := ll.ConstantInt(b.n); !ok {
		f.TrapIf(f.ICmp(enum.IPredUGT, b.n, ll.Index(1<<32)))
	}
	for _, l := range d.Levels {
		b.add(d, f.number(l.Count), f.number(l.Source), f.number(l.Destination))
	}
	if d.Loops != "" {
		counts, strides := d.LoopRegisters()
		for i, stride := range strides {
			// A count of zero is a loop that was never set up.
			count := f.Call2("llvm.umax", f.regValue(counts, i), ll.Index(1))
			b.add(d, count, f.regValue(stride, 0), f.regValue(stride, 1))
		}
	}
	if !b.padding(op, d) {
		return
	}
	dst := f.val(d.Destination.Value)
	if pto.SpaceOf(d.Source.Type()) == sem.L1 && pto.SpaceOf(d.Destination.Type()) == sem.UB {
		dst = f.unifiedBuffer(dst, f.number(d.Core))
	}
	b.level(len(b.levels)-1, f.val(d.Source.Value), dst)
}

// add appends a loop to the copy; the new loop encloses all loops that were added before.
// The parameter count is the number of iterations. The parameters src and dst are the
// distances in bytes between the addresses of consecutive iterations, in the source and
// in the destination. The innermost loop is an exception if d.Blocks is set. For this
// loop, src and dst are gaps in blocks of 32 bytes. A gap is the distance from the end of
// one burst to the start of the next.
func (b *burstCopy) add(d *sem.Bursts, count, src, dst value.Value) {
	if f := b.f; d.Blocks && len(b.levels) == 0 {
		src = f.Add(b.n, f.Mul(src, ll.Index(blockBytes)))
		dst = f.Add(b.n, f.Mul(dst, ll.Index(blockBytes)))
	}
	b.levels = append(b.levels, burstLevel{count, src, dst})
}

// level emits the code of a DMA copy with nested loops: loop number i and the loops
// nested in it, which have smaller numbers. If i is negative, it emits the copy of one
// burst, a contiguous row of bytes. The parameters src and dst are the source and
// destination addresses in the first iteration of the loop.
func (b *burstCopy) level(i int, src, dst value.Value) {
	f := b.f
	if i < 0 {
		b.row(src, dst)
		return
	}
	l := b.levels[i]
	if n, ok := ll.ConstantInt(l.count); ok && n == 1 {
		b.level(i-1, src, dst)
		return
	}
	f.Loop("burst", l.count, func(k value.Value) {
		b.level(i-1, f.offset(src, f.Mul(k, l.src)), f.offset(dst, f.Mul(k, l.dst)))
	})
}

// padding sets the padding parameters of the copy. The padding consists of the requested
// elements before and after each row, and of the rest of the last block of 32 bytes. It
// returns false after an error.
func (b *burstCopy) padding(op *ir.Op, d *sem.Bursts) bool {
	f := b.f
	p := &padding{}
	switch {
	case d.Pad.Given():
		e, ok := elementOfType(d.Pad.Type())
		if !ok {
			f.unsupported(op)
			return false
		}
		p.bits, p.size = f.Resize(f.Bits(f.val(d.Pad.Value)), ll.I64, false), e.size
	case d.PadOn.Given():
		x := f.val(d.PadOn.Value)
		p.bits, p.size = f.regValue(sem.RegPadValue, 0), int(pointee(d.Destination.Value))
		p.on = f.ICmp(enum.IPredNE, x, f.Int(x, 0))
	default:
		return true
	}
	left, right := f.number(d.Left), f.number(d.Right)
	for _, n := range []value.Value{left, right} {
		if _, ok := ll.ConstantInt(n); !ok {
			f.TrapIf(f.ICmp(enum.IPredUGT, n, ll.Index(pto.VectorBytes)))
		}
	}
	p.left, p.right = f.Mul(left, ll.Index(int64(p.size))), f.Mul(right, ll.Index(int64(p.size)))
	total := f.Add(f.Add(p.left, b.n), p.right)
	p.right = f.Add(p.right, f.And(f.Sub(ll.Index(0), total), ll.Index(blockBytes-1)))
	b.pad = p
	return true
}

// row emits the copy of one burst (a contiguous row of bytes) from the address src to the
// address dst, and the stores of the padding before and after it.
func (b *burstCopy) row(src, dst value.Value) {
	f := b.f
	plain := func() { b.copy(dst, src) }
	if b.pad == nil {
		plain()
		return
	}
	padded := func() {
		f.fillBytes(dst, b.pad.left, b.pad)
		behind := f.offset(dst, b.pad.left)
		b.copy(behind, src)
		f.fillBytes(f.offset(behind, b.n), b.pad.right, b.pad)
	}
	if b.pad.on == nil {
		padded()
		return
	}
	f.When("pads", b.pad.on, padded)
	f.When("plain", f.Not(b.pad.on), plain)
}

// copy emits the copy of one burst (a contiguous row of bytes) from src to dst. If the
// destination is global memory, the store can be atomic.
func (b *burstCopy) copy(dst, src value.Value) {
	if b.toGM && b.f.atomicStores {
		b.f.putGM(dst, src, b.n)
		return
	}
	b.f.copyBytes(dst, src, b.n)
}

// copyBytes emits a memmove of n bytes from the address src to the address dst; the two
// ranges may overlap.
func (c *code) copyBytes(dst, src, n value.Value) {
	fn := c.Intrinsic("llvm.memmove.p0.p0.i64", ll.Void, ll.Ptr, ll.Ptr, ll.I64, ll.I1)
	c.Call(fn, dst, src, n, ll.Integer(ll.I1, 0))
}

// fillBytes emits code that fills n bytes at dst with repetitions of the padding element.
// n need not be a multiple of the element size.
func (f *function) fillBytes(dst, n value.Value, pad *padding) {
	f.Loop("fill", n, func(i value.Value) {
		shift := f.Mul(f.Rem(i, int64(pad.size)), ll.Index(8))
		f.Store(f.Trunc(f.LShr(pad.bits, shift), ll.I8), f.offset(dst, i), 1)
	})
}
