package runtime

import (
	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A queue of the dialect is two rings, one for each direction: from the cube
// core to the vector cores, and back. Each vector core has a lane of its own
// in a ring, in which entries are counted; where both cores share a queue, the
// cube core fills or empties both lanes at once.
type ring struct {
	lanes [vectorCores]lane
}

// lane counts what happened to the entries of one vector core.
type lane struct {
	reserved int // slots that the producer has asked for
	pushed   int
	popped   int
	freed    int
}

// ringEnd is the state that one core has for a ring after setting it up.
type ringEnd struct {
	info  *queueInfo // nil before the queue is set up
	way   int
	gm    view         // what gives the slots in global memory
	local uint64       // address of the first slot in the consumer's memory
	at    int          // number of the next entry
	scale fixpipeScale // of what leaves the accumulator
}

// globalSlot returns the address of an entry's slot in global memory.
func (e *ringEnd) globalSlot(entry int) uint64 {
	return e.gm.addr + uint64(e.info.global[e.way].Slot(int64(entry)))
}

// localSlot returns the address of an entry's slot in the consumer's memory.
func (e *ringEnd) localSlot(entry int) uint64 {
	return e.local + uint64(e.info.local.Slot(int64(entry)))
}

// queueInfo holds the parameters of the set-up of a queue.
type queueInfo struct {
	*isasync.Queue
	slots, slotSize int
	// inGlobal means that entries pass through global memory.
	inGlobal bool
	// global and local are the slots there and in the memory of the core that takes
	// entries out, by way.
	global [sem.QueueWays]sem.QueueRing
	local  sem.QueueRing
	// oneCore says that an entry which is not split is for the first vector core
	// alone.
	oneCore   bool
	converted *pushConversion
}

// queuesOf returns the queues of the program around op.
func (p *planner) queuesOf(op *ir.Op) *isasync.Queues {
	if p.found == nil {
		p.found = isasync.FindQueues(op)
	}
	return p.found
}

// queueOf returns the number of the first ring of the queue that op works on.
func (p *planner) queueOf(op *ir.Op) int {
	name, ok := p.queuesOf(op).NameOf(op)
	if !ok {
		p.errorf(op, "gets its queue from a block argument, but the queue must be known before execution")
		return 0
	}
	i, ok := p.queues[name]
	if !ok {
		i = len(p.queues)
		p.queues[name] = i
	}
	return i * sem.QueueWays
}

// queueInit returns the step that sets up one end of a queue.
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

// slotMemory resolves the slots in global memory, if the queue has any.
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

// bufferAddress returns the step that finds the local memory that a function
// reserves.
func (p *planner) bufferAddress(op *ir.Op) step {
	from := isasync.ReservedBuffer(op)
	if from == nil {
		p.errorf(op, analysis.NotReserved)
		return nil
	}
	p.cur.consts = append(p.cur.consts, constant{p.slot(op.Result(0)), p.reservedAt(from)})
	return nil
}

// reservedAt returns the address of a reserved buffer.
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

// queueEntry returns the step of an instruction on an entry.
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

// declare returns the step that makes a name for what a later instruction fills in.
// Until then a tile has storage that nothing may read or write.
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

// valid is the valid region that a type says, or all of the tile.
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
