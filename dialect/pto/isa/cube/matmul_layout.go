// This file checks the layouts of product operands.

package cube

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// cubeLayout is a rule that warns about operands of a matrix product whose layout
// differs from that of the cube unit.
//
// In this project, results do not depend on the layout, because elements are addressed
// by row and column. The device's library rejects such types or reads other elements.
// The order of boxes in the left operand is ignored, because it depends on the target.
type cubeLayout struct{ lhs, rhs, acc string }

// Verify implements Rule. It reports an error for each operand or result of op, a matrix
// product, whose layout the cube unit does not support.
func (r cubeLayout) Verify(op *ir.Op, v *ir.Verifier) {
	for _, name := range []string{r.lhs, r.rhs, r.acc, "dst"} {
		t, ok := TileArg(op, name)
		if !ok {
			continue
		}
		b, s := boxesOf(t)
		if t.SLayout == s && (t.BLayout == b || t.Space == sem.L0A) {
			continue
		}
		want := fmt.Sprintf("slayout=%s", s)
		if t.Space != sem.L0A {
			want = fmt.Sprintf("blayout=%s, %s", b, want)
		}
		WarnRejected(op, v, "\"%s\" has blayout=%s, slayout=%s, but the cube unit expects %s for tiles in %s", name, t.BLayout, t.SLayout, want, t.Space.Loc()).
			Note(ir.Loc{}, "pto-run executes it, because it addresses elements by row and column; the device library rejects it or reads other elements")
		return
	}
}

// scaleElems is a rule for matrix products with scale factors. It warns if the elements
// of a tile with scale factors are not one-byte exponents, because the cube unit reads
// them as f8E8M0 regardless of the tile's type. The two strings are the names of the
// operands with the scale factors.
type scaleElems [2]string

// Verify implements Rule. It adds a warning about op to v if the elements of a tile with
// scale factors are not one-byte exponents.
func (r scaleElems) Verify(op *ir.Op, v *ir.Verifier) {
	for _, name := range r {
		t, ok := TileArg(op, name)
		if f, known := ir.FormatOf(t.Elem); !ok || known && (f == num.F8E8M0 || f.IsInt() && f.Bits() == 8) {
			continue
		}
		WarnRejected(op, v, "\"%s\" has elements of type %s, but the cube unit expects scale factors with elements of one byte", name, t.Elem).
			Note(ir.Loc{}, "use the element type !pto.f8E8M0 for scales")
		return
	}
}

// boxesOf returns the order of boxes (b) and the order of elements inside a box (s) that
// the cube unit requires for a tile in the memory of t. If the cube unit does not read
// this memory, boxesOf returns both orders of t.
func boxesOf(t TileInfo) (b, s Layout) {
	switch t.Space {
	case sem.L0A:
		return t.BLayout, RowMajor
	case sem.L0B:
		return RowMajor, ColMajor
	case sem.L0C:
		return ColMajor, RowMajor
	}
	return t.BLayout, t.SLayout
}
