// This file defines the kinds of queue instructions.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/effect"
)

// Kinds of meaning of queues between the cube core and the vector cores of a block.
//
// A queue has slots of slot_size bytes. A producer allocates the next free slot, fills it
// and pushes it. A consumer pops a slot, uses its contents, and frees it. The attribute
// split determines how the two vector cores share a slot. If it is 0, they do not share
// it. If it is 1 or 3, they share the rows, and if it is 2 or 4, the columns. The values
// 3 and 4 are for an odd number of rows or columns.
type (
	// QueueInit creates a queue on one core. Each core that uses the queue executes such
	// an instruction. QueueSetUpOf decodes its operands.
	QueueInit struct{ From QueueSide }
	// QueueEntry allocates, pushes, pops or frees an entry of a queue (Act). From is the
	// core that produces the entries.
	QueueEntry struct {
		Act  QueueAct
		From QueueSide
	}
	// LocalBuffer reserves local memory under a name and returns its address. If Imported
	// is set, it returns the address of memory that another function has reserved.
	LocalBuffer struct{ Imported bool }
)

// QueueSide is the core that produces the entries of a queue: the cube core or the vector
// cores.
type QueueSide uint8

// The producers of queue entries. QueueHandle means that the handle of the queue, not the
// instruction, determines the producer.
const (
	QueueHandle QueueSide = iota
	CubeSide
	VectorSide
)

// String returns the name of the producer for messages, "cube" or "vector".
func (s QueueSide) String() string {
	switch s {
	case CubeSide:
		return "cube"
	case VectorSide:
		return "vector"
	}
	return "any"
}

// Unit returns the core type of the producer of a queue. It returns AnyUnit for
// QueueHandle, because the handle of the queue then determines the producer.
func (s QueueSide) Unit() Unit {
	switch s {
	case CubeSide:
		return CubeUnit
	case VectorSide:
		return VectorUnit
	}
	return AnyUnit
}

// QueueAct is the operation of an instruction on an entry of a queue.
type QueueAct uint8

// The operations on an entry of a queue. The producer core allocates and pushes an entry;
// the consumer core pops and frees it.
const (
	QueueAlloc QueueAct = iota + 1
	QueuePush
	QueuePop
	QueueFree
)

// QueueEntryOf returns the operation that op performs on a queue entry, or the zero value
// if op is not such an instruction.
func QueueEntryOf(op *ir.Op) QueueEntry {
	m, _ := op.Def().Sem.(QueueEntry)
	return m
}

// Fills reports whether the instruction allocates or pushes an entry. The producer of the
// queue executes these instructions, and the consumer executes all others.
func (m QueueEntry) Fills() bool { return m.Act == QueueAlloc || m.Act == QueuePush }

// Gives reports whether the instruction returns an entry that the program may access
// afterwards: it allocates a free one or pops a filled one.
func (m QueueEntry) Gives() bool { return m.Act == QueueAlloc || m.Act == QueuePop }

// Core returns the core type that executes the instruction, or AnyUnit if only the handle
// of the queue determines it.
func (m QueueEntry) Core() Unit {
	switch {
	case m.From == QueueHandle:
		return AnyUnit
	case (m.From == CubeSide) == m.Fills():
		return CubeUnit
	}
	return VectorUnit
}

// The two directions of a queue: to the vector cores, and to the cube core. Each
// direction has its own ring of slots. QueueWays is the number of directions.
const (
	ToVector = iota
	ToCube
	QueueWays
)

// Way returns the direction (ToVector or ToCube) of the queue that an instruction of kind
// m accesses. core is the core type that executes the instruction.
//
// Usually, the instruction itself names the core type that produces the entries of the
// queue (m.From), which determines the direction. Otherwise m.From is QueueHandle, and
// the direction follows from the core type and the operation: a core pushes entries to
// the other core type, and pops entries from it. If core is AnyUnit, one simulated core
// represents both types, and this rule does not determine the direction. Way then returns
// the parameter first, the first direction in which the queue transfers entries.
func (m QueueEntry) Way(core Unit, first int) int {
	switch {
	case m.From == VectorSide, m.From == QueueHandle && core != AnyUnit && (core == VectorUnit) == m.Fills():
		return ToCube
	case m.From == QueueHandle && core == AnyUnit:
		return first
	}
	return ToVector
}

// Doc returns the description of queue creation for reference pages.
func (QueueInit) Doc() string {
	return "Sets up a queue. Attribute dir_mask selects the producers: 1 the cube core, 2 the vector cores, 3 both. " +
		"The queue is found by its id, or by the handle that is the result."
}

// Doc returns the description of the operation on a queue entry, such as a push or a pop.
// Reference pages contain the description.
func (m QueueEntry) Doc() string {
	text := map[QueueAct]string{
		QueueAlloc: "Gives the next free slot as a view of global memory.",
		QueuePush:  "Copies a tile into the next free slot, or uses the allocated slot, and signals the consumer.",
		QueuePop:   "Waits for the next filled slot and returns it.",
		QueueFree:  "Gives the slot back to the producer.",
	}[m.Act]
	if m.From != QueueHandle {
		text += " The " + m.From.String() + " core fills the queue."
	}
	return text
}

// Doc returns the description of an instruction that reserves or imports local memory.
// Reference pages contain the description.
func (m LocalBuffer) Doc() string {
	if m.Imported {
		return "Gives the address that another function has reserved."
	}
	return "Reserves local memory under a name and returns its address."
}

// Effects returns the effects of reserving or importing local memory. A reservation has
// WritesState. The reason is that another function may import the memory by name, so the
// reservation must not be removed.
func (m LocalBuffer) Effects() effect.Set {
	if m.Imported {
		return 0
	}
	return effect.Reserves | effect.WritesState
}

// Effects returns WritesState, because creating a queue changes state that the cores of a
// block share. The instruction does not wait.
func (QueueInit) Effects() effect.Set { return effect.WritesState }

// The effects of instructions on queue entries. These instructions synchronize the cores
// of a block. fillsQueue is the set for instructions that never wait, and waitsQueue the
// set for those that may wait for another core.
const (
	fillsQueue = effect.MayFault | effect.WritesState | effect.Signals | effect.TellsCores
	waitsQueue = fillsQueue | effect.Waits
)

// Effects returns the effects of an instruction on a queue entry. Every such instruction,
// except freeing an entry, may wait for another core.
func (m QueueEntry) Effects() effect.Set {
	if m.Act == QueueFree {
		return fillsQueue
	}
	return waitsQueue
}

// EffectsOf returns the effects of op. The effect TellsCores (results that differ between
// cores) is included only if attribute split is not 0, because each vector core then
// accesses its own half of the entry.
func (m QueueEntry) EffectsOf(op *ir.Op) effect.Set {
	if split, _ := op.Attr("split").AsInt(); split == 0 {
		return m.Effects() &^ effect.TellsCores
	}
	return m.Effects()
}
