// This file implements the symbol table of value names during parsing.

package ir

import (
	"hash/maphash"
	"strings"
)

// nameTable maps names to values of type T. Unlike a Go map, it can be reused for the
// next function without being cleared. Old entries remain, because functions tend to use
// the same names. The caller must therefore recognize entries that belong to earlier
// functions.
type nameTable[T any] struct {
	// slots is the hash table. Its length is a power of two; an entry is in the first
	// free slot at or after its hash.
	slots []*named[T]
	// used is the number of slots with an entry.
	used int
	// spare provides the memory of the entries.
	spare slab[named[T]]
}

// named is an entry of a nameTable: a name with its hash and its value.
type named[T any] struct {
	text string
	hash uint64
	val  T
}

// nameSeed is the seed of all hashes of names in the process.
var nameSeed = maphash.MakeSeed()

// hashName returns the hash of a name for a nameTable.
func hashName(s string) uint64 { return maphash.String(nameSeed, s) }

// find returns the entry for a name, and adds an entry with a zero value if there is
// none. hash must be the result of hashName.
func find[T any](t *nameTable[T], name string, hash uint64) *named[T] {
	if 2*t.used >= len(t.slots) {
		grow(t)
	}
	i := slotOf(t, name, hash)
	if t.slots[i] == nil {
		e := &take(&t.spare, 1)[0]
		e.text, e.hash = strings.Clone(name), hash // a copy, so that the text can be freed
		t.slots[i] = e
		t.used++
	}
	return t.slots[i]
}

// slotOf returns the index of the hash table slot that holds the entry for name, or of the
// free slot in which to store it.
func slotOf[T any](t *nameTable[T], name string, hash uint64) int {
	mask := len(t.slots) - 1
	for i := int(hash) & mask; ; i = (i + 1) & mask {
		if e := t.slots[i]; e == nil || e.hash == hash && e.text == name {
			return i
		}
	}
}

// grow doubles the hash table. At least half of its slots are free afterwards.
func grow[T any](t *nameTable[T]) {
	old := t.slots
	t.slots = make([]*named[T], max(64, 2*len(old)))
	for _, e := range old {
		if e != nil {
			t.slots[slotOf(t, e.text, e.hash)] = e
		}
	}
}
