// This file follows queues between the cube core and the vector cores.

package syncproof

import (
	"slices"

	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// startQueues makes all slots of the queues free.
func (x *prover) startQueues(s *state) {
	if len(x.threads) == 1 {
		return
	}
	for _, t := range x.threads {
		for _, op := range x.queueOps(t) {
			q, keys := x.queueKeys(t, op)
			if q == nil {
				continue
			}
			for _, k := range keys {
				if s.queues[k] == nil {
					f := &fifo{}
					for range q.Slots {
						f.free = append(f.free, make(clock, len(x.threads)*lanesPerCore))
					}
					s.queues[k] = f
				}
			}
		}
	}
}

// queueOps returns the operations of a core that push, pop or free entries.
func (x *prover) queueOps(t *thread) (ops []*ir.Op) {
	var visit func(f *ir.Op, depth int)
	visit = func(f *ir.Op, depth int) {
		for op := range f.Walk() {
			if sem.QueueEntryOf(op).Act != 0 && x.Runs(t.n, op) {
				ops = append(ops, op)
			}
			if g := calleeOf(op); g != nil && depth < mostCalls {
				visit(g, depth+1)
			}
		}
	}
	visit(t.Func, 0)
	return ops
}

// queueKeys returns the queue that op uses, and the keys of its directions: one for each
// vector core that exchanges entries with the core of op. The queue is nil if the proof
// cannot follow it.
func (x *prover) queueKeys(t *thread, op *ir.Op) (*isasync.Queue, []laneKey) {
	name, known := x.Queues.NameOf(op)
	q := x.Queues.Used(op)
	use := sem.QueueUseOf(op)
	if !known || q == nil || use.Act == sem.QueueAlloc {
		return nil, nil
	}
	oneCore := use.Split == 0 && q.OneCore(x.Target)
	way := use.Way(t.Unit, sem.ToVector)
	var keys []laneKey
	for _, v := range x.threads {
		if v.Unit == sem.CubeUnit || t.Unit != sem.CubeUnit && v != t || t.Unit == sem.CubeUnit && oneCore && v.Vector > 0 {
			continue
		}
		keys = append(keys, laneKey{name, way, v.Vector})
	}
	return q, keys
}

// entryReady reports whether the queue operation op can execute: a pop needs an entry, and
// a push needs a free slot.
func (x *prover) entryReady(c *cursor, op *ir.Op, s *state) bool {
	act := sem.QueueEntryOf(op).Act
	if act != sem.QueuePop && act != sem.QueuePush {
		return true
	}
	q, keys := x.queueKeys(c.th, op)
	if q == nil {
		return true
	}
	for _, k := range keys {
		f := s.queues[k]
		if f == nil || act == sem.QueuePop && len(f.full) == 0 || act == sem.QueuePush && len(f.free) == 0 {
			return false
		}
	}
	return true
}

// entry follows the queue operation op. The function act follows the memory accesses that
// the operation makes itself.
func (x *prover) entry(c *cursor, op *ir.Op, s *state, act func() bool) bool {
	q, keys := x.queueKeys(c.th, op)
	if q == nil {
		x.fail(op, "queue", "the static proof does not track the queue that '%s' uses", op.Name())
		return false
	}
	use := sem.QueueUseOf(op)
	pipes := q.Pipes(use.Way(c.th.Unit, sem.ToVector), x.Target)
	core := c.th.n
	switch use.Act {
	case sem.QueuePush:
		for _, k := range keys {
			f := s.queues[k]
			s.acquire(core, order.LineOrScalar(pipes.Reserve), f.free[0])
			f.free = slices.Clone(f.free[1:])
		}
		if !act() {
			return false
		}
		for _, k := range keys {
			s.queues[k].full = append(s.queues[k].full, s.release(core, order.LineOrScalar(pto.PipeFor(op, x.Target))))
		}
	case sem.QueuePop:
		for _, k := range keys {
			f := s.queues[k]
			s.acquire(core, order.LineOrScalar(pipes.Pop), f.full[0])
			f.full = slices.Clone(f.full[1:])
		}
		return act()
	case sem.QueueFree:
		if !act() {
			return false
		}
		for _, k := range keys {
			s.queues[k].free = append(s.queues[k].free, s.release(core, order.LineOrScalar(pipes.Free)))
		}
	}
	return true
}
