package llvm_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

func TestAddScalarToTile(t *testing.T) {
	for elem, s := range map[string]float64{"f32": 0.1, "f16": 0.1, "bf16": 3, "i32": 7, "i8": 100} {
		t.Run(elem, func(t *testing.T) {
			f := formatOfName(elem)
			p := llvmtest.Compile(t, llvmtest.Parse(t, "add.pto", addOf(elem)), llvm.Options{}, "2")
			xs := llvmtest.Operands(f, 2, 1024)[0][:1024]
			by := num.Encode(f, s, num.NearestEven, false)
			out := make([]byte, len(xs)*f.Bytes())
			if err := p.Run("adds", 1, llvmtest.Packed(f, xs), out, by); err != nil {
				t.Fatal(err)
			}
			for i, x := range xs {
				want, _ := scalar.Add.Eval2(f, x, by)
				if got := num.Load(f, out[i*f.Bytes():]); !num.Same(f, got, want) {
					t.Fatalf("%#x + %v = %#x, want %#x", x, s, got, want)
				}
			}
		})
	}
}

// copyKernel is a kernel that loads a tile from a view, stores it to another view, and
// then copies the storage of the tile to a parameter.
const copyKernel = `module attributes {pto.target_arch = "a5"} {
func.func @copy(%src: !pto.ptr<i16>, %dst: !pto.ptr<i16>, %rows: index, %cols: index, %image: !pto.ptr<i16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %c32 = arith.constant 32 : index
  %n1 = arith.addi %c0, %c1 : index // strides that are not constant go with every layout
  %n40 = arith.addi %c0, %c40 : index
  %v = pto.make_tensor_view %src, shape = [%c32, %c32], strides = [SRC] : !pto.tensor_view<32x32xi16>
  %w = pto.make_tensor_view %dst, shape = [%c32, %c32], strides = [%n40, %n1] : !pto.tensor_view<32x32xi16>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c32, %c32] : !pto.tensor_view<32x32xi16> -> !pto.partition_tensor_view<32x32xi16>
  %q = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%rows, %cols] : !pto.tensor_view<32x32xi16> -> !pto.partition_tensor_view<?x?xi16>
  %t = pto.alloc_tile valid_row = %rows valid_col = %cols : TILE
  pto.tload ins(%p : !pto.partition_tensor_view<32x32xi16>) outs(%t : TILE)
  pto.tstore ins(%t : TILE) outs(%q : !pto.partition_tensor_view<?x?xi16>)
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.constant 2048 : i64
  %ub = pto.castptr %zero : i64 -> !pto.ptr<i16, ub>
  pto.mte_ub_gm %ub, %image, %size nburst(%one, %size, %size) : !pto.ptr<i16, ub>, !pto.ptr<i16>, i64, i64, i64, i64
  func.return
}
}
`

// TestTileLayouts checks for each layout the position of element (r, c) of a 32x32 tile
// of i16. Boxes of 512 bytes have 16 rows of 16 elements.
func TestTileLayouts(t *testing.T) {
	rowMajor := func(r, c int) int { return r*32 + c }
	box := func(number, in int) int { return number*256 + in }
	for _, c := range []struct {
		name, keys, strides string
		at                  func(r, c int) int
	}{
		{"row major", "", "%n40, %n1", rowMajor},
		{"column major", ", blayout=col_major", "%n1, %n40", func(r, c int) int { return rowMajor(c, r) }},
		{"columns of boxes of rows", ", blayout=col_major, slayout=row_major", "%n40, %n1", func(r, c int) int { return box(c/16*2+r/16, r%16*16+c%16) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tile := "!pto.tile_buf<vec, 32x32xi16, valid=?x?" + c.keys + ">"
			text := strings.NewReplacer("SRC", c.strides, "TILE", tile).Replace(copyKernel)
			p := llvmtest.Compile(t, llvmtest.Parse(t, "copy.pto", text), llvm.Options{}, "2")
			for _, valid := range [][2]int{{32, 32}, {5, 31}, {17, 1}, {0, 7}} {
				checkCopy(t, p, valid[0], valid[1], c.strides == "%n1, %n40", c.at)
			}
		})
	}
}

func checkCopy(t *testing.T, p *llvmtest.Program, rows, cols int, byCols bool, at func(r, c int) int) {
	t.Helper()
	src, dst, image := make([]byte, 2*40*32), make([]byte, 2*40*32), make([]byte, 2*1024)
	wantDst, wantImage := make([]byte, len(dst)), make([]byte, len(image))
	for i := range 40 * 32 {
		num.Store(num.U16, src[2*i:], uint64(i+1))
	}
	for r := range rows {
		for c := range cols {
			from := r*40 + c
			if byCols {
				from = c*40 + r
			}
			num.Store(num.U16, wantDst[2*(r*40+c):], uint64(from+1))
			num.Store(num.U16, wantImage[2*at(r, c):], uint64(from+1))
		}
	}
	if err := p.Run("copy", 1, src, dst, uint64(rows), uint64(cols), image); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(dst, wantDst) {
		t.Errorf("%dx%d: wrong elements came back", rows, cols)
	}
	if !bytes.Equal(image, wantImage) {
		t.Errorf("%dx%d: elements stand in wrong places", rows, cols)
	}
}

func TestValidRegionBeyondTheTile(t *testing.T) {
	text := strings.ReplaceAll(strings.ReplaceAll(copyKernel, "SRC", "%n40, %n1"), "TILE", "!pto.tile_buf<vec, 32x32xi16, valid=?x?>")
	p := llvmtest.Compile(t, llvmtest.Parse(t, "copy.pto", text), llvm.Options{}, "1")
	buf := make([]byte, 4096)
	for _, v := range [][2]uint64{{33, 1}, {1, 33}, {^uint64(0), 1}} {
		if err := p.Run("copy", 1, buf, buf, v[0], v[1], buf); err == nil {
			t.Errorf("%dx%d: no fault", v[0], v[1])
		}
	}
}

// TestViewOfFiveDimensions copies views of more than two dimensions, whose leading
// dimensions correspond to further rows of the tile.
func TestViewOfFiveDimensions(t *testing.T) {
	text := `module attributes {pto.target_arch = "a5"} {
func.func @k(%src: !pto.ptr<i16>, %out: !pto.ptr<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c100 = arith.constant 100 : index
  %c200 = arith.constant 200 : index
  %c1000 = arith.constant 1000 : index
  %v = pto.make_tensor_view %src, shape = [%c2, %c1, %c2, %c3, %c16], strides = [%c1000, %c1000, %c200, %c16, %c1] : !pto.tensor_view<2x1x2x3x16xi16>
  %p = pto.partition_view %v, offsets = [%c0, %c0, %c0, %c0, %c0], sizes = [%c2, %c1, %c2, %c3, %c16] : !pto.tensor_view<2x1x2x3x16xi16> -> !pto.partition_tensor_view<2x1x2x3x16xi16>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 16x16xi16, valid=12x16>
  pto.tload ins(%p : !pto.partition_tensor_view<2x1x2x3x16xi16>) outs(%t : !pto.tile_buf<vec, 16x16xi16, valid=12x16>)
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.constant 384 : i64
  %ub = pto.castptr %zero : i64 -> !pto.ptr<i64, ub>
  pto.mte_ub_gm %ub, %out, %size nburst(%one, %size, %size) : !pto.ptr<i64, ub>, !pto.ptr<i64>, i64, i64, i64, i64
  func.return
}
}`
	p := llvmtest.Compile(t, llvmtest.Parse(t, "five.pto", text), llvm.Options{}, "2")
	src := make([]byte, 2*1400)
	for i := range 1400 {
		num.Store(num.U16, src[2*i:], uint64(i))
	}
	out := make([]byte, 384)
	if err := p.Run("k", 1, src, out); err != nil {
		t.Fatal(err)
	}
	for r := range 12 {
		for c := range 16 {
			want := uint64(r/6*1000 + r/3%2*200 + r%3*16 + c)
			if got := num.Load(num.U16, out[2*(r*16+c):]); got != want {
				t.Fatalf("element (%d, %d) is %d, want %d", r, c, got, want)
			}
		}
	}
}

// TestMatmul checks that sums of matrix products are computed in the order of k and that
// each step is rounded to f32.
func TestMatmul(t *testing.T) {
	text := `module attributes {pto.target_arch = "a3"} {
func.func @k(%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %out: !pto.ptr<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
` + matView("a", "f16") + matView("b", "f16") + matView("out", "f32") + `
  %la = pto.alloc_tile : !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>
  %lb = pto.alloc_tile : !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>
  %ta = pto.alloc_tile : !pto.tile_buf<left, 32x32xf16, slayout=row_major>
  %tb = pto.alloc_tile : !pto.tile_buf<right, 32x32xf16, slayout=col_major>
  %tc = pto.alloc_tile : !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
  pto.tload ins(%pa : !pto.partition_tensor_view<32x32xf16>) outs(%la : !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>)
  pto.tload ins(%pb : !pto.partition_tensor_view<32x32xf16>) outs(%lb : !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>)
  pto.tmov ins(%la : !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>) outs(%ta : !pto.tile_buf<left, 32x32xf16, slayout=row_major>)
  pto.tmov ins(%lb : !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>) outs(%tb : !pto.tile_buf<right, 32x32xf16, slayout=col_major>)
  pto.tmatmul ins(%ta, %tb : !pto.tile_buf<left, 32x32xf16, slayout=row_major>, !pto.tile_buf<right, 32x32xf16, slayout=col_major>) outs(%tc : !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>)
  pto.tstore ins(%tc : !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>) outs(%pout : !pto.partition_tensor_view<32x32xf32>)
  func.return
}
}`
	p := llvmtest.Compile(t, llvmtest.Parse(t, "mm.pto", text), llvm.Options{}, "2")
	xs := llvmtest.Operands(num.F16, 2, 4096)
	var a, b []uint64
	for i := range 1024 { // finite numbers only: the rest is NaN sooner or later
		a = append(a, num.Encode(num.F16, float64(int(xs[0][2048+i]%4096)-2048)/64, num.NearestEven, false))
		b = append(b, num.Encode(num.F16, float64(int(xs[1][2048+i]%4096)-2048)/512, num.NearestEven, false))
	}
	out := make([]byte, 4096)
	if err := p.Run("k", 1, llvmtest.Packed(num.F16, a), llvmtest.Packed(num.F16, b), out); err != nil {
		t.Fatal(err)
	}
	for r := range 32 {
		for c := range 32 {
			sum := float32(0)
			for k := range 32 {
				x := float32(num.Decode(num.F16, a[r*32+k]) * num.Decode(num.F16, b[k*32+c]))
				sum += x
			}
			want := num.Encode(num.F32, float64(sum), num.NearestEven, false)
			if got := num.Load(num.F32, out[4*(r*32+c):]); got != want {
				t.Fatalf("(%d, %d) is %#x, want %#x", r, c, got, want)
			}
		}
	}
}

// matView returns the text that creates a view of a 32x32 matrix.
func matView(name, elem string) string {
	return fmt.Sprintf(`
  %%v%[1]s = pto.make_tensor_view %%%[1]s, shape = [%%c32, %%c32], strides = [%%c32, %%c1] : !pto.tensor_view<32x32x%[2]s>
  %%p%[1]s = pto.partition_view %%v%[1]s, offsets = [%%c0, %%c0], sizes = [%%c32, %%c32] : !pto.tensor_view<32x32x%[2]s> -> !pto.partition_tensor_view<32x32x%[2]s>
`, name, elem)
}
