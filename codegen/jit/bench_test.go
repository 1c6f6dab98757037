package jit_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"ptogo/codegen/jit"

	_ "ptogo/dialect/all"
)

// BenchmarkElementwise measures one instruction on tiles of 32x64 elements, which fit the
// first-level cache. For comparison it measures a plain loop over arrays in LLVM IR.
func BenchmarkElementwise(b *testing.B) {
	for _, c := range []struct {
		name, text string
		bytes      int // read and written
	}{
		{"TADD/f32", "pto.tadd ins(%d, %a : F32, F32) outs(%d : F32)", 3 * 4},
		{"TADD/f16", "pto.tadd ins(%hd, %h : F16, F16) outs(%hd : F16)", 3 * 2},
		{"TMULS/f32", "pto.tmuls ins(%d, %s : F32, f32) outs(%d : F32)", 2 * 4},
		{"TMAX/f32", "pto.tmax ins(%d, %a : F32, F32) outs(%d : F32)", 3 * 4},
		{"TEXP/f32", "pto.texp ins(%a : F32) outs(%d : F32)", 2 * 4},
		{"TCVT/f32-f16", "pto.tcvt ins(%a : F32) outs(%hd : F16)", 4 + 2},
		{"TROWSUM/f32", "pto.trowsum ins(%a, %d : F32, F32) outs(%col : COLUMN)", 4},
		{"TROWMAX/f32", "pto.trowmax ins(%a, %d : F32, F32) outs(%col : COLUMN)", 4},
		{"TROWEXPANDMUL/f32", "pto.trowexpandmul ins(%a, %col : F32, COLUMN) outs(%d : F32)", 2 * 4},
		{"TTRANS/f32", "pto.ttrans ins(%a, %d : F32, F32) outs(%across : ACROSS)", 2 * 4},
		{"TLOAD/boxes", "pto.tload ins(%p : PART) outs(%mat : MAT)", 2 * 4},
		{"TMOV/boxes", "pto.tmov ins(%mat : MAT) outs(%right : RIGHT)", 2 * 4},
		{"vector loop", vectorLoop, 3 * 4},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := compile(b, tilesInTurns(c.text), "")
			perTurn(b, p, "GB/s", float64(32*64*c.bytes), make([]byte, 32*64*4))
		})
	}
	b.Run("limit", func(b *testing.B) {
		perTurn(b, plain(b, sumLoop, "void *"), "GB/s", 32*64*3*4, make([]byte, 2*32*64*4))
	})
}

// BenchmarkProduct measures a product of square f32 matrices that is added to an
// accumulator. For comparison it measures multiply-adds of vectors that stay in
// registers.
func BenchmarkProduct(b *testing.B) {
	for _, n := range []int{64, 128} {
		b.Run(fmt.Sprint("f32/", n), func(b *testing.B) {
			p := compile(b, productInTurns(n), "")
			perTurn(b, p, "GFLOP/s", float64(2*n*n*n), make([]byte, n*n*4))
		})
	}
	b.Run("limit", func(b *testing.B) { perTurn(b, plain(b, fmaLoop(), "void *"), "GFLOP/s", 12*16*2, make([]byte, 64)) })
}

// perTurn reports the run time of one iteration of the kernel, and the work per
// nanosecond.
func perTurn(b *testing.B, p *jit.Program, unit string, work float64, buf []byte) {
	const turns = 100_000
	var total float64
	for b.Loop() {
		took, err := p.Run(jit.Launch{Kernel: "main", Args: []any{buf, uint64(turns)}})
		if err != nil {
			b.Fatal(err)
		}
		total += float64(took) / turns
	}
	b.ReportMetric(total/float64(b.N), "ns/turn")
	b.ReportMetric(work*float64(b.N)/total, unit)
}

// plain builds a program from a function in LLVM IR whose parameter is the number of
// iterations.
func plain(b *testing.B, text, param string) *jit.Program {
	p, err := jit.Build(text, []jit.Func{{Name: "main", Symbol: "kernel", Params: []string{param, "int64_t"}}}, jit.Options{Cache: b.TempDir()})
	if errors.Is(err, jit.ErrNoLLVM) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(p.Close)
	return p
}

// tilesInTurns returns a kernel that executes an instruction n times.
func tilesInTurns(text string) string {
	return strings.NewReplacer("F32", "!pto.tile_buf<vec, 32x64xf32>", "F16", "!pto.tile_buf<vec, 32x64xf16>",
		"COLUMN", "!pto.tile_buf<vec, 32x1xf32, blayout=col_major>",
		"MAT", "!pto.tile_buf<mat, 32x64xf32, blayout=col_major, slayout=row_major>", "RIGHT", "!pto.tile_buf<right, 32x64xf32, slayout=col_major>", "ACROSS", "!pto.tile_buf<vec, 64x32xf32>",
		"VIEW", "!pto.tensor_view<32x64xf32>", "PART", "!pto.partition_tensor_view<32x64xf32>").Replace(`
func.func @main(%x: !pto.ptr<f32>, %n: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %s = arith.constant 0.75 : f32
  %v = pto.make_tensor_view %x, shape = [%c32, %c64], strides = [%c64, %c1] : VIEW
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c32, %c64] : VIEW -> PART
  %a = pto.alloc_tile : F32
  %d = pto.alloc_tile : F32
  %h = pto.alloc_tile : F16
  %hd = pto.alloc_tile : F16
  %col = pto.alloc_tile : COLUMN
  %across = pto.alloc_tile : ACROSS
  %mat = pto.alloc_tile : MAT
  %right = pto.alloc_tile : RIGHT
  pto.tload ins(%p : PART) outs(%a : F32)
  scf.for %i = %c0 to %n step %c1 {
    ` + text + `
  }
  pto.tstore ins(%d : F32) outs(%p : PART)
  return
}
`)
}

// vectorLoop adds two arrays of 2,048 floats in vector registers.
const vectorLoop = `%zero = arith.constant 0 : i64
    %far = arith.constant 65536 : i64
    %all = arith.constant 2048 : index
    %near = pto.castptr %zero : i64 -> !pto.ptr<f32, ub>
    %away = pto.castptr %far : i64 -> !pto.ptr<f32, ub>
    pto.vecscope {
      %m = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
      scf.for %k = %c0 to %all step %c64 {
        %u = pto.vlds %near[%k] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
        %w = pto.vlds %away[%k] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
        %t = pto.vadd %u, %w, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
        pto.vsts %t, %away[%k], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
      }
    }`

// productInTurns returns a kernel that adds a matrix product to an accumulator n times.
func productInTurns(n int) string {
	return strings.NewReplacer("N", fmt.Sprint(n),
		"LEFT", fmt.Sprintf("!pto.tile_buf<left, %[1]dx%[1]dxf32, blayout=col_major, slayout=row_major>", n),
		"RIGHT", fmt.Sprintf("!pto.tile_buf<right, %[1]dx%[1]dxf32, slayout=col_major>", n),
		"ACC", fmt.Sprintf("!pto.tile_buf<acc, %[1]dx%[1]dxf32, blayout=col_major, slayout=row_major, fractal=1024>", n)).Replace(`
func.func @main(%x: !pto.ptr<f32>, %n: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cn = arith.constant N : index
  %v = pto.make_tensor_view %x, shape = [%cn, %cn], strides = [%cn, %c1] : !pto.tensor_view<NxNxf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%cn, %cn] : !pto.tensor_view<NxNxf32> -> !pto.partition_tensor_view<NxNxf32>
  %a = pto.alloc_tile : LEFT
  %b = pto.alloc_tile : RIGHT
  %d = pto.alloc_tile : ACC
  pto.tmatmul ins(%a, %b : LEFT, RIGHT) outs(%d : ACC)
  scf.for %i = %c0 to %n step %c1 {
    pto.tmatmul.acc ins(%d, %a, %b : ACC, LEFT, RIGHT) outs(%d : ACC)
  }
  pto.tstore ins(%d : ACC) outs(%p : !pto.partition_tensor_view<NxNxf32>)
  return
}
`)
}

// sumLoop is LLVM IR that adds the second half of 4,096 floats to the first half, n
// times.
const sumLoop = `
define void @kernel(ptr %x, i64 %n, i64 %block, i64 %blocks) {
entry:
  br label %turn
turn:
  %t = phi i64 [ 0, %entry ], [ %u, %next ]
  br label %loop
loop:
  %i = phi i64 [ 0, %turn ], [ %j, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %q = getelementptr float, ptr %p, i64 2048
  %a = load float, ptr %p
  %b = load float, ptr %q
  %c = fadd float %a, %b
  store float %c, ptr %p
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, 2048
  br i1 %more, label %loop, label %next
next:
  %u = add i64 %t, 1
  %again = icmp ult i64 %u, %n
  br i1 %again, label %turn, label %done
done:
  ret void
}
`

// fmaLoop returns LLVM IR that multiplies and adds 12 vectors of 16 floats n times. That
// number of independent vectors hides the latency of the instruction.
func fmaLoop() string {
	var phis, sums, total strings.Builder
	last := "zeroinitializer"
	for i := range 12 {
		fmt.Fprintf(&phis, "  %%a%[1]d = phi <16 x float> [ zeroinitializer, %%entry ], [ %%b%[1]d, %%loop ]\n", i)
		fmt.Fprintf(&sums, "  %%b%[1]d = call <16 x float> @llvm.fma.v16f32(<16 x float> %%v, <16 x float> %%v, <16 x float> %%a%[1]d)\n", i)
		fmt.Fprintf(&total, "  %%t%d = fadd <16 x float> %s, %%b%[1]d\n", i, last)
		last = "%t" + strconv.Itoa(i)
	}
	return `
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
define void @kernel(ptr %x, i64 %n, i64 %block, i64 %blocks) {
entry:
  %v = load <16 x float>, ptr %x, align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
` + phis.String() + sums.String() + `
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %done
done:
` + total.String() + `  store <16 x float> ` + last + `, ptr %x, align 4
  ret void
}
`
}
