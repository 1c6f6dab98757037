// This file emits row and column expansions, and partial operations.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
)

// whicheverIsVector determines which of the two source operands of a row expansion is the
// vector, and calls combine with the index of this operand. If exactly one of the
// operands has another valid region than dst, it is the vector. In all other cases, the
// last operand is the vector.
func (f *function) whicheverIsVector(dst *tile, ins [2]*tile, combine func(vector int)) {
	second, known2 := sameExtent(ins[1], dst)
	first, known1 := sameExtent(ins[0], dst)
	switch {
	case known1 && first, known2 && !second:
		combine(1)
	case known1 && known2:
		combine(0)
	default:
		isFirst := f.And(f.equalExtent(ins[1], dst), f.Not(f.equalExtent(ins[0], dst)))
		f.When("first", isFirst, func() { combine(0) })
		f.When("second", f.Not(isFirst), func() { combine(1) })
	}
}

// sameExtent reports whether the valid regions of two tiles are equal, as far as
// constants decide it. The result known is false if the comparison depends on values at
// run time.
func sameExtent(a, b *tile) (same, known bool) {
	known = true
	same = true
	for _, p := range [][2]value.Value{{a.rows, b.rows}, {a.cols, b.cols}} {
		x, ok := ll.ConstantInt(p[0])
		y, ok2 := ll.ConstantInt(p[1])
		switch {
		case ok && ok2 && x != y:
			return false, true
		case !ok || !ok2:
			known = false
		}
	}
	return same, known
}

// equalExtent emits a test whether the valid regions of two tiles are equal.
func (f *function) equalExtent(a, b *tile) value.Value {
	return f.And(f.ICmp(enum.IPredEQ, a.rows, b.rows), f.ICmp(enum.IPredEQ, a.cols, b.cols))
}

// expand emits loops over the elements of dst. The tile v is a vector that is repeated
// over all rows or columns. For each element (r, c), expand calls the function body with
// the element x of v that applies to this position. If one element of v applies to a
// whole row, it is loaded before the row is written, because dst can overlap v. If cyclic is
// set, successive elements of v apply to successive elements of a row.
func (f *function) expand(dst, v *tile, axis sem.Axis, cyclic bool, body func(x, r, c value.Value)) {
	if axis == sem.AlongCol {
		f.BelowOrTrap(dst.cols, v.info.Cols+1)
	} else {
		f.BelowOrTrap(dst.rows, v.info.Rows+1)
	}
	switch {
	case axis == sem.AlongCol:
		f.over(dst, func(r, c value.Value) { body(f.get(v, ll.Index(0), c), r, c) })
	case cyclic:
		f.over(dst, func(r, c value.Value) {
			body(f.get(v, r, f.URem(c, f.MaxInt(v.cols, ll.Index(1)))), r, c)
		})
	case dst.byCols():
		f.over(dst, func(r, c value.Value) { body(f.get(v, r, ll.Index(0)), r, c) })
	default:
		f.Loop("row", dst.rows, func(r value.Value) {
			x := f.get(v, r, ll.Index(0))
			f.Elements("col", dst.cols, func(c value.Value) { body(x, r, c) })
		})
	}
}

// inTurn reports whether a row expansion that can use the elements of the vector v in turn
// does so: a column-major vector has one element for each row.
func inTurn(v *tile) bool { return v.info.BLayout == pto.RowMajor }

// inside emits an i1 that is true if the position (r, c) is in the valid region of the
// tile t.
func inside(f *function, t *tile, r, c value.Value) value.Value {
	return f.And(f.ICmp(enum.IPredSLT, r, t.rows), f.ICmp(enum.IPredSLT, c, t.cols))
}
