// This file converts queues between the cube core and the vector cores.

package cpp

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/llir"
)

// pipeSetUp converts the constructor of TPipe: the first flag of the queue, the
// directions, the size and the number of the slots, the number of slots in local memory,
// whether an entry belongs to one vector core, and the addresses of the slots in global
// memory and in the local memories of the consumers.
func (f *function) pipeSetUp(v *llir.Value) {
	f.needsCores(v, "TPipe")
	flag, direction, whole := f.literal(v, 0), f.literal(v, 1), f.literal(v, 5) != 0
	slots, locals := f.literal(v, 3), f.literal(v, 4)
	if f.queues[flag] != "" {
		f.failf(v, "the kernel has two queues with flag %d", flag)
	}
	global := f.target != sem.A5 && f.pointer(v.Args[6]).base.Op != "null" // A5 has directions with slots in global memory, and others
	if direction > 4 && direction <= 7 && f.target == sem.A5 {
		global, direction = true, direction-4
	}
	if direction < 1 || direction > 3 {
		f.failf(v, "a queue has a direction without counterpart in PTO")
	}
	attrs := fmt.Sprintf("{dir_mask = %d, slot_size = %d, slot_num = %d", direction, f.literal(v, 2), slots)
	operands := ""
	op := "initialize_l2l_pipe"
	views := f.usesSlots(v.Args[0])
	if global {
		op = "initialize_l2g2l_pipe"
		if !views {
			attrs += fmt.Sprintf(", local_slot_num = %d", min(locals, slots))
		}
		operands = f.globalPointer(v, v.Args[6], byteElement) + " : " + f.pointerType(byteElement)
	} else if views {
		f.failf(v, "slots of a queue without global memory are accessed by views")
	}
	attrs += fmt.Sprintf(", flag_base = %d", flag)
	if whole { // otherwise the instructions on the queue decide, as in the library
		attrs += ", nosplit = true"
	}
	attrs += "}"
	var addresses []string
	if global && !views {
		addresses = append(addresses, operands)
	}
	for bit, i := range []int{7, 8} { // where the vector cores and the cube core receive entries
		if !views && direction>>bit&1 != 0 {
			addresses = append(addresses, f.i64(v, v.Args[i])+" : i64")
		}
	}
	if !views {
		operands = strings.Join(addresses, ", ")
	}
	name := f.fresh("queue")
	f.line(v, "%s = pto.%s %s (%s) -> !pto.pipe", name, op, attrs, operands)
	f.queues[flag] = name
}

// queueUse converts TPUSH, TPOP or TFREE, whose queue and split are arguments of v.
func (f *function) queueUse(v *llir.Value, word string) {
	f.needsCores(v, "T"+word)
	queue, split := f.queues[f.literal(v, 0)], f.literal(v, 1)
	if queue == "" {
		f.failf(v, "a queue is used where its TPipe is not known")
	}
	if word == "free" {
		f.line(v, "pto.tfree(%s : !pto.pipe) {split = %d}", queue, split)
		return
	}
	c := f.elementCall(v, 1)
	tile := c.args[0]
	if word == "pop" {
		f.drop(tile)
		if t := *tile.tile; (t.validRows < 0) != (t.validCols < 0) { // set_validshape needs both extents to be dynamic
			t.validRows, t.validCols = -1, -1
			tile = f.allocated(tile.from, t)
			f.drop(tile)
		}
		f.line(v, "%s = pto.declare_tile -> %s", tile.name, tile.typ)
		f.popped[v] = tile
	}
	f.line(v, "pto.t%s(%s, %s : %s, !pto.pipe) {split = %d}", word, tile.name, queue, tile.typ, split)
	if word == "pop" && strings.Contains(tile.typ, "?") {
		f.line(v, "pto.set_validshape %s, %s, %s : %s", tile.name, f.index(v, tile.from.Args[12], false), f.index(v, tile.from.Args[13], false), tile.typ)
	}
	if word == "pop" && f.target != sem.A5 && !f.frees(v.Args[0]) {
		f.line(v, "pto.tfree(%s : !pto.pipe) {split = %d}", queue, split)
	}
}

// slotUse converts an access of a queue whose entries are slots in global memory. The C++
// computes the address of the entry itself, so that the entry of the operation has the size
// of the slot, and no other use.
func (f *function) slotUse(v *llir.Value) {
	use, flag, split, size := f.m.Strings[v.Args[0].Name], f.literal(v, 1), f.literal(v, 2), f.literal(v, 3)
	f.needsCores(v, "T"+strings.ToUpper(use))
	queue := f.queues[flag]
	if queue == "" {
		f.failf(v, "a queue is used where its TPipe is not known")
	}
	rows, cols := int64(16), size/16
	if f.core == "VEC" && split != 0 {
		rows = 8
		if split == 2 || split == 4 {
			rows, cols = 16, cols/2
		}
	}
	typ := fmt.Sprintf("!pto.tensor_view<%dx%dxui8>", rows, cols)
	key := fmt.Sprint(flag, typ, use == "alloc" || use == "push")
	entry := f.slots[key]
	if entry == "" {
		entry = f.fresh("slot")
		f.slots[key] = entry
		f.constLines = append(f.constLines, "    "+entry+" = pto.declare_global -> "+typ)
	}
	f.line(v, "pto.t%s(%s, %s : %s, !pto.pipe) {split = %d}", use, entry, queue, typ, split)
}

// usesSlots reports whether the kernel accesses entries of the queue with the given flag as
// slots in global memory.
func (f *function) usesSlots(flag *llir.Value) bool {
	return slices.ContainsFunc(f.f.Blocks, func(b *llir.Block) bool {
		return slices.ContainsFunc(b.Insts, func(v *llir.Value) bool {
			return v.Op == "call" && v.Pred == "ptogo_slot" && len(v.Args) > 1 && v.Args[1].IsConst(flag.Int)
		})
	})
}

// frees reports whether the kernel calls TFREE for the queue with the given flag. The
// headers of A2 and A3 free a slot when TPOP has copied it, so that a kernel for them may
// lack TFREE.
func (f *function) frees(flag *llir.Value) bool {
	return slices.ContainsFunc(f.f.Blocks, func(b *llir.Block) bool {
		return slices.ContainsFunc(b.Insts, func(v *llir.Value) bool {
			return v.Op == "call" && v.Pred == "ptogo_free" && len(v.Args) > 0 && v.Args[0].IsConst(flag.Int)
		})
	})
}

// poppedAddress returns the address of a tile from a queue, for a tile of another type at
// this address.
func (f *function) poppedAddress(v *llir.Value, tile argument) string {
	space := "ub"
	if tile.tile.role == 1 {
		space = "mat"
	}
	ptr := "!pto.ptr<" + elements[tile.elem].name + ", " + space + ">"
	at, name := f.fresh("at"), f.fresh("address")
	f.line(v, "%s = pto.tile_buf_addr %s : %s -> %s", at, tile.name, tile.typ, ptr)
	f.line(v, "%s = pto.castptr %s : %s -> i64", name, at, ptr)
	return name
}
