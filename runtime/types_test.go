package runtime

import (
	"testing"

	"ptogo/ir"
)

// TestValueTypes resolves every type of a module, also those that only functions
// use that no kernel calls and that cannot be executed.
func TestValueTypes(t *testing.T) {
	for _, c := range []struct {
		typ   string
		class class
		elem  int
		row   int
		tile  bool
	}{
		{"f32", scalarClass, 4, 0, false},
		{"index", scalarClass, 8, 0, false},
		{"!pto.ptr<f16, gm>", scalarClass, 2, 0, false},
		{"memref<?x4xf32>", scalarClass, 4, 0, false},
		{"memref<?x?xf32>", noClass, 4, 0, false},
		{"memref<*xf32>", noClass, 4, 0, false},
		{"vector<8xf16>", vectorClass, 2, 0, false},
		{"tensor<?x4xf32>", noClass, 4, 0, false},
		{"!pto.vreg<64xf32>", vectorClass, 4, 0, false},
		{"!pto.local_array<4x8xf16>", rowClass, 2, 64, false},
		{"!pto.tensor_view<?x?xf32>", viewClass, 4, 0, false},
		{"!pto.tile_buf<vec, 8x32xf16>", tileClass, 2, 0, true},
		{"!pto.tile_buf<vec, 8x32xf16, valid=?x?>", tileClass, 2, 0, true},
	} {
		m := parseModule(t, "func.func private @other("+c.typ+") -> "+c.typ)
		var typ ir.Type
		for f := range m.Walk() {
			if a, ok := ir.AttrAs[ir.TypeAttr](f.Attr("function_type")); ok {
				fun, _ := ir.As[ir.FunctionType](a.Type)
				typ = fun.Outs.Slice()[0]
			}
		}
		x, known := valueTypes(m)[typ]
		if !known || x.class != c.class || x.elem != c.elem || x.row != c.row || (x.layout != nil) != c.tile {
			t.Errorf("%s: %+v, want %+v", c.typ, x, c)
		}
	}
}
