// This file checks pairs of queue ends.

package sync

import (
	"fmt"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// signals is the number of signals of a core that are available for the synchronization
// of its queues.
const signals = 16

// queuePairs is a rule that compares a queue with the other queues of its function,
// with the instructions on its entries, and with its other end.
type queuePairs struct{}

// Verify implements Rule. It checks op, an instruction that creates one end of a queue.
// It compares op with the other queues of the function, with the instructions on the
// entries of the queue, and with the instruction that creates the opposite end. It
// reports an error if one of these contradicts op. It checks nothing inside helper
// functions. It also checks nothing if the verifier sees only a fragment of a program,
// because the opposite end can then be missing.
func (queuePairs) Verify(op *ir.Op, v *ir.Verifier) {
	if insideHelper(op) || v.Leaves() {
		return
	}
	qs := queuesAround(op, v)
	queue := qs.Of(op)
	if msg := qs.signalFault(queue); msg != "" {
		v.Errorf(op, "%s", msg)
	}
	if msg := bufferFault(queue); msg != "" {
		v.Errorf(op, "%s", msg)
	}
	ends := queue.Ends
	if len(ends) == 0 || ends[0] != queue {
		return // the fault of the first end covers both
	}
	if msg := endFault(ends); msg != "" {
		v.Errorf(op, "%s", msg)
		ends = ends[:1]
	}
	verifySharing(ends, v)
}

// signalFault checks the number of signals that the queues of a function need. It adds up
// the signals of all queues with handles, up to the given queue. It returns a message if
// this queue is the first for which the core has too few signals, and "" otherwise.
// Queues that are identified by numbers receive their signals later, when a pass creates
// handles for them.
func (qs *Queues) signalFault(queue *Queue) string {
	if !queue.Handle() {
		return ""
	}
	n := int64(0)
	for _, q := range qs.of[functionOf(queue.Init)] {
		if q.Handle() {
			n += q.Signals()
		}
		if q == queue {
			break
		}
	}
	if n <= signals || n-queue.Signals() > signals {
		return ""
	}
	return fmt.Sprintf("needs signals %d to %d, because each queue of a function uses two per direction, but there are %d", n-queue.Signals()+1, n, signals)
}

// bufferFault checks that the two ends of a queue with a handle can be matched. The two
// ends are matched by a common buffer in local memory or by a common signal number.
// bufferFault returns a message if queue specifies neither of them, and "" otherwise.
func bufferFault(queue *Queue) string {
	if !queue.Handle() || !queue.Local() || queue.SaysSignal || len(queue.memories()) > 0 {
		return ""
	}
	return "needs \"flag_base\", or a \"local_addr\" from 'pto.reserve_buffer' or 'pto.import_reserved_buffer', so that its other end can be found"
}

// endFault checks the ends of a queue in local memory. It returns a message if there are
// more than two ends, or if two ends contradict each other. Otherwise it returns "". A
// single end is correct, because the other end may be in another kernel of the launch.
func endFault(ends []*Queue) string {
	a := ends[0]
	if !a.Local() || len(ends) == 1 {
		return ""
	}
	b := ends[1]
	switch {
	case len(ends) > 2:
		return fmt.Sprintf("must share its buffers with one other queue, its other end, but shares them with %d", len(ends)-1)
	case functionOf(a.Init) == functionOf(b.Init):
		return "must share its buffers with a queue of another function, its other end, but shares them with one of its own"
	}
	there := b.Shape()
	for i, n := range a.Shape() {
		if n != there[i] {
			name := [...]string{"dir_mask", "slot_size", "slot_num", "local_slot_num"}[i]
			return fmt.Sprintf("has %s = %d, but its other end has %d", name, n, there[i])
		}
	}
	return ""
}

// sharing records that an operation in the program states whether the vector cores share
// the entries of a queue. Two operations on the same queue must not contradict each
// other.
type sharing struct {
	shared bool
	text   string
	op     *ir.Op
}

// verifySharing checks the ends of a queue. It reports an error if these ends, or
// instructions on them, contradict each other about whether the vector cores share the
// entries of the queue.
func verifySharing(ends []*Queue, v *ir.Verifier) {
	var said []sharing
	for _, q := range ends {
		if q.SaysWhole {
			said = append(said, sharing{!q.Whole, fmt.Sprintf("'%s' has nosplit = %v", q.Init.Name(), q.Whole), q.Init})
		}
		for _, u := range q.Users {
			n := sem.QueueUseOf(u).Split
			said = append(said, sharing{n != 0, fmt.Sprintf("'%s' has split = %d", u.Name(), n), u})
		}
	}
	for _, s := range said {
		if s.shared != said[0].shared {
			v.Errorf(ends[0].Init, "sets up a queue whose ends contradict each other about dividing entries between the vector cores: %s, but %s", said[0].text, s.text).
				Note(s.op.Loc(), "the other end is here")
			return
		}
	}
}
