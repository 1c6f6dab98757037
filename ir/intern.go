package ir

import (
	"runtime"
	"sync"
	"weak"
)

// Types and attributes are interned: what is equal is made once, so that they
// compare by address. What nobody uses any more goes with later collections,
// as in the package unique. But that one spends a weak pointer and a cleanup on
// each value, and a text in which little repeats itself makes hundreds of
// thousands. Here a block of values shares one weak pointer, which is made only
// when a collection has passed without anybody asking for the block.

// interned is a value that was made once. D is an interface.
type interned[D any] struct{ data D }

// Sizes of the tables.
const (
	shardBits   = 5 // 32 parts with a lock each
	internBlock = 32
)

// internTable holds the values of one interface.
type internTable[D comparable] struct {
	shards [1 << shardBits]internShard[D]
	watch  sync.Once
}

type internShard[D comparable] struct {
	mu     sync.Mutex
	slots  []internSlot[D] // a power of two; a value is in the first free slot from its hash on
	used   int
	blocks []*internValues[D]
	open   *internValues[D] // has
	free   int              // places left
}

// internSlot reports where a value is; without values the slot is free.
type internSlot[D any] struct {
	hash, at uint32
	in       *internValues[D]
}

// internValues is a block of values that goes when nobody refers to one of
// them.
type internValues[D any] struct {
	kept *[internBlock]interned[D] // nil: only weak knows it
	weak weak.Pointer[[internBlock]interned[D]]
	met  bool // since the collection before
}

// intern returns what is equal to d. T is its own type, as a rule, or an interface.
func intern[D, T comparable](t *internTable[D], d T) *interned[D] {
	return internHashed(t, d, hashData(d))
}

// internHashed is intern for a value whose hash is known.
func internHashed[D, T comparable](t *internTable[D], d T, hash uint64) *interned[D] {
	s := &t.shards[hash>>(64-shardBits)]
	s.mu.Lock()
	defer s.mu.Unlock()
	if 4*s.used >= 3*len(s.slots) {
		s.rehash()
	}
	mask := uint32(len(s.slots) - 1)
	for i := uint32(hash) & mask; ; i = (i + 1) & mask {
		slot := &s.slots[i]
		if slot.in == nil {
			t.watch.Do(t.watchCollections)
			v := s.place(slot, uint32(hash))
			v.data = any(ownStrings(d)).(D)
			return v
		}
		if slot.hash == uint32(hash) {
			if v := slot.value(); v != nil {
				if known, ok := any(v.data).(T); ok && known == d {
					slot.in.met = true
					return v
				}
			}
		}
	}
}

// value returns the value of the slot, or nil if it is gone.
func (s *internSlot[D]) value() *interned[D] {
	if s.in.kept == nil {
		// Whoever finds one value of an old block may want others.
		s.in.kept = s.in.weak.Value()
		if s.in.kept == nil {
			return nil
		}
	}
	return &s.in.kept[s.at]
}

// place gives a free slot a new value.
func (s *internShard[D]) place(slot *internSlot[D], hash uint32) *interned[D] {
	if s.free == 0 || s.open.kept == nil {
		s.open, s.free = &internValues[D]{kept: new([internBlock]interned[D])}, internBlock
		s.blocks = append(s.blocks, s.open)
	}
	s.open.met = true
	*slot = internSlot[D]{hash, uint32(internBlock - s.free), s.open}
	s.free--
	s.used++
	return &s.open.kept[slot.at]
}

// rehash makes place for more values, without those that are gone.
func (s *internShard[D]) rehash() {
	old := s.slots
	alive := 0
	for i := range old {
		if old[i].in != nil && !old[i].in.gone() {
			alive++
		}
	}
	size := 16
	for size < 2*alive {
		size *= 2
	}
	s.slots, s.used = make([]internSlot[D], size), alive
	mask := uint32(size - 1)
	for i := range old {
		if old[i].in == nil || old[i].in.gone() {
			continue
		}
		k := old[i].hash & mask
		for s.slots[k].in != nil {
			k = (k + 1) & mask
		}
		s.slots[k] = old[i]
	}
}

// gone reports whether the values do not exist any more. Those that are gone
// once stay so.
func (v *internValues[D]) gone() bool { return v.kept == nil && v.weak.Value() == nil }

// watchCollections ages the blocks at each collection.
func (t *internTable[D]) watchCollections() {
	runtime.AddCleanup(&sentinel{}, func(int) {
		t.age()
		t.watchCollections()
	}, 0)
}

// sentinel is garbage from the beginning.
type sentinel struct{ _ [16]byte }

// age lets go of the blocks that nobody has asked for since the last call.
func (t *internTable[D]) age() {
	for i := range t.shards {
		t.shards[i].age()
	}
}

func (s *internShard[D]) age() {
	s.mu.Lock()
	defer s.mu.Unlock()
	blocks := s.blocks[:0]
	for _, b := range s.blocks {
		switch {
		case b.met:
			b.met = false
		case b.kept != nil:
			if b.weak == (weak.Pointer[[internBlock]interned[D]]{}) {
				b.weak = weak.Make(b.kept)
			}
			b.kept = nil
		case b.gone():
			continue
		}
		blocks = append(blocks, b)
	}
	gone := len(s.blocks) - len(blocks)
	clear(s.blocks[len(blocks):])
	s.blocks = blocks
	if gone > 0 {
		s.rehash()
	}
}
