package runtime

import (
	"strings"
	"testing"
)

// Elements of memrefs lie where shapes, offsets and strides say.
func TestMemRef(t *testing.T) {
	x := floats(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	y := floats(make([]float32, 6)...)
	mustRun(t, `
func.func @k(%x: memref<?x4xf32>, %y: memref<6xf32, #pto.address_space<gm>>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %a = memref.load %x[%c2, %c1] : memref<?x4xf32>
  memref.store %a, %y[%c0] : memref<6xf32, #pto.address_space<gm>>
  %w = memref.subview %x[%c1, 2] [2, 2] [1, 1] : memref<?x4xf32> to memref<2x2xf32, strided<[4, 1], offset: ?>>
  %b = memref.load %w[%c1, %c1] : memref<2x2xf32, strided<[4, 1], offset: ?>>
  memref.store %b, %y[%c1] : memref<6xf32, #pto.address_space<gm>>
  %flat = memref.reinterpret_cast %x to offset: [3], sizes: [4], strides: [2] : memref<?x4xf32> to memref<4xf32, strided<[2], offset: 3>>
  %c = memref.load %flat[%c2] : memref<4xf32, strided<[2], offset: 3>>
  memref.store %c, %y[%c2] : memref<6xf32, #pto.address_space<gm>>
  %back = memref.reinterpret_cast %flat to offset: [%c1], sizes: [3, 3], strides: [3, 1] : memref<4xf32, strided<[2], offset: 3>> to memref<3x3xf32, strided<[3, 1], offset: ?>>
  %d = memref.load %back[%c2, %c0] : memref<3x3xf32, strided<[3, 1], offset: ?>>
  memref.store %d, %y[%c3] : memref<6xf32, #pto.address_space<gm>>
  return
}`, ptr(x), ptr(y))
	for i, want := range []float32{9, 11, 7, 7} {
		if got := floatAt(y, i); got != want {
			t.Errorf("element %d is %v, want %v", i, got, want)
		}
	}
}

// Tiles are loaded from memrefs and stored to them as from views.
func TestTilesInMemRefs(t *testing.T) {
	x, y := floats(make([]float32, 64)...), floats(make([]float32, 32)...)
	for i := range 64 {
		copy(x.Data[4*i:], floats(float32(i)).Data)
	}
	gm := strings.NewReplacer("!whole", "memref<4x16xf32, #pto.address_space<gm>>", "!part", "memref<4x8xf32, strided<[16, 1], offset: 8>, #pto.address_space<gm>>",
		"!out", "memref<4x8xf32, #pto.address_space<gm>>", "!tile", "!pto.tile_buf<vec, 4x8xf32>")
	mustRun(t, gm.Replace(`
func.func @k(%x: !whole, %y: !out) attributes {pto.kernel} {
  %w = memref.subview %x[0, 8] [4, 8] [1, 1] : !whole to !part
  %t = pto.alloc_tile : !tile
  pto.tload ins(%w : !part) outs(%t : !tile)
  pto.tstore ins(%t : !tile) outs(%y : !out)
  return
}`), ptr(x), ptr(y))
	for i := range 32 {
		if got, want := floatAt(y, i), float32(16*(i/8)+8+i%8); got != want {
			t.Fatalf("element %d is %v, want %v", i, got, want)
		}
	}
	f := faultOf(t, "func.func @k(%x: memref<4xf32>) attributes {pto.kernel} {\n  %c9 = arith.constant 9 : index\n  %a = memref.load %x[%c9] : memref<4xf32>\n  return\n}", ptr(floats(1, 2, 3, 4)))
	if want := `reads bytes 36..39 of gm buffer 0 through "memref", but the buffer has 16 bytes`; !strings.Contains(f.Error(), want) {
		t.Errorf("fault is %q, want %q in it", f, want)
	}
}
