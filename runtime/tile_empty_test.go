package runtime

import (
	"bytes"
	"strings"
	"testing"
)

// Empty valid regions: nothing is written, and nothing fails.
func TestEmptyRegions(t *testing.T) {
	for _, body := range []string{
		"pto.tadd ins(%a, %b : T(a), T(b)) outs(%d : T(d))",
		"pto.texp ins(%a : T(a)) outs(%d : T(d))",
		"pto.tadds ins(%a, %f : T(a), f32) outs(%d : T(d))",
		"pto.texpands ins(%f : f32) outs(%d : T(d))",
		"pto.tcvt ins(%a : T(a)) outs(%i : T(i))",
		"pto.tmov ins(%a : T(a)) outs(%d : T(d))",
		"pto.tci ins(%n : i32) outs(%i : T(i))",
		"pto.ttri ins(%n : i32) outs(%d : T(d))",
		"pto.trandom ins(%n, %n, %n, %n, %n, %n : i32, i32, i32, i32, i32, i32) outs(%i : T(i))",
		"pto.tgather ins(%a, %x : T(a), T(x)) outs(%d : T(d))",
		"pto.tgather ins(%a, {maskPattern = #pto.mask_pattern<P1111>} : T(a)) outs(%d : T(d))",
		"pto.tgather ins(%a, %f, %b : T(a), f32, T(b)) outs(%i, %x : T(i), T(x)) {cmpMode = #pto.cmp<eq>}",
		"pto.tscatter ins(%a, {maskPattern = #pto.mask_pattern<P1111>} : T(a), \"row\") outs(%d : T(d))",
		"pto.tgatherb ins(%a, %x : T(a), T(x)) outs(%d : T(d))",
		"pto.tpairreducesum ins(%a : T(a)) outs(%d : T(d))",
		"pto.tpartadd ins(%a, %b : T(a), T(b)) outs(%d : T(d))",
		"pto.tpartmax ins(%a, %b : T(a), T(b)) outs(%d : T(d))",
		"pto.tload ins(%a_p : !pto.partition_tensor_view<8x8xf32>) outs(%d : T(d))",
		"pto.tstore ins(%d : T(d)) outs(%a_p : !pto.partition_tensor_view<8x8xf32>)",
		"pto.mgather ins(%a_p, %x : !pto.partition_tensor_view<8x8xf32>, T(x)) outs(%d : T(d)) {coalesce = #pto<coalesce elem>}",
		"pto.mscatter ins(%a, %x : T(a), T(x)) outs(%b_p : !pto.partition_tensor_view<8x8xf32>) {coalesce = #pto<coalesce elem>}",
	} {
		for _, valid := range []string{"0x8", "8x0", "0x0"} {
			var vars []tileVar
			for _, n := range []string{"a", "b", "d", "i", "x"} {
				elem := "f32"
				if n == "i" || n == "x" {
					elem = "i32"
				}
				v := tileOf(n, 8, 8, elem, "", valid, counted(1, 64)...)
				vars = append(vars, v)
			}
			before := bytes.Clone(vars[2].buf.Data)
			whole := bytes.Clone(vars[3].buf.Data)
			text := tileProgram("  %f = arith.constant 1.0 : f32\n  %n = arith.constant 1 : i32\n  "+body, vars...)
			if err := runText(t, text, Options{}, tileArgs(vars)...); err != nil {
				t.Errorf("%s with %s: %v", body, valid, err)
			}
			if !bytes.Equal(vars[2].buf.Data, before) || !bytes.Equal(vars[3].buf.Data, whole) && !strings.Contains(body, "outs(%i, %x") {
				t.Errorf("%s with %s writes", body, valid)
			}
		}
	}
}

// TestEmptyViews loads and stores through views that have no elements.
func TestEmptyViews(t *testing.T) {
	for _, n := range [][2]uint64{{0, 8}, {8, 0}, {0, 0}} {
		x := &Buffer{Data: make([]byte, 32)}
		mustRun(t, `
func.func @k(%x: !pto.ptr<f32>, %rows: index, %cols: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = pto.make_tensor_view %x, shape = [%rows, %cols], strides = [%cols, %c1] : !pto.tensor_view<?x?xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%rows, %cols] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x?xf32>
  %t = pto.alloc_tile valid_row = %rows valid_col = %cols : !pto.tile_buf<vec, 8x8xf32, valid=?x?>
  pto.tload ins(%p : !pto.partition_tensor_view<?x?xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32, valid=?x?>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 8x8xf32, valid=?x?>) outs(%p : !pto.partition_tensor_view<?x?xf32>)
  return
}`, ptr(x), Arg{Bits: n[0]}, Arg{Bits: n[1]})
	}
}
