// This file compiles the instructions on queue entries: reserving, pushing, popping and
// freeing slots.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// queueUse is an instruction on the entries of a queue.
//
// A ring is one direction of a queue. It has one lane for each vector core. A lane counts
// the slots that were reserved, pushed, popped and freed so far; freed <= popped <=
// pushed <= reserved <= freed + slots holds at any time. An instruction affects one lane,
// or both lanes if an entry is shared or if the cube core exchanges data with both vector
// cores. It waits until all affected lanes permit it.
type queueUse struct {
	sem.QueueUse
	op *ir.Op
	// first is the number of the queue's first ring (direction).
	first int
	// split states how an entry is divided between the two vector cores.
	split isasync.EntrySplit
	// subArg is the slot of the SubCore operand, if the instruction has one.
	subArg slot
	// uses describes the tile into or out of which the instruction copies, for listeners.
	uses []tileUse
}

// queueUse returns a description of op, an instruction on the entries of a queue. The
// description contains the queue, how an entry is divided between the vector cores, and
// the slot of the operand that selects a vector core, if op has one.
func (p *planner) queueUse(op *ir.Op) *queueUse {
	u := &queueUse{QueueUse: sem.QueueUseOf(op), op: op, first: p.queueOf(op)}
	u.split = isasync.EntrySplit(u.Split)
	if u.SubCore != nil {
		u.subArg = p.slot(u.SubCore)
	}
	return u
}

// end returns the ring (direction of the queue) that the instruction uses, and the state
// of this ring on the executing core. In a bidirectional queue, the direction depends on
// the executing core and on the kind of instruction. end returns a fault if the core has
// not initialized the queue.
func (u *queueUse) end(fr *frame) (*ring, *ringEnd, *Fault) {
	c := fr.core
	first := sem.ToVector
	if c.ends[u.first].info == nil {
		first = sem.ToCube
	}
	dir := u.Way(c.unit, first)
	end := &c.ends[u.first+dir]
	if end.info == nil {
		return nil, nil, faultAt(u.op, "uses a queue that this core, %s, has not set up", c)
	}
	if sub := u.sub(fr); sub < 0 || sub >= vectorCores {
		return nil, nil, faultAt(u.op, "selects vector core %d, but a block has only %d vector cores, numbered from 0", sub, vectorCores)
	}
	return &c.cluster.rings[u.first+dir], end, nil
}

// lanes returns the range of vector cores whose lanes (queue rings) the instruction
// affects. The result from is the number of the first vector core, and the result to is
// the number after the last one. On a vector core, the instruction affects only the lane
// of this core. On the cube core, it affects the lanes of all vector cores of the block.
// There is one exception: if only the first vector core exchanges undivided entries with
// the cube core, the instruction affects only the lane of that core.
func (u *queueUse) lanes(c *core, info *queueInfo) (from, to int) {
	switch {
	case c.unit == vectorUnit:
		return c.sub, c.sub + 1
	case u.split == isasync.WholeEntry && info.oneCore:
		return 0, 1
	}
	return 0, c.cluster.vectors()
}

// sub returns the index of the vector core whose half of the entry is accessed. This is
// the value of the SubCore operand if the instruction has this operand, and the index of
// the executing core if it does not.
func (u *queueUse) sub(fr *frame) int {
	if u.SubCore != nil {
		return int(int64(fr.x[u.subArg]))
	}
	return fr.core.sub
}

// every reports whether the function ok returns true for each lane of ring r that the
// instruction affects. A ring has one lane for each vector core; the lane contains the
// counters of the queue entries of this core.
func (u *queueUse) every(c *core, r *ring, info *queueInfo, ok func(l *lane) bool) bool {
	from, to := u.lanes(c, info)
	for i := from; i < to; i++ {
		if !ok(&r.lanes[i]) {
			return false
		}
	}
	return true
}

// each calls the function do for all lanes of ring r that the instruction affects. A lane
// counts the queue entries of one vector core. The executing core c and the description
// info of the queue determine which lanes these are.
func (u *queueUse) each(c *core, r *ring, info *queueInfo, do func(l *lane)) {
	from, to := u.lanes(c, info)
	for i := from; i < to; i++ {
		do(&r.lanes[i])
	}
}

// reserve waits until the ring r, the slots of one direction of a queue, has a free slot
// for each vector core to which the instruction applies. It then reserves one slot for
// each. end is the executing core's end of the queue. reserve returns a fault if a slot
// can never become free.
func (u *queueUse) reserve(fr *frame, r *ring, end *ringEnd) *Fault {
	c := fr.core
	free := func() bool {
		return u.every(c, r, end.info, func(l *lane) bool { return l.reserved-l.freed < end.info.slots })
	}
	f := c.await(free, func() *Fault {
		return faultAt(u.op, "waits for a free slot, but all %d slots are in use and no instruction frees one: %s would wait forever", end.info.slots, c).
			note(end.info.Init.Loc(), "the queue is set up here")
	})
	if f == nil {
		u.each(c, r, end.info, func(l *lane) { l.reserved++ })
		u.tell(fr, QueueReserve, end, func(l *lane) int { return l.reserved })
	}
	return f
}

// queueAlloc compiles an allocation into a step, a function that reserves a queue slot in
// global memory and returns a view of it.
func (p *planner) queueAlloc(u *queueUse) step {
	entry := p.queueView(u)
	return func(fr *frame) *Fault {
		r, end, f := u.end(fr)
		if f != nil {
			return f
		}
		if f := u.reserve(fr, r, end); f != nil {
			return f
		}
		f = entry.fill(fr, u, end, end.at)
		end.at++
		return f
	}
}

// queueView describes a queue entry that the program accesses as a tensor view of a slot
// in global memory.
type queueView struct {
	// at is the slot (frame index) of the view.
	at slot
	// shape is the shape of the view type. Dynamic sizes are replaced by the sizes of the
	// queue slot.
	shape ir.Dims
	// size is the number of bytes of an element.
	size int
}

// queueView returns a description of the tensor view that the instruction returns. It
// reports an error and returns nil if the type of the entry is not a view.
func (p *planner) queueView(u *queueUse) *queueView {
	op, v := u.op, u.Entry
	if p.classOf(v.Type()) != viewClass {
		p.errorf(op, "has a queue entry of type %s, but entries in global memory must be views", v.Type())
		return nil
	}
	if problem := analysis.CheckSlotView(v); problem != "" {
		p.errorf(op, "%s", problem)
		return nil
	}
	t, _ := ir.As[pto.TensorView](v.Type())
	_, size := p.viewShape(op, v.Type())
	return &queueView{at: p.slot(v), shape: t.Shape, size: size}
}

// fill computes the view of a queue entry. The strides of the view are the strides of the
// slot, or the strides of a dense tensor. As in all views, the shape occupies the last of
// maxRank dimensions, so rows and columns are dimensions 3 and 4. It returns a fault if
// the queue has no slots in global memory.
func (q *queueView) fill(fr *frame, u *queueUse, end *ringEnd, entry int) *Fault {
	if !end.info.inGlobal {
		return faultAt(u.op, "requires a queue with slots in global memory").note(end.info.Init.Loc(), "the queue is set up here")
	}
	w := view{addr: end.globalSlot(entry)}
	n, dense := q.shape.Len(), int64(1)
	for i := range maxRank {
		w.size[i] = 1
	}
	for i := n - 1; i >= 0; i-- {
		k := maxRank - n + i
		if w.size[k] = q.shape.At(i); w.size[k] == ir.Dynamic {
			w.size[k] = end.gm.size[k]
		}
		if w.stride[k] = end.gm.stride[k]; end.gm.size[k] == 0 { // the slot is an address
			w.stride[k] = dense
		}
		dense *= w.size[k]
	}
	if fr.core.unit == vectorUnit && u.split != isasync.WholeEntry {
		part := w.size[4] // of the columns
		if u.split == isasync.EntryRows {
			part = w.size[3] * w.size[4]
		}
		w.addr += uint64(u.sub(fr)) * uint64(part) * uint64(q.size)
	}
	fr.w[q.at] = w
	return nil
}

// free releases the queue slot of the oldest popped entry, in the rings of all affected
// vector cores. It returns a fault if no popped entry exists, because the producer could
// then overwrite an entry that has not been read yet.
func (u *queueUse) free(fr *frame) *Fault {
	r, end, f := u.end(fr)
	if f != nil {
		return f
	}
	if !u.every(fr.core, r, end.info, func(l *lane) bool { return l.freed < l.popped }) {
		return faultAt(u.op, "frees a slot, but %s has already freed all slots that it popped", fr.core).
			note(end.info.Init.Loc(), "the queue is set up here")
	}
	u.each(fr.core, r, end.info, func(l *lane) { l.freed++ })
	u.tell(fr, QueueFree, end, func(l *lane) int { return l.freed })
	return nil
}
