package runtime

import (
	"fmt"
	"slices"
	"testing"
)

// TestTrace checks what the hook hears of a copy through a tile.
func TestTrace(t *testing.T) {
	var got []string
	x := floats(1, 2, 3, 4, 5, 6, 7, 8)
	err := runText(t, `
func.func @k(%x: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = pto.make_tensor_view %x, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<1x8xf32> -> !pto.partition_tensor_view<1x8xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
  pto.tload ins(%p : !pto.partition_tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  return
}`, Options{Trace: func(e Event) {
		s := fmt.Sprintf("%s on %s:", e.Op.Name(), e.Pipe)
		for _, r := range e.Ranges {
			s += fmt.Sprintf(" %d@%s", r.Size, r.Space)
		}
		got = append(got, s)
	}}, ptr(x))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"pto.tload on PIPE_MTE2: 32@gm 32@ub", "pto.tadd on PIPE_V: 32@ub 32@ub 32@ub"} {
		if !slices.Contains(got, want) {
			t.Errorf("no event %q in %q", want, got)
		}
	}
}
