// This file finds instructions that fault whatever the order of the others is.

package insertsync

import (
	"fmt"

	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/syncproof"
)

// faults returns the instructions of f, and of the functions that it calls, that pto-run
// refuses to execute because of the memory that they access: a push of more bytes than a
// slot of the queue has, and tiles of one instruction that overlap although the instruction
// does not permit it.
func faults(f *ir.Op, target ir.Target, queues *isasync.Queues) (gaps []syncproof.Gap) {
	for _, g := range ptoanalysis.Reached([]*ir.Op{f}) {
		for op := range g.Walk() {
			if text := slotFault(op, queues); text != "" {
				gaps = append(gaps, syncproof.Gap{Op: op, Kind: "slot", Text: text})
			}
			for _, s := range ptoanalysis.SharingsOf(op, target) {
				if overlapFault(s, target) {
					gaps = append(gaps, syncproof.Gap{Op: op, Kind: "overlap", Text: fmt.Sprintf("'%s' may write \"%s\" over \"%s\" before it has read it", op.Name(), s.WrittenName, s.OtherName)})
				}
			}
		}
	}
	return gaps
}

// slotFault returns a text if op pushes a tile that is larger than the slots of its queue.
func slotFault(op *ir.Op, queues *isasync.Queues) string {
	if sem.QueueEntryOf(op).Act != sem.QueuePush {
		return ""
	}
	q := queues.Used(op)
	if q == nil || q.HasEpilogue() || sem.QueueUseOf(op).Split != 0 {
		return ""
	}
	for _, v := range op.Operands() {
		t, ok := pto.TileOf(v.Type())
		if size := t.Footprint(); ok && size > q.SlotSize {
			return fmt.Sprintf("'%s' writes %d bytes to a queue slot of %d bytes", op.Name(), size, q.SlotSize)
		}
	}
	return ""
}

// overlapFault reports whether the two tiles of s are at known addresses, share bytes, and
// the instruction does not permit that.
func overlapFault(s ptoanalysis.Sharing, target ir.Target) bool {
	x, ok1 := ptoanalysis.BytesOf(s.Other)
	y, ok2 := ptoanalysis.BytesOf(s.Written)
	if !ok1 || !ok2 || !x.Meets(y) {
		return false
	}
	if s.Both {
		return s.Other != s.Written
	}
	r, ok1 := linesOf(s.Other, x)
	w, ok2 := linesOf(s.Written, y)
	return ok1 && ok2 && r.Meets(w) && !s.Allows(r, w, target)
}

// linesOf returns the bytes of the valid region of a tile that starts at the first byte of
// b. ok is false if the region is not constant.
func linesOf(v *ir.Value, b ptoanalysis.Bytes) (ptoanalysis.Lines, bool) {
	t, ok := pto.TileOf(v.Type())
	if !ok || t.VRows < 0 || t.VCols < 0 {
		return ptoanalysis.Lines{}, false
	}
	pitch := t.Cols
	if t.BLayout == pto.ColMajor {
		pitch = t.Rows
	}
	return ptoanalysis.LinesOf(v.Type(), b.From, pitch, t.VRows, t.VCols), true
}
