package runtime

import (
	"strings"
	"testing"
)

// TestDeclaredTile uses a tile that nothing was ever popped into: directly, as
// a result of a branch, and through another name.
func TestDeclaredTile(t *testing.T) {
	for name, use := range map[string]string{
		"read and written": "pto.tadd ins(%t, %t : TILE, TILE) outs(%t : TILE)",
		"stored":           "pto.tstore ins(%t : TILE) outs(%p : !pto.partition_tensor_view<8x8xf32>)",
		"loaded":           "pto.tload ins(%p : !pto.partition_tensor_view<8x8xf32>) outs(%t : TILE)",
		"from a branch": `%yes = arith.constant true
  %u = scf.if %yes -> TILE {
    scf.yield %t : TILE
  } else {
    %o = pto.alloc_tile : TILE
    scf.yield %o : TILE
  }
  pto.tabs ins(%u : TILE) outs(%d : TILE)`,
		"another name": `%u = pto.treshape %t : TILE -> TILE
  pto.tabs ins(%u : TILE) outs(%d : TILE)`,
	} {
		text := strings.NewReplacer("USE", use).Replace(`func.func @k(%x: !pto.ptr<f32>) attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c8, %c8] : !pto.tensor_view<8x8xf32> -> !pto.partition_tensor_view<8x8xf32>
  %d = pto.alloc_tile : TILE
  %t = pto.declare_tile -> TILE
  USE
  return
}`)
		f := faultOf(t, strings.ReplaceAll(text, "TILE", "!pto.tile_buf<vec, 8x8xf32>"), ptr(floats(make([]float32, 64)...)))
		if f.Text != "uses a tile before an entry was popped into it" || len(f.Notes) != 1 || !strings.Contains(f.Notes[0].Text, "declared here") {
			t.Errorf("%s: got %v with notes %v", name, f, f.Notes)
		}
	}
}
