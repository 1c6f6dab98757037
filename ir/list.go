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
// interned nodes; comparing and hashing it therefore reads one pointer, whatever
// its length.
type List[T comparable] struct {
	// first is the interned node of the first elements and the rest, or nil if the list is
	// empty.
	first *interned[any]
	// n is the number of elements.
	n int
}

// perNode is the number of elements of a full node, the unit of storage of a List. Most
// lists that occur in programs, such as shapes, fit into one node.
const perNode = 4

// node is a node of a linked list, which implements the type List. It contains up to
// perNode elements and the list of the elements after them.
type node[T comparable] struct {
	// heads are the elements. In the first node of a list, the last ones can be unused; all
	// other nodes are full.
	heads [perNode]T
	// tail is the list of the other elements.
	tail List[T]
}

// lists is the intern table for the nodes of all lists, whatever their element type.
var lists internTable[any]

// hash returns a hash of the node. It combines the addresses of the elements and of the
// tail, because these are interned already.
func (p *node[T]) hash() uint64 {
	h := mix(addressOf(p.tail.first), uint64(p.tail.n))
	for i := range p.heads {
		switch x := any(p.heads[i]).(type) {
		case Attr:
			h = mix(h, addressOf(x.n))
		case Type:
			h = mix(h, addressOf(x.n))
		default:
			h = mix(h, maphash.Comparable(nameSeed, p.heads[i]))
		}
	}
	return h
}

// MakeList returns the interned list of xs. It builds the list from the last element to
// the first.
func MakeList[T comparable](xs ...T) List[T] {
	var l List[T]
	for l.n < len(xs) {
		end := len(xs) - l.n
		var p node[T]
		copy(p.heads[:], xs[max(end-perNode, 0):end])
		p.tail = l
		same := func(known any) bool { k, ok := known.(node[T]); return ok && k == p }
		l = List[T]{internNode(p.hash(), same, func() any { return ownStrings(p) }), l.n + min(end, perNode)}
	}
	return l
}

// internNode returns the interned (unique) node of a list for the given hash for which
// the function same returns true. If the global table of nodes does not contain it,
// internNode adds the node that the function own returns. The function is neither generic
// nor inlined, so that the Go compiler does not translate the table again in each package
// that uses lists.
//
//go:noinline
func internNode(hash uint64, same func(any) bool, own func() any) *interned[any] {
	return intern(&lists, hash, same, own)
}

// Len returns the number of elements of the list.
func (l List[T]) Len() int { return l.n }

// All yields the elements in order, each with its index.
func (l List[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := 0; l.n > 0; {
			p := l.first.data.(node[T])
			for _, x := range p.heads[:l.n-p.tail.n] {
				if !yield(i, x) {
					return
				}
				i++
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
