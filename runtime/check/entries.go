// This file checks the entries of queues.

package check

import (
	"maps"
	"slices"

	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/ir"
	"ptogo/runtime"
)

// entry is one entry of a queue between cores, with the numbers of the cores that have
// released it. Both vector cores release an entry that they share.
type entry struct {
	// freers are the numbers of the cores that released the entry.
	freers []int
	// freedBy is the site (number of the operation) of the last release.
	freedBy int32
	// keys are the positions of the entry in queues with the given number of slots.
	keys  []entryKey
	slots int
}

// freed reports whether the core with the given number has released the queue entry.
func (en *entry) freed(core int) bool { return slices.Contains(en.freers, core) }

// entryKey identifies a queue entry: the ring (direction of a queue), the lane of a
// vector core, and the number of the entry in that lane.
type entryKey struct {
	ring, lane, number int
}

// entries records the recent entries of all queues between cores, and the write that
// filled each entry.
type entries struct {
	// of contains the entries by the write that filled them, and numbers the same entries
	// by position.
	of      map[order.Epoch]*entry
	numbers map[entryKey]*entry
	// held contains the entries that were popped and not released yet, by position, with the
	// site of the pop.
	held map[entryKey]int32
	// filled is the last write to a queue slot, by the number of the core that will push
	// the entry.
	filled map[int32]order.Epoch
}

// mostEntries is the number of queue entries that the checker records for each vector
// core. Queues have fewer slots, so older entries have been overwritten.
const mostEntries = 64

// follow updates the records for event e, which pushes, pops or frees queue entries at
// site s.
func (es *entries) follow(e *runtime.Event, s *site) {
	for i := range e.Links {
		l := &e.Links[i]
		k := entryKey{l.Channel.ID, l.Channel.Core, l.Number}
		switch e.Kind {
		case runtime.QueuePush:
			ep, ok := es.filled[int32(e.Core.Number)]
			if !ok {
				continue
			}
			if es.of == nil {
				es.of, es.numbers = map[order.Epoch]*entry{}, map[entryKey]*entry{}
			}
			if es.of[ep] == nil {
				es.of[ep] = &entry{}
			}
			en := es.of[ep]
			en.keys, en.slots = append(en.keys, k), l.Of
			es.numbers[k] = en
			delete(es.numbers, entryKey{k.ring, k.lane, k.number - mostEntries})
			delete(es.of, order.Epoch{Core: ep.Core, Line: ep.Line, N: ep.N - 4*mostEntries})
		case runtime.QueuePop:
			if es.held == nil {
				es.held = map[entryKey]int32{}
			}
			es.held[k] = s.id
		case runtime.QueueFree:
			delete(es.held, k)
			if en := es.numbers[k]; en != nil {
				en.freers, en.freedBy = append(en.freers, e.Core.Number), s.id
			}
		}
	}
}

// slotHeld reports whether a read of the slot of the freed entry en may be a correct read
// of a later entry. This is the case if the slot contains a later entry that a consumer
// has popped and not yet released. The consumer may read all bytes of the slot, including
// bytes that the later push has not written because its tile has fewer valid rows. The
// checker does not report such a read as an access to en.
func (es *entries) slotHeld(en *entry) bool {
	for _, k := range en.keys {
		for n := k.number + en.slots; en.slots > 0 && n <= k.number+mostEntries*en.slots; n += en.slots {
			if _, held := es.held[entryKey{k.ring, k.lane, n}]; held {
				return true
			}
		}
	}
	return false
}

// fill records ep as the last write of its core to the slots of queues. Here ep
// identifies the instruction that writes, and its core. When this core pushes an entry
// later, the checker assumes that this write has stored the contents of the entry.
func (es *entries) fill(ep order.Epoch) {
	if es.filled == nil {
		es.filled = map[int32]order.Epoch{}
	}
	es.filled[ep.Core] = ep
}

// keptEntries reports the pops whose entries no core has released when the kernel ends.
// The queue of the device library waits on the producing core, at the end of the kernel,
// for the release of all entries (the destructor of TPipe).
func (c *Checker) keptEntries() {
	counts := map[int32]int{}
	for _, pop := range c.main.entries.held {
		counts[pop]++
	}
	for _, pop := range slices.Sorted(maps.Keys(counts)) {
		n := counts[pop]
		if r := c.finding(findingKey{Sync, "kept", pop, 0}, ir.Error, 0, "%s popped here and not released when the kernel ends", entriesAre(n)); r != nil {
			r.note(ir.Loc{}, "the producing core waits for the release at the end of the kernel: insert '%s' after the last use of the entry", isasync.FreeOf(c.sites.all[pop].op).Name)
		}
	}
}
