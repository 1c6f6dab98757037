package runtime

import (
	"fmt"
	"testing"
)

// storeKernel stores a tile for each block, which it loads before if it must.
func storeKernel(load string) string {
	return `module attributes {pto.target_arch = "a5"} {
func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %block = pto.get_block_idx
  %number = arith.index_cast %block : i64 to index
  %first = arith.muli %number, %c64 : index
  %at = arith.constant 4096 : i64
  %t = pto.alloc_tile addr = %at : !pto.tile_buf<vec, 64x64xf32>
  %xv = pto.make_tensor_view %x, shape = [%c64, %c64], strides = [%c64, %c1] : !pto.tensor_view<64x64xf32>
  %yv = pto.make_tensor_view %y, shape = [%c128, %c64], strides = [%c64, %c1] : !pto.tensor_view<128x64xf32>
  %xp = pto.partition_view %xv, offsets = [%c0, %c0], sizes = [%c64, %c64] : !pto.tensor_view<64x64xf32> -> !pto.partition_tensor_view<64x64xf32>
  %yp = pto.partition_view %yv, offsets = [%first, %c0], sizes = [%c64, %c64] : !pto.tensor_view<128x64xf32> -> !pto.partition_tensor_view<64x64xf32>
  ` + load + `
  pto.tstore ins(%t : !pto.tile_buf<vec, 64x64xf32>) outs(%yp : !pto.partition_tensor_view<64x64xf32>)
  return
}
}`
}

// TestMemoriesAreNew runs launches and blocks one after the other, which get the
// memories of those before. None finds there what another one left.
func TestMemoriesAreNew(t *testing.T) {
	writes := storeKernel("pto.tload ins(%xp : !pto.partition_tensor_view<64x64xf32>) outs(%t : !pto.tile_buf<vec, 64x64xf32>)")
	for i, fill := range []byte{0, 7, 0, 7, 9} {
		for _, workers := range []int{1, 2} {
			for _, text := range []string{writes, storeKernel("")} {
				y := &Buffer{Data: make([]byte, 2*4*4096)}
				if err := runText(t, text, Options{Blocks: 2, Workers: workers, ScratchFill: fill}, ptr(&Buffer{Data: ones(4096)}), ptr(y)); err != nil {
					t.Fatal(err)
				}
				want := fmt.Sprint([]byte{fill, fill, fill, fill})
				if text == writes {
					want = fmt.Sprint([]byte{0, 0, 0x80, 0x3F})
				}
				for at := 0; at < len(y.Data); at += 4 {
					if got := fmt.Sprint(y.Data[at : at+4]); got != want {
						t.Fatalf("launch %d with fill %d: byte %d: %s, not %s", i, fill, at, got, want)
					}
				}
			}
		}
	}
}

// TestMemoryReset asks that only what was touched is set anew, and all of it when
// the value of the other bytes changes.
func TestMemoryReset(t *testing.T) {
	m := newMemory(64)
	copy(m.part(8, 8), "12345678")
	m.reset(0)
	if m.used != 16 || m.data[8] != 0 {
		t.Errorf("%d bytes counted as used, byte 8 is %d", m.used, m.data[8])
	}
	if m.renew(5); m.used != 0 || m.data[0] != 5 || m.data[63] != 5 {
		t.Errorf("after another value: %d bytes count as used, %v", m.used, m.data)
	}
	if m.part(60, 5) != nil || m.part(1<<63, 1) != nil {
		t.Error("bytes behind the end")
	}
}
