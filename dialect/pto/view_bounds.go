// This file verifies partitions of views.

package pto

import (
	"fmt"

	"ptogo/ir"
)

// OutsideView checks a region of a view along one dimension, the parameter dim. offset
// and size are the start and the size of the region along this dimension, extent is the
// number of elements of the view along it, and rank is the number of dimensions of the
// view. OutsideView returns a message if the region exceeds the view, and "" if it does
// not. It does not add offset and size, because the sum of two values from a kernel could
// overflow.
func OutsideView(rank, dim int, offset, size, extent int64) string {
	if offset >= 0 && size <= extent && offset <= extent-size {
		return ""
	}
	what := fmt.Sprintf("places of dimension %d", dim)
	switch rank - dim {
	case 1:
		what = "columns"
	case 2:
		what = "rows"
	}
	return fmt.Sprintf("selects %s %d..%d of a view with %d %s", what, offset, offset+size-1, extent, what)
}

// VerifyPartBounds reports an error if a region exceeds its view, as far as constants and
// types determine it. src and dst are the dimensions of the view and of the region. A
// region without elements may be anywhere.
func VerifyPartBounds(op *ir.Op, v *ir.Verifier, src, dst ir.Dims) {
	offsets, sizes := op.Args("offsets"), op.Args("sizes")
	if len(offsets) != src.Len() || len(sizes) != src.Len() {
		return // reported already
	}
	outside := ""
	for i := range sizes {
		size, known := ConstantInt(sizes[i])
		offset, _ := ConstantInt(offsets[i]) // 0 where the kernel computes it: what leaves the view there leaves it anywhere
		switch {
		case !known:
		case size < 0:
			v.Errorf(op, "has size %d in dimension %d, but a size must not be negative", size, i)
			return
		case dst.Len() == len(sizes) && dst.At(i) != ir.Dynamic && dst.At(i) != size:
			v.Errorf(op, "has size %d in dimension %d, but its result type has extent %d in this dimension", size, i, dst.At(i))
			return
		case size == 0:
			return
		case outside == "" && src.At(i) != ir.Dynamic:
			outside = OutsideView(src.Len(), i, offset, size, src.At(i))
		}
		if offset < 0 {
			v.Errorf(op, "has offset %d in dimension %d, but an offset must not be negative", offset, i)
			return
		}
	}
	if outside != "" {
		v.Errorf(op, "%s", outside)
	}
}

// VerifyShape compares two descriptions of the shape of a view: the operands of op that
// are called shape, and the extents in the type of the view, which are the last argument.
// It reports an error for each dimension in which a constant operand differs from a
// static extent.
func VerifyShape(op *ir.Op, v *ir.Verifier, shape ir.Dims) {
	if len(op.Args("shape")) != shape.Len() {
		return // reported already
	}
	for i, x := range op.Args("shape") {
		if n, known := ConstantInt(x); known && shape.At(i) != ir.Dynamic && shape.At(i) != n {
			v.Errorf(op, "has extent %d in dimension %d of its operands, but its result type has extent %d in this dimension", n, i, shape.At(i))
		}
	}
}
