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

// mostLanes is how many lanes a vector may have: LLVM takes minutes for some
// that are longer, and does not survive the longest.
const mostLanes = 4096

// row is what the lanes of a vmi value are.
type row struct {
	element
	lanes int
}

// rowOf returns the shape of values of a vmi type.
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

// isRow reports whether t is a type of vmi.
func isRow(t ir.Type) bool {
	_, ok := rowOf(t)
	return ok
}

// onRows reports whether op works on vmi values.
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

// vector is the type of the value.
func (r row) vector() types.Type { return ll.VectorOf(r.lanes, r.t) }

// rowArg is an input of an instruction on lanes like those of r: a vector, or
// a scalar that stands in all of them.
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

// rowMask returns the mask of an instruction with the result v, or nil.
func (f *function) rowMask(op *ir.Op, v *ir.Value) value.Value {
	if m := sem.LaneSelectionOf(op, v).Mask; m.Given() {
		return f.val(m.Value)
	}
	return nil
}

// selected gives the lanes that an instruction does not select what they hold.
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

// laneNumbers are the numbers that of gives for 0, 1, ... below n.
func laneNumbers(n int, t *types.IntType, of func(i int) int64) value.Value {
	elems := make([]value.Value, n)
	for i := range elems {
		elems[i] = ll.Integer(t, of(i))
	}
	return ll.VectorConstant(elems)
}

// array holds the lanes of a value in memory, so that a loop can index them.
type array struct {
	f *function
	t types.Type // of an element
	p value.Value
	n int
}

// arrayOf puts lanes into memory: those of a mask as bytes.
func (f *function) arrayOf(x value.Value) array {
	if ll.ElementOf(x.Type()).Equal(ll.I1) {
		x = f.ZExt(x, ll.I8)
	}
	a := f.emptyArray(ll.ElementOf(x.Type()), ll.Lanes(x.Type()))
	f.Store(x, a.p, a.align())
	return a
}

// emptyArray reserves room for n lanes, which are zero.
func (f *function) emptyArray(t types.Type, n int) array {
	a := array{f: f, t: t, n: n, p: f.Slot(types.NewArray(uint64(n), t))}
	f.Store(ll.Zero(ll.VectorOf(n, t)), a.p, a.align())
	return a
}

func (a *array) align() int { return (ll.WidthOf(a.t) + 7) / 8 }

// at is the address of lane i.
func (a *array) at(i value.Value) value.Value { return a.f.At(a.t, a.p, i) }

func (a *array) get(i value.Value) value.Value { return a.f.Load(a.t, a.at(i), a.align()) }

func (a *array) put(i, x value.Value) { a.f.Store(x, a.at(i), a.align()) }

// vector reads all lanes.
func (a *array) vector() value.Value { return a.f.Load(ll.VectorOf(a.n, a.t), a.p, a.align()) }
