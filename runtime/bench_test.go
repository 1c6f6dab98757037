//go:build unix

package runtime

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// turns is how often a benchmarked kernel repeats what is measured, so that
// launching it does not count; slowTurns is the same for what takes long.
const turns, slowTurns = 50000, 500

// repeated is a kernel that executes text so many times, after what comes first.
func repeated(turns int, params, first, text string) string {
	return fmt.Sprintf(`func.func @k(%s) attributes {pto.kernel} {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c8 = arith.constant 8 : index
  %%c16 = arith.constant 16 : index
  %%c64 = arith.constant 64 : index
  %%c256 = arith.constant 256 : index
  %%turns = arith.constant %d : index
  %s
  scf.for %%turn = %%c0 to %%turns step %%c1 {
    %s
  }
  return
}`, params, turns, first, text)
}

// squareKernel repeats an instruction on tiles of 64x64 elements.
func squareKernel(turns int, text string) string {
	const tiles = `%s = arith.constant 3.0 : f32
  %a = pto.alloc_tile : F32
  %b = pto.alloc_tile : F32
  %d = pto.alloc_tile : F32
  %ha = pto.alloc_tile : F16
  %hb = pto.alloc_tile : F16
  %hd = pto.alloc_tile : F16
  %col = pto.alloc_tile : COL
  %hcol = pto.alloc_tile : HCOL
  %bd = pto.alloc_tile : BF16
  %ia = pto.alloc_tile : I32
  %ib = pto.alloc_tile : I32
  %id = pto.alloc_tile : I32
  %row = pto.alloc_tile : ROW
  %places = pto.alloc_tile : PLACES
  %bits = pto.alloc_tile : BITS
  %upper = pto.alloc_tile : UPPER
  %sa = pto.alloc_tile : SMALL
  %sd = pto.alloc_tile : SMALL
  %pa = pto.alloc_tile : PARTIAL
  %pd = pto.alloc_tile : PARTIAL
  %wide = pto.make_tensor_view %x, shape = [%c16, %c64], strides = [%c256, %c1] : !pto.tensor_view<16x64xf32>
  %strided = pto.partition_view %wide, offsets = [%c0, %c0], sizes = [%c8, %c64] : !pto.tensor_view<16x64xf32> -> EIGHTH
  %xv = pto.make_tensor_view %x, shape = [%c64, %c64], strides = [%c64, %c1] : !pto.tensor_view<64x64xf32>
  %yv = pto.make_tensor_view %y, shape = [%c64, %c64], strides = [%c64, %c1] : !pto.tensor_view<64x64xf32>
  %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c64, %c64] : !pto.tensor_view<64x64xf32> -> PART
  %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c64, %c64] : !pto.tensor_view<64x64xf32> -> PART
  pto.tload ins(%xp : PART) outs(%a : F32)
  pto.tload ins(%xp : PART) outs(%b : F32)
  pto.tcvt ins(%a : F32) outs(%ha : F16)
  pto.tcvt ins(%a : F32) outs(%hb : F16)`
	return strings.NewReplacer(
		"F32", "!pto.tile_buf<vec, 64x64xf32>", "F16", "!pto.tile_buf<vec, 64x64xf16>",
		"BF16", "!pto.tile_buf<vec, 64x64xbf16>", "I32", "!pto.tile_buf<vec, 64x64xi32>",
		"ROW", "!pto.tile_buf<vec, 1x64xf32>", "PLACES", "!pto.tile_buf<vec, 64x1xi32, blayout=col_major>",
		"SMALL", "!pto.tile_buf<vec, 8x64xf32>", "PARTIAL", "!pto.tile_buf<vec, 64x64xf32, valid=61x50>",
		"EIGHTH", "!pto.partition_tensor_view<8x64xf32>", "BITS", "!pto.tile_buf<vec, 64x32xui8>", "UPPER", "!pto.tile_buf<vec, 32x64xf32>",
		"HCOL", "!pto.tile_buf<vec, 64x1xf16, blayout=col_major>",
		"COL", "!pto.tile_buf<vec, 64x1xf32, blayout=col_major>", "PART", "!pto.partition_tensor_view<64x64xf32>",
	).Replace(repeated(turns, "%x: !pto.ptr<f32>, %y: !pto.ptr<f32>", tiles, text))
}

// matmulKernel repeats a product of n x n matrices.
func matmulKernel(n int, elem string) string {
	return strings.NewReplacer(
		"LEFT", fmt.Sprintf("!pto.tile_buf<left, %dx%dx%s, blayout=col_major, slayout=row_major>", n, n, elem),
		"RIGHT", fmt.Sprintf("!pto.tile_buf<right, %dx%dx%s, slayout=col_major>", n, n, elem),
		"ACC", fmt.Sprintf("!pto.tile_buf<acc, %dx%dx%s, blayout=col_major, slayout=row_major, fractal=1024>", n, n,
			map[bool]string{true: "i32", false: "f32"}[elem == "i8"]),
	).Replace(repeated(slowTurns, "%x: !pto.ptr<f32>, %y: !pto.ptr<f32>", `
  %l = pto.alloc_tile : LEFT
  %r = pto.alloc_tile : RIGHT
  %d = pto.alloc_tile : ACC`, `pto.tmatmul ins(%l, %r : LEFT, RIGHT) outs(%d : ACC)`))
}

// benchKernel reports the time of one turn of a kernel on two buffers of 4096
// floats: on the clock, and on the processor, which other work on the machine
// disturbs less. It returns the latter.
func benchKernel(b *testing.B, text string, turns, blocks, workers int) (perTurn float64) {
	p := planText(b, text, Options{Blocks: blocks, Workers: workers})
	args := []Arg{{Buf: &Buffer{Data: ones(4096)}}, {Buf: &Buffer{Data: ones(4096)}}}
	b.ReportAllocs()
	start := processorTime()
	for b.Loop() {
		if err := p.Run(args); err != nil {
			b.Fatal(err)
		}
	}
	n := float64(b.N * turns * blocks)
	perTurn = float64(processorTime()-start) / n
	b.ReportMetric(float64(b.Elapsed())/n, "ns/turn")
	b.ReportMetric(perTurn, "cpu-ns/turn")
	return perTurn
}

// processorTime is what the process has used so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // fails for no process of ours
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func ones(n int) []byte {
	row := bytesOf(make([]uint64, n/2))
	fill(row, 4, 0x3F800000)
	return row
}

// BenchmarkTile measures one executed instruction on a tile of 64x64 elements.
func BenchmarkTile(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"TADD/f32", "pto.tadd ins(%a, %b : F32, F32) outs(%d : F32)"},
		{"TADD/f16", "pto.tadd ins(%ha, %hb : F16, F16) outs(%hd : F16)"},
		{"TMAX/f32", "pto.tmax ins(%a, %b : F32, F32) outs(%d : F32)"},
		{"TABS/f32", "pto.tabs ins(%a : F32) outs(%d : F32)"},
		{"TADD/i32", "pto.tadd ins(%ia, %ib : I32, I32) outs(%id : I32)"},
		{"TADDS/f32", "pto.tadds ins(%a, %s : F32, f32) outs(%d : F32)"},
		{"TMULS/f32", "pto.tmuls ins(%a, %s : F32, f32) outs(%d : F32)"},
		{"TMAXS/f32", "pto.tmaxs ins(%a, %s : F32, f32) outs(%d : F32)"},
		{"TEXPANDS/f32", "pto.texpands ins(%s : f32) outs(%d : F32)"},
		{"TDIVS/f32", "pto.tdivs ins(%a, %s : F32, f32) outs(%d : F32)"},
		{"TDIV/f32", "pto.tdiv ins(%a, %b : F32, F32) outs(%d : F32)"},
		{"TEXP/f32", "pto.texp ins(%a : F32) outs(%d : F32)"},
		{"TEXP/f16", "pto.texp ins(%ha : F16) outs(%hd : F16)"},
		{"TLOG/f32", "pto.tlog ins(%a : F32) outs(%d : F32)"},
		{"TLOG/f16", "pto.tlog ins(%ha : F16) outs(%hd : F16)"},
		{"TSQRT/f32", "pto.tsqrt ins(%a : F32) outs(%d : F32)"},
		{"TRSQRT/f32", "pto.trsqrt ins(%a : F32) outs(%d : F32)"},
		{"TRECIP/f32", "pto.trecip ins(%a : F32) outs(%d : F32)"},
		{"TRSQRT/f16", "pto.trsqrt ins(%ha : F16) outs(%hd : F16)"},
		{"TROWSUM/f32", "pto.trowsum ins(%a, %b : F32, F32) outs(%col : COL)"},
		{"TROWSUM/f16", "pto.trowsum ins(%ha, %hb : F16, F16) outs(%hcol : HCOL)"},
		{"TROWMAX/f32", "pto.trowmax ins(%a, %b : F32, F32) outs(%col : COL)"},
		{"TROWMIN/f32", "pto.trowmin ins(%a, %b : F32, F32) outs(%col : COL)"},
		{"TROWARGMAX/f32", "pto.trowargmax ins(%a, %b : F32, F32) outs(%places : PLACES)"},
		{"TCOLSUM/f32", "pto.tcolsum ins(%a : F32) outs(%row : ROW)"},
		{"TCOLMAX/f32", "pto.tcolmax ins(%a : F32) outs(%row : ROW)"},
		{"TROWEXPAND/f32", "pto.trowexpand ins(%a : F32) outs(%d : F32)"},
		{"TROWEXPANDMUL/f32", "pto.trowexpandmul ins(%a, %col : F32, COL) outs(%d : F32)"},
		{"TROWEXPANDSUB/f32", "pto.trowexpandsub ins(%a, %col : F32, COL) outs(%d : F32)"},
		{"TCOLEXPAND/f32", "pto.tcolexpand ins(%row : ROW) outs(%d : F32)"},
		{"TCOLEXPANDMUL/f32", "pto.tcolexpandmul ins(%a, %row : F32, ROW) outs(%d : F32)"},
		{"TCMP/f32", "pto.tcmp ins(%a, %b : F32, F32) outs(%bits : BITS) {cmpMode = #pto<cmp lt>}"},
		{"TCMPS/f32", "pto.tcmps ins(%a, %s : F32, f32) outs(%bits : BITS) {cmpMode = #pto<cmp lt>}"},
		{"TSEL/f32", "pto.tsel ins(%bits, %a, %b : BITS, F32, F32) outs(%d : F32)"},
		{"TMOV/f32", "pto.tmov ins(%a : F32) outs(%d : F32)"},
		{"TEXTRACT/f32", "pto.textract ins(%a, %c16, %c0 : F32, index, index) outs(%upper : UPPER)"},
		{"TTRANS/f32", "pto.ttrans ins(%a : F32) outs(%d : F32)"},
		{"TTRANS/f16", "pto.ttrans ins(%ha : F16) outs(%hd : F16)"},
		{"TGATHER/f32", "pto.tgather ins(%a, %ia, %ib : F32, I32, I32) outs(%d : F32)"},
		{"TCVT/f32-bf16", "pto.tcvt ins(%a : F32) outs(%bd : BF16)"},
		{"TCVT/bf16-f32", "pto.tcvt ins(%bd : BF16) outs(%d : F32)"},
		{"TCVT/f32-i32", "pto.tcvt ins(%a : F32) outs(%id : I32) {rmode = #pto<round_mode TRUNC>}"},
		{"TCVT/i32-f32", "pto.tcvt ins(%ia : I32) outs(%d : F32)"},
		{"TCVT/f32-f16", "pto.tcvt ins(%a : F32) outs(%hd : F16)"},
		{"TCVT/f16-f32", "pto.tcvt ins(%ha : F16) outs(%d : F32)"},
		{"TADD/f32-8x64", "pto.tadd ins(%sa, %sa : SMALL, SMALL) outs(%sd : SMALL)"},
		{"TEXP/f32-8x64", "pto.texp ins(%sa : SMALL) outs(%sd : SMALL)"},
		{"TADD/f32-valid-61x50", "pto.tadd ins(%pa, %pa : PARTIAL, PARTIAL) outs(%pd : PARTIAL)"},
		{"TEXP/f32-valid-61x50", "pto.texp ins(%pa : PARTIAL) outs(%pd : PARTIAL)"},
		{"TLOAD/f32-8x64-strided", "pto.tload ins(%strided : EIGHTH) outs(%sa : SMALL)"},
		{"2xTLOAD+TADD+TSTORE/f32", `pto.tload ins(%xp : PART) outs(%a : F32)
    pto.tload ins(%xp : PART) outs(%b : F32)
    pto.tadd ins(%a, %b : F32, F32) outs(%d : F32)
    pto.tstore ins(%d : F32) outs(%yp : PART)`},
	} {
		b.Run(c.name, func(b *testing.B) { benchKernel(b, squareKernel(turns, c.text), turns, 1, 1) })
	}
}

// BenchmarkMatmul measures one product of square matrices.
func BenchmarkMatmul(b *testing.B) {
	for _, c := range []struct {
		n    int
		elem string
	}{{128, "f16"}, {128, "bf16"}, {64, "f32"}, {128, "f32"}, {128, "i8"}} {
		b.Run(fmt.Sprintf("%s/%d", c.elem, c.n), func(b *testing.B) { benchKernel(b, matmulKernel(c.n, c.elem), slowTurns, 1, 1) })
	}
}

// BenchmarkProductStore measures a store of 64x64 sums from the accumulator, as
// they are and rounded to f16.
func BenchmarkProductStore(b *testing.B) {
	for _, elem := range []string{"f32", "f16"} {
		text := strings.NewReplacer("ACC", "!pto.tile_buf<acc, 64x64xf32, blayout=col_major, slayout=row_major, fractal=1024>", "ELEM", elem).Replace(
			repeated(slowTurns, "%x: !pto.ptr<f32>, %y: !pto.ptr<ELEM>", `
  %d = pto.alloc_tile : ACC
  %yv = pto.make_tensor_view %y, shape = [%c64, %c64], strides = [%c64, %c1] : !pto.tensor_view<64x64xELEM>
  %yp = pto.partition_view %yv, offsets = [%c0, %c0], sizes = [%c64, %c64] : !pto.tensor_view<64x64xELEM> -> !pto.partition_tensor_view<64x64xELEM>`,
				`pto.tstore ins(%d : ACC) outs(%yp : !pto.partition_tensor_view<64x64xELEM>)`))
		b.Run(elem, func(b *testing.B) { benchKernel(b, text, slowTurns, 1, 1) })
	}
}

// vecscopeKernel adds two arrays in a vecscope: four vector instructions for
// each 64 lanes, turns times.
func vecscopeKernel(op string) string {
	return strings.ReplaceAll(`func.func @k(%x: !pto.ptr<f32, gm>, %y: !pto.ptr<f32, gm>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %lanes = arith.constant 64 : index
  %n = arith.constant 3200000 : index
  %zero = arith.constant 0 : i64
  %wrap = arith.constant 4095 : index
  %at_r = arith.constant 131072 : i64
  %a = pto.castptr %zero : i64 -> !pto.ptr<f32, ub>
  %r = pto.castptr %at_r : i64 -> !pto.ptr<f32, ub>
  pto.vecscope {
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    scf.for %i = %c0 to %n step %lanes {
      %at = arith.andi %i, %wrap : index
      %p = pto.vlds %a[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
      %q = pto.vlds %r[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
      %s = OP %p, %q, %all : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
      pto.vsts %s, %r[%at], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
    }
  }
  return
}`, "OP", op)
}

// BenchmarkVecscope measures vector instructions, of which a turn has four.
func BenchmarkVecscope(b *testing.B) {
	for _, op := range []string{"pto.vadd", "pto.vmax"} {
		b.Run(op, func(b *testing.B) {
			b.ReportMetric(4/benchKernel(b, vecscopeKernel(op), turns, 1, 1)*1000, "Minstr/cpu-s")
		})
	}
}

// BenchmarkBlocks measures the same work in each of eight blocks, which one
// worker runs one after the other, and two at the same time. What counts is the
// time on the clock; processor time shows what sharing costs.
func BenchmarkBlocks(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			benchKernel(b, squareKernel(slowTurns, "pto.texp ins(%a : F32) outs(%d : F32)"), slowTurns, 8, workers)
		})
	}
}
