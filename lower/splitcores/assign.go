// This file assigns queues to the moves of tiles between the cores.

package splitcores

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// queue is a queue between the two kinds of cores. Both cores execute the crossings of
// a queue in the same order, so the order of its entries identifies them.
type queue struct {
	id int64
	// of are the crossings that the queue replaces, in the order of the text.
	of []*crossing
}

// from returns the core that fills the queue.
func (q *queue) from() sem.Unit { return q.of[0].from }

// slotSize returns the size in bytes of a slot of the queue: that of the largest tile.
func (q *queue) slotSize() int64 {
	n := int64(0)
	for _, c := range q.of {
		n = max(n, c.bytes())
	}
	return n
}

// assign assigns a queue to each crossing. A block has a limited number of signals, of
// which a queue needs two. If there are enough of them, each crossing has a queue of its
// own. Otherwise crossings share queues. assign returns the reason if that is impossible,
// or nil.
func (w *work) assign() *refusal {
	most := max(sem.Signals-len(w.orders), 0) / 2
	if len(w.cross) <= most {
		for _, c := range w.cross {
			w.enqueue(c, nil)
		}
		return nil
	}
	if w.shareQueues(false); len(w.queues) > most {
		w.shareQueues(true)
	}
	if len(w.queues) > most {
		last := w.queues[most].of[0]
		return refuse(last.op, "needs queue number %d between the cores, but a block has %d signals: two for each queue, and %d for dependences in global memory;"+
			" tiles for the cube core share a queue if one is last used before the next one arrives", len(w.queues), sem.Signals, len(w.orders))
	}
	return nil
}

// enqueue adds the crossing c to the queue q, or to a new queue if q is nil.
func (w *work) enqueue(c *crossing, q *queue) {
	if q == nil {
		q = &queue{id: int64(len(w.queues))}
		w.queues = append(w.queues, q)
	}
	q.of = append(q.of, c)
	c.queue = q
}

// shareQueues assigns each crossing to the first queue that can transport its tile, too.
// That is the case if no two entries of the queue are in use at the same time, because a
// core frees the entries of a queue in the order of their arrival. If the parameter copies
// is true, vector cores copy tiles out of their slots, so that a slot is free at once. No
// instruction does this on the cube core.
func (w *work) shareQueues(copies bool) {
	w.queues = nil
	order, n := map[*ir.Op]int{}, 0
	for op := range w.f.Walk() {
		order[op] = n
		n++
	}
	uses := map[*crossing][2]int{} // the first and the last operation that need the slot
	for _, c := range w.cross {
		first := order[c.op]
		last := first
		c.copied = c.from == sem.CubeUnit && (copies || passedOn(c.dst))
		if op := lastUse(c.dst, c.op.Block()); op != nil && !c.copied {
			for o := range op.Walk() {
				last = max(last, order[o])
			}
		}
		uses[c] = [2]int{first, last}
	}
	for _, c := range w.cross {
		at := slices.IndexFunc(w.queues, func(q *queue) bool {
			return q.from() == c.from && !c.ownQueue() && !q.of[0].ownQueue() && !slices.ContainsFunc(q.of, func(o *crossing) bool {
				return uses[o][0] <= uses[c][1] && uses[c][0] <= uses[o][1]
			})
		})
		if at < 0 {
			w.enqueue(c, nil)
			continue
		}
		w.enqueue(c, w.queues[at])
	}
}

// ownQueue reports whether the queue of the crossing c transports no other tiles. The
// vector cores may view the slots of such a queue as tensors with the type of the tile.
func (c *crossing) ownQueue() bool { return c.from == sem.CubeUnit && c.valid.rows != nil }
