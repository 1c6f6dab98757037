package runtime

import (
	"fmt"
	"slices"
	"testing"

	"ptogo/dialect/pto"
)

// traceOf runs a program and writes each event as a line.
func traceOf(t *testing.T, text string, args ...Arg) (lines []string) {
	t.Helper()
	err := runText(t, text, Options{MaxSteps: 1 << 20, Trace: func(e Event) {
		s := fmt.Sprintf("%s on %s:", e.Op.Name(), e.Pipe)
		for _, r := range e.Ranges {
			how := map[pto.EffectKind]string{pto.Reads: "reads", pto.Writes: "writes"}[r.Kind]
			s += fmt.Sprintf(" %s %s %d+%d", how, r.Space, r.Addr, r.Size)
		}
		for _, l := range e.Links {
			s += map[bool]string{true: " raises ", false: " waits for "}[l.Raised] + l.Name
		}
		lines = append(lines, s)
	}}, args...)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestTrace checks what the hook hears of a copy through a tile.
func TestTrace(t *testing.T) {
	got := traceOf(t, `
func.func @k(%x: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = pto.make_tensor_view %x, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<1x8xf32> -> !pto.partition_tensor_view<1x8xf32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
  pto.tload ins(%p : !pto.partition_tensor_view<1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  pto.tadd ins(%t, %t : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
  return
}`, ptr(floats(1, 2, 3, 4, 5, 6, 7, 8)))
	want := []string{
		"pto.tload on PIPE_MTE2: reads gm 0+32 writes ub 0+32",
		"pto.tadd on PIPE_V: reads ub 0+32 reads ub 0+32 writes ub 0+32",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTraceOfPointers checks the ranges behind pointers: the bursts of a copy
// are several, unless they follow each other.
func TestTraceOfPointers(t *testing.T) {
	got := traceOf(t, `
func.func @k(%x: !pto.ptr<f32, gm>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : i64
  %at = arith.constant 8 : index
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c32 = arith.constant 32 : i64
  %c96 = arith.constant 96 : i64
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
  pto.mte_gm_ub %x, %u, %c0, %c32 nburst(%c2, %c96, %c32) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
  pto.vecscope {
    %v = pto.vlds %u[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
  }
  return
}`, ptr(floats(make([]float32, 32)...)))
	want := []string{
		"pto.mte_gm_ub on PIPE_MTE2: reads gm 0+32 reads gm 96+32 writes ub 0+64",
		"pto.vlds on PIPE_V: reads ub 32+256",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTraceOfSignals checks the names of signals on both sides, and that a wait
// comes behind what it waited for.
func TestTraceOfSignals(t *testing.T) {
	got := traceOf(t, `
func.func @k() attributes {pto.kernel} {
  pto.section.vector {
    pto.sync.wait <PIPE_V>, 3
    pto.get_buf "PIPE_V", 5, 0
    pto.rls_buf "PIPE_V", 5, 0
  }
  pto.section.cube {
    pto.set_flag[<PIPE_M>, <PIPE_FIX>, <EVENT_ID1>]
    pto.wait_flag[<PIPE_M>, <PIPE_FIX>, <EVENT_ID1>]
    pto.sync.set <PIPE_FIX>, 3
  }
  return
}`)
	core := "block 0: the cube core, PIPE_M to PIPE_FIX, event 1"
	want := []string{
		"pto.set_flag on PIPE_M: raises " + core,
		"pto.wait_flag on PIPE_FIX: waits for " + core,
		"pto.sync.set on PIPE_FIX: raises block 0: signal 3 to vector core 0 raises block 0: signal 3 to vector core 1",
		"pto.sync.wait on PIPE_V: waits for block 0: signal 3 to vector core 0",
		"pto.get_buf on PIPE_V: waits for block 0: vector core 0, buffer 5",
		"pto.rls_buf on PIPE_V: raises block 0: vector core 0, buffer 5",
		"pto.sync.wait on PIPE_V: waits for block 0: signal 3 to vector core 1",
		"pto.get_buf on PIPE_V: waits for block 0: vector core 1, buffer 5",
		"pto.rls_buf on PIPE_V: raises block 0: vector core 1, buffer 5",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
