// This file emits bounds checks for tensor views.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
)

// checkPart emits traps for a non-empty part (offsets and sizes) that exceeds its view,
// and for a negative size.
func (f *function) checkPart(w *view, offsets, sizes []value.Value) {
	outside, empty := value.Value(nil), value.Value(ll.ConstantBool(false))
	for i, n := range sizes {
		switch size, known := ll.ConstantInt(n); {
		case known && size == 0:
			return
		case !known:
			f.TrapIf(f.ICmp(enum.IPredSLT, n, ll.Index(0)))
			empty = f.Or(empty, f.ICmp(enum.IPredEQ, n, ll.Index(0)))
		}
		if knownInside(w.size[i], offsets[i], n) {
			continue
		}
		leaves := f.Not(f.insideExtent(w.size[i], offsets[i], n))
		if i < len(sizes)-1 {
			leaves = f.And(leaves, f.Not(f.runsOn(w, i, offsets, sizes)))
		}
		if outside != nil {
			leaves = f.Or(outside, leaves)
		}
		outside = leaves
	}
	if outside != nil {
		f.TrapIf(f.And(outside, f.Not(empty)))
	}
}

// runsOn emits an i1 for a region of the view w that exceeds dimension i of this view.
// The parameters offsets and sizes contain the offset and the size of the region in each
// dimension. The i1 is true if the region nevertheless stays in the memory of the view.
// This is the case if, for some number of dimensions outside of i, three conditions hold.
// These dimensions and dimension i are contiguous in memory, so that they form one long
// dimension. The region has size 1 in each of these outer dimensions. The region does not
// exceed the long dimension.
func (f *function) runsOn(w *view, i int, offsets, sizes []value.Value) value.Value {
	does, follows := value.Value(ll.ConstantBool(false)), value.Value(ll.ConstantBool(true))
	offset, extent := offsets[i], w.size[i]
	for k := i - 1; k >= 0; k-- {
		follows = f.And(follows, f.ICmp(enum.IPredEQ, sizes[k], ll.Index(1)))
		follows = f.And(follows, f.ICmp(enum.IPredEQ, w.strides[k], f.Mul(extent, w.strides[i])))
		offset = f.Add(offset, f.Mul(offsets[k], extent))
		extent = f.Mul(extent, w.size[k])
		does = f.Or(does, f.And(follows, f.insideExtent(extent, offset, sizes[i])))
	}
	return does
}

// insideExtent emits a test whether n elements, starting at offset, are inside a
// dimension with the given extent.
func (f *function) insideExtent(extent, offset, n value.Value) value.Value {
	return f.And(f.ICmp(enum.IPredULE, n, extent), f.ICmp(enum.IPredULE, offset, f.Sub(extent, n)))
}

// knownInside reports whether all three values are constants and n elements, starting at
// offset, are inside extent.
func knownInside(extent, offset, n value.Value) bool {
	e, ok1 := ll.ConstantInt(extent)
	at, ok2 := ll.ConstantInt(offset)
	size, ok3 := ll.ConstantInt(n)
	return ok1 && ok2 && ok3 && pto.OutsideView(1, 0, at, size, e) == ""
}
