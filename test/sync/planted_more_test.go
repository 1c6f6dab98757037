package sync

import (
	"os"
	"strings"
)

var putArgs = []string{"iota=8x64xf32", "zeros=8x64xf32", "window=8x64xf32", "window=1x16xi32", "comm"}

// putKernel returns the example put.pto with markers for inserted errors. marks holds
// pairs of texts: the first occurrence of the first text is replaced by the second.
func putKernel(marks ...string) string {
	text, err := os.ReadFile("../../examples/ranks/put.pto")
	if err != nil {
		panic(err)
	}
	s := string(text)
	for i := 0; i < len(marks); i += 2 {
		if !strings.Contains(s, marks[i]) {
			panic("examples/ranks/put.pto has no " + marks[i])
		}
		s = strings.Replace(s, marks[i], marks[i+1], 1)
	}
	return s
}

// plantedMore lists kernels for error classes that need other options, other cores or
// complete programs.
var plantedMore = []planted{
	{
		name: "results", arch: "a3", args: []string{"rand=16x64xf32", "zeros=16x64xf32"}, check: "output",
		body: `
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c60 = arith.constant 60 : index
  %v = pto.make_tensor_view %y, shape = [%c16, %c64], strides = [%c64, %c1] : !view // 0: %v = pto.make_tensor_view %y, shape = [%c16, %c64], strides = [%c60, %c1] : !view
  %upper = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c8, %c64] : !view -> !pto.partition_tensor_view<8x64xf32>
  %lower = pto.partition_view %v, offsets = [%c8, %c0], sizes = [%c8, %c64] : !view -> !pto.partition_tensor_view<8x64xf32> // 1: %lower = pto.partition_view %v, offsets = [%c4, %c0], sizes = [%c8, %c64] : !view -> !pto.partition_tensor_view<8x64xf32>
  %h = pto.alloc_tile addr = %at0 : !pto.tile_buf<vec, 8x64xf32>
  pto.tload ins(%xp : !part) outs(%t : !tile)
  pto.tstore ins(%h : !pto.tile_buf<vec, 8x64xf32>) outs(%upper : !pto.partition_tensor_view<8x64xf32>) // 2
  pto.tstore ins(%h : !pto.tile_buf<vec, 8x64xf32>) outs(%lower : !pto.partition_tensor_view<8x64xf32>) // 2`,
		faults: []string{"rows of the view overlap", "overwrites results", "writes to none of its 2 arrays"},
	},
	{
		name: "blocks", arch: "a3", args: []string{"zeros=64xf32", "zeros=16x64xf32"}, opts: []string{"--blocks=2"}, static: "proved, not checked",
		body: `
  %block = pto.get_block_idx
  %i = arith.index_cast %block : i64 to index
  %at = arith.muli %i, %c16 : index // 0: %at = arith.muli %i, %c1 : index // 1: %at = arith.muli %i, %c0 : index
  pto.store_scalar %five, %x[%at] : !pto.ptr<f32>, f32`,
		faults: []string{"on two cores store to one 64-byte line", "[race] WAW"},
	},
	{
		name: "loads in turn", arch: "a3", args: []string{"rand=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  pto.tload ins(%xp : !part) outs(%t : !tile)
  pto.tload ins(%yp : !part) outs(%u : !tile) // 0: pto.tload ins(%yp : !part) outs(%t : !tile)
  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.tabs ins(%t : !tile) outs(%t : !tile)
  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.tstore ins(%t : !tile) outs(%xp : !part)
  pto.barrier <PIPE_MTE3> // 1
  pto.tstore ins(%t : !tile) outs(%xp : !part)`,
		faults: []string{"before any instruction reads it", "[race] WAW"},
	},
	{
		name: "work items", arch: "a5", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"},
		body: `
  %ub = pto.castptr %at0 : i64 -> !pto.ptr<f32, ub>
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  pto.section.simt<<<8, 1, 1>>> {
    %tid = pto.get_tid_x : i32
    %i = arith.index_cast %tid : i32 to index // 1: %i = arith.index_cast %one : i32 to index
    %next = arith.addi %tid, %one : i32
    %wrapped = arith.remui %next, %eight : i32
    %j = arith.index_cast %wrapped : i32 to index
    %f = arith.sitofp %tid : i32 to f32
    pto.store %f, %ub[%i] : !pto.ptr<f32, ub>, f32
    pto.syncthreads // 0
    %g = pto.load %ub[%j] : !pto.ptr<f32, ub> -> f32
    pto.syncthreads // 2
    pto.store %g, %ub[%i] : !pto.ptr<f32, ub>, f32
  }`,
		faults: []string{"of work item", "of work item", "of work item"},
	},
	{
		name: "order of vecscopes", arch: "a5", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, opts: []string{"--check-strict"},
		body: `
  %ub = pto.castptr %at0 : i64 -> !pto.ptr<f32, ub>
  pto.vecscope {
    %m = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %v = pto.vbr %five : f32 -> !pto.vreg<64xf32>
    pto.vsts %v, %ub[%c0], %m : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
  }
  pto.barrier <PIPE_ALL> // 0
  pto.vecscope {
    %w = pto.vlds %ub[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
  }
  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.tstore ins(%t : !tile) outs(%yp : !part)`,
		faults: []string{"[race] RAW"},
	},
	{
		name: "pipes and numbers", arch: "a3", args: []string{"rand=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  %e = arith.constant 7 : index // 2: %e = arith.constant 8 : index
  pto.tload ins(%xp : !part) outs(%t : !tile)
  pto.set_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %e]
  pto.wait_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %e]
  pto.tabs ins(%t : !tile) outs(%t : !tile)
  pto.barrier <PIPE_V> // 0: pto.barrier <PIPE_M>
  pto.tabs ins(%t : !tile) outs(%t : !tile)
  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>] // 1: pto.set_flag[<PIPE_FIX>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>] // 1: pto.wait_flag[<PIPE_FIX>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.tstore ins(%t : !tile) outs(%yp : !part)`,
		faults: []string{"which a vector core does not have", "which a vector core does not have", "has events 0 to 7"},
	},
	{
		name: "a buffer that is not held", arch: "a5", args: []string{"rand=16x64xf32", "zeros=16x64xf32"},
		body: `
  pto.get_buf "PIPE_MTE2", 0, 0
  pto.tload ins(%xp : !part) outs(%t : !tile)
  pto.rls_buf "PIPE_MTE2", 0, 0
  pto.get_buf "PIPE_V", 0, 0
  pto.tabs ins(%t : !tile) outs(%t : !tile)
  pto.rls_buf "PIPE_V", 0, 0
  pto.get_buf "PIPE_MTE3", 0, 0 // 0
  pto.tstore ins(%t : !tile) outs(%yp : !part)
  pto.rls_buf "PIPE_MTE3", 0, 0 // 0`,
		faults: []string{"without holding buffer 0"},
	},
	{
		name: "a buffer that is given back twice", arch: "a5", args: []string{"rand=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  pto.get_buf "PIPE_MTE2", 0, 0 // 0
  pto.tload ins(%xp : !part) outs(%t : !tile)
  pto.rls_buf "PIPE_MTE2", 0, 0`,
		faults: []string{"does not hold"},
	},
	{
		name: "memory", arch: "a3", args: []string{"rand=16x64xf32", "zeros=16x64xf32"}, check: "mem", opts: []string{"--gm-slack=64"},
		body: `
  %half = arith.constant 2048 : i64
  %low = arith.constant 184320 : i64
  %high = arith.constant 184352 : i64
  %last = arith.constant 1023 : index
  %next = arith.constant 1024 : index
  %far = arith.constant 4096 : index
  %w = pto.alloc_tile addr = %at1 : !tile // 0: %w = pto.alloc_tile addr = %half : !tile
  %top = pto.alloc_tile addr = %low : !tile // 1: %top = pto.alloc_tile addr = %high : !tile
  pto.texpands ins(%five : f32) outs(%t : !tile)
  pto.barrier <PIPE_ALL>
  pto.texpands ins(%five : f32) outs(%w : !tile)
  pto.barrier <PIPE_ALL>
  pto.tabs ins(%t : !tile) outs(%t : !tile)
  pto.texpands ins(%five : f32) outs(%top : !tile)
  %a = pto.load_scalar %x[%last] : !pto.ptr<f32> -> f32 // 2: %a = pto.load_scalar %x[%next] : !pto.ptr<f32> -> f32 // 3: %a = pto.load_scalar %x[%far] : !pto.ptr<f32> -> f32`,
		faults: []string{"but another allocation overwrote bytes 2048..4095", "should use only the first 184 KiB", "[mem]", "[mem]"},
	},
	{
		name: "pointers", arch: "a5", args: []string{"rand=16x64xf32", "rand=16x64xf32"}, check: "mem",
		body: `
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %bytes = arith.constant 4096 : i64
  %next = arith.constant 4096 : i64 // 0: %next = arith.constant 2048 : i64
  %far = arith.constant 768 : index
  %p = pto.castptr %at0 : i64 -> !pto.ptr<f32, ub>
  %q = pto.castptr %next : i64 -> !pto.ptr<f32, ub>
  pto.mte_gm_ub %x, %p, %zero, %bytes nburst(%one, %bytes, %bytes) : !pto.ptr<f32>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
  pto.mte_gm_ub %y, %q, %zero, %bytes nburst(%one, %bytes, %bytes) : !pto.ptr<f32>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
  pto.barrier <PIPE_ALL>
  pto.vecscope {
    %v = pto.vlds %p[%far] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    %w = pto.vlds %q[%far] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
  }`,
		faults: []string{"but another allocation overwrote bytes"},
	},
	{
		name: "alignment", arch: "a5", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, check: "mem",
		body: `
  %ub = pto.castptr %at0 : i64 -> !pto.ptr<f32, ub>
  pto.vecscope {
    %w = pto.vlds %ub[%c64] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32> // 0: %w = pto.vlds %ub[%c1] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
  }`,
		faults: []string{"misaligned address"},
	},
	{
		name: "uninitialised memory", arch: "a3", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, check: "init",
		body: `
  %two = arith.constant 2 : i32
  %n = pto.alloc_tile addr = %at1 : !pto.tile_buf<vec, 8x8xi32>
  pto.texpands ins(%five : f32) outs(%t : !tile) // 0
  pto.barrier <PIPE_ALL>
  pto.tstore ins(%t : !tile) outs(%yp : !part)
  pto.texpands ins(%two : i32) outs(%n : !pto.tile_buf<vec, 8x8xi32>) // 1
  pto.barrier <PIPE_ALL>
  %v = pto.tgetval ins(%n, %c0 : !pto.tile_buf<vec, 8x8xi32>, index) outs : i32
  %some = arith.cmpi eq, %v, %two : i32
  scf.if %some {
    pto.tstore ins(%t : !tile) outs(%yp : !part)
  }`,
		faults: []string{"reaches global memory through 'pto.tstore'", "through 'pto.tgetval'"},
	},
	{
		name: "operands on which sources differ", arch: "a3", args: []string{"fill=1,16x64xf32", "zeros=16x64xf32"}, check: "init", remarks: true,
		body: `
  %nan = arith.constant 0x7FC00000 : f32
  pto.tload ins(%xp : !part) outs(%t : !tile)
  pto.texpands ins(%five : f32) outs(%u : !tile) // 0: pto.texpands ins(%nan : f32) outs(%u : !tile)
  pto.barrier <PIPE_ALL>
  pto.tmax ins(%t, %u : !tile, !tile) outs(%u : !tile)`,
		faults: []string{"on which sources disagree"},
	},
	{
		name: "valid regions", arch: "a3", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, check: "init",
		body: `
  %w = pto.alloc_tile addr = %at1 valid_row = %c16 valid_col = %c64 : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  pto.texpands ins(%five : f32) outs(%t : !tile)
  pto.texpands ins(%five : f32) outs(%w : !pto.tile_buf<vec, 16x64xf32, valid=?x?>)
  pto.set_validshape %w, %c16, %c64 : !pto.tile_buf<vec, 16x64xf32, valid=?x?> // 0: pto.set_validshape %w, %c16, %c16 : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  pto.barrier <PIPE_ALL>
  pto.tadd ins(%t, %w : !tile, !pto.tile_buf<vec, 16x64xf32, valid=?x?>) outs(%t : !tile)`,
		faults: []string{"must be equal"},
	},
	{
		name: "spare synchronization", arch: "a3", args: []string{"rand=16x64xf32", "zeros=16x64xf32"}, check: "redundant", remarks: true,
		body: `
  pto.tload ins(%xp : !part) outs(%t : !tile)
  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>] // 0: pto.barrier <PIPE_MTE2> pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.tabs ins(%t : !tile) outs(%t : !tile)`,
		faults: []string{"the barrier of PIPE_MTE2 is redundant"},
	},
	{
		name: "counters of signals", arch: "a3", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"},
		body: `
  %most = arith.constant 15 : index // 0: %most = arith.constant 16 : index
  %more = arith.constant 15 : index // 0: %more = arith.constant 16 : index
  pto.section.cube {
    scf.for %i = %c0 to %most step %c1 {
      pto.sync.set <PIPE_FIX>, 1
    }
  }
  pto.section.vector {
    scf.for %i = %c0 to %more step %c1 {
      pto.sync.wait <PIPE_FIX>, 1
    }
  }`,
		faults: []string{"for the 16th time without a wait"},
	},
	{
		name: "a flag between cores", arch: "a5", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  %acc = pto.alloc_tile addr = %at0 : !pto.tile_buf<acc, 16x64xf32, blayout=col_major, slayout=row_major, fractal=1024>
  pto.tmov ins(%acc : !pto.tile_buf<acc, 16x64xf32, blayout=col_major, slayout=row_major, fractal=1024>) outs(%t : !tile)
  pto.set_intra_block <PIPE_FIX>, 0 // 0: pto.set_flag[<PIPE_FIX>, <PIPE_V>, <EVENT_ID0>]
  pto.set_intra_block <PIPE_FIX>, 16 // 0 // 1
  pto.wait_intra_block <PIPE_V>, 0 // 0: pto.wait_flag[<PIPE_FIX>, <PIPE_V>, <EVENT_ID0>]
  pto.tabs ins(%t : !tile) outs(%u : !tile)`,
		faults: []string{"a flag works only inside a core", "which is only raised for vector core 0"},
	},
	{
		name: "two vector cores", arch: "a3", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  %acc = pto.alloc_tile addr = %at0 : !pto.tile_buf<acc, 16x64xf32, blayout=col_major, slayout=row_major, fractal=1024>
  pto.tload ins(%xp : !part) outs(%t : !tile)
  pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
  pto.tabs ins(%t : !tile) outs(%t : !tile)
  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.tstore ins(%t : !tile) outs(%yp : !part) // 0: pto.tstore ins(%t : !tile) outs(%xp : !part)
  pto.sync.set <PIPE_MTE3>, 1 // 1
  pto.sync.wait <PIPE_FIX>, 1 // 1
  pto.tstore ins(%acc : !pto.tile_buf<acc, 16x64xf32, blayout=col_major, slayout=row_major, fractal=1024>) outs(%yp : !part)`,
		faults: []string{"on PIPE_MTE3 may overwrite what 'pto.tload'", "[race] WAW"},
	},
	{
		name: "queues", arch: "a5", args: []string{"zeros=16x16xf32", "zeros=16x16xf32"}, opts: []string{"--kernel=c,v"}, whole: true, check: "race,sync",
		body: `
!acc = !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>
!half = !pto.tile_buf<vec, 8x16xf32>
func.func @c(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
  %at = pto.import_reserved_buffer {name = "fifo", peer_func = @v} -> i32
  pto.aic_initialize_pipe {id = 0, dir_mask = 1, slot_size = 1024, slot_num = 2} (c2v_consumer_buf = %at : i32)
  %r = pto.alloc_tile : !acc
  pto.tpush_to_aiv(%r : !acc) {id = 0, split = 1} // 1
  pto.tpush_to_aiv(%r : !acc) {id = 0, split = 1}
  return
}
func.func @v(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %at = pto.reserve_buffer {name = "fifo", size = 2048, location = #pto.address_space<vec>, auto = true} -> i32
  pto.aiv_initialize_pipe {id = 0, dir_mask = 1, slot_size = 1024, slot_num = 2} (c2v_consumer_buf = %at : i32)
  %u = pto.alloc_tile : !half
  %t = pto.tpop_from_aic {id = 0, split = 1} -> !half
  pto.tabs ins(%t : !half) outs(%u : !half) // 0: pto.tfree_from_aic {id = 0, split = 1}
  pto.tfree_from_aic {id = 0, split = 1} // 0: pto.tabs ins(%t : !half) outs(%u : !half)
  %s = pto.tpop_from_aic {id = 0, split = 1} -> !half // 2
  pto.tfree_from_aic {id = 0, split = 1} // 2 // 3
  return
}`,
		faults: []string{"that has already been freed", "would wait forever", "left in a queue", "popped here and not released"},
	},
	{
		name: "a signal that is left", arch: "a3", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, remarks: true,
		body: `
  pto.section.cube {
    pto.sync.set <PIPE_FIX>, 1
  }
  pto.section.vector {
    pto.sync.wait <PIPE_FIX>, 1 // 0
  }`,
		faults: []string{"is still raised when the kernel ends"},
	},
	{
		name: "an event inside an instruction", arch: "a5", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  %before = arith.constant 0 : i64 // 0: pto.set_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.comm.tput(%yp, %xp, buf(%t) : !part, !part, !tile)
  %after = arith.constant 0 : i64 // 0: pto.wait_flag[<PIPE_MTE2>, <PIPE_MTE3>, <EVENT_ID0>]`,
		faults: []string{"itself uses event 0"},
	},
	{
		name: "stores before a signal", arch: "a5", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, static: "not checked, hazard",
		body: `
  %one = arith.constant 1 : i32
  %at = arith.constant 8192 : i64
  %w = pto.castptr %y : !pto.ptr<f32> -> !pto.ptr<i32>
  %words = pto.make_tensor_view %w, shape = [%c1, %c16], strides = [%c16, %c1] : !pto.tensor_view<1x16xi32>
  %word = pto.partition_view %words, offsets = [%c0, %c0], sizes = [%c1, %c1] : !pto.tensor_view<1x16xi32> -> !pto.partition_tensor_view<1x1xi32>
  pto.tload ins(%xp : !part) outs(%t : !tile)
  pto.barrier <PIPE_ALL>
  pto.tstore ins(%t : !tile) outs(%xp : !part)
  pto.barrier <PIPE_ALL> // 0
  pto.comm.tnotify(%word, %one : !pto.partition_tensor_view<1x1xi32>, i32) {notifyOp = #pto<notify_op atomic_add>}`,
		faults: []string{"may raise its signal before the data that"},
	},
	{
		name: "an asynchronous copy", arch: "a3", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"},
		body: `
  %at = arith.constant 8192 : i64
  %scratch = pto.alloc_tile addr = %at : !pto.tile_buf<vec, 1x256xui8>
  %work = pto.castptr %y : !pto.ptr<f32> -> !pto.ptr<i8>
  %flat = pto.make_tensor_view %x, shape = [%c64], strides = [%c1] : !pto.tensor_view<64xf32>
  %from = pto.partition_view %flat, offsets = [%c0], sizes = [%c16] : !pto.tensor_view<64xf32> -> !pto.partition_tensor_view<16xf32>
  %to = pto.partition_view %flat, offsets = [%c16], sizes = [%c16] : !pto.tensor_view<64xf32> -> !pto.partition_tensor_view<16xf32>
  %queue = pto.comm.build_async_session(%scratch, %work : !pto.tile_buf<vec, 1x256xui8>, !pto.ptr<i8>) -> !pto.async_session
  %event = pto.comm.tput_async(%to, %from, %queue : !pto.partition_tensor_view<16xf32>, !pto.partition_tensor_view<16xf32>, !pto.async_session) -> !pto.async_event
  %done = pto.comm.wait_async_event(%event, %queue : !pto.async_event, !pto.async_session) -> i1 // 0`,
		faults: []string{"may still copy when the kernel ends"},
	},
	{
		name: "reads that are still going on", arch: "a3", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, static: "proved, hazard",
		body: `
  pto.texpands ins(%five : f32) outs(%t : !tile)
  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.tstore ins(%t : !tile) outs(%yp : !part)
  pto.set_flag[<PIPE_MTE3>, <PIPE_V>, <EVENT_ID0>] // 0
  pto.wait_flag[<PIPE_MTE3>, <PIPE_V>, <EVENT_ID0>] // 0
  pto.texpands ins(%five : f32) outs(%t : !tile)
  pto.set_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>] // 1
  pto.wait_flag[<PIPE_V>, <PIPE_MTE2>, <EVENT_ID0>] // 1
  pto.tload ins(%xp : !part) outs(%t : !tile)`,
		faults: []string{"[race] WAR", "[race] WAW"},
	},
	{
		name: "ranks", arch: "a5", args: putArgs, opts: []string{"--kernel=put", "--ranks=2"}, whole: true,
		body: putKernel(
			"// the copies are over", "// 0",
			"// the window is free", "// 1",
			"} else {", "} else { // 2: } else { %zero = arith.constant 0 : i32 pto.store_scalar %zero, %signal[%c0] : !pto.ptr<i32>, i32",
		),
		faults: []string{"may raise its signal of rank 0 for rank 1", "[race] RAW", "that holds signals"},
	},
	{
		name: "signals of ranks", arch: "a5", args: putArgs, opts: []string{"--kernel=put", "--ranks=2"}, whole: true, remarks: true,
		body:   putKernel("\n    return\n", "\n    return // 0: func.call @tell(%ctx, %signal, %c0, %c1) : (!pto.ptr<i64>, !pto.ptr<i32>, index, index) -> () return\n"),
		faults: []string{"the excess ends a later wait too early"},
	},
	{
		name: "all cores meet", arch: "a3", args: []string{"zeros=16x64xf32", "zeros=16x64xf32"}, opts: []string{"--blocks=2"},
		body: `
  %block = pto.get_block_idx
  %zero = arith.constant 0 : i64
  %first = arith.cmpi sge, %block, %zero : i64 // 0: %first = arith.cmpi eq, %block, %zero : i64
  scf.if %first {
    pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<aiv_only>
  }`,
		faults: []string{"would wait forever"},
	},
}
