// This file emits elementwise instructions on vector registers.

package llvm

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// maskType is the LLVM type of a mask: one bit for each byte of a vector register.
var maskType = types.NewVector(pto.VectorBytes, ll.I1)

// onlyWhere emits a selection between two vectors by the mask in the parameter on. Lanes
// that the mask selects come from x. The remaining lanes come from the vector in the
// parameter other.
func (c *code) onlyWhere(on, x, other value.Value) value.Value {
	if ll.AllOn(on) {
		return x
	}
	return c.Select(on, x, other)
}

// sequence returns n equally spaced numbers. The first number is the parameter from, and
// each following number is larger by the parameter step.
func sequence(n, from, step int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = from + i*step
	}
	return s
}

// laneMask converts the mask register value m into a vector of i1 with one element for
// each lane. The parameter size is the size of a lane in bytes. A mask register has one
// bit per byte; the bit of a lane is the bit of its first byte.
func (c *code) laneMask(m value.Value, size int) value.Value {
	if size == 1 {
		return m
	}
	return c.ShuffleOne(m, sequence(pto.VectorBytes/size, 0, size))
}

// maskOf emits a mask register value. The parameter bits is a vector with one i1 for each
// lane, and size is the size of a lane in bytes. A mask register has one bit per byte:
// the first byte of a lane receives the bit of the lane, and the bits of the remaining
// bytes are zero.
func (c *code) maskOf(bits value.Value, size int) value.Value {
	if size == 1 {
		return bits
	}
	n := pto.VectorBytes / size
	indices := make([]int, pto.VectorBytes)
	for i := range indices {
		if indices[i] = n; i%size == 0 {
			indices[i] = i / size
		}
	}
	return c.Shuffle(bits, ll.Zero(bits.Type()), indices)
}

// register returns the element type of the vector register type t. If the emitter does
// not support this type, it reports an error about op, and ok is false.
func (f *function) register(op *ir.Op, t ir.Type) (element, bool) {
	e, ok := elementOfType(ir.ElementType(t))
	if !ok || !ir.Is[pto.VReg](t) || e.packed {
		f.errorf(op, "computes with operands of type %s, which the LLVM IR emitter does not support yet", t)
		return e, false
	}
	return e, true
}

// movedLanes returns the element type of the vector register type t. It is used for
// instructions that only move lanes. Such an instruction also supports lanes that hold
// several packed numbers, which instructions that compute do not support. If t is not
// supported, movedLanes reports an error about op, and the second result is false.
func (f *function) movedLanes(op *ir.Op, t ir.Type) (element, bool) {
	if e, ok := elementOfType(ir.ElementType(t)); ok && ir.Is[pto.VReg](t) {
		return e, true
	}
	return f.register(op, t)
}

// lanesOf emits the operand v of a vector instruction as a vector of lanes of type e. A
// scalar is truncated or extended to the lane width and repeated in all lanes.
func (f *function) lanesOf(v *ir.Value, e element) value.Value {
	x := f.val(v)
	if ir.Is[pto.VReg](v.Type()) {
		return x
	}
	if !x.Type().Equal(e.t) {
		from, _ := ir.FormatOf(v.Type())
		signed := from.IsInt() && from.Signed()
		x = f.Bitcast(f.Resize(f.Bits(x), ll.IntType(8*e.size), signed), e.t)
	}
	return f.Splat(x, pto.VectorBytes/e.size)
}

// maskArg returns the mask operand that selects the lanes of op. It is the operand that
// the definition marks as the mask. If no operand is marked, it is the last operand whose
// type is a mask, or nil if there is none.
func maskArg(op *ir.Op) *ir.Value {
	if on := sem.MaskOf(op); on.Given() {
		return on.Value
	}
	for i := op.NumOperands() - 1; i >= 0; i-- {
		if v := op.Operand(i); ir.Is[pto.Mask](v.Type()) {
			return v
		}
	}
	return nil
}

// under emits the computation of lanes under the mask of op. The function compute emits
// the computation and returns the lanes. The parameter size is the size of a lane in
// bytes. Lanes that the mask does not select become zero and cannot fault.
func (f *function) under(op *ir.Op, size int, compute func() value.Value) value.Value {
	m := maskArg(op)
	if m == nil {
		return compute()
	}
	f.Active = f.laneMask(f.val(m), size)
	defer func() { f.Active = nil }()
	y := compute()
	return f.onlyWhere(f.Active, y, ll.Zero(y.Type()))
}

// vecMap emits a vector instruction that computes each lane from the same lane of its
// operands.
func (f *function) vecMap(op *ir.Op, kind sem.VecMap) {
	e, ok := f.register(op, op.Result(0).Type())
	if !ok || !f.supports(op, kind.Fn, e) {
		return
	}
	var xs []value.Value
	for _, v := range kind.Inputs(op) {
		xs = append(xs, f.lanesOf(v, e))
	}
	f.set(op.Result(0), f.under(op, e.size, func() value.Value {
		return f.applyTo(op, kind.Fn, e, xs...)
	}))
}
