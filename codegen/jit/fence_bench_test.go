//go:build unix

package jit_test

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ptogo/codegen/jit"
	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
)

// BenchmarkFence measures the processor time of kernels with and without the fence
// (bounds checks), alternately. It reports the medians and their ratio.
func BenchmarkFence(b *testing.B) {
	const pairs = 7
	for _, c := range []struct {
		name, text   string
		bytes, turns int
	}{
		{"TADD/f32", tilesInTurns("pto.tadd ins(%d, %a : F32, F32) outs(%d : F32)"), 32 * 64 * 4, 1_000_000},
		{"TADD/f16", tilesInTurns("pto.tadd ins(%hd, %h : F16, F16) outs(%hd : F16)"), 32 * 64 * 4, 1_000_000},
		{"TMULS/f32", tilesInTurns("pto.tmuls ins(%d, %s : F32, f32) outs(%d : F32)"), 32 * 64 * 4, 1_000_000},
		{"TMAX/f32", tilesInTurns("pto.tmax ins(%d, %a : F32, F32) outs(%d : F32)"), 32 * 64 * 4, 1_000_000},
		{"TEXP/f32", tilesInTurns("pto.texp ins(%a : F32) outs(%d : F32)"), 32 * 64 * 4, 100_000},
		{"TCVT/f32-f16", tilesInTurns("pto.tcvt ins(%a : F32) outs(%hd : F16)"), 32 * 64 * 4, 1_000_000},
		{"TADD/f32/open", openTiles, 32 * 64 * 4, 1_000_000},
		{"scalars/f32", scalarsInTurns, 32 * 64 * 4, 50_000_000},
		{"product/f32/64", productInTurns(64), 64 * 64 * 4, 30_000},
		{"product/f32/128", productInTurns(128), 128 * 128 * 4, 4_000},
	} {
		b.Run(c.name, func(b *testing.B) {
			var costs [2][]float64 // without the fence, with it
			programs := [2]*jit.Program{fenced(b, c.text, false), fenced(b, c.text, true)}
			for b.Loop() {
				for range pairs {
					for i, p := range programs {
						costs[i] = append(costs[i], processorTime(b, p, c.bytes, c.turns).Seconds()*1e9/float64(c.turns))
					}
				}
			}
			for _, times := range costs {
				slices.Sort(times)
			}
			without, with := costs[0][len(costs[0])/2], costs[1][len(costs[1])/2]
			b.ReportMetric(without, "ns/without")
			b.ReportMetric(with, "ns/with")
			b.ReportMetric(with/without, "ratio")
		})
	}
}

// openTiles adds tiles whose valid region is known only at run time.
var openTiles = strings.NewReplacer("F32", "!pto.tile_buf<vec, 32x64xf32, valid=?x?>").Replace(`
func.func @main(%x: !pto.ptr<f32>, %n: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %s = arith.constant 0.75 : f32
  %rows = arith.minui %n, %c32 : index
  %cols = arith.minui %n, %c64 : index
  %a = pto.alloc_tile valid_row = %rows valid_col = %cols : F32
  %d = pto.alloc_tile valid_row = %rows valid_col = %cols : F32
  pto.texpands ins(%s : f32) outs(%a : F32)
  scf.for %i = %c0 to %n step %c1 {
    pto.tadd ins(%d, %a : F32, F32) outs(%d : F32)
  }
  %v = pto.make_tensor_view %x, shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%rows, %cols] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<?x?xf32>
  pto.tstore ins(%d : F32) outs(%p : !pto.partition_tensor_view<?x?xf32>)
  return
}
`)

// scalarsInTurns is a kernel that loads single elements of global memory at indices that
// it also loads, so each address needs a bounds check.
const scalarsInTurns = `
func.func @main(%x: !pto.ptr<f32>, %n: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant 2047 : index
  scf.for %i = %c0 to %n step %c1 {
    %at = arith.remui %i, %last : index
    %v = pto.load_scalar %x[%at] : !pto.ptr<f32> -> f32
    %k = arith.fptosi %v : f32 to i32
    %from = arith.index_cast %k : i32 to index
    %w = pto.load_scalar %x[%from] : !pto.ptr<f32> -> f32
    pto.store_scalar %w, %x[%at] : !pto.ptr<f32>, f32
  }
  return
}
`

// fenced builds kernel @main with or without a fence.
func fenced(b *testing.B, text string, fence bool) *jit.Program {
	m := llvmtest.Parse(b, "bench.pto", text)
	ll := llvmtest.Emit(b, m, llvm.Options{Half: true, Fenced: fence})
	ll = strings.ReplaceAll(ll, "@main(", "@kernel(")
	return plainText(b, ll)
}

// plainText builds a program from LLVM IR that contains one kernel.
func plainText(b *testing.B, text string) *jit.Program {
	p, err := jit.Build(text, []jit.Func{{Name: "main", Symbol: "kernel", Params: []string{"void *", "int64_t"}}}, jit.Options{Cache: b.TempDir(), Level: "3"})
	if err != nil {
		b.Skip(fmt.Sprint(err))
	}
	return p
}

// processorTime returns the processor time of a process that runs one launch.
func processorTime(b *testing.B, p *jit.Program, bytes, turns int) time.Duration {
	ended := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := ended()
	if _, err := p.Run(jit.Launch{Kernel: "main", Args: []any{make([]byte, bytes), uint64(turns)}}); err != nil {
		b.Fatal(err)
	}
	p.Close()
	return ended() - before
}
