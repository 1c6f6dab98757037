package runtime

import (
	"strings"
	"testing"
)

// wideTypes are short names of the types of a kernel.
var wideTypes = strings.NewReplacer(
	"!xp", "!pto.partition_tensor_view<40x1104xf32>", "!yp", "!pto.partition_tensor_view<40x1xf32>",
	"!wide", "!pto.tile_buf<vec, 40x1104xf32>", "!col", "!pto.tile_buf<vec, 40x1xf32, blayout=col_major>",
)

// TestExpandLongRows subtracts an element from each of more rows, and longer
// ones, than scratch memory holds at once, once as each operand.
func TestExpandLongRows(t *testing.T) {
	const rows, cols = 40, 1104
	for _, c := range []struct {
		text string
		sign float32
	}{
		{"pto.trowexpandsub ins(%t, %v : !wide, !col) outs(%t : !wide)", 1},
		{"pto.trowexpandsub ins(%v, %t : !col, !wide) outs(%t : !wide)", -1},
	} {
		x, y := make([]float32, rows*cols), make([]float32, rows)
		for i := range x {
			x[i] = float32(i % 1000)
		}
		for i := range y {
			y[i] = float32(1000 * i)
		}
		xs, ys := floats(x...), floats(y...)
		mustRun(t, wideTypes.Replace(`
func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 40 : index
  %cols = arith.constant 1104 : index
  %xv = pto.make_tensor_view %x, shape = [%rows, %cols], strides = [%cols, %c1] : !pto.tensor_view<40x1104xf32>
  %yv = pto.make_tensor_view %y, shape = [%rows, %c1], strides = [%c1, %c1] : !pto.tensor_view<40x1xf32>
  %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%rows, %cols] : !pto.tensor_view<40x1104xf32> -> !xp
  %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%rows, %c1] : !pto.tensor_view<40x1xf32> -> !yp
  %t = pto.alloc_tile : !wide
  %v = pto.alloc_tile : !col
  pto.tload ins(%xp : !xp) outs(%t : !wide)
  pto.tload ins(%yp : !yp) outs(%v : !col)
  `+c.text+`
  pto.tstore ins(%t : !wide) outs(%xp : !xp)
  return
}`), ptr(xs), ptr(ys))
		for i := range x {
			if got, want := floatAt(xs, i), c.sign*(x[i]-y[i/cols]); got != want {
				t.Fatalf("%s: element %d, %d is %v, want %v", c.text, i/cols, i%cols, got, want)
			}
		}
	}
}
