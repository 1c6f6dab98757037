package runtime

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ptogo/ir/num"
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

// The indices of a concatenation count bytes of an index.
func TestConcatCounts(t *testing.T) {
	a, b := tileOf("a", 2, 16, "f16", "", "2x4", counted(1, 32)...), tileOf("b", 2, 16, "f16", "", "2x4", counted(101, 132)...)
	for _, c := range []struct {
		elem string
		size float64
	}{{"i32", 4}, {"i16", 2}, {"i8", 1}} {
		x, y := tileOf("x", 2, 32, c.elem, "", "", 3*c.size), tileOf("y", 2, 32, c.elem, "", "", 9*c.size)
		d := tileOf("d", 2, 16, "f16", "", "")
		runTiles(t, "  pto.tconcatidx ins(%a, %b, %x, %y : T(a), T(b), T(x), T(y)) outs(%d : T(d))", a, b, x, y, d)
		if got := valuesOf(num.F16, d.buf)[:9]; !slices.Equal(got, []float64{1, 2, 3, 101, 102, 103, 104, 0, 0}) {
			t.Errorf("%s: %v", c.elem, got)
		}
	}
}

// productProgram multiplies two matrices of 16x16 out of mat; then works on the
// sums %z, of type ACC, and the view %dp of %d.
func productProgram(then string) string {
	nz := ", blayout=col_major, slayout=row_major>"
	view := func(n string) string {
		return "  %" + n + "v = pto.make_tensor_view %" + n + ", shape = [%n, %n], strides = [%n, %one] : !pto.tensor_view<16x16xf32>\n" +
			"  %" + n + "p = pto.partition_view %" + n + "v, offsets = [%zero, %zero], sizes = [%n, %n] : !pto.tensor_view<16x16xf32> -> !pto.partition_tensor_view<16x16xf32>\n"
	}
	mat, acc := "!pto.tile_buf<mat, 16x16xf32"+nz, "!pto.tile_buf<acc, 16x16xf32"+nz
	text := "func.func @k(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %d: !pto.ptr<f32>) attributes {pto.kernel} {\n" +
		"  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n  %n = arith.constant 16 : index\n" + view("a") + view("b") + view("d") +
		"  %x = pto.alloc_tile : " + mat + "\n  %y = pto.alloc_tile : " + mat + "\n  %z = pto.alloc_tile : " + acc + "\n" +
		"  pto.tload ins(%ap : !pto.partition_tensor_view<16x16xf32>) outs(%x : " + mat + ")\n" +
		"  pto.tload ins(%bp : !pto.partition_tensor_view<16x16xf32>) outs(%y : " + mat + ")\n" +
		"  pto.tmatmul ins(%x, %y : " + mat + ", " + mat + ") outs(%z : " + acc + ")\n"
	return text + strings.ReplaceAll(then, "ACC", acc) + "\n  return\n}"
}

// Matrices are multiplied out of mat, as public cases on A5 do.
func TestProductOutOfMat(t *testing.T) {
	text := productProgram("  pto.tstore ins(%z : ACC) outs(%dp : !pto.partition_tensor_view<16x16xf32>)")
	xs, ys := counted(1, 256), counted(-100, 155)
	d := numbersOf(num.F32, make([]float64, 256)...)
	mustRun(t, text, ptr(numbersOf(num.F32, xs...)), ptr(numbersOf(num.F32, ys...)), ptr(d))
	for i, got := range valuesOf(num.F32, d) {
		want := 0.0
		for k := range 16 {
			want += xs[i/16*16+k] * ys[16*k+i%16]
		}
		if got != want {
			t.Fatalf("element %d is %v, want %v", i, got, want)
		}
	}
}

// What leaves the accumulator goes to the unified buffers of vector cores.
func TestMoveToVectorCores(t *testing.T) {
	xs, unit := counted(1, 256), make([]float64, 256)
	for i := range 16 {
		unit[17*i] = 1
	}
	for _, c := range []struct {
		mode        string
		rows, cols  int
		first, next []float64 // elements 0 and 1 of row 1 in each buffer
	}{
		{"", 16, 16, []float64{17, 18}, []float64{0, 0}},
		{"single_mode_vec0", 16, 16, []float64{17, 18}, []float64{0, 0}},
		{"single_mode_vec1", 16, 16, []float64{0, 0}, []float64{17, 18}},
		{"dual_mode_split_m", 16, 16, []float64{17, 18}, []float64{145, 146}},
		{"dual_mode_split_m", 8, 16, []float64{17, 18}, []float64{145, 146}},
		{"dual_mode_split_n", 16, 8, []float64{17, 18}, []float64{25, 26}},
	} {
		tile := fmt.Sprintf("!pto.tile_buf<vec, %dx%dxf32>", c.rows, c.cols)
		attr := ""
		if c.mode != "" {
			attr = " {accToVecMode = #pto.acc_to_vec_mode<" + c.mode + ">}"
		}
		text := productProgram("  %at = arith.constant 64 : i64\n  %t = pto.alloc_tile addr = %at : " + tile + "\n  pto.tmov ins(%z : ACC) outs(%t : " + tile + ")" + attr)
		core := runOnCore(t, text, numbersOf(num.F32, xs...), numbersOf(num.F32, unit...), numbersOf(num.F32, xs...))
		for sub, want := range [][]float64{c.first, c.next} {
			row := core.unifiedBuffer(sub).data[64+4*c.cols:][:8]
			if got := valuesOf(num.F32, &Buffer{Data: row}); !slices.Equal(got, want) {
				t.Errorf("%s into %s: core %d has %v, want %v", c.mode, tile, sub, got, want)
			}
		}
	}
}
