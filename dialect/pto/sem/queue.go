// This file defines the kinds of queue instructions.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/effect"
)

// The kinds of meaning of the queues between the cube core and the vector cores of a
// block. A queue has slots of slot_size bytes. A producer allocates the next free slot,
// fills it and pushes it. A consumer pops it, uses it, and frees it. Attribute split
// determines how the two vector cores share a slot: 0 not at all, 1 by rows, 2 by
// columns, 3 and 4 by an odd number of rows or columns.
type (
	// QueueInit sets up one end of a queue, which QueueSetUpOf reads.
	QueueInit struct{ From QueueSide }
	// QueueEntry works on the entries of a queue.
	QueueEntry struct {
		Act  QueueAct
		From QueueSide
	}
	// LocalBuffer returns the address of named local memory, which this function
	// reserves, or another one if Imported is set.
	LocalBuffer struct{ Imported bool }
)

// QueueSide is the core that fills a queue.
type QueueSide uint8

// The sides. With QueueHandle, the handle of the queue determines the side.
const (
	QueueHandle QueueSide = iota
	CubeSide
	VectorSide
)

// String returns the name of the core.
func (s QueueSide) String() string {
	switch s {
	case CubeSide:
		return "cube"
	case VectorSide:
		return "vector"
	}
	return "any"
}

// Unit returns the core, or AnyUnit.
func (s QueueSide) Unit() Unit {
	switch s {
	case CubeSide:
		return CubeUnit
	case VectorSide:
		return VectorUnit
	}
	return AnyUnit
}

// QueueAct is the operation of an instruction on a queue entry.
type QueueAct uint8

// The operations. The producer allocates and pushes; the consumer pops and frees.
const (
	QueueAlloc QueueAct = iota + 1
	QueuePush
	QueuePop
	QueueFree
)

// QueueEntryOf returns what an instruction does with a queue entry. It returns the zero
// value for other instructions.
func QueueEntryOf(op *ir.Op) QueueEntry {
	m, _ := op.Def().Sem.(QueueEntry)
	return m
}

// Fills reports whether the producer executes the instruction.
func (m QueueEntry) Fills() bool { return m.Act == QueueAlloc || m.Act == QueuePush }

// Gives reports whether the instruction makes the entry available: it allocates or pops.
func (m QueueEntry) Gives() bool { return m.Act == QueueAlloc || m.Act == QueuePop }

// Core returns the core that executes the instruction, or AnyUnit if only the handle of
// the queue determines it.
func (m QueueEntry) Core() Unit {
	switch {
	case m.From == QueueHandle:
		return AnyUnit
	case (m.From == CubeSide) == m.Fills():
		return CubeUnit
	}
	return VectorUnit
}

// The two directions of a queue. Each has its own ring of slots.
const (
	ToVector = iota
	ToCube
	QueueWays
)

// Way returns the direction of the instruction if a core executes it: that of the
// producer's side, or, if the handle leaves it open, that of the core. On a core that
// represents both kinds, it is first, the first direction of the queue.
func (m QueueEntry) Way(core Unit, first int) int {
	switch {
	case m.From == VectorSide, m.From == QueueHandle && core != AnyUnit && (core == VectorUnit) == m.Fills():
		return ToCube
	case m.From == QueueHandle && core == AnyUnit:
		return first
	}
	return ToVector
}

// Doc describes the set-up of a queue.
func (QueueInit) Doc() string {
	return "Sets up a queue. Attribute dir_mask selects the producers: 1 the cube core, 2 the vector cores, 3 both. " +
		"The queue is found by its id, or by the handle that is the result."
}

// Doc describes what happens to the entry.
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

// Doc names the owner of the memory.
func (m LocalBuffer) Doc() string {
	if m.Imported {
		return "Gives the address that another function has reserved."
	}
	return "Reserves local memory under a name and returns its address."
}

// Effects records that another function may import the reserved memory by its name, so
// the reservation must not be removed.
func (m LocalBuffer) Effects() effect.Set {
	if m.Imported {
		return 0
	}
	return effect.Reserves | effect.WritesState
}

// Effects of a set-up: it does not wait, but it changes state that the cores of a block
// share.
func (QueueInit) Effects() effect.Set { return effect.WritesState }

// The effects of instructions on entries, which connect the cores of a block.
const (
	fillsQueue = effect.MayFault | effect.WritesState | effect.Signals | effect.TellsCores
	waitsQueue = fillsQueue | effect.Waits
)

// Effects returns the effects of a queue instruction. Only freeing an entry never waits
// for another core.
func (m QueueEntry) Effects() effect.Set {
	if m.Act == QueueFree {
		return fillsQueue
	}
	return waitsQueue
}

// EffectsOf records that each vector core has its own part of a split entry, so the
// result depends on the core.
func (m QueueEntry) EffectsOf(op *ir.Op) effect.Set {
	if split, _ := op.Attr("split").AsInt(); split == 0 {
		return m.Effects() &^ effect.TellsCores
	}
	return m.Effects()
}
