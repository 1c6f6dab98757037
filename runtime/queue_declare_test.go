package runtime

import "testing"

// TestDeclaredTile uses a tile that nothing was ever popped into: its contents
// are undefined, but that must do no harm.
func TestDeclaredTile(t *testing.T) {
	mustRun(t, `func.func @k(%x: !pto.ptr<f32>) attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c8, %c8] : !pto.tensor_view<8x8xf32> -> !pto.partition_tensor_view<8x8xf32>
  %t = pto.declare_tile -> !pto.tile_buf<vec, 8x8xf32>
  pto.tadd ins(%t, %t : !pto.tile_buf<vec, 8x8xf32>, !pto.tile_buf<vec, 8x8xf32>) outs(%t : !pto.tile_buf<vec, 8x8xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 8x8xf32>) outs(%p : !pto.partition_tensor_view<8x8xf32>)
  return
}`, ptr(floats(make([]float32, 64)...)))
}
