package runtime

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"ptogo/ir/num"
)

// repeatCase is a kernel of the examples, its blocks, and its arguments: how
// many elements of which format each has.
type repeatCase struct {
	file   string
	blocks int
	args   []repeatArg
}

type repeatArg struct {
	f     num.Format
	count int
}

// arguments makes the arguments of a case; the same ones each time.
func (c *repeatCase) arguments() []Arg {
	r := rand.New(rand.NewPCG(7, 11))
	var args []Arg
	for _, a := range c.args {
		b := &Buffer{Data: make([]byte, a.count*a.f.Bytes())}
		for i := range a.count {
			num.Store(a.f, b.Data[i*a.f.Bytes():], num.Encode(a.f, 2*r.Float64()-1, num.NearestEven, true))
		}
		args = append(args, ptr(b))
	}
	return args
}

// TestRepeatability runs kernels on many cores twice, in one program and in
// two, and with different numbers of workers: the bytes are the same each time.
func TestRepeatability(t *testing.T) {
	f16, f32 := num.F16, num.F32
	for _, c := range []repeatCase{
		{"mixed_attention.pto", 2, []repeatArg{{f16, 64 * 32}, {f16, 128 * 32}, {f16, 128 * 32}, {f32, 64 * 32}}},
		{"level2/softmax.pto", 2, []repeatArg{{f32, 32 * 64}, {f32, 32 * 64}}},
		{"level2/layernorm.pto", 2, []repeatArg{{f32, 32 * 64}, {f32, 64}, {f32, 64}, {f32, 32 * 64}}},
		{"level2/flash_attention.pto", 1, []repeatArg{{f16, 32 * 32}, {f16, 128 * 32}, {f16, 128 * 32}, {f32, 32 * 32}}},
		{"cube_gemm.pto", 1, []repeatArg{{f16, 32 * 128}, {f16, 128 * 32}, {f32, 32 * 32}}},
	} {
		t.Run(c.file, func(t *testing.T) {
			text, err := os.ReadFile("../examples/" + c.file)
			if err != nil {
				t.Fatal(err)
			}
			var want []Arg
			for _, workers := range []int{1, 1, 2, 3, 8} {
				p := planModule(t, parseFile(t, string(text)), Options{Blocks: c.blocks, Workers: workers})
				for turn := range 2 {
					got := c.arguments()
					if err := p.Run(got); err != nil {
						t.Fatal(err)
					}
					if want == nil {
						want = got
					}
					same := slices.EqualFunc(got, want, func(a, b Arg) bool { return bytes.Equal(a.Buf.Data, b.Buf.Data) })
					if !same {
						t.Errorf("%d workers, run %d: other bytes than the first run", workers, turn)
					}
				}
			}
			if bytes.Equal(want[len(want)-1].Buf.Data, c.arguments()[len(want)-1].Buf.Data) {
				t.Error("the kernel has written nothing")
			}
		})
	}
}

// TestManyBlocks runs 64 blocks, each of which adds its number to a row of its
// own, on different numbers of workers.
func TestManyBlocks(t *testing.T) {
	const text = `func.func @k(%y: !pto.ptr<f32>) attributes {pto.kernel} {
  %b = pto.get_block_idx
  %i = arith.index_cast %b : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %v = pto.make_tensor_view %y, shape = [%c64, %c8], strides = [%c8, %c1] : !pto.tensor_view<64x8xf32>
  %p = pto.partition_view %v, offsets = [%i, %c0], sizes = [%c1, %c8] : !pto.tensor_view<64x8xf32> -> !pto.partition_tensor_view<1x8xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
  %x = arith.sitofp %b : i64 to f32
  pto.tload ins(%p : !pto.partition_tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  pto.tadds ins(%t, %x : !pto.tile_buf<vec, 1x8xf32>, f32) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 1x8xf32>) outs(%p : !pto.partition_tensor_view<1x8xf32>)
  return
}`
	for _, workers := range []int{0, 1, 2, 5, 64} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			y := floats(make([]float32, 512)...)
			if err := runText(t, text, Options{Blocks: 64, Workers: workers}, ptr(y)); err != nil {
				t.Fatal(err)
			}
			for i := range 512 {
				if got, want := floatAt(y, i), float32(i/8); got != want {
					t.Fatalf("element %d is %v, want %v", i, got, want)
				}
			}
		})
	}
}

// TestSumsOfBlocks has 64 blocks add to the same elements: no sum is lost, and
// the blocks come in their order, however many workers there are.
func TestSumsOfBlocks(t *testing.T) {
	const text = `func.func @k(%y: !pto.ptr<f32>) attributes {pto.kernel} {
  %b = pto.get_block_idx
  %x = arith.sitofp %b : i64 to f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %v = pto.make_tensor_view %y, shape = [%c1, %c64], strides = [%c64, %c1] : !pto.tensor_view<1x64xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c64] : !pto.tensor_view<1x64xf32> -> !pto.partition_tensor_view<1x64xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>
  pto.texpands ins(%x : f32) outs(%t : !pto.tile_buf<vec, 1x64xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 1x64xf32>) outs(%p : !pto.partition_tensor_view<1x64xf32>) {atomicType = #pto<atomic_type atomic_add>}
  return
}`
	for _, workers := range []int{1, 2, 8} {
		for range 20 {
			y := floats(make([]float32, 64)...)
			if err := runText(t, text, Options{Blocks: 64, Workers: workers}, ptr(y)); err != nil {
				t.Fatal(err)
			}
			for i := range 64 {
				if got := floatAt(y, i); got != 63*64/2 {
					t.Fatalf("%d workers: element %d is %v, want %v", workers, i, got, 63*64/2)
				}
			}
		}
	}
}
