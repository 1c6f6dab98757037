// This file implements the hash tables that intern types, attributes and lists.

package ir

import (
	"runtime"
	"sync"
	"weak"
)

// Types and attributes are interned: equal contents exist once, so they compare by
// address. Contents that the program no longer uses are freed by later garbage
// collections, as in the package unique. That package needs a weak pointer and a
// cleanup per value, which is too much for a text with hundreds of thousands of
// different values. Here a block of 32 values shares one weak pointer, and the
// block gets it only if no lookup found it between two collections.

// interned holds a value that is stored once per process. Two interned values with equal
// data have the same address, so comparing pointers compares contents. The type parameter
// D is the interface of the stored data, for example TypeData or AttrData.
type interned[D any] struct{ data D }

// The number of shards of an intern table, and the number of values in a memory block.
const (
	shardBits   = 5 // 2^5 shards, each with a lock of its own
	internBlock = 32
)

// internTable holds all interned values of one interface type D.
type internTable[D comparable] struct {
	shards [1 << shardBits]internShard[D]
	watch  sync.Once
}

// internShard is one of the independently locked parts of an internTable. It consists of
// an open-addressing hash table and the memory blocks that hold the values.
type internShard[D comparable] struct {
	// mu guards the shard.
	mu sync.Mutex
	// slots is the hash table. Its length is a power of two; a value is in the first free
	// slot at or after its hash.
	slots []internSlot[D]
	// used is the number of slots that have been filled since the last rehash.
	used int
	// blocks are all memory blocks that hold values of the shard.
	blocks []*internValues[D]
	// open is the memory block in which the next new values are stored.
	open *internValues[D]
	// free is the number of unused entries of open.
	free int
}

// internSlot is an entry of the hash table. The field in is the memory block that
// contains the value, and at is the index of the value in this block. The slot is free if
// in is nil.
type internSlot[D any] struct {
	hash, at uint32
	in       *internValues[D]
}

// internValues is a memory block with a fixed number of interned values. The garbage
// collector frees the block when no value in it is referenced any more.
type internValues[D any] struct {
	// kept is a strong reference to the values, or nil if the table refers to the block
	// only by weak.
	kept *[internBlock]interned[D]
	// weak refers to the values without keeping them alive. The values exist as long as
	// programs reference one of them.
	weak weak.Pointer[[internBlock]interned[D]]
	// met reports whether a lookup has found a value of the block since the last garbage
	// collection.
	met bool
}

// intern returns the interned value that has the given hash and for which the function
// same returns true. If the table does not contain it, intern adds the value that the
// function own returns.
//
// The callers internType, internAttr and internNode are not generic and not inlined.
// Otherwise the Go compiler would translate the table again in each package that makes a
// type or an attribute. The callers know the concrete type of the value, so the function
// same can compare it without converting it to an interface. Therefore a lookup of a
// value that the table already contains needs no allocation; only the function own
// allocates.
func intern[D comparable](t *internTable[D], hash uint64, same func(D) bool, own func() D) *interned[D] {
	s := &t.shards[hash>>(64-shardBits)]
	s.mu.Lock()
	defer s.mu.Unlock()
	// Above a load of three quarters the probe sequences get long.
	if 4*s.used >= 3*len(s.slots) {
		s.rehash()
	}
	mask := uint32(len(s.slots) - 1)
	for i := uint32(hash) & mask; ; i = (i + 1) & mask {
		slot := &s.slots[i]
		if slot.in == nil {
			t.watch.Do(t.watchCollections)
			v := s.place(slot, uint32(hash))
			v.data = own()
			return v
		}
		if slot.hash == uint32(hash) {
			if v := slot.value(); v != nil && same(v.data) {
				slot.in.met = true
				return v
			}
		}
	}
}

// value returns the interned value to which the slot of the hash table refers. The slot
// does not keep the memory block of the value alive. The result is nil if the garbage
// collector has freed this block.
func (s *internSlot[D]) value() *interned[D] {
	if s.in.kept == nil {
		// The block becomes strongly referenced again: a program that uses one
		// value of an old block often uses its neighbours, too.
		s.in.kept = s.in.weak.Value()
		if s.in.kept == nil {
			return nil
		}
	}
	return &s.in.kept[s.at]
}

// place reserves storage for a new value in the current memory block and returns it. It
// also sets the hash table slot, so that later look-ups find the value. The caller must
// set the content of the returned value.
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

// rehash rebuilds the hash table of the shard with room for more values. It omits the
// values whose memory block has been freed.
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

// gone reports whether the memory block has been freed. A freed block is never used
// again.
func (v *internValues[D]) gone() bool { return v.kept == nil && v.weak.Value() == nil }

// watchCollections ensures that the method age is called after each garbage collection.
// The Go runtime announces a collection only by calling the cleanup function of an object
// that has become unreachable. watchCollections therefore creates an unreachable object.
func (t *internTable[D]) watchCollections() {
	runtime.AddCleanup(&sentinel{}, func(int) {
		t.age()
		t.watchCollections()
	}, 0)
}

// sentinel is an object that becomes unreachable immediately, so the next garbage
// collection frees it and runs its cleanup. It has 16 bytes, because Go combines smaller
// objects in one allocation and may then never run their cleanup.
type sentinel struct{ _ [16]byte }

// age removes strong references from the table, so that the garbage collector can free
// memory blocks. It removes the references to blocks in which no lookup has found a value
// since the last garbage collection. Blocks that programs still use stay alive.
func (t *internTable[D]) age() {
	for i := range t.shards {
		t.shards[i].age()
	}
}

// age updates the memory blocks of one shard after a garbage collection. A block in which
// a lookup has found a value stays strongly referenced. Any other block becomes weakly
// referenced. A weakly referenced block that the collector has freed is removed from the
// list.
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
