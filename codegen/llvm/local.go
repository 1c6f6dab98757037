// This file emits arrays and structs on the stack, and arrays of event IDs.

package llvm

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Arrays and structs on the stack of a core are bytes on the stack of the
// thread, each scalar in as many whole bytes as it needs.

// maxLocal is the maximum size in bytes of an array or struct on the stack, since threads
// have small stacks.
const maxLocal = 1 << 20

// local emits an operation on an array or struct that a kernel keeps on the stack.
func (f *function) local(op *ir.Op, kind sem.Local) {
	switch kind {
	case sem.Local{}:
		f.declareLocal(op)
	case sem.Local{Act: sem.LocalGet}:
		f.localGet(op)
	case sem.Local{Act: sem.LocalSet}:
		f.localSet(op)
	case sem.Local{Events: true}:
		f.declareEvents(op)
	case sem.Local{Act: sem.LocalGet, Events: true}:
		f.eventGet(op)
	case sem.Local{Act: sem.LocalSet, Events: true}:
		f.eventSet(op)
	}
}

// declareLocal emits the stack allocation of an array or struct, initialized with zeros.
func (f *function) declareLocal(op *ir.Op) { f.reserve(op, 0) }

// declareEvents emits the stack allocation of an array of event IDs. Its elements are -1,
// an invalid ID, until they are set.
func (f *function) declareEvents(op *ir.Op) { f.reserve(op, -1) }

// reserve emits the stack allocation of the array or struct that op defines. The
// parameter fill is the initial value of each byte. More than maxLocal bytes are an
// error.
func (f *function) reserve(op *ir.Op, fill int64) {
	n := pto.LocalBytes(op.Result(0).Type())
	if n > maxLocal {
		f.errorf(op, "needs %d bytes of stack, but compiled kernels can use at most %d bytes", n, maxLocal)
		return
	}
	p := f.Slot(types.NewArray(uint64(n), ll.I8))
	f.fillMemory(p, fill, ll.Index(n))
	f.set(op.Result(0), p)
}

// localGet emits a load of a scalar from an array or struct on the stack.
func (f *function) localGet(op *ir.Op) {
	if p, e, ok := f.localScalar(op); ok {
		f.set(op.Result(0), f.Trunc(f.Load(e.mem, p, 1), e.t))
	}
}

// localSet emits a store of a scalar to an array or struct on the stack.
func (f *function) localSet(op *ir.Op) {
	if p, e, ok := f.localScalar(op); ok {
		f.Store(f.ZExt(f.val(sem.LocalUseOf(op).Value.Value), e.mem), p, 1)
	}
}

// localScalar emits the address of the array element or struct field that op accesses,
// and returns its element type. The address need not be aligned. The result ok is false
// after an error.
func (f *function) localScalar(op *ir.Op) (p value.Value, e element, ok bool) {
	v := op.Operand(0)
	p, t := f.val(v), v.Type()
	if array, isArray := ir.As[pto.LocalArray](t); isArray {
		at := value.Value(ll.Index(0))
		for i, x := range f.all(sem.LocalUseOf(op).Indices) {
			extent := array.Shape.Slice()[i]
			at = f.Add(f.Mul(at, ll.Index(extent)), f.BelowOrTrap(x, extent))
		}
		t = array.Elem
		p = f.offset(p, f.Mul(at, ll.Index(int64(pto.ByteSize(t)))))
	} else {
		var n int64
		n, t = isabase.FieldOf(op)
		p = f.offset(p, ll.Index(n))
	}
	if e, ok = elementOfType(t); !ok {
		f.errorf(op, "accesses an element of type %s, which the LLVM IR emitter does not support yet", t)
	}
	return p, e, ok
}

// eventGet emits a load of an event ID from an array.
func (f *function) eventGet(op *ir.Op) {
	f.set(op.Result(0), f.Load(ll.I64, f.eventPlace(op), pto.EventBytes))
}

// eventSet emits a store of an event ID to an array.
func (f *function) eventSet(op *ir.Op) {
	f.Store(f.Resize(f.val(sem.EventUseOf(op).Value.Value), ll.I64, false), f.eventPlace(op), pto.EventBytes)
}

// eventPlace emits the address of the element of an event ID array that op accesses. An
// index out of range is a fault.
func (f *function) eventPlace(op *ir.Op) value.Value {
	use := sem.EventUseOf(op)
	t, _ := ir.As[pto.EventIDArray](use.Array.Type())
	return f.At(ll.I64, f.val(use.Array.Value), f.BelowOrTrap(f.val(use.Index.Value), int64(t.Size)))
}
