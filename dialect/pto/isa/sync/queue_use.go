// This file checks the use of queue entries.

package sync

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// queueUse returns a rule for instructions on queue entries that identify the queue by a
// number. The rule requires that the queue with this number exists and has the direction
// of the entry. The split of the entry between vector cores, and the type of the entry,
// must fit the queue too. side is the core type that produces the entries.
func queueUse(side sem.QueueSide) Rule {
	return queueCheck(func(qs *Queues, op *ir.Op, t ir.Target) string {
		if insideHelper(op) {
			return ""
		}
		queue, msg := qs.withID(op, false)
		if msg != "" {
			return msg
		}
		split := EntrySplitOf(op)
		typ := typeOfEntry(op)
		switch {
		case side == sem.CubeSide && !queue.Has(sem.ToVector), side == sem.VectorSide && !queue.Has(sem.ToCube):
			return fmt.Sprintf("needs a queue that the %s core fills, but it has dir_mask = %d", side, queue.Ways)
		case split.odd() && !(side == sem.CubeSide && oddQueue(queue, t)):
			return fmt.Sprintf("has split = %d, which requires a queue that only the cube core fills, through global memory into a buffer of the vector cores", split)
		case queue.HasEpilogue() && side == sem.CubeSide && split != WholeEntry:
			return fmt.Sprintf("attribute \"split\" must be 0, because the queue has acc_push_epilogue, but is %d", split)
		}
		if msg := shareFault(op, typ, split); msg != "" {
			return msg
		}
		if !ir.Is[TensorView](typ) {
			return ""
		}
		slot := queue.Tensor
		if slot == nil {
			return "has a !pto.tensor_view as its entry, but the queue has no operand \"gm_slot_tensor\""
		}
		return sameSlot(typ, slot.Type())
	})
}

// oddQueue reports whether entries of the queue may have an odd number of rows or
// columns, although two vector cores share each entry. This is the case if three
// conditions hold. The queue transfers entries to the vector cores only, the entries pass
// through global memory, and the queue has a local address at which the entries arrive.
func oddQueue(queue *Queue, t ir.Target) bool {
	return queue.Ways == 1<<sem.ToVector && queue.Global(t) != nil && queue.Arrives[sem.ToVector] != nil
}

// typeOfEntry returns the type of the queue entry that op accesses, or the zero Type if
// it has none.
func typeOfEntry(op *ir.Op) ir.Type {
	if v := sem.QueueUseOf(op).Entry; v != nil {
		return v.Type()
	}
	return ir.Type{}
}

// shareFault checks how op divides an entry of a queue between the vector cores. The
// parameter entry is the type of the entry, and split is the requested division.
// shareFault returns a message if this type cannot be divided in this way, and ""
// otherwise.
func shareFault(op *ir.Op, entry ir.Type, split EntrySplit) string {
	view := ir.Is[TensorView](entry)
	if split.odd() && view {
		return fmt.Sprintf("has split = %d, which requires a tile as its entry, but the entry is %s", split, entry)
	}
	use := sem.QueueUseOf(op)
	if use.Act == sem.QueuePush && use.From != sem.VectorSide && split != WholeEntry {
		if msg := parityFault(entry, split); msg != "" {
			return msg
		}
	}
	if use.SubCore == nil {
		return ""
	}
	switch {
	case split == WholeEntry:
		return "accepts operand \"aiv_subblockid\" only if \"split\" is not 0"
	case view || SpaceOf(entry) != sem.UB:
		return fmt.Sprintf("accepts operand \"aiv_subblockid\" only for a tile in vec, but the entry is %s", entry)
	}
	return ""
}

// parityFault checks a queue entry whose rows or columns are divided between the two
// vector cores. It returns a message unless the number of these rows or columns is even.
// For a split into unequal halves (an odd split), the number must be odd instead.
func parityFault(entry ir.Type, split EntrySplit) string {
	rows, cols := int64(ir.Dynamic), int64(ir.Dynamic)
	if IsTile(entry) {
		e := ValidOf(entry)
		rows, cols = e.Rows, e.Cols
	} else if d, ok := ViewDims(entry); ok && d.Len() == 2 {
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

// sameSlot compares the tensor type of a queue entry, as an instruction on the entry
// declares it, with the type of the queue slots. It returns a message if they differ, and
// "" otherwise.
func sameSlot(entry, slot ir.Type) string {
	a, _ := ViewDims(entry)
	b, ok := ViewDims(slot)
	switch {
	case !ok:
		return fmt.Sprintf("has a !pto.tensor_view as its entry, but slots of the queue are %s", slot)
	case ir.ElementType(entry) != ir.ElementType(slot), a.Len() != b.Len():
		return fmt.Sprintf("must have entries like the slots of the queue, %s, but has %s", slot, entry)
	}
	for i := range a.Len() {
		if !MaybeEqual(a.At(i), b.At(i)) {
			return fmt.Sprintf("must have entries like the slots of the queue, %s, but has %s: extent %d differs", slot, entry, i)
		}
	}
	return ""
}

// handleUseRule returns a rule for instructions on a queue entry whose operand
// pipe_handle identifies the queue. The operand must be the result of an instruction that
// creates a queue, and the entry must fit that queue.
func handleUseRule() Rule {
	return queueCheck(func(qs *Queues, op *ir.Op, t ir.Target) string {
		use := sem.QueueUseOf(op)
		queue := qs.Of(queueOfHandle(use.Handle))
		if queue == nil {
			return "operand \"pipe_handle\" must be the result of 'pto.initialize_l2l_pipe' or 'pto.initialize_l2g2l_pipe'"
		}
		split := EntrySplitOf(op)
		fromCube := sem.QueueEntry{Act: use.Act, From: sem.CubeSide}
		if split.odd() && (CoreOf(op).Unit() != fromCube.Core() || !oddQueue(queue, t)) {
			return fmt.Sprintf("has split = %d, which requires a queue that only the cube core fills, through global memory into a buffer of the vector cores", split)
		}
		typ := typeOfEntry(op)
		if msg := shareFault(op, typ, split); msg != "" {
			return msg
		}
		if !ir.Is[TensorView](typ) {
			return ""
		}
		if queue.Addr == nil || queue.Local() {
			return "has a !pto.tensor_view as its entry, which needs a queue that is only in global memory"
		}
		if msg := sameSlot(typ, queue.Addr.Type()); msg != "" {
			return msg
		}
		n, static := staticElements(typ)
		bytes := n * int64(ByteSize(ir.ElementType(typ)))
		if static && bytes != queue.SlotSize && (split == WholeEntry || 2*bytes != queue.SlotSize) {
			return fmt.Sprintf("must have entries of slot_size, %d bytes, but they have %d", queue.SlotSize, bytes)
		}
		return ""
	})
}
