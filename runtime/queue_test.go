package runtime

import (
	"math"
	"strings"
	"testing"

	"ptogo/ir/num"
)

// queueText is a cube and a vector kernel that a queue connects. The cube
// kernel begins with the matrix x, times the identity one, in the accumulator
// %r; the vector kernel has a view %vy of y.
func queueText(target, cube, vector string) string {
	return strings.NewReplacer(
		"TARGET", target, "MAT", "!pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>",
		"LEFT", "!pto.tile_buf<left, 16x16xf32, blayout=col_major, slayout=row_major>",
		"RIGHT", "!pto.tile_buf<right, 16x16xf32, slayout=col_major>",
		"ACC", accType, "VIEW", "!pto.tensor_view<16x16xf32>", "PART", "!pto.partition_tensor_view<16x16xf32>",
		"PARAMS", "%x: !pto.ptr<f32>, %one: !pto.ptr<f32>, %y: !pto.ptr<f32>, %slots: !pto.ptr<f32>",
	).Replace(strings.NewReplacer("CUBE", cube, "VECTOR", vector).Replace(`module attributes {pto.target_arch = "TARGET"} {
func.func private @carry(%x: !pto.ptr<f32>, %one: !pto.ptr<f32>, %r: ACC) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %vx = pto.make_tensor_view %x, shape = [%c16, %c16], strides = [%c16, %c1] : VIEW
  %vo = pto.make_tensor_view %one, shape = [%c16, %c16], strides = [%c16, %c1] : VIEW
  %px = pto.partition_view %vx, offsets = [%c0, %c0], sizes = [%c16, %c16] : VIEW -> PART
  %po = pto.partition_view %vo, offsets = [%c0, %c0], sizes = [%c16, %c16] : VIEW -> PART
  %m = pto.alloc_tile : MAT
  %o = pto.alloc_tile : MAT
  %a = pto.alloc_tile : LEFT
  %b = pto.alloc_tile : RIGHT
  pto.tload ins(%px : PART) outs(%m : MAT)
  pto.tload ins(%po : PART) outs(%o : MAT)
  pto.tmov ins(%m : MAT) outs(%a : LEFT)
  pto.tmov ins(%o : MAT) outs(%b : RIGHT)
  pto.tmatmul ins(%a, %b : LEFT, RIGHT) outs(%r : ACC)
  return
}
func.func @cube(PARAMS) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %r = pto.alloc_tile : ACC
  func.call @carry(%x, %one, %r) : (!pto.ptr<f32>, !pto.ptr<f32>, ACC) -> ()
  CUBE
  return
}
func.func @vector(PARAMS) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %vy = pto.make_tensor_view %y, shape = [%c16, %c16], strides = [%c16, %c1] : VIEW
  VECTOR
  return
}
}`))
}

const accType = "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>"

// runQueue runs such kernels on x and returns y.
func runQueue(t *testing.T, text string, x func(i, j int) float32, more ...*Buffer) *Buffer {
	t.Helper()
	xs, one := make([]float32, 256), make([]float32, 256)
	for i := range 16 {
		one[i*17] = 1
		for j := range 16 {
			xs[i*16+j] = x(i, j)
		}
	}
	y := floats(make([]float32, 256)...)
	slots := floats(make([]float32, 2048)...)
	if len(more) > 0 {
		slots = more[0]
	}
	mustRun(t, text, ptr(floats(xs...)), ptr(floats(one...)), ptr(y), ptr(slots))
	return y
}

// TestOddSplits shares 15 rows and 15 columns between two vector cores: the
// first gets 8 of them.
func TestOddSplits(t *testing.T) {
	for _, c := range []struct {
		name, split, rows, cols, valid, extent, at string
		m, n                                       int
	}{
		{"rows", "3", "%c15", "%c16", "%half, %c16", "8x16", "[%from, %c0], sizes = [%half, %c16]", 15, 16},
		{"columns", "4", "%c16", "%c15", "%c16, %half", "16x8", "[%c0, %from], sizes = [%c16, %half]", 16, 15},
	} {
		t.Run(c.name, func(t *testing.T) {
			replace := strings.NewReplacer("SPLIT", c.split, "VALID", c.valid, "EXTENT", c.extent, "AT", c.at, "ROWS", c.rows, "COLS", c.cols)
			text := queueText("a3", replace.Replace(`%gm = pto.make_tensor_view %slots, shape = [%c16, %c16], strides = [%c16, %c1] : VIEW
  %at = pto.import_reserved_buffer {name = "fifo", peer_func = @vector} -> i32
  pto.aic_initialize_pipe {id = 3, dir_mask = 1, slot_size = 1024} (gm_slot_tensor = %gm : VIEW, c2v_consumer_buf = %at : i32)
  %w = pto.treshape %r : ACC -> !pto.tile_buf<acc, 16x16xf32, valid=?x?, blayout=col_major, slayout=row_major, fractal=1024>
  pto.set_validshape %w, ROWS, COLS : !pto.tile_buf<acc, 16x16xf32, valid=?x?, blayout=col_major, slayout=row_major, fractal=1024>
  pto.tpush_to_aiv(%w : !pto.tile_buf<acc, 16x16xf32, valid=?x?, blayout=col_major, slayout=row_major, fractal=1024>) {id = 3, split = SPLIT}`), replace.Replace(`
  %gm = pto.make_tensor_view %slots, shape = [%c16, %c16], strides = [%c16, %c1] : VIEW
  %at = pto.reserve_buffer {name = "fifo", size = 8192, location = #pto.address_space<vec>, auto = true} -> i32
  pto.aiv_initialize_pipe {id = 3, dir_mask = 1, slot_size = 1024} (gm_slot_tensor = %gm : VIEW, c2v_consumer_buf = %at : i32)
  %sub = pto.get_subblock_idx
  %zero = arith.constant 0 : i64
  %first = arith.cmpi eq, %sub, %zero : i64
  %half = arith.select %first, %c8, %c7 : index
  %from = arith.select %first, %c0, %c8 : index
  %t = pto.tpop_from_aic(VALID) {id = 3, split = SPLIT} -> !pto.tile_buf<vec, EXTENTxf32, valid=?x?>
  %p = pto.partition_view %vy, offsets = AT : VIEW -> !pto.partition_tensor_view<?x?xf32>
  pto.tstore ins(%t : !pto.tile_buf<vec, EXTENTxf32, valid=?x?>) outs(%p : !pto.partition_tensor_view<?x?xf32>)
  pto.tfree_from_aic {id = 3, split = SPLIT}`))
			y := runQueue(t, text, func(i, j int) float32 { return float32(100*i + j + 1) })
			for i := range 16 {
				for j := range 16 {
					want := float32(100*i + j + 1)
					if i >= c.m || j >= c.n {
						want = 0
					}
					if got := floatAt(y, i*16+j); got != want {
						t.Fatalf("element (%d, %d) is %v, want %v", i, j, got, want)
					}
				}
			}
		})
	}
}

// TestQueueHandles names the queue by a handle: slots in the memory of the
// consumer, and slots in global memory. The consumer fills a declared tile.
func TestQueueHandles(t *testing.T) {
	for target, set := range map[string]string{
		"a5": "pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 2, flag_base = 0} (%at : i32) -> !pto.pipe",
		"a3": "pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 2, flag_base = 0} (%slots : !pto.ptr<f32>, %at : i32) -> !pto.pipe",
	} {
		t.Run(target, func(t *testing.T) {
			replace := strings.NewReplacer("INIT", "%at = arith.constant 0 : i32\n  %q = "+set, "HALF", "!pto.tile_buf<vec, 8x16xf32>")
			text := queueText(target, replace.Replace(`INIT
  pto.tpush(%r, %q : ACC, !pto.pipe) {split = 1}`), replace.Replace(`INIT
  %sub = pto.get_subblock_idx
  %i = arith.index_cast %sub : i64 to index
  %from = arith.muli %i, %c8 : index
  %t = pto.declare_tile -> HALF
  pto.tpop(%t, %q : HALF, !pto.pipe) {split = 1}
  %p = pto.partition_view %vy, offsets = [%from, %c0], sizes = [%c8, %c16] : VIEW -> !pto.partition_tensor_view<8x16xf32>
  pto.tstore ins(%t : HALF) outs(%p : !pto.partition_tensor_view<8x16xf32>)
  pto.tfree(%q : !pto.pipe) {split = 1}`))
			y := runQueue(t, text, func(i, j int) float32 { return float32(i - 3*j) })
			for k := range 256 {
				if got, want := floatAt(y, k), float32(k/16-3*(k%16)); got != want {
					t.Fatalf("element %d is %v, want %v", k, got, want)
				}
			}
		})
	}
}

// TestPushWithScales pushes out of the accumulator with a scale for all columns
// and with one for each. Relu comes after the scale, which may be negative.
func TestPushWithScales(t *testing.T) {
	scales := &Buffer{Data: make([]byte, 16*4)}
	scale := func(j int) float32 { return float32(j+1) / 4 * float32(1-2*(j%2)) }
	for j := range 16 {
		num.Store(num.F32, scales.Data[4*j:], uint64(math.Float32bits(scale(j))))
	}
	half := func(x float32) float32 {
		return float32(num.Decode(num.F16, num.Encode(num.F16, float64(x), num.NearestEven, true)))
	}
	byte8 := func(x float32) float32 { return float32(max(-128, min(127, math.RoundToEven(float64(x))))) }
	for _, c := range []struct {
		name, quant, relu, elem, set string
		want                         func(x float32, j int) float32
	}{
		{"scalar", "qf322f16_pre_scalar", "no_relu", "f16", "",
			func(x float32, _ int) float32 { return half(x * -0.75) }},
		{"scalar and relu", "qf322f16_pre_scalar", "normal_relu", "f16", "",
			func(x float32, _ int) float32 { return half(max(0, x*-0.75)) }},
		{"vector", "qf322b8_pre_vec", "no_relu", "si8", "vector",
			func(x float32, j int) float32 { return byte8(x * scale(j)) }},
		{"vector and relu", "qf322b8_pre_vec", "normal_relu", "si8", "vector",
			func(x float32, j int) float32 { return byte8(max(0, x*scale(j))) }},
		{"rounding alone", "f32_f16", "normal_relu", "f16", "none",
			func(x float32, _ int) float32 { return half(max(0, x)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := map[string]string{"": `%s = arith.constant -0.75 : f32
  pto.set_quant_scalar(%s : f32) {id = 0}`, "vector": `%vs = pto.make_tensor_view %slots, shape = [%c1, %c16], strides = [%c16, %c1] : !pto.tensor_view<1x16xf32>
  %ps = pto.partition_view %vs, offsets = [%c0, %c0], sizes = [%c1, %c16] : !pto.tensor_view<1x16xf32> -> !pto.partition_tensor_view<1x16xf32>
  %fp = pto.alloc_tile : !pto.tile_buf<scaling, 1x16xf32>
  pto.tload ins(%ps : !pto.partition_tensor_view<1x16xf32>) outs(%fp : !pto.tile_buf<scaling, 1x16xf32>)
  pto.set_quant_vector(%fp : !pto.tile_buf<scaling, 1x16xf32>) {id = 0}`, "none": ""}[c.set]
			convert := "pto.tcvt ins(%t : ENTRY) outs(%w : !pto.tile_buf<vec, 16x16xf32>)"
			if c.elem == "si8" { // goes to f32 by way of f16
				convert = `pto.tcvt ins(%t : ENTRY) outs(%u : !pto.tile_buf<vec, 16x16xf16>)
  pto.tcvt ins(%u : !pto.tile_buf<vec, 16x16xf16>) outs(%w : !pto.tile_buf<vec, 16x16xf32>)`
			}
			entry := "!pto.tile_buf<vec, 16x16x" + c.elem + ">"
			replace := strings.NewReplacer("SET", set, "CONVERT", strings.ReplaceAll(convert, "ENTRY", entry), "ENTRY", entry, "KEYS",
				"id = 0, dir_mask = 1, slot_size = 1024, nosplit = true, acc_push_epilogue = #pto.acc_push_epilogue<layout = nz2nd, quant = "+c.quant+", relu = "+c.relu+">")
			text := queueText("a5", replace.Replace(`%at = pto.import_reserved_buffer {name = "fifo", peer_func = @vector} -> i32
  pto.aic_initialize_pipe {KEYS} (c2v_consumer_buf = %at : i32)
  SET
  pto.tpush_to_aiv(%r : ACC) {id = 0, split = 0}`), replace.Replace(`
  %at = pto.reserve_buffer {name = "fifo", size = 8192, location = #pto.address_space<vec>, auto = true} -> i32
  pto.aiv_initialize_pipe {KEYS} (c2v_consumer_buf = %at : i32)
  %t = pto.tpop_from_aic {id = 0, split = 0} -> ENTRY
  %w = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
  %u = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf16>
  CONVERT
  %p = pto.partition_view %vy, offsets = [%c0, %c0], sizes = [%c16, %c16] : VIEW -> PART
  pto.tstore ins(%w : !pto.tile_buf<vec, 16x16xf32>) outs(%p : PART)
  pto.tfree_from_aic {id = 0, split = 0}`))
			x := func(i, j int) float32 { return float32(i-5)*11.25 + float32(j)/8 }
			y := runQueue(t, text, x, scales)
			for k := range 256 {
				if got, want := floatAt(y, k), c.want(x(k/16, k%16), k%16); got != want {
					t.Fatalf("element (%d, %d) is %v, want %v", k/16, k%16, got, want)
				}
			}
		})
	}
}

// TestHandleConverts pushes into a queue with a handle that converts to what the
// vector core takes out. Where nobody does, it is unknown.
func TestHandleConverts(t *testing.T) {
	const setUp = `%at = arith.constant 0 : i32
  %q = pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 2, flag_base = 0, nosplit = true, acc_push_epilogue = #pto.acc_push_epilogue<layout = nz2nd, quant = f32_f16, relu = no_relu>} (%at : i32) -> !pto.pipe
`
	const push = setUp + "  pto.tpush(%r, %q : ACC, !pto.pipe) {split = 0}"
	text := queueText("a5", push, strings.ReplaceAll(setUp+`  %t = pto.declare_tile -> HALVES
  pto.tpop(%t, %q : HALVES, !pto.pipe) {split = 0}
  %behind = arith.constant 4096 : i64
  %w = pto.alloc_tile addr = %behind : !pto.tile_buf<vec, 16x16xf32>
  pto.tcvt ins(%t : HALVES) outs(%w : !pto.tile_buf<vec, 16x16xf32>)
  %p = pto.partition_view %vy, offsets = [%c0, %c0], sizes = [%c16, %c16] : VIEW -> PART
  pto.tstore ins(%w : !pto.tile_buf<vec, 16x16xf32>) outs(%p : PART)
  pto.tfree(%q : !pto.pipe) {split = 0}`, "HALVES", "!pto.tile_buf<vec, 16x16xf16>"))
	y := runQueue(t, text, func(i, j int) float32 { return 1 + float32(i*16+j)/4096 })
	for k := range 256 {
		want := num.Decode(num.F16, num.Encode(num.F16, 1+float64(k)/4096, num.NearestEven, true))
		if got := floatAt(y, k); got != float32(want) {
			t.Fatalf("element %d is %v, want %v", k, got, want)
		}
	}
	text = queueText("a5", push, "")
	x := ptr(floats(make([]float32, 256)...))
	f := faultOf(t, text, x, x, x, x)
	if !strings.Contains(f.Text, "converts to elements of an unknown type") {
		t.Errorf("got %v", f)
	}
}
