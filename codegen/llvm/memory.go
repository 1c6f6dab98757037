// This file emits addresses in local and global memory, and tensor views.

package llvm

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// spaceAlign is the alignment of local memories in bytes.
const spaceAlign = 64

// space returns the address at which the memory space s begins. For a local memory, it is
// the address of a variable. Each thread has its own variable, so that blocks can run in
// parallel. For global memory, the address is 0.
func (m *module) space(s sem.Space) value.Value {
	if s == sem.GM || s == sem.NoSpace {
		return ll.Null
	}
	size := s.Size(m.opts.Target)
	if s == sem.FB { // further segments follow at a distance
		size += factorSegments << segmentBits
	}
	return m.memory(s.String(), int64(size))
}

const (
	// The fixpipe buffer has further segments, whose addresses are 64 KiB apart.
	factorSegments = 3
	segmentBits    = 16
)

// memory returns the address of a thread-local memory, which every block has separately.
// The parameter name is the name of the memory, and size is its size in bytes. The memory
// is initialized with zeros.
func (m *module) memory(name string, size int64) value.Value {
	name = "pto." + name
	m.ofBlock[name] = true
	return m.bytes(name, size)
}

// bytes declares, on the first call, a thread-local LLVM variable with the given name,
// and returns its address. The variable is an array of size bytes.
func (m *module) bytes(name string, size int64) value.Value {
	return m.Variable(name, types.NewArray(uint64(size), ll.I8), spaceAlign)
}

// space returns the address of a local memory as the current core accesses it. Each
// vector core has its own unified buffer.
func (c *code) space(s sem.Space) value.Value {
	if s == sem.UB && c.ub != nil {
		return c.ub
	}
	return c.module.space(s)
}

// secondBuffer returns the address of the unified buffer of the second vector core.
func (m *module) secondBuffer() value.Value {
	return m.memory("ub.1", int64(sem.UB.Size(m.opts.Target)))
}

// workspace returns thread-local scratch memory of at least n bytes for the duration of
// one instruction. Calls with the same name return the same memory. Its initial contents
// are undefined.
func (m *module) workspace(name string, n int64) value.Value {
	return m.AtLeast(workPrefix+name, n, spaceAlign)
}

// workPrefix is the common prefix of the names of workspaces, the scratch memories of
// instructions.
const workPrefix = "pto.work."

// offset emits an address that is the given number of bytes after the address p.
//
//go:noinline
func (c *code) offset(p, bytes value.Value) value.Value { return c.At(ll.I8, p, bytes) }

// castPtr emits a conversion between pointers and integers, or between pointer types. The
// integer for a pointer in local memory is the byte offset from the start of that memory.
func (f *function) castPtr(op *ir.Op, _ sem.CastPtr) {
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	x := f.val(op.Operand(0))
	isPtr := func(t ir.Type) bool { return pto.SpaceOf(t) != sem.NoSpace }
	switch {
	case isPtr(from) && isPtr(to):
	case isPtr(to):
		x = f.pointer(pto.SpaceOf(to), f.Resize(x, ll.I64, false))
	case isPtr(from):
		x = f.addressOf(pto.SpaceOf(from), x)
		x = f.Resize(x, intTypeOf(to), false)
	}
	f.set(op.Result(0), x)
}

// intTypeOf returns the LLVM type of an integer type of the program.
func intTypeOf(t ir.Type) types.Type {
	ts, _ := partsOf(t)
	return ts[0]
}

// pointer emits the conversion of an integer address n in memory space s to an LLVM
// pointer.
func (c *code) pointer(s sem.Space, n value.Value) value.Value {
	if s == sem.GM {
		return c.Emit(llir.NewIntToPtr(n, ll.Ptr))
	}
	return c.offset(c.space(s), n)
}

// addressOf emits the conversion of an LLVM pointer p in memory space s to an integer
// address.
func (c *code) addressOf(s sem.Space, p value.Value) value.Value {
	if s == sem.GM {
		return c.Emit(llir.NewPtrToInt(p, ll.I64))
	}
	return c.distance(p, c.space(s))
}

// distance emits the number of bytes between two addresses: from the address in the
// parameter from to the address p. The result is negative if p is the lower address.
func (c *code) distance(p, from value.Value) value.Value {
	return c.Sub(c.Emit(llir.NewPtrToInt(p, ll.I64)), c.Emit(llir.NewPtrToInt(from, ll.I64)))
}

// addPtr emits a pointer that is advanced by a number of elements.
func (f *function) addPtr(op *ir.Op, _ sem.AddPtr) {
	size := pto.ByteSize(ir.ElementType(op.Operand(0).Type()))
	by := f.Mul(f.val(op.Operand(1)), ll.Index(int64(size)))
	f.set(op.Result(0), f.offset(f.val(op.Operand(0)), by))
}

// query emits a property of the launch: the number of the block, the number of blocks,
// the number of the vector core within its block, or the number of vector cores per
// block. This last number is 1 unless several cores of a block run together (f.team).
func (f *function) query(op *ir.Op, kind sem.Query) {
	switch kind.What {
	case sem.BlockIdx:
		f.set(op.Result(0), f.blockIdx)
	case sem.BlockNum:
		f.set(op.Result(0), f.blockNum)
	case sem.SubBlockIdx:
		f.set(op.Result(0), f.vectorCore)
	case sem.SubBlockNum:
		n := int64(1)
		if f.team != nil {
			n = f.team.vectors()
		}
		f.set(op.Result(0), ll.Index(n))
	default:
		f.unsupported(op)
	}
}

// view describes a tensor in global memory, or a rectangular part of one: element type,
// address, extents and strides.
type view struct {
	e    element
	base value.Value
	size []value.Value
	// strides are the distances between neighbors in each dimension, in elements.
	strides []value.Value
}

// viewOf returns the address, sizes and strides of a view; ok is false if v is not a
// view.
func (f *function) viewOf(v *ir.Value) (view, bool) {
	e, ok := elementOfType(ir.ElementType(v.Type()))
	p := f.parts(v)
	rank := len(p) / 2
	return view{e: e, base: p[0], size: p[1 : 1+rank], strides: p[1+rank:]}, ok
}

// setView defines the view v of the program by LLVM values. These values are the address,
// the extents and the strides in w.
func (f *function) setView(v *ir.Value, w view) {
	f.set(v, slices.Concat(parts{w.base}, w.size, w.strides)...)
}

// makeView emits the creation of a tensor view from an address, extents and strides.
func (f *function) makeView(op *ir.Op, _ sem.MakeView) {
	made := sem.ViewingOf(op)
	f.setView(op.Result(0), view{
		base: f.val(op.Operand(0)), size: f.all(made.Shape), strides: f.all(made.Strides),
	})
}

// partView emits a view of a rectangular part of a tensor. A part that exceeds the tensor
// is a fault.
func (f *function) partView(op *ir.Op, _ sem.PartView) {
	w, ok := f.viewOf(op.Operand(0))
	if !ok {
		f.unsupported(op)
		return
	}
	at := value.Value(ll.Index(0))
	part := sem.ViewingOf(op)
	offsets, sizes := f.all(part.Offsets), f.all(part.Sizes)
	for i, o := range offsets {
		at = f.Add(at, f.Mul(o, w.strides[i]))
	}
	f.checkPart(&w, offsets, sizes)
	w.base = f.offset(w.base, f.Mul(at, ll.Index(int64(w.e.size))))
	w.size = sizes
	f.setView(op.Result(0), w)
}
