package pto

import (
	"fmt"

	"ptogo/ir"
)

// signals is how many signals a core has for its queues.
const signals = 16

// queuePairs checks a queue against the others of its function, against its
// users and against its other end.
type queuePairs struct{}

// Verify implements ir.Rule.
func (queuePairs) Verify(op *ir.Op, v *ir.Verifier) {
	if insideHelper(op) {
		return
	}
	qs := queuesAround(op, v)
	if msg := qs.signalFault(op); msg != "" {
		v.Errorf(op, "%s", msg)
	}
	if msg := bufferFault(op); msg != "" {
		v.Errorf(op, "%s", msg)
	}
	ends := qs.Of(op).Ends
	if len(ends) == 0 || ends[0] != op {
		return // the first end tells what is wrong with both
	}
	if msg := endFault(ends); msg != "" {
		v.Errorf(op, "%s", msg)
		ends = ends[:1]
	}
	qs.verifySharing(ends, v)
}

// signalsOf returns how many signals a queue uses: two for each direction.
func signalsOf(queue *ir.Op) int64 {
	if dir, _ := queue.Attr("dir_mask").AsInt(); dir == 3 {
		return 4
	}
	return 2
}

// signalFault checks that a function has enough signals up to a queue. Queues
// with ids get their signals when they get handles.
func (qs *Queues) signalFault(queue *ir.Op) string {
	if !hasHandle(queue) {
		return ""
	}
	n := int64(0)
	for _, q := range qs.of[functionOf(queue)] {
		if hasHandle(q.Init) {
			n += signalsOf(q.Init)
		}
		if q.Init == queue {
			break
		}
	}
	if n <= signals || n-signalsOf(queue) > signals {
		return ""
	}
	return fmt.Sprintf("needs signals %d to %d, since each queue of a function uses two per direction, but there are %d", n-signalsOf(queue)+1, n, signals)
}

// bufferFault checks that a queue with a handle tells how its other end is
// found: by its memory, or by its signals.
func bufferFault(queue *ir.Op) string {
	if !hasHandle(queue) || queue.Arg("local_addr") == nil || queue.HasAttr("flag_base") || len(memoriesOf(queue)) > 0 {
		return ""
	}
	return "needs \"flag_base\", or a \"local_addr\" from 'pto.reserve_buffer' or 'pto.import_reserved_buffer', so that its other end can be found"
}

// endFault checks that a queue in local memory has no more than two ends, and
// that these agree. Where there is one, a launch may bring the other.
func endFault(ends []*ir.Op) string {
	a := ends[0]
	if toVector, toCube := consumerBuffers(a); toVector == nil && toCube == nil || len(ends) == 1 {
		return ""
	}
	b := ends[1]
	switch {
	case len(ends) > 2:
		return fmt.Sprintf("must share its buffers with one other queue, its other end, but shares them with %d", len(ends)-1)
	case functionOf(a) == functionOf(b):
		return "must share its buffers with a queue of another function, its other end, but shares them with one of its own"
	}
	for _, name := range []string{"dir_mask", "slot_size", "slot_num", "local_slot_num"} {
		if x, y := sizeOf(a, name), sizeOf(b, name); x != y {
			return fmt.Sprintf("has %s = %d, but its other end has %d", name, x, y)
		}
	}
	return ""
}

// sizeOf returns an attribute of a queue, or what it is by default.
func sizeOf(queue *ir.Op, name string) int64 {
	n, ok := queue.Attr(name).AsInt()
	switch {
	case ok:
		return n
	case name == "slot_num":
		return DefaultSlots(queue)
	case name == "local_slot_num":
		return sizeOf(queue, "slot_num")
	}
	return 0
}

// sharing is a statement about a queue: whether the vector cores share its
// entries.
type sharing struct {
	shared bool
	text   string
	op     *ir.Op
}

// verifySharing checks that all that is said about the ends of a queue fits
// together.
func (qs *Queues) verifySharing(ends []*ir.Op, v *ir.Verifier) {
	var said []sharing
	for _, q := range ends {
		if whole, ok := q.Attr("nosplit").AsBool(); ok {
			said = append(said, sharing{!whole, fmt.Sprintf("'%s' has nosplit = %v", q.Name(), whole), q})
		}
		for _, u := range qs.Of(q).Users {
			if n, ok := u.Attr("split").AsInt(); ok {
				said = append(said, sharing{n != 0, fmt.Sprintf("'%s' has split = %d", u.Name(), n), u})
			}
		}
	}
	for _, s := range said {
		if s.shared != said[0].shared {
			v.Errorf(ends[0], "has entries that the vector cores share or not: %s, but %s", said[0].text, s.text).
				Note(s.op.Loc(), "the other is here")
			return
		}
	}
}
