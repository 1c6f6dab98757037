// This file computes the positions of queue slots.

package sem

import "ptogo/ir"

// QueueRing is a run of equal slots that the entries of one way of a queue use in
// turn. Entries are counted from 0 for each way.
type QueueRing struct {
	Start    int64 // bytes from the address that the set-up gives to the first slot
	Slots    int64
	SlotSize int64 // bytes
}

// Slot returns where an entry is, in bytes from the address that the set-up gives.
func (r QueueRing) Slot(entry int64) int64 { return r.Start + entry%r.Slots*r.SlotSize }

// GlobalRing returns the slots of one way in global memory, from the address that
// Global gives. The slots to the cube core follow those to the vector cores, as
// the public library places them (pto-isa:include/pto/npu/a2a3/TPush.hpp, TPipe).
func (s *QueueSetUp) GlobalRing(way int) QueueRing {
	r := QueueRing{Slots: s.Slots, SlotSize: s.SlotSize}
	if way == ToCube && s.Has(ToVector) {
		r.Start = r.Slots * r.SlotSize
	}
	return r
}

// LocalRing returns the slots of one way in the memory of the core that takes
// entries out, from the address that Arrives gives. The two ways need no offset:
// their entries arrive in different memories, the unified buffer and L1.
func (s *QueueSetUp) LocalRing(t ir.Target) QueueRing {
	r := QueueRing{Slots: s.Slots, SlotSize: s.SlotSize}
	if s.Global(t) != nil {
		r.Slots = s.Locals
	}
	return r
}
