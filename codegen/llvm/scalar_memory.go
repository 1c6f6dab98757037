// This file emits loads and stores of scalars.

package llvm

import (
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// elementAt returns the element type and the address that the pointer and the element
// offset of op select. The last result is false after an error.
func (f *function) elementAt(op *ir.Op) (element, value.Value, bool) {
	use := sem.ElementUseOf(op)
	ptr := use.Pointer.Value
	e, ok := elementOfType(ir.ElementType(ir.ElementType(ptr.Type())))
	if !ok {
		f.unsupported(op)
		return e, nil, false
	}
	return e, f.offset(f.val(ptr), f.Mul(f.val(use.Offset.Value), ll.Index(pointee(ptr)))), true
}

// loadScalar emits a load of a scalar or a short vector from memory.
func (f *function) loadScalar(op *ir.Op, _ sem.LoadElement) {
	e, at, ok := f.elementAt(op)
	if !ok {
		return
	}
	if v := op.Result(0); ir.Is[ir.VectorType](v.Type()) {
		f.set(v, f.Load(intTypeOf(v.Type()), at, 1))
		return
	}
	f.set(op.Result(0), f.loadElement(e, at))
}

// storeScalar emits a store of a scalar or a short vector to memory.
func (f *function) storeScalar(op *ir.Op, _ sem.StoreElement) {
	e, at, ok := f.elementAt(op)
	if !ok {
		return
	}
	v := sem.ElementUseOf(op).Value
	if ir.Is[ir.VectorType](v.Type()) {
		f.Store(f.val(v.Value), at, 1)
		return
	}
	f.storeElement(e, f.val(v.Value), at)
}

// setBit emits an instruction that sets or clears one bit of an integer. The bit position
// is reduced modulo the width.
func (f *function) setBit(op *ir.Op, kind sem.SetBit) {
	x, n := f.val(op.Operand(0)), f.ShiftCount(f.val(op.Operand(1)))
	bit := f.Shl(f.Int(x, 1), n)
	if kind.Value {
		f.set(op.Result(0), f.Or(x, bit))
		return
	}
	f.set(op.Result(0), f.And(x, f.Not(bit)))
}
