package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestQueues compares both engines on kernels whose cube core and vector cores exchange
// tiles through a queue.
func TestQueues(t *testing.T) {
	checkPairs(t, slices.Concat(forwardQueues(), returnQueues(), oddQueues(), slotViews(), convertingQueues(), brokenQueues(), numberedParts()))
}

// onQueue returns a kernel for the cube core and one for the vector cores. The operands
// are in %a and %b, the results in %c, and the slots of the queue in %d. The cube core
// starts with the product of the operands in %acc.
func onQueue(name, arch, elem, cube, vector string, words ...string) pair {
	const views = `
  %va = pto.make_tensor_view %a, shape = [%i16, %i16], strides = [%i16, %i1] : VIEWIN
  %vb = pto.make_tensor_view %b, shape = [%i16, %i16], strides = [%i16, %i1] : VIEWIN
  %vc = pto.make_tensor_view %c, shape = [%i64, %i16], strides = [%i16, %i1] : VIEW
  %pa = pto.partition_view %va, offsets = [%i0, %i0], sizes = [%i16, %i16] : VIEWIN -> PARTIN
  %pb = pto.partition_view %vb, offsets = [%i0, %i0], sizes = [%i16, %i16] : VIEWIN -> PARTIN
  %base = arith.constant 512 : i32
  %back = arith.constant 8192 : i32`
	const product = `
    %ma = pto.alloc_tile addr = %c131072 : MAT
    %mb = pto.alloc_tile addr = %c196608 : MAT
    %l = pto.alloc_tile : LEFT
    %r = pto.alloc_tile : RIGHT
    %acc = pto.alloc_tile : ACC
    pto.tload ins(%pa : PARTIN) outs(%ma : MAT)
    pto.tload ins(%pb : PARTIN) outs(%mb : MAT)
    pto.tmov ins(%ma : MAT) outs(%l : LEFT)
    pto.tmov ins(%mb : MAT) outs(%r : RIGHT)
    pto.tmatmul ins(%l, %r : LEFT, RIGHT) outs(%acc : ACC)`
	types := strings.NewReplacer(
		"MAT", "!pto.tile_buf<mat, 16x16xELEM, blayout=col_major, slayout=row_major>",
		"LEFT", "!pto.tile_buf<left, 16x16xELEM, blayout=col_major, slayout=row_major>",
		"RIGHT", "!pto.tile_buf<right, 16x16xELEM, slayout=col_major>",
		"ACC", "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>",
		"VIEWIN", "!pto.tensor_view<16x16xELEM>", "PARTIN", "!pto.partition_tensor_view<16x16xELEM>",
		"VIEW", "!pto.tensor_view<64x16xf32>", "PART", "!pto.partition_tensor_view<?x?xf32>",
		"SLOT", "!pto.tensor_view<16x16xf32>",
	)
	kernel := func(name, kind, body string) string {
		body = strings.ReplaceAll(types.Replace(strings.NewReplacer(words...).Replace(body)), "ELEM", elem)
		return fmt.Sprintf("func.func @%s(%%a: !pto.ptr<%s>, %%b: !pto.ptr<%s>, %%c: !pto.ptr<f32>, %%d: !pto.ptr<f32>)"+
			" attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<%s>} {\n%s%s\n  return\n}\n", name, elem, elem, kind, constants(body), body)
	}
	ds := []*data{
		{name: "a", elem: elem, shape: [2]int{16, 16}, number: normal}, {name: "b", elem: elem, shape: [2]int{16, 16}, number: normal},
		{name: "c", elem: "f32", shape: [2]int{64, 16}, number: normal}, {name: "d", elem: "f32", shape: [2]int{64, 16}, number: normal},
	}
	text := kernel("k", "cube", views+product+cube) + kernel("k_vector", "vector", views+vector)
	return pair{name: name, arch: arch, data: ds, text: text, beside: true}
}

// queue describes how a queue is initialized on both cores, and the syntax of its
// instructions: with an id or a handle, and with slots in local or global memory.
type queue struct {
	name, arch string
	cube, vec  string
	handle     bool
}

// The directions of a queue, with the numbers of the attribute dir_mask: from the cube
// core to the vector cores, the reverse, and both.
const (
	forward = 1 + iota
	backward
	bothWays
)

func queues(ways int) []queue {
	keys := fmt.Sprintf("dir_mask = %d, slot_size = 1024, slot_num = 2", ways)
	buffers := []string{"c2v_consumer_buf = %base : i32", "v2c_consumer_buf = %base : i32", "c2v_consumer_buf = %base : i32, v2c_consumer_buf = %back : i32"}[ways-1]
	local := []string{"%base : i32", "%base : i32", "%base : i32, %back : i32"}[ways-1]
	var out []queue
	for _, q := range []queue{
		{name: "id", arch: "a5", cube: "pto.aic_initialize_pipe {id = 2, " + keys + "} (" + buffers + ")"},
		{name: "id in memory", arch: "a3", cube: "pto.aic_initialize_pipe {id = 2, " + keys + ", local_slot_num = 1} (gm_slot_buffer = %d : !pto.ptr<f32>, " + buffers + ")"},
		{name: "handle", arch: "a5", cube: "%q = pto.initialize_l2l_pipe {" + keys + ", flag_base = 4} (" + local + ") -> !pto.pipe"},
		{name: "handle in memory", arch: "a3", cube: "%q = pto.initialize_l2g2l_pipe {" + keys + ", flag_base = 0} (%d : !pto.ptr<f32>, " + local + ") -> !pto.pipe"},
	} {
		q.vec, q.handle = strings.Replace(q.cube, "aic_", "aiv_", 1), strings.HasPrefix(q.cube, "%q")
		out = append(out, q)
	}
	return out
}

// push, pop and free return the text of a queue instruction that sends an entry to a
// core, receives one, or releases one.
func (q *queue) push(to, tile, typ string) string {
	if q.handle {
		return fmt.Sprintf("pto.tpush(%s, %%q : %s, !pto.pipe) {split = SPLIT}", tile, typ)
	}
	return fmt.Sprintf("pto.tpush_to_%s(%s : %s) {id = 2, split = SPLIT}", to, tile, typ)
}

func (q *queue) pop(from, tile, typ string) string {
	if q.handle {
		return fmt.Sprintf("%s = pto.declare_tile -> %s\n      pto.tpop(%s, %%q : %s, !pto.pipe) {split = SPLIT}", tile, typ, tile, typ)
	}
	return fmt.Sprintf("%s = pto.tpop_from_%s {id = 2, split = SPLIT} -> %s", tile, from, typ)
}

func (q *queue) free(from string) string {
	if q.handle {
		return "pto.tfree(%q : !pto.pipe) {split = SPLIT}"
	}
	return "pto.tfree_from_" + from + " {id = 2, split = SPLIT}"
}

// shares lists how two vector cores divide an entry: the tile type of each part, its
// sizes, and its offset in the result for entry %n.
var shares = []struct {
	split, has, sizes, at string
}{
	{"0", "16x16", "[%i16, %i16]", "[%row, %i0]"},
	{"1", "8x16", "[%i8, %i16]", "[%low, %i0]"},
	{"2", "16x8", "[%i16, %i8]", "[%row, %own]"},
}

// place returns instructions that compute the offset of a vector core's part of an entry.
// With split 0, one core receives the entire entry and needs no core number.
func place(split string) string {
	const row = `
      %row = arith.muli %n, %i16 : index`
	if split == "0" {
		return row
	}
	return row + `
      %sub = pto.get_subblock_idx
      %number = arith.index_cast %sub : i64 to index
      %own = arith.muli %number, %i8 : index
      %low = arith.addi %row, %own : index`
}

// forwardQueues returns kernels that send products from the cube core to the vector
// cores, which double them.
func forwardQueues() []pair {
	var out []pair
	for _, q := range queues(forward) {
		for _, s := range shares {
			out = append(out, onQueue("forward "+q.name+" "+s.split, q.arch, "f32", `
    `+q.cube+`
    scf.for %n = %i0 to %i4 step %i1 {
      `+q.push("aiv", "%acc", "ACC")+`
      pto.tmatmul.acc ins(%acc, %l, %r : ACC, LEFT, RIGHT) outs(%acc : ACC)
    }`, `
    `+q.vec+`
    scf.for %n = %i0 to %i4 step %i1 {`+place(s.split)+`
      `+q.pop("aic", "%t", "TILE")+`
      %u = pto.alloc_tile addr = %c65536 : TILE
      pto.tadd ins(%t, %t : TILE, TILE) outs(%u : TILE)
      `+q.free("aic")+`
      %p = pto.partition_view %vc, offsets = HERE, sizes = SIZES : VIEW -> PART
      pto.tstore ins(%u : TILE) outs(%p : PART)
    }`, "SPLIT", s.split, "SIZES", s.sizes, "HERE", s.at, "TILE", "!pto.tile_buf<vec, "+s.has+"xf32>"))
		}
	}
	return out
}

// returnQueues returns kernels that send tiles from the vector cores to the cube core,
// which multiplies them. Some also send the products back.
func returnQueues() []pair {
	var out []pair
	for i, q := range slices.Concat(queues(backward), queues(bothWays)) {
		for k, s := range shares {
			elem := "f32"
			if (i+k)%2 == 1 && s.split != "2" { // rows are of 32 bytes at least
				elem = "f16"
			}
			send, receive := "", ""
			if i >= len(queues(backward)) {
				send, receive = "\n      "+q.push("aiv", "%acc", "ACC"), "\n      "+q.pop("aic", "%w", "WIDE")+"\n      "+q.free("aic")+`
      %p = pto.partition_view %vc, offsets = HERE, sizes = SIZES : VIEW -> PART
      pto.tstore ins(%w : WIDE) outs(%p : PART)`
			} else {
				send = `
      %row = arith.muli %n, %i16 : index
      %p = pto.partition_view %vc, offsets = [%row, %i0], sizes = [%i16, %i16] : VIEW -> PART
      pto.tstore ins(%acc : ACC) outs(%p : PART)`
			}
			out = append(out, onQueue(fmt.Sprintf("return %d %s %s", i, q.name, s.split), q.arch, elem, `
    `+q.cube+`
    scf.for %n = %i0 to %i4 step %i1 {
      `+q.pop("aiv", "%m", "MAT")+`
      pto.tmov ins(%m : MAT) outs(%l : LEFT)
      `+q.free("aiv")+`
      pto.tmatmul ins(%l, %r : LEFT, RIGHT) outs(%acc : ACC)`+send+`
    }`, `
    `+q.vec+`
    scf.for %n = %i0 to %i4 step %i1 {`+place(s.split)+`
      %t = pto.alloc_tile addr = %c65536 : TILE
      %part = pto.partition_view %va, offsets = WITHIN, sizes = SIZES : VIEWIN -> !pto.partition_tensor_view<?x?xELEM>
      pto.tload ins(%part : !pto.partition_tensor_view<?x?xELEM>) outs(%t : TILE)
      `+q.push("aic", "%t", "TILE")+receive+`
    }`, "SPLIT", s.split, "SIZES", s.sizes, "HERE", s.at, "WITHIN", strings.NewReplacer("%row", "%i0", "%low", "%own").Replace(s.at),
				"TILE", "!pto.tile_buf<vec, "+s.has+"xELEM>", "WIDE", "!pto.tile_buf<vec, "+s.has+"xf32>"))
		}
	}
	return out
}

// oddQueues returns kernels that divide 15 rows or columns between two vector cores. The
// first core receives 8 of them.
func oddQueues() []pair {
	var out []pair
	for _, c := range [][]string{
		{"SPLIT", "3", "EXTENTS", "%i15, %i16", "VALID", "%half, %i16", "HAS", "8x16", "HERE", "[%own, %i0], sizes = [%half, %i16]"},
		{"SPLIT", "4", "EXTENTS", "%i16, %i15", "VALID", "%i16, %half", "HAS", "16x8", "HERE", "[%i0, %own], sizes = [%i16, %half]"},
	} {
		out = append(out, onQueue("odd "+c[1], "a3", "f32", `
    pto.aic_initialize_pipe {id = 2, dir_mask = 1, slot_size = 1024} (gm_slot_buffer = %d : !pto.ptr<f32>, c2v_consumer_buf = %base : i32)
    %w = pto.treshape %acc : ACC -> OPEN
    pto.set_validshape %w, EXTENTS : OPEN
    pto.tpush_to_aiv(%w : OPEN) {id = 2, split = SPLIT}`, `
    pto.aiv_initialize_pipe {id = 2, dir_mask = 1, slot_size = 1024} (gm_slot_buffer = %d : !pto.ptr<f32>, c2v_consumer_buf = %base : i32)
    scf.for %n = %i0 to %i1 step %i1 {`+place(c[1])+`
      %half = arith.subi %i8, %number : index
      %t = pto.tpop_from_aic(VALID) {id = 2, split = SPLIT} -> TILE
      %p = pto.partition_view %vc, offsets = HERE : VIEW -> PART
      pto.tstore ins(%t : TILE) outs(%p : PART)
      pto.tfree_from_aic {id = 2, split = SPLIT}
    }`, append(c, "OPEN", "!pto.tile_buf<acc, 16x16xf32, valid=?x?, blayout=col_major, slayout=row_major, fractal=1024>",
			"TILE", "!pto.tile_buf<vec, "+c[7]+"xf32, valid=?x?>")...))
	}
	return out
}

// slotViews returns kernels that fill queue slots in global memory by explicit stores.
func slotViews() []pair {
	const set = `
    %gm = pto.make_tensor_view %d, shape = [%i16, %i16], strides = [%i16, %i1] : SLOT
    INIT
    scf.for %n = %i0 to %i4 step %i1 {`
	const part = `
      %s = pto.partition_view %e, offsets = [%i0, %i0], sizes = [%i16, %i16] : SLOT -> !pto.partition_tensor_view<16x16xf32>`
	const fill = part + `
      pto.tstore ins(%acc : ACC) outs(%s : !pto.partition_tensor_view<16x16xf32>)`
	const store = part + `
      %t = pto.alloc_tile addr = %c65536 : !pto.tile_buf<vec, 16x16xf32>
      pto.tload ins(%s : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32>)
      %row = arith.muli %n, %i16 : index
      %p = pto.partition_view %vc, offsets = [%row, %i0], sizes = [%i16, %i16] : VIEW -> PART
      pto.tstore ins(%t : !pto.tile_buf<vec, 16x16xf32>) outs(%p : PART)`
	return []pair{
		onQueue("slots of an id", "a3", "f32", set+`
      %e = pto.talloc_to_aiv {id = 2, split = 0} -> SLOT`+fill+`
      pto.tpush_to_aiv(%e : SLOT) {id = 2, split = 0}
    }`, strings.Replace(set, "INIT", "IVIT", 1)+`
      %e = pto.tpop_from_aic {id = 2, split = 0} -> SLOT`+store+`
      pto.tfree_from_aic(%e : SLOT) {id = 2, split = 0}
    }`, "INIT", "pto.aic_initialize_pipe {id = 2, dir_mask = 1, slot_size = 1024, slot_num = 3} (gm_slot_tensor = %gm : SLOT)",
			"IVIT", "pto.aiv_initialize_pipe {id = 2, dir_mask = 1, slot_size = 1024, slot_num = 3} (gm_slot_tensor = %gm : SLOT)"),
		onQueue("slots of a handle", "a3", "f32", set+`
      %e = pto.declare_global -> SLOT
      pto.talloc(%e, %q : SLOT, !pto.pipe) {split = 0}`+fill+`
      pto.tpush(%e, %q : SLOT, !pto.pipe) {split = 0}
    }`, set+`
      %e = pto.declare_global -> SLOT
      pto.tpop(%e, %q : SLOT, !pto.pipe) {split = 0}`+store+`
      pto.tfree(%e, %q : SLOT, !pto.pipe) {split = 0}
    }`, "INIT", "%q = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 3, flag_base = 6} (%gm : SLOT) -> !pto.pipe"),
	}
}

// convertingQueues returns kernels that convert accumulators while pushing them into a
// queue.
func convertingQueues() []pair {
	var out []pair
	for _, c := range []struct{ layout, quant, relu, elem, keys, set string }{
		{"nz2nd", "f32_f16", "normal_relu", "f16", "", ""},
		{"nz2nd", "qf322f16_pre_scalar", "no_relu", "f16", "", "scalar"},
		{"nz2dn", "qf322f16_pre_scalar", "normal_relu", "f16", ", blayout=col_major", "scalar"},
		{"nz2nd", "qf322b8_pre_vec", "no_relu", "si8", "", "vector"},
		{"nz2nz", "f32_f16", "no_relu", "f16", ", blayout=col_major, slayout=row_major", ""},
		{"nz2nd", "qf322b8_pre_scalar", "normal_relu", "si8", "", "scalar"},
	} {
		set := map[string]string{"scalar": `
    %scale = arith.constant -0.75 : f32
    pto.set_quant_scalar(%scale : f32) {id = 2}`, "vector": `
    %vs = pto.make_tensor_view %d, shape = [%i1, %i16], strides = [%i16, %i1] : !pto.tensor_view<1x16xf32>
    %ps = pto.partition_view %vs, offsets = [%i0, %i0], sizes = [%i1, %i16] : !pto.tensor_view<1x16xf32> -> !pto.partition_tensor_view<1x16xf32>
    %fp = pto.alloc_tile : !pto.tile_buf<scaling, 1x16xf32>
    pto.tload ins(%ps : !pto.partition_tensor_view<1x16xf32>) outs(%fp : !pto.tile_buf<scaling, 1x16xf32>)
    pto.set_quant_vector(%fp : !pto.tile_buf<scaling, 1x16xf32>) {id = 2}`}[c.set]
		out = append(out, onQueue("converting "+c.layout+" "+c.quant+" "+c.relu, "a5", "f32", `
    %at = pto.import_reserved_buffer {name = "fifo", peer_func = @k_vector} -> i32
    pto.aic_initialize_pipe {KEYS} (c2v_consumer_buf = %at : i32)`+set+`
    pto.tpush_to_aiv(%acc : ACC) {id = 2, split = 0}`, `
    %at = pto.reserve_buffer {name = "fifo", size = 2048, location = #pto.address_space<vec>, auto = true} -> i32
    pto.aiv_initialize_pipe {KEYS} (c2v_consumer_buf = %at : i32)
    %t = pto.tpop_from_aic {id = 2, split = 0} -> ENTRY
    %words = pto.tile_buf_addr %t : ENTRY -> !pto.ptr<NAME, ub>
    pto.mte_ub_gm %words, %out, %c512 nburst(%c1, %c0, %c0) : !pto.ptr<NAME, ub>, !pto.ptr<NAME>, i64, i64, i64, i64
    pto.tfree_from_aic {id = 2, split = 0}`,
			"KEYS", "id = 2, dir_mask = 1, slot_size = 1024, slot_num = 2, nosplit = true, acc_push_epilogue = #pto.acc_push_epilogue<layout = "+c.layout+", quant = "+c.quant+", relu = "+c.relu+">",
			"ENTRY", "!pto.tile_buf<vec, 16x16x"+c.elem+c.keys+">", "NAME", c.elem,
			"%words = pto", "%out = pto.castptr %c : !pto.ptr<f32> -> !pto.ptr<"+c.elem+">\n    %words = pto"))
	}
	return out
}

// brokenQueues returns kernels with incorrect queue use, on which both engines must
// report a fault: they wait forever, release too many entries, or access missing entries.
func brokenQueues() []pair {
	const set = "\n    pto.aiX_initialize_pipe {id = 2, dir_mask = 1, slot_size = SIZE, slot_num = 2} (c2v_consumer_buf = %base : i32)\n    "
	const push = "pto.tpush_to_aiv(%acc : ACC) {id = 2, split = 1}\n    "
	const pop = "%t = pto.tpop_from_aic {id = 2, split = 1} -> !pto.tile_buf<vec, 8x16xf32>\n    "
	const free = "pto.tfree_from_aic {id = 2, split = 1}\n    "
	const handle = "\n    %q = pto.initialize_l2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 2, flag_base = 2} (%base : i32) -> !pto.pipe\n    "
	var out []pair
	for _, c := range []struct{ name, size, cube, vec string }{
		{"nobody pushes", "1024", "", pop},
		{"nobody frees", "1024", push + push + push, pop},
		{"freed twice", "1024", push, pop + free + free},
		{"too large", "256", push, pop},
		{"slots beyond the memory", "262144", push + push, ""},
	} {
		out = append(out, onQueue(c.name, "a5", "f32", strings.Replace(set, "aiX", "aic", 1)+c.cube, strings.Replace(set, "aiX", "aiv", 1)+c.vec, "SIZE", c.size))
	}
	out = append(out, onQueue("nothing popped", "a5", "f32", handle, handle+`
    %t = pto.declare_tile -> !pto.tile_buf<vec, 8x16xf32>
    pto.tadd ins(%t, %t : !pto.tile_buf<vec, 8x16xf32>, !pto.tile_buf<vec, 8x16xf32>) outs(%t : !pto.tile_buf<vec, 8x16xf32>)`))
	for i := range out {
		out[i].faults = true
	}
	return out
}

// numberedParts returns kernels in which a vector core pushes a part of a queue entry and
// states explicitly which of the two vector cores of the block the part belongs to.
func numberedParts() []pair {
	const set = "\n    pto.aiX_initialize_pipe {id = 2, dir_mask = 2, slot_size = 1024, slot_num = 2} (v2c_consumer_buf = %base : i32)\n    "
	var out []pair
	for _, sub := range []string{"%other", "%c2", "%below"} {
		p := onQueue("part "+sub, "a5", "f32", strings.Replace(set, "aiX", "aic", 1)+`
    %m = pto.tpop_from_aiv {id = 2, split = 1} -> MAT
    pto.tmov ins(%m : MAT) outs(%l : LEFT)
    pto.tmatmul ins(%l, %r : LEFT, RIGHT) outs(%acc : ACC)
    %p = pto.partition_view %vc, offsets = [%i0, %i0], sizes = [%i16, %i16] : VIEW -> PART
    pto.tstore ins(%acc : ACC) outs(%p : PART)`, strings.Replace(set, "aiX", "aiv", 1)+`
    %own = pto.get_subblock_idx
    %other = arith.subi %c1, %own : i64
    %below = arith.subi %own, %c2 : i64
    %t = pto.alloc_tile addr = %c65536 : TILE
    %number = arith.index_cast %own : i64 to index
    %row = arith.muli %number, %i8 : index
    %half = pto.partition_view %va, offsets = [%row, %i0], sizes = [%i8, %i16] : VIEWIN -> !pto.partition_tensor_view<8x16xf32>
    pto.tload ins(%half : !pto.partition_tensor_view<8x16xf32>) outs(%t : TILE)
    pto.tpush_to_aic(%t : TILE) {id = 2, split = 1} aiv_subblockid(`+sub+`)`, "TILE", "!pto.tile_buf<vec, 8x16xf32>")
		p.faults = sub != "%other"
		out = append(out, p)
	}
	return out
}
