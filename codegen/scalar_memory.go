package codegen

import (
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// elementAt returns the address that a pointer and an offset in elements name.
func (f *function) elementAt(op *ir.Op) (element, value.Value, bool) {
	ptr := op.Arg("ptr")
	e, ok := elementOfType(ir.ElementType(ir.ElementType(ptr.Type())))
	if !ok {
		f.unsupported(op)
		return e, nil, false
	}
	return e, f.offset(f.val(ptr), f.mul(f.arg(op, "offset"), index(pointee(ptr)))), true
}

// loadScalar writes a load of one element, or of a short vector.
func (f *function) loadScalar(op *ir.Op) {
	e, at, ok := f.elementAt(op)
	if !ok {
		return
	}
	if v := op.Result(0); ir.Is[ir.VectorType](v.Type()) {
		f.set(v, f.load(intTypeOf(v.Type()), at, 1))
		return
	}
	f.set(op.Result(0), f.loadElement(e, at))
}

// storeScalar writes a store of one element, or of a short vector.
func (f *function) storeScalar(op *ir.Op) {
	e, at, ok := f.elementAt(op)
	if !ok {
		return
	}
	if v := op.Arg("value"); ir.Is[ir.VectorType](v.Type()) {
		f.store(f.val(v), at, 1)
		return
	}
	f.storeElement(e, f.arg(op, "value"), at)
}

// setBit writes clearing or setting one bit, whose number counts modulo the
// width.
func (f *function) setBit(op *ir.Op, kind sem.SetBit) {
	x, n := f.val(op.Operand(0)), f.shiftCount(f.val(op.Operand(1)))
	bit := f.shl(f.int(x, 1), n)
	if kind.Value {
		f.set(op.Result(0), f.or(x, bit))
		return
	}
	f.set(op.Result(0), f.and(x, f.not(bit)))
}
