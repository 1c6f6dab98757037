package expand

import (
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// TestVectorOf checks that VectorOf returns the expected instruction for each function
// and element type, and whether this instruction accepts a scalar as its second operand.
func TestVectorOf(t *testing.T) {
	scalarF32 := [3]ir.Type{1: ir.F32}
	for _, c := range []struct {
		fn      *scalar.Fn
		elem    ir.Type
		scalars [3]ir.Type
		name    string
		spread  bool
	}{
		{scalar.Add, ir.F32, [3]ir.Type{}, "pto.vadd", false},
		{scalar.Add, ir.F32, scalarF32, "pto.vadds", false},
		{scalar.Sub, ir.F32, scalarF32, "pto.vsub", true}, // the public compiler has no vsubs
		{scalar.Div, ir.F32, [3]ir.Type{0: ir.F32}, "pto.vdiv", true},
		{scalar.Fma, ir.BF16, [3]ir.Type{}, "pto.vmadd", false},
		{scalar.And, ir.I16, [3]ir.Type{}, "pto.vand", false},
		{scalar.Recip, ir.F16, [3]ir.Type{}, "pto.vrec", false},
		{scalar.Exp, ir.I32, [3]ir.Type{}, "", false},
		{scalar.Pow, ir.F32, [3]ir.Type{}, "", false},
	} {
		i, ok := VectorOf(c.fn, c.elem, c.scalars, sem.A5)
		switch {
		case !ok && c.name == "":
		case !ok:
			t.Errorf("%s of %s has no instruction, but %s computes it", c.fn, c.elem, c.name)
		case i.Def.Name != c.name || i.broadcast != c.spread:
			t.Errorf("%s of %s is %s with broadcast = %v, want %q with %v", c.fn, c.elem, i.Def.Name, i.broadcast, c.name, c.spread)
		}
	}
}
