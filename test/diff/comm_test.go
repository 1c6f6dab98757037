package diff

import (
	"fmt"
	"strings"
	"testing"
)

// TestCommunication compares both engines on communication instructions, in a launch with
// a single rank.
func TestCommunication(t *testing.T) {
	const part, tile = "!pto.partition_tensor_view<2x8xELEM>", "!pto.tile_buf<vec, 1x32xELEM, valid=1x8>"
	views := `  %v = pto.make_tensor_view %a, shape = [%i8, %i16], strides = [%i16, %i1] : !pto.tensor_view<8x16xELEM>
  %o = pto.make_tensor_view %c, shape = [%i8, %i16], strides = [%i16, %i1] : !pto.tensor_view<8x16xELEM>
  %t = pto.alloc_tile : TILE
`
	for i := range 4 {
		views += fmt.Sprintf("  %%from%d = pto.partition_view %%v, offsets = [%%i%d, %%i%d], sizes = [%%i2, %%i8] : !pto.tensor_view<8x16xELEM> -> PART\n", i, 2*(i/2), 8*(i%2))
		views += fmt.Sprintf("  %%to%d = pto.partition_view %%o, offsets = [%%i%d, %%i%d], sizes = [%%i2, %%i8] : !pto.tensor_view<8x16xELEM> -> PART\n", i, 2*(i/2), 8*(i%2))
	}
	views += "  %rows = pto.partition_view %o, offsets = [%i4, %i0], sizes = [%i4, %i8] : !pto.tensor_view<8x16xELEM> -> !pto.partition_tensor_view<4x8xELEM>\n"
	var all []pair
	add := func(name, elem, body string) {
		text := strings.NewReplacer("PART", part, "TILE", tile).Replace(views + body)
		all = append(all, onMachine(name+" "+elem, elem, elem, strings.ReplaceAll(text, "ELEM", elem)))
	}
	for _, elem := range []string{"f32", "f16", "i32"} {
		add("copy", elem, "  pto.comm.tput(%to0, %from1, buf(%t) : PART, PART, TILE)\n  pto.comm.tget(%to3, %to0, buf(%t) : PART, PART, TILE)")
		add("sum", elem, "  pto.comm.tput(%to0, %from1, buf(%t) : PART, PART, TILE) {atomicType = #pto<atomic_type atomic_add>}")
		add("broadcast", elem, "  pto.comm.tbroadcast(%from1, recv(%t), group(%to0, %to1, %to2) : PART, TILE, PART, PART, PART) {root = 0 : i32}")
		add("gather", elem, "  pto.comm.tgather(%rows, recv(%t), group(%from0, %from1) : !pto.partition_tensor_view<4x8xELEM>, TILE, PART, PART) {root = 0 : i32}")
		add("scatter", elem, "  pto.comm.tscatter(%rows, recv(%t), group(%to0, %to1) : !pto.partition_tensor_view<4x8xELEM>, TILE, PART, PART) {root = 0 : i32}")
		for _, fold := range []string{"sum", "max", "min"} {
			add(fold, elem, "  pto.comm.treduce(%to2, %t, recv(%t), group(%from0, %from1, %from2) : PART, TILE, TILE, PART, PART, PART) {reduceOp = #pto<reduce_op "+fold+">, root = 0 : i32}")
		}
	}
	add("ahead", "f32", `  %w = pto.castptr %a : !pto.ptr<f32> -> !pto.ptr<i8>
  %flat = pto.make_tensor_view %a, shape = [%i32], strides = [%i1] : !pto.tensor_view<32xf32>
  %to = pto.make_tensor_view %c, shape = [%i32], strides = [%i1] : !pto.tensor_view<32xf32>
  %ctx = pto.make_prefetch_async_context(%w : !pto.ptr<i8>) -> !pto.prefetch_async_context
  %q = pto.get_prefetch_async_session %ctx : !pto.prefetch_async_context -> !pto.async_session
  %e = pto.tprefetch_async(%flat, %ctx : !pto.tensor_view<32xf32>, !pto.prefetch_async_context) -> !pto.async_event
  %there = pto.comm.test_async_event(%e, %q : !pto.async_event, !pto.async_session) -> i1
  %copied = pto.comm.tput_async(%to, %flat, %q : !pto.tensor_view<32xf32>, !pto.tensor_view<32xf32>, !pto.async_session) -> !pto.async_event
  %done = pto.comm.wait_async_event(%copied, %q : !pto.async_event, !pto.async_session) -> i1
  pto.print ins("there %d, ", %there : i1)
  pto.print ins("done %d", %done : i1)`)
	all[len(all)-1].prints = "there 1, done 1"
	checkPairs(t, append(all, signalledBlocks()...))
}

// signalledBlocks returns kernels whose blocks signal each other. The first block waits
// for all others, or for more blocks than exist, which is a deadlock.
func signalledBlocks() []pair {
	var all []pair
	for _, count := range []int{3, 4} {
		p := onMachine(fmt.Sprintf("signals %d", count), "f32", "i32", fmt.Sprintf(`
  %%s = pto.make_tensor_view %%c, shape = [%%i1, %%i2], strides = [%%i2, %%i1] : !pto.tensor_view<1x2xi32>
  %%zero = arith.constant 0 : i32
  %%one = arith.constant 1 : i32
  %%n = arith.constant %d : i32
  %%block = pto.get_block_idx
  %%first = arith.cmpi eq, %%block, %%c0 : i64
  scf.if %%first {
    pto.comm.tnotify(%%s, %%zero : !pto.tensor_view<1x2xi32>, i32) {notifyOp = #pto<notify_op set>}
    %%early = pto.comm.ttest(%%s, %%n : !pto.tensor_view<1x2xi32>, i32) {cmp = #pto<wait_cmp ge>} -> i1
    pto.print ins("early %%d, ", %%early : i1)
    pto.comm.twait(%%s, %%n : !pto.tensor_view<1x2xi32>, i32) {cmp = #pto<wait_cmp ge>}
    pto.print ins("all are there", %%n : i32)
  } else {
    pto.print ins("block %%d, ", %%block : i64)
    pto.comm.tnotify(%%s, %%one : !pto.tensor_view<1x2xi32>, i32) {notifyOp = #pto<notify_op atomic_add>}
  }`, count))
		p.blocks, p.prints, p.faults = 4, "early 0, block 1, block 2, block 3, all are there", count == 4
		all = append(all, p)
	}
	return all
}
