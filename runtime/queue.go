// This file defines the state of queues between the cube core and the vector cores,
// and plans their initialization.

package runtime

import (
	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ring is one direction of a queue: from the cube core to the vector cores, or from the
// vector cores to the cube core. It has a separate lane for each vector core. If both
// vector cores share a queue, the cube core accesses both lanes at the same time.
type ring struct {
	lanes [vectorCores]lane
}

// lane counts the operations on the queue entries of one vector core. At any time freed
// <= popped <= pushed <= reserved <= freed + slots.
type lane struct {
	// reserved is the number of slots that the producer has reserved.
	reserved int
	pushed   int
	popped   int
	freed    int
}

// ringEnd is the state of a ring (one direction of a queue) on the producer's or
// consumer's core, after that core has initialized the queue.
type ringEnd struct {
	// info are the parameters of the queue; it is nil before the initialization.
	info *queueInfo
	way  int
	// gm is the view of the slots in global memory. local is the address of the first
	// slot in the memory of the consumer.
	gm view
	// local is the address of the first slot in the consumer's memory.
	local uint64
	// at is the number of the next entry that this core processes.
	at int
	// scale are the quantization factors for entries that the cube core pushes from its
	// accumulator.
	scale fixpipeScale
}

// globalSlot returns the address in global memory of the queue slot that holds the entry
// with the given number. A queue has a fixed number of slots, and consecutive entries use
// them in rotation.
func (e *ringEnd) globalSlot(entry int) uint64 {
	return e.gm.addr + uint64(e.info.global[e.way].Slot(int64(entry)))
}

// localSlot returns the address in the consumer's local memory of the queue slot that
// holds the entry with the given number. A queue has a fixed number of slots, and
// consecutive entries use them in rotation.
func (e *ringEnd) localSlot(entry int) uint64 {
	return e.local + uint64(e.info.local.Slot(int64(entry)))
}

// queueInfo holds the static parameters of a queue: its slots, their sizes and their
// memory.
type queueInfo struct {
	*isasync.Queue
	slots, slotSize int
	// inGlobal means that entries are stored in global memory between push and pop.
	inGlobal bool
	// global describes the slots in global memory for each direction, and local the slots
	// in the memory of the consumer.
	global [sem.QueueWays]sem.QueueRing
	local  sem.QueueRing
	// oneCore means that an entry that is not split between the vector cores goes only to
	// the first one.
	oneCore   bool
	converted *pushConversion
}

// queuesOf returns all queues of the program that contains op. It searches them on the
// first call.
func (p *planner) queuesOf(op *ir.Op) *isasync.Queues {
	if p.found == nil {
		p.found = isasync.FindQueues(op)
	}
	return p.found
}

// queueOf identifies the queue that op uses. Each queue has one ring per direction, and
// the result is the index of its first ring. queueOf reports an error if the queue is not
// known before execution.
func (p *planner) queueOf(op *ir.Op) int {
	name, ok := p.queuesOf(op).NameOf(op)
	if !ok {
		p.errorf(op, "gets its queue from a block argument, but pto-run must know the queue before execution")
		return 0
	}
	i, ok := p.queues[name]
	if !ok {
		i = len(p.queues)
		p.queues[name] = i
	}
	return i * sem.QueueWays
}

// queueInit compiles op into a step, a function that initializes a queue on the executing
// core.
func (p *planner) queueInit(op *ir.Op) step {
	q := p.queuesOf(op).Of(op)
	info := &queueInfo{
		Queue: q, slots: int(q.Slots), slotSize: int(q.SlotSize), oneCore: q.OneCore(p.target), converted: p.pushConversion(q),
		inGlobal: q.Global(p.target) != nil, local: q.LocalRing(p.target),
	}
	for way := range info.global {
		info.global[way] = q.GlobalRing(way)
	}
	first := p.queueOf(op)
	gm := p.slotMemory(q.Global(p.target))
	var locals [sem.QueueWays]func(fr *frame) uint64
	for way := range locals {
		locals[way] = func(*frame) uint64 { return 0 }
		if v := q.Arrives[way]; v != nil {
			locals[way] = readSlot(p.slot(v))
		}
	}
	return func(fr *frame) *Fault {
		for way, local := range locals {
			if !info.Has(way) {
				continue
			}
			end := &fr.core.ends[first+way]
			*end = ringEnd{info: info, way: way, local: local(fr)}
			if gm != nil {
				end.gm = gm(fr)
			}
		}
		return nil
	}
}

// slotMemory returns a function that reads, at run time, the view that describes the
// slots of a queue in global memory. v is this view in the program. If v is nil, the
// queue has no slots in global memory, and slotMemory returns nil.
func (p *planner) slotMemory(v *ir.Value) func(fr *frame) view {
	if v == nil {
		return nil
	}
	at := p.slot(v)
	if p.classOf(v.Type()) == viewClass {
		return func(fr *frame) view { return fr.w[at] }
	}
	return func(fr *frame) view { return view{addr: fr.x[at]} }
}

// bufferAddress compiles op, which asks for the address of a local buffer that the
// program reserves for queue slots. The address is known before execution. bufferAddress
// therefore stores it as a constant result of op and returns no step (the Go function
// that executes an operation).
func (p *planner) bufferAddress(op *ir.Op) step {
	from := isasync.ReservedBuffer(op)
	if from == nil {
		p.errorf(op, analysis.NotReserved)
		return nil
	}
	p.cur.consts = append(p.cur.consts, constant{p.slot(op.Result(0)), p.reservedAt(from)})
	return nil
}

// reservedAt returns the address in local memory of the buffer that op reserves for the
// slots of a queue. If the program assigns the address, reservedAt returns this address.
// If it does not, reservedAt allocates memory on the first call and returns the same
// address on later calls.
func (p *planner) reservedAt(op *ir.Op) uint64 {
	r := analysis.ReservedOf(op)
	if r.Placed {
		return uint64(r.Base)
	}
	if at, ok := p.reserved[op]; ok {
		return at
	}
	at := p.store.take(op, r.Space, int(r.Size))
	p.reserved[op] = at
	return at
}

// queueEntry compiles an instruction that allocates, pushes, pops or frees a queue entry
// into a step, the function that executes it.
func (p *planner) queueEntry(op *ir.Op, kind sem.QueueEntry) step {
	u := p.queueUse(op)
	switch kind.Act {
	case sem.QueueAlloc:
		return p.queueAlloc(u)
	case sem.QueuePush:
		return p.queuePush(u)
	case sem.QueuePop:
		return p.queuePop(u)
	}
	return u.free
}

// declare compiles op into a step, a function that declares a tile or view that a later
// pop from a queue defines. Until then, the tile has placeholder memory that must not be
// accessed.
func (p *planner) declare(op *ir.Op) step {
	v := op.Result(0)
	if p.classOf(v.Type()) != tileClass {
		p.slot(v)
		return nil // a view begins as one of size zero
	}
	l := p.layoutOf(op, v.Type())
	if l == nil {
		return nil
	}
	number, d := p.newTile(), p.slot(v)
	return func(fr *frame) *Fault {
		t := &fr.tiles[number]
		if t.data == nil {
			t.data = make([]byte, l.bytes())
		}
		t.pitch = l.pitch()
		t.rows, t.cols = l.valid()
		t.declared = op
		fr.t[d] = t
		return nil
	}
}

// valid returns the extents of the valid region that the tile type states. If an extent
// is dynamic, valid returns the full extent of the tile in this dimension.
func (l *layout) valid() (rows, cols int) {
	rows, cols = int(l.info.VRows), int(l.info.VCols)
	if l.info.VRows == ir.Dynamic {
		rows = l.rows
	}
	if l.info.VCols == ir.Dynamic {
		cols = l.cols
	}
	return rows, cols
}
