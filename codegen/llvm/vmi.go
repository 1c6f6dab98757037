// This file emits logical vectors (VMI) and their masks.

package llvm

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
	"ptogo/dialect/pto/sem"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Values of vmi have any number of lanes: they are vectors as long as that,
// and masks are vectors of i1 with one bit for each lane.

// mostLanes is the largest number of lanes of a logical vector (VMI) that the emitter
// accepts. LLVM needs minutes for some longer vectors and crashes on the longest ones.
const mostLanes = 4096

// row describes a logical vector (VMI): its element type and its number of lanes.
type row struct {
	element
	lanes int
}

// rowOf returns the element type and the number of lanes of a logical vector or mask type
// (VMI). ok is false for any other type.
func rowOf(t ir.Type) (row, bool) {
	switch d := t.Data().(type) {
	case pto.VMIMask:
		return row{element{f: num.I1, t: ll.I1, mem: ll.I8, size: 1}, int(d.Lanes)}, d.Lanes > 0 && d.Lanes <= mostLanes
	case pto.VMIVReg:
		e, ok := elementOfType(d.Elem)
		return row{e, int(d.Lanes)}, ok && d.Lanes > 0 && d.Lanes <= mostLanes
	}
	return row{}, false
}

// isRow reports whether t is the type of a logical vector or mask (VMI).
func isRow(t ir.Type) bool {
	_, ok := rowOf(t)
	return ok
}

// onRows reports whether op has an operand or result that is a logical vector or mask
// (VMI).
func onRows(op *ir.Op) bool {
	for _, vs := range [][]*ir.Value{op.Operands(), op.Results()} {
		for _, v := range vs {
			if isRow(v.Type()) {
				return true
			}
		}
	}
	return false
}

// numbers returns the format in which lanes are computed. Signless integers count as
// unsigned in vmi instructions.
func (r row) numbers() element {
	e := r.element
	if e.f != num.I1 && e.f.IsInt() && e.f != e.f.AsSigned() {
		e.f = e.f.Unsigned()
	}
	return e
}

// vector returns the LLVM vector type that represents the logical vector.
func (r row) vector() types.Type { return ll.VectorOf(r.lanes, r.t) }

// rowArg emits the operand v of an instruction on logical vectors. The result is a
// vector; r describes its element type and its number of lanes. A scalar operand is
// repeated in all lanes.
func (f *function) rowArg(v *ir.Value, r row) value.Value {
	if isRow(v.Type()) {
		return f.val(v)
	}
	x := f.val(v)
	if !x.Type().Equal(r.t) {
		from, _ := ir.FormatOf(v.Type())
		x = f.Bitcast(f.Resize(f.Bits(x), ll.IntType(8*r.size), from.IsInt() && from.Signed()), r.t)
	}
	return f.Splat(x, r.lanes)
}

// rowMask returns the mask that selects the lanes of the result v of op. It returns nil
// if op has no mask, which means that all lanes are selected.
func (f *function) rowMask(op *ir.Op, v *ir.Value) value.Value {
	if m := sem.LaneSelectionOf(op, v).Mask; m.Given() {
		return f.val(m.Value)
	}
	return nil
}

// selected emits the result v of op from y, the values of all computed lanes. Lanes that
// the mask of op selects have the values in y. All other lanes have the values of an
// operand that the instruction specifies, or are zero.
func (f *function) selected(op *ir.Op, v *ir.Value, y value.Value) value.Value {
	on := f.rowMask(op, v)
	if on == nil {
		return y
	}
	o := sem.LaneSelectionOf(op, v)
	if o.Other.Given() {
		return f.onlyWhere(on, y, f.val(o.Other.Value))
	}
	if o.Merges && ir.Is[pto.VMIVReg](v.Type()) {
		for _, from := range op.Operands() {
			if from.Type() == v.Type() {
				return f.onlyWhere(on, y, f.val(from))
			}
		}
	}
	return f.onlyWhere(on, y, ll.Zero(y.Type()))
}

// laneNumbers returns a constant vector of n elements of type t. Its last argument is a
// function that returns the element with a given index.
func laneNumbers(n int, t *types.IntType, of func(i int) int64) value.Value {
	elems := make([]value.Value, n)
	for i := range elems {
		elems[i] = ll.Integer(t, of(i))
	}
	return ll.VectorConstant(elems)
}

// array holds the lanes of a vector on the stack, so that a loop can access them by
// index.
type array struct {
	f *function
	// t is the LLVM type of an element of the array.
	t types.Type
	// p is the address of the array.
	p value.Value
	// n is the number of elements.
	n int
}

// arrayOf emits a store of the lanes of x to an array on the stack, and returns the
// array. The lanes of a mask are stored as bytes.
func (f *function) arrayOf(x value.Value) array {
	if ll.ElementOf(x.Type()).Equal(ll.I1) {
		x = f.ZExt(x, ll.I8)
	}
	a := f.emptyArray(ll.ElementOf(x.Type()), ll.Lanes(x.Type()))
	f.Store(x, a.p, a.align())
	return a
}

// emptyArray emits a stack array of n elements of type t, initialized with zeros.
func (f *function) emptyArray(t types.Type, n int) array {
	a := array{f: f, t: t, n: n, p: f.Slot(types.NewArray(uint64(n), t))}
	f.Store(ll.Zero(ll.VectorOf(n, t)), a.p, a.align())
	return a
}

func (a *array) align() int { return (ll.WidthOf(a.t) + 7) / 8 }

// at emits the address of element i of the array.
func (a *array) at(i value.Value) value.Value { return a.f.At(a.t, a.p, i) }

func (a *array) get(i value.Value) value.Value { return a.f.Load(a.t, a.at(i), a.align()) }

func (a *array) put(i, x value.Value) { a.f.Store(x, a.at(i), a.align()) }

// vector emits a load of all elements of the stack array as one vector.
func (a *array) vector() value.Value { return a.f.Load(ll.VectorOf(a.n, a.t), a.p, a.align()) }
