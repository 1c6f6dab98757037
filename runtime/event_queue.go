// This file reports the events of queue instructions: waits for entries and slots, and
// the copies of entries.

package runtime

import "ptogo/dialect/pto/sem"

// withQueueEvents wraps s, the step of a queue instruction, which sends the events: for
// the wait or signal in queueUse.tell, and for the copy of data in queueUse.copied.
func withQueueEvents(o *opPlan, s step) step {
	return func(fr *frame) *Fault {
		fr.core.rec.begin(o, sem.NoPipe)
		return s(fr)
	}
}

// tell sends an event of the given kind for a queue instruction, with one link for each
// participating lane (the ring of one vector core). end is the state of the ring on the
// core that executes the instruction. number is a function that returns the number of the
// entry in a lane.
func (u *queueUse) tell(fr *frame, kind EventKind, end *ringEnd, number func(l *lane) int) {
	r := fr.core.rec
	if r == nil {
		return
	}
	c := fr.core
	ring := u.first
	if end == &c.ends[u.first+sem.ToCube] {
		ring += sem.ToCube
	}
	pipes := end.info.Pipes(ring-u.first, c.prog.target)
	from, to := u.lanes(c, end.info)
	for i := from; i < to; i++ {
		n := number(&c.cluster.rings[ring].lanes[i])
		ch := Channel{Kind: EntryChannel, Rank: r.info.Rank, Block: r.info.Block, Core: r.member(i), From: -1, ID: ring}
		switch kind {
		case QueueReserve:
			if n -= end.info.slots; n < 1 {
				continue
			}
			ch.Kind = SlotChannel
		case QueueFree:
			ch.Kind = SlotChannel
		}
		r.links = append(r.links, Link{Channel: ch, Raised: kind == QueuePush || kind == QueueFree, Number: n, Of: end.info.slots})
	}
	switch kind {
	case QueueReserve:
		r.pipe = pipes.Reserve
	case QueuePush:
		r.pipe = pipes.Push
	case QueuePop:
		r.pipe = pipes.Pop
	case QueueFree:
		r.pipe = pipes.Free
	}
	r.emit(fr, kind)
	if kind == QueueReserve {
		r.pipe = pipes.Push
	} else {
		r.pipe = pipes.Copy
	}
}

// copied sends the event for the data copy of a queue instruction. The copy has its own
// event of kind Instruction, separate from the event of the signal or wait. A push copies
// data into the queue before it signals the entry. A pop copies data after its wait.
func (u *queueUse) copied(fr *frame) {
	r := fr.core.rec
	if r == nil {
		return
	}
	for i := range u.uses {
		u.uses[i].record(fr, r)
	}
	r.emit(fr, Instruction)
}
