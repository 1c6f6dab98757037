// This file converts between tensor types with different static extents.

package cpp

import "ptogo/ir"

// asView returns a C++ expression that converts the view v to the C++ type for the IR
// type t. The type t may have more dynamic extents and strides than v, but must describe
// the same memory. The stride of an axis with one element does not matter. The result ok is false if the types contradict each other or v is not
// a view.
func (f *function) asView(v *ir.Value, t ir.Type) (expr string, ok bool) {
	w := f.views[v]
	shape, elem, isView := shapeOf(t)
	if w == nil || !isView || w.elem != elem || w.layout != "ND" || len(w.sizes) != shape.Len() || isPair(elem) {
		return "", false
	}
	wantSizes, wantStrides := denseExtents(shape)
	sizes, okSizes := opened(padded(w.sizes), padded(wantSizes))
	haveStrides, needStrides := paddedStrides(w.sizes, w.strides), paddedStrides(wantSizes, wantStrides)
	for i, n := range sizes {
		if n == constant(1) && needStrides[i].known() { // the library never takes a step along this axis
			haveStrides[i] = needStrides[i]
		}
	}
	strides, okStrides := opened(haveStrides, needStrides)
	if !okSizes || !okStrides {
		return "", false
	}
	s, sizeArgs := fiveDims("pto::Shape", sizes)
	d, strideArgs := fiveDims("pto::Stride", strides)
	return "GlobalTensor<" + elemType(elem) + ", " + s + ", " + d + ", pto::Layout::ND>(" + w.base + ", " +
		s + "(" + sizeArgs + "), " + d + "(" + strideArgs + "))", true
}

// opened returns the extents of a view after a conversion to another view type. The new
// type has the same rank, but some extents that are constant in the old type may be
// dynamic in it. The first argument contains the extents of the view, and the second
// contains those of the new type. An extent that is dynamic in the new type becomes an
// expression that C++ evaluates at run time. The bool result is false if a constant
// extent of the new type differs from that of the view.
func opened(have, want []extent) (all []extent, ok bool) {
	for i, w := range want {
		switch {
		case !w.known():
			all = append(all, extent{expr: have[i].String()})
		case have[i] == w:
			all = append(all, w)
		default:
			return nil, false
		}
	}
	return all, true
}
