// This file checks the entries of queues.

package check

import (
	"slices"

	"ptogo/dialect/pto/order"
	"ptogo/runtime"
)

// entry is an entry of a queue.
type entry struct {
	freers  []int // the cores that gave it back
	freedBy int32 // the operation that did so last
}

func (en *entry) freed(core int) bool { return slices.Contains(en.freers, core) }

// entryKey is an entry of the lane of a vector core.
type entryKey struct {
	ring, lane, number int
}

// entries records the entries of all queues, and the write that filled each.
type entries struct {
	of      map[order.Epoch]*entry
	numbers map[entryKey]*entry
	filled  map[int32]order.Epoch // by the number of the core that pushes
}

// mostEntries is how many entries of a lane are remembered; queues have fewer
// slots.
const mostEntries = 64

// follow keeps track of pushes and frees.
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
			es.numbers[k] = es.of[ep]
			delete(es.numbers, entryKey{k.ring, k.lane, k.number - mostEntries})
			delete(es.of, order.Epoch{Core: ep.Core, Line: ep.Line, N: ep.N - 4*mostEntries})
		case runtime.QueueFree:
			if en := es.numbers[k]; en != nil {
				en.freers, en.freedBy = append(en.freers, e.Core.Number), s.id
			}
		}
	}
}

// fill notes that a push has written its entry.
func (es *entries) fill(ep order.Epoch) {
	if es.filled == nil {
		es.filled = map[int32]order.Epoch{}
	}
	es.filled[ep.Core] = ep
}

// writer returns the last write of the first byte of an access, or nil.
func (m *machine) writer(a *runtime.Access) *stamp {
	s, at := m.memory(a), firstByte(a)
	p := s.page(at >> pageBits)
	if i := p.first(uint16(at & (pageBytes - 1))); i < len(p.cells) && int64(p.cells[i].lo) <= at&(pageBytes-1) && p.cells[i].write.site != 0 {
		return &p.cells[i].write
	}
	return nil
}
