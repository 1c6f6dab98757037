package runtime

import (
	"bytes"
	"strings"
	"testing"
)

// squareTypes are short names of the types of a kernel.
var squareTypes = strings.NewReplacer(
	"!view", "!pto.partition_tensor_view<16x16xf32>",
	"!mat", "!pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>",
	"!left", "!pto.tile_buf<left, 16x16xf32, blayout=col_major, slayout=row_major>",
	"!right", "!pto.tile_buf<right, 16x16xf32, blayout=row_major, slayout=col_major>",
	"!acc", "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>",
)

// TestSquareWindowsAreNotTurned multiplies the identity with a matrix that
// goes through textract: the order of boxes changes, the matrix does not.
func TestSquareWindowsAreNotTurned(t *testing.T) {
	const n = 16
	one, x, y := floats(make([]float32, n*n)...), floats(make([]float32, n*n)...), floats(make([]float32, n*n)...)
	for i := range n {
		copy(one.Data[4*(i*n+i):], floats(1).Data)
	}
	for i := range n * n {
		copy(x.Data[4*i:], floats(float32(i)).Data)
	}
	mustRun(t, squareTypes.Replace(`
func.func @k(%one: !pto.ptr<f32>, %x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 16 : index
  %av = pto.make_tensor_view %one, shape = [%n, %n], strides = [%n, %c1] : !pto.tensor_view<16x16xf32>
  %bv = pto.make_tensor_view %x, shape = [%n, %n], strides = [%n, %c1] : !pto.tensor_view<16x16xf32>
  %cv = pto.make_tensor_view %y, shape = [%n, %n], strides = [%n, %c1] : !pto.tensor_view<16x16xf32>
  %ap = pto.partition_view %av, offsets = [%c0, %c0], sizes = [%n, %n] : !pto.tensor_view<16x16xf32> -> !view
  %bp = pto.partition_view %bv, offsets = [%c0, %c0], sizes = [%n, %n] : !pto.tensor_view<16x16xf32> -> !view
  %cp = pto.partition_view %cv, offsets = [%c0, %c0], sizes = [%n, %n] : !pto.tensor_view<16x16xf32> -> !view
  %am = pto.alloc_tile : !mat
  %bm = pto.alloc_tile : !mat
  %l = pto.alloc_tile : !left
  %r = pto.alloc_tile : !right
  %c = pto.alloc_tile : !acc
  pto.tload ins(%ap : !view) outs(%am : !mat)
  pto.tload ins(%bp : !view) outs(%bm : !mat)
  pto.textract ins(%am, %c0, %c0 : !mat, index, index) outs(%l : !left)
  pto.textract ins(%bm, %c0, %c0 : !mat, index, index) outs(%r : !right)
  pto.tmatmul ins(%l, %r : !left, !right) outs(%c : !acc)
  pto.tstore ins(%c : !acc) outs(%cp : !view)
  return
}`), ptr(one), ptr(x), ptr(y))
	for i := range n * n {
		if got := floatAt(y, i); got != float32(i) {
			t.Fatalf("element %d is %v, want %d", i, got, i)
		}
	}
}

// TestPairsMoveWhole moves pairs of numbers of 4 bits: both come along.
func TestPairsMoveWhole(t *testing.T) {
	x, y := &Buffer{Data: make([]byte, 32)}, &Buffer{Data: make([]byte, 64)}
	for i := range x.Data {
		x.Data[i] = byte(0xF0 - 7*i)
	}
	mustRun(t, strings.NewReplacer("!e", "!pto.f4E2M1x2").Replace(`
module attributes {pto.target_arch = "a5"} {
func.func @k(%x: !pto.ptr<!e>, %y: !pto.ptr<!e>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 32 : index
  %xv = pto.make_tensor_view %x, shape = [%c1, %n], strides = [%n, %c1] : !pto.tensor_view<1x32x!e>
  %yv = pto.make_tensor_view %y, shape = [%c2, %n], strides = [%n, %c1] : !pto.tensor_view<2x32x!e>
  %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c1, %n] : !pto.tensor_view<1x32x!e> -> !pto.partition_tensor_view<1x32x!e>
  %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c2, %n] : !pto.tensor_view<2x32x!e> -> !pto.partition_tensor_view<2x32x!e>
  %s = pto.alloc_tile : !pto.tile_buf<vec, 1x32x!e>
  %d = pto.alloc_tile : !pto.tile_buf<vec, 2x32x!e>
  pto.tload ins(%xp : !pto.partition_tensor_view<1x32x!e>) outs(%s : !pto.tile_buf<vec, 1x32x!e>)
  pto.tload ins(%yp : !pto.partition_tensor_view<2x32x!e>) outs(%d : !pto.tile_buf<vec, 2x32x!e>)
  pto.tinsert ins(%s, %c1, %c0 : !pto.tile_buf<vec, 1x32x!e>, index, index) outs(%d : !pto.tile_buf<vec, 2x32x!e>)
  pto.tstore ins(%d : !pto.tile_buf<vec, 2x32x!e>) outs(%yp : !pto.partition_tensor_view<2x32x!e>)
  return
}
}`), ptr(x), ptr(y))
	if !bytes.Equal(y.Data[32:], x.Data) {
		t.Errorf("% x became % x", x.Data, y.Data[32:])
	}
}
