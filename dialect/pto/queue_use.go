package pto

import (
	"fmt"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// queueUse checks an instruction on a queue that is known by its id, which
// side fills.
func queueUse(side sem.QueueSide, entry string) Rule {
	return queueCheck(func(qs *Queues, op *ir.Op, t ir.Target) string {
		if insideHelper(op) {
			return ""
		}
		queue, msg := qs.withID(op, false)
		if msg != "" {
			return msg
		}
		split := EntrySplitOf(op)
		dir, _ := queue.Attr("dir_mask").AsInt()
		typ := entryOf(op, entry)
		switch {
		case side == sem.CubeSide && dir&1 == 0, side == sem.VectorSide && dir&2 == 0:
			return fmt.Sprintf("needs a queue that the %s core fills, but it has dir_mask = %d", side, dir)
		case split.odd() && !oddQueue(queue, side, t):
			return fmt.Sprintf("has split = %d, which only queues have that the cube core alone fills, through global memory and into a buffer of the vector cores", split)
		case HasEpilogue(queue) && side == sem.CubeSide && split != WholeEntry:
			return fmt.Sprintf("attribute \"split\" must be 0, since the queue has acc_push_epilogue, but is %d", split)
		}
		if msg := shareFault(op, typ, split); msg != "" {
			return msg
		}
		if !ir.Is[TensorView](typ) {
			return ""
		}
		slot := queue.Arg("gm_slot_tensor")
		if slot == nil {
			return "has a !pto.tensor_view as its entry, but the queue has no operand \"gm_slot_tensor\""
		}
		return sameSlot(typ, slot.Type())
	})
}

// oddQueue reports whether two cores can share odd entries of a queue.
func oddQueue(queue *ir.Op, side sem.QueueSide, t ir.Target) bool {
	dir, _ := queue.Attr("dir_mask").AsInt()
	inMemory := queue.Arg("gm_slot_tensor") != nil || t != sem.A5 && queue.Arg("gm_slot_buffer") != nil
	return side == sem.CubeSide && dir == 1 && inMemory && queue.Arg("c2v_consumer_buf") != nil
}

// entryOf returns the type of the entry of an instruction on a queue.
func entryOf(op *ir.Op, name string) ir.Type {
	if v := op.Arg(name); v != nil {
		return v.Type()
	}
	if op.NumResults() > 0 {
		return op.Result(0).Type()
	}
	return ir.Type{}
}

// shareFault checks how cores share an entry.
func shareFault(op *ir.Op, entry ir.Type, split EntrySplit) string {
	view := ir.Is[TensorView](entry)
	if split.odd() && view {
		return fmt.Sprintf("has split = %d, which only tiles have, but the entry is %s", split, entry)
	}
	if s, ok := op.Def().Sem.(sem.QueuePush); ok && s.From != sem.VectorSide && split != WholeEntry {
		if msg := parityFault(entry, split); msg != "" {
			return msg
		}
	}
	if op.Arg("aiv_subblockid") == nil {
		return ""
	}
	switch {
	case split == WholeEntry:
		return "takes operand \"aiv_subblockid\" only where \"split\" is not 0"
	case view || SpaceOf(entry) != sem.UB:
		return fmt.Sprintf("takes operand \"aiv_subblockid\" only for a tile in vec, but the entry is %s", entry)
	}
	return ""
}

// parityFault checks that what two cores share is even, or odd.
func parityFault(entry ir.Type, split EntrySplit) string {
	rows, cols := int64(ir.Dynamic), int64(ir.Dynamic)
	if IsTile(entry) {
		e := ValidOf(entry)
		rows, cols = e.Rows, e.Cols
	} else if d, ok := viewDims(entry); ok && d.Len() == 2 {
		rows, cols = d.At(0), d.At(1)
	}
	n, what := cols, "columns"
	if split == EntryRows || split == EntryRowsOdd {
		n, what = rows, "rows"
	}
	want := "even"
	if split.odd() {
		want = "odd"
	}
	if n == ir.Dynamic || (n%2 != 0) == split.odd() {
		return ""
	}
	return fmt.Sprintf("needs an %s number of %s for split = %d, but the entry has %d", want, what, split, n)
}

// sameSlot compares the view of an entry with that of a slot.
func sameSlot(entry, slot ir.Type) string {
	a, _ := viewDims(entry)
	b, ok := viewDims(slot)
	switch {
	case !ok:
		return fmt.Sprintf("has a !pto.tensor_view as its entry, but slots of the queue are %s", slot)
	case ir.ElementType(entry) != ir.ElementType(slot), a.Len() != b.Len():
		return fmt.Sprintf("must have entries like the slots of the queue, %s, but has %s", slot, entry)
	}
	for i := range a.Len() {
		if !maybeEqual(a.At(i), b.At(i)) {
			return fmt.Sprintf("must have entries like the slots of the queue, %s, but has %s: extent %d differs", slot, entry, i)
		}
	}
	return ""
}

// handleUseRule checks an instruction on a queue that is known by a handle.
func handleUseRule(entry string) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		queue := queueOfHandle(op.Arg("pipe_handle"))
		if queue == nil {
			return "operand \"pipe_handle\" must be what 'pto.initialize_l2l_pipe' or 'pto.initialize_l2g2l_pipe' gives"
		}
		split := EntrySplitOf(op)
		dir, _ := queue.Attr("dir_mask").AsInt()
		inMemory := queue.Arg("gm_addr") != nil
		if split.odd() && (coreOf(op) != filler(op) || !inMemory || dir != 1 || queue.Arg("local_addr") == nil) {
			return fmt.Sprintf("has split = %d, which only queues have that the cube core alone fills, through global memory and into a buffer of the vector cores", split)
		}
		typ := entryOf(op, entry)
		if msg := shareFault(op, typ, split); msg != "" {
			return msg
		}
		if !ir.Is[TensorView](typ) {
			return ""
		}
		if !inMemory || queue.Arg("local_addr") != nil {
			return "has a !pto.tensor_view as its entry, which needs a queue in global memory alone"
		}
		if msg := sameSlot(typ, queue.Arg("gm_addr").Type()); msg != "" {
			return msg
		}
		size, _ := queue.Attr("slot_size").AsInt()
		n, static := staticElements(typ)
		bytes := n * int64(ByteSize(ir.ElementType(typ)))
		if static && bytes != size && (split == WholeEntry || 2*bytes != size) {
			return fmt.Sprintf("must have entries of slot_size, %d bytes, but they have %d", size, bytes)
		}
		return ""
	})
}

// filler returns the core that an instruction on a queue from the cube core to
// the vector cores runs on.
func filler(op *ir.Op) sem.QueueSide {
	switch op.Def().Sem.(type) {
	case sem.QueuePop, sem.QueueFree:
		return sem.VectorSide
	}
	return sem.CubeSide
}
