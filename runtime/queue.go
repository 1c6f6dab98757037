package runtime

import (
	"ptogo/dialect/pto"
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

// directions of the rings of a queue.
const (
	toVector = iota
	toCube
	numDirections
)

// ringEnd is what a core knows of a ring: what it has set up.
type ringEnd struct {
	info  *queueInfo // nil before the queue is set up
	gm    view       // of the first slot in global memory
	local uint64     // address of the first slot in the consumer's memory
	at    int        // number of the next entry
	scale drainScale // of what leaves the accumulator
}

// queueInfo is what the set-up of a queue says.
type queueInfo struct {
	op        *ir.Op
	dirs      int64 // bit 0: to the vector cores, bit 1: to the cube core
	slotSize  int
	slots     int
	locals    int  // slots in the consumer's memory of a queue through global memory
	hasGM     bool // entries pass through global memory
	unsplit   bool // split = 0 means one vector core alone
	converted *pushConversion
}

// queueName tells the queues of a block apart. Those that are known by a
// handle have the number of their first signal.
type queueName struct {
	id     int64
	handle bool
}

// ringNumber returns the number of the first ring of a queue.
func (p *planner) ringNumber(n queueName) int {
	i, ok := p.queues[n]
	if !ok {
		i = len(p.queues)
		p.queues[n] = i
	}
	return i * numDirections
}

// queueOf returns the number of the first ring of the queue that op works on.
func (p *planner) queueOf(op *ir.Op) int {
	v := op.Arg("pipe_handle")
	if v == nil && op.NumResults() == 1 && classOf(op.Result(0).Type()) == noClass {
		v = op.Result(0) // the set-up that makes the handle
	}
	if v == nil {
		id, _ := op.Attr("id").AsInt()
		return p.ringNumber(queueName{id: id})
	}
	if v.Op() == nil {
		p.errorf(op, "gets its queue from a block argument, but the queue must be known before execution")
		return 0
	}
	return p.ringNumber(queueName{id: handleNumber(v.Op()), handle: true})
}

// handleNumber tells the queues of a function that are known by a handle
// apart: by their first signal, or else by their order.
func handleNumber(init *ir.Op) int64 {
	if base, ok := init.Attr("flag_base").AsInt(); ok {
		return base
	}
	n := int64(numSignals)
	for o := range pto.FunctionOf(init).Walk() {
		if _, ok := o.Def().Sem.(pto.QueueInit); ok && o.NumResults() == 1 {
			if o == init {
				break
			}
			n++
		}
	}
	return n
}

// queueStep plans instructions on queues.
func (p *planner) queueStep(op *ir.Op, sem any) (step, bool) {
	switch sem := sem.(type) {
	case pto.QueueInit:
		return p.queueInit(op), true
	case pto.QueueAlloc:
		return p.queueAlloc(op, sem.From), true
	case pto.QueuePush:
		return p.queuePush(op, sem.From), true
	case pto.QueuePop:
		return p.queuePop(op, sem.From), true
	case pto.QueueFree:
		return p.queueFree(op, sem.From), true
	case pto.ReserveBuffer, pto.ImportBuffer:
		return p.bufferAddress(op, sem), true
	case pto.ConfigSet:
		if sem.What == "quant_scalar" || sem.What == "quant_vector" {
			return p.queueScale(op), true
		}
	case pto.Declare:
		return p.declare(op), true
	}
	return nil, false
}

// Slots that a queue has if it does not say.
const (
	defaultSlots     = 8
	defaultBothSlots = 4 // where it goes both ways
)

// queueInit plans setting up one end of a queue.
func (p *planner) queueInit(op *ir.Op) step {
	info := p.queueInfo(op)
	first := p.queueOf(op)
	gm := p.slotMemory(op, info)
	locals := [numDirections]func(fr *frame) uint64{
		p.number(op, firstArg(op, "c2v_consumer_buf", "local_addr")), p.number(op, firstArg(op, "v2c_consumer_buf", "local_addr")),
	}
	if op.Arg("peer_local_addr") != nil {
		locals[toCube] = p.number(op, "peer_local_addr")
	}
	return func(fr *frame) *Fault {
		for dir := range numDirections {
			end := &fr.core.ends[first+dir]
			if info.dirs>>dir&1 == 0 {
				continue
			}
			*end = ringEnd{info: info, local: locals[dir](fr)}
			if gm != nil {
				end.gm = gm(fr)
			}
		}
		return nil
	}
}

// firstArg returns the first of some arguments that op has.
func firstArg(op *ir.Op, names ...string) string {
	for _, n := range names {
		if op.Arg(n) != nil {
			return n
		}
	}
	return names[0]
}

func (p *planner) queueInfo(op *ir.Op) *queueInfo {
	dirs, _ := op.Attr("dir_mask").AsInt()
	size, _ := op.Attr("slot_size").AsInt()
	info := &queueInfo{op: op, dirs: dirs, slotSize: int(size), slots: defaultSlots, unsplit: p.target == pto.A5}
	if dirs == 3 {
		info.slots = defaultBothSlots
	}
	if n, ok := op.Attr("slot_num").AsInt(); ok {
		info.slots = int(n)
	}
	info.locals = info.slots
	if n, ok := op.Attr("local_slot_num").AsInt(); ok {
		info.locals = int(n)
	}
	info.converted = p.pushConversion(op)
	return info
}

// slotMemory plans finding the slots in global memory, if the queue has any.
func (p *planner) slotMemory(op *ir.Op, info *queueInfo) func(fr *frame) view {
	v := op.Arg(firstArg(op, "gm_slot_tensor", "gm_slot_buffer", "gm_addr"))
	if v == nil {
		return nil
	}
	info.hasGM = true
	at := p.slot(v)
	if classOf(v.Type()) == viewClass {
		return func(fr *frame) view { return fr.w[at] }
	}
	return func(fr *frame) view { return view{addr: fr.x[at]} }
}

// bufferAddress plans the address of local memory that a function reserves.
func (p *planner) bufferAddress(op *ir.Op, sem any) step {
	from := op
	if _, imports := sem.(pto.ImportBuffer); imports {
		if from = pto.ReservedBuffer(op); from == nil {
			p.errorf(op, "imports a buffer that nobody reserves")
			return nil
		}
	}
	p.cur.consts = append(p.cur.consts, constant{p.slot(op.Result(0)), p.reservedAt(from)})
	return nil
}

// reservedAt returns where a reserved buffer lies.
func (p *planner) reservedAt(op *ir.Op) uint64 {
	if base, ok := op.Attr("base").AsInt(); ok {
		return uint64(base)
	}
	if at, ok := p.reserved[op]; ok {
		return at
	}
	size, _ := op.Attr("size").AsInt()
	at := p.store.take(op, pto.SpaceOfAttr(op.Attr("location")), int(size))
	p.reserved[op] = at
	return at
}

// declare plans a name for what a later instruction fills in. Until then a
// tile has storage that nothing may read or write.
func (p *planner) declare(op *ir.Op) step {
	v := op.Result(0)
	if classOf(v.Type()) != tileClass {
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
