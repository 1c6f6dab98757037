// This file emits copies of MX scales into tiles.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
)

// scaleBox is the size in bytes of a box of MX scales: 16 rows with 2 scales each.
const scaleBox = 32

// loadScaleBoxes emits a copy of MX scales (one factor per group of 32 elements) from the
// view w in global memory into the tile t. The view contains the same boxes in the same
// order as the tile. In a view of two dimensions the boxes are contiguous; in a view of
// five dimensions the first three dimensions count the boxes, and the fourth counts the
// pairs of scales in a box.
func (f *function) loadScaleBoxes(w *view, t *tile) {
	transposed := func(row, col value.Value) (outer, inner value.Value) {
		if t.byCols() {
			return col, row
		}
		return row, col
	}
	high, wide := t.box.rows, t.box.cols
	size := func(d int) value.Value { return dimension(w.size, d, 1) }
	named := f.Mul(size(3), size(2))
	several := value.Value(f.ICmp(enum.IPredSGT, named, ll.Index(1)))
	if n, ok := ll.ConstantInt(named); ok || len(w.size) == pto.ViewRank {
		several = ll.ConstantBool(n > 1 || len(w.size) == pto.ViewRank)
	}
	f.WhenElse("named", several, func() {
		rows, cols := transposed(f.Mul(size(4), size(3)), size(2))
		line := dimension(w.strides, 1, scalePair)
		apart := f.And(f.Or(dimension(w.strides, 3, 0), dimension(w.strides, 2, 0)), ll.Index(scaleBox-1))
		whole := f.And(f.ICmp(enum.IPredEQ, line, ll.Index(scalePair)), f.ICmp(enum.IPredEQ, apart, ll.Index(0)))
		f.copyBoxes(w, t, f.Mul(rows, ll.Index(high)), f.Mul(cols, ll.Index(wide)), line, whole, func(br, bc value.Value) value.Value {
			outer, inner := transposed(br, bc)
			part := f.SDiv(outer, size(3))
			rest := f.Sub(outer, f.Mul(part, size(3)))
			at := f.Add(f.Mul(part, dimension(w.strides, 4, 0)), f.Mul(rest, dimension(w.strides, 3, 0)))
			return f.Add(at, f.Mul(inner, dimension(w.strides, 2, 0)))
		})
	}, func() {
		byRows, byCols := pto.ViewAxes(t.info)
		rows, cols := f.axisLength(w, byRows), f.axisLength(w, byCols)
		_, across := transposed(f.CeilQuo(rows, high), f.CeilQuo(cols, wide))
		f.copyBoxes(w, t, rows, cols, ll.Index(scalePair), ll.ConstantBool(true), func(br, bc value.Value) value.Value {
			outer, inner := transposed(br, bc)
			return f.Mul(f.Add(f.Mul(outer, across), inner), ll.Index(scaleBox))
		})
	})
}

// dimension returns one element of a list of extents or strides, the first parameter. The
// parameter d counts the elements from the last one, which has number 0. If the list has
// too few elements, dimension returns the constant in its last parameter.
func dimension(of []value.Value, d int, none int64) value.Value {
	if i := len(of) - 1 - d; i >= 0 {
		return of[i]
	}
	return ll.Index(none)
}

// scalePair is the size in bytes of the scales in one row of a box.
const scalePair = 2

// copyBoxes emits a copy of boxes (inner blocks) of MX scales from the view w to the tile
// t. The copied boxes contain the first rows x cols scales, or the scales of the valid
// region of t if this region is smaller. The parameter line is the distance in bytes of
// the pairs of scales in a box of the view. The function at returns the byte offset in the
// view of one box; its parameters br and bc are the row and the column of the box,
// counted in boxes. The i1 whole is true if the boxes of the view are contiguous: they are
// then copied with all their scales, also if the valid region ends inside a box.
func (f *function) copyBoxes(w *view, t *tile, rows, cols, line, whole value.Value, at func(br, bc value.Value) value.Value) {
	high, wide := t.box.rows, t.box.cols
	rows, cols = f.AtMost(t.rows, rows), f.AtMost(t.cols, cols)
	f.Loop("boxes", f.CeilQuo(rows, high), func(br value.Value) {
		f.Loop("box", f.CeilQuo(cols, wide), func(bc value.Value) {
			to := f.addr(t, f.Mul(br, ll.Index(high)), f.Mul(bc, ll.Index(wide)))
			from := f.offset(w.base, at(br, bc))
			f.WhenElse("whole", whole, func() {
				f.copyBytes(to, from, ll.Index(scaleBox))
			}, func() {
				lines := f.AtMost(ll.Index(high), f.Sub(rows, f.Mul(br, ll.Index(high))))
				if t.byCols() {
					lines = f.AtMost(ll.Index(wide), f.Sub(cols, f.Mul(bc, ll.Index(wide))))
				}
				f.Loop("pair", lines, func(i value.Value) {
					f.copyBytes(f.offset(to, f.Mul(i, ll.Index(scalePair))), f.offset(from, f.Mul(i, line)), ll.Index(scalePair))
				})
			})
		})
	})
}
