// This file reads the operands of queue instructions.

package sem

import "ptogo/ir"

// These are the default numbers of slots of a queue.
const (
	DefaultSlots     = 8
	DefaultBothSlots = 4 // where it goes both ways
)

// QueueSetUp holds the decoded operands and attributes of the set-up of a queue.
type QueueSetUp struct {
	From QueueSide
	// Ways has bit 0 set for a ring to the vector cores, bit 1 for one to the
	// cube core.
	Ways     int64
	SlotSize int64 // bytes
	Slots    int64 // of each way
	// Locals is how many slots the consumer has in its own memory of a queue
	// through global memory; SaysLocals, whether the text says it.
	Locals     int64
	SaysLocals bool
	// Tensor and Pointer are the operands gm_slot_tensor and gm_slot_buffer, Addr is
	// operand gm_addr of a queue with a handle; nil where the text has none. Global
	// returns the one that a target uses.
	Tensor, Pointer, Addr *ir.Value
	// Arrives holds, for each direction, the address of the first slot in the memory of
	// the consumer core. It is nil if the slots of a direction are in global memory.
	Arrives [QueueWays]*ir.Value
	// Signal is the first of the flags that the queue uses, if SaysSignal.
	Signal     int64
	SaysSignal bool
	// Whole says that no entry is shared by the vector cores, if SaysWhole.
	Whole, SaysWhole bool
	// Epilogue is what happens to accumulators on their way, or the zero value.
	Epilogue ir.Attr
}

// QueueSetUpOf reads the set-up of a queue.
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

// ReadsTiles reports whether an instruction may look into the tiles that it is
// given: what pops an entry into one, or is about its extent, does not.
func ReadsTiles(op *ir.Op) bool {
	switch kind := op.Def().Sem.(type) {
	case QueueEntry:
		return kind.Act != QueuePop
	case SetValid, GetValid:
		return false
	}
	return true
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

// Handle reports whether the queue is known by its result, not by its id.
func (s *QueueSetUp) Handle() bool { return s.From == QueueHandle }

// Has reports whether the queue transports entries in a direction.
func (s *QueueSetUp) Has(way int) bool { return s.Ways>>way&1 != 0 }

// BothWays reports whether the queue transports entries in both directions.
func (s *QueueSetUp) BothWays() bool { return s.Ways == 1<<QueueWays-1 }

// Signals returns how many flags the queue uses: two for each way.
func (s *QueueSetUp) Signals() int64 {
	if s.BothWays() {
		return 4
	}
	return 2
}

// Global returns what gives the address of the slots in global memory on a target,
// or nil where entries go straight into the memory of the core that takes them out.
// A5 has no use for gm_slot_buffer: PTOAS drops the operand there.
func (s *QueueSetUp) Global(t ir.Target) *ir.Value {
	switch {
	case s.Tensor != nil:
		return s.Tensor
	case s.Pointer != nil && t != A5:
		return s.Pointer
	}
	return s.Addr
}

// Local reports whether entries arrive in the memory of the core that takes them
// out, not in global memory alone.
func (s *QueueSetUp) Local() bool { return s.Arrives != [QueueWays]*ir.Value{} }

// Shape is what two set-ups of one queue must have in common.
func (s *QueueSetUp) Shape() [4]int64 { return [4]int64{s.Ways, s.SlotSize, s.Slots, s.Locals} }

// QueueUse is an instruction on the entries of a queue, or one that sets what
// the queue does to them.
type QueueUse struct {
	QueueEntry
	// Handle is the queue, or nil for one that ID names.
	Handle *ir.Value
	ID     ir.Attr
	// Split is how the two vector cores share the entry.
	Split int64
	// SubCore is the number of the vector core whose part it is, or nil: that of
	// the core itself.
	SubCore *ir.Value
	// Entry is the tile or view, as operand or result; nil where there is none.
	Entry *ir.Value
}

// QueueUseOf reads an instruction on a queue.
func QueueUseOf(op *ir.Op) QueueUse {
	u := QueueUse{QueueEntry: QueueEntryOf(op), Handle: op.Arg("pipe_handle"), ID: op.Attr("id"), SubCore: op.Arg("aiv_subblockid")}
	u.Split, _ = op.Attr("split").AsInt()
	u.Entry = firstArg(op, "tile", "entry")
	if u.Act != 0 && op.NumResults() > 0 {
		u.Entry = op.Result(0)
	}
	return u
}
