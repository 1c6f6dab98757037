// This file reads the operands of queue instructions.

package sem

import "ptogo/ir"

// The default number of slots of a queue: DefaultSlots for a queue with one direction,
// DefaultBothSlots per direction for a queue with both.
const (
	DefaultSlots     = 8
	DefaultBothSlots = 4 // where it goes both ways
)

// QueueSetUp holds the decoded operands and attributes of an instruction that creates a
// queue between the cube core and the vector cores.
type QueueSetUp struct {
	From QueueSide
	// Ways is the set of directions: bit 0 for a ring of slots to the vector cores, bit 1
	// for a ring to the cube core.
	Ways int64
	// SlotSize is the size of a slot in bytes.
	SlotSize int64
	// Slots is the number of slots of each direction.
	Slots int64
	// Locals is the number of slots in the consumer's local memory, for a queue whose
	// slots are in global memory. SaysLocals reports whether the program sets this number
	// explicitly.
	Locals     int64
	SaysLocals bool
	// Tensor and Pointer are the operands gm_slot_tensor and gm_slot_buffer, and Addr is
	// the operand gm_addr of a queue with a handle. They are addresses in global memory,
	// or nil if absent. Method Global returns the one that a target uses.
	Tensor, Pointer, Addr *ir.Value
	// Arrives holds, for each direction, the address of the first slot in the memory of
	// the consumer core. It is nil if the slots of a direction are in global memory.
	Arrives [QueueWays]*ir.Value
	// Signal is the first of the consecutive flag numbers that the queue uses. SaysSignal
	// reports whether the program sets this number explicitly.
	Signal     int64
	SaysSignal bool
	// Whole reports whether each entry of the queue belongs to one vector core, so that
	// the two vector cores never share an entry. SaysWhole reports whether the program
	// sets this explicitly.
	Whole, SaysWhole bool
	// Epilogue describes how accumulator elements are converted when they enter the
	// queue. It is the zero value if they are not converted.
	Epilogue ir.Attr
}

// QueueSetUpOf decodes the operands and attributes of init, an instruction that creates a
// queue, and adds the defaults.
func QueueSetUpOf(init *ir.Op) QueueSetUp {
	s := QueueSetUp{
		Tensor: init.Arg("gm_slot_tensor"), Pointer: init.Arg("gm_slot_buffer"), Addr: init.Arg("gm_addr"),
		Epilogue: init.Attr("acc_push_epilogue"),
	}
	if kind, ok := init.Def().Sem.(QueueInit); ok {
		s.From = kind.From
	}
	s.Ways, _ = init.Attr("dir_mask").AsInt()
	s.SlotSize, _ = init.Attr("slot_size").AsInt()
	s.Signal, s.SaysSignal = init.Attr("flag_base").AsInt()
	s.Whole, s.SaysWhole = init.Attr("nosplit").AsBool()
	if n, ok := init.Attr("slot_num").AsInt(); ok {
		s.Slots = n
	} else if s.Slots = DefaultSlots; s.BothWays() {
		s.Slots = DefaultBothSlots
	}
	if s.Locals, s.SaysLocals = init.Attr("local_slot_num").AsInt(); !s.SaysLocals {
		s.Locals = s.Slots
	}
	s.Arrives = [...]*ir.Value{ToVector: init.Arg("c2v_consumer_buf"), ToCube: init.Arg("v2c_consumer_buf")}
	if local := init.Arg("local_addr"); local != nil {
		s.Arrives[ToVector], s.Arrives[ToCube] = local, init.Arg("peer_local_addr")
		if s.Ways == 1<<ToCube {
			s.Arrives[ToVector], s.Arrives[ToCube] = nil, local
		}
	}
	return s
}

// ReadsTiles reports whether op may read the contents of its tile operands. It returns
// false for instructions that fill a tile from a queue, and for those that only read or
// set the numbers of valid rows and columns of a tile.
func ReadsTiles(op *ir.Op) bool {
	switch kind := op.Def().Sem.(type) {
	case QueueEntry:
		return kind.Act != QueuePop
	case SetValid, GetValid:
		return false
	}
	return true
}

// firstArg returns the first operand of op among the given names that op has, or nil.
func firstArg(op *ir.Op, names ...string) *ir.Value {
	for _, n := range names {
		if v := op.Arg(n); v != nil {
			return v
		}
	}
	return nil
}

// Handle reports whether other instructions refer to the queue by a handle, the result of
// its creation, instead of by a number.
func (s *QueueSetUp) Handle() bool { return s.From == QueueHandle }

// Has reports whether the queue transports entries in the direction given by the
// parameter way, ToVector or ToCube.
func (s *QueueSetUp) Has(way int) bool { return s.Ways>>way&1 != 0 }

// BothWays reports whether the queue transports entries in both directions.
func (s *QueueSetUp) BothWays() bool { return s.Ways == 1<<QueueWays-1 }

// Signals returns the number of flags that the queue uses: two for each direction, one
// that reports filled slots and one that reports free slots.
func (s *QueueSetUp) Signals() int64 {
	if s.BothWays() {
		return 4
	}
	return 2
}

// Global returns the operand that holds the address of the slots in global memory on
// target t. It returns nil if the producer copies entries directly to the memory of the
// consumer. A5 does not use operand gm_slot_buffer, because PTOAS drops the operand on
// that target.
func (s *QueueSetUp) Global(t ir.Target) *ir.Value {
	switch {
	case s.Tensor != nil:
		return s.Tensor
	case s.Pointer != nil && t != A5:
		return s.Pointer
	}
	return s.Addr
}

// Local reports whether entries arrive in the consumer's local memory. Otherwise, they
// stay in global memory.
func (s *QueueSetUp) Local() bool { return s.Arrives != [QueueWays]*ir.Value{} }

// Shape returns four numbers: the number of directions of the queue, the size of a slot
// in bytes, the number of slots, and the number of slots in local memory. All
// instructions that create the same queue must agree in these numbers.
func (s *QueueSetUp) Shape() [4]int64 { return [4]int64{s.Ways, s.SlotSize, s.Slots, s.Locals} }

// QueueUse holds the operands of an instruction that accesses an entry of a queue or
// configures a queue.
type QueueUse struct {
	QueueEntry
	// Handle is the queue, or nil if ID identifies it.
	Handle *ir.Value
	ID     ir.Attr
	// Split is how the two vector cores share the entry: 0 not at all, 1 by rows, 2 by
	// columns.
	Split int64
	// SubCore is the number of the vector core whose half of the entry is accessed. It is
	// nil for the half of the executing core.
	SubCore *ir.Value
	// Entry is the tile or view that holds the entry, an operand or a result. It is nil
	// if the instruction has neither.
	Entry *ir.Value
}

// QueueUseOf decodes the operands of op, which accesses an entry of a queue or configures
// a queue.
func QueueUseOf(op *ir.Op) QueueUse {
	u := QueueUse{QueueEntry: QueueEntryOf(op), Handle: op.Arg("pipe_handle"), ID: op.Attr("id"), SubCore: op.Arg("aiv_subblockid")}
	u.Split, _ = op.Attr("split").AsInt()
	u.Entry = firstArg(op, "tile", "entry")
	if u.Act != 0 && op.NumResults() > 0 {
		u.Entry = op.Result(0)
	}
	return u
}
