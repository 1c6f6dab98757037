package runtime_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// sumKernel adds two arrays of 16x64 elements, which it loads and stores by rows.
const sumKernel = `module attributes {pto.target_arch = "a3"} {
  func.func @sum(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %o: !pto.ptr<f32>) attributes {pto.kernel} {
    %c0_i64 = arith.constant 0 : i64
    %c4096_i64 = arith.constant 4096 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %va = pto.make_tensor_view %a, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>
    %vb = pto.make_tensor_view %b, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>
    %vo = pto.make_tensor_view %o, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xf32>
    %pa = pto.partition_view %va, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
    %pb = pto.partition_view %vb, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
    %po = pto.partition_view %vo, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
    %ta = pto.alloc_tile addr = %c0_i64 : !pto.tile_buf<vec, 16x64xf32>
    %tb = pto.alloc_tile addr = %c4096_i64 : !pto.tile_buf<vec, 16x64xf32>
    pto.tload ins(%pa : !pto.partition_tensor_view<16x64xf32>) outs(%ta : !pto.tile_buf<vec, 16x64xf32>)
    pto.tload ins(%pb : !pto.partition_tensor_view<16x64xf32>) outs(%tb : !pto.tile_buf<vec, 16x64xf32>)
    pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
    pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
    pto.tadd ins(%ta, %tb : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%ta : !pto.tile_buf<vec, 16x64xf32>)
    pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
    pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
    pto.tstore ins(%ta : !pto.tile_buf<vec, 16x64xf32>) outs(%po : !pto.partition_tensor_view<16x64xf32>)
    return
  }
}
`

// slot is the size in bytes of an array of sumKernel.
const slot = 16 * 64 * 4

// planSum plans sumKernel for the given listeners.
func planSum(t testing.TB, listeners ...runtime.Listener) *runtime.Program {
	t.Helper()
	var diags ir.Diags
	m, err := ir.Parse(&ir.Source{Name: "sum.pto", Text: sumKernel}, ir.ParseOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := runtime.Plan(m, runtime.Kernels(m), runtime.Options{Target: sem.A3, Listeners: listeners}, &diags)
	if p == nil {
		t.Fatal(diags.Err())
	}
	return p
}

// randomGraph returns a graph of n tasks over the given number of slots of one buffer. A task
// adds two slots, and waits for some of the tasks whose results it accesses.
func randomGraph(p *runtime.Program, n, slots int, r *rand.Rand) *runtime.Graph {
	b := &runtime.Buffer{Data: make([]byte, slots*slot)}
	for i := 0; i < len(b.Data); i += 4 {
		b.Data[i+2], b.Data[i+3] = 0x80, 0x3f // 1
	}
	g := &runtime.Graph{Ranks: 1, Buffers: []*runtime.Buffer{b}, Names: []string{"x"}}
	for i := range n {
		t := runtime.Task{Name: fmt.Sprint("t", i), Program: p}
		for k := range 3 {
			t.Args = append(t.Args, runtime.TaskArg{Offset: int64(r.IntN(slots)) * slot, Bytes: slot, Reads: k < 2, Writes: k == 2})
		}
		for range r.IntN(3) {
			if i > 0 {
				t.After = append(t.After, r.IntN(i))
			}
		}
		slices.Sort(t.After)
		t.After = slices.Compact(t.After)
		g.Tasks = append(g.Tasks, t)
	}
	return g
}

// TestGraphWorkers runs graphs without most of their edges. The results do not depend on the
// number of tasks that run at the same time.
func TestGraphWorkers(t *testing.T) {
	p := planSum(t)
	for seed := range uint64(20) {
		var results [][]byte
		for _, workers := range []int{0, 2, 4} {
			g := randomGraph(p, 200, 12, rand.New(rand.NewPCG(seed, 1)))
			g.Workers = workers
			if err := g.Run(); err != nil {
				t.Fatal(err)
			}
			results = append(results, g.Buffers[0].Data)
		}
		for i, r := range results[1:] {
			if !slices.Equal(r, results[0]) {
				t.Errorf("seed %d: run %d differs from the sequential run", seed, i+1)
			}
		}
	}
}

// TestGraphWorkersFault runs graphs in which several tasks fault. The fault is that of a
// sequential run.
func TestGraphWorkersFault(t *testing.T) {
	p := planSum(t)
	for seed := range uint64(20) {
		var texts []string
		for _, workers := range []int{0, 2, 4} {
			r := rand.New(rand.NewPCG(seed, 2))
			g := randomGraph(p, 100, 12, r)
			for range 5 {
				g.Tasks[r.IntN(100)].Args[1].Offset = int64(12*slot - 4*r.IntN(50))
			}
			g.Workers = workers
			err := g.Run()
			if err == nil || !strings.Contains(err.Error(), "out of bounds") {
				t.Fatalf("seed %d: %v", seed, err)
			}
			texts = append(texts, err.Error())
		}
		if texts[1] != texts[0] || texts[2] != texts[0] {
			t.Errorf("seed %d: %q", seed, texts)
		}
	}
}

// BenchmarkGraph compares a graph of 1,000 small tasks with launches of the same kernel: on
// one and on two workers, and with the checkers.
func BenchmarkGraph(b *testing.B) {
	const tasks = 1000
	g := randomGraph(planSum(b), tasks, 64, rand.New(rand.NewPCG(1, 3)))
	b.Run("kernels", func(b *testing.B) {
		p := g.Tasks[0].Program
		x := g.Buffers[0]
		for b.Loop() {
			for range tasks {
				if err := p.Run([]runtime.Arg{{Buf: x}, {Buf: x}, {Buf: x}}); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	for workers := 1; workers <= 2; workers++ {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			for b.Loop() {
				g.Workers = workers
				if err := g.Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			c, err := check.New(check.Options{Kinds: check.Usual})
			if err != nil {
				b.Fatal(err)
			}
			g := randomGraph(planSum(b, c), tasks, 64, rand.New(rand.NewPCG(1, 3)))
			g.Listeners = []runtime.Listener{c}
			if err := g.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
