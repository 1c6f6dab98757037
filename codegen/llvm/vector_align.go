// This file emits unaligned vector loads and stores.

package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

var (
	// heldType is the type of the bytes that an unaligned store has not written yet:
	// those after the last full block of 32 bytes.
	heldType = types.NewVector(blockBytes, ll.I8)
	// alignParts are the LLVM types of the state of an unaligned store: the pending bytes
	// and their number. The state of an unaligned load is empty, because emitted code can
	// read at any address.
	alignParts = []types.Type{heldType, ll.I64}
)

// alignInit emits the initial state of an unaligned access, without pending bytes.
func (f *function) alignInit(op *ir.Op, _ sem.AlignInit) {
	f.set(op.Result(0), ll.Zero(heldType), ll.Index(0))
}

// alignLoad emits a vector load from an address that need not be aligned.
func (f *function) alignLoad(op *ir.Op, _ sem.AlignLoad) {
	e, ok := f.register(op, op.Result(0).Type())
	if !ok {
		return
	}
	o := sem.AlignAccessOf(op)
	from := f.vecAddress(o.PointerAccess, pointee(o.Pointer.Value))
	ts, _ := partsOf(op.Result(0).Type())
	_ = e
	f.set(op.Result(0), f.Load(ts[0], from, 1))
	f.set(op.Result(1), f.parts(o.State.Value)...)
}

// alignStore emits an instruction of a sequence of unaligned stores. The instruction
// appends the bytes of a vector to the bytes that the sequence has stored so far. Bytes
// that do not fill a block of 32 bytes stay in the state of the sequence, which the
// instruction returns.
func (f *function) alignStore(op *ir.Op, kind sem.AlignStore) {
	o := sem.AlignAccessOf(op)
	data, at, n := f.appended(op, o, kind)
	if data == nil {
		return
	}
	held := f.parts(o.State.Value)
	state := f.Call(f.alignAppend(), at, held[0], held[1], f.spill(data), n)
	f.set(op.Result(0), f.Emit(llir.NewExtractValue(state, 0)), f.Emit(llir.NewExtractValue(state, 1)))
	if o.Moved != nil {
		f.set(o.Moved, f.offset(at, n))
	}
}

// appended returns what an unaligned store appends to memory. The result data is the
// vector that contains the stored bytes, and n is the number of these bytes, counted from
// its start. The result at is the address of the first stored byte.
func (f *function) appended(op *ir.Op, o sem.AlignAccess, kind sem.AlignStore) (data, at, n value.Value) {
	x, base := f.val(o.Value.Value), f.val(o.Pointer.Value)
	scale := pointee(o.Pointer.Value)
	all := ll.Index(pto.VectorBytes)
	switch {
	case kind.Count == sem.ByCompact:
		distance := f.state("ar")
		n = f.state("compacted")
		if o.Advances {
			f.setState("ar", f.Add(distance, n))
		}
		return x, f.offset(base, distance), n
	case kind.Count == sem.WholeMask:
		m, _ := ir.As[pto.Mask](o.Value.Type())
		bits := f.laneMask(x, int(m.Bits)/8)
		return bits, base, ll.Index(int64(ll.Lanes(bits.Type()) / 8))
	case o.From.Given(): // the older form appends all lanes
		from := f.val(o.From.Value)
		next := from
		if o.Advances {
			next = f.Add(from, ll.Index(pto.VectorBytes/scale))
		}
		f.set(op.Result(1), next)
		return x, f.offset(base, f.Mul(from, ll.Index(scale))), all
	}
	n = f.Mul(f.signExtended(o.Offset.Value), ll.Index(scale))
	return x, base, f.MinInt(f.MaxInt(n, ll.Index(0)), all)
}

// alignAppend returns the helper function for unaligned stores. The parameters of the
// helper are the address for the new bytes, the pending bytes of the store and their
// number, and the address and the number of the new bytes. The helper appends the new
// bytes to the pending ones. It then writes all full blocks of 32 bytes and returns the
// remaining bytes.
func (f *function) alignAppend() *llir.Func {
	ret := types.NewStruct(alignParts...)
	return f.private("align_append", ret, []types.Type{ll.Ptr, heldType, ll.I64, ll.Ptr, ll.I64}, func(c *code, args []value.Value) value.Value {
		at, held, count, data, n := args[0], args[1], args[2], args[3], args[4]
		// One more block lets the rest be read in full.
		buf := c.Slot(types.NewArray(pto.VectorBytes+2*blockBytes, ll.I8))
		c.Store(held, buf, 1)
		c.copyBytes(c.offset(buf, count), data, n)
		total := c.Add(count, n)
		start := c.offset(at, c.Sub(ll.Index(0), count))
		end := c.Emit(llir.NewPtrToInt(c.offset(start, total), ll.I64))
		keep := c.And(end, ll.Index(blockBytes-1))
		written := c.MaxInt(c.Sub(total, keep), ll.Index(0))
		c.copyBytes(start, buf, written)
		rest := c.Load(heldType, c.offset(buf, written), 1)
		s := c.Emit(llir.NewInsertValue(ll.Poison(ret), rest, 0))
		return c.Emit(llir.NewInsertValue(s, c.Sub(total, written), 1))
	})
}

// alignFlush emits an instruction that writes the pending bytes of an unaligned store.
func (f *function) alignFlush(op *ir.Op, _ sem.AlignFlush) {
	o := sem.AlignAccessOf(op)
	held := f.parts(o.State.Value)
	v := o.Pointer.Value
	end := f.val(v)
	if o.Offset.Given() {
		end = f.offset(end, f.Mul(f.signExtended(o.Offset.Value), ll.Index(pointee(v))))
	} else {
		end = f.offset(end, f.state("ar"))
	}
	if o.Updated != nil {
		f.set(o.Updated, end)
	}
	f.copyBytes(f.offset(end, f.Sub(ll.Index(0), held[1])), f.spill(held[0]), held[1])
}

// streamEnd emits one of two instructions for the address register AR, which counts the
// bytes of a stream of stores. The first one sets AR to zero, and the second one stores
// AR in memory as 32 bits.
func (f *function) streamEnd(op *ir.Op, kind sem.StreamEnd) {
	if !kind.Store {
		f.setState("ar", ll.Index(0))
		return
	}
	to := f.vecAddress(sem.PointerAccessOf(op), int64(kind.Scale))
	f.Store(f.Trunc(f.state("ar"), ll.I32), to, 1)
}
