// This file defines immutable interned lists.

package ir

import (
	"encoding/binary"
	"hash/maphash"
	"iter"
	"math"
	"math/bits"
)

// List is an immutable, interned sequence. Lists with equal elements are equal by
// ==, so a list can be a field of a type or attribute. A list is a chain of
// interned pairs; comparing and hashing it therefore reads one pointer, whatever
// its length.
type List[T comparable] struct {
	// first is the interned pair of the first element and the rest, or nil if the list is
	// empty.
	first *interned[any]
	// n is the number of elements.
	n int
}

// pair is a node of a List: the first element and the list of the remaining elements.
type pair[T comparable] struct {
	// head is the first element.
	head T
	// tail is the list of the other elements.
	tail List[T]
}

// lists is the intern table for the pairs of all lists, whatever their element type.
var lists internTable[any]

// hash returns a hash of the pair. It combines the addresses of the head and the tail,
// because both are interned already.
func (p *pair[T]) hash() uint64 {
	var head uint64
	switch x := any(p.head).(type) {
	case Attr:
		head = addressOf(x.n)
	case Type:
		head = addressOf(x.n)
	default:
		head = maphash.Comparable(nameSeed, p.head)
	}
	return mix(mix(head, addressOf(p.tail.first)), uint64(p.tail.n))
}

// MakeList returns the interned list of xs. It builds the list from the last element to
// the first, so that lists with equal tails share memory.
func MakeList[T comparable](xs ...T) List[T] {
	var l List[T]
	for i := len(xs) - 1; i >= 0; i-- {
		p := pair[T]{xs[i], l}
		l = List[T]{internHashed(&lists, p, p.hash()), l.n + 1}
	}
	return l
}

// Len returns the number of elements of the list.
func (l List[T]) Len() int { return l.n }

// All yields the elements in order, each with its index.
func (l List[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := 0; l.n > 0; i++ {
			p := l.first.data.(pair[T])
			if !yield(i, p.head) {
				return
			}
			l = p.tail
		}
	}
}

// Slice returns the elements in a new slice, or nil for an empty list.
func (l List[T]) Slice() []T {
	if l.n == 0 {
		return nil
	}
	s := make([]T, 0, l.n)
	for _, x := range l.All() {
		s = append(s, x)
	}
	return s
}

// Dynamic is the extent of a dimension that is known only at run time. Its syntax
// is "?".
const Dynamic = math.MinInt64

// Dims is a sequence of extents, such as the shape of a tensor. It is a string that holds
// 8 bytes per extent, because types must be comparable and a slice is not.
type Dims string

// MakeDims returns the extents ds as a Dims.
func MakeDims(ds ...int64) Dims {
	b := make([]byte, 0, 8*len(ds))
	for _, d := range ds {
		b = binary.LittleEndian.AppendUint64(b, uint64(d))
	}
	return Dims(b)
}

// Len returns the number of extents, that is, the rank of the shape.
func (d Dims) Len() int { return len(d) / 8 }

// At returns the extent of dimension i. The value is Dynamic if it is known only at run
// time.
func (d Dims) At(i int) int64 {
	var x uint64
	for k, c := range []byte(d[8*i : 8*i+8]) {
		x |= uint64(c) << (8 * k)
	}
	return int64(x)
}

// Slice returns the extents in a new slice.
func (d Dims) Slice() []int64 {
	s := make([]int64, d.Len())
	for i := range s {
		s[i] = d.At(i)
	}
	return s
}

// Static reports whether no extent is Dynamic.
func (d Dims) Static() bool {
	for i := range d.Len() {
		if d.At(i) == Dynamic {
			return false
		}
	}
	return true
}

// Elements returns the product of the extents, all of which must be static. It
// returns math.MaxInt64 if the product does not fit.
func (d Dims) Elements() int64 {
	n := uint64(1)
	large := false
	for i := range d.Len() {
		hi, lo := bits.Mul64(n, uint64(d.At(i)))
		large = large || hi != 0 || lo > math.MaxInt64
		if n = lo; d.At(i) == 0 {
			return 0
		}
	}
	if large {
		return math.MaxInt64
	}
	return int64(n)
}
