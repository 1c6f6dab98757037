package runtime

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir/num"
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

// TestFarWindows places windows so far away that the end of one overflows.
func TestFarWindows(t *testing.T) {
	s, d := tileOf("s", 16, 32, "f32", "", ""), tileOf("d", 8, 16, "f32", "", "")
	for _, at := range []string{"%far, %zero", "%zero, %far"} {
		for _, body := range []string{
			"  pto.textract ins(%s, AT : T(s), index, index) outs(%d : T(d))",
			"  pto.tinsert ins(%d, AT : T(d), index, index) outs(%s : T(s))",
			"  %part = pto.subview %s[AT] sizes [8, 16] : T(s) -> !pto.tile_buf<vec, 8x16xf32>",
		} {
			far := fmt.Sprintf("  %%far = arith.constant %d : index\n", math.MaxInt64)
			faultOfTiles(t, "accesses 8x16 elements starting at row ", far+strings.ReplaceAll(body, "AT", at), s, d)
		}
	}
}

// TestFarPairs counts a window in the elements of its source, before they come
// apart.
func TestFarPairs(t *testing.T) {
	const text = `
!mat = !pto.tile_buf<mat, 16x32x!pto.f4E2M1x2, blayout=col_major, slayout=row_major>
!left = !pto.tile_buf<left, 16x64x!pto.f4E2M1x2, blayout=col_major, slayout=row_major>
module attributes {pto.target_arch = "a5"} {
func.func @k(%row: index, %col: index) attributes {pto.kernel} {
  %at = arith.constant 0 : i64
  %s = pto.alloc_tile addr = %at : !mat
  %d = pto.alloc_tile addr = %at : !left
  pto.textract ins(%s, %row, %col : !mat, index, index) outs(%d : !left)
  return
}
}`
	for _, col := range []int64{1, -1, math.MinInt64, math.MaxInt64} {
		want := fmt.Sprintf("accesses 16x32 elements starting at row 0 and column %d of \"src\", which is 16x32", col)
		if f := faultOf(t, text, Arg{}, Arg{Bits: uint64(col)}); f.Text != want {
			t.Errorf("fault %q, want %q", f.Text, want)
		}
	}
}

// TestPairsComeApart moves windows of pairs of 4-bit numbers to operands of
// products, which count the numbers. Those of a pair are neighbours in a row, or
// in a column where the elements of the source follow each other down.
func TestPairsComeApart(t *testing.T) {
	x := &Buffer{Data: make([]byte, 80*64)}
	for i := range x.Data {
		x.Data[i] = byte(i*37 + i/64)
	}
	const nz, zn = ", blayout=col_major, slayout=row_major", ", slayout=col_major"
	for _, c := range []struct {
		to         string // left is 16x64 numbers, right 64x16
		rows, cols int    // of the source
		keys       string
		row, col   int // of the window, in pairs
	}{
		{"left", 16, 64, nz, 0, 8}, {"left", 32, 64, nz, 16, 31}, {"left", 32, 64, zn, 5, 0},
		{"right", 64, 32, nz, 0, 4}, {"right", 80, 32, nz, 16, 0}, {"right", 64, 32, zn, 32, 16}, {"right", 64, 32, zn, 3, 1},
	} {
		down := c.keys == zn
		strides, view := fmt.Sprintf("[%%c%d, %%c1]", c.cols), ""
		if down {
			strides, view = fmt.Sprintf("[%%c1, %%c%d]", c.rows), " {layout = #pto.layout<dn>}"
		}
		dst, space := "!pto.tile_buf<left, 16x64x!e"+nz+">", sem.L0A
		if c.to == "right" {
			dst, space = "!pto.tile_buf<right, 64x16x!e"+zn+">", sem.L0B
		}
		var consts strings.Builder
		for _, n := range slices.Compact(slices.Sorted(slices.Values([]int{0, 1, c.rows, c.cols, c.row, c.col}))) {
			fmt.Fprintf(&consts, "  %%c%d = arith.constant %d : index\n", n, n)
		}
		text := strings.NewReplacer("CONSTS", consts.String(), "STRIDES", strides+view, "ROWS", fmt.Sprintf("%%c%d", c.rows), "COLS", fmt.Sprintf("%%c%d", c.cols),
			"ROW", fmt.Sprintf("%%c%d", c.row), "COL", fmt.Sprintf("%%c%d", c.col), "MAT", fmt.Sprintf("!pto.tile_buf<mat, %dx%dx!e%s>", c.rows, c.cols, c.keys),
			"DST", dst, "VIEW", fmt.Sprintf("!pto.tensor_view<%dx%dx!e>", c.rows, c.cols), "PART", fmt.Sprintf("!pto.partition_tensor_view<%dx%dx!e>", c.rows, c.cols)).Replace(`
!e = !pto.f4E2M1x2
module attributes {pto.target_arch = "a5"} {
func.func @k(%x: !pto.ptr<!e>) attributes {pto.kernel} {
CONSTS  %at = arith.constant 0 : i64
  %v = pto.make_tensor_view %x, shape = [ROWS, COLS], strides = STRIDES : VIEW
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [ROWS, COLS] : VIEW -> PART
  %s = pto.alloc_tile addr = %at : MAT
  %d = pto.alloc_tile addr = %at : DST
  pto.tload ins(%p : PART) outs(%s : MAT)
  pto.textract ins(%s, ROW, COL : MAT, index, index) outs(%d : DST)
  return
}
}`)
		got := runForMemory(t, text, space, x)
		for i := range 1024 { // numbers in the order in which they lie: rows of left, columns of right
			r, col := i/64, i%64
			if c.to == "right" {
				r, col = col, r
			}
			at := (c.row+r)*2*c.cols + 2*c.col + col
			if down {
				at = (c.col+col)*2*c.rows + 2*c.row + r
			}
			if num.Nibble(got, i) != num.Nibble(x.Data, at) {
				t.Errorf("%s from %dx%d%s: number %d is %x, want number %d, %x", c.to, c.rows, c.cols, c.keys, i, num.Nibble(got, i), at, num.Nibble(x.Data, at))
				break
			}
		}
	}
}
