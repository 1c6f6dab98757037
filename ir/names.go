package ir

import (
	"hash/maphash"
	"strings"
)

// nameTable finds what belongs to a name. Unlike a map it can be used again
// for the next function without being emptied: entries stay where they are,
// and functions tend to have the same names.
type nameTable[T any] struct {
	slots []*named[T] // a power of two; an entry is in the first free slot from its hash on
	used  int
	spare slab[named[T]]
}

type named[T any] struct {
	text string
	hash uint64
	val  T
}

var nameSeed = maphash.MakeSeed()

func hashName(s string) uint64 { return maphash.String(nameSeed, s) }

// find returns the entry of a name, which is made if there is none.
func (t *nameTable[T]) find(name string, hash uint64) *named[T] {
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	i := t.slot(name, hash)
	if t.slots[i] == nil {
		e := &t.spare.take(1)[0]
		e.text, e.hash = strings.Clone(name), hash // the text it is from may go
		t.slots[i] = e
		t.used++
	}
	return t.slots[i]
}

// slot returns where the name is or would be.
func (t *nameTable[T]) slot(name string, hash uint64) int {
	mask := len(t.slots) - 1
	for i := int(hash) & mask; ; i = (i + 1) & mask {
		if e := t.slots[i]; e == nil || e.hash == hash && e.text == name {
			return i
		}
	}
}

func (t *nameTable[T]) grow() {
	old := t.slots
	t.slots = make([]*named[T], max(64, 2*len(old)))
	for _, e := range old {
		if e != nil {
			t.slots[t.slot(e.text, e.hash)] = e
		}
	}
}
