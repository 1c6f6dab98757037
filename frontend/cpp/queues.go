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
	slot := f.slotType(v.Args[0])
	views := slot.text != ""
	if global {
		op = "initialize_l2g2l_pipe"
		if !views {
			attrs += fmt.Sprintf(", local_slot_num = %d", min(locals, slots))
		}
		operands = f.globalPointer(v, v.Args[6], byteElement) + " : " + f.pointerType(byteElement)
		if views {
			operands = f.slotView(v, slot, operands)
		}
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
	if word == "push" {
		f.spaceLines(&c.args[0])
	}
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
		if split >= 3 && strings.Contains(tile.typ, "?") { // the place of the entry follows from the extents, which are set after the pop
			f.failf(v, "a tile of a queue that is split at an odd row or column needs constant valid extents")
		}
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
	use, flag := f.m.Strings[v.Args[0].Name], f.literal(v, 1)
	f.needsCores(v, "T"+strings.ToUpper(use))
	queue, slot := f.queues[flag], f.slotType(v.Args[1])
	if queue == "" {
		f.failf(v, "a queue is used where its TPipe is not known")
	}
	if slot.split != f.literal(v, 2) {
		f.failf(v, "entries of one queue are split in two ways")
	}
	key := fmt.Sprint(flag, use == "alloc" || use == "push")
	entry := f.slots[key]
	if entry == "" {
		entry = f.fresh("slot")
		f.slots[key] = entry
		f.constLines = append(f.constLines, "    "+entry+" = pto.declare_global -> "+slot.text)
	}
	f.line(v, "pto.t%s(%s, %s : %s, !pto.pipe) {split = %d}", use, entry, queue, slot.text, slot.split)
}

// slotType is the type of a slot in global memory: its text, its extents in bytes, and how
// the vector cores share it. text is "" for a queue without such slots.
type slotType struct {
	text              string
	rows, cols, split int64
}

// slotType returns the type of the slots of the queue with the given flag, of which a vector
// core has one half if the entries are split.
func (f *function) slotType(flag *llir.Value) slotType {
	for _, b := range f.f.Blocks {
		for _, v := range b.Insts {
			if v.Op != "call" || v.Pred != "ptogo_slot" || len(v.Args) != 4 || !v.Args[1].IsConst(flag.Int) {
				continue
			}
			split, size := f.literal(v, 2), f.literal(v, 3)
			t := slotType{rows: 16, cols: size / 16, split: split}
			switch {
			case f.core != "VEC" || split == 0:
			case split == 2 || split == 4:
				t.cols /= 2
			default:
				t.rows /= 2
			}
			t.text = fmt.Sprintf("!pto.tensor_view<%dx%dxui8>", t.rows, t.cols)
			return t
		}
	}
	return slotType{}
}

// slotView returns the view of the first slot, with its type, for a pointer with its type.
func (f *function) slotView(v *llir.Value, t slotType, pointer string) string {
	base, _, _ := strings.Cut(pointer, " : ")
	rows, cols := f.intConst(t.rows, "index"), f.intConst(t.cols, "index")
	name := f.fresh("slots")
	f.line(v, "%s = pto.make_tensor_view %s, shape = [%s, %s], strides = [%s, %s] : %s", name, base, rows, cols, cols, f.intConst(1, "index"), t.text)
	return name + " : " + t.text
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
