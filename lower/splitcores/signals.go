// This file inserts signals between the functions.

package splitcores

import (
	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// signal inserts operations for the required orders between accesses of the two cores
// into the new function h, which one of the cores executes. For each order, the function
// of the first core contains a raise after the first access, and the function of the
// second core contains a wait before the second access.
//
// If the second access is in a later iteration of a loop, the first core executes one
// more raise before the loop, because the wait in the first iteration has no preceding
// access. The second core executes one more wait after the loop. The numbers of raises
// and waits are therefore equal even if the loop has no iterations.
func (q *queues) signal(h *halfFunc) {
	for i, o := range q.w.orders {
		id := int64(2*len(q.w.queues) + i) // queues use the first ones
		from, to := h.ops[o.from], h.ops[o.to]
		if h.core == o.core {
			q.raise(h, ir.Before(from.Next()), o.fromPipe, id)
			if o.loop != nil {
				q.raise(h, ir.Before(h.ops[o.loop]), o.fromPipe, id)
			}
			continue
		}
		q.await(h, ir.Before(to), o.toPipe, id)
		if o.loop != nil {
			q.await(h, ir.Before(h.ops[o.loop].Next()), o.toPipe, id)
		}
	}
}

// raise inserts the instruction that raises signal id for the other core. The signal is
// raised when the earlier instructions of pipe p are complete.
func (q *queues) raise(h *halfFunc, b *ir.Builder, p sem.Pipe, id int64) {
	if q.w.target != sem.A5 {
		crossOp(b, isasync.SyncSet, p, id)
		return
	}
	q.peers(h, func(first int64) { crossOp(b, isasync.SetIntraBlock, p, first+id) })
}

// await inserts a wait instruction at the position of b, in h, the half of the split
// function that one kind of core executes. Pipe p of the core waits for the signal with
// the number id, which the core of the other kind raises.
func (q *queues) await(h *halfFunc, b *ir.Builder, p sem.Pipe, id int64) {
	if q.w.target != sem.A5 {
		crossOp(b, isasync.SyncWait, p, id)
		return
	}
	q.peers(h, func(first int64) { crossOp(b, isasync.WaitIntraBlock, p, first+id) })
}

// peers calls the function do once for each core with which the core of h exchanges
// signals. The argument of do is the number of the first signal between the two cores. On
// A5, the cube core uses separate signals for each of its two vector cores: numbers from
// 0 for the first one, and numbers from sem.Signals for the second one.
func (q *queues) peers(h *halfFunc, do func(first int64)) {
	do(0)
	if h.core == sem.CubeUnit && q.split != isasync.WholeEntry {
		do(sem.Signals)
	}
}

// crossOp inserts the instruction def, which raises or waits for the cross-core signal id
// on pipe p.
func crossOp(b *ir.Builder, def *ir.Def, p sem.Pipe, id int64) {
	b.Op(def, nil, nil, ir.NamedAttr{Name: "pipe", Attr: pto.PipeEnum.Attr(p.String())}, ir.NamedAttr{Name: "event_id", Attr: ir.IntAttr(ir.I32, id)})
}
