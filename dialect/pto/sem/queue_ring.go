// This file computes the positions of queue slots.

package sem

import "ptogo/ir"

// QueueRing is a ring of slots of equal size that holds the entries of one direction of a
// queue. Entries are numbered from 0 in each direction.
type QueueRing struct {
	// Start is the offset in bytes of the first slot from the base address of the queue.
	Start int64
	Slots int64
	// SlotSize is the size of a slot in bytes.
	SlotSize int64
}

// Slot returns the offset in bytes of the slot of an entry, from the base address of the
// queue. Entries are numbered from 0, and entry numbers wrap around at the number of
// slots.
func (r QueueRing) Slot(entry int64) int64 { return r.Start + entry%r.Slots*r.SlotSize }

// GlobalRing returns the slots of one direction of the queue in global memory; the
// parameter way is this direction. Their offsets are relative to the address that method
// Global returns. The slots to the cube core follow the slots to the vector cores, as in
// the public library (pto-isa:include/pto/npu/a2a3/TPush.hpp, TPipe).
func (s *QueueSetUp) GlobalRing(way int) QueueRing {
	r := QueueRing{Slots: s.Slots, SlotSize: s.SlotSize}
	if way == ToCube && s.Has(ToVector) {
		r.Start = r.Slots * r.SlotSize
	}
	return r
}

// LocalRing returns the number and the size of the slots that one direction of the queue
// has in the consumer's local memory. The offsets of the slots are relative to the
// address in the field Arrives. Both directions start at offset 0, because their entries
// arrive in different memories, the unified buffer and L1.
func (s *QueueSetUp) LocalRing(t ir.Target) QueueRing {
	r := QueueRing{Slots: s.Slots, SlotSize: s.SlotSize}
	if s.Global(t) != nil {
		r.Slots = s.Locals
	}
	return r
}
