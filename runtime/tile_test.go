package runtime

import (
	"math"
	"testing"
)

// tileKernel is a kernel that loads a tile, works on it and stores it.
const tileKernel = `
func.func @k(%in: !pto.ptr<f32>, %out: !pto.ptr<f32>, %s: f32) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %v = pto.make_tensor_view %in, shape = [%c4, %c8], strides = [%c8, %c1] : !pto.tensor_view<4x8xf32>
  %w = pto.make_tensor_view %out, shape = [%c4, %c8], strides = [%c8, %c1] : !pto.tensor_view<4x8xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c8] : !pto.tensor_view<4x8xf32> -> !pto.partition_tensor_view<4x8xf32>
  %q = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c4, %c8] : !pto.tensor_view<4x8xf32> -> !pto.partition_tensor_view<4x8xf32>
  %a = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
  %b = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
  pto.tload ins(%p : !pto.partition_tensor_view<4x8xf32>) outs(%a : !pto.tile_buf<vec, 4x8xf32>)
  pto.tadds ins(%a, %s : !pto.tile_buf<vec, 4x8xf32>, f32) outs(%b : !pto.tile_buf<vec, 4x8xf32>)
  pto.tstore ins(%b : !pto.tile_buf<vec, 4x8xf32>) outs(%q : !pto.partition_tensor_view<4x8xf32>)
  return
}`

func TestTileScalar(t *testing.T) {
	var xs [32]float32
	for i := range xs {
		xs[i] = float32(i)
	}
	xs[3] = float32(math.Inf(-1))
	in, out := floats(xs[:]...), floats(make([]float32, 32)...)
	mustRun(t, tileKernel, ptr(in), ptr(out), bits(2.5))
	for i, x := range xs {
		if got := floatAt(out, i); got != x+2.5 {
			t.Errorf("element %d: %v, want %v", i, got, x+2.5)
		}
	}
}
