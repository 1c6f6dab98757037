package analysis_test

import (
	"fmt"
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
)

// TestMayWrite verifies which parameters of a kernel count as written: a parameter that is
// only loaded does not, one that a called function stores to does, and so does one whose
// address becomes a number or passes through a loop.
func TestMayWrite(t *testing.T) {
	const text = `
func.func private @helper(%from: !pto.ptr<f32>, %to: !pto.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %x = pto.load_scalar %from[%c0] : !pto.ptr<f32> -> f32
  %y = arith.addf %x, %x : f32
  pto.store_scalar %y, %to[%c0] : !pto.ptr<f32>, f32
  return
}
func.func @k(%read: !pto.ptr<f32>, %loaded: !pto.ptr<f32>, %stored: !pto.ptr<f32>, %number: !pto.ptr<f32>, %carried: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  func.call @helper(%read, %stored) : (!pto.ptr<f32>, !pto.ptr<f32>) -> ()
  %v = pto.make_tensor_view %loaded, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
  pto.tload ins(%p : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
  %n = pto.castptr %number : !pto.ptr<f32> -> i64
  %l = scf.for %i = %c0 to %c16 step %c1 iter_args(%q = %carried) -> (!pto.ptr<f32>) {
    scf.yield %q : !pto.ptr<f32>
  }
  return
}
`
	module, err := ir.Parse(&ir.Source{Name: "test.pto", Text: text}, ir.ParseOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var kernel *ir.Op
	for _, f := range fn.Functions(module) {
		if fn.Name(f) == "k" {
			kernel = f
		}
	}
	var got []string
	for _, v := range fn.Body(kernel).Args() {
		got = append(got, fmt.Sprint(v.Name(), " ", analysis.MayWrite(v)))
	}
	want := "[read false loaded false stored true number true carried true]"
	if fmt.Sprint(got) != want {
		t.Errorf("MayWrite: %v, want %s", got, want)
	}
}
