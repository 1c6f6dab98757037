package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// QueueName tells the queues of a block apart. Those that are known by a
// handle have the number of their first signal.
type QueueName struct {
	ID     int64
	Handle bool
}

// The two ways through a queue, each with a ring of slots.
const (
	ToVector = iota
	ToCube
	QueueWays
)

// QueueShape is what the set-up of a queue says.
type QueueShape struct {
	Ways     int64 // bit 0: to the vector cores, bit 1: to the cube core
	SlotSize int
	Slots    int
	Locals   int  // slots in the consumer's memory of a queue through global memory
	Unsplit  bool // split = 0 means one vector core alone
}

// Slots that a queue has if it does not say.
const (
	defaultSlots     = 8
	defaultBothSlots = 4 // where it goes both ways
)

// QueueShapeOf reads the set-up of a queue.
func QueueShapeOf(init *ir.Op, t ir.Target) QueueShape {
	ways, _ := init.Attr("dir_mask").AsInt()
	size, _ := init.Attr("slot_size").AsInt()
	s := QueueShape{Ways: ways, SlotSize: int(size), Slots: defaultSlots, Unsplit: t == sem.A5}
	if ways == 3 {
		s.Slots = defaultBothSlots
	}
	if n, ok := init.Attr("slot_num").AsInt(); ok {
		s.Slots = int(n)
	}
	s.Locals = s.Slots
	if n, ok := init.Attr("local_slot_num").AsInt(); ok {
		s.Locals = int(n)
	}
	return s
}

// QueueMemory is what gives the slots in global memory of a queue, or nil.
func QueueMemory(init *ir.Op) *ir.Value {
	return firstArg(init, "gm_slot_tensor", "gm_slot_buffer", "gm_addr")
}

// QueueBuffer is what gives the address of the first slot in the memory of
// the core that takes entries out, or nil.
func QueueBuffer(init *ir.Op, way int) *ir.Value {
	if way == ToVector {
		return firstArg(init, "c2v_consumer_buf", "local_addr")
	}
	return firstArg(init, "peer_local_addr", "v2c_consumer_buf", "local_addr")
}

// firstArg returns the first of some arguments that op has.
func firstArg(op *ir.Op, names ...string) *ir.Value {
	for _, n := range names {
		if v := op.Arg(n); v != nil {
			return v
		}
	}
	return nil
}

// QueueWay is the way that an instruction on a queue is about, which is one of
// the producer or not: that of the side which fills the queue or, where the
// handle leaves that open, of the core. A core that stands for all goes the
// first way that the queue has.
func QueueWay(from sem.QueueSide, fills bool, core sem.Unit, first int) int {
	switch {
	case from == sem.VectorSide, from == sem.QueueHandle && core != sem.AnyUnit && (core == sem.VectorUnit) == fills:
		return ToCube
	case from == sem.QueueHandle && core == sem.AnyUnit:
		return first
	}
	return ToVector
}
